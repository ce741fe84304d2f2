//go:build !race

package sim

const defaultCrashSeeds = 300
