package spectest

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// WriteJUnit writes the results in the form that CI systems read: a suite per
// file, a case per test and variant.
func (s *Summary) WriteJUnit(w io.Writer) error {
	type failure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",cdata"`
	}
	type skipped struct {
		Message string `xml:"message,attr"`
	}
	type testcase struct {
		Class    string    `xml:"classname,attr"`
		Name     string    `xml:"name,attr"`
		Time     string    `xml:"time,attr"`
		Failures []failure `xml:"failure"`
		Skipped  *skipped  `xml:"skipped"`
	}
	type suite struct {
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Cases    []testcase `xml:"testcase"`
	}
	type suites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		Time    string   `xml:"time,attr"`
		Suites  []suite  `xml:"testsuite"`
	}
	all := suites{Name: "fsql test", Time: seconds(s.Took.Seconds())}
	at := func(file string) *suite {
		for i := range all.Suites {
			if all.Suites[i].Name == file {
				return &all.Suites[i]
			}
		}
		all.Suites = append(all.Suites, suite{Name: file})
		return &all.Suites[len(all.Suites)-1]
	}
	for _, r := range s.Results {
		c := testcase{Class: r.Unit.File, Name: r.Unit.Name + " [" + r.Variant.String() + "]", Time: seconds(r.Took.Seconds())}
		for _, f := range r.Failures {
			c.Failures = append(c.Failures, failure{fmt.Sprintf("%s:%d %s: %s", f.File, f.Line, f.What, f.Message), f.Text(nil)})
		}
		one := at(r.Unit.File)
		if one.Tests++; len(c.Failures) > 0 {
			one.Failures++
		} else if r.Skipped != "" {
			one.Skipped++
			c.Skipped = &skipped{r.Skipped}
		}
		one.Cases = append(one.Cases, c)
	}
	for _, err := range s.Broken {
		one := at("files that cannot be read")
		one.Tests++
		one.Failures++
		name, _, _ := strings.Cut(err.Error(), ": ")
		one.Cases = append(one.Cases, testcase{Class: name, Name: name, Time: "0.000", Failures: []failure{{err.Error(), err.Error()}}})
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }

// WriteJSON writes one line for a test in a variant.
func (r *Result) WriteJSON(w io.Writer) error {
	type failure struct {
		File    string   `json:"file"`
		Line    int      `json:"line"`
		What    string   `json:"what"`
		Message string   `json:"message"`
		Detail  string   `json:"detail,omitempty"`
		Diff    []string `json:"diff,omitempty"`
		Notes   []string `json:"notes,omitempty"`
		Repeat  string   `json:"repeat"`
	}
	out := struct {
		Test     string    `json:"test"`
		File     string    `json:"file"`
		Variant  string    `json:"variant"`
		Status   string    `json:"status"`
		Checks   int       `json:"checks"`
		Millis   float64   `json:"ms"`
		Skipped  string    `json:"skipped,omitempty"`
		Failures []failure `json:"failures,omitempty"`
	}{Test: r.Unit.Name, File: r.Unit.File, Variant: r.Variant.String(), Status: r.Status(), Checks: r.Checks,
		Millis: float64(r.Took.Microseconds()) / 1000, Skipped: r.Skipped}
	for _, f := range r.Failures {
		x := failure{File: f.File, Line: f.Line, What: f.What, Message: f.Message, Detail: f.Detail, Notes: f.Notes, Repeat: f.Repeat()}
		for _, d := range f.Diff {
			x.Diff = append(x.Diff, string(d.Sign)+" "+d.Text)
		}
		out.Failures = append(out.Failures, x)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(out)
}

// Status is fail, skip or pass.
func (r *Result) Status() string {
	switch {
	case len(r.Failures) > 0:
		return "fail"
	case r.Skipped != "":
		return "skip"
	}
	return "pass"
}

// Trace is what the test did, for -v.
func (r *Result) Trace() string { return r.trace.String() }
