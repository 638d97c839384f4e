package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/go-preflight/preflight/cmd/preflight/internal/bulk"
)

// This file is fix --jsonl: one body per line, from standard input or from files.

// fixLines repairs the lines of standard input. A line that cannot be repaired is written
// unchanged; no line is ever lost.
func fixLines(f *fixFlags, std stdio, reports io.Writer) (int, error) {
	forThroughput()
	told := 0
	lines := bulk.Lines{
		Options: &f.options, Jobs: f.jobs, Reports: reports,
		Failed: func(failed bulk.Failure) {
			if told++; told <= maxTold {
				fmt.Fprintf(std.err, "preflight fix: line %d: %v\n", failed.Line, failed.Err)
			}
		},
	}
	count, err := lines.Run(context.Background(), std.input(), std.out)
	if told > maxTold {
		fmt.Fprintf(std.err, "preflight fix: and %d more lines; --report has them all\n",
			told-maxTold)
	}
	switch {
	case err != nil:
		return exitFailed, err
	case count.Failed > 0:
		return exitWrong, nil
	}
	return exitOK, nil
}

// maxTold is how many lines that cannot be repaired are named on standard error.
const maxTold = 20

// forThroughput lets the garbage collector run seldom, unless the environment says how often: the
// memory of a run is bounded, and most of it garbage.
func forThroughput() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// checkBulk returns an error when the flags for files do not fit together.
func (f *fixFlags) checkBulk() error {
	switch {
	case f.jobs < 1:
		return fmt.Errorf("--jobs is a number from 1, not %d", f.jobs)
	case !f.jsonl && (f.output != "" || f.dead != ""):
		return errors.New("--output and --dead-letter are for --jsonl with files")
	case !f.jsonl:
		return nil
	case len(f.files) > 0 && f.output == "":
		return errors.New("with files, --output names the directory for what is written")
	case len(f.files) > 0 && f.report != "":
		return errors.New("with files, reports are written beside the outputs: leave out --report")
	case len(f.files) == 0 && (f.output != "" || f.dead != ""):
		return errors.New("--output and --dead-letter are for files")
	}
	return nil
}

// fixFiles repairs files of lines.
func fixFiles(f *fixFlags, std stdio) int {
	forThroughput()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	run := bulk.Run{
		Lines: bulk.Lines{Options: &f.options, Jobs: f.jobs}, Dir: f.output, DeadLetters: f.dead,
		Version: versionOf(),
	}
	shown := func() {}
	if isTerminal(std.err) && os.Getenv("TERM") != "dumb" {
		progress := bulk.NewProgress(std.err, sizeOf(f.files), time.Now)
		run.Read, shown = progress.Add, progress.End
		run.Skipped = func(_ string, size int64) { progress.Skip(size) }
	}
	count, err := run.Files(ctx, f.files)
	shown()
	if err != nil {
		return std.fail("fix", err, exitFailed)
	}
	fmt.Fprintf(std.err, "%d bodies: %d repaired, %d cannot be repaired\n", count.Lines,
		count.Changed, count.Failed)
	if count.Failed > 0 {
		return exitWrong
	}
	return exitOK
}

// sizeOf returns the bytes of all files; those that cannot be read are reported when they are
// opened.
func sizeOf(files []string) (bytes int64) {
	for _, name := range files {
		if info, err := os.Stat(name); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// defaultJobs returns how many bodies are repaired at once.
func defaultJobs() int { return runtime.GOMAXPROCS(0) }
