package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

var update = flag.Bool("update", false, "rewrite what the golden cases want")

// section is one file of a txtar archive.
type section struct {
	name string
	data []byte
}

// parseArchive splits a txtar archive: a comment, then files behind "-- name --" lines.
func parseArchive(data []byte) (comment []byte, sections []section) {
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "-- ") && strings.HasSuffix(text, " --") {
			sections = append(sections, section{name: text[3 : len(text)-3]})
		} else if len(sections) == 0 {
			comment = append(comment, line...)
		} else {
			last := &sections[len(sections)-1]
			last.data = append(last.data, line...)
		}
	}
	return comment, sections
}

// goldenOptions are the options of a case, as JSON.
type goldenOptions struct {
	Provider string            `json:"provider"`
	Model    string            `json:"model"`
	Sanitize preflight.Options `json:"sanitize"`
}

// TestGolden runs the cases under testdata/golden. Each is an archive: why it is there, options, the body that comes in, the
// body that has to come out, the warnings and the violations. What comes out has to be a fixed point.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/golden/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			runGolden(t, path)
		})
	}
}

func runGolden(t *testing.T, path string) {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	comment, sections := parseArchive(data)
	require.NotEmpty(t, strings.TrimSpace(string(comment)), "a case says why it is there")
	file := make(map[string][]byte)
	for _, s := range sections {
		file[s.name] = s.data
	}
	var o goldenOptions
	if raw := file["options"]; len(raw) > 0 {
		require.NoError(t, json.Unmarshal(raw, &o))
	}
	options := &wire.Options{Provider: o.Provider, Model: o.Model, Sanitize: o.Sanitize}
	in := file["in"]
	require.NotEmpty(t, in)
	got := map[string]string{"out": "", "warnings": "", "violations": ""}
	report, err := wire.Check(in, options)
	require.NoError(t, err)
	for _, v := range report.Violations {
		got["violations"] += fmt.Sprintln(v.Path, v.Rule)
	}
	result, err := wire.Sanitize(context.Background(), in, options)
	if err != nil {
		got["out"] = "error: " + err.Error() + "\n"
	} else {
		got["out"] = string(result.Body)
		for _, w := range result.Warnings {
			got["warnings"] += fmt.Sprintln(w.Path, w.Code, w.Rule)
		}
		requireGuarantees(t, in, options)
	}
	if *update {
		writeGolden(t, path, comment, sections, got)
		return
	}
	for name, text := range got {
		if diff := cmp.Diff(string(file[name]), text); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func writeGolden(t *testing.T, path string, comment []byte, sections []section, got map[string]string) {
	out := bytes.NewBuffer(bytes.Clone(comment))
	for _, s := range sections {
		if _, made := got[s.name]; !made {
			fmt.Fprintf(out, "-- %s --\n%s", s.name, s.data)
		}
	}
	for _, name := range []string{"out", "warnings", "violations"} {
		fmt.Fprintf(out, "-- %s --\n%s", name, got[name])
	}
	require.NoError(t, os.WriteFile(path, out.Bytes(), 0o644))
}
