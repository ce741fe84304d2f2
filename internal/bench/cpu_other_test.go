//go:build !unix

package bench

import "time"

var began = time.Now()

// cpuTime falls back to wall time where the system call is missing.
func cpuTime() time.Duration { return time.Since(began) }
