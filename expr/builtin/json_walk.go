package builtin

// jsonWalk evaluates paths over documents; its memory is used again.
type jsonWalk struct {
	doc  jsonDoc
	path *jsonPath
	hits []int32
	fail string
}

// jsonFound is what a path leads to: the value at, nothing (lax mode), or a
// failure.
type jsonFound struct {
	at    int32
	none  bool
	fails string
}

// find evaluates a path over a document. In strict mode what does not lead to
// a value fails, in lax mode it is nothing; a text that is no path fails in
// both, and so does a document that is a JSON null. A path of several values
// gives an array of them.
func (w *jsonWalk) find(p *jsonPath, text string) jsonFound {
	d := &w.doc
	if !d.read(text) {
		return jsonFound{none: p.lax, fails: "the text is not valid JSON: " + d.why()}
	}
	if p.bad {
		return jsonFound{fails: "'" + p.text + "' is no path"}
	}
	if d.nodes[0].kind == jsonNull {
		return jsonFound{fails: "the document is a JSON null"}
	}
	w.path, w.hits, w.fail = p, w.hits[:0], ""
	w.step(0, 0, -1)
	switch {
	case w.fail != "" && !p.lax:
		return jsonFound{fails: w.fail}
	case !p.exact:
		return jsonFound{at: w.list(jsonArray, w.hits)}
	case len(w.hits) == 0 || w.fail != "":
		return jsonFound{none: p.lax, fails: "nothing is at the path '" + p.text + "'"}
	}
	at := w.hits[len(w.hits)-1]
	if d.nodes[at].kind == jsonNull {
		return jsonFound{none: p.lax, fails: "a JSON null is at the path '" + p.text + "'"}
	}
	return jsonFound{at: at}
}

// list makes an array or object of copies of values.
func (w *jsonWalk) list(kind jsonKind, kids []int32) int32 {
	d := &w.doc
	at, last := d.add(jsonNode{kind: kind}), int32(-1)
	d.nodes[at].count = int32(len(kids))
	for _, k := range kids {
		n := d.nodes[k]
		n.next = -1
		d.nodes = append(d.nodes, n)
		i := int32(len(d.nodes) - 1)
		if last < 0 {
			d.nodes[at].first = i
		} else {
			d.nodes[last].next = i
		}
		last = i
	}
	return at
}

// quiet tells that a step which does not fit its value passes it over.
func (w *jsonWalk) quiet(s *jsonStep) bool { return !s.upstream || w.path.lax }

// on goes to the step behind i, or takes the value where there is none.
func (w *jsonWalk) on(i int, at int32) { w.step(i+1, at, -1) }

// step applies step i to a value. within is the position of the value in the
// array that a scan came through, else -1.
func (w *jsonWalk) step(i int, at int32, within int) {
	if w.fail != "" {
		return
	}
	if i == len(w.path.steps) {
		w.hits = append(w.hits, at)
		return
	}
	s := &w.path.steps[i]
	switch s.kind {
	case stepKeys:
		w.members(s, i, at, within)
	case stepIndexes, stepSlice:
		w.elements(s, i, at)
	case stepAll:
		if k := w.doc.nodes[at].kind; k == jsonObject || k == jsonArray {
			for j := w.doc.nodes[at].first; j >= 0; j = w.doc.nodes[j].next {
				w.on(i, j)
			}
		}
	case stepFilter:
		w.filter(s, i, at)
	case stepScan:
		w.scan(i+1, at)
	case stepFunction:
		if r := w.call(s, at); r >= 0 {
			w.on(i, r)
		}
	}
}

