package avro

import (
	"encoding/json"
	"fmt"
	"strings"
)

// kind is the root of an Avro type.
type kind string

// The kinds.
const (
	nullKind    kind = "null"
	booleanKind kind = "boolean"
	intKind     kind = "int"
	longKind    kind = "long"
	floatKind   kind = "float"
	doubleKind  kind = "double"
	bytesKind   kind = "bytes"
	stringKind  kind = "string"
	fixedKind   kind = "fixed"
	enumKind    kind = "enum"
	arrayKind   kind = "array"
	mapKind     kind = "map"
	recordKind  kind = "record"
	unionKind   kind = "union"
)

// schema is an Avro type. Of the logical types only that is kept which changes
// the unit of a value; else the column says what it means.
type schema struct {
	kind     kind
	size     int       // of a fixed
	fields   []field   // of a record
	items    *schema   // of an array; the values of a map
	branches []*schema // of a union

	micros  bool // a time or timestamp is in microseconds
	decimal bool
	scale   int // of a decimal
}

type field struct {
	name string
	typ  *schema
}

// parser reads the JSON text of a schema.
type parser struct {
	named map[string]*schema // by full name
}

func parseSchema(text []byte) (*schema, error) {
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, fmt.Errorf("the schema is not valid JSON: %w", err)
	}
	p := &parser{named: map[string]*schema{}}
	return p.schema(tree, "")
}

func (p *parser) schema(tree any, space string) (*schema, error) {
	switch x := tree.(type) {
	case string:
		return p.byName(x, space)
	case []any:
		s := &schema{kind: unionKind}
		for _, b := range x {
			branch, err := p.schema(b, space)
			if err != nil {
				return nil, err
			}
			s.branches = append(s.branches, branch)
		}
		return s, nil
	case map[string]any:
		return p.object(x, space)
	}
	return nil, fmt.Errorf("the schema holds %v where a type is needed", tree)
}

func (p *parser) byName(name, space string) (*schema, error) {
	switch k := kind(name); k {
	case nullKind, booleanKind, intKind, longKind, floatKind, doubleKind, bytesKind, stringKind:
		return &schema{kind: k}, nil
	}
	if s := p.named[fullName(name, space)]; s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("the schema uses the type '%s', which it does not define", name)
}

// fullName is a name with its namespace.
func fullName(name, space string) string {
	if space == "" || strings.Contains(name, ".") {
		return name
	}
	return space + "." + name
}

func (p *parser) object(x map[string]any, space string) (*schema, error) {
	name, ok := x["type"].(string)
	if !ok {
		return p.schema(x["type"], space)
	}
	s := &schema{kind: kind(name)}
	var err error
	switch s.kind {
	case arrayKind:
		s.items, err = p.schema(x["items"], space)
		return s, err
	case mapKind:
		s.items, err = p.schema(x["values"], space)
		return s, err
	case recordKind, "error":
		s.kind = recordKind
		space = p.define(s, x, space)
		return s, p.record(s, x, space)
	case enumKind:
		p.define(s, x, space)
		return s, nil
	case fixedKind:
		size, ok := x["size"].(float64)
		if !ok || size < 0 || size > 1<<30 {
			return nil, fmt.Errorf("the schema has a fixed of the size %v", x["size"])
		}
		s.size = int(size)
		p.define(s, x, space)
		return s, nil
	}
	s, err = p.byName(name, space)
	if err == nil {
		s.logical(x)
	}
	return s, err
}

// logical takes what is needed of a logical type. What byName makes for a type
// without a name is not shared.
func (s *schema) logical(x map[string]any) {
	switch name, _ := x["logicalType"].(string); name {
	case "timestamp-micros", "local-timestamp-micros", "time-micros":
		s.micros = s.kind == longKind
	case "decimal":
		scale, _ := x["scale"].(float64)
		s.decimal, s.scale = s.kind == bytesKind && scale >= 0 && scale <= 38, int(scale)
	}
}

// define notes a named type, and returns the namespace of what is inside.
func (p *parser) define(s *schema, x map[string]any, space string) string {
	name, _ := x["name"].(string)
	if own, ok := x["namespace"].(string); ok {
		space = own
	}
	full := fullName(name, space)
	p.named[full] = s
	if dot := strings.LastIndexByte(full, '.'); dot >= 0 {
		return full[:dot]
	}
	return ""
}

func (p *parser) record(s *schema, x map[string]any, space string) error {
	fields, ok := x["fields"].([]any)
	if !ok {
		return fmt.Errorf("the schema has a record without fields")
	}
	for _, f := range fields {
		f, _ := f.(map[string]any)
		name, ok := f["name"].(string)
		if !ok {
			return fmt.Errorf("the schema has a field without a name")
		}
		typ, err := p.schema(f["type"], space)
		if err != nil {
			return err
		}
		s.fields = append(s.fields, field{name, typ})
	}
	return nil
}
