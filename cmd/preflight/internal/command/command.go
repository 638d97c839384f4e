// Package command is the command line of preflight: a file for each subcommand.
package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/nearest"
)

// The exit codes of the contract.
const (
	exitOK    = 0
	exitWrong = 1 // cannot be repaired, or violations found
	exitUsage = 2 // usage, or input that is no request
	// exitFailed is for runs over many bodies, of which some may be done: reading or writing
	// failed.
	exitFailed = 3
)

// command is one subcommand.
type command struct {
	name    string
	usage   string
	summary string
	run     func(args []string, std stdio) int
}

type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// commands lists the subcommands. It is a function because what it lists uses the list.
func commands() []command {
	return []command{
		{"fix", "[--provider P] [--diff] [--check] [-w] [FILE…] < body.json > fixed.json",
			"repair a request body", runFix},
		{"fix --jsonl", "[--jobs N] --output DIR [--dead-letter FILE] FILE…",
			"repair files with one body per line; resume a run that was killed", runFix},
		{"check", "[--provider P] [--json] [--jsonl] [FILE…] < body.json",
			"say what the provider would refuse", runCheck},
		{"explain", "[--body FILE] [--json] [\"the provider's error text\"|RULE]",
			"say which rule an error is about, where, and what fixes it", runExplain},
		{"convert", "[--from A] --to B [--model M] [--report FILE] [FILE] < body.json > other.json",
			"rewrite a request body for another provider", runConvert},
		{"compact", "--budget N [--strategy S] [--report FILE] [FILE] < body.json > shorter.json",
			"make a request body fit a number of tokens", runCompact},
		{"repair", "[--write] [--diff] [--html FILE] [FILE|DIR…]",
			"repair the stored sessions of agents", runRepair},
		{"serve", "[--config FILE] [--listen ADDRESS]",
			"run a local gateway that repairs what passes through it", runServe},
		{"extproc", "[--listen ADDRESS] [--host NAME=HOST]",
			"run the external processor for Envoy, a program of its own", runExtproc},
		{"probe", "--url URL --model M [--key-env VAR] [--out FILE] | --template FILE",
			"measure which rules a server, or a chat template, enforces", runProbe},
		{"compare", "--provider P --exec COMMAND [--json]",
			"measure a sanitizer of your own beside preflight", runCompare},
		{"compare-versions", "OLD NEW --bodies FILE",
			"say which of your own bodies two versions treat differently", runCompareVersions},
		{"replay", "LOGLINE|ID|- --samples FILE|DIR",
			"show what was done with a request that serve has logged", runReplay},
		{"rules", "[--provider P] [--json] [RULE]", "list the provider rules", runRules},
		{"version", "", "print the version", runVersion},
		{"completion", "bash|zsh|fish", "print a script that completes commands and flags",
			runCompletion},
	}
}

// Run runs the subcommand that args begin with, and returns the exit code. What could not be
// written to out is an error, whatever the subcommand does about it.
func Run(args []string, in io.Reader, out, err io.Writer) int {
	written := &output{Writer: out}
	code := run(args, stdio{in, written, err})
	if written.err == nil {
		return code
	}
	if !written.told {
		fmt.Fprintln(err, "preflight:", written.err)
	}
	return max(code, exitWrong)
}

// output is standard output. It keeps the first error of writing.
type output struct {
	io.Writer
	err  error
	told bool // the command has said it
}

// Write writes, and keeps the error.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// written returns the first error of writing to standard output.
func (s stdio) written() error {
	if o, ok := s.out.(*output); ok {
		return o.err
	}
	return nil
}

// fail says what went wrong in a command, and returns the exit code.
func (s stdio) fail(command string, err error, code int) int {
	fmt.Fprintf(s.err, "preflight %s: %v\n", command, err)
	if o, ok := s.out.(*output); ok && o.err != nil && errors.Is(err, o.err) {
		o.told = true
	}
	return code
}

// fileOf returns the file that a stream writes to or reads, nil if it is none.
func fileOf(stream any) *os.File {
	if o, ok := stream.(*output); ok {
		stream = o.Writer
	}
	file, _ := stream.(*os.File)
	return file
}

func run(args []string, std stdio) int {
	err := std.err
	if len(args) == 0 {
		usage(err)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		return help(args[1:], std)
	case "-version", "--version":
		return runVersion(args[1:], std)
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(args[1:], std)
		}
	}
	noCommand(err, args[0])
	return exitUsage
}

// noCommand says that there is no command with a name, and which one may be meant.
func noCommand(w io.Writer, name string) {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	fmt.Fprintf(w, "preflight: there is no command %q%s; preflight help lists them\n", name,
		meant(nearest.Name(name, names)))
}

// meant asks whether one of these names was meant.
func meant(names ...string) string {
	if len(names) == 0 || names[0] == "" {
		return ""
	}
	const most = 8 // a list of all providers' rules of one name helps nobody
	names = names[:min(len(names), most)]
	return " (did you mean " + strings.Join(names, ", ") + "?)"
}

// help prints what the commands are for, or the flags of one.
func help(args []string, std stdio) int {
	if len(args) == 0 {
		usage(std.out)
		return exitOK
	}
	if args[0] == "providers" {
		providersHelp(std.out)
		return exitOK
	}
	name, _, _ := strings.Cut(args[0], " ") // "fix --jsonl" is a way to call fix
	for _, c := range commands() {
		if c.name == name {
			return c.run([]string{"-h"}, std)
		}
	}
	noCommand(std.err, args[0])
	return exitUsage
}

