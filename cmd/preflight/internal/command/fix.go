package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/stored"
	"github.com/go-preflight/preflight/wire"
)

// fixFlags are the flags of fix.
type fixFlags struct {
	options    wire.Options
	url        string
	report     string
	jsonl      bool
	persist    bool
	resume     bool
	untrusted  bool
	dangling   string
	orphans    string
	duplicates string
	maxString  int
	jobs       int
	output     string
	dead       string
	diff       bool
	check      bool
	write      bool
	verbose    bool
	files      []string
}

func (f *fixFlags) register(set *flag.FlagSet) {
	set.StringVar(&f.options.Provider, "provider", "", providerHelp)
	set.StringVar(&f.url, "url", "", urlHelp)
	set.StringVar(&f.options.Model, "model", "",
		"model whose rules apply (default: the one the body names)")
	profileFlag(set, &f.options.Measured)
	set.BoolVar(&f.options.Portable, "portable", false, portableHelp)
	set.StringVar(&f.report, "report", "",
		"write a JSON report of every change to `FILE` (-: standard error)")
	set.BoolVar(&f.jsonl, "jsonl", false,
		"one body per input line, one per output line, reports one per line")
	set.StringVar(&f.dangling, "dangling", "remove", "calls without a result: remove or answer")
	set.StringVar(&f.orphans, "orphans", "remove",
		"results without a call: remove, or keep as text")
	set.StringVar(&f.duplicates, "duplicates", "merge",
		"different results of one call: merge, or keep the first or the last")
	set.BoolVar(&f.persist, "persist", false,
		"also strip per-response metadata and shorten provider-executed payloads, for storage")
	set.BoolVar(&f.resume, "resume", false,
		"also strip system messages, for a session whose framework injects its own")
	set.BoolVar(&f.untrusted, "untrusted", false,
		"strangers wrote the messages: keep text, and media that are inline or at https addresses")
	set.IntVar(&f.maxString, "max-string", 0,
		"shorten strings in provider-executed results to `N` UTF-16 units (0: leave them)")
	set.BoolVar(&f.diff, "diff", false,
		"print the messages that differ, not the body; exit with 1 if any do")
	set.BoolVar(&f.check, "check", false,
		"print the names of the files that would change; exit with 1 if any would")
	set.BoolVar(&f.write, "write", false, "write the repaired body to each FILE")
	set.BoolVar(&f.write, "w", false, "the same as --write")
	set.BoolVar(&f.verbose, "v", false, "print each change on a line of standard error")
	set.IntVar(&f.jobs, "jobs", defaultJobs(), "with --jsonl: repair `N` bodies at once")
	set.StringVar(&f.output, "output", "",
		"with --jsonl FILE...: write outputs and reports to the directory `DIR`")
	set.StringVar(&f.dead, "dead-letter", "",
		"with --jsonl FILE...: write lines that cannot be repaired to `FILE`, not to the outputs")
}

// parse turns the flags into options.
func (f *fixFlags) parse() error {
	if err := chooseByURL(&f.options, f.url); err != nil {
		return err
	}
	options := &f.options.Options
	switch f.dangling {
	case "remove":
	case "answer":
		options.Dangling = preflight.DanglingAnswer
	default:
		return fmt.Errorf("--dangling is remove or answer, not %q", f.dangling)
	}
	switch f.orphans {
	case "remove":
	case "text":
		options.Orphans = preflight.OrphanText
	default:
		return fmt.Errorf("--orphans is remove or text, not %q", f.orphans)
	}
	switch f.duplicates {
	case "merge":
	case "first":
		options.Duplicates = preflight.DuplicateFirst
	case "last":
		options.Duplicates = preflight.DuplicateLast
	default:
		return fmt.Errorf("--duplicates is merge, first or last, not %q", f.duplicates)
	}
	if f.maxString < 0 {
		return fmt.Errorf("--max-string is a length, not %d", f.maxString)
	}
	options.Untrusted = f.untrusted
	short := fixer.Truncate{MaxString: f.maxString}
	if f.persist {
		// the limit on the size of a message counts the neutral form, which a body does not have
		kept := stored.PersistOptions()
		options.Fixers = append(options.Fixers, preflight.Fixers.StripEphemeral)
		short.HeadOnly = kept.HeadOnly
		if f.maxString == 0 {
			short.MaxString = kept.MaxString
		}
	}
	if f.resume {
		options.Fixers = append(options.Fixers, stored.FrameworkOptions().Fixers...)
		options.Trailing = preflight.TrailingKeep
	}
	if short.MaxString > 0 {
		options.Fixers = append(options.Fixers, short.Fixer())
	}
	return nil
}

func runFix(args []string, std stdio) int {
	var f fixFlags
	set := flags("fix")
	f.register(set)
	names, code, done := parse(set, args, std, anyNumber)
	if done {
		return code
	}
	f.files = names
	if err := errors.Join(f.parse(), f.checkNamed(), f.checkBulk()); err != nil {
		return std.fail("fix", err, exitUsage)
	}
	failed, work := exitWrong, fixNamed
	switch {
	case len(f.files) > 0 && f.jsonl:
		return fixFiles(&f, std)
	case f.jsonl:
		failed, work = exitFailed, fixLines
	case len(f.files) == 0:
		work = fixBody
	}
	return withReport("fix", f.report, f.files, std, failed,
		func(reports io.Writer) (int, error) { return work(&f, std, reports) })
}

// writeReport writes the report of one body as a line of JSON.
func writeReport(w io.Writer, r *wire.Result, failure error) error {
	return printJSON(w, wire.OutcomeOf(r, failure), "")
}

// fixBody repairs the one body on standard input. Nothing is written to standard output unless it
// could be repaired.
func fixBody(f *fixFlags, std stdio, reports io.Writer) (int, error) {
	body, err := readBody(std)
	if err != nil {
		return exitUsage, err
	}
	result, err := wire.Sanitize(context.Background(), body, &f.options)
	if err != nil {
		return exitCode(err), errors.Join(storedHint(err, body), writeReport(reports, result, err))
	}
	f.tell(std, "", result)
	switch {
	case f.check:
	case f.diff:
		diffBodies(std.out, "", body, result.Body)
		if err := std.written(); err != nil {
			return exitWrong, err
		}
	default:
		if _, err := std.out.Write(result.Body); err != nil {
			return exitWrong, err
		}
	}
	return f.codeFor(result), writeReport(reports, result, nil)
}

// codeFor returns the exit code for a body that could be repaired: a comparison fails if it
// differs.
func (f *fixFlags) codeFor(result *wire.Result) int {
	if result.Changed && (f.check || f.diff) {
		return exitWrong
	}
	return exitOK
}

// exitCode tells a history that cannot be repaired from input that is no request.
func exitCode(err error) int {
	if errors.Is(err, wire.ErrNotARequest) || errors.Is(err, wire.ErrAmbiguousProvider) {
		return exitUsage
	}
	return exitWrong
}
