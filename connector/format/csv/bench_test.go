package csv

import (
	"fmt"
	"testing"

	"fsql/connector/format/formattest"
	"fsql/row"
)

// bids makes lines of 150 bytes on average: four numbers and three texts.
func bids(n int, quote string) []byte {
	var b []byte
	for i := 0; i < n; i++ {
		text := func(s string) string { return quote + s + quote }
		b = fmt.Appendf(b, "%d,%d,%d,%s,%s,2024-05-01 10:%02d:%02d.%03d,%s\n", 1000+i*7919%100000, 1000+i*104729%100000, i*7907%1000000,
			text([]string{"Google", "Facebook", "Baidu", "Apple"}[i%4]), text(fmt.Sprintf("https://www.nexmark.com/%d/item.htm?query=1", i*31%1000)),
			i/60%60, i%60, i%1000, text("abcdefghijklmnopqrstuvwxyzabcdefghijklmnop"[:20+i%20]))
	}
	return b
}

func BenchmarkDecode(b *testing.B) {
	const columns = "auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, date_time TIMESTAMP(3), extra STRING"
	plain := bids(20000, "")
	for _, c := range []struct {
		name   string
		wanted []int
		data   []byte
	}{
		{"bids", nil, plain},
		{"3_of_7_bids", []int{0, 2, 5}, plain},
		{"quoted", nil, bids(20000, `"`)},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := formattest.Schema(b, columns)
			wanted := make([]bool, len(s.Columns))
			for i := range wanted {
				wanted[i] = c.wanted == nil
			}
			for _, i := range c.wanted {
				wanted[i] = true
			}
			d, err := Format().Decoder(s, wanted, formattest.Options(b, Format(), nil))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(c.data)))
			b.ReportAllocs()
			const batch, chunk = 4096, 256 << 10
			rows := 0
			out := row.NewBuilder(s)
			for b.Loop() {
				for rest := c.data; len(rest) > 0; {
					piece := rest[:min(chunk, len(rest))]
					if out.Len() == 0 {
						for i, c := range out.Cols {
							if wanted[i] {
								c.Reserve(batch)
							}
						}
					}
					n, err := d.Decode(piece, len(piece) == len(rest), out, batch-out.Len())
					if err != nil {
						b.Fatal(err)
					}
					rest = rest[n:]
					if out.Len() == batch {
						rows += out.Flush().Rows
					}
				}
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}
