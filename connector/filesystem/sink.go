package filesystem

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"os"
	"strings"

	"fsql/connector"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/row"
)

func newSink(t *connector.Table) (connector.Sink, error) {
	path, err := location(t)
	if err != nil {
		return nil, err
	}
	if t.Format.Encoder == nil && t.Format.FileEncoder == nil {
		return nil, diag.New(diag.NotImplemented, diag.Span{}, "writing the format '%s' is not implemented yet", t.Format.Name)
	}
	s := &sink{table: t, path: path, layout: newLayout(t), roll: newRolling(t)}
	if len(t.Partitions) > 0 {
		if s.success, err = commit(t.Options); err != nil {
			return nil, err
		}
	}
	// What the format cannot write is said when the query is planned.
	if t.Format.FileEncoder != nil {
		_, err = t.Format.FileEncoder(s.layout.physical, t.FormatOpts)
	} else {
		_, err = t.Format.Encoder(s.layout.physical, t.FormatOpts)
	}
	return s, err
}

// commit reads what is to be done with a finished partition: the name of the
// file that marks it, "" for nothing.
func commit(o *option.Values) (success string, err error) {
	for _, policy := range strings.Split(o.String("sink.partition-commit.policy.kind"), ",") {
		switch policy = strings.TrimSpace(policy); policy {
		case "":
		case "success-file":
			success = o.String("sink.partition-commit.success-file.name")
		case "metastore", "custom":
			return "", diag.New(diag.NotSupported, diag.Span{}, "the partition-commit policy '%s' needs Hive or a Java class, which fsql does not have", policy)
		default:
			return "", diag.New(diag.BadOption, diag.Span{}, "bad value '%s' for option 'sink.partition-commit.policy.kind', which is success-file", policy)
		}
	}
	return success, nil
}

type sink struct {
	table   *connector.Table
	path    string
	layout  *layout
	success string // name of the file that marks a partition, "": none
	roll    rolling
	id      string // of the job with checkpoints that it has joined, "": none
}

// Accepts only inserts with plain formats; a changelog format writes all kinds.
func (s *sink) Accepts() row.Kinds { return s.table.Format.Kinds }

func (s *sink) OpenWriter(_ context.Context, subtask int) (connector.Writer, error) {
	w := &writer{sink: s, subtask: subtask, open: map[string]*part{}}
	if s.table.Format.FileEncoder == nil {
		var err error
		if w.encoder, err = s.table.Format.Encoder(s.layout.physical, s.table.FormatOpts); err != nil {
			return nil, err
		}
	}
	for _, p := range s.table.Partitions {
		w.partition = append(w.partition, s.table.Schema.Index(p))
	}
	var id [8]byte
	if _, err := rand.Read(id[:]); err != nil {
		return nil, err
	}
	w.id = hex.EncodeToString(id[:])
	if s.id != "" {
		w.id = s.id + "-" + w.id[:8]
		return &preparer{writer: w, fresh: map[string]bool{}}, s.makeFolder(s.path)
	}
	return w, s.makeFolder(s.path)
}

// makeFolder makes a folder, in a job with checkpoints so that it survives a
// crash.
func (s *sink) makeFolder(path string) error {
	make := makeSafeFolder
	if s.id == "" {
		make = func(path string) error { return os.MkdirAll(path, 0o777) }
	}
	err := make(path)
	if info, e := os.Stat(path); err != nil && e == nil && !info.IsDir() {
		return diag.New(diag.InputOutput, diag.Span{}, "the path '%s' is a file", path).
			WithHint("a table that rows are written to has the path of a folder, in which the files are made")
	} else if err != nil {
		return &diag.Error{Code: diag.InputOutput, Msg: "the folder '" + path + "' cannot be made", Cause: err}
	}
	return nil
}
