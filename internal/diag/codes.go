package diag

// The catalogue. A code is added here first; docs and tests read the list.
const (
	// Text and grammar.
	Syntax         Code = "syntax"          // the text does not parse
	BadLiteral     Code = "bad-literal"     // a literal that is malformed or out of range
	ReservedWord   Code = "reserved-word"   // a name that must be quoted
	OtherDialect   Code = "other-dialect"   // a spelling of another dialect: !=, ::, LIMIT a,b
	TooDeep        Code = "too-deep"        // nesting beyond the limit
	NotImplemented Code = "not-implemented" // Flink has it, fsql does not yet
	NotSupported   Code = "not-supported"   // Flink refuses it too (in streaming)

	// Names and types.
	UnknownTable       Code = "unknown-table"
	UnknownColumn      Code = "unknown-column"
	UnknownFunction    Code = "unknown-function"
	UnknownObject      Code = "unknown-object" // database, catalog, module, view, ...
	AmbiguousColumn    Code = "ambiguous-column"
	DuplicateName      Code = "duplicate-name"
	AlreadyExists      Code = "already-exists"
	WrongArguments     Code = "wrong-arguments" // no such signature
	TypeMismatch       Code = "type-mismatch"   // operands or columns that do not go together
	BadCast            Code = "bad-cast"        // a cast the matrix refuses
	ColumnCount        Code = "column-count"    // numbers of columns differ
	NotGrouped         Code = "not-grouped"     // a column outside GROUP BY and aggregates
	MisplacedAggregate Code = "misplaced-aggregate"
	BadWindow          Code = "bad-window" // window sizes, descriptors, TVF arguments
	BadWatermark       Code = "bad-watermark"
	BadTimeColumn      Code = "bad-time-column"  // not a time attribute
	BadConstraint      Code = "bad-constraint"   // primary key and friends
	ChangelogMode      Code = "changelog-mode"   // an operator or sink that cannot take updates
	ConstantFailure    Code = "constant-failure" // an expression that fails while being folded

	// Options, connectors, files.
	UnknownOption    Code = "unknown-option"
	MissingOption    Code = "missing-option"
	BadOption        Code = "bad-option" // value not of the option's type
	UnknownConnector Code = "unknown-connector"
	UnknownFormat    Code = "unknown-format"
	NoSuchFile       Code = "no-such-file"
	InputOutput      Code = "input-output"

	// While running.
	BadRow         Code = "bad-row" // a row that cannot be decoded
	NullRowtime    Code = "null-rowtime"
	NullViolation  Code = "null-violation" // NULL for a NOT NULL column
	MatchSkip      Code = "match-skip"     // AFTER MATCH SKIP leads nowhere
	KeyConflict    Code = "key-conflict"   // several rows for one primary key, ON CONFLICT DO ERROR
	DivisionByZero Code = "division-by-zero"
	Overflow       Code = "overflow"
	BadValue       Code = "bad-value"       // a value a function or cast refuses
	ValueTooLarge  Code = "value-too-large" // a value beyond what functions make
	JobFailed      Code = "job-failed"
	StateMismatch  Code = "state-mismatch"     // a plan that does not fit the checkpoint it would resume from
	BadCheckpoint  Code = "damaged-checkpoint" // no checkpoint can be read
	InUse          Code = "in-use"             // another process runs the job
	Internal       Code = "internal"           // a defect of fsql

	// Command line.
	Usage     Code = "usage"
	Cancelled Code = "cancelled"

	// Somebody else's service.
	CannotConnect Code = "cannot-connect"
)
