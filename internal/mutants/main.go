// Command mutants measures how much the tests would notice: it breaks the code in one place at a time, runs the tests, and
// lists the breaks that no test saw. Run it from the root of the module:
//
//	go run ./internal/mutants [-n 200] [-seed 1] [-list] [-tests ./wire] [-rounds N] [-results FILE] [-notes FILE] DIR [DIR…]
//
// Each mutant meets the tests of its own package first, then those of the -tests packages that import it. They run in
// rounds, the cheap one first, and the first failure ends the trial. A mutant whose tests do not end in time counts as
// noticed; one that does not compile does not count. Sources are never written to: a mutant reaches the compiler as an
// overlay. A mutant may loop and take memory while it does so: set a limit (ulimit -v) first.
//
// With -results every verdict is appended to FILE, and a run over the same FILE tries again only what survived. A line of
// the -notes FILE with a tab in it is a mutant and the reason why it may survive: it is not tried, and counts as a survivor.
// A reason that begins with "equivalent" says that no test can notice, and takes the mutant out of the score.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
)

type options struct {
	n       int
	seed    uint64
	list    bool
	tests   string
	rounds  int
	results string
	notes   string
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 200, "how many mutants to try; 0 is all of them")
	flag.Uint64Var(&o.seed, "seed", 1, "which ones")
	flag.BoolVar(&o.list, "list", false, "list the mutants and run nothing")
	flag.StringVar(&o.tests, "tests", "", "more packages whose tests may notice, in order, comma-separated")
	flag.IntVar(&o.rounds, "rounds", len(rounds), "how many rounds of tests a mutant must survive")
	flag.StringVar(&o.results, "results", "", "file of the verdicts, read first and then appended to")
	flag.StringVar(&o.notes, "notes", "", "file that says which mutants may survive, and why")
	flag.Parse()
	if err := run(flag.Args(), o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(dirs []string, o options, out io.Writer) error {
	if len(dirs) == 0 {
		return errors.New("name the directories to mutate, for example: . ./wire")
	}
	if o.rounds < 1 || o.rounds > len(rounds) {
		return fmt.Errorf("-rounds is 1 to %d", len(rounds))
	}
	var all []mutant
	for _, dir := range dirs {
		found, err := mutantsOf(dir)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	chosen := sample(all, o.n, o.seed)
	if o.list {
		for _, m := range chosen {
			fmt.Fprintln(out, m.id)
		}
		return nil
	}
	l, err := openLedger(o.results, o.notes)
	if err != nil {
		return err
	}
	defer l.close()
	if err := l.stale(all); err != nil {
		return err
	}
	lab, err := newLab(dirs, o)
	if err != nil {
		return err
	}
	defer lab.close()
	for k, m := range chosen {
		known, ok := l.known[m.id]
		if !ok {
			if known, err = lab.try(m); err != nil {
				return err
			}
			if err = l.add(m.id, known); err != nil {
				return err
			}
		}
		fmt.Fprintf(out, "%d/%d %s:%d %s\t%s\n", k+1, len(chosen), m.file, m.line, known, m.id)
	}
	fmt.Fprintf(out, "\n%s, from %d in all\n", l.score(chosen), len(all))
	return nil
}

// sample draws n of the mutants, all of them when n is 0: of the same seed, the first of a larger sample are a smaller one.
func sample(all []mutant, n int, seed uint64) []mutant {
	if n <= 0 || n > len(all) {
		n = len(all)
	}
	out := make([]mutant, n)
	for k, i := range rand.New(rand.NewPCG(seed, 0)).Perm(len(all))[:n] {
		out[k] = all[i]
	}
	return out
}

// others are the packages of the -tests flag.
func (o options) others() []string {
	return strings.FieldsFunc(o.tests, func(r rune) bool { return r == ',' })
}
