// Package session runs Flink SQL inside a Go program: no server, no cluster, no
// files but those that the SQL names. The command fsql is one of its users.
//
//	s, err := session.New(session.Config{})
//	defer s.Close()
//	err = s.Exec(ctx, "CREATE TABLE ...; INSERT INTO ...")
//	res, err := s.Query(ctx, "SELECT ...")
//	for row, err := range res.Rows(ctx) { ... }
//
// The examples show every way in and out.
//
// # Statements
//
// Exec runs a script of statements without rows, Run a script of any statements,
// Query one statement with rows, Start one INSERT in the background. Catalog and
// settings belong to the session and last until Close. Expand puts variables
// into a script; Literal and Name write values and identifiers that come from
// elsewhere.
//
// A Session is used by one goroutine at a time. What it hands out (Job, Feed,
// RecordReader, and the iterators of Rows) may be used by others meanwhile, and
// Close may be called by any.
//
// # Reading
//
// A Result has a schema, tells whether it ends by itself (Bounded) and which row
// kinds it carries (Kinds). A query runs while its result is read, and it is
// read once, in one of four ways:
//
//   - Records and Changes: Arrow record batches, as an array.RecordReader
//   - Rows: one row after another
//   - Structs: rows as values of a struct
//   - Each: fsql's own batches, without a copy, called by the goroutine of the
//     job
//
// A result with other kinds than +I is a changelog, as Flink's: -U takes the old
// row back, +U brings the new one, -D deletes. What is left of the rows when all
// changes were applied is the table.
//
// ReadTable reads in the same way what INSERTs write into a table.
//
// # Feeding
//
// Feed is the writing end of a table with the connector 'program': rows as Go
// values or Arrow records, watermarks, the end. Feeding waits while nobody reads
// fast enough; a query that is not read waits, too. So memory is bounded without
// a setting.
//
// # Values
//
//	BOOLEAN                        bool
//	TINYINT SMALLINT INT BIGINT    int8 int16 int32 int64
//	FLOAT DOUBLE                   float32 float64
//	DECIMAL                        string, with all digits of its scale
//	CHAR VARCHAR STRING            string
//	BINARY VARBINARY BYTES         []byte
//	DATE                           time.Time, midnight UTC
//	TIME                           time.Duration since midnight
//	TIMESTAMP                      time.Time, the wall clock as if it were UTC
//	TIMESTAMP_LTZ                  time.Time, the instant
//	INTERVAL YEAR TO MONTH         int32, months
//	INTERVAL DAY TO SECOND         time.Duration
//	ARRAY                          []any
//	MAP MULTISET                   map[any]any (MULTISET: counts are int32)
//	ROW                            []any
//	VARIANT BITMAP                 string, as it prints
//	NULL                           nil
//
// Into a table go besides: whole numbers of every Go type that fit, whole
// numbers for DECIMAL, texts as CAST takes them for DECIMAL and the types of
// time, slices and maps of any type, nil pointers for NULL. In Arrow, types are
// the usual ones: TIMESTAMP has no zone, TIMESTAMP_LTZ has UTC, both count
// microseconds up to six digits and nanoseconds beyond.
//
// # Errors
//
// Errors of statements are *Error, also where they are wrapped: a code that
// stays, a place in the text, a hint. Position gives line and column, Message
// the form that the command prints. When a context ends a query or a job, the
// error is the context's.
//
// # Jobs
//
// An INSERT is a job. It ends with the context it was started with, with Cancel,
// or with Close. With the settings
//
//	SET 'execution.checkpointing.interval' = '10 s';
//	SET 'execution.checkpointing.dir' = 'checkpoints';
//	SET 'pipeline.name' = 'my-job';
//
// it survives a crash: the same INSERT in a new process goes on where the last
// checkpoint was, and files hold every row once. That needs sources that can be
// read again: a job over a table that the program feeds cannot go on after a
// failure.
//
// Progress tells what a query or a job has done so far, WriteStats what the jobs
// that ended have done. Config.Log gets warnings and, at level debug, what the
// jobs do.
//
// # What is promised
//
// Everything here but the methods of lookup.go and Prepare, which serve the
// shell and fsql test and follow their needs. Types of this module's other
// packages that appear here (types.Schema, types.Type, row.Batch, row.Kind,
// connector.Connector) can be imported; those of internal packages have a name
// here.
package session
