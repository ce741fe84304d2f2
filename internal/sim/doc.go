// Package sim runs whole jobs under a seed. One loop on one goroutine steps the
// same sources, tasks and control loop that the production driver runs, in an
// order drawn from the seed; batch rows, queue bounds, parallelism, the choice
// at gates, pauses of sources, the clock and the times of barriers are drawn
// too. Every operator is checked against its contract, every barrier must be a
// consistent cut, and the job must end. What a seed finds, the same seed shows
// again:
//
//	go test ./internal/sim -run TestSim -seed=N
//
// A fake must charge for what is forgotten: the sink here knows what was never
// flushed and the account must be empty but for state.
package sim
