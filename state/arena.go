package state

import "encoding/binary"

// arena holds the keys that are too long for a record, in chunks that the
// garbage collector does not look into. Space is given in sizes of a few
// classes; dropped space is kept in a chain per class, linked through itself.
type arena struct {
	chunks [][]byte
	top    int       // next free byte of the last chunk
	free   [64]place // first of each class's chain; its size is 0 where empty
}

// place is where a key lies.
type place struct {
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

func (a *arena) at(p place) []byte {
	return a.chunks[p.chunk][p.at : p.at+p.size : p.at+p.size]
}

func (a *arena) put(key []byte) place {
	size := uint32(len(key))
	n, room := class(size)
	p := a.free[n]
	if p.size != 0 {
		link := a.chunks[p.chunk][p.at:]
		a.free[n] = place{binary.LittleEndian.Uint32(link), binary.LittleEndian.Uint32(link[4:]), binary.LittleEndian.Uint32(link[8:])}
	} else {
		p = a.take(room)
	}
	p.size = size
	copy(a.at(p), key)
	return p
}

func (a *arena) take(room uint32) place {
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
	p := place{chunk: uint32(last), at: uint32(a.top)}
	a.top += int(room)
	return p
}

func (a *arena) drop(p place) {
	n, room := class(p.size)
	head := a.free[n]
	link := a.chunks[p.chunk][p.at : p.at+room]
	binary.LittleEndian.PutUint32(link, head.chunk)
	binary.LittleEndian.PutUint32(link[4:], head.at)
	binary.LittleEndian.PutUint32(link[8:], head.size)
	a.free[n] = p
}

func (a *arena) bytes() int64 {
	n := int64(0)
	for _, c := range a.chunks {
		n += int64(len(c))
	}
	return n
}

func (r *record) place() place {
	return place{binary.LittleEndian.Uint32(r.key[0:]), binary.LittleEndian.Uint32(r.key[4:]), binary.LittleEndian.Uint32(r.key[8:])}
}

func (r *record) setPlace(p place) {
	binary.LittleEndian.PutUint32(r.key[0:], p.chunk)
	binary.LittleEndian.PutUint32(r.key[4:], p.at)
	binary.LittleEndian.PutUint32(r.key[8:], p.size)
}
