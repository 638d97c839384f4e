// Package bulk repairs files of request bodies, one body per line, on all processors.
package bulk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/go-preflight/preflight/internal/batchline"
	"github.com/go-preflight/preflight/wire"
)

// This file repairs a stream of lines, in batches that workers share, and keeps their order.

// Failure says which line cannot be repaired.
type Failure struct {
	Line int // from 1
	Err  error
}

// Lines repairs the bodies of in, one per line, and writes them to out in the same order. The zero
// value of every field but Jobs is ready for use.
type Lines struct {
	// Options are those of every body.
	Options *wire.Options
	// Jobs is how many bodies are repaired at once; less than 1 means 1.
	Jobs int
	// Reports gets a line of JSON for each body: an Outcome, and the number of the line if
	// Numbered.
	Reports io.Writer
	// Numbered adds the member "line" to the reports.
	Numbered bool
	// Dead gets the lines that cannot be repaired. When it is nil, they are written to the output,
	// unchanged.
	Dead io.Writer
	// Failed is called for each line that cannot be repaired, in order.
	Failed func(Failure)
	// Read is called with the number of bytes of each batch when it was written.
	Read func(bytes int)
}

// Count says what was done.
type Count struct {
	Lines   int `json:"lines"` // blank lines are not counted
	Changed int `json:"changed"`
	Failed  int `json:"failed"`
}

// maxBatch is how many bytes of lines a worker takes at once, and more if one line is longer.
const maxBatch = 1 << 18

// batch is some lines and what became of them. The worker that repairs it closes done.
type batch struct {
	first    int // number of the first line
	lines    []byte
	fixed    bytes.Buffer
	reports  bytes.Buffer
	dead     bytes.Buffer
	failures []Failure
	count    Count
	done     chan struct{}
}

// Run repairs all lines. At most 2*Jobs+2 batches are in memory. It stops at the first error of
// reading or writing, or when ctx ends. Compressed input is written compressed.
func (l *Lines) Run(ctx context.Context, in io.Reader, out io.Writer) (Count, error) {
	return l.run(ctx, in, out, "")
}

// run is Run for an input with a name.
func (l *Lines) run(
	ctx context.Context, in io.Reader, out io.Writer, name string,
) (Count, error) {
	in, out, end, err := decompressed(in, out, name)
	if err != nil {
		return Count{}, err
	}
	count, err := l.lines(ctx, in, out)
	return count, errors.Join(err, end())
}

// lines is Run for what is not compressed.
func (l *Lines) lines(ctx context.Context, in io.Reader, out io.Writer) (Count, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs := max(l.Jobs, 1)
	work, ordered := make(chan *batch), make(chan *batch, jobs)
	for range jobs {
		go func() {
			var s wire.Sanitizer
			for b := range work {
				l.repair(ctx, &s, b)
				close(b.done)
			}
		}()
	}
	readFailed := make(chan error, 1)
	go func() {
		err := read(ctx, in, work, ordered)
		readFailed <- err
		close(work)
		close(ordered)
	}()
	w := bufio.NewWriterSize(out, 1<<16)
	var total Count
	for b := range ordered {
		<-b.done
		if ctx.Err() != nil { // bodies of this batch may have been cut short
			return total, errors.Join(context.Cause(ctx), w.Flush())
		}
		if err := l.write(w, b); err != nil {
			return total, err
		}
		if len(ordered) == 0 { // nothing follows yet
			if err := w.Flush(); err != nil {
				return total, err
			}
		}
		total.Lines += b.count.Lines
		total.Changed += b.count.Changed
		total.Failed += b.count.Failed
	}
	return total, errors.Join(<-readFailed, context.Cause(ctx), w.Flush())
}

// read cuts the input into batches. A batch ends early when no more input is there yet, so that a
// line from a pipe does not wait for the next.
func read(ctx context.Context, in io.Reader, work, ordered chan<- *batch) error {
	r := bufio.NewReaderSize(in, 1<<16)
	number := 1
	for {
		b := &batch{first: number, done: make(chan struct{})}
		var err error
		for err == nil && len(b.lines) < maxBatch {
			var line []byte
			line, err = r.ReadBytes('\n')
			b.lines = append(b.lines, line...)
			if len(line) > 0 {
				number++
			}
			if r.Buffered() == 0 && len(b.lines) > 0 {
				break
			}
		}
		if err != nil && err != io.EOF {
			return err
		}
		if len(b.lines) > 0 {
			select {
			case work <- b:
			case <-ctx.Done():
				return nil
			}
			select {
			case ordered <- b:
			case <-ctx.Done():
				return nil
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// repair repairs the lines of a batch.
func (l *Lines) repair(ctx context.Context, s *wire.Sanitizer, b *batch) {
	reports := json.NewEncoder(&b.reports)
	reports.SetEscapeHTML(false)
	number := b.first - 1
	for line := range bytes.Lines(b.lines) {
		number++
		body := bytes.TrimRight(line, "\r\n")
		if len(bytes.TrimSpace(body)) == 0 { // it stays, and has no report
			b.fixed.Write(line)
			continue
		}
		b.count.Lines++
		fixed, result, err := batchline.Sanitize(ctx, s, body, l.Options)
		_ = reports.Encode(l.report(number, wire.OutcomeOf(result, err))) // plain data
		switch {
		case err != nil:
			b.count.Failed++
			b.failures = append(b.failures, Failure{number, err})
			if l.Dead != nil {
				b.dead.Write(line)
				continue
			}
			b.fixed.Write(line)
		case result.Changed:
			b.count.Changed++
			b.fixed.Write(fixed)
			b.fixed.Write(line[len(body):])
		default:
			b.fixed.Write(line)
		}
	}
}

// report returns what is written about a body.
func (l *Lines) report(line int, o wire.Outcome) any {
	if !l.Numbered {
		return o
	}
	return struct {
		Line int `json:"line"`
		wire.Outcome
	}{line, o}
}

// write writes a batch that is done.
func (l *Lines) write(out io.Writer, b *batch) error {
	if l.Failed != nil {
		for _, f := range b.failures {
			l.Failed(f)
		}
	}
	if _, err := out.Write(b.fixed.Bytes()); err != nil {
		return err
	}
	if l.Reports != nil {
		if _, err := l.Reports.Write(b.reports.Bytes()); err != nil {
			return err
		}
	}
	if l.Dead != nil {
		if _, err := l.Dead.Write(b.dead.Bytes()); err != nil {
			return err
		}
	}
	if l.Read != nil {
		l.Read(len(b.lines))
	}
	return nil
}
