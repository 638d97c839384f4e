package main

import (
	"context"
	"errors"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// rounds are the arguments of the test binaries, the cheapest first: most mutants do not outlive
// the first.
var rounds = [][]string{
	{"-test.short", "-rapid.checks=25",
		"-test.skip=Linear|HundredThousand|EveryKind|Corruptions|LongBodies"},
	{"-test.short"},
	{},
}

// always precedes the arguments of a round: the first failure is enough, and nothing is made of
// it.
var always = []string{"-test.failfast", "-rapid.nofailfile", "-rapid.shrinktime=0s"}

// arguments are those of a round, without the flags that the suite's binary does not know.
func (s suite) arguments(k int) []string {
	args := slices.Concat(always, rounds[k])
	return slices.DeleteFunc(args,
		func(arg string) bool { return !s.property && strings.HasPrefix(arg, "-rapid.") })
}

const (
	memory = 6 << 20 // how many KiB of addresses a test may take
	// how many seconds of processor time the tests may take that are measured
	hour  = 3600
	grace = time.Second     // for output after the end
	spell = 4 * time.Second // how long a second of processor time may take
)

// limited runs a program in limits of memory (in KiB) and of processor time (in seconds): sh -c
// limited sh KIB SECONDS PROGRAM. A system without one of the limits runs without it.
const limited = `ulimit -v "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; shift 2; exec "$@"`

var failure = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// run runs a suite's binary in the k-th round with one mutant on, 0 for none, and says how many
// seconds of processor time it took, of limit. A mutant that waits for what never comes takes none:
// the clock ends it.
func (l *lab) run(s suite, k, mutant, limit int) (verdict, float64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(limit)*spell)
	defer cancel()
	args := append(
		[]string{"-c", limited, "sh", strconv.Itoa(memory), strconv.Itoa(limit), l.binary(s)},
		s.arguments(k)...)
	cmd := exec.CommandContext(ctx, "sh", args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = s.dir, append(env(), variable+"="+strconv.Itoa(mutant)), grace
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && ctx.Err() == nil && !errors.As(err, &exit) {
		return "", 0, err
	}
	used := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	found := failure.FindSubmatch(out)
	switch {
	case err == nil:
		return survived, used, nil
	case ctx.Err() != nil, found == nil && used > float64(limit)-1:
		return timedOut, used, nil
	case found == nil:
		found = [][]byte{nil, []byte("a crash")}
	}
	return noticed + verdict(" by "+string(found[1])+", round "+strconv.Itoa(k+1)), used, nil
}
