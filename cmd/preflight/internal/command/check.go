package command

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/internal/batchline"
	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/wire"
)

// providerHelp is the help of --provider.
const providerHelp = "format and rules of the body; preflight help providers lists them " +
	"(default: detected)"

// providersHelp prints what --provider, --from and --to take.
func providersHelp(w io.Writer) {
	fmt.Fprintf(w, "The formats, and the hosts that speak one with rules of their own:\n\n  %s\n\n"+
		"--provider also takes a vendor, whose rules are those of the format that the body shows:\n\n"+
		"  %s\n", strings.Join(wire.Providers(), "\n  "), strings.Join(wire.Vendors(), "\n  "))
}

// portableHelp is the help of --portable.
const portableHelp = "use the rules that suit every provider: consecutive messages of one role " +
	"merged, a user message first, nothing empty"

// checker prints what is wrong with bodies.
type checker struct {
	options wire.Options
	json    bool
	lines   bool
	verbose bool // print what was left because of a member, too
	std     stdio
}

// runCheck checks bodies. Exit 0: nothing is wrong. 1: something is, or, with --jsonl, a line is no
// request. 2: usage, or input that is no request.
func runCheck(args []string, std stdio) int {
	c := checker{std: std}
	set := flags("check")
	set.StringVar(&c.options.Provider, "provider", "", providerHelp)
	to := set.String("url", "", urlHelp)
	set.StringVar(&c.options.Model, "model", "",
		"model whose rules apply (default: the one the body names)")
	profileFlag(set, &c.options.Measured)
	set.BoolVar(&c.options.Portable, "portable", false, portableHelp)
	set.BoolVar(&c.json, "json", false, "print the violations as JSON")
	set.BoolVar(&c.lines, "jsonl", false,
		"one body per input line, or a line of a batch API; with --json, one line of output for each")
	set.BoolVar(&c.verbose, "v", false,
		"also print what is left because of a member whose meaning is not known")
	names, code, done := parse(set, args, std, anyNumber)
	if done {
		return code
	}
	if err := chooseByURL(&c.options, *to); err != nil {
		return std.fail("check", err, exitUsage)
	}
	if len(names) == 0 {
		names = []string{""}
	}
	for _, name := range names {
		code = max(code, c.file(name))
	}
	return code
}

// file checks the body or, with --jsonl, the bodies in a file. Without a name it is standard input,
// and what is printed names no file.
func (c *checker) file(name string) int {
	if c.lines {
		return c.eachLine(name)
	}
	body, err := readBody(c.std, name)
	if err != nil {
		return c.std.fail("check", inFile(name, err), exitUsage)
	}
	found, err := wire.Check(body, &c.options)
	if err != nil {
		return c.std.fail("check", inFile(name, storedHint(err, body)), exitUsage)
	}
	return c.print(found, checked{File: name})
}

// eachLine checks the bodies on the lines of a file. Blank lines are skipped.
func (c *checker) eachLine(name string) int {
	var in io.Reader
	if isStdin(name) {
		in = c.std.input()
	} else {
		file, err := os.Open(name)
		if err != nil {
			return c.std.fail("check", inFile(name, err), exitUsage)
		}
		defer file.Close()
		in = file
	}
	code, lines := exitOK, bufio.NewReader(in)
	for n := 1; ; n++ {
		line, end := lines.ReadBytes('\n')
		if body := bytes.TrimSpace(line); len(body) > 0 {
			code = max(code, c.line(body, checked{File: name, Line: n}))
		}
		switch {
		case end == io.EOF:
			return code
		case end != nil:
			return c.std.fail("check", inFile(name, end), exitUsage)
		}
	}
}

// line checks the body on a line.
func (c *checker) line(body []byte, at checked) int {
	found, err := batchline.Check(body, &c.options)
	if err == nil {
		return c.print(found, at)
	}
	if c.json {
		at.Error = err.Error()
		c.printJSON(at)
	}
	return c.std.fail("check", fmt.Errorf("%s %w", at.place(), err), exitWrong)
}

// checked is what was found in a body. File and Line say where that is.
type checked struct {
	File       string           `json:"file,omitempty"`
	Line       int              `json:"line,omitempty"`
	Provider   string           `json:"provider"`
	Model      string           `json:"model"`
	Violations []wire.Violation `json:"violations"`
	Left       []wire.Violation `json:"left,omitempty"`
	Error      string           `json:"error,omitempty"` // why the line is no request
}

// place returns what a line about the body begins with: "FILE:LINE:", as far as they are known.
func (at *checked) place() string {
	place := ""
	if at.File != "" {
		place = at.File + ":"
	}
	if at.Line > 0 {
		place += strconv.Itoa(at.Line) + ":"
	}
	return place
}

// print prints one line per violation (path, rule id, message, with tabs between), or all as one
// JSON object.
func (c *checker) print(found *wire.Report, at checked) int {
	if c.json {
		at.Provider, at.Model = found.Provider, shorten.Name(found.Model)
		at.Violations, at.Left = found.Violations, found.Left
		c.printJSON(at)
	} else {
		for _, v := range found.Violations {
			fmt.Fprintf(c.std.out, "%s%s\t%s\t%s\n", at.place(), v.Path, v.Rule, v.Detail)
		}
		if c.verbose {
			tellLeft(c.std.out, at.place(), found.Left)
		}
	}
	if len(found.Violations) > 0 {
		return exitWrong
	}
	return exitOK
}

func (c *checker) printJSON(at checked) {
	if at.Violations == nil {
		at.Violations = []wire.Violation{}
	}
	_ = printJSON(c.std.out, at, "") // Run says what could not be written
}
