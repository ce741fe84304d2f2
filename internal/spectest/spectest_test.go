package spectest

import (
	"context"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestData runs the tests of the folder testdata that are sound.
func TestData(t *testing.T) {
	s, err := Run(context.Background(), &Options{Paths: []string{"testdata"}}, func([]*Result) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range s.Broken {
		t.Error(err)
	}
	for _, r := range s.Results {
		if r.Skipped != "" && r.Skipped != "to show that it can be" {
			t.Errorf("%s [%s] skipped: %s", r.Unit.Name, r.Variant, r.Skipped)
		}
		for _, f := range r.Failures {
			t.Errorf("%s", f.Text(nil))
		}
	}
}
