// Package bench holds end-to-end benchmarks: whole scripts through the command
// line, in rows per second of CPU time.
//
//	go test ./internal/bench -run '^$' -bench . -benchtime 3x -cpu 1
package bench
