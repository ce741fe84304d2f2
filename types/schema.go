package types

// Schema describes the columns of a batch or a table's output.
type Schema struct {
	Columns []Column
}

// Column is a named, typed column.
type Column struct {
	Name string
	Type Type
}

// Index returns the position of the column of that exact name (names are
// case-sensitive in Flink), or -1.
func (s *Schema) Index(name string) int {
	for i := range s.Columns {
		if s.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

// RowtimeIndex returns the first column that is an event-time attribute, or -1.
func (s *Schema) RowtimeIndex() int {
	for i := range s.Columns {
		if s.Columns[i].Type.Attr == Rowtime {
			return i
		}
	}
	return -1
}
