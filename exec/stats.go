package exec

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"fsql/types"
)

// Stats prints a snapshot as a table, one line for each subtask.
func Stats(all []Metrics) string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "operator\trecords in\trecords out\tlate\twatermark in\twatermark out\tstate bytes")
	for i := range all {
		m := &all[i]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%s\t%d\n", m.Name, m.RecordsIn, m.RecordsOut, m.Late(),
			instant(m.InputWatermark), instant(m.OutputWatermark), m.StateBytes)
	}
	w.Flush()
	return out.String()
}

// instant prints a watermark: "-" before the first, "end" after the input.
func instant(t types.Time) string {
	switch t {
	case types.MinTime:
		return "-"
	case types.MaxTime:
		return "end"
	}
	at := time.UnixMilli(int64(t)).UTC()
	if y := at.Year(); y < 1 || y > 9999 {
		return strconv.FormatInt(int64(t), 10)
	}
	return at.Format("2006-01-02 15:04:05.000")
}
