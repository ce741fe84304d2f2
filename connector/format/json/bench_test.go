package json

import (
	"fmt"
	"testing"

	"fsql/connector/format/formattest"
	"fsql/row"
)

// bids makes lines of 222 bytes on average: four numbers and three texts.
func bids(n int) []byte {
	var b []byte
	for i := 0; i < n; i++ {
		b = fmt.Appendf(b, `{"auction":%d,"bidder":%d,"price":%d,"channel":"%s","url":"https://www.nexmark.com/%d/item.htm?query=1","date_time":"2024-05-01 10:%02d:%02d.%03d","extra":"%s"}`+"\n",
			1000+i*7919%100000, 1000+i*104729%100000, i*7907%1000000, []string{"Google", "Facebook", "Baidu", "Apple"}[i%4], i*31%1000, i/60%60, i%60, i%1000, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnop"[:20+i%20])
	}
	return b
}

// readings has five fields, as a measuring station writes them.
func readings(n int) []byte {
	var b []byte
	for i := 0; i < n; i++ {
		b = fmt.Appendf(b, `{"id":%d,"city":"%s","amount":%d.%d,"ts":"2024-05-01 10:%02d:%02d","note":"number %d of many"}`+"\n",
			i, []string{"Oslo", "Bergen", "Trondheim"}[i%3], i%1000, i%10, i/60%60, i%60, i)
	}
	return b
}

const bidColumns = "auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, date_time TIMESTAMP(3), extra STRING"

func BenchmarkDecode(b *testing.B) {
	for _, c := range []struct {
		name    string
		columns string
		wanted  []int
		data    []byte
	}{
		{"bids", bidColumns, nil, bids(20000)},
		{"3_of_7_bids", bidColumns, []int{0, 2, 5}, bids(20000)},
		{"readings", "id BIGINT, city STRING, amount DOUBLE, ts TIMESTAMP(3), note STRING", nil, readings(20000)},
		{"2_of_5_readings", "id BIGINT, city STRING, amount DOUBLE, ts TIMESTAMP(3), note STRING", []int{1, 3}, readings(20000)},
		{"0_of_7_bids", bidColumns, []int{}, bids(20000)},
	} {
		b.Run(c.name, func(b *testing.B) { decodeAll(b, c.columns, c.wanted, c.data) })
	}
}

func decodeAll(b *testing.B, columns string, read []int, data []byte) {
	s := formattest.Schema(b, columns)
	wanted := make([]bool, len(s.Columns))
	for i := range wanted {
		wanted[i] = read == nil
	}
	for _, i := range read {
		wanted[i] = true
	}
	d, err := Format().Decoder(s, wanted, formattest.Options(b, Format(), nil))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	const batch, chunk = 4096, 256 << 10
	rows := 0
	out := row.NewBuilder(s)
	for b.Loop() {
		for rest := data; len(rest) > 0; {
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
}

// BenchmarkLines is the floor: finding the line ends.
func BenchmarkLines(b *testing.B) {
	data := bids(20000)
	b.SetBytes(int64(len(data)))
	n := 0
	for b.Loop() {
		for p := 0; p < len(data); p = nextLine(data, p) {
			n++
		}
	}
}
