// Package filesystem reads and writes files and folders: Flink's filesystem
// connector with row formats. One file is one split.
package filesystem

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"fsql/connector"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/types"
)

// Connector returns the filesystem connector.
func Connector() *connector.Connector {
	return &connector.Connector{
		Name:      "filesystem",
		Formatted: true,
		Options:   options(),
		Metadata:  metadata(),
		Source:    newSource,
		Sink:      newSink,
	}
}

const noSuchSetting = "Has no effect: fsql decides by itself."

func options() *option.Set {
	return &option.Set{Defs: []option.Def{
		{Key: "path", Type: option.String, Required: true, Doc: "The file to read, or the folder to read or write; relative to the script."},
		{Key: "source.monitor-interval", Type: option.Duration, Doc: "List the folder again at this interval, for ever. Every path is read once."},
		{Key: "source.path.regex-pattern", Type: option.String, Doc: "Read only the files whose whole path matches."},
		{Key: "source.report-statistics", Type: option.Enum, Choices: []string{"ALL", "NONE"}, Default: "ALL", Doc: noSuchSetting, Ignored: true},
		{Key: "partition.default-name", Type: option.String, Default: "__DEFAULT_PARTITION__", Doc: "Folder of rows whose partition value is NULL or empty."},
		{Key: "sink.rolling-policy.file-size", Type: option.Bytes, Default: "128 mb", Doc: "A file is closed when it is larger."},
		{Key: "sink.rolling-policy.rollover-interval", Type: option.Duration, Default: "30 min", Doc: "A file is closed when it was open that long."},
		{Key: "sink.rolling-policy.inactivity-interval", Type: option.Duration, Default: "30 min", Doc: "A file is closed when nothing came that long."},
		{Key: "sink.rolling-policy.check-interval", Type: option.Duration, Default: "1 min", Doc: "How often the intervals are checked."},
		{Key: "auto-compaction", Type: option.Bool, Default: "false", Doc: "Merge the files of one checkpoint."},
		{Key: "compaction.file-size", Type: option.Bytes, Doc: "Size of merged files."},
		{Key: "compaction.parallelism", Type: option.Int, Doc: noSuchSetting, Ignored: true},
		{Key: "sink.parallelism", Type: option.Int, Doc: "Number of writers; default: that of the query."},
		{Key: "sink.shuffle-by-partition.enable", Type: option.Bool, Default: "false", Doc: noSuchSetting, Ignored: true},
		{Key: "sink.partition-commit.trigger", Type: option.Enum, Choices: []string{"process-time", "partition-time"}, Default: "process-time", Doc: "What commits a partition."},
		{Key: "sink.partition-commit.delay", Type: option.Duration, Default: "0 s", Doc: "How long after its time a partition is committed."},
		{Key: "sink.partition-commit.watermark-time-zone", Type: option.String, Default: "UTC", Doc: "Zone of partition times."},
		{Key: "sink.partition-commit.policy.kind", Type: option.String, Doc: "What a commit does: success-file."},
		{Key: "sink.partition-commit.policy.class", Type: option.String, Doc: "A Java class; fsql has none."},
		{Key: "sink.partition-commit.success-file.name", Type: option.String, Default: "_SUCCESS", Doc: "Name of the file that marks a committed partition."},
		{Key: "partition.time-extractor.kind", Type: option.String, Default: "default", Doc: "How a partition's time is found."},
		{Key: "partition.time-extractor.class", Type: option.String, Doc: "A Java class; fsql has none."},
		{Key: "partition.time-extractor.timestamp-pattern", Type: option.String, Doc: "Partition columns that make a timestamp: '$dt $hour:00:00'."},
		{Key: "partition.time-extractor.timestamp-formatter", Type: option.String, Doc: "Pattern of that timestamp."},
	}}
}

// metadata are the columns a file offers besides its rows.
func metadata() []types.Column {
	return []types.Column{
		{Name: "file.path", Type: types.String().NotNull()},
		{Name: "file.name", Type: types.String().NotNull()},
		{Name: "file.size", Type: types.Of(types.BigInt).NotNull()},
		{Name: "file.modification-time", Type: types.TimestampLTZOf(3).NotNull()},
	}
}

// clock is the table's, or the system's.
func clock(t *connector.Table) func() types.Time {
	if t.Clock != nil {
		return t.Clock
	}
	return func() types.Time { return types.Time(time.Now().UnixMilli()) }
}

// location is the path of a table on this machine.
func location(t *connector.Table) (string, error) {
	path := t.Options.String("path")
	if scheme, _, found := strings.Cut(path, "://"); found || strings.HasPrefix(path, "file:") {
		u, err := url.Parse(path)
		if err != nil || u.Scheme != "file" {
			return "", diag.New(diag.NotImplemented, diag.Span{}, "the file system '%s' of path '%s' is not implemented yet", scheme, path).
				WithHint("local paths and file:// work")
		}
		path = u.Path
	}
	if path == "" {
		return "", diag.New(diag.BadOption, diag.Span{}, "the option 'path' of table '%s' is empty", t.Name)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(t.Dir, path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", &diag.Error{Code: diag.InputOutput, Msg: "the path '" + path + "' cannot be resolved", Cause: err}
	}
	return abs, nil
}

func missing(t *connector.Table, path string) error {
	e := diag.New(diag.NoSuchFile, diag.Span{}, "path '%s' of table '%s' does not exist", t.Options.String("path"), t.Name)
	dir, name := filepath.Split(path)
	if entries, err := os.ReadDir(dir); err == nil {
		var names []string
		for _, f := range entries {
			names = append(names, f.Name())
		}
		if near := diag.Nearest(name, names); near != "" {
			e.WithLabel("did you mean '%s'?", near)
		}
	}
	return e.WithHint("it was looked for at %s; relative paths start at the script's folder", path)
}

// pattern compiles source.path.regex-pattern, which must match a whole path.
func pattern(t *connector.Table) (*regexp.Regexp, error) {
	text := t.Options.String("source.path.regex-pattern")
	if text == "" {
		return nil, nil
	}
	re, err := regexp.Compile("^(?:" + text + ")$")
	if err != nil {
		return nil, diag.New(diag.BadOption, diag.Span{}, "'source.path.regex-pattern' of table '%s' is no pattern that fsql can use: %v", t.Name, err)
	}
	return re, nil
}
