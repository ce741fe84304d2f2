package diag

import (
	"io/fs"
	"os"
)

// Plain is the text of an error without the words that Go's library puts before
// the reason: "permission denied" and not "open /x: permission denied", since the
// message before it names the file already.
func Plain(err error) string {
	switch e := err.(type) {
	case *fs.PathError:
		return e.Err.Error()
	case *os.LinkError:
		return e.Err.Error()
	case *os.SyscallError:
		return e.Err.Error()
	}
	return err.Error()
}
