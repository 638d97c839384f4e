package wire_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/internal/golden"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

var update = flag.Bool("update", false, "rewrite what the golden files want")

// goldenOptions are the options of a golden file, as JSON.
type goldenOptions struct {
	Provider string            `json:"provider"`
	Model    string            `json:"model"`
	Portable bool              `json:"portable"`
	Options  preflight.Options `json:"options"`
	// of the fixer that shortens what the provider's tools returned
	MaxString int `json:"max_string"`
}

// goldenCase is a golden file that has been read and run.
type goldenCase struct {
	name    string // of the file, without its ending
	path    string
	archive golden.Archive
	options *wire.Options
	exact   bool // the output is compared byte by byte, else in the layout of package golden
	result  *wire.Result
	err     error
	found   []wire.Violation
	refused []preflighttest.Violation // what a strict fake of the provider says of the output
}

// TestGolden runs the cases in testdata/golden, and compares what comes out byte by byte.
func TestGolden(t *testing.T) {
	eachGolden(t, "testdata/golden/*.txtar", true, nil)
}

// eachGolden runs golden files: options, the request that comes in, the request that has to come
// out, the warnings, and what Check finds in the input. What comes out has to be a fixed point.
// more is called with each case that has run.
func eachGolden(t *testing.T, pattern string, exact bool, more func(*testing.T, *goldenCase)) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		dir := filepath.Base(filepath.Dir(path))
		t.Run(dir+"/"+name, func(t *testing.T) {
			c := runGolden(t, path, exact)
			if more != nil {
				more(t, c)
			}
			c.compare(t)
		})
	}
}

// readGolden reads a golden file and its options.
func readGolden(t *testing.T, path string) *goldenCase {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	name := strings.TrimSuffix(filepath.Base(path), ".txtar")
	c := &goldenCase{name: name, path: path, archive: golden.Parse(data)}
	require.NotEmpty(t, strings.TrimSpace(string(c.archive.Comment)), "a case says why it is there")
	var o goldenOptions
	if raw := c.archive.Get("options.json"); len(raw) > 0 {
		require.NoError(t, json.Unmarshal(raw, &o))
	}
	c.options = &wire.Options{
		Provider: o.Provider, Model: o.Model, Portable: o.Portable, Options: o.Options,
	}
	if o.MaxString > 0 {
		c.options.Options.Fixers = []preflight.Fixer{
			fixer.Truncate{MaxString: o.MaxString}.Fixer(),
		}
	}
	return c
}

func runGolden(t *testing.T, path string, exact bool) *goldenCase {
	t.Helper()
	c := readGolden(t, path)
	c.exact = exact
	in := c.archive.Get("input.json")
	require.NotEmpty(t, in, "%s has no file input.json; is it after a line \"-- input.json --\"?", path)
	report, err := wire.Check(in, c.options)
	require.NoError(t, err)
	c.found = report.Violations
	c.result, c.err = wire.Sanitize(context.Background(), in, c.options)
	if c.err == nil {
		requireGuarantees(t, in, c.options)
		fake := c.result.Provider
		if !slices.Contains(preflighttest.Providers(), fake) {
			fake = spoken(fake)
		}
		c.refused, err = preflighttest.Violations(fake, c.result.Body)
		require.NoError(t, err)
	}
	return c
}

// compare holds the case to what its file wants, or rewrites the file with -update.
func (c *goldenCase) compare(t *testing.T) {
	t.Helper()
	out, warnings, violations := c.output(), "", ""
	for _, w := range c.result.Warnings {
		warnings += fmt.Sprintln(w.Path, w.Code, w.Rule)
	}
	for _, v := range c.found {
		violations += fmt.Sprintln(v.Path, v.Rule)
	}
	if *update {
		c.archive.Set("output.json", []byte(out))
		c.archive.Set("warnings", []byte(warnings))
		c.archive.Set("violations", []byte(violations))
		require.NoError(t, os.WriteFile(c.path, c.archive.Bytes(), 0o644))
		return
	}
	for _, file := range [][2]string{
		{"output.json", out}, {"warnings", warnings}, {"violations", violations},
	} {
		if diff := cmp.Diff(string(c.archive.Get(file[0])), file[1]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file[0], diff)
		}
	}
}

// output is what came out, as the file holds it.
func (c *goldenCase) output() string {
	switch {
	case c.err != nil:
		return "error: " + c.err.Error() + "\n"
	case c.exact:
		return string(c.result.Body)
	}
	return string(golden.Layout(c.result.Body))
}
