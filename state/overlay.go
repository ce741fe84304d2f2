package state

import (
	"bytes"
	"slices"
	"strings"

	"fsql/types"
)

// committed is what a backend has of one scope.
type committed interface {
	get(dst, key []byte) (val []byte, ok bool, err error)
	scan(from, to []byte, fn func(key, val []byte) (more bool, err error)) error
}

// overlay is the Store of both backends: what was committed, above it the
// sealed deltas that are not, above them the changes of this epoch.
type overlay struct {
	scope  Scope
	base   committed
	sealed []sealed // oldest first
	dirty  map[string]Write
	order  []string // the keys of dirty
	sorted bool
}

// sealed is an epoch whose changes are not committed yet.
type sealed struct {
	epoch  types.Epoch
	writes []Write
}

func newOverlay(s Scope, base committed) *overlay {
	return &overlay{scope: s, base: base, dirty: map[string]Write{}}
}

func (o *overlay) Put(key, val []byte) error {
	o.write(Write{Key: bytes.Clone(key), Val: bytes.Clone(val)})
	return nil
}

func (o *overlay) Delete(key []byte) error {
	o.write(Write{Key: bytes.Clone(key), Delete: true})
	return nil
}

func (o *overlay) write(w Write) {
	key := string(w.Key)
	if _, ok := o.dirty[key]; !ok {
		o.sorted = len(o.order) == 0 || o.sorted && o.order[len(o.order)-1] < key
		o.order = append(o.order, key)
	}
	o.dirty[key] = w
}

func (o *overlay) Get(dst, key []byte) ([]byte, bool, error) {
	if w, ok := o.dirty[string(key)]; ok {
		return append(dst, w.Val...), !w.Delete, nil
	}
	for i := len(o.sealed) - 1; i >= 0; i-- {
		writes := o.sealed[i].writes
		if at, ok := slices.BinarySearchFunc(writes, key, compareKey); ok {
			return append(dst, writes[at].Val...), !writes[at].Delete, nil
		}
	}
	return o.base.get(dst, key)
}

func compareKey(w Write, key []byte) int { return bytes.Compare(w.Key, key) }

// writes lists the changes of this epoch in key order.
func (o *overlay) writes() []Write {
	if !o.sorted {
		slices.SortFunc(o.order, strings.Compare)
		o.sorted = true
	}
	out := make([]Write, len(o.order))
	for i, key := range o.order {
		out[i] = o.dirty[key]
	}
	return out
}

func (o *overlay) Seal(e types.Epoch) Delta {
	w := o.writes()
	o.dirty, o.order, o.sorted = map[string]Write{}, nil, false
	if len(w) > 0 {
		o.sealed = append(o.sealed, sealed{e, w})
	}
	return Delta{Scope: o.scope, Epoch: e, Len: len(w), Writes: slices.Values(w)}
}

func (o *overlay) Committed(e types.Epoch) {
	for len(o.sealed) > 0 && o.sealed[0].epoch <= e {
		o.sealed = o.sealed[1:]
	}
}

// Scan merges the layers: each is sorted, and of equal keys the newest counts.
func (o *overlay) Scan(from, to []byte, fn func(key, val []byte) (bool, error)) error {
	layers := make([][]Write, 0, len(o.sealed)+1)
	for _, d := range o.sealed {
		layers = append(layers, within(d.writes, from, to))
	}
	layers = append(layers, within(o.writes(), from, to))
	more := true
	// above visits what stands above the base up to key (nil: to the end) and
	// tells whether key itself does.
	above := func(key []byte) (hidden bool, err error) {
		for more {
			next, ok := least(layers)
			if !ok || key != nil && bytes.Compare(next.Key, key) > 0 {
				break
			}
			skip(layers, next.Key)
			hidden = bytes.Equal(next.Key, key)
			if !next.Delete {
				if more, err = fn(next.Key, next.Val); err != nil {
					return hidden, err
				}
			}
		}
		return hidden, nil
	}
	err := o.base.scan(from, to, func(key, val []byte) (bool, error) {
		hidden, err := above(key)
		if err != nil || hidden || !more {
			return more, err
		}
		more, err = fn(key, val)
		return more, err
	})
	if err == nil && more {
		_, err = above(nil)
	}
	return err
}

// least is the newest write of the least key of the layers.
func least(layers [][]Write) (w Write, ok bool) {
	for _, l := range layers {
		if len(l) > 0 && (!ok || bytes.Compare(l[0].Key, w.Key) <= 0) {
			w, ok = l[0], true
		}
	}
	return w, ok
}

// skip takes a key off the layers.
func skip(layers [][]Write, key []byte) {
	for i, l := range layers {
		if len(l) > 0 && bytes.Equal(l[0].Key, key) {
			layers[i] = l[1:]
		}
	}
}

// within is the part of sorted writes in [from, to).
func within(w []Write, from, to []byte) []Write {
	first, _ := slices.BinarySearchFunc(w, from, compareKey)
	last := len(w)
	if to != nil {
		last, _ = slices.BinarySearchFunc(w, to, compareKey)
	}
	return w[first:max(first, last)]
}
