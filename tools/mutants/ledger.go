package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// verdict is what became of a mutant: one of these words, with what noticed it, or why it may
// survive, after the first and the last two.
type verdict string

const (
	noticed    verdict = "noticed"
	timedOut   verdict = "timed-out"
	invalid    verdict = "invalid"
	survived   verdict = "SURVIVED"
	harmless   verdict = "harmless"
	equivalent verdict = "equivalent"
)

func (v verdict) word() verdict {
	word, _, _ := strings.Cut(string(v), " ")
	return verdict(strings.TrimSuffix(word, ":"))
}

// ledger is what is known of the mutants, by their id.
type ledger struct {
	known map[string]verdict
	noted []string // the ids that have a note
	file  *os.File // nil: nothing is kept
}

// openLedger reads the results and the notes. What survived is tried again, since the tests may
// have changed.
func openLedger(results, notes string) (*ledger, error) {
	l := &ledger{known: map[string]verdict{}}
	if notes != "" {
		said, err := pairs(notes)
		if err != nil {
			return nil, err
		}
		for id, reason := range said {
			v := verdict(reason)
			if v.word() != equivalent {
				v = harmless + ": " + v
			}
			l.known[id], l.noted = v, append(l.noted, id)
		}
		slices.Sort(l.noted)
	}
	if results == "" {
		return l, nil
	}
	said, err := pairs(results)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for id, v := range said {
		if _, noted := l.known[id]; !noted && verdict(v) != survived {
			l.known[id] = verdict(v)
		}
	}
	l.file, err = os.OpenFile(results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	return l, err
}

// pairs are the lines of a file that have a tab: the mutant before it, its verdict or note after
// it. The last one counts.
func pairs(name string) (map[string]string, error) {
	text, err := os.ReadFile(name)
	out := map[string]string{}
	for line := range strings.SplitSeq(string(text), "\n") {
		if id, said, ok := strings.Cut(line, "\t"); ok {
			out[id] = said
		}
	}
	return out, err
}

// verdicts are the mutants that the files of a pattern say something of; no pattern, no mutants.
func verdicts(pattern string) (map[string]bool, error) {
	out := map[string]bool{}
	if pattern == "" {
		return out, nil
	}
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("-without: no file is called %s", pattern)
	}
	for _, file := range files {
		said, err := pairs(file)
		if err != nil {
			return nil, err
		}
		for id := range said {
			out[id] = true
		}
	}
	return out, nil
}

// stale is an error that lists all notes on mutants that there are no more.
func (l *ledger) stale(all []mutant) error {
	there := map[string]bool{}
	for _, m := range all {
		there[m.id] = true
	}
	var errs []error
	for _, id := range l.noted {
		if !there[id] {
			errs = append(errs, fmt.Errorf(
				"the note on %q is stale: there is no such mutant in these directories", id))
		}
	}
	return errors.Join(errs...)
}

func (l *ledger) add(id string, v verdict) error {
	l.known[id] = v
	if l.file == nil {
		return nil
	}
	_, err := fmt.Fprintf(l.file, "%s\t%s\n", id, v)
	return err
}

func (l *ledger) close() {
	if l.file != nil {
		l.file.Close()
	}
}

// score is the share of the mutants that were noticed, with the interval that holds the share of
// all mutants in 95 of 100 samples.
func (l *ledger) score(chosen []mutant) string {
	counts := map[verdict]int{}
	for _, m := range chosen {
		counts[l.known[m.id].word()]++
	}
	yes := counts[noticed] + counts[timedOut]
	tried := yes + counts[survived] + counts[harmless]
	low, high := wilson(yes, tried)
	return fmt.Sprintf("%d of %d mutants noticed: %.1f %% (95 %%: %.1f to %.1f), %d of them by a "+
		"time-out; %d survived, %d of them harmless; beside them %d equivalent, %d that do "+
		"not compile", yes, tried, 100*float64(yes)/float64(max(tried, 1)), 100*low, 100*high,
		counts[timedOut], tried-yes, counts[harmless], counts[equivalent], counts[invalid])
}

// wilson is the score interval of E. B. Wilson (1927) for yes of n, at 95 %.
func wilson(yes, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	p, size := float64(yes)/float64(n), float64(n)
	middle := p + z*z/(2*size)
	spread := z * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	scale := 1 + z*z/size
	return (middle - spread) / scale, (middle + spread) / scale
}