func (w *jsonWalk) members(s *jsonStep, i int, at int32, within int) {
	d := &w.doc
	leaf := i+1 == len(w.path.steps)
	if d.nodes[at].kind != jsonObject {
		if !w.quiet(s) {
			w.fail = "there is no object for the key '" + s.keys[0] + "' at the path '" + w.path.text + "'"
		}
		return
	}
	if len(s.keys) > 1 && leaf {
		var kids []int32
		for _, k := range s.keys {
			if j := d.member(at, k); j >= 0 {
				kids = append(kids, j)
			}
		}
		w.hits = append(w.hits, w.list(jsonObject, kids))
		return
	}
	for _, k := range s.keys {
		j := d.member(at, k)
		switch {
		case j < 0 && !leaf && s.exact && !w.quiet(s):
			w.fail = "there is no key '" + k + "' at the path '" + w.path.text + "'"
		case j < 0:
		case leaf && within >= 0 && !w.path.steps[i-1].only(within):
			// Behind ..[*] or ..[0] the library takes the elements of arrays
			// without looking at the step between.
		default:
			w.on(i, j)
		}
	}
}

// only tells the step [n].
func (s *jsonStep) only(n int) bool {
	return s.kind == stepIndexes && len(s.indexes) == 1 && s.indexes[0] == n
}

func (w *jsonWalk) elements(s *jsonStep, i int, at int32) {
	n := w.doc.nodes[at]
	if n.kind != jsonArray {
		if !w.quiet(s) {
			w.fail = "there is no array at the path '" + w.path.text + "'"
		}
		return
	}
	count := int(n.count)
	if s.kind == stepIndexes {
		for _, x := range s.indexes {
			w.element(i, at, x)
		}
		return
	}
	from, to := 0, count
	switch {
	case s.hasFrom && s.hasTo:
		from, to = s.from, min(s.to, count)
	case s.hasFrom:
		if from = s.from; from < 0 {
			from = max(0, from+count)
		}
	default:
		if to = s.to; to < 0 {
			to += count
		}
		to = min(to, count)
	}
	for x := from; x < to && count > 0; x++ {
		w.element(i, at, x)
	}
}

// element goes on with one element; a negative position counts from the end.
func (w *jsonWalk) element(i int, at int32, x int) {
	if x < 0 {
		x += int(w.doc.nodes[at].count)
	}
	if x < 0 {
		return
	}
	j := w.doc.nodes[at].first
	for ; j >= 0 && x > 0; x-- {
		j = w.doc.nodes[j].next
	}
	if j >= 0 {
		w.on(i, j)
	}
}

// filter goes on with the elements of an array, or the object, that the
// condition accepts.
func (w *jsonWalk) filter(s *jsonStep, i int, at int32) {
	switch w.doc.nodes[at].kind {
	case jsonObject:
		if w.accepts(s.filter, at) {
			w.on(i, at)
		}
	case jsonArray:
		for j := w.doc.nodes[at].first; j >= 0; j = w.doc.nodes[j].next {
			if w.accepts(s.filter, j) {
				w.on(i, j)
			}
		}
	default:
		if s.upstream {
			w.fail = "there is no array for the filter at the path '" + w.path.text + "'"
		}
	}
}

// scan applies step i to a value and to everything below it.
func (w *jsonWalk) scan(i int, at int32) {
	d := &w.doc
	kind := d.nodes[at].kind
	if kind != jsonArray && kind != jsonObject || i == len(w.path.steps) {
		return
	}
	s := &w.path.steps[i]
	fits := false
	switch s.kind {
	case stepKeys:
		fits = kind == jsonObject
		for _, k := range s.keys {
			fits = fits && (!s.exact || d.member(at, k) >= 0)
		}
	case stepIndexes, stepSlice:
		fits = kind == jsonArray
	case stepAll:
		fits = true
	case stepFilter:
		fits = w.accepts(s.filter, at)
	}
	switch {
	case fits && kind == jsonArray && i+1 < len(w.path.steps):
		n := 0
		for j := d.nodes[at].first; j >= 0; j = d.nodes[j].next {
			w.step(i+1, j, n)
			n++
		}
	case fits:
		w.step(i, at, -1)
	}
	for j := d.nodes[at].first; j >= 0 && w.fail == ""; j = d.nodes[j].next {
		w.scan(i, j)
	}
}
