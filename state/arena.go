package state

import "encoding/binary"

// Arena holds byte strings in chunks that the garbage collector does not look
// into: keys too long for a table's records, strings that accumulators keep.
// Space is given in sizes of a few classes; dropped space is kept in a chain per
// class, linked through itself. The zero Arena is empty and ready.
type Arena struct {
	chunks [][]byte
	top    int     // next free byte of the last chunk
	free   [64]Ref // first of each class's chain; its size is 0 where empty
}

// Ref is where a string lies. The zero Ref is the empty string.
type Ref struct {
	chunk, at, size uint32
}

const (
	arenaStep  = 16
	fineSteps  = 32      // classes of 16, 32, .. 512 bytes; above, powers of two
	firstChunk = 4 << 10 // chunks double up to
	lastChunk  = 1 << 20
)

// class rounds a size up and numbers it.
func class(size uint32) (n int, room uint32) {
	if steps := (size + arenaStep - 1) / arenaStep; steps <= fineSteps {
		return int(steps) - 1, steps * arenaStep
	}
	n, room = fineSteps, 2*fineSteps*arenaStep
	for room < size {
		n, room = n+1, 2*room
	}
	return n, room
}

// Get returns a string; it lives until Drop or Set.
func (a *Arena) Get(p Ref) []byte {
	if p.size == 0 {
		return nil
	}
	return a.chunks[p.chunk][p.at : p.at+p.size : p.at+p.size]
}

// Put keeps a copy of a string.
func (a *Arena) Put(key []byte) Ref {
	size := uint32(len(key))
	if size == 0 {
		return Ref{}
	}
	n, room := class(size)
	p := a.free[n]
	if p.size != 0 {
		link := a.chunks[p.chunk][p.at:]
		a.free[n] = Ref{binary.LittleEndian.Uint32(link), binary.LittleEndian.Uint32(link[4:]), binary.LittleEndian.Uint32(link[8:])}
	} else {
		p = a.take(room)
	}
	p.size = size
	copy(a.Get(p), key)
	return p
}

func (a *Arena) take(room uint32) Ref {
	last := len(a.chunks) - 1
	if last < 0 || a.top+int(room) > len(a.chunks[last]) {
		size := firstChunk
		if last >= 0 {
			size = min(2*len(a.chunks[last]), lastChunk)
		}
		a.chunks = append(a.chunks, make([]byte, max(size, int(room))))
		a.top = 0
		last++
	}
	p := Ref{chunk: uint32(last), at: uint32(a.top)}
	a.top += int(room)
	return p
}

// Set replaces the string of a Ref, in its place where it fits.
func (a *Arena) Set(p Ref, s []byte) Ref {
	size := uint32(len(s))
	if p.size != 0 && size != 0 {
		old, _ := class(p.size)
		if n, _ := class(size); n == old {
			p.size = size
			copy(a.Get(p), s)
			return p
		}
	}
	a.Drop(p)
	return a.Put(s)
}

// Drop gives the space of a string back.
func (a *Arena) Drop(p Ref) {
	if p.size == 0 {
		return
	}
	n, room := class(p.size)
	head := a.free[n]
	link := a.chunks[p.chunk][p.at : p.at+room]
	binary.LittleEndian.PutUint32(link, head.chunk)
	binary.LittleEndian.PutUint32(link[4:], head.at)
	binary.LittleEndian.PutUint32(link[8:], head.size)
	a.free[n] = p
}

// Bytes is the memory that the arena holds.
func (a *Arena) Bytes() int64 {
	n := int64(0)
	for _, c := range a.chunks {
		n += int64(len(c))
	}
	return n
}

func (r *record) place() Ref {
	return Ref{binary.LittleEndian.Uint32(r.key[0:]), binary.LittleEndian.Uint32(r.key[4:]), binary.LittleEndian.Uint32(r.key[8:])}
}

func (r *record) setPlace(p Ref) {
	binary.LittleEndian.PutUint32(r.key[0:], p.chunk)
	binary.LittleEndian.PutUint32(r.key[4:], p.at)
	binary.LittleEndian.PutUint32(r.key[8:], p.size)
}
