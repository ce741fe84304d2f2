package session

import (
	"fmt"
	"io"
	"strings"

	"fsql/exec"
	"fsql/internal/value"
	"fsql/types"
)

// run is a job that has ended, with what it counted.
type run struct {
	name    string
	peak    int64 // bytes
	metrics []Metric
}

func (s *Session) finished(l *live, job *exec.Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs = append(s.runs, run{name: l.plan.Name, peak: job.Account().Peak(), metrics: l.metrics()})
}

// WriteStats prints the metrics of every subtask of the jobs that have ended,
// under Flink's names: a line per subtask. What is 0 for the want of
// checkpoints and failures is left out.
func (s *Session) WriteStats(w io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		fmt.Fprintf(w, "job %s: peak memory %s", r.name, size(r.peak))
		width := 0
		for _, m := range r.metrics {
			width = max(width, len(m.Operator))
			if m.Operator == "" && m.Value != 0 {
				fmt.Fprintf(w, "  %s", m)
			}
		}
		operator := ""
		for _, m := range r.metrics {
			switch {
			case m.Operator == "":
				continue
			case m.Operator != operator:
				operator = m.Operator
				fmt.Fprintf(w, "\n  %-*s", width, operator)
			}
			switch m.Name {
			case "numRecordsIn", "numRecordsOut":
				fmt.Fprintf(w, " %s %-10d", m.Name, m.Value)
			default:
				fmt.Fprintf(w, " %s", m)
			}
		}
		fmt.Fprintln(w)
	}
}

// String is "numRecordsIn 12"; event times are spelled in UTC.
func (m Metric) String() string {
	switch {
	case m.Time:
		return m.Name + " " + moment(types.Time(m.Value))
	case m.Name == "stateBytes":
		return "state " + size(m.Value)
	}
	return fmt.Sprintf("%s %d", m.Name, m.Value)
}

func size(bytes int64) string {
	switch {
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
	case bytes >= 1<<10:
		return fmt.Sprintf("%.1f KB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%d B", bytes)
}

// moment spells event time in UTC.
func moment(t types.Time) string {
	switch t {
	case types.MinTime:
		return "none"
	case types.MaxTime:
		return "end"
	}
	return strings.Replace(string(value.AppendTimestampNano(nil, int64(t), 0, 3)), " ", "T", 1) + "Z"
}
