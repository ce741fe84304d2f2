package agg

import (
	"strings"
)

// Ordered tells that the result of a call depends on the order of its rows: the
// first and the last value, lists, and sums of floating-point numbers, whose last
// digits do.
func (c *Call) Ordered() bool {
	switch name := c.Fn.Name; name {
	case "COUNT", "MIN", "MAX", "APPROX_COUNT_DISTINCT", "PERCENTILE", "SINGLE_VALUE":
		return false
	case "SUM", "SUM0", "AVG":
		return c.Type.IsApprox()
	default:
		return !strings.HasPrefix(name, "BITMAP_")
	}
}
