package exprdoor

import (
	"errors"
	"strconv"
	"strings"
	"sync"

	tidb "github.com/pingcap/tidb/pkg/parser/ast"
)

// TiDB makes the nodes of literals by functions that its user provides. No
// literal is ever rendered, so these make none; they only keep the parser from
// asking for its test driver, which is larger than this package.
var driverOnce sync.Once

var errLiteral = errors.New("a literal in the rendered text")

func installDriver() {
	driverOnce.Do(func() {
		tidb.NewValueExpr = func(any, string, string) tidb.ValueExpr { return nil }
		tidb.NewParamMarkerExpr = func(int) tidb.ParamMarkerExpr { return nil }
		tidb.NewHexLiteral = func(string) (any, error) { return nil, errLiteral }
		tidb.NewBitLiteral = func(string) (any, error) { return nil, errLiteral }
		tidb.NewDecimal = func(string) (any, error) { return nil, errLiteral }
	})
}

// restOf reads how many bytes of the text TiDB had left when it gave up, from
// `line 1 column 9 near "REST"`. A long rest is cut, and its length follows in
// parentheses.
func restOf(message string) (int, bool) {
	_, rest, ok := strings.Cut(message, ` near "`)
	if !ok {
		return 0, false
	}
	if i := strings.LastIndex(rest, "(total length "); i >= 0 {
		n, err := strconv.Atoi(strings.TrimRight(rest[i+len("(total length "):], ") "))
		return n, err == nil
	}
	i := strings.LastIndexByte(rest, '"')
	if i < 0 {
		return 0, false
	}
	return i, true
}
