// Package checkpoint decides when barriers are sent, when all of a job has
// passed one, and when a job is finished. It decides only: it never waits,
// spawns or writes, so that it can be tested as a transcript and simulated
// with a crash between any two of its decisions.
package checkpoint
