// Package rapidseed makes property tests repeatable: go test draws the same histories at every run,
// so that a failure is a regression and not chance.
package rapidseed

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// Seed is what rapid starts from unless PREFLIGHT_SEED, in the environment, names another seed; 0
// is a random one.
const Seed = "1"

// variable is the environment's name of another seed.
const variable = "PREFLIGHT_SEED"

// Soaks reports whether the run may take its time to find what others did not: the environment
// names a seed. That is what make soak does.
func Soaks() bool { return os.Getenv(variable) != "" }

// Size returns the size of a test: full when the run soaks, and quick otherwise.
func Size(full, quick int) int {
	if Soaks() {
		return full
	}
	return quick
}

// Main is the TestMain of a package with property tests: it runs the tests with a fixed seed and
// number of histories for each property, of which rapid itself takes a fifth with -short. The flags
// -rapid.seed and -rapid.checks go before both.
func Main(m *testing.M, histories int) {
	flag.Parse()
	seed := Seed
	if named := os.Getenv(variable); named != "" {
		seed = named
	}
	setDefaults(map[string]string{"rapid.seed": seed, "rapid.checks": strconv.Itoa(histories)})
	os.Exit(m.Run())
}

// setDefaults sets the flags that the command line does not set.
func setDefaults(values map[string]string) {
	flag.Visit(func(f *flag.Flag) { delete(values, f.Name) })
	for name, value := range values {
		if err := flag.Set(name, value); err != nil {
			panic(err) // the package has no property tests, or PREFLIGHT_SEED is no number
		}
	}
}
