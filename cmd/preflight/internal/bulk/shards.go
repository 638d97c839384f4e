package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// This file repairs whole files so that a run that was killed can be started again: the files of a
// shard take their names when it is finished, the marker that says so last.

// The endings of what is written for a shard NAME, beside its output DIR/NAME.
const (
	reportEnding = ".report" // one line of JSON for each body
	deadEnding   = ".dead"   // the lines that cannot be repaired, with Run.DeadLetters
	doneEnding   = ".done"   // the marker
)

// Run is a run over files.
type Run struct {
	Lines // without Reports and Dead
	// Dir is where outputs, reports and markers are written.
	Dir string
	// DeadLetters, unless "", is the file that gets the lines of all shards that cannot be
	// repaired, in place of the outputs.
	DeadLetters string
	// Version is preflight's: a shard that another version finished is repaired again.
	Version string
	// Skipped is called for each file that is finished already, with its size.
	Skipped func(file string, size int64)
}

// marker says that a shard is finished, and of what.
type marker struct {
	Count
	Size     int64           `json:"size"`     // of the input
	Modified time.Time       `json:"modified"` // the input
	Written  int64           `json:"written"`  // size of the output
	Dead     bool            `json:"dead"`     // dead letters are apart
	Version  string          `json:"version"`  // of preflight
	Options  json.RawMessage `json:"options"`
}

// Files repairs files, one after the other, each on all jobs. It is a mistake to run it twice at
// once for the same Dir: the run that began first fails then.
func (r *Run) Files(ctx context.Context, files []string) (Count, error) {
	var total Count
	inputs, err := r.check(files)
	if err != nil {
		return total, err
	}
	if err := os.MkdirAll(r.Dir, 0o777); err != nil {
		return total, err
	}
	if err := r.checkDead(files); err != nil {
		return total, err
	}
	removeUnfinished(r.Dir, r.outputs(files...), inputs)
	if r.DeadLetters != "" {
		removeUnfinished(filepath.Dir(r.DeadLetters), []string{r.DeadLetters}, inputs)
	}
	for _, file := range files {
		count, err := r.shard(ctx, file)
		if err != nil {
			return total, fmt.Errorf("%s: %w", file, err)
		}
		total.Lines += count.Lines
		total.Changed += count.Changed
		total.Failed += count.Failed
	}
	if r.DeadLetters == "" {
		return total, nil
	}
	return total, r.collectDead(files)
}

// check returns what the inputs are, and an error when an output would replace one or another
// output.
func (r *Run) check(files []string) ([]fs.FileInfo, error) {
	inputs, seen := make([]fs.FileInfo, 0, len(files)), map[string]string{}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			return nil, fmt.Errorf("%s is a directory", file)
		}
		for _, name := range r.outputs(file) {
			if other, ok := seen[name]; ok {
				return nil, fmt.Errorf("%s and %s would have the same output", other, file)
			}
			seen[name] = file
		}
		inputs = append(inputs, info)
	}
	written := r.outputs(files...)
	if r.DeadLetters != "" {
		written = append(written, r.DeadLetters)
	}
	for _, name := range written {
		info, err := os.Stat(name)
		if err != nil {
			continue // it is not there yet
		}
		for k, input := range inputs {
			if os.SameFile(info, input) {
				return nil, fmt.Errorf("%s would replace the input %s", name, files[k])
			}
		}
	}
	return inputs, nil
}

// checkDead returns an error when the dead letters could not be written, or would replace an output
// of a shard. The directory of the outputs exists.
func (r *Run) checkDead(files []string) error {
	if r.DeadLetters == "" {
		return nil
	}
	dir, err := os.Stat(filepath.Dir(r.DeadLetters))
	if err != nil {
		return err
	}
	outputs, err := os.Stat(r.Dir)
	if err != nil {
		return err
	}
	dead, err := os.Stat(r.DeadLetters)
	if err == nil && !dead.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", r.DeadLetters)
	}
	beside := os.SameFile(dir, outputs)
	for _, name := range r.outputs(files...) {
		info, missing := os.Stat(name)
		// some file systems do not tell upper case from lower case
		if beside && strings.EqualFold(filepath.Base(name), filepath.Base(r.DeadLetters)) ||
			err == nil && missing == nil && os.SameFile(dead, info) {
			return fmt.Errorf("%s would replace the output %s", r.DeadLetters, name)
		}
	}
	return nil
}

