// Command mutants measures how much the tests would notice: it breaks the code in one place at a
// time, runs the tests, and lists the breaks that no test saw. Run it from the root of the module,
// where there is a POSIX shell (sh):
//
//	go build -C tools -o ../mutants.bin ./mutants && ./mutants.bin [flags] DIR [DIR…]
//
// Each mutant meets the tests of its own package first, then those of the other directories and of
// those -tests packages that import it. They run in rounds, the cheap one first, and the
// first failure ends the trial.
//
// Many mutants are compiled into one binary, each as a schema: an expression that asks an
// environment variable whether the mutant is on. Those that overlap go into different batches. What
// cannot be written as a schema (most often for its type: a number that is no int, the sum of
// strings) is compiled alone. Sources are never written to: the compiler gets all this as an
// overlay. A mutant that does not compile alone does not count; a schema may compile where the text
// would not, as when the call that is left out was the only use of a variable, and such a mutant
// counts.
//
// A mutant may loop, and take memory while it does so. A test may take eight times the processor
// time that it takes without a mutant, and 20 seconds more; one that takes longer, or waits four
// times as long for nothing, counts as noticed by a time-out. It may take 6 GiB of addresses, where
// the system has such a limit (ulimit -v); one that takes more crashes, and counts as noticed.
//
// With -results every verdict is appended to FILE, and a run over the same FILE tries again only
// what survived. A line of the -notes FILE with a tab in it is a mutant and the reason why it may
// survive: it is not tried, and counts as a survivor. A reason that begins with "equivalent" says
// that no test can notice, and takes the mutant out of the score.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
)

type options struct {
	n        int
	seed     uint64
	list     bool
	tests    string
	rounds   int
	results  string
	notes    string
	files    string
	without  string
	parallel int
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 200, "how many mutants to try; 0 is all of them")
	flag.Uint64Var(&o.seed, "seed", 1, "which ones")
	flag.BoolVar(&o.list, "list", false, "list the mutants and run nothing")
	flag.StringVar(&o.tests, "tests", "",
		"more packages whose tests may notice, in order, comma-separated")
	flag.IntVar(&o.rounds, "rounds", len(rounds), "how many rounds of tests a mutant must survive")
	flag.StringVar(&o.results, "results", "",
		"file of the verdicts, read first and then appended to")
	flag.StringVar(&o.notes, "notes", "", "file that says which mutants may survive, and why")
	flag.StringVar(&o.files, "files", "", "draw from these files only, comma-separated")
	flag.StringVar(&o.without, "without", "",
		"leave out of the sample what the files of this pattern have a verdict on")
	flag.IntVar(&o.parallel, "parallel", runtime.GOMAXPROCS(0), "how many mutants to try at once")
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
	if o.parallel < 1 {
		return errors.New("-parallel is at least 1")
	}
	var all []mutant
	for _, dir := range dirs {
		found, err := mutantsOf(dir)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	drawn, err := o.narrow(all)
	if err != nil {
		return err
	}
	chosen := sample(drawn, o.n, o.seed)
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
	if err := try(dirs, chosen, l, o, out); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%s, from %d in all\n", l.score(chosen), len(drawn))
	return nil
}

// try tries what the ledger does not know, and prints a line for each mutant: first for those that
// it knows.
func try(dirs []string, chosen []mutant, l *ledger, o options, out io.Writer) error {
	printed := 0
	line := func(m mutant, v verdict) {
		printed++
		fmt.Fprintf(out, "%d/%d %s:%d %s\t%s\n", printed, len(chosen), m.file, m.line, v, m.id)
	}
	lab, err := newLab(dirs, o, func(m mutant, v verdict) error {
		line(m, v)
		return l.add(m.id, v)
	})
	if err != nil {
		return err
	}
	defer lab.close()
	var unknown []mutant
	for _, m := range chosen {
		if v, ok := l.known[m.id]; ok {
			line(m, v)
		} else {
			unknown = append(unknown, m)
		}
	}
	return lab.try(unknown)
}

// sample draws n of the mutants, all of them when n is 0: of the same seed, the first of a larger
// sample are a smaller one.
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

// narrow takes out what is in none of the -files, or in the results of -without.
func (o options) narrow(all []mutant) ([]mutant, error) {
	files := split(o.files)
	for _, file := range files {
		if !slices.ContainsFunc(all, func(m mutant) bool { return m.file == file }) {
			return nil, fmt.Errorf("-files: there is no mutant in %s; name it as -list does", file)
		}
	}
	seen, err := verdicts(o.without)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(all), func(m mutant) bool {
		return seen[m.id] || len(files) > 0 && !slices.Contains(files, m.file)
	}), nil
}

// split takes a list of a flag apart.
func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}
