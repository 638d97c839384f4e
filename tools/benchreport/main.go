// Benchreport reads the output of the benchmarks and writes what it says about the targets of speed
// into docs/performance.md, with a picture beside it, and all figures into figures.md in its own
// folder. The tables have ratios of two passes of one run, which mean the same on any machine.
//
//	go run -C tools ./benchreport -write ../docs/performance.md,benchreport/figures.md \
//		../bench.out ../peers.out
//
// The arguments are files with lines of go test -bench, and of go tool pprof -top after "profile
// NAME: "; without any, standard input is read. The Makefile shows which benchmarks are meant. A
// table of which nothing was measured stays as it was.
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
	write := flag.String("write", "", "the files whose generated parts are to be replaced, "+
		"with commas; the picture is written beside the first")
	growth := flag.Bool("growth", false, "write only what grew too fast")
	flag.Parse()
	if err := runFiles(flag.Args(), os.Stdout, *write, *growth); err != nil {
		fmt.Fprintln(os.Stderr, "benchreport:", err)
		os.Exit(1)
	}
}

// runFiles is run on the files, one after the other, or on standard input.
func runFiles(files []string, out io.Writer, write string, growth bool) error {
	if len(files) == 0 {
		return run(os.Stdin, out, write, growth)
	}
	var all bytes.Buffer
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		all.Write(data)
	}
	return run(&all, out, write, growth)
}

func run(in io.Reader, out io.Writer, write string, growth bool) error {
	r, err := read(in)
	if err != nil {
		return err
	}
	if growth {
		return r.tooFast(out)
	}
	if write == "" {
		for _, s := range sections {
			fmt.Fprintf(out, "\n## %s\n\n", s.name)
			var b bytes.Buffer
			s.write(r, &b)
			if _, err := out.Write(b.Bytes()); err != nil {
				return err
			}
		}
		return nil
	}
	files := strings.Split(write, ",")
	if err := r.replaceSections(files, os.Stderr); err != nil {
		return err
	}
	picture := strings.TrimSuffix(files[0], filepath.Ext(files[0])) + ".svg"
	return os.WriteFile(picture, r.picture(), 0o644)
}

// figures are what one benchmark measured, by unit: the least of all its runs, which the machine's
// other work disturbed least.
type figures map[string]float64

// results are the figures by the benchmark's name, without its prefix and the number of processors.
type results struct {
	cpu      string
	of       map[string]figures
	profiles map[string]profile
}

var line = regexp.MustCompile(
	`^Benchmark(Memory|Wire|Session|Peak|Format|Footprint|Gateway|Peer|Repair|Reader)` +
		`(/\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// read collects the figures from the output of go test -bench. Lines of other benchmarks are passed
// over.
func read(in io.Reader) (*results, error) {
	r := &results{of: make(map[string]figures), profiles: make(map[string]profile)}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "cpu: "); ok {
			r.cpu = name
		}
		if text, ok := strings.CutPrefix(lines.Text(), "profile "); ok {
			r.readProfile(text)
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
			if have, ok := f[fields[k+1]]; !ok || v < have {
				f[fields[k+1]] = v
			}
		}
	}
	if len(r.of) == 0 {
		return nil, fmt.Errorf("no results of benchmarks in the input; " +
			"it should be the output of go test -bench")
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

// measured reports whether there is a result of a benchmark.
func (r *results) measured(format string, args ...any) bool {
	return r.of[fmt.Sprintf(format, args...)] != nil
}