// printSynopses prints how a command is called.
func printSynopses(w io.Writer, name string) {
	for _, c := range commands() {
		if c.name == name || strings.HasPrefix(c.name, name+" ") {
			fmt.Fprintln(w, strings.TrimSpace("preflight "+c.name+" "+c.usage))
		}
	}
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "preflight checks and repairs the message history of an LLM request body.")
	fmt.Fprintln(w)
	for _, c := range commands() {
		fmt.Fprintf(w, "  preflight %-16s %s\n", c.name, c.summary)
	}
	fmt.Fprintln(w, "\nRun preflight help COMMAND for the arguments and flags of a command, and preflight "+
		"help\nproviders for the names of providers.")
	fmt.Fprintln(w, "\nExit codes: 0 all is well; 1 violations, differences or what cannot be "+
		"repaired;\n2 wrong usage, or input that is no request; 3 a run of fix --jsonl that failed.")
}

// flags returns a flag set for parseFlags, which reports what is wrong.
func flags(name string) *flag.FlagSet {
	f := flag.NewFlagSet("preflight "+name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// Package flag writes one hyphen before each name. These match the names of more than one letter,
// in a list of flags and in an error.
var (
	listedFlag = regexp.MustCompile(`(?m)^  -(\w[\w-])`)
	toldFlag   = regexp.MustCompile(`(not defined: |an argument: |for flag )-(\w[\w-])`)
)

// parseFlags reads flags up to the first other argument. A wrong one is one line on standard error.
// The usage is printed for those who ask for it, on standard output.
func parseFlags(f *flag.FlagSet, args []string, std stdio) error {
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		printSynopses(std.out, strings.TrimPrefix(f.Name(), "preflight "))
		var list bytes.Buffer
		f.SetOutput(&list)
		f.PrintDefaults()
		f.SetOutput(io.Discard)
		std.out.Write(listedFlag.ReplaceAll(list.Bytes(), []byte("  --$1"))) // Run says if it failed
	case err != nil:
		text := toldFlag.ReplaceAllString(err.Error(), "$1--$2")
		fmt.Fprintf(std.err, "%s: %s%s; preflight help %s lists the flags\n", f.Name(), text,
			meantFlag(f, err),
			strings.TrimPrefix(f.Name(), "preflight "))
	}
	return err
}

// meantFlag asks whether another flag was meant than the one that an error says is not defined.
func meantFlag(f *flag.FlagSet, err error) string {
	_, name, unknown := strings.Cut(err.Error(), "not defined: -")
	if !unknown {
		return ""
	}
	var names []string
	f.VisitAll(func(one *flag.Flag) { names = append(names, one.Name) })
	if name = nearest.Name(strings.TrimLeft(name, "-"), names); name == "" {
		return ""
	}
	return meant("--" + name)
}

// parseNamed reads the flags of a command that takes names of files, before and after the names.
// All arguments after "--" are names.
func parseNamed(f *flag.FlagSet, args []string, std stdio) (names []string, err error) {
	var last []string
	if k := slices.Index(args, "--"); k >= 0 {
		args, last = args[:k], args[k+1:]
	}
	for {
		if err := parseFlags(f, args, std); err != nil {
			return nil, err
		}
		if f.NArg() == 0 {
			return append(names, last...), nil
		}
		names, args = append(names, f.Arg(0)), f.Args()[1:]
	}
}

// anyNumber is how many arguments a command takes that takes as many as there are.
const anyNumber = math.MaxInt

// parse reads the flags of a command that takes at most this many other arguments. done says that
// the command is over, with code.
func parse(
	f *flag.FlagSet, args []string, std stdio, most int,
) (names []string, code int, done bool) {
	names, err := parseNamed(f, args, std)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil, exitOK, true
	case err != nil:
		return nil, exitUsage, true
	case len(names) > most:
		fmt.Fprintf(std.err, "%s takes no argument %q\n", f.Name(), names[most])
		return nil, exitUsage, true
	}
	return names, 0, false
}

// isStdin reports whether a name is that of standard input.
func isStdin(name string) bool { return name == "" || name == "-" }

// readBody reads the body in the file with the one name given, or on standard input.
func readBody(std stdio, name ...string) ([]byte, error) {
	if len(name) == 0 || isStdin(name[0]) {
		return io.ReadAll(std.input())
	}
	return os.ReadFile(name[0])
}

// input is standard input. Whoever has typed the command at a terminal is told that it is read.
func (s stdio) input() io.Reader {
	if isTerminal(s.in) {
		fmt.Fprintln(s.err, "reading standard input")
	}
	return s.in
}

// inFile returns an error about a file, which it names once. Without a name it is err.
func inFile(name string, err error) error {
	if name == "" {
		return err
	}
	//nolint:errorlint // a wrapped one says more
	if of, ok := err.(*fs.PathError); ok && of.Path == name {
		err = of.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// printJSON writes a value as JSON: on one line, or with an indent on several.
func printJSON(w io.Writer, v any, indent string) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(v)
}

// modulePath is the module whose version is printed: it is the main module of one program, and a
// dependency of the other.
const modulePath = "github.com/go-preflight/preflight"

func runVersion(args []string, std stdio) int {
	if _, code, done := parse(flags("version"), args, std, 0); done {
		return code
	}
	fmt.Fprintln(std.out, "preflight", versionOf())
	return exitOK
}

// versionOf returns the version of preflight in this program.
func versionOf() string {
	version := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
			if m.Path == modulePath && m.Version != "" {
				version = m.Version
			}
		}
	}
	return version
}
