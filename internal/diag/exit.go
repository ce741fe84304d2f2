package diag

// Exit statuses of the command line (one per kind of failure).
const (
	ExitOK        = 0
	ExitSQL       = 1 // parsing, validation
	ExitUsage     = 2
	ExitConnect   = 3 // a service cannot be reached, or refuses
	ExitJob       = 4 // a job failed while it ran
	ExitIO        = 5 // a file cannot be read or written
	ExitInterrupt = 130
)

// ExitStatus tells which status a failure ends the process with.
func ExitStatus(err error) int {
	switch Of(err).Code {
	case Usage:
		return ExitUsage
	case CannotConnect:
		return ExitConnect
	case NoSuchFile, InputOutput, BadCheckpoint, InUse:
		return ExitIO
	case BadRow, NullRowtime, NullViolation, KeyConflict, DivisionByZero, Overflow, BadValue, JobFailed, Internal:
		return ExitJob
	case Cancelled:
		return ExitInterrupt
	}
	return ExitSQL
}
