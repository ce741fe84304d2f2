package shell

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"fsql/internal/diag"
	"fsql/session"
	"fsql/types"
)

// jobNumber is a job's ID as a person writes it: without leading zeros.
func jobNumber(j *session.Job) string {
	if n := strings.TrimLeft(j.ID, "0"); n != "" {
		return n
	}
	return "0"
}

// jobTarget is a job's name without what is the same for all.
func jobTarget(j *session.Job) string {
	return jobless(j.Name)
}

// findJob finds a job by its ID or number.
func (s *Shell) findJob(id string) (*session.Job, error) {
	var list []string
	for _, j := range s.session.Jobs() {
		if id == j.ID || id == jobNumber(j) {
			return j, nil
		}
		list = append(list, jobNumber(j))
	}
	e := diag.New(diag.UnknownObject, diag.Span{}, "there is no job '%s'", id)
	if len(list) == 0 {
		return nil, e.WithHint("no job was started yet: INSERT INTO starts one")
	}
	return nil, e.WithHint("jobs: %s", strings.Join(list, ", "))
}

// written is the number of rows that reached the job's sinks, read those that
// its sources gave.
func written(j *session.Job) int64 {
	return sum(j.Progress(), func(s *session.Step) (bool, int64) { return s.Sink, s.In })
}

func read(j *session.Job) int64 {
	return sum(j.Progress(), func(s *session.Step) (bool, int64) { return s.Source, s.In })
}

func sum(p *session.Progress, f func(*session.Step) (bool, int64)) int64 {
	total := int64(0)
	if p == nil {
		return 0
	}
	for i := range p.Steps {
		if ok, n := f(&p.Steps[i]); ok {
			total += n
		}
	}
	return total
}

func age(j *session.Job) time.Duration {
	end := j.Ended()
	if end == 0 {
		end = types.Time(time.Now().UnixMilli())
	}
	return time.Duration(end-j.Started) * time.Millisecond
}

// endLine is the line about a job that has ended.
func endLine(j *session.Job) string {
	verb := "finished"
	if j.Cancelled() {
		verb = "was stopped"
	}
	return fmt.Sprintf("Job %s %s: %s written (%s)", jobNumber(j), verb, rows(written(j)), seconds(age(j)))
}

// listJobs is .jobs.
func (s *Shell) listJobs() {
	jobs := s.session.Jobs()
	if len(jobs) == 0 {
		s.printf("No jobs. INSERT INTO starts one.\n")
		return
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "job\tstate\tin\tout\ttime\tname")
	for _, j := range jobs {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", jobNumber(j), j.State(), short(read(j)), short(written(j)), seconds(age(j)), jobTarget(j))
	}
	_ = w.Flush()
	s.lines(b.String())
}

// showJob is .job: every step of the plan with what it counted.
func (s *Shell) showJob(j *session.Job) {
	s.printf("Job %s %s, %s: %s\nID %s\n", jobNumber(j), j.State(), seconds(age(j)), jobTarget(j), j.ID)
	p := j.Progress()
	if p == nil {
		return
	}
	now := types.Time(time.Now().UnixMilli())
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "step\tin\tout\twatermark\tlate\tstate")
	for _, st := range p.Steps {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", lastPart(st.Name), short(st.In), short(st.Out), watermark(st, now), positive(st.Late), stateText(st.State))
	}
	_ = w.Flush()
	s.lines(b.String())
	s.printf("\n")
	s.metrics(j)
	if st := j.State(); st == "FAILED" {
		s.fail(j.Wait(), diag.Source{})
	}
}

// metrics prints what a job has counted, under Flink's names: those of the job,
// then those of every subtask below its name.
func (s *Shell) metrics(j *session.Job) {
	now := types.Time(time.Now().UnixMilli())
	operator, line := "", ""
	flush := func() {
		for _, l := range wrap(line, s.room()) {
			if strings.TrimSpace(l) != "" {
				s.printf("%s\n", strings.TrimRight(l, " "))
			}
		}
		line = ""
	}
	for _, m := range j.Metrics() {
		if m.Operator != operator {
			flush()
			operator = m.Operator
			s.printf("%s\n", clip(jobless(operator), s.room()))
		}
		text := m.Name + " " + thousands(m.Value)
		if m.Time {
			text = m.Name + " " + eventTimeText(types.Time(m.Value), now)
		}
		if operator != "" {
			text = "  " + text
		}
		if line != "" && diag.Width(line)+2+diag.Width(text) > s.room() {
			flush()
		}
		if line != "" {
			line += "  " + strings.TrimLeft(text, " ")
		} else {
			line = text
		}
	}
	flush()
}

// room is the width that lines may have.
func (s *Shell) room() int {
	if s.t.dumb {
		return 120
	}
	return s.t.width() - 1
}

// jobless is the name of an operator without what is the same for all.
func jobless(name string) string {
	return strings.ReplaceAll(name, "default_catalog.default_database.", "")
}

// showWatermarks is .wm: the event time of every source of the running jobs.
func (s *Shell) showWatermarks(jobs []*session.Job) {
	now := types.Time(time.Now().UnixMilli())
	some := false
	for _, j := range jobs {
		p := j.Progress()
		if p == nil {
			continue
		}
		for _, st := range p.Steps {
			if st.Source {
				some = true
				s.printf("job %s  %s  %s\n", jobNumber(j), lastPart(st.Name), watermark(st, now))
			}
		}
	}
	if !some {
		s.printf("No jobs.\n")
	}
}

func watermark(st session.Step, now types.Time) string {
	t := st.Time
	if st.Source {
		if t = st.OutTime; !st.Timed && t != types.MaxTime {
			return "-"
		}
	}
	return eventTimeText(t, now)
}

func eventTimeText(t, now types.Time) string {
	switch t {
	case types.MinTime:
		return "none yet"
	case types.MaxTime:
		return "end"
	}
	return moment(t, now)
}

func positive(n int64) string {
	if n == 0 {
		return "-"
	}
	return thousands(n)
}

func stateText(n int64) string {
	if n == 0 {
		return "-"
	}
	return bytesText(n)
}

// lines prints lines cut to the width of the screen.
func (s *Shell) lines(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		if !s.t.dumb {
			line = clip(line, s.t.width()-1)
		}
		s.printf("%s\n", line)
	}
}
