package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// suite is a package with tests.
type suite struct {
	dir      string
	uses     []string // the directories of the packages that its tests are built of
	property bool     // its binary knows the flags of rapid
	limits   []int    // how many seconds of processor time each round may take
}

// lab tries mutants.
type lab struct {
	work     string
	suites   []suite
	parallel int
	report   func(mutant, verdict) error // called for one mutant at a time, in no certain order
}

// newLab runs the tests as they are: they have to pass, and the time they take says how long to
// wait for those of a mutant.
func newLab(dirs []string, o options, report func(mutant, verdict) error) (*lab, error) {
	work, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	l := &lab{work: work, parallel: o.parallel, report: report}
	for _, dir := range append(slices.Clone(dirs), split(o.tests)...) {
		s, err := l.measure(dir, o.rounds)
		if err != nil {
			l.close()
			return nil, err
		}
		l.suites = append(l.suites, s)
	}
	return l, nil
}

func (l *lab) close() { os.RemoveAll(l.work) }

func (l *lab) measure(dir string, n int) (suite, error) {
	list := exec.Command("go", "list", "-deps", "-test", "-f",
		"{{if not .Standard}}{{.Dir}}{{end}}", ".")
	list.Dir = dir
	deps, err := list.Output()
	if err != nil {
		return suite{}, fmt.Errorf("go list in %s: %w", dir, err)
	}
	s := suite{dir: dir, uses: strings.Fields(string(deps))}
	s.property = strings.Contains(string(deps), "pgregory.net/rapid")
	ok, _, err := l.compile([]suite{s}, nil)
	if err != nil {
		return suite{}, err
	}
	if !ok {
		return suite{}, fmt.Errorf("the tests of %s do not compile", dir)
	}
	for k := range n {
		v, used, err := l.run(s, k, 0, hour)
		if err != nil {
			return suite{}, err
		}
		if v != survived {
			return suite{}, fmt.Errorf("the tests of %s do not pass without a mutant: %s", dir, v)
		}
		s.limits = append(s.limits, 20+int(8*used))
	}
	return s, nil
}

// try tries mutants, batch by batch, and those of which no schema can be made alone.
func (l *lab) try(mutants []mutant) error {
	batches, alone := deal(mutants)
	for _, batch := range batches {
		left, err := l.tryBatch(batch)
		if err != nil {
			return err
		}
		alone = append(alone, left...)
	}
	for _, m := range alone {
		if err := l.tryAlone(m); err != nil {
			return err
		}
	}
	return nil
}

// tryBatch tries mutants whose schemata do not overlap, and returns those that it cannot try: their
// schema does not compile, or breaks the tests even when it is off. It leaves out what the compiler
// complains of, or halves the batch, until the rest is sound.
func (l *lab) tryBatch(batch []mutant) (left []mutant, err error) {
	sound, culprits, err := l.prepare(batch)
	switch {
	case err != nil:
		return nil, err
	case sound:
		return nil, l.tryEach(batch)
	case len(batch) == 1:
		return batch, nil
	}
	parts := [][]mutant{batch[:len(batch)/2], batch[len(batch)/2:]}
	if len(culprits) > 0 {
		these, rest := without(batch, culprits)
		left, parts = these, [][]mutant{rest}
	}
	for _, part := range parts {
		more, err := l.tryBatch(part)
		if err != nil {
			return nil, err
		}
		left = append(left, more...)
	}
	return left, nil
}

// without parts a batch: the mutants of some numbers, and the rest.
func without(batch []mutant, numbers []int) (these, rest []mutant) {
	for k, m := range batch {
		if slices.Contains(numbers, k+1) {
			these = append(these, m)
		} else {
			rest = append(rest, m)
		}
	}
	return these, rest
}

// prepare compiles a batch, and says whether its tests pass with no mutant on. If not, it names
// those whose schema is known to be at fault.
func (l *lab) prepare(batch []mutant) (sound bool, culprits []int, err error) {
	if len(batch) == 0 {
		return true, nil, nil
	}
	files, err := instrumented(batch)
	if err != nil {
		return false, nil, err
	}
	suites := l.concerned(batch)
	ok, complaint, err := l.compile(suites, files)
	if !ok || err != nil {
		return false, blamed(complaint, batch), err
	}
	v, err := l.meet(suites, 0)
	return v == survived, nil, err
}

// tryEach tries the mutants of a batch that is compiled, some at a time.
func (l *lab) tryEach(batch []mutant) error {
	var (
		wait  sync.WaitGroup
		one   sync.Mutex
		first error
		slots = make(chan struct{}, l.parallel)
	)
	for k, m := range batch {
		slots <- struct{}{}
		wait.Add(1)
		go func() {
			defer func() { <-slots; wait.Done() }()
			v, err := l.meet(l.concerned([]mutant{m}), k+1)
			one.Lock()
			defer one.Unlock()
			if err == nil {
				err = l.report(m, v)
			}
			first = cmp.Or(first, err)
		}()
	}
	wait.Wait()
	return first
}

// tryAlone compiles one mutant as a text.
func (l *lab) tryAlone(m mutant) error {
	suites := l.concerned([]mutant{m})
	ok, _, err := l.compile(suites, m.mutated())
	if err != nil {
		return err
	}
	if !ok {
		return l.report(m, invalid)
	}
	v, err := l.meet(suites, 0)
	if err != nil {
		return err
	}
	return l.report(m, v)
}

// meet runs suites with a mutant on, round by round, until one notices.
func (l *lab) meet(suites []suite, mutant int) (verdict, error) {
	for k := range l.suites[0].limits {
		for _, s := range suites {
			if v, _, err := l.run(s, k, mutant, s.limits[k]); v != survived || err != nil {
				return v, err
			}
		}
	}
	return survived, nil
}

// concerned are the suites that use the package of one of the mutants, that of the first before the
// others.
func (l *lab) concerned(mutants []mutant) []suite {
	dirs := map[string]bool{}
	for _, m := range mutants {
		dirs[m.dir()] = true
	}
	var out []suite
	for _, s := range l.suites {
		if slices.ContainsFunc(s.uses, func(dir string) bool { return dirs[dir] }) {
			out = append(out, s)
		}
	}
	own := func(s suite) int {
		if abs, err := filepath.Abs(s.dir); err == nil && abs == mutants[0].dir() {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b suite) int { return own(a) - own(b) })
	return out
}
