package spectest

import (
	"fmt"
	"strconv"

	"fsql/exec"
	"fsql/internal/ftest"
)

// metrics compares counters of a query's job.
func (r *run) metrics(rec *ftest.Metrics) error {
	o, err := r.output(rec.Name)
	if err != nil {
		return err
	}
	s := sides{expected: rec.Expected.Lines, ordered: true}
	counters := o.job.counters()
	for _, name := range rec.Names {
		v, ok := counters[name]
		if !ok {
			return fmt.Errorf("%s has no metric %s", rec.Name, name)
		}
		s.actual = append(s.actual, name+" "+strconv.FormatInt(v, 10))
	}
	r.compare(rec, rec.Line, &rec.Expected, s, o, s.actual)
	return nil
}

// metrics of a job, of its last life if it is stopped.
func (j *job) metrics() []exec.Metrics {
	if j.exec != nil {
		j.counted = j.exec.Metrics()
	}
	return j.counted
}

// counters are sums over a job and all its lives: rows in are those of the
// sources, rows out those that reach the sinks, others those of all operators.
func (j *job) counters() map[string]int64 {
	// Operators that have dropped nothing yet need not have said so.
	sum := map[string]int64{"numRecordsIn": 0, "numRecordsOut": 0, "numLateRecordsDropped": 0}
	for name, v := range j.before {
		sum[name] += v
	}
	for _, m := range j.metrics() {
		switch n := j.plan.Physical.Nodes[m.Node]; {
		case n.Source != nil:
			sum["numRecordsIn"] += m.RecordsIn
		case n.Sink != nil:
			sum["numRecordsOut"] += m.RecordsIn
		}
		for _, c := range m.Counters {
			sum[c.Name] += c.Value
		}
	}
	return sum
}

// checkpointed notes what a checkpoint holds.
func (j *job) checkpointed() {
	for _, o := range j.outputs {
		o.checkpointed()
	}
	j.kept = j.counters()
}

// crashed loses what came since.
func (j *job) crashed() {
	for _, o := range j.outputs {
		o.crashed()
	}
	j.before, j.counted = j.kept, nil
}
