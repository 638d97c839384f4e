package main

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// edit is another text in the place of some bytes of a file.
type edit struct {
	from, to int
	text     string
}

// apply is the source with the edits in it, which do not overlap.
func apply(source []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, source[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, source[at:]...)
}

// deal puts the mutants into batches that can be compiled at once, since no schema of a batch
// overlaps another; those that have no schema come apart.
func deal(mutants []mutant) (batches [][]mutant, alone []mutant) {
	for _, m := range mutants {
		if m.schema.text == "" {
			alone = append(alone, m)
			continue
		}
		k := slices.IndexFunc(batches,
			func(batch []mutant) bool { return !slices.ContainsFunc(batch, m.overlaps) })
		if k < 0 {
			k, batches = len(batches), append(batches, nil)
		}
		batches[k] = append(batches[k], m)
	}
	return batches, alone
}

func (m mutant) overlaps(o mutant) bool {
	return m.file == o.file && m.schema.from < o.schema.to && o.schema.from < m.schema.to
}

// dir is the directory of its package, as go list gives it.
func (m mutant) dir() string {
	if abs, err := filepath.Abs(filepath.Dir(m.file)); err == nil {
		return abs
	}
	return ""
}

// mutated is the one file that a mutant changes.
func (m mutant) mutated() map[string][]byte {
	return map[string][]byte{m.file: apply(m.source, []edit{{m.start, m.end, m.is}})}
}

// instrumented are the files of a batch with the schemata in them, the k-th for number k+1, and the
// prelude of every package.
func instrumented(batch []mutant) (map[string][]byte, error) {
	edits := map[string][]edit{}
	out := map[string][]byte{}
	for k, m := range batch {
		edits[m.file] = append(edits[m.file], m.edit(k+1))
	}
	for _, m := range batch {
		if out[m.file] != nil {
			continue
		}
		out[m.file] = append([]byte("//line "+filepath.Base(m.file)+":1\n"),
			apply(m.source, edits[m.file])...)
		clause, err := parser.ParseFile(token.NewFileSet(), m.file, m.source,
			parser.PackageClauseOnly)
		if err != nil {
			return nil, err
		}
		out[filepath.Join(filepath.Dir(m.file), "zz_mutant_prelude.go")] = preludeOf(
			clause.Name.Name)
	}
	return out, nil
}

// edit is the schema under a number. The compiler takes it for a file of its own, so that what is
// wrong with it names the mutant, and counts the lines after it as in the source.
func (m mutant) edit(k int) edit {
	_, last := m.lines()
	text := strings.ReplaceAll(m.schema.text, number, strconv.Itoa(k))
	return edit{
		m.schema.from,
		m.schema.to,
		fmt.Sprintf("/*line %s:1*/%s/*line %s:%d*/", schemaName(k), text, filepath.Base(m.file),
			last),
	}
}

// schemaName is what the compiler takes for the file of a schema.
func schemaName(k int) string { return "mutant" + strconv.Itoa(k) }

// lines are the first and the last that the schema is on.
func (m mutant) lines() (first, last int) {
	line := func(at int) int { return 1 + bytes.Count(m.source[:at], []byte("\n")) }
	return line(m.schema.from), line(m.schema.to)
}
