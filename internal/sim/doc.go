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
// Crash does the same with checkpoints and kills the job, again and again,
// between any two steps and around everything that becomes durable; the job goes
// on with another parallelism. More seeds than go test runs by itself:
//
//	go test ./internal/sim -run TestCrash -crash-seeds=10000
//	go test ./internal/sim -run TestCorpusCrashes -corpus-seeds=100
//
// A fake must charge for what is forgotten: the sink here knows what was never
// flushed and the account must be empty but for state.
package sim
