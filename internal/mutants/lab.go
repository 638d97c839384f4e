package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// rounds are the arguments of the test binaries, the cheapest first: most mutants do not outlive the first.
var rounds = [][]string{
	{"-test.short", "-rapid.checks=25", "-test.skip=Linear|HundredThousand|EveryKind|Corruptions|LongBodies"},
	{"-test.short"},
	{},
}

// always goes before the arguments of a round: the first failure is enough, and nothing is made of it.
var always = []string{"-test.failfast", "-rapid.nofailfile", "-rapid.shrinktime=0s"}

// suite is a package with tests.
type suite struct {
	dir      string
	uses     []string        // the directories of the packages that its tests are built of
	property bool            // its binary knows the flags of rapid
	limits   []time.Duration // how long each round may take
}

// lab tries mutants.
type lab struct {
	work   string
	suites []suite
}

// newLab runs the tests as they are: they have to pass, and the time they take says how long to wait for those of a mutant.
func newLab(dirs []string, o options) (*lab, error) {
	work, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	l := &lab{work: work}
	for _, dir := range append(slices.Clone(dirs), o.others()...) {
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
	list := exec.Command("go", "list", "-deps", "-test", "-f", "{{if not .Standard}}{{.Dir}}{{end}}", ".")
	list.Dir = dir
	deps, err := list.Output()
	if err != nil {
		return suite{}, fmt.Errorf("go list in %s: %w", dir, err)
	}
	s := suite{dir: dir, uses: strings.Fields(string(deps))}
	s.property = strings.Contains(string(deps), "pgregory.net/rapid")
	if !l.build(s, "") {
		return suite{}, fmt.Errorf("the tests of %s do not compile", dir)
	}
	for k := range n {
		start := time.Now()
		v, err := l.round(s, k, time.Hour)
		if err != nil {
			return suite{}, err
		}
		if v != survived {
			return suite{}, fmt.Errorf("the tests of %s do not pass without a mutant: %s", dir, v)
		}
		s.limits = append(s.limits, 5*time.Since(start)+10*time.Second)
	}
	return s, nil
}

// try runs the suites that use the mutant's package, its own first, round by round.
func (l *lab) try(m mutant) (verdict, error) {
	overlay, err := m.overlay(l.work)
	if err != nil {
		return "", err
	}
	dir, err := filepath.Abs(filepath.Dir(m.file))
	if err != nil {
		return "", err
	}
	var concerned []suite
	for _, s := range l.suites {
		if slices.Contains(s.uses, dir) {
			concerned = append(concerned, s)
		}
	}
	slices.SortStableFunc(concerned, func(a, b suite) int { return foreign(a, dir) - foreign(b, dir) })
	for k := range l.suites[0].limits {
		for _, s := range concerned {
			if k == 0 && !l.build(s, overlay) {
				return invalid, nil
			}
			if v, err := l.round(s, k, s.limits[k]); v != survived || err != nil {
				return v, err
			}
		}
	}
	return survived, nil
}

func foreign(s suite, dir string) int {
	if abs, err := filepath.Abs(s.dir); err == nil && abs == dir {
		return 0
	}
	return 1
}

// binary is where the tests of a suite are compiled to.
func (l *lab) binary(s suite) string {
	return filepath.Join(l.work, strings.NewReplacer("/", "_", ".", "_").Replace(s.dir)+".test")
}

// build compiles the tests of a suite, and says whether they compile.
func (l *lab) build(s suite, overlay string) bool {
	args := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", l.binary(s)}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Dir, cmd.Env = s.dir, env()
	return cmd.Run() == nil
}

// env spares the garbage collectors of the compiler and of the tests: what they run on is thrown away soon.
func env() []string { return append(os.Environ(), "GOGC=400") }

var failure = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// round runs a suite's binary in the k-th round.
func (l *lab) round(s suite, k int, limit time.Duration) (verdict, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var args []string
	for _, arg := range append(slices.Clone(always), rounds[k]...) {
		if s.property || !strings.HasPrefix(arg, "-rapid.") {
			args = append(args, arg)
		}
	}
	cmd := exec.CommandContext(ctx, l.binary(s), args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = s.dir, env(), time.Second
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return timedOut, nil
	case errors.As(err, &exit):
		by := "a crash"
		if found := failure.FindSubmatch(out); found != nil {
			by = string(found[1])
		}
		return noticed + verdict(" by "+by+", round "+strconv.Itoa(k+1)), nil
	case err != nil:
		return "", err
	}
	return survived, nil
}

// overlay writes the mutated file and the description of where it belongs, and returns the latter's name.
func (m mutant) overlay(work string) (string, error) {
	source := filepath.Join(work, "mutated.go")
	if err := os.WriteFile(source, m.apply(), 0o600); err != nil {
		return "", err
	}
	file, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {file: source}})
	if err != nil {
		return "", err
	}
	name := filepath.Join(work, "overlay.json")
	return name, os.WriteFile(name, text, 0o600)
}