// outputs returns the names of all that a run writes for files.
func (r *Run) outputs(files ...string) []string {
	var names []string
	for _, file := range files {
		out := filepath.Join(r.Dir, filepath.Base(file))
		names = append(names, out, out+reportEnding, out+deadEnding, out+doneEnding)
	}
	return names
}

// shard repairs one file, unless it is finished.
func (r *Run) shard(ctx context.Context, file string) (Count, error) {
	in, err := os.Open(file)
	if err != nil {
		return Count{}, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return Count{}, err
	}
	options, err := json.Marshal(r.Options)
	if err != nil {
		return Count{}, err
	}
	want := marker{
		Size: info.Size(), Modified: info.ModTime().UTC(), Dead: r.DeadLetters != "",
		Version: r.Version, Options: options,
	}
	out := filepath.Join(r.Dir, filepath.Base(file))
	// what comes through a pipe can come once alone
	if done, ok := finished(out, &want); ok && info.Mode().IsRegular() {
		if r.Skipped != nil {
			r.Skipped(file, info.Size())
		}
		return done.Count, nil
	}
	return r.write(ctx, file, in, out, want, info.Mode().IsRegular())
}

// finished returns the marker of a shard that was finished for the same input and options, and of
// which everything is still there.
func finished(out string, want *marker) (done marker, ok bool) {
	data, err := os.ReadFile(out + doneEnding)
	if err != nil || json.Unmarshal(data, &done) != nil {
		return done, false
	}
	if _, err := os.Stat(out + reportEnding); err != nil {
		return done, false
	}
	if _, err := os.Stat(out + deadEnding); want.Dead && err != nil {
		return done, false
	}
	info, err := os.Stat(out)
	return done, err == nil && info.Size() == done.Written && done.Size == want.Size &&
		done.Modified.Equal(want.Modified) && done.Dead == want.Dead &&
		done.Version == want.Version &&
		string(done.Options) == string(want.Options)
}

// write repairs a shard into files that take their names at the end.
func (r *Run) write(
	ctx context.Context, file string, in io.Reader, out string, done marker, marked bool,
) (count Count, err error) {
	if err := os.Remove(out + doneEnding); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return count, err
	}
	var files pending
	defer files.drop()
	fixed := &counted{Writer: files.create(out)}
	lines := r.Lines
	lines.Numbered = true
	lines.Reports = files.create(out + reportEnding)
	if r.DeadLetters != "" {
		lines.Dead = files.create(out + deadEnding)
	}
	if files.err != nil {
		return count, files.err
	}
	if count, err = lines.run(ctx, in, fixed, file); err != nil {
		return count, err
	}
	done.Count, done.Written = count, fixed.written
	data, err := json.Marshal(done)
	if err != nil {
		return count, err
	}
	if err := files.rename(); err != nil {
		return count, err
	}
	if !marked {
		return count, nil
	}
	mark := files.create(out + doneEnding)
	if files.err != nil {
		return count, files.err
	}
	fmt.Fprintf(mark, "%s\n", data)
	return count, files.rename()
}

// collectDead writes the dead letters of all shards into one file, in their order. The last line of
// a shard may have no line end, and gets one when another follows.
func (r *Run) collectDead(files []string) error {
	var all pending
	defer all.drop()
	lines := wholeLines{Writer: all.create(r.DeadLetters)}
	if all.err != nil {
		return all.err
	}
	for _, file := range files {
		part, err := os.Open(filepath.Join(r.Dir, filepath.Base(file)) + deadEnding)
		if err != nil {
			return err
		}
		_, err = io.Copy(&lines, part)
		if err = errors.Join(err, part.Close()); err != nil {
			return err
		}
		lines.endLine = lines.open
	}
	return all.rename()
}

// wholeLines writes files one after the other, each from the start of a line.
type wholeLines struct {
	io.Writer
	open    bool // what was written last is no line end
	endLine bool // before what is written next
}

func (w *wholeLines) Write(p []byte) (int, error) {
	if w.endLine && len(p) > 0 {
		if _, err := io.WriteString(w.Writer, "\n"); err != nil {
			return 0, err
		}
	}
	n, err := w.Writer.Write(p)
	if n > 0 {
		w.open, w.endLine = p[n-1] != '\n', false
	}
	return n, err
}
