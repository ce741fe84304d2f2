package state

import "slices"

// few is up to how many changes comparing is faster than counting bytes.
const few = 512

// sort brings the changes into the order of their keys; equal keys stay in the
// order in which they came. A million changes are sorted by the bytes of their
// first word, least significant first, which takes a sixth of the time of
// comparing them; what is equal there is compared.
func (c *Changes) sort() {
	if len(c.entries) <= few {
		slices.SortFunc(c.entries, c.compare)
		return
	}
	c.entries = byOrder(c.entries)
	for from := 0; from < len(c.entries); {
		to := from + 1
		for to < len(c.entries) && c.entries[to].order == c.entries[from].order {
			to++
		}
		if to > from+1 {
			slices.SortFunc(c.entries[from:to], c.compare)
		}
		from = to
	}
}

// place is an entry's first word and where the entry is.
type place struct {
	order uint64
	at    uint32
}

func byOrder(entries []change) []change {
	var counts [8][256]uint32
	from, to := make([]place, len(entries)), make([]place, len(entries))
	for i := range entries {
		o := entries[i].order
		from[i] = place{o, uint32(i)}
		for b := range counts {
			counts[b][byte(o>>(8*b))]++
		}
	}
	for b := range counts {
		n := &counts[b]
		if n[byte(from[0].order>>(8*b))] == uint32(len(entries)) {
			continue // all have the same byte
		}
		sum := uint32(0)
		for i := range n {
			sum, n[i] = sum+n[i], sum
		}
		for _, p := range from {
			at := &n[byte(p.order>>(8*b))]
			to[*at] = p
			*at++
		}
		from, to = to, from
	}
	out := make([]change, len(entries))
	for i, p := range from {
		out[i] = entries[p.at]
	}
	return out
}
