// Package command is the command line of preflight: a file for each subcommand. It is a package of
// its own so that more than one program can be built of it: cmd/preflight, which needs the standard
// library alone, and the one in session/sqlite, which also reads databases.
package command

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// The exit codes of the contract.
const (
	exitOK    = 0
	exitWrong = 1 // cannot be repaired, or violations found
	exitUsage = 2 // usage, or input that is no request
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

var commands = []command{
	{"fix", "[--provider P] [--diff] [--write] [FILE…] < body.json > fixed.json",
		"repair a request body", runFix},
	{"fix --jsonl", "[--jobs N] --output DIR [--dead-letter FILE] FILE…",
		"repair files with one body per line; resume a run that was killed", runFix},
	{"check", "[--provider P] [--json] [FILE…] < body.json",
		"say what the provider would refuse", runCheck},
	{"explain", "[--json] [\"the provider's error text\"]",
		"say which rule an error is about, where, and what fixes it", runExplain},
	{"convert", "[--from A] --to B [--model M] [--report FILE] < body.json > other.json",
		"rewrite a request body for another provider", runConvert},
	{"compact", "--budget N [--strategy S] [--report FILE] < body.json > shorter.json",
		"make a request body fit a number of tokens", runCompact},
	{"repair", "[--write] [--diff] [--html FILE] [FILE|DIR…]",
		"repair the stored sessions of agents", runRepair},
	{"serve", "[--config FILE] [--listen ADDRESS]",
		"run a local gateway that repairs what passes through it", runServe},
	{"rules", "[--provider P] [--json]", "list the provider rules", runRules},
	{"version", "", "print the version", runVersion},
}

// Run runs the subcommand that args begin with, and returns the exit code. What could not be
// written to out is an error, whatever the subcommand does about it.
func Run(args []string, in io.Reader, out, err io.Writer) int {
	written := &output{Writer: out}
	code := run(args, stdio{in, written, err})
	if written.err != nil && code == exitOK {
		fmt.Fprintln(err, "preflight:", written.err)
		return exitWrong
	}
	return code
}

// output is standard output. It keeps the first error of writing.
type output struct {
	io.Writer
	err error
}

// Write writes, and keeps the error.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// fileOf is the file that a stream writes to or reads, nil if it is none.
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
	if name := args[0]; name == "help" || name == "-h" || name == "--help" {
		return help(args[1:], std)
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.run(args[1:], std)
		}
	}
	fmt.Fprintf(err, "preflight: there is no command %q\n\n", args[0])
	usage(err)
	return exitUsage
}

// help prints what the commands are for, or the flags of one.
func help(args []string, std stdio) int {
	if len(args) == 0 {
		usage(std.out)
		return exitOK
	}
	name, _, _ := strings.Cut(args[0], " ") // "fix --jsonl" is a way to call fix
	var found *command
	for _, c := range commands {
		if c.name == name || strings.HasPrefix(c.name, name+" ") {
			fmt.Fprintln(std.out, strings.TrimSpace("preflight "+c.name+" "+c.usage))
			found = &c
		}
	}
	if found == nil {
		fmt.Fprintf(std.err, "preflight: there is no command %q\n", args[0])
		return exitUsage
	}
	return found.run([]string{"-h"}, stdio{std.in, std.out, std.out})
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "preflight checks and repairs the message history of an LLM request body.")
	fmt.Fprintln(w)
	for _, c := range commands {
		fmt.Fprintf(w, "  preflight %-12s %s\n", c.name, c.summary)
	}
	fmt.Fprintln(w, "\nRun preflight help COMMAND for the arguments and flags of a command.")
}

// flags is a flag set that reports its errors and usage on std, with the exit code they mean.
func flags(name string, std stdio) *flag.FlagSet {
	f := flag.NewFlagSet("preflight "+name, flag.ContinueOnError)
	f.SetOutput(std.err)
	return f
}

// parseNamed reads the flags of a command that takes names of files, before and after the names.
// All arguments after "--" are names.
func parseNamed(f *flag.FlagSet, args []string) (names []string, err error) {
	var last []string
	if k := slices.Index(args, "--"); k >= 0 {
		args, last = args[:k], args[k+1:]
	}
	for {
		if err := f.Parse(args); err != nil {
			return nil, err
		}
		if f.NArg() == 0 {
			return append(names, last...), nil
		}
		names, args = append(names, f.Arg(0)), f.Args()[1:]
	}
}

// onStandardInput ends the message about an argument that a command with a body does not take.
const onStandardInput = "; the body comes on standard input"

// parse reads the flags of a command that takes no other arguments. hint ends the message about
// one. done says that the command is over, with code.
func parse(f *flag.FlagSet, args []string, std stdio, hint string) (code int, done bool) {
	switch err := f.Parse(args); {
	case err == flag.ErrHelp:
		return exitOK, true
	case err != nil:
		return exitUsage, true
	case f.NArg() > 0:
		fmt.Fprintf(std.err, "%s takes no argument %q%s\n", f.Name(), f.Arg(0), hint)
		return exitUsage, true
	}
	return 0, false
}

// modulePath is the module whose version is printed: it is the main module of one program, and a
// dependency of the other.
const modulePath = "github.com/go-preflight/preflight"

func runVersion(args []string, std stdio) int {
	if code, done := parse(flags("version", std), args, std, ""); done {
		return code
	}
	version := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
			if m.Path == modulePath && m.Version != "" {
				version = m.Version
			}
		}
	}
	fmt.Fprintln(std.out, "preflight", version)
	return exitOK
}
