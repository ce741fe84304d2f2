package diag

import (
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"testing"
)

// TestNotes: what is logged reads as a sentence, with Go's words around the
// reason of a failure left out and nothing in it that a terminal obeys.
func TestNotes(t *testing.T) {
	var b strings.Builder
	log := NewLog(&b, slog.LevelInfo, false)
	log.Debug("checkpoint", "epoch", 1)
	log.Info("the job goes on from its last checkpoint", "epoch", 3, "offsets", "")
	log.With("job", "a\x1b[2Jb").Warn("a checkpoint failed", "error", &fs.PathError{Op: "open", Path: "/x", Err: fs.ErrPermission})
	log.Error("panic", "value", errors.New("boom"), "stack", "main\n\tmain.go:1\n")
	want := "note: the job goes on from its last checkpoint (epoch 3)\n" +
		"warning: a checkpoint failed (job a\uFFFD[2Jb, error permission denied)\n" +
		"warning: panic (value boom)\nmain\n\tmain.go:1\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestVerbose(t *testing.T) {
	var b strings.Builder
	NewLog(&b, slog.LevelWarn, true).Debug("checkpoint", "epoch", 1)
	if got := b.String(); !strings.Contains(got, "level=DEBUG msg=checkpoint epoch=1") {
		t.Errorf("got %s", got)
	}
}
