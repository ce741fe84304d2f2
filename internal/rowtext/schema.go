package rowtext

import (
	"fmt"
	"strconv"
	"strings"

	"fsql/types"
)

// ParseSchema reads columns as a CREATE TABLE lists them, without quotes:
// "k STRING NOT NULL, ts TIMESTAMP(3) *ROWTIME*, xs ARRAY<INT>".
func ParseSchema(text string) (*types.Schema, error) {
	p := &schemaParser{rest: text}
	s := &types.Schema{}
	for {
		name := p.word()
		t, err := p.typ()
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", name, err)
		}
		s.Columns = append(s.Columns, types.Column{Name: name, Type: t})
		if !p.accept(",") {
			break
		}
	}
	if p.rest != "" {
		return nil, fmt.Errorf("%q is too much", p.rest)
	}
	return s, nil
}

type schemaParser struct{ rest string }

func (p *schemaParser) accept(s string) bool {
	p.rest = strings.TrimLeft(p.rest, " ")
	rest, ok := strings.CutPrefix(p.rest, s)
	if ok {
		p.rest = strings.TrimLeft(rest, " ")
	}
	return ok
}

func (p *schemaParser) word() string {
	p.rest = strings.TrimLeft(p.rest, " ")
	end := strings.IndexAny(p.rest, " ,()<>")
	if end < 0 {
		end = len(p.rest)
	}
	w := p.rest[:end]
	p.rest = strings.TrimLeft(p.rest[end:], " ")
	return w
}

// scalarKind is the kind that a word names.
func scalarKind(word string) (types.Kind, bool) {
	k, ok := map[string]types.Kind{
		"BOOLEAN": types.Boolean, "TINYINT": types.TinyInt, "SMALLINT": types.SmallInt, "INT": types.Int, "BIGINT": types.BigInt,
		"FLOAT": types.Float, "DOUBLE": types.Double, "DECIMAL": types.Decimal, "CHAR": types.Char, "VARCHAR": types.VarChar,
		"STRING": types.VarChar, "BINARY": types.Binary, "VARBINARY": types.VarBinary, "BYTES": types.VarBinary, "DATE": types.Date,
		"TIME": types.TimeOfDay, "TIMESTAMP": types.Timestamp, "TIMESTAMP_LTZ": types.TimestampLTZ,
		"MONTHS": types.IntervalMonths, "MILLIS": types.IntervalMillis,
		"ARRAY": types.Array, "MAP": types.Map, "MULTISET": types.Multiset, "ROW": types.Row, "BITMAP": types.Bitmap,
	}[word]
	return k, ok
}

func (p *schemaParser) typ() (types.Type, error) {
	word := p.word()
	kind, ok := scalarKind(word)
	if !ok {
		return types.Type{}, fmt.Errorf("no type %q", word)
	}
	t := types.Of(kind)
	if p.accept("(") {
		for i := 0; ; i++ {
			n, err := strconv.Atoi(p.word())
			switch {
			case err != nil:
				return t, err
			case i == 1:
				t.Scale = int32(n)
			case t.IsString() || t.IsBinary():
				t.Length = int32(n)
			default:
				t.Precision = int32(n)
			}
			if p.accept(")") {
				break
			}
			if !p.accept(",") {
				return t, fmt.Errorf(") expected at %q", p.rest)
			}
		}
	}
	if p.accept("<") {
		for !p.accept(">") {
			f := types.Field{}
			if kind == types.Row {
				f.Name = p.word()
			}
			var err error
			if f.Type, err = p.typ(); err != nil {
				return t, err
			}
			t.Fields = append(t.Fields, f)
			p.accept(",")
		}
	}
	if p.accept("NOT NULL") {
		t.Nullable = false
	}
	if p.accept("*ROWTIME*") {
		t.Attr = types.Rowtime
	}
	return t, nil
}
