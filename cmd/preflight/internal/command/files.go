package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/atomicfile"
	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/session"
	"github.com/go-preflight/preflight/wire"
)

// This file is fix and check with the names of files that have one body each.

// fixNamed repairs files: to standard output, to the files themselves with --write, or as a
// comparison with --diff.
func fixNamed(f *fixFlags, std stdio, reports io.Writer) (int, error) {
	code := exitOK
	for _, name := range f.files {
		one, err := fixFile(f, name, std, reports)
		if err != nil {
			std.fail("fix", inFile(name, err), one)
		}
		code = max(code, one)
	}
	return code, nil
}

// fixFile repairs one file.
func fixFile(f *fixFlags, name string, std stdio, reports io.Writer) (int, error) {
	info, err := os.Stat(name)
	if f.write && (isStdin(name) || err == nil && !info.Mode().IsRegular()) {
		return exitUsage, errors.New("--write is for regular files")
	}
	body, err := readBody(std, name)
	if err != nil {
		return exitUsage, err
	}
	result, err := wire.Sanitize(context.Background(), body, &f.options)
	if err != nil {
		return exitCode(err), errors.Join(storedHint(err, body), writeReport(reports, result, err))
	}
	f.tell(std, name, result)
	switch {
	case f.check:
		if result.Changed {
			_, err = fmt.Fprintln(std.out, name)
		}
	case f.diff:
		diffBodies(std.out, name, body, result.Body)
		err = std.written()
	case !f.write:
		_, err = std.out.Write(result.Body)
	}
	if err == nil && f.write && result.Changed {
		err = rewrite(name, body, result.Body)
	}
	if err = errors.Join(err, writeReport(reports, result, nil)); err != nil {
		return exitWrong, err
	}
	return f.codeFor(result), nil
}

// checkNamed checks what --diff and --write are used with.
func (f *fixFlags) checkNamed() error {
	switch {
	case f.jsonl && (f.diff || f.check || f.write || f.verbose):
		return errors.New("--jsonl takes none of --diff, --check, --write and -v: " +
			"it writes to --output and --report")
	case f.check && (f.diff || f.write), f.diff && f.write:
		return errors.New("--diff, --check and --write are one or the other")
	case len(f.files) == 0 && f.write:
		return errors.New("--write needs the names of files")
	case len(f.files) > 1 && !f.jsonl && !f.write && !f.diff && !f.check:
		return errors.New("several files need --write, --diff or --check")
	}
	return nil
}

// rewrite puts data in the place of a file that held was, in one step. Links are followed, and
// permissions and the owner kept.
func rewrite(name string, was, data []byte) error {
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if now, err := os.ReadFile(name); err != nil || string(now) != string(was) {
		return errors.Join(errors.New("the file changed while it was being repaired"), err)
	}
	w, close, err := untilClosed(atomicfile.Replace(name, info))
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return alsoClosed(err, close)
}

// tell says on standard error what was repaired: with -v each change on a line, else in one line on
// a terminal, and elsewhere in one line if content was lost.
func (f *fixFlags) tell(std stdio, name string, result *wire.Result) {
	if name != "" {
		name += ": "
	}
	if f.verbose {
		for _, w := range result.Warnings {
			fmt.Fprintf(std.err, "%s%s\t%s\t%s\n", name, w.Path, w.Code, w.Detail)
		}
		tellLeft(std.err, name, result.Left)
		return
	}
	lost := f.lost(result)
	if !isTerminal(std.err) {
		if lost != "" {
			fmt.Fprintf(std.err, "preflight fix: %s%s; -v lists all changes\n", name, lost)
		}
		return
	}
	if lost != "" {
		lost = ", " + lost
	}
	c := colorsFor(std.err)
	if n := len(result.Left); n > 0 {
		lost += fmt.Sprintf(", %s left because of the member %q", countOf(n, "problem"),
			shorten.Name(result.Left[0].Member))
	}
	if !result.Changed && len(result.Left) == 0 {
		fmt.Fprintf(std.err, "%s%s (%s)\n", name, c.green("nothing to repair"), result.Provider)
		return
	}
	fmt.Fprintf(std.err, "%s%s (%s)%s; -v lists them\n", name,
		countOf(len(result.Warnings), "repair"), result.Provider, c.red(lost))
}

// tellLeft prints what was left because of a member, one on a line: path, rule and what is wrong,
// with tabs between.
func tellLeft(w io.Writer, place string, left []wire.Violation) {
	for _, l := range left {
		fmt.Fprintf(w, "%s%s\t%s\tleft because of the member %q: %s\n", place, l.Path, l.Rule,
			shorten.Name(l.Member), l.Detail)
	}
}

// lost says what content a repair removed or shortened, "" if none. A comparison shows it already,
// and so does a report on standard error, which has nothing else on its lines.
func (f *fixFlags) lost(result *wire.Result) string {
	if f.check || f.diff || f.report == "-" {
		return ""
	}
	count, first := 0, ""
	for _, w := range result.Warnings {
		if w.Class() != codes.Lossy {
			continue
		}
		if count++; count == 1 {
			first = fmt.Sprintf("%s %s", w.Path, w.Code)
		}
	}
	if count == 0 {
		return ""
	}
	if count > 1 {
		first += ", …"
	}
	return fmt.Sprintf("content was lost in %s (%s)", countOf(count, "change"), first)
}

// storedHint adds to the error for a stored session which command repairs it, and to the one for
// what is not JSON what it is.
func storedHint(err error, data []byte) error {
	if errors.Is(err, wire.ErrNotJSON) {
		if hint := notJSON(data); hint != "" {
			return fmt.Errorf("%w\n%s", err, hint)
		}
		return err
	}
	if !errors.Is(err, wire.ErrStoredForm) {
		return err
	}
	s, unknown := session.Read(data)
	if unknown != nil {
		return err
	}
	return fmt.Errorf("%w\nthis is stored by %s: use preflight repair", err,
		session.Title(s.Client))
}

// diffBodies prints the messages of a body that differ.
func diffBodies(w io.Writer, name string, before, after []byte) {
	p := &repairPrinter{std: stdio{out: w}, colors: colorsFor(w)}
	if string(before) == string(after) {
		return
	}
	if name != "" {
		fmt.Fprintln(w, p.colors.bold(name))
	}
	pairs := pairsOf(viewOf(before), viewOf(after))
	markMoved(pairs)
	p.diff(pairs)
}
