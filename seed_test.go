package preflight_test

import (
	"cmp"
	"flag"
	"os"
	"testing"
)

// TestMain gives the property tests the same seed at every run, so that a failure is a regression and not chance.
// PREFLIGHT_SEED names another seed (0: a random one), and the flag rapid.checks another number of histories; make soak does
// both.
func TestMain(m *testing.M) {
	flag.Parse()
	if seed := flag.Lookup("rapid.seed"); seed.Value.String() == seed.DefValue {
		if err := seed.Value.Set(cmp.Or(os.Getenv("PREFLIGHT_SEED"), "1")); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
