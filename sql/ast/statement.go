package ast

// Statement is one statement of a script.
type Statement interface {
	Node
	statement()
}

type (
	// QueryStatement is a query whose result is shown.
	QueryStatement struct {
		At
		Query Query
	}
	// Insert is [EXECUTE] INSERT INTO|OVERWRITE.
	Insert struct {
		At
		Table      Path
		Hints      []Hint
		Overwrite  bool
		Partition  []PartitionValue
		Columns    []Path // column list; a path may name a nested field
		Query      Query
		OnConflict string // "", "NOTHING", "ERROR", "DEDUPLICATE"
	}
	// StatementSet is EXECUTE STATEMENT SET BEGIN ... END.
	StatementSet struct {
		At
		Inserts []*Insert
	}
	// CreateTable is CREATE [TEMPORARY] TABLE, also LIKE, AS (CTAS) and
	// [CREATE OR] REPLACE TABLE ... AS.
	CreateTable struct {
		At
		Name        Path
		Temporary   bool
		IfNotExists bool
		Replace     bool // REPLACE TABLE
		OrReplace   bool // CREATE OR REPLACE TABLE
		Columns     []ColumnDef
		// NameList: a bare list of names in a CTAS, no types.
		NameList      []Name
		PrimaryKey    *PrimaryKey
		Watermark     *Watermark
		Comment       string
		Distribution  *Distribution
		PartitionedBy []Name
		Options       []Option
		Like          *LikeClause
		As            Query
	}
	// CreateView is CREATE [TEMPORARY] VIEW. Text is the query as written.
	CreateView struct {
		At
		Name        Path
		Temporary   bool
		IfNotExists bool
		Columns     []Name
		Comment     string
		Query       Query
		Text        string
	}
	// CreateCatalog, CreateDatabase, CreateFunction as in flink-sql 1.2.
	CreateCatalog struct {
		At
		Name        Name
		IfNotExists bool
		Comment     string
		Options     []Option
	}
	// CreateDatabase creates a database.
	CreateDatabase struct {
		At
		Name        Path
		IfNotExists bool
		Comment     string
		Options     []Option
	}
	// CreateFunction registers a user function.
	CreateFunction struct {
		At
		Name              Path
		Temporary, System bool
		IfNotExists       bool
		Identifier        string
		Language          string
		Using             []string
		Options           []Option
	}
	// Drop is DROP <Object> [IF EXISTS] name.
	Drop struct {
		At
		Object    string // "TABLE", "VIEW", "DATABASE", "CATALOG", "FUNCTION", "MODEL"
		Name      Path
		Temporary bool
		System    bool
		IfExists  bool
		Cascade   bool
	}
	// AlterTable is ALTER TABLE with exactly one action.
	AlterTable struct {
		At
		Name     Path
		IfExists bool
		Action   AlterAction
	}
	// Alter is any other ALTER: view, database, function, catalog.
	Alter struct {
		At
		Object            string // "VIEW", "DATABASE", "FUNCTION", "CATALOG"
		Name              Path
		IfExists          bool
		RenameTo          Path
		Query             Query
		Text              string
		Set               []Option
		Reset             []string
		Comment           string
		Identifier        string
		Language          string
		Temporary, System bool
	}
	// Show is SHOW ... with its modifiers.
	Show struct {
		At
		What    string // "TABLES", "VIEWS", "CATALOGS", "DATABASES", "FUNCTIONS", "USER FUNCTIONS", "COLUMNS", "PARTITIONS", "MODULES", "FULL MODULES", "JARS", "JOBS", "PROCEDURES", "MODELS", "MATERIALIZED TABLES", "CURRENT CATALOG", "CURRENT DATABASE", "CREATE TABLE", "CREATE VIEW", "CREATE CATALOG"
		Name    Path   // of FROM/IN, or the object of SHOW CREATE
		Pattern string
		Like    string // "", "LIKE", "ILIKE"
		Not     bool
		// Partition of SHOW PARTITIONS t PARTITION (k = 'v').
		Partition []PartitionValue
	}
	// Describe is DESCRIBE [EXTENDED] t, or CATALOG, FUNCTION, JOB, MODEL.
	Describe struct {
		At
		Object   string // "TABLE", "CATALOG", "FUNCTION", "JOB", "MODEL"
		Name     Path
		ID       string // of a job
		Extended bool
	}
	// Explain is EXPLAIN [details] statement.
	Explain struct {
		At
		Details   []string // "ESTIMATED_COST", "CHANGELOG_MODE", "PLAN_ADVICE", "JSON_EXECUTION_PLAN"
		Statement Statement
	}
	// Set is SET ['k'='v']; Key "" lists all.
	Set struct {
		At
		Key, Value       string
		KeyPos, ValuePos At
	}
	// Reset is RESET ['k'].
	Reset struct {
		At
		Key    string
		KeyPos At
	}
	// Use is USE CATALOG c, USE [c.]d, USE MODULES a, b.
	Use struct {
		At
		What  string // "CATALOG", "DATABASE", "MODULES"
		Name  Path
		Names []Name
	}
	// Module is LOAD MODULE m WITH (..) or UNLOAD MODULE m.
	Module struct {
		At
		Unload  bool
		Name    Name
		Options []Option
	}
	// Jar is ADD JAR or REMOVE JAR.
	Jar struct {
		At
		Remove bool
		Path   string
	}
	// StopJob is STOP JOB 'id' [WITH SAVEPOINT] [WITH DRAIN].
	StopJob struct {
		At
		ID               string
		Savepoint, Drain bool
	}
	// CompilePlan is COMPILE PLAN, EXECUTE PLAN, COMPILE AND EXECUTE PLAN.
	CompilePlan struct {
		At
		File             string
		IfNotExists      bool
		Compile, Execute bool
		Statement        Statement
	}
	// Unsupported is a statement that Flink parses and refuses in streaming
	// mode: UPDATE, DELETE, TRUNCATE TABLE, CALL, ANALYZE TABLE, models, ...
	// Lacking tells those that Flink does run and fsql does not.
	Unsupported struct {
		At
		What    string
		Lacking bool
	}
	// ClientCommand is QUIT, EXIT, HELP, CLEAR.
	ClientCommand struct {
		At
		Word string
	}
)

