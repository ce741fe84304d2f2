package cli

import (
	"bytes"
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"fsql/internal/diag"
)

// failing is a stream that takes so many bytes, then fails.
type failing struct {
	room int
	err  error
}

func (f *failing) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, f.err
	}
	return len(b), nil
}

const (
	endless = "CREATE TABLE g (a BIGINT, b STRING) WITH ('connector' = 'datagen', 'rows-per-second' = '1000000');"
	printer = "CREATE TABLE p (a BIGINT, b STRING) WITH ('connector' = 'print');"
)

// A reader that goes away ends a run quietly; a full disk is an error of its
// own. Both hold for results and for what jobs print.
func TestOutputFails(t *testing.T) {
	for name, sql := range map[string]string{
		"query":        endless + "SELECT * FROM g",
		"final":        "SELECT 1",
		"updates":      endless + "SELECT b, COUNT(*) FROM g GROUP BY b",
		"print":        endless + printer + "INSERT INTO p SELECT * FROM g",
		"bounded":      printer + "INSERT INTO p VALUES (1, 'x')",
		"two printers": endless + printer + strings.ReplaceAll(printer, "TABLE p", "TABLE q") + "EXECUTE STATEMENT SET BEGIN INSERT INTO p SELECT * FROM g; INSERT INTO q SELECT * FROM g; END",
	} {
		for _, c := range []struct {
			err    error
			status int
			code   string
		}{
			{syscall.EPIPE, diag.ExitOK, ""},
			{syscall.ENOSPC, diag.ExitIO, "error[input-output]"},
		} {
			t.Run(name+"/"+c.err.Error(), func(t *testing.T) {
				var errs bytes.Buffer
				status := Main(context.Background(), []string{"-c", sql}, Streams{In: strings.NewReader(""), Out: &failing{err: c.err}, Err: &errs})
				if status != c.status || (errs.Len() > 0) != (c.code != "") || !strings.Contains(errs.String(), c.code) {
					t.Errorf("status %d, want %d: %s", status, c.status, errs.String())
				}
			})
		}
	}
}

// Limits below 0 are refused.
func TestNegativeLimits(t *testing.T) {
	for _, flag := range []string{"--limit=-1", "--timeout=-5s"} {
		status, _, errs := run(t, "", "-c", "SELECT 1", flag)
		if name, _, _ := strings.Cut(flag, "="); status != diag.ExitUsage || !strings.Contains(errs, name) {
			t.Errorf("%s: status %d: %s", flag, status, errs)
		}
	}
}

// An interrupt ends a run that is stuck where nobody asks whether to go on.
func TestStuck(t *testing.T) {
	stuck, ctx := make(chan struct{}), context.Background()
	if v, err := within(ctx, time.Hour, func() (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Error(v, err)
	}
	interrupt, cancel := context.WithCancel(ctx)
	cancel()
	_, err := within(interrupt, time.Millisecond, func() (int, error) { <-stuck; return 0, nil })
	if diag.ExitStatus(err) != diag.ExitInterrupt {
		t.Error(err)
	}
	close(stuck)
	// What ends by itself has its say.
	if v, err := within(interrupt, time.Hour, func() (int, error) { return 8, syscall.EPIPE }); v != 8 || err != syscall.EPIPE {
		t.Error(v, err)
	}
}
