package value

import (
	_ "embed"
	"errors"
	"time"
)

// zoneinfo is the time-zone database as Go ships it (lib/time/zoneinfo.zip, in
// the public domain). It is read by us because
// time.LoadLocation asks the environment and the machine's files first: a
// script would give other answers where these are older.
//
//go:embed zonedata/zoneinfo.zip
var zoneinfo string

var errNoZone = errors.New("no such time zone")

// location is a zone of the database: a file of a zip archive without
// compression. Only the list at the archive's end is read to find it, for one
// zone in a run is the rule.
func location(name string) (*time.Location, error) {
	const (
		endSize, headerSize, localSize = 22, 46, 30
		countAt, listAt                = 10, 16 // in the end record
		sizeAt, lengthsAt, fileAt      = 24, 28, 42
		localLengthsAt                 = 26
	)
	u16 := func(at int) int { return int(zoneinfo[at]) | int(zoneinfo[at+1])<<8 }
	u32 := func(at int) int { return u16(at) | u16(at+2)<<16 }
	end := len(zoneinfo) - endSize
	at := u32(end + listAt)
	for range u16(end + countAt) {
		n := u16(at + lengthsAt)
		if zoneinfo[at+headerSize:at+headerSize+n] == name {
			file := u32(at + fileAt)
			file += localSize + u16(file+localLengthsAt) + u16(file+localLengthsAt+2)
			return time.LoadLocationFromTZData(name, []byte(zoneinfo[file:file+u32(at+sizeAt)]))
		}
		at += headerSize + n + u16(at+lengthsAt+2) + u16(at+lengthsAt+4)
	}
	return nil, errNoZone
}
