package shell

// inMatch completes a word inside MATCH_RECOGNIZE (..): the columns of the table,
// and the clauses that may come next.
func (c *completer) inMatch(p *place) {
	switch p1 := p.prev(1); {
	case p1.Key != "" && len(follow(p1.Key)) > 0:
		p.words(follow(p1.Key)...)
	case p1.Key == "ONE":
		p.word("ROW PER MATCH")
	case p1.Key == "AFTER":
		p.word("MATCH SKIP ")
	case p1.Key == "SKIP":
		p.words("PAST LAST ROW", "TO NEXT ROW", "TO FIRST ", "TO LAST ")
	case p1.Key == "WITHIN":
		p.word("INTERVAL")
	case p1.Is("(") && p.prev(2).Key == "MATCH_RECOGNIZE", p1.Key == "MATCH", p1.Key == "ROW", p1.Is(")"), p.isOperand():
		p.words(matchClauses(p)...)
	default:
		c.expression(p)
		p.words("FIRST(", "LAST(", "MATCH_ROWTIME()", "MATCH_PROCTIME()")
	}
}

// matchClauses are the words behind something complete, by the last clause.
func matchClauses(p *place) []string {
	depth := 0
	for i := len(p.before) - 1; i >= 0; i-- {
		switch t := p.before[i]; {
		case t.Is(")"):
			depth++
		case t.Is("("):
			depth--
		case depth == 0:
			switch t.Key {
			case "DEFINE":
				return []string{"AS", "AND", "OR", "IS NULL", "IS NOT NULL", "BETWEEN"}
			case "WITHIN":
				return []string{"SECOND", "MINUTE", "HOUR", "DAY", "DEFINE"}
			case "PATTERN":
				return []string{"WITHIN INTERVAL ", "DEFINE"}
			case "SKIP":
				return []string{"PATTERN ("}
			case "PER":
				return []string{"AFTER MATCH SKIP ", "PATTERN ("}
			case "MEASURES":
				return []string{"AS", "ONE ROW PER MATCH", "AFTER MATCH SKIP ", "PATTERN ("}
			case "ORDER":
				return []string{"MEASURES", "ASC", "DESC", "PATTERN ("}
			case "PARTITION":
				return []string{"ORDER BY", "MEASURES"}
			}
		}
	}
	return []string{"PARTITION BY", "ORDER BY", "MEASURES", "PATTERN ("}
}
