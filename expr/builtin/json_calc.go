package builtin

import (
	"math"
	"strconv"

	"fsql/internal/value"
)

// call computes a function at the end of a path; -1 is a failure.
func (w *jsonWalk) call(s *jsonStep, at int32) int32 {
	d := &w.doc
	n := d.nodes[at]
	switch s.function {
	case "length", "size":
		if n.kind == jsonArray || n.kind == jsonObject {
			from := len(d.buf)
			d.buf = strconv.AppendInt(d.buf, int64(n.count), 10)
			return d.add(jsonNode{kind: jsonWhole, text: d.keep(from)})
		}
		return d.add(jsonNode{kind: jsonNull, text: "null"})
	case "keys":
		if n.kind != jsonObject {
			return d.add(jsonNode{kind: jsonNull, text: "null"})
		}
		list := w.list(jsonArray, w.kids(at))
		for i := d.nodes[list].first; i >= 0; i = d.nodes[i].next {
			d.nodes[i].kind, d.nodes[i].text = jsonString, d.nodes[i].key
		}
		return list
	case "first", "last", "index":
		if n.kind != jsonArray {
			return d.add(jsonNode{kind: jsonNull, text: "null"})
		}
		return w.pick(s, at)
	}
	return w.aggregate(s.function, at)
}

func (w *jsonWalk) kids(at int32) []int32 {
	var kids []int32
	for i := w.doc.nodes[at].first; i >= 0; i = w.doc.nodes[i].next {
		kids = append(kids, i)
	}
	return kids
}

// pick takes one element; from the end the library does not reach the first.
func (w *jsonWalk) pick(s *jsonStep, at int32) int32 {
	kids := w.kids(at)
	n := s.argument
	if s.function == "last" {
		n = -1
	}
	if n < 0 {
		if n += len(kids); n == 0 {
			n = -1
		}
	}
	if n < 0 || n >= len(kids) {
		w.fail = "there is no element for " + s.function + "() at the path '" + w.path.text + "'"
		return -1
	}
	return kids[n]
}

// aggregate computes over the numbers of an array, in DOUBLE.
func (w *jsonWalk) aggregate(name string, at int32) int32 {
	d := &w.doc
	var sum, squares, count float64
	least, most := math.MaxFloat64, -math.MaxFloat64
	if d.nodes[at].kind == jsonArray {
		for i := d.nodes[at].first; i >= 0; i = d.nodes[i].next {
			if k := d.nodes[i].kind; k != jsonWhole && k != jsonDecimal {
				continue
			}
			f, _ := strconv.ParseFloat(d.nodes[i].text, 64)
			sum, squares, count = sum+f, squares+f*f, count+1
			least, most = min(least, f), max(most, f)
		}
	}
	if count == 0 {
		w.fail = name + "() finds no numbers at the path '" + w.path.text + "'"
		return -1
	}
	r := sum
	switch name {
	case "min":
		r = least
	case "max":
		r = most
	case "avg":
		r = sum / count
	case "stddev":
		r = math.Sqrt(squares/count - sum*sum/count/count)
	}
	from := len(d.buf)
	d.buf = value.AppendDouble(d.buf, r)
	return d.add(jsonNode{kind: jsonDecimal, text: d.keep(from)})
}
