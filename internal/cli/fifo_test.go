//go:build unix

package cli

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipeNobodyWrites: a query that waits for somebody to write into a named pipe
// ends by --timeout.
func TestPipeNobodyWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	script := fmt.Sprintf("CREATE TABLE a (k INT) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv');\nSELECT k FROM a;", path)
	var out, errs bytes.Buffer
	status := Main(context.Background(), []string{"-c", script, "--csv", "--timeout", "20ms"}, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	if status != 0 || !strings.Contains(errs.String(), "--timeout") {
		t.Errorf("status %d: %s%s", status, out.String(), errs.String())
	}
}
