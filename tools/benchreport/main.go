// Benchreport reads the output of the benchmarks on standard input and writes what it says about
// the targets of speed into docs/performance.md, and a picture beside it: every figure is a ratio
// of two passes of one run, so that it means the same on any machine.
//
//	go test -run '^$' -bench 'Memory|Wire|Session|Format' . ./wire |
//		go run -C tools ./benchreport -write ../docs/performance.md
//
// BenchmarkPeak has its column, too, when its output is there; it is run by itself, with
// GODEBUG=gcstoptheworld=1.
//
// Without -write the tables go to standard output. With -growth only what grew faster than it may
// is written, one line each; the exit code is 0 all the same, since a busy machine must not fail
// a build, and 1 only when there is nothing to judge.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

func main() {
	write := flag.String("write", "", "the file whose generated part is to be replaced")
	growth := flag.Bool("growth", false, "write only what grew too fast")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *write, *growth); err != nil {
		fmt.Fprintln(os.Stderr, "benchreport:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, write string, growth bool) error {
	r, err := read(in)
	if err != nil {
		return err
	}
	if growth {
		return r.tooFast(out)
	}
	var b bytes.Buffer
	r.report(&b)
	if write == "" {
		_, err = out.Write(b.Bytes())
		return err
	}
	picture := strings.TrimSuffix(write, filepath.Ext(write)) + ".svg"
	if err := os.WriteFile(picture, r.picture(), 0o644); err != nil {
		return err
	}
	return replace(write, b.Bytes())
}

// figures are what one benchmark measured, by unit: the least of all its runs, which the machine's
// other work disturbed least.
type figures map[string]float64

// results are the figures by the benchmark's name, without its prefix and the number of processors.
type results struct {
	cpu string
	of  map[string]figures
}

var line = regexp.MustCompile(
	`^Benchmark(Memory|Wire|Session|Peak|Format)(/\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// read collects the figures from the output of go test -bench. Lines of other benchmarks are passed
// over.
func read(in io.Reader) (*results, error) {
	r := &results{of: make(map[string]figures)}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "cpu: "); ok {
			r.cpu = name
		}
		m := line.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		f := r.of[m[1]+m[2]]
		if f == nil {
			f = make(figures)
			r.of[m[1]+m[2]] = f
		}
		fields := strings.Fields(m[3])
		for k := 0; k+1 < len(fields); k += 2 {
			v, err := strconv.ParseFloat(fields[k], 64)
			if err != nil {
				return nil, fmt.Errorf("no number in %q", lines.Text())
			}
			if have, ok := f[fields[k+1]]; !ok || v < have && fields[k+1] != "MB/s" {
				f[fields[k+1]] = v
			}
		}
	}
	if len(r.of) == 0 {
		return nil, fmt.Errorf("no results of BenchmarkMemory, BenchmarkWire or BenchmarkSession " +
			"in the input; pipe the output of go test -bench into it")
	}
	return r, lines.Err()
}

// time is the processor time of a pass, or the time that passed where that is not known; 0 when it
// was not measured.
func (r *results) time(format string, args ...any) float64 {
	f := r.of[fmt.Sprintf(format, args...)]
	if cpu := f["cpu-ns/op"]; cpu > 0 {
		return cpu
	}
	return f["ns/op"]
}

func (r *results) unit(unit, format string, args ...any) float64 {
	return r.of[fmt.Sprintf(format, args...)][unit]
}

// session writes what a session of many requests costs, in all and as a share of encoding its
// requests.
func (r *results) session(b *bytes.Buffer) {
	encoding := r.time("Session/marshal")
	if encoding == 0 {
		return
	}
	fmt.Fprintf(b,
		"\n### All requests of a session\n\n%.0f requests together, each of them two messages "+
			"longer than the one before.\n\n", r.unit("turns", "Session/marshal"))
	b.WriteString("| | seconds | ÷ encoding |\n|---|--:|--:|\n")
	for _, row := range []struct{ pass, what string }{
		{"marshal", "encode every request with encoding/json, from structs as an SDK has them"},
		{"memory", "Sanitize the whole history for every request"},
		{"wire", "wire.Sanitize every body"},
	} {
		t := r.time("Session/%s", row.pass)
		fmt.Fprintf(b, "| %s | %.2f | %.2f |\n", row.what, t/1e9, t/encoding)
	}
}

// grown is how many times as long ten times the messages take, and how many it may be.
type grown struct {
	name        string
	times, most float64
}

func (r *results) growth() []grown {
	var out []grown
	add := func(name string, most float64) {
		small, large := r.time("%s/1000/sanitize", name), r.time("%s/10000/sanitize", name)
		if small > 0 && large > 0 {
			out = append(out, grown{name, large / small, most})
		}
	}
	for _, shape := range shapes {
		add("Memory/"+shape, 25)
	}
	for _, body := range bodies {
		add("Wire/"+body, 12)
	}
	return out
}

// tooFast writes what grew faster than it may.
func (r *results) tooFast(out io.Writer) error {
	all := r.growth()
	if len(all) == 0 {
		return fmt.Errorf("nothing was measured at both 1,000 and 10,000 messages")
	}
	for _, g := range all {
		if g.times > g.most {
			fmt.Fprintf(out, "%s: ten times the messages take %.1f times as long, more than %.0f\n",
				g.name, g.times, g.most)
		}
	}
	return nil
}

const (
	begin = "<!-- measured: generated by make bench-report -->\n"
	end   = "<!-- end of measured -->\n"
)

// replace puts text between the marks of a file.
func replace(path string, text []byte) error {
	was, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(was), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s lacks the marks %q and %q", path, strings.TrimSpace(begin),
			strings.TrimSpace(end))
	}
	return os.WriteFile(path, []byte(head+begin+"\n"+string(text)+"\n"+end+tail), 0o644)
}
