package spectest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fsql/internal/ftest"
)

// Variant is one way to run a test. All variants must give the same answers.
type Variant struct {
	Parallelism int
	// Restart is when the jobs are killed and resume: "none"; "each", after a
	// checkpoint behind every feed; "rescale", the same with another
	// parallelism each time; "feed#N", behind that feed only; "random(SEED)",
	// in the middle of work, from the last checkpoint.
	Restart string
	// BatchRows is the most rows of a batch; 0: what fsql takes.
	BatchRows int
	// Shuffle permutes the rows of every feed by this seed; 0: as written.
	Shuffle int
	// Batch gives all rows at once and looks at the end only.
	Batch bool
	// Flink runs the test on the cluster of Options.Endpoint.
	Flink bool
}

// plain is how a test is run as it is written.
func (v Variant) plain() bool { return v == Variant{Parallelism: 1, Restart: "none"} }

// String is what differs from the plain form.
func (v Variant) String() string {
	return strings.TrimSpace(strings.NewReplacer(" --", " ", "'", "").Replace(v.flags()))
}

// flags are the options that repeat the variant.
func (v Variant) flags() string {
	s := " --parallelism=" + strconv.Itoa(v.Parallelism)
	if v.Restart != "none" {
		s += " --restart='" + v.Restart + "'"
	}
	if v.BatchRows > 0 {
		s += " --batch-rows=" + strconv.Itoa(v.BatchRows)
	}
	if v.Shuffle > 0 {
		s += " --shuffle=" + strconv.Itoa(v.Shuffle)
	}
	if v.Batch {
		s += " --mode=batch"
	}
	if v.Flink {
		s = " --engine=flink"
	}
	return s
}

// settings are what the header of a file says.
type settings struct {
	variants []Variant
	zone     string
	clock    string
	digits   int // significant digits in which DOUBLE and FLOAT are compared; 0: all
}

// add adds a variant once.
func (s *settings) add(v Variant) {
	if !slices.Contains(s.variants, v) {
		s.variants = append(s.variants, v)
	}
}

var restartForm = regexp.MustCompile(`^(none|each|rescale|feed#[1-9][0-9]*|random\([0-9]+\))$`)

// readHeader reads the settings of a file; what the command line says about
// variants counts more.
func readHeader(f *ftest.File, o *Options) (settings, error) {
	s := settings{zone: "UTC", clock: "2026-01-01 00:00:00"}
	bad := func(key, why string) (settings, error) {
		return s, fmt.Errorf("%s:1: %s=%s: %s", f.Name, key, f.Header.Get(key), why)
	}
	list := func(key, other string, flag []string) []string {
		switch v := f.Header.Get(key); {
		case len(flag) > 0:
			return flag
		case v != "":
			return strings.Split(v, ",")
		}
		return strings.Split(other, ",")
	}
	if v := f.Header.Get("timezone"); v != "" {
		s.zone = v
	}
	if v := f.Header.Get("clock"); v != "" {
		s.clock = v
	}
	if v := f.Header.Get("float-digits"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > 17 {
			return bad("float-digits", "write a number from 1 to 17")
		}
		s.digits = n
	}
	streaming, batch := false, false
	for _, m := range list("mode", "streaming", o.Mode) {
		switch m {
		case "streaming":
			streaming = true
		case "batch":
			batch = true
		default:
			return bad("mode", "write streaming, batch or both")
		}
	}
	shuffles := []int{0}
	if n, err := strconv.Atoi(list("shuffle", "0", o.Shuffle)[0]); err != nil || n < 0 {
		return bad("shuffle", "write how many orders to try")
	} else if len(o.Shuffle) > 0 {
		shuffles = []int{n}
	} else {
		for i := range n {
			shuffles = append(shuffles, i+1)
		}
	}
	for _, shuffle := range shuffles {
		for _, rows := range list("batch-rows", "0", o.BatchRows) {
			for _, restart := range list("restart", "none", o.Restart) {
				for _, p := range list("parallelism", "1,4", o.Parallelism) {
					v := Variant{Restart: restart, Shuffle: shuffle}
					var err error
					if v.Parallelism, err = strconv.Atoi(p); err != nil || v.Parallelism < 1 || v.Parallelism > 128 {
						return bad("parallelism", "write numbers from 1 to 128, such as 1,4")
					}
					if v.BatchRows, err = strconv.Atoi(rows); err != nil || v.BatchRows < 0 {
						return bad("batch-rows", "write numbers, such as 1,4096")
					}
					if v.Batch = !streaming; v.Batch {
						v.Restart, v.Shuffle = "none", 0
					}
					if !restartForm.MatchString(restart) {
						return bad("restart", "write none, each, rescale, feed#N or random(SEED)")
					}
					s.add(v)
					if batch {
						s.add(Variant{Parallelism: v.Parallelism, BatchRows: v.BatchRows, Restart: "none", Batch: true})
					}
				}
			}
		}
	}
	return s, nil
}
