//go:build race

package sim

// The race detector looks at goroutines, of which the simulator has one.
const defaultCrashSeeds = 20
