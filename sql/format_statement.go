package sql

import "fsql/sql/ast"

func (f *formatter) statement(s ast.Statement) {
	switch s := s.(type) {
	case *ast.QueryStatement:
		f.query(s.Query)
	case *ast.Insert:
		f.insert(s)
	case *ast.StatementSet:
		f.put("EXECUTE ")
		f.statementSet(s)
	case *ast.CreateTable:
		f.createTable(s)
	case *ast.CreateView:
		f.created("VIEW ", s.Temporary, false, s.IfNotExists)
		f.path(s.Name)
		if s.Columns != nil {
			f.put(" ")
			f.names(s.Columns)
		}
		f.comment(s.Comment)
		f.put(" AS ")
		f.query(s.Query)
	case *ast.CreateCatalog:
		f.created("CATALOG ", false, false, s.IfNotExists)
		f.name(s.Name)
		f.comment(s.Comment)
		f.with(s.Options)
	case *ast.CreateDatabase:
		f.created("DATABASE ", false, false, s.IfNotExists)
		f.path(s.Name)
		f.comment(s.Comment)
		f.with(s.Options)
	case *ast.CreateFunction:
		f.created("FUNCTION ", s.Temporary, s.System, s.IfNotExists)
		f.path(s.Name)
		f.functionClass(s.Identifier, s.Language)
		if s.Using != nil {
			f.put(" USING ")
			each(f, s.Using, ", ", func(path string) { f.put("JAR "); f.quote(path) })
		}
		f.with(s.Options)
	case *ast.Drop:
		f.put("DROP ", when(s.Temporary, "TEMPORARY "), when(s.System, "SYSTEM "), s.Object, " ", when(s.IfExists, "IF EXISTS "))
		f.path(s.Name)
		f.put(when(s.Cascade, " CASCADE"))
	case *ast.AlterTable:
		f.put("ALTER TABLE ", when(s.IfExists, "IF EXISTS "))
		f.path(s.Name)
		f.put(" ")
		f.alterAction(&s.Action)
	case *ast.Alter:
		f.alter(s)
	case *ast.Show:
		f.show(s)
	case *ast.Describe:
		f.put("DESCRIBE ", when(s.Object != "TABLE", s.Object+" "), when(s.Extended, "EXTENDED "))
		if s.Object == "JOB" {
			f.quote(s.ID)
			return
		}
		f.path(s.Name)
	case *ast.Explain:
		f.put("EXPLAIN ")
		each(f, s.Details, ", ", func(d string) { f.put(d) })
		f.put(when(s.Details != nil, " "))
		f.statement(s.Statement)
	case *ast.Set:
		f.put("SET")
		if s.Key != "" {
			f.put(" ")
			f.pair(s.Key, s.Value)
		}
	case *ast.Reset:
		f.put("RESET")
		if s.Key != "" {
			f.put(" ")
			f.quote(s.Key)
		}
	case *ast.Use:
		f.put("USE ", when(s.What != "DATABASE", s.What+" "))
		if s.What == "MODULES" {
			each(f, s.Names, ", ", f.name)
			return
		}
		f.path(s.Name)
	case *ast.Module:
		f.put(when(s.Unload, "UN"), "LOAD MODULE ")
		f.name(s.Name)
		f.with(s.Options)
	case *ast.Jar:
		f.put(map[bool]string{false: "ADD JAR ", true: "REMOVE JAR "}[s.Remove])
		f.quote(s.Path)
	case *ast.StopJob:
		f.put("STOP JOB ")
		f.quote(s.ID)
		f.put(when(s.Savepoint, " WITH SAVEPOINT"), when(s.Drain, " WITH DRAIN"))
	case *ast.CompilePlan:
		f.put(when(s.Compile, "COMPILE "), when(s.Compile && s.Execute, "AND "), when(s.Execute, "EXECUTE "), "PLAN ")
		f.quote(s.File)
		f.put(when(s.IfNotExists, " IF NOT EXISTS"))
		if set, ok := s.Statement.(*ast.StatementSet); ok {
			f.put(" FOR ")
			f.statementSet(set)
		} else if s.Statement != nil {
			f.put(" FOR ")
			f.statement(s.Statement)
		}
	case *ast.ClientCommand:
		f.put(s.Word)
	case *ast.Unsupported:
		f.put(s.What)
	}
}

// when returns a text under a condition.
func when(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

func (f *formatter) created(object string, temporary, system, ifNotExists bool) {
	f.put("CREATE ", when(temporary, "TEMPORARY "), when(system, "SYSTEM "), object, when(ifNotExists, "IF NOT EXISTS "))
}

func (f *formatter) comment(text string) {
	if text != "" {
		f.put(" COMMENT ")
		f.quote(text)
	}
}

func (f *formatter) pair(key, value string) {
	f.quote(key)
	f.put(" = ")
	f.quote(value)
}

func (f *formatter) with(options []ast.Option) {
	if options != nil {
		f.put(" WITH ")
		f.properties(options)
	}
}

func (f *formatter) properties(options []ast.Option) {
	f.listed(func() { each(f, options, ", ", func(o ast.Option) { f.pair(o.Key, o.Value) }) })
}

func (f *formatter) functionClass(identifier, language string) {
	f.put(" AS ")
	f.quote(identifier)
	f.put(when(language != "", " LANGUAGE "+language))
}

func (f *formatter) insert(s *ast.Insert) {
	f.put(map[bool]string{false: "INSERT INTO ", true: "INSERT OVERWRITE "}[s.Overwrite])
	f.path(s.Table)
	if s.Hints != nil {
		f.put(" ")
		f.hints(s.Hints)
	}
	if s.Partition != nil {
		f.put(" ")
		f.partition(s.Partition)
	}
	if s.Columns != nil {
		f.put(" (")
		each(f, s.Columns, ", ", f.path)
		f.put(")")
	}
	f.put(" ")
	f.query(s.Query)
	f.put(when(s.OnConflict != "", " ON CONFLICT DO "+s.OnConflict))
}

func (f *formatter) partition(list []ast.PartitionValue) {
	f.put("PARTITION (")
	each(f, list, ", ", func(v ast.PartitionValue) {
		f.name(v.Column)
		if v.Value != nil {
			f.put(" = ")
			f.expr(v.Value)
		}
	})
	f.put(")")
}

func (f *formatter) statementSet(s *ast.StatementSet) {
	f.put("STATEMENT SET BEGIN ")
	for _, i := range s.Inserts {
		f.insert(i)
		f.put("; ")
	}
	f.put("END")
}

func (f *formatter) show(s *ast.Show) {
	f.put("SHOW ", s.What)
	if s.Name.Parts != nil {
		switch s.What {
		case "CREATE TABLE", "CREATE VIEW", "CREATE CATALOG", "PARTITIONS":
			f.put(" ")
		default:
			f.put(" FROM ")
		}
		f.path(s.Name)
	}
	if s.Partition != nil {
		f.put(" ")
		f.partition(s.Partition)
	}
	if s.Like != "" {
		f.put(when(s.Not, " NOT"), " ", s.Like, " ")
		f.quote(s.Pattern)
	}
}
