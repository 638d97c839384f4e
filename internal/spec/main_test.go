package spec

import (
	"os"
	"testing"

	"github.com/go-preflight/preflight/internal/rapidseed"
)

// TestMain runs the tests in the folder of the module, whose testdata they read.
func TestMain(m *testing.M) {
	if _, err := os.Stat("go.mod"); err != nil {
		if err := os.Chdir("../.."); err != nil {
			panic(err)
		}
	}
	rapidseed.Main(m, 40)
}
