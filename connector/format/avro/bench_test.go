package avro

import (
	"fmt"
	"testing"

	"fsql/connector/format/csv"
	"fsql/connector/format/formattest"
	"fsql/row"
)

const bids = "auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, date_time TIMESTAMP(3), extra STRING"

func bidRows(b *testing.B, n int) *row.Batch {
	var text []byte
	for i := range n {
		text = fmt.Appendf(text, "%d,%d,%d,%s,https://www.nexmark.com/%d/item.htm?query=1,2024-05-01 10:%02d:%02d.%03d,%s\n", 1000+i*7919%100000, 1000+i*104729%100000,
			i*7907%1000000, []string{"Google", "Facebook", "Baidu", "Apple"}[i%4], i*31%1000, i/60%60, i%60, i%1000, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnop"[:20+i%20])
	}
	s := formattest.Schema(b, bids)
	f := csv.Format()
	d, err := f.Decoder(s, nil, formattest.Options(b, f, nil))
	if err != nil {
		b.Fatal(err)
	}
	out := row.NewBuilder(s)
	if _, err := d.Decode(text, true, out, n); err != nil {
		b.Fatal(err)
	}
	return out.Flush()
}

func BenchmarkFile(b *testing.B) {
	in := bidRows(b, 20000)
	f, s := Format(), formattest.Schema(b, bids)
	for _, codec := range []string{"null", "snappy"} {
		o := formattest.Options(b, f, []string{"codec=" + codec})
		var data []byte
		b.Run("write_"+codec, func(b *testing.B) {
			b.ReportAllocs()
			e, err := f.FileEncoder(s, o)
			for b.Loop() && err == nil {
				if data, err = e.Encode(data[:0], in, 0, in.Rows); err == nil {
					data, err = e.End(data)
				}
			}
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(in.Rows*b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
		e, err := f.FileEncoder(s, o)
		if err != nil {
			b.Fatal(err)
		}
		if data, err = e.Encode(nil, in, 0, in.Rows); err == nil {
			data, err = e.End(data)
		}
		if err != nil {
			b.Fatal(err)
		}
		for name, wanted := range map[string][]bool{"": nil, "3_of_7_": {true, false, true, false, false, true, false}} {
			b.Run("read_"+name+codec, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					d, err := f.FileDecoder(s, wanted, o)
					if err != nil {
						b.Fatal(err)
					}
					out := row.NewBuilder(s)
					for rest := data; len(rest) > 0; {
						n, err := d.Decode(rest, true, out, 4096)
						if err != nil {
							b.Fatal(err)
						}
						rest = rest[n:]
						out.Flush()
					}
				}
				b.ReportMetric(float64(in.Rows*b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
			})
		}
	}
}
