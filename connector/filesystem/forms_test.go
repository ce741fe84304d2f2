package filesystem

import (
	"bytes"
	"testing"
)

// FuzzPrepared: what checkpoints know of files is read or refused, and what was
// read is written the same.
func FuzzPrepared(f *testing.F) {
	f.Add(encodeFiles([]fileState{{"", "part-a-0-1", 17, 3}, {"k=1", "part-a-1-0", 1 << 40, 0}}))
	f.Add(encodeFiles(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := decodeFiles([][]byte{data})
		if err != nil {
			return
		}
		again, err := decodeFiles([][]byte{encodeFiles(files)})
		if err != nil || !bytes.Equal(encodeFiles(again), encodeFiles(files)) {
			t.Errorf("%x: %v, %v", data, files, err)
		}
	})
}

// FuzzPaths: the list of files that were read.
func FuzzPaths(f *testing.F) {
	var l pathList
	for _, p := range []string{"2024/01/a.json", "2024/01/b.json", "2024/02/a.json", "", "é", "2024"} {
		l.add(p)
	}
	f.Add(l.encode())
	f.Add((&pathList{}).encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		paths, err := decodePaths(data)
		if err != nil {
			return
		}
		var again pathList
		for _, p := range paths {
			again.add(p)
		}
		twice, err := decodePaths(again.encode())
		if err != nil || len(twice) != len(paths) || again.n != uint64(len(paths)) {
			t.Fatalf("%x: %q, %q, %v", data, paths, twice, err)
		}
		for i := range paths {
			if paths[i] != twice[i] {
				t.Errorf("%q became %q", paths[i], twice[i])
			}
		}
	})
}
