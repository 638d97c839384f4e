package clienttest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-preflight/preflight/internal/golden"
	"github.com/go-preflight/preflight/wire"
)

// GoldenBodies returns the request bodies of package wire's golden cases for a provider, by the
// name of the case.
func GoldenBodies(t *testing.T, provider string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("../../wire/testdata/golden/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	bodies := make(map[string][]byte)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		archive := golden.Parse(data)
		in := archive.Get("input.json")
		if r, err := wire.Decode(in, nil); err == nil && r.Provider == provider &&
			bytes.HasPrefix(in, []byte("{")) {
			bodies[filepath.Base(file)] = in
		}
	}
	if len(bodies) == 0 {
		t.Fatal("there are no bodies")
	}
	return bodies
}
