package feed

import (
	"context"
	"errors"
	"testing"

	"fsql/connector"
	"fsql/row"
)

// TestAFullTableMakesItsFeederWait: rows that nobody has read bound what can be
// fed, and two readers see the same rows.
func TestAFullTableMakesItsFeederWait(t *testing.T) {
	w := Passing("program", 4)
	log := w.Table("t")
	ctx := context.Background()
	feed := func(text string) error { return log.AppendRows(ctx, fed(t, text)) }
	if err := errors.Join(feed("+I | 'a' | 1\n+I | 'b' | 2"), log.AppendWatermark(ctx, 5), feed("+I | 'c' | 3")); err != nil {
		t.Fatal(err)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if err := log.AppendRows(done, fed(t, "+I | 'x' | 9")); !errors.Is(err, context.Canceled) {
		t.Fatalf("a full table took a row: %v", err)
	}
	s := table(t, w)
	first, second := open(t, s, nil), open(t, s, nil)
	waits := make(chan error)
	go func() { waits <- feed("+I | 'd' | 4\n+I | 'e' | 5") }()
	if got, _ := poll(t, first); len(got) < 3 {
		t.Fatalf("the first reader got %v", got)
	}
	select {
	case err := <-waits:
		t.Fatalf("fed (%v) before the second reader has read", err)
	default:
	}
	if got, _ := poll(t, second); len(got) < 3 || got[0] != 1 {
		t.Fatalf("the second reader got %v", got)
	}
	if err := <-waits; err != nil {
		t.Fatal(err)
	}
	poll(t, first)
	poll(t, second)
	if len(log.log) != 0 || log.waiting != 0 {
		t.Errorf("%d entries of weight %d are kept", len(log.log), log.waiting)
	}
	late := open(t, s, nil)
	if late.(connector.Clocked).Watermark() != 5 {
		t.Error("a reader that comes late has not the event time reached")
	}
	if _, err := s.Open(ctx, late.Positions()); err == nil {
		t.Error("a job resumes over rows that are gone")
	}
}

func TestWhatALeavingReaderLeavesIsThereForTheNext(t *testing.T) {
	w := Passing("program", 4)
	log := w.Table("t")
	if err := log.Rows(fed(t, "+I | 'a' | 1")); err != nil {
		t.Fatal(err)
	}
	s := table(t, w)
	if err := open(t, s, nil).Close(); err != nil {
		t.Fatal(err)
	}
	if got, _ := poll(t, open(t, s, nil)); len(got) != 1 || got[0] != 1 {
		t.Errorf("got %v", got)
	}
}

func TestClosingTheWorldLetsFeedersGo(t *testing.T) {
	w := Passing("program", 1)
	log := w.Table("t")
	if err := log.Rows(fed(t, "+I | 'a' | 1")); err != nil {
		t.Fatal(err)
	}
	waits := make(chan error)
	go func() { waits <- log.Rows(row.New(columns(), 1, nil, nil)) }()
	closed := errors.New("closed")
	w.Close(closed)
	if err := <-waits; err != closed {
		t.Error(err)
	}
	if err := log.End(); err != closed {
		t.Error(err)
	}
}
