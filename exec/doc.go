// Package exec runs a physical plan. It builds a job of steppers: sources,
// tasks (a gate, a chain of operators, routers) and the control loop. A stepper
// does a bounded piece of work per Step and never waits: that a queue is full or
// empty only makes it "not runnable". So the same job is driven by goroutines in
// production (driver.go, the only file that knows goroutines, channels and real
// time) and by one seeded loop in the simulator.
package exec
