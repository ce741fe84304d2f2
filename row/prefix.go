package row

import "encoding/binary"

// EncodeKeys makes k the given encoded keys under another prefix: each of them
// begins with a prefix (see EncodeWith), which is replaced. It serves operators
// that move what they keep from one prefix to another, such as from the slices
// of a window to the window.
func (k *Keys) EncodeKeys(prefix int64, keys [][]byte) {
	n := len(keys)
	k.Off = sized(k.Off, n+1)
	k.Off[0] = 0
	width, fixed := 0, true
	for i, key := range keys {
		fixed = fixed && (i == 0 || len(key) == width)
		width = len(key)
		k.Off[i+1] = k.Off[i] + int32(width)
	}
	k.Data = sized(k.Data, int(k.Off[n]))
	for i, key := range keys {
		to := k.Data[k.Off[i]:k.Off[i+1]]
		binary.LittleEndian.PutUint64(to, uint64(prefix))
		copy(to[8:], key[8:])
	}
	k.hash(n, width, fixed)
}
