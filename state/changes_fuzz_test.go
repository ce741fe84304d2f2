package state

import (
	"bytes"
	"slices"
	"testing"

	"fsql/types"
)

// FuzzChanges puts and deletes whatever the bytes say and compares the delta
// with a map: in key order, each key once with its last value. Then the delta
// goes through both backends, which must have the same state.
func FuzzChanges(f *testing.F) {
	f.Add([]byte("\x01\x03abc\x02xy\x81\x03abc\x00\x01\x03abc\x01z"))
	f.Add(bytes.Repeat([]byte{0x7f, 9, 'k'}, 40))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		take := func() []byte {
			if len(data) == 0 {
				return nil
			}
			n := min(int(data[0]), len(data)-1)
			out := data[1 : 1+n]
			data = data[1+n:]
			return out
		}
		c, late := &Changes{}, &Changes{}
		want := map[string][]byte{} // nil: deleted
		for len(data) > 0 {
			op := data[0]
			data = data[1:]
			to := c
			if len(want) > 4 {
				to = late // joined later
			}
			group, space, key := int(op%8), op>>3%4, take()
			full := string(append(append(GroupKey(nil, group), space), key...))
			if op&0x80 != 0 {
				to.Delete(group, space, key)
				want[full] = nil
				continue
			}
			val := take()
			to.Put(group, space, key, func(dst []byte) []byte { return append(dst, val...) })
			want[full] = append([]byte{}, val...)
		}
		c.Join(late)
		scope := Groups("node", 0, 1)
		seen, last := 0, []byte(nil)
		for w := range c.Delta(scope, 1).Writes {
			v, ok := want[string(w.Key)]
			if !ok || w.Delete != (v == nil) || !bytes.Equal(w.Val, v) {
				t.Fatalf("%q: %q, deleted %v, want %q", w.Key, w.Val, w.Delete, v)
			}
			if seen > 0 && bytes.Compare(last, w.Key) >= 0 {
				t.Fatalf("%q after %q", w.Key, last)
			}
			seen, last = seen+1, slices.Clone(w.Key)
		}
		if seen != len(want) {
			t.Fatalf("%d keys, not %d", seen, len(want))
		}
		b := NewMemory()
		if err := b.Commit(types.Epoch(1), []Delta{c.Delta(scope, 1)}, nil); err != nil {
			t.Fatal(err)
		}
		left := 0
		if err := b.Open(scope).Scan(nil, nil, func(key, val []byte) (bool, error) {
			left++
			if v := want[string(key)]; v == nil || !bytes.Equal(v, val) {
				t.Fatalf("%q: %q, want %q", key, val, v)
			}
			return true, nil
		}); err != nil {
			t.Fatal(err)
		}
		for _, v := range want {
			if v != nil {
				left--
			}
		}
		if left != 0 {
			t.Fatalf("%d entries too many", left)
		}
	})
}

// FuzzDecoder reads every form there is out of whatever bytes: nothing but an
// error may come of it, and never more than there is.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte{1, 2, 3}, []byte{0, 1, 2, 3, 4, 5, 6})
	f.Add(AppendBytes(nil, []byte("some bytes")), []byte{5})
	f.Add(bytes.Repeat([]byte{0xff}, 20), []byte{0, 1})
	f.Fuzz(func(t *testing.T, data, forms []byte) {
		d := Decoder{Data: data}
		for _, form := range forms {
			before := len(d.Data)
			switch form % 7 {
			case 0:
				d.Uvarint()
			case 1:
				d.Varint()
			case 2:
				d.Uint64()
			case 3:
				d.Uint32()
			case 4:
				d.Byte()
			case 5:
				if b := d.Bytes(); len(b) > before {
					t.Fatalf("%d bytes out of %d", len(b), before)
				}
			case 6:
				d.Version(form)
			}
			if len(d.Data) > before || d.Err == nil && len(d.Data) == before {
				t.Fatalf("form %d read nothing and said nothing", form%7)
			}
		}
		sized := AppendSized(nil, func(dst []byte) []byte { return append(dst, data...) })
		if !bytes.Equal(sized, AppendBytes(nil, data)) {
			t.Fatalf("AppendSized and AppendBytes differ: %x", sized)
		}
	})
}
