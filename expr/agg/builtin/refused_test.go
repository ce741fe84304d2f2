package builtin_test

import (
	"errors"
	"strings"
	"testing"

	"fsql/expr/agg"
	"fsql/expr/agg/builtin"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// What Flink refuses at planning, and how it is called here (conformance
// aggregation/*, and asked of Flink).
func TestRefused(t *testing.T) {
	of := types.Of
	interval := of(types.IntervalMillis)
	nullSep := row.AllNull(types.String(), 1)
	sep := func(v *row.Vec) agg.Options { return agg.Options{Literals: []*row.Vec{nil, v}} }
	for _, c := range []struct {
		fn   string
		args []types.Type
		opts agg.Options
		want string
	}{
		{"AVG", []types.Type{of(types.Boolean)}, agg.Options{}, "cannot apply AVG to an argument of type BOOLEAN"},
		{"SUM", []types.Type{types.TimestampOf(0)}, agg.Options{}, "cannot apply SUM to an argument of type TIMESTAMP(0)"},
		{"SUM", []types.Type{interval}, agg.Options{}, "INTERVAL SECOND"},
		{"SUM", []types.Type{types.CharOf(1)}, agg.Options{}, "CHAR(1)"},
		{"SUM", []types.Type{of(types.Int), of(types.Int)}, agg.Options{}, "SUM takes one argument, not 2"},
		{"MAX", []types.Type{types.ArrayOf(of(types.Int))}, agg.Options{}, "ARRAY<INT>"},
		{"MIN", []types.Type{interval}, agg.Options{}, "INTERVAL SECOND"},
		{"MIN", []types.Type{of(types.VarBinary)}, agg.Options{}, "BYTES"},
		{"MIN", []types.Type{types.MapOf(of(types.Int), of(types.Int))}, agg.Options{}, "MAP<INT, INT>"},
		{"MIN", []types.Type{types.RowOf(types.Field{Name: "a", Type: of(types.Int)})}, agg.Options{}, "ROW<`a` INT>"},
		{"VARIANCE", []types.Type{of(types.Boolean)}, agg.Options{}, "VARIANCE"},
		{"COUNT", []types.Type{of(types.Null)}, agg.Options{}, "COUNT cannot be applied to a NULL without a type"},
		{"SUM", []types.Type{of(types.Null)}, agg.Options{}, "NULL without a type"},
		{"COUNT", []types.Type{of(types.Int), of(types.Int)}, agg.Options{}, "COUNT takes one column only"},
		{"COUNT", []types.Type{types.RowOf()}, agg.Options{Distinct: true}, "DISTINCT inside COUNT does not support the type ROW<>"},
		{"COLLECT", []types.Type{of(types.Binary)}, agg.Options{Distinct: true}, "does not support the type BINARY(1)"},
		{"LISTAGG", []types.Type{of(types.Int)}, agg.Options{}, "cannot apply LISTAGG to an argument of type INT"},
		{"LISTAGG", []types.Type{types.String(), types.String()}, agg.Options{}, "separator of LISTAGG must be a literal"},
		{"LISTAGG", []types.Type{types.String(), types.String()}, sep(nullSep), "must not be NULL"},
		{"BITMAP_BUILD_AGG", []types.Type{of(types.BigInt)}, agg.Options{}, "cannot apply BITMAP_BUILD_AGG to an argument of type BIGINT"},
		{"BITMAP_BUILD_CARDINALITY_AGG", []types.Type{types.String()}, agg.Options{}, "an argument of type STRING"},
		{"BITMAP_BUILD_AGG", nil, agg.Options{}, "BITMAP_BUILD_AGG takes one argument, not 0"},
		{"BITMAP_OR_AGG", []types.Type{of(types.Null)}, agg.Options{}, "NULL without a type"},
		{"BITMAP_AND_AGG", []types.Type{types.ArrayOf(of(types.Int))}, agg.Options{}, "ARRAY<INT>"},
		{"FIRST_VALUE", []types.Type{types.String()}, agg.Options{IgnoreNulls: true}, "FIRST_VALUE does not take IGNORE NULLS"},
	} {
		_, err := agg.NewRegistry(builtin.All()...).Lookup(c.fn).Returns(c.args, c.opts)
		var d *diag.Error
		if !errors.As(err, &d) || !strings.Contains(d.Msg, c.want) {
			t.Errorf("%s(%v): %v, want %q", c.fn, c.args, err, c.want)
		}
	}
}

// The result types that Flink's DESCRIBE and TYPEOF show.
func TestResultTypes(t *testing.T) {
	of := types.Of
	for _, c := range []struct {
		fn   string
		arg  types.Type
		want string
	}{
		{"COUNT", of(types.Int), "BIGINT NOT NULL"},
		{"SUM", of(types.TinyInt), "TINYINT"},
		{"SUM", of(types.Int).NotNull(), "INT NOT NULL"},
		{"SUM", types.DecimalOf(5, 2), "DECIMAL(38, 2)"},
		{"AVG", types.DecimalOf(5, 2), "DECIMAL(38, 6)"},
		{"AVG", types.DecimalOf(10, 8), "DECIMAL(38, 8)"},
		{"AVG", of(types.Float), "FLOAT"},
		{"VAR_POP", of(types.Int), "INT"},
		{"VAR_SAMP", types.DecimalOf(6, 2), "DECIMAL(38, 6)"},
		{"MIN", types.VarCharOf(2), "VARCHAR(2)"},
		{"LISTAGG", types.VarCharOf(2).NotNull(), "VARCHAR(2) NOT NULL"},
		{"ARRAY_AGG", of(types.Int).NotNull(), "ARRAY<INT NOT NULL> NOT NULL"},
		{"ARRAY_AGG", of(types.Int), "ARRAY<INT>"},
		{"COLLECT", of(types.Int), "MULTISET<INT> NOT NULL"},
	} {
		got, err := agg.NewRegistry(builtin.All()...).Lookup(strings.ToLower(c.fn)).Returns([]types.Type{c.arg}, agg.Options{})
		if err != nil || got.String() != c.want {
			t.Errorf("%s(%s): %s, want %s (%v)", c.fn, c.arg, got, c.want, err)
		}
	}
}

func TestDescribed(t *testing.T) {
	for _, f := range builtin.All() {
		if f.Doc == "" || f.Syntax == "" || !strings.Contains(f.Example, f.Name+"(") {
			t.Errorf("%s: doc, syntax or example is missing", f.Name)
		}
	}
}

// BenchmarkAdd folds batches of 4096 rows over 1000 groups.
func BenchmarkAdd(b *testing.B) {
	const rows, groups = 4096, 1000
	long := &row.Vec{Type: types.Of(types.BigInt), Len: rows}
	double := &row.Vec{Type: types.Of(types.Double), Len: rows}
	dec := &row.Vec{Type: types.DecimalOf(10, 2), Len: rows}
	text := &row.Vec{Type: types.String(), Len: rows}
	slots := make([]int32, rows)
	for i := range slots {
		slots[i] = int32(i * 7919 % groups)
		long.I64, double.F64 = append(long.I64, int64(i)), append(double.F64, float64(i))
		dec.Dec, text.Str = append(dec.Dec, types.DecOf(int64(i))), append(text.Str, strings.Repeat("x", i%30))
	}
	for _, c := range []struct {
		fn  string
		arg *row.Vec
	}{{"COUNT", long}, {"SUM", long}, {"SUM", double}, {"SUM", dec}, {"AVG", double}, {"MAX", long}, {"MAX", double}, {"MAX", text}, {"LAST_VALUE", text}, {"VAR_POP", double}} {
		b.Run(c.fn+"/"+c.arg.Type.Short(), func(b *testing.B) {
			f := agg.NewRegistry(builtin.All()...).Lookup(c.fn)
			args := []types.Type{c.arg.Type}
			result, err := f.Returns(args, agg.Options{})
			if err != nil {
				b.Fatal(err)
			}
			acc, err := f.New(args, result, agg.Options{})
			if err != nil {
				b.Fatal(err)
			}
			acc.Grow(groups)
			b.ReportAllocs()
			for b.Loop() {
				if err := acc.Add([]*row.Vec{c.arg}, nil, slots, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*rows/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}
