package exec

// Fault plants a defect, to see that the simulator finds it. It is nil in
// production.
type Fault interface {
	// Strikes is asked at each place where the defect could happen.
	Strikes(at FaultPoint) bool
}

// FaultPoint names a place.
type FaultPoint uint8

// The places.
const (
	DropMark    FaultPoint = iota // a router does not pass a mark to one of its targets
	MaxMark                       // a gate takes the maximum over its inputs
	LoseRow                       // a row that would pass a queue's bound is lost
	SkipAlign                     // a gate does not hold an input back after its barrier
	NoFlush                       // a source keeps rows back that it has read before a barrier
	LoseOffset                    // a source that resumes begins a split anew
	LoseTime                      // a source that resumes has forgotten its event time
	NoRepublish                   // what was durable is not published again at a restart
	ByArrival                     // a gate takes its inputs as they come, not merged
	FirmBound                     // a queue's bound does not give way to a reader that waits
	LoseFlying                    // what a gate had taken before a barrier is not part of the checkpoint
	EarlyFinish                   // the job ends before the last epoch is published
)

func strikes(f Fault, at FaultPoint) bool { return f != nil && f.Strikes(at) }
