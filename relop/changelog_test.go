package relop_test

import (
	"slices"
	"strings"
	"testing"

	"fsql/internal/diag"
	"fsql/internal/rowtext"
	"fsql/op"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
)

func changelogBatch(t *testing.T, s *types.Schema, text string) *row.Batch {
	t.Helper()
	b, err := rowtext.Parse(s, text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What TO_CHANGELOG sends, with marks at their places between the rows that are
// left, and what FROM_CHANGELOG makes of it.
func TestChangelogThereAndBack(t *testing.T) {
	in, err := rowtext.ParseSchema("k STRING, n INT NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	wide := &types.Schema{Columns: append([]types.Column{{Name: "op", Type: types.String()}}, in.Columns...)}
	put, del, kinds := "put", "", map[string]row.Kind{"put": row.Insert, "": row.Delete}
	to := &relop.ToChangelogSpec{In: in, Codes: [4]*string{row.Insert: &put, row.UpdateAfter: &put, row.Delete: &del}, Out: wide}
	from := &relop.FromChangelogSpec{In: wide, Kinds: kinds, Names: []string{"put", ""}, Out: in}
	collect := func(s op.Spec, b *row.Batch, k row.Kinds) (text []string, out []*row.Batch) {
		o, err := s.Build(testContext(7, false))
		if err != nil {
			t.Fatal(err)
		}
		feed(t, op.Checked(o, s, k), b, op.EmitFunc(func(b *row.Batch) error {
			text, out = append(text, strings.Split(strings.TrimSpace(rowtext.Format(b)), "\n")...), append(out, b)
			return nil
		}))
		return text, out
	}
	b := changelogBatch(t, in, "+I | 'a' | 1\n-U | 'a' | 1\n-- 00:00:01\n+U | NULL | 2\n-D | NULL | 2\n-- 00:00:02")
	got, out := collect(to, b, row.AllKinds)
	want := []string{"+I | 'put' | 'a' | 1", "-- 00:00:01.000", "+I | 'put' | NULL | 2", "+I | '' | NULL | 2", "-- 00:00:02.000"}
	if !slices.Equal(got, want) {
		t.Fatalf("to: %q, want %q", got, want)
	}
	got, _ = collect(from, out[0], row.InsertOnly)
	want = []string{"+I | 'a' | 1", "-- 00:00:01.000", "+I | NULL | 2", "-D | NULL | 2", "-- 00:00:02.000"}
	if !slices.Equal(got, want) {
		t.Fatalf("from: %q, want %q", got, want)
	}
	if got, _ := collect(to, changelogBatch(t, in, "-U | 'a' | 1"), row.AllKinds); got != nil {
		t.Errorf("a batch that is left out sends %q", got)
	}
	for text, want := range map[string]string{"+I | NULL | 'a' | 1": "is NULL", "+I | 'PUT' | 'a' | 1": "the code 'PUT' in column 'op' is not defined"} {
		o, err := from.Build(testContext(7, false))
		if err != nil {
			t.Fatal(err)
		}
		_, err = o.OnBatch(0, changelogBatch(t, wide, text), discard)
		if err == nil || diag.Of(err).Code != diag.BadValue || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := from.Emits([]row.Kinds{row.AllKinds}); err == nil {
		t.Error("FROM_CHANGELOG takes changes")
	}
}
