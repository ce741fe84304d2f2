package session

import (
	"fmt"
	"io"
	"strings"

	"fsql/exec"
	"fsql/internal/value"
	"fsql/planner"
	"fsql/types"
)

// run is a job that has ended, with what it counted.
type run struct {
	name    string
	peak    int64 // bytes
	metrics []exec.Metrics
}

func (s *Session) finished(p *planner.Plan, job *exec.Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs = append(s.runs, run{name: p.Name, peak: job.Account().Peak(), metrics: job.Metrics()})
}

// WriteStats prints the metrics of every subtask of the jobs that have ended,
// under Flink's names.
func (s *Session) WriteStats(w io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		fmt.Fprintf(w, "job %s: peak memory %s\n", r.name, size(r.peak))
		width := 0
		for _, m := range r.metrics {
			width = max(width, len(m.Name))
		}
		for _, m := range r.metrics {
			fmt.Fprintf(w, "  %-*s numRecordsIn %-10d numRecordsOut %-10d currentOutputWatermark %s", width, m.Name, m.RecordsIn, m.RecordsOut, moment(m.OutputWatermark))
			for _, c := range m.Counters {
				fmt.Fprintf(w, " %s %d", c.Name, c.Value)
			}
			if m.StateBytes > 0 {
				fmt.Fprintf(w, " state %s", size(m.StateBytes))
			}
			fmt.Fprintln(w)
		}
	}
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
