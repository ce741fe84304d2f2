package arrowio_test

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"fsql/internal/arrowio"
	"fsql/internal/rowtext"
)

// TestBatchIsTheInverseOfRecord sends rows of every type to Arrow and back, also
// through a slice of the record, whose arrays begin in the middle.
func TestBatchIsTheInverseOfRecord(t *testing.T) {
	s, err := rowtext.ParseSchema("b BOOLEAN, ti TINYINT, si SMALLINT, i INT, bi BIGINT, f FLOAT, d DOUBLE, de DECIMAL(20, 3), s STRING, x BYTES, " +
		"da DATE, tm TIME(3), ts TIMESTAMP(3), lz TIMESTAMP_LTZ(6), nn TIMESTAMP(9), a ARRAY<INT>, m MAP<STRING, INT>, r ROW<p INT, q STRING>")
	if err != nil {
		t.Fatal(err)
	}
	null := "+I"
	for range s.Columns {
		null += " | NULL"
	}
	b, err := rowtext.Parse(s, "+I | TRUE | -1 | -2 | -3 | -4 | 1.5 | -2.5 | -12.345 | 'one' | x'00ff' | 1969-12-31 | 10:11:12.345 | 1969-12-31 23:59:59.999 | 2024-01-02 03:04:05.678901 | 1969-12-31 23:59:59.999999999 | [1, NULL] | {'k' = 1} | (1, 'x')\n"+
		null+"\n+I | FALSE | 1 | 2 | 3 | 4 | 1 | 2 | 3.000 | '' | x'' | 2024-02-29 | 00:00:00 | 2024-01-01 00:00:00 | 1969-12-31 23:59:59.000001 | 2024-01-02 03:04:05.000000001 | [] | {'a' = 2, 'b' = NULL} | (NULL, 'y')\n")
	if err != nil {
		t.Fatal(err)
	}
	as, err := arrowio.Schema(s)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := arrowio.Record(as, b)
	if err != nil {
		t.Fatal(err)
	}
	back, err := arrowio.Batch(s, rec)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := rowtext.Format(back), rowtext.Format(b); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	back, err = arrowio.Batch(s, rec.NewSlice(1, 3))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := rowtext.Format(back), rowtext.Format(b.Slice(1, 3)); got != want {
		t.Errorf("a slice: got\n%swant\n%s", got, want)
	}
}

// TestForeignArrow takes arrays as other programs make them, and refuses what
// would lose something.
func TestForeignArrow(t *testing.T) {
	mem := memory.NewGoAllocator()
	numbers := array.NewInt64Builder(mem)
	numbers.AppendValues([]int64{1, 300}, nil)
	seconds := array.NewTimestampBuilder(mem, &arrow.TimestampType{Unit: arrow.Second})
	seconds.AppendValues([]arrow.Timestamp{-1, 60}, nil)
	texts := array.NewLargeStringBuilder(mem)
	texts.AppendValues([]string{"a", "bc"}, nil)
	nulls := array.NewInt32Builder(mem)
	nulls.AppendValues([]int32{1, 1 << 20}, []bool{true, false})
	arrays := map[string]arrow.Array{"n": numbers.NewArray(), "t": seconds.NewArray(), "s": texts.NewArray(), "z": nulls.NewArray()}
	for _, c := range []struct{ schema, from, want string }{
		{"n INT", "n", "+I | 1\n+I | 300\n"},
		{"n TINYINT", "n", ""},
		{"n STRING", "n", ""},
		{"t TIMESTAMP(3)", "t", "+I | 1969-12-31 23:59:59\n+I | 00:01:00\n"},
		{"t TIMESTAMP_LTZ(3)", "t", ""},
		{"s STRING", "s", "+I | 'a'\n+I | 'bc'\n"},
		{"s BYTES", "s", ""},
		{"z TINYINT", "z", "+I | 1\n+I | NULL\n"},
		{"z TINYINT NOT NULL", "z", ""},
		{"other INT", "z", ""},
	} {
		s, err := rowtext.ParseSchema(c.schema)
		if err != nil {
			t.Fatal(err)
		}
		a := arrays[c.from]
		rec := array.NewRecord(arrow.NewSchema([]arrow.Field{{Name: c.from, Type: a.DataType(), Nullable: true}}, nil), []arrow.Array{a}, 2)
		b, err := arrowio.Batch(s, rec)
		if (err != nil) != (c.want == "") {
			t.Errorf("%s: %v", c.schema, err)
		}
		if err == nil && rowtext.Format(b) != c.want {
			t.Errorf("%s: %s, want %s", c.schema, rowtext.Format(b), c.want)
		}
	}
}
