package row

import (
	"encoding/binary"
	"math/bits"
)

// Odd constants with as many ones as zeros, by which words are told apart
// before they are multiplied. Frozen: see Hash.
const (
	hashA = 0xa0761d6478bd642f
	hashB = 0xe7037ed1a0b428db
	hashC = 0x8ebc6af09c88c6e3
	hashD = 0x589965cc75374cc3
)

// Hash is the hash of an encoded key. It decides the key group of stored state
// and the subtask of a row, so it is frozen: a golden test holds its values,
// and state written by one release is found by the next.
//
// It multiplies pairs of 64-bit words and folds the 128-bit product (the way of
// wyhash): 1 to 2 ns for a key of one or two numbers, no state, same on every
// machine.
func Hash(key []byte) uint64 {
	n := len(key)
	var a, b uint64
	seed := uint64(hashA)
	switch {
	case n > 16:
		seed, a, b = hashLong(key)
	case n >= 8:
		a, b = word(key), word(key[n-8:])
	case n >= 4:
		a, b = uint64(binary.LittleEndian.Uint32(key)), uint64(binary.LittleEndian.Uint32(key[n-4:]))
	case n > 0:
		a = uint64(key[0])<<16 | uint64(key[n>>1])<<8 | uint64(key[n-1])
	}
	return finish(a, b, seed, n)
}

func hashLong(key []byte) (seed, a, b uint64) {
	seed = hashA
	p := key
	if len(p) > 48 {
		s1, s2 := seed, seed
		for len(p) > 48 {
			seed = fold(word(p)^hashB, word(p[8:])^seed)
			s1 = fold(word(p[16:])^hashC, word(p[24:])^s1)
			s2 = fold(word(p[32:])^hashD, word(p[40:])^s2)
			p = p[48:]
		}
		seed ^= s1 ^ s2
	}
	for len(p) > 16 {
		seed = fold(word(p)^hashB, word(p[8:])^seed)
		p = p[16:]
	}
	// The last 16 bytes of the whole key, which may overlap with what went before.
	return seed, word(key[len(key)-16:]), word(key[len(key)-8:])
}

func finish(a, b, seed uint64, n int) uint64 {
	return fold(hashB^uint64(n), fold(a^hashB, b^seed))
}

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

func word(p []byte) uint64 { return binary.LittleEndian.Uint64(p) }

// KeyGroups is the number of key groups: the unit in which state is divided
// among subtasks, stored, and moved when the parallelism changes. It bounds the
// parallelism. Frozen, as Flink's default maximum parallelism is for a job.
const KeyGroups = 128

// Group maps the hash of a key to its key group.
func Group(hash uint64) int { return int(hash >> 57) }

// Subtask maps a key group to one of p subtasks; each gets a contiguous range
// of groups.
func Subtask(group, p int) int { return group * p / KeyGroups }