// Option is 'key' = 'value'.
type Option struct {
	At
	Key, Value       string
	KeyPos, ValuePos At
}

// PartitionValue is k = literal (Value nil: dynamic).
type PartitionValue struct {
	Column Name
	Value  Expr
}

// ColumnDef is one column of CREATE TABLE: physical (Type), computed (As) or
// metadata (Metadata).
type ColumnDef struct {
	At
	Name     Name
	Type     TypeName // zero for a computed column
	NotNull  bool
	As       Expr
	AsText   string // the expression as written
	Metadata bool
	From     string // metadata key, "" = the column's name
	Virtual  bool
	Primary  *PrimaryKey // a column constraint
	Comment  string
}

// PrimaryKey is a PRIMARY KEY constraint.
type PrimaryKey struct {
	At
	Name     string
	Columns  []Name
	Enforced bool // NOT ENFORCED is missing: refused when bound
}

// Watermark is WATERMARK FOR column AS expression.
type Watermark struct {
	At
	Column Path
	As     Expr
	AsText string
}

// Distribution is DISTRIBUTED BY|INTO.
type Distribution struct {
	At
	Kind    string // "", "HASH", "RANGE"
	Columns []Name
	Buckets int
}

// LikeClause is the LIKE clause of CREATE TABLE.
type LikeClause struct {
	At
	Table   Path
	Options []LikeOption
}

// LikeOption is INCLUDING|EXCLUDING|OVERWRITING feature.
type LikeOption struct {
	At
	Mode    string // "INCLUDING", "EXCLUDING", "OVERWRITING"
	Feature string // "ALL", "CONSTRAINTS", ...
}

// AlterAction is the one action of an ALTER TABLE; which fields are used
// depends on Kind.
type AlterAction struct {
	At
	Kind         string // "ADD", "MODIFY", "DROP", "RENAME COLUMN", "RENAME TABLE", "SET", "RESET", "ADD PARTITION", "DROP PARTITION"
	Columns      []AlterColumn
	PrimaryKey   *PrimaryKey
	Watermark    *Watermark
	Distribution *Distribution
	DropColumns  []Name
	DropWhat     string // "PRIMARY KEY", "CONSTRAINT", "WATERMARK", "DISTRIBUTION"
	Constraint   Name
	From, To     Name
	NewTable     Path
	Options      []Option
	Keys         []string
	Partitions   [][]PartitionValue
	IfExists     bool // of ADD PARTITION: IF NOT EXISTS
}

// AlterColumn is a column with its new position.
type AlterColumn struct {
	ColumnDef
	First bool
	After Name // Text "": at the end, or where it was
}

func (*QueryStatement) statement() {}
func (*Insert) statement()         {}
func (*StatementSet) statement()   {}
func (*CreateTable) statement()    {}
func (*CreateView) statement()     {}
func (*CreateCatalog) statement()  {}
func (*CreateDatabase) statement() {}
func (*CreateFunction) statement() {}
func (*Drop) statement()           {}
func (*AlterTable) statement()     {}
func (*Alter) statement()          {}
func (*Show) statement()           {}
func (*Describe) statement()       {}
func (*Explain) statement()        {}
func (*Set) statement()            {}
func (*Reset) statement()          {}
func (*Use) statement()            {}
func (*Module) statement()         {}
func (*Jar) statement()            {}
func (*StopJob) statement()        {}
func (*CompilePlan) statement()    {}
func (*Unsupported) statement()    {}
func (*ClientCommand) statement()  {}
