package session

import (
	"context"
	"testing"

	"fsql/internal/rowtext"
	"fsql/row"
	"fsql/types"
)

// TestShowJobs: the columns are those of Flink, the times the session's.
func TestShowJobs(t *testing.T) {
	s, err := New(Config{Clock: func() types.Time { return 1_700_000_000_123 }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx := context.Background()
	if err := s.Exec(ctx, "CREATE TABLE hole (x INT) WITH ('connector' = 'blackhole'); INSERT INTO hole VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
	var r *Result
	if err := s.Run(ctx, "SHOW JOBS", func(got *Result) error { r = got; return nil }); err != nil {
		t.Fatal(err)
	}
	want := []types.Column{
		{Name: "job id", Type: types.String()}, {Name: "job name", Type: types.String()},
		{Name: "status", Type: types.String()}, {Name: "start time", Type: types.TimestampLTZOf(6)},
	}
	for i, c := range r.Schema.Columns {
		if c.Name != want[i].Name || !c.Type.Same(want[i].Type) {
			t.Errorf("column %d is %s %s, want %s %s", i, c.Name, c.Type, want[i].Name, want[i].Type)
		}
	}
	var line string
	if err := r.Each(ctx, func(b *row.Batch) error {
		for _, c := range b.Cols[1:] {
			line += "|" + rowtext.Value(c, 0)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if line != "|'insert-into_default_catalog.default_database.hole'|'FINISHED'|2023-11-14 22:13:20.123" {
		t.Errorf("SHOW JOBS gives %s", line)
	}
}
