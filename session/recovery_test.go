package session

import (
	"strings"
	"testing"

	"fsql/checkpoint"
)

// TestCheckpointSettings: every setting arrives where checkpoints are made.
func TestCheckpointSettings(t *testing.T) {
	s, err := New(Config{Dir: t.TempDir(), Settings: map[string]string{
		"execution.checkpointing.interval": "3 s", "execution.checkpointing.min-pause": "200 ms", "execution.checkpointing.timeout": "1 min",
		"execution.checkpointing.tolerable-failed-checkpoints": "4", "execution.checkpointing.num-retained": "7",
		"execution.checkpointing.mode": "AT_LEAST_ONCE", "execution.checkpointing.dir": "below/here", "pipeline.name": "my job",
	}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.recovery()
	if err != nil {
		t.Fatal(err)
	}
	want := checkpoint.Config{Interval: 3000, MinPause: 200, Timeout: 60_000, Tolerable: 4}
	if r.config != want || r.retained != 7 || !r.atLeastOnce || !strings.HasPrefix(r.folder, s.cfg.Dir) || !strings.Contains(r.folder, "below/here/my-job-") {
		t.Errorf("%+v", r)
	}
	again, err := s.recovery()
	if err != nil || again.folder == r.folder {
		t.Errorf("two jobs of one name share %s: %v", r.folder, err)
	}
}

// TestStateBackendNames: both are taken and mean the same; others are refused.
func TestStateBackendNames(t *testing.T) {
	for _, key := range []string{"state.backend.type", "state.backend"} {
		for _, name := range []string{"hashmap", "rocksdb"} {
			s, err := New(Config{Settings: map[string]string{key: name}})
			if err != nil {
				t.Fatal(err)
			}
			if r, err := s.recovery(); err != nil || r.folder != "" || r.config.Interval != 0 {
				t.Errorf("%s: %+v, %v", name, r, err)
			}
		}
	}
}

// TestSavepointRefused: a job does not begin without the state that it was told
// to begin with.
func TestSavepointRefused(t *testing.T) {
	for _, key := range []string{"execution.state-recovery.path", "execution.savepoint.path"} {
		s, err := New(Config{Settings: map[string]string{key: "/tmp/savepoint-1"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.recovery(); err == nil || !strings.Contains(err.Error(), "savepoint") {
			t.Errorf("%s: %v", key, err)
		}
	}
}
