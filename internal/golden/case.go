package golden

import (
	"fmt"
	"strconv"
	"strings"

	"fsql/internal/rowtext"
	"fsql/row"
	"fsql/types"
)

// operatorCase is a case of a file, ready to run.
type operatorCase struct {
	Case
	line      int
	unordered bool
	zone      string
	kinds     []row.Kinds // what the inputs carry
	steps     []step
}

type step struct {
	block *block
	verb  string
	in    int
	batch *row.Batch
	time  types.Time
}

// parseCases reads the blocks of a file.
func parseCases(blocks []*block) ([]*operatorCase, error) {
	var cases []*operatorCase
	for _, b := range blocks {
		lines := b.head
		for len(lines) > 0 && strings.HasPrefix(lines[0], "#") {
			lines = lines[1:]
		}
		if len(lines) == 0 {
			continue
		}
		words := strings.Fields(lines[0])
		if words[0] == "operator" {
			c := &operatorCase{Case: Case{Args: words[1:]}, line: b.line, zone: "UTC"}
			if err := c.header(lines[1:]); err != nil {
				return nil, fmt.Errorf("line %d: %w", b.line, err)
			}
			cases = append(cases, c)
			continue
		}
		if len(cases) == 0 {
			return nil, fmt.Errorf("line %d: no operator yet", b.line)
		}
		s, err := cases[len(cases)-1].step(words, lines[1:])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", b.line, err)
		}
		s.block, b.lines = b, true
		c := cases[len(cases)-1]
		c.steps = append(c.steps, s)
	}
	return cases, nil
}

func (c *operatorCase) header(lines []string) error {
	for _, l := range lines {
		word, rest, _ := strings.Cut(l, " ")
		switch word {
		case "input":
			s, err := rowtext.ParseSchema(rest)
			if err != nil {
				return err
			}
			c.Inputs = append(c.Inputs, s)
			c.kinds = append(c.kinds, row.InsertOnly)
		case "unordered":
			c.unordered = true
		case "zone":
			c.zone = rest
		default:
			return fmt.Errorf("a case has no %q", word)
		}
	}
	return nil
}

func (c *operatorCase) step(words, body []string) (step, error) {
	s := step{verb: words[0]}
	var err error
	switch s.verb {
	case "batch":
		if len(words) > 1 {
			if s.in, err = strconv.Atoi(words[1]); err != nil {
				return s, err
			}
		}
		if s.in >= len(c.Inputs) {
			return s, fmt.Errorf("no input %d", s.in)
		}
		if s.batch, err = rowtext.Parse(c.Inputs[s.in], strings.Join(body, "\n")); err != nil {
			return s, err
		}
		for _, k := range s.batch.Kinds {
			if k != row.Insert {
				c.kinds[s.in] = row.AllKinds
			}
		}
	case "watermark", "clock":
		s.time, err = rowtext.ParseTime(strings.Join(words[1:], " "))
	case "counters", "describe":
	default:
		err = fmt.Errorf("no step %q", s.verb)
	}
	return s, err
}
