package wire_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/golden"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// The tables of this file are in testdata: a file for each format, in it a row for each thing.

// eachRow runs a test for each row of the tables in a directory of testdata. With -update the rows
// are written back as the test has set them.
func eachRow(t *testing.T, dir string, test func(t *testing.T, row *golden.Row)) {
	for _, path := range tables(t, dir) {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		archive := golden.Parse(data)
		rows := archive.Rows()
		format := strings.TrimSuffix(filepath.Base(path), ".txtar")
		for i := range rows {
			t.Run(format+"/"+rows[i].Name, func(t *testing.T) { test(t, &rows[i]) })
		}
		if *update {
			archive.SetRows(rows)
			require.NoError(t, os.WriteFile(path, archive.Bytes(), 0o644))
		}
	}
}

// tables are the paths of the tables in a directory of testdata.
func tables(t testing.TB, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/" + dir + "/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	return paths
}

// requireRow compares the values that a row has for a key, or sets them with -update.
func requireRow(t *testing.T, row *golden.Row, key string, got ...string) {
	t.Helper()
	if *update {
		row.Set(key, got...)
		return
	}
	if diff := cmp.Diff(row.All(key), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", key, diff)
	}
}

// sample is a body of the tables in testdata/unchanged.
type sample struct{ reason, provider, body string }

// sound returns bodies with nothing wrong with them, in spellings that a decoder and encoder would
// change.
func sound(t testing.TB) []sample {
	t.Helper()
	var all []sample
	for _, path := range tables(t, "unchanged") {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		archive := golden.Parse(data)
		for _, row := range archive.Rows() {
			all = append(all, sample{row.Name, row.Get("provider"), row.Get("in")})
		}
	}
	return all
}

// TestUnchanged: bodies with nothing wrong with them come back as they are.
func TestUnchanged(t *testing.T) {
	eachRow(t, "unchanged", func(t *testing.T, row *golden.Row) { requireBody(t, row) })
}

// TestRepairs: what comes out of a body, with every warning.
func TestRepairs(t *testing.T) {
	eachRow(t, "repairs", func(t *testing.T, row *golden.Row) { requireBody(t, row) })
}

// TestMeasured: what providers were recorded to accept comes back as it is, and what they were
// recorded to refuse is repaired. The fake of the provider, where there is one, agrees.
func TestMeasured(t *testing.T) {
	eachRow(t, "measured", func(t *testing.T, row *golden.Row) {
		out, options := requireBody(t, row)
		refused, fake := fakeRules(options, []byte(row.Get("in")))
		for _, rule := range row.All("rule") {
			require.True(t, !fake || slices.Contains(refused, rule), "%v", refused)
		}
		refused, _ = fakeRules(options, out)
		require.Empty(t, refused)
	})
}

// requireBody sanitizes the body of a row, and returns what comes out. A row without an output is
// about a body that comes back as it is. Its rules are among those that Check sees broken; its
// violations, if it has any, are all that Check finds.
func requireBody(t *testing.T, row *golden.Row) ([]byte, *wire.Options) {
	t.Helper()
	in := []byte(row.Get("in"))
	options := &wire.Options{Provider: row.Get("provider"), Model: row.Get("model")}
	result, err := wire.Sanitize(context.Background(), in, options)
	require.NoError(t, err)
	var warnings []string
	for _, w := range result.Warnings {
		warnings = append(warnings, fmt.Sprint(w.Path, " ", w.Code, " ", w.Rule))
	}
	if result.Changed {
		requireRow(t, row, "out", string(result.Body))
	} else {
		requireRow(t, row, "out")
		requireUnchanged(t, in, options)
	}
	requireRow(t, row, "warning", warnings...)
	requireGuarantees(t, in, options)
	report, err := wire.Check(in, options)
	require.NoError(t, err)
	for _, rule := range row.All("rule") {
		broken := func(v wire.Violation) bool { return v.Rule == rule }
		require.True(t, slices.ContainsFunc(report.Violations, broken), "%v", report.Violations)
	}
	if row.All("violation") != nil {
		var found []string
		for _, v := range report.Violations {
			found = append(found, v.Path+" "+v.Rule)
		}
		requireRow(t, row, "violation", found...)
	}
	return result.Body, options
}

// requireUnchanged asserts that a body is valid and comes back as it is, whatever the policy for
// dangling calls.
func requireUnchanged(t *testing.T, in []byte, options *wire.Options) {
	t.Helper()
	for _, dangling := range []preflight.Dangling{
		preflight.DanglingRemove, preflight.DanglingAnswer,
	} {
		told := *options
		told.Options.Dangling = dangling
		result, err := wire.Sanitize(context.Background(), in, &told)
		require.NoError(t, err)
		require.Empty(t, result.Warnings)
		require.False(t, result.Changed)
		require.True(t, sameSlice(in, result.Body), "%s", result.Body)
		report, err := wire.Check(in, &told)
		require.NoError(t, err)
		require.Nil(t, report.Violations)
	}
	r, err := wire.Decode(in, options)
	require.NoError(t, err)
	out, err := r.Encode(r.Messages)
	require.NoError(t, err)
	require.True(t, sameSlice(in, out), "%s", out)
}

// fakeRules are the rules that the fake of a provider sees broken; fake is false for a provider
// without one.
func fakeRules(options *wire.Options, body []byte) (rules []string, fake bool) {
	o, name := preflighttest.Options{Model: options.Model}, options.Provider
	if r, err := wire.Decode(body, options); err == nil {
		name = r.Provider // a vendor's name stands for each of its formats
	}
	violations, err := o.Violations(name, body)
	for _, v := range violations {
		rules = append(rules, v.Rule)
	}
	return rules, err == nil
}

// TestReadMessages: the messages that elements are read as, in their JSON form.
func TestReadMessages(t *testing.T) {
	eachRow(t, "reads", func(t *testing.T, row *golden.Row) {
		provider := row.Get("provider")
		r, err := wire.Decode([]byte(`{"`+listMember(provider)+`":[`+row.Get("in")+`]}`),
			&wire.Options{Provider: provider})
		require.NoError(t, err)
		var messages []string
		if text := neutral(t, r.Messages); text != "" {
			messages = strings.Split(text, "\n")
		}
		requireRow(t, row, "message", messages...)
	})
}

// TestWrittenMessages: the elements that the parts of a message become, or the error's text.
func TestWrittenMessages(t *testing.T) {
	eachRow(t, "writes", func(t *testing.T, row *golden.Row) {
		var m preflight.Message
		in := `{"role":"` + row.Get("role") + `","parts":[` + row.Get("in") + `]}`
		require.NoError(t, json.Unmarshal([]byte(in), &m))
		r, err := wire.Decode([]byte(`[]`), &wire.Options{Provider: row.Get("provider")})
		require.NoError(t, err)
		out, err := r.Encode([]preflight.Message{m})
		if err != nil {
			require.ErrorIs(t, err, wire.ErrEncode)
			requireRow(t, row, "out", "error: "+err.Error())
			return
		}
		require.True(t, json.Valid(out), "%s", out)
		requireRow(t, row, "out", string(out[1:len(out)-1]))
	})
}
