package filesystem

import (
	"encoding/binary"
	"errors"

	"fsql/state"
)

// pathList is a list of paths that only grows, in the form that checkpoints
// have it: the first eight bytes are the number of paths, then come a version
// and the paths, each as the length of what it shares with the path before it
// and the rest. A checkpoint copies it, so that it is short.
type pathList struct {
	n    uint64
	form []byte
	last string
}

const pathListForm = 1

func (l *pathList) add(path string) {
	same := 0
	for same < min(len(path), len(l.last)) && path[same] == l.last[same] {
		same++
	}
	l.form = state.AppendBytes(binary.AppendUvarint(l.form, uint64(same)), []byte(path[same:]))
	l.last = path
	l.n++
}

func (l *pathList) encode() []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, 9+len(l.form)), l.n)
	return append(append(b, pathListForm), l.form...)
}

func decodePaths(b []byte) ([]string, error) {
	if len(b) < 9 {
		return nil, errPaths
	}
	n := binary.BigEndian.Uint64(b)
	d := state.Decoder{Data: b[8:]}
	d.Version(pathListForm)
	var paths []string
	last := ""
	for ; n > 0 && d.Err == nil; n-- {
		same, rest := d.Uvarint(), d.Bytes()
		if same > uint64(len(last)) {
			return nil, errPaths
		}
		last = last[:same] + string(rest)
		paths = append(paths, last)
	}
	if d.Err == nil && len(d.Data) > 0 {
		return nil, errPaths
	}
	return paths, d.Err
}

var errPaths = errors.New("the list of files that were read is damaged")
