package kafka

import (
	"github.com/twmb/franz-go/pkg/kgo"

	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/row"
)

// decoders makes those of the value and the key.
func (r *reader) decoders() error {
	l := r.source.layout
	make := func(s *side) (format.Messages, error) {
		d, err := s.decoder()
		if err != nil {
			return nil, err
		}
		m, ok := d.(format.Messages)
		if !ok {
			return nil, diag.New(diag.NotSupported, diag.Span{}, "the format '%s' is one of files, not of messages", s.format.Name)
		}
		return m, nil
	}
	var err error
	if r.value, err = make(&l.value); err != nil {
		return err
	}
	if l.key != nil {
		r.key, err = make(l.key)
	}
	return err
}

// decode appends the rows of records, until there are as many as wanted. As in
// Flink a record with a key has a row for every row of its key and every row of
// its value: almost always one. used is how many records were looked at.
func (r *reader) decode(out *row.Builder, p *partition, records []*kgo.Record) (rows, used int, err error) {
	l := r.source.layout
	r.valueRows, r.keyRows, r.live = r.valueRows[:0], r.keyRows[:0], r.live[:0]
	r.values = row.NewBuilder(l.value.schema)
	if l.key == nil {
		for i, c := range l.value.columns {
			r.values.Cols[i] = out.Cols[c]
		}
	} else {
		r.keys = row.NewBuilder(l.key.schema)
		r.key.Begin(r.keys)
	}
	r.value.Begin(r.values)
	for _, rec := range records {
		var values, keys int
		live := !r.source.upsert || rec.Value != nil
		if !rec.Attrs.IsControl() {
			if live {
				if values, err = r.value.Message(rec.Value); err != nil {
					err = r.explain(err, rec, &l.value, "")
					break
				}
			}
			if r.key != nil {
				if keys, err = r.key.Message(rec.Key); err != nil {
					err = r.explain(err, rec, l.key, ", key")
					break
				}
			}
		}
		r.valueRows, r.keyRows, r.live = append(r.valueRows, int32(values)), append(r.keyRows, int32(keys)), append(r.live, live)
		used++
	}
	r.value.End()
	if r.key != nil {
		r.key.End()
	}
	if err != nil {
		return 0, 0, err
	}
	if l.key == nil {
		rows = r.values.Len()
		added(out, r.values.Kinds, rows)
	} else {
		rows = r.combine(out)
	}
	r.metadata(out, p, records[:used])
	return rows, used, nil
}

// added tells the caller's builder about rows.
func added(out *row.Builder, kinds []row.Kind, rows int) {
	if kinds == nil {
		out.Added(rows, row.Insert)
		return
	}
	for from := 0; from < rows; {
		to := from + 1
		for to < rows && kinds[to] == kinds[from] {
			to++
		}
		out.Added(to-from, kinds[from])
		from = to
	}
}

// combine makes rows of keys and values. The columns of the key that are part of
// the value as well are those of the value, but for a delete, which has none.
func (r *reader) combine(out *row.Builder) (rows int) {
	l := r.source.layout
	r.selKey, r.selValue = r.selKey[:0], r.selValue[:0]
	var kinds []row.Kind
	k, v := int32(0), int32(0)
	deletes := false
	for i, values := range r.valueRows {
		keys := r.keyRows[i]
		if !r.live[i] {
			deletes = true
			for j := range keys {
				r.selKey, r.selValue, kinds = append(r.selKey, k+j), append(r.selValue, -1), append(kinds, row.Delete)
			}
		} else {
			for a := range values {
				for j := range keys {
					r.selKey, r.selValue = append(r.selKey, k+j), append(r.selValue, v+a)
					kind := row.Insert
					if r.values.Kinds != nil {
						kind = r.values.Kinds[v+a]
					}
					kinds = append(kinds, kind)
				}
			}
		}
		k, v = k+keys, v+values
		r.valueRows[i] = keys
		if r.live[i] {
			r.valueRows[i] = keys * values // for the metadata
		}
	}
	n := len(kinds)
	given := map[int]bool{}
	for i, c := range l.value.columns {
		if l.value.wanted[i] {
			given[c] = true
			out.Cols[c].AppendRange(r.values.Cols[i].GatherOrNull(r.selValue), 0, n)
		}
	}
	for i, c := range l.key.columns {
		switch {
		case !l.key.wanted[i]:
		case !given[c]:
			out.Cols[c].AppendRange(r.keys.Cols[i].Gather(r.selKey), 0, n)
		case deletes:
			r.keyOfDeletes(out.Cols[c], r.keys.Cols[i], kinds)
		}
	}
	added(out, kinds, n)
	return n
}

// keyOfDeletes puts keys where deletes have no value. The column is built anew:
// its last rows are those of kinds.
func (r *reader) keyOfDeletes(to, keys *row.Vec, kinds []row.Kind) {
	n := len(kinds)
	before := to.Len - n
	old := *to
	*to = *row.NewVec(old.Type, 0)
	to.AppendRange(&old, 0, before)
	for from := 0; from < n; {
		end := from + 1
		for end < n && (kinds[end] == row.Delete) == (kinds[from] == row.Delete) {
			end++
		}
		if kinds[from] == row.Delete {
			to.AppendRange(keys.Gather(r.selKey[from:end]), 0, end-from)
		} else {
			to.AppendRange(&old, before+from, before+end)
		}
		from = end
	}
}

// metadata fills the columns that come from the record itself.
func (r *reader) metadata(out *row.Builder, p *partition, records []*kgo.Record) {
	l := r.source.layout
	for _, c := range l.meta {
		one := row.NewVec(r.source.table.Schema.Columns[c].Type, len(records))
		fillMetadata(one, r.source.table.Metadata[c], p, records)
		r.selValue = r.selValue[:0]
		for i, n := range r.valueRows {
			for range n {
				r.selValue = append(r.selValue, int32(i))
			}
		}
		out.Cols[c].AppendRange(one.Gather(r.selValue), 0, len(r.selValue))
	}
}

func fillMetadata(v *row.Vec, key string, p *partition, records []*kgo.Record) {
	for i, rec := range records {
		switch key {
		case "topic":
			v.Str[i] = p.topic
		case "partition":
			v.I32[i] = p.place.partition
		case "offset":
			v.I64[i] = rec.Offset
		case "leader-epoch":
			if v.I32[i] = rec.LeaderEpoch; rec.LeaderEpoch < 0 {
				v.SetNull(i)
			}
		case "timestamp":
			v.I64[i] = rec.Timestamp.UnixMilli() * 1000
		case "timestamp-type":
			v.Str[i] = [...]string{"NoTimestampType", "CreateTime", "LogAppendTime"}[rec.Attrs.TimestampType()+1]
		case "headers":
			headers(v, i, rec.Headers)
		}
	}
}

// headers fills a map; of several headers with one name the last counts.
func headers(v *row.Vec, i int, list []kgo.RecordHeader) {
	names, values := v.Kids[0], v.Kids[1]
	v.Off[i] = int32(names.Len)
next:
	for j, h := range list {
		for _, later := range list[j+1:] {
			if later.Key == h.Key {
				continue next
			}
		}
		names.Str[names.Extend(1)] = h.Key
		at := values.Extend(1)
		if values.Str[at] = string(h.Value); h.Value == nil {
			values.SetNull(at)
		}
	}
	v.Size[i] = int32(names.Len) - v.Off[i]
}
