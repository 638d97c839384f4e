// Command mutants measures how much the tests would notice: it breaks the code in one place at a time, runs the tests, and
// lists the breaks that no test saw. Run it from the root of the module:
//
//	go run ./internal/mutants [-n 200] [-seed 1] [-list] [-tests .,./wire] DIR [DIR…]
//
// A full run takes a day, since each mutant costs a build and a run of the property tests; -n takes that many of them, the
// same ones for the same seed. A mutant whose tests do not end in time counts as noticed; one that does not compile does not
// count. Sources are never written to: a mutant reaches the compiler as an overlay.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 200, "how many mutants to try; 0 is all of them")
	seed := flag.Uint64("seed", 1, "which ones")
	list := flag.Bool("list", false, "list the mutants and run nothing")
	tests := flag.String("tests", "", "packages whose tests may notice, in order, comma-separated; default the directories")
	args := flag.String("args", "-rapid.checks=20", "arguments of the test binaries, space-separated")
	limit := flag.Duration("timeout", 3*time.Minute, "how long the tests of a mutant may take")
	flag.Parse()
	if err := run(flag.Args(), options{*n, *seed, *list, *tests, *args, *limit}); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

type options struct {
	n     int
	seed  uint64
	list  bool
	tests string
	args  string
	limit time.Duration
}

func run(dirs []string, o options) error {
	if len(dirs) == 0 {
		return errors.New("name the directories to mutate, for example: . ./wire")
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
			fmt.Println(m)
		}
		return nil
	}
	packages := dirs
	if o.tests != "" {
		packages = strings.Split(o.tests, ",")
	}
	work, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	counts := map[verdict]int{}
	for k, m := range chosen {
		v, err := try(m, work, packages, o)
		if err != nil {
			return err
		}
		counts[v]++
		fmt.Printf("%d/%d %-10s %s\n", k+1, len(chosen), v, m)
	}
	noticed, tried := counts[failed]+counts[timedOut], len(chosen)-counts[invalid]
	fmt.Printf("\n%d of %d mutants noticed (%.1f %%), %d of them by a time-out; %d did not compile; %d in all to choose from\n",
		noticed, tried, 100*float64(noticed)/float64(max(tried, 1)), counts[timedOut], counts[invalid], len(all))
	return nil
}

// sample takes n of the mutants, in their order; all of them when n is 0.
func sample(all []mutant, n int, seed uint64) []mutant {
	if n <= 0 || n >= len(all) {
		return all
	}
	indices := rand.New(rand.NewPCG(seed, 0)).Perm(len(all))[:n]
	slices.Sort(indices)
	out := make([]mutant, n)
	for k, i := range indices {
		out[k] = all[i]
	}
	return out
}

// verdict is what the tests made of a mutant.
type verdict string

const (
	failed   verdict = "noticed"
	timedOut verdict = "timed-out"
	survived verdict = "SURVIVED"
	invalid  verdict = "invalid"
)

// try runs the tests of packages, one after the other, with the mutant in the place of its file.
func try(m mutant, work string, packages []string, o options) (verdict, error) {
	overlay, err := m.overlay(work)
	if err != nil {
		return "", err
	}
	for _, pkg := range packages {
		v, err := test(pkg, overlay, o)
		if v != survived || err != nil {
			return v, err
		}
	}
	return survived, nil
}

func test(pkg, overlay string, o options) (verdict, error) {
	ctx, cancel := context.WithTimeout(context.Background(), o.limit)
	defer cancel()
	build := exec.CommandContext(ctx, "go", "build", "-overlay", overlay, "-o", os.DevNull, pkg)
	if err := build.Run(); err != nil {
		return invalid, ctx.Err()
	}
	args := []string{"test", "-overlay", overlay, "-vet=off", "-failfast", "-short", "-timeout", o.limit.String(), pkg}
	if o.args != "" {
		args = append(append(args, "-args"), strings.Fields(o.args)...)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil || strings.Contains(string(out), "panic: test timed out"):
		return timedOut, nil
	case errors.As(err, &exit):
		return failed, nil
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
