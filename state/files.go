package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	iofs "io/fs"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/vfs"

	"fsql/types"
)

// makeDir makes a directory that survives a crash: whoever makes one must sync
// its parent, and so on up to one that was there.
func makeDir(fs vfs.FS, dir string) error {
	if _, err := fs.Stat(dir); err == nil {
		return nil
	}
	parent := fs.PathDir(dir)
	if parent != dir {
		if err := makeDir(fs, parent); err != nil {
			return err
		}
	}
	if err := fs.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return syncDir(fs, parent)
}

func syncDir(fs vfs.FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// passing tells failures that say nothing about what is stored: the disk is
// full, files may not be written, too many are open. A checkpoint is not passed
// over for them.
func passing(err error) bool {
	return vfs.IsNoSpaceError(err) || errors.Is(err, iofs.ErrPermission) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) ||
		errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EFBIG)
}

func notExist(err error) bool { return errors.Is(err, iofs.ErrNotExist) }

func readFile(fs vfs.FS, path string) ([]byte, error) {
	f, err := fs.Open(path)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	return data, errors.Join(err, f.Close())
}

// writeFile writes a file whose contents survive a crash; its name does after
// a sync of the directory.
func writeFile(fs vfs.FS, path string, data []byte) error {
	f, err := fs.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(bytes.Clone(data))
	return errors.Join(err, f.Sync(), f.Close())
}

func (f *Folder) read(name string) ([]byte, error)     { return readFile(f.fs, f.path(name)) }
func (f *Folder) write(name string, data []byte) error { return writeFile(f.fs, f.path(name), data) }
func (f *Folder) sync(dir string) error                { return syncDir(f.fs, dir) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(data []byte) uint32 { return crc32.Checksum(data, castagnoli) }

// The pointer is a line of text: version, epoch, checksum of what stands before.
func formatPointer(e types.Epoch) []byte {
	line := fmt.Appendf(nil, "fsql checkpoint pointer 1 chk-%d ", e)
	return fmt.Appendf(line, "%08x\n", checksum(line))
}

func parsePointer(text []byte) (types.Epoch, error) {
	var version int
	var e types.Epoch
	if _, err := fmt.Sscanf(string(text), "fsql checkpoint pointer %d chk-%d", &version, &e); err != nil {
		return 0, errors.New("it is no checkpoint pointer")
	}
	if version == 1 && string(formatPointer(e)) == string(text) && e > 0 {
		return e, nil
	}
	return 0, errors.New("its checksum is wrong, or it was written by a later version")
}

// The id is a line of text too, with a checksum; before there was one it was the
// id alone.
const bareID = 8

func formatID(id string) []byte { return fmt.Appendf(nil, "%s %08x\n", id, checksum([]byte(id))) }

func parseID(text []byte) (string, error) {
	id, _, _ := strings.Cut(string(text), " ")
	if id != "" && (string(formatID(id)) == string(text) || len(text) == bareID) {
		return id, nil
	}
	return "", errors.New("its checksum is wrong, or it is cut short")
}

// header is the manifest file of a checkpoint: the files of state/ and the
// payload that the job gave. It begins with magic and version and ends with a
// checksum.
type header struct {
	epoch   types.Epoch
	files   []stateFile
	payload []byte
}

// stateFile is a file of state/. Pebble checks its tables itself, block by
// block; of the others, which it would read up to where they break off, sum is
// the checksum.
type stateFile struct {
	name string
	size uint64
	sum  uint32
}

const (
	headerMagic   = "FSQLCHK"
	headerVersion = 1
	headerName    = "manifest"
)

func isTable(name string) bool { return strings.HasSuffix(name, ".sst") }

// writeHeader writes the manifest of the checkpoint in dir, whose state/ is
// complete.
func writeHeader(fs vfs.FS, dir string, e types.Epoch, payload []byte) error {
	h := append([]byte(headerMagic), headerVersion)
	h = binary.AppendUvarint(h, uint64(e))
	sub := fs.PathJoin(dir, "state")
	names, err := fs.List(sub)
	if err != nil {
		return err
	}
	h = binary.AppendUvarint(h, uint64(len(names)))
	for _, n := range names {
		path := fs.PathJoin(sub, n)
		info, err := fs.Stat(path)
		if err != nil {
			return err
		}
		sum := uint32(0)
		if !isTable(n) {
			data, err := readFile(fs, path)
			if err != nil {
				return err
			}
			sum = checksum(data)
		}
		h = append(binary.AppendUvarint(h, uint64(len(n))), n...)
		h = binary.AppendUvarint(h, uint64(info.Size()))
		h = binary.LittleEndian.AppendUint32(h, sum)
	}
	h = append(binary.AppendUvarint(h, uint64(len(payload))), payload...)
	return writeFile(fs, fs.PathJoin(dir, headerName), binary.LittleEndian.AppendUint32(h, checksum(h)))
}

func readHeader(fs vfs.FS, dir string) (*header, error) {
	data, err := readFile(fs, fs.PathJoin(dir, headerName))
	if err != nil {
		return nil, err
	}
	return parseHeader(data)
}

func parseHeader(data []byte) (*header, error) {
	rest, ok := bytes.CutPrefix(data, []byte(headerMagic))
	if !ok || len(rest) < 5 {
		return nil, errors.New("its manifest is no manifest, or cut short")
	}
	if rest[0] != headerVersion {
		return nil, fmt.Errorf("its manifest has version %d, this program knows version %d", rest[0], headerVersion)
	}
	end := len(data) - 4
	if binary.LittleEndian.Uint32(data[end:]) != checksum(data[:end]) {
		return nil, errors.New("the checksum of its manifest is wrong")
	}
	d := Decoder{Data: rest[1 : len(rest)-4]}
	h := &header{epoch: types.Epoch(d.Uvarint())}
	for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
		h.files = append(h.files, stateFile{name: string(d.Bytes()), size: d.Uvarint(), sum: d.Uint32()})
	}
	h.payload = d.Bytes()
	if d.Err == nil && len(d.Data) > 0 {
		d.Err = errors.New("its manifest is followed by something")
	}
	return h, d.Err
}

// copy makes a copy of the state in from, of hard links where the file system
// has them, after a check that it is what it was.
func (h *header) copy(fs vfs.FS, from, to string) error {
	if err := fs.RemoveAll(to); err != nil {
		return err
	}
	if err := fs.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, x := range h.files {
		src, dst := fs.PathJoin(from, x.name), fs.PathJoin(to, x.name)
		info, err := fs.Stat(src)
		if err != nil {
			return err
		}
		if uint64(info.Size()) != x.size {
			return fmt.Errorf("%s has %d bytes, not %d", x.name, info.Size(), x.size)
		}
		if isTable(x.name) {
			if err := vfs.LinkOrCopy(fs, src, dst); err != nil {
				return err
			}
			continue
		}
		// Pebble goes on writing to these.
		data, err := readFile(fs, src)
		if err != nil {
			return err
		}
		if checksum(data) != x.sum {
			return fmt.Errorf("the checksum of %s is wrong", x.name)
		}
		if err := writeFile(fs, dst, data); err != nil {
			return err
		}
	}
	return nil
}
