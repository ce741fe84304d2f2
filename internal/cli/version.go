package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
)

// Version of fsql; Dialect is the version of Flink whose SQL it speaks.
const (
	Version = "0.1.0"
	Dialect = "2.3.0"
)

func printVersion(_ context.Context, st Streams, o *options, _ []string) error {
	commit := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = s.Value
			}
		}
	}
	if o.jsonAsked() {
		b, err := json.Marshal(map[string]string{"version": Version, "flink": Dialect, "commit": commit,
			"go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(st.Out, "%s\n", b)
		return err
	}
	_, err := fmt.Fprintln(st.Out, versionLine())
	return err
}

func versionLine() string {
	return fmt.Sprintf("fsql %s, dialect of Flink %s, %s %s/%s", Version, Dialect, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
