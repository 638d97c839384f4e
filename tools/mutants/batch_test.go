package main

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestBatches: mutants whose schemata overlap, one inside the other or as parts of one expression,
// get batches of their own, and in each batch the source still parses.
func TestBatches(t *testing.T) {
	write(t, map[string]string{
		"a.go": "package a\n\nfunc f(a, b int) bool {\n\tif a == 1 && b < 2 && g() {\n\t\tf(b+1, " +
			"a)\n\t}\n\treturn false\n}\n\nfunc g() bool { return true }\n",
		"b.go": "package a\n\nfunc h() bool { return false }\n",
	})
	found, err := mutantsOf(".")
	require.NoError(t, err)
	batches, alone := deal(found)
	require.Empty(t, alone)
	var dealt [][]string
	for _, batch := range batches {
		dealt = append(dealt, ids(batch))
		files, err := instrumented(batch)
		require.NoError(t, err)
		for name, text := range files {
			_, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
			require.NoError(t, err, string(text))
		}
	}
	want := [][]string{
		{"a.go f: if [a == 1 && b < 2 && g() → false && (a == 1 && b < 2 && g())] {",
			"a.go f: [f(b+1, a) → ]", "a.go f: return [false → true]",
			"a.go g: func g() bool { return [true → false] }",
			"b.go h: func h() bool { return [false → true] }"},
		{"a.go f: if a == 1 && b < 2 [&& → ||] g() {", "a.go f: f(b[+ → -]1, a)"},
		{"a.go f: if a == 1 [&& → ||] b < 2 && g() {", "a.go f: f(b+[1 → 2], a)"},
		{"a.go f: if a [== → !=] 1 && b < 2 && g() {",
			"a.go f: if a == 1 && b [< → <=] 2 && g() {"},
		{"a.go f: if a == [1 → 2] && b < 2 && g() {", "a.go f: if a == 1 && b < [2 → 3] && g() {"},
	}
	require.Empty(t, cmp.Diff(want, dealt))
}

// TestUncompilableSchema: a mutant whose schema does not compile is tried as a text: the compiler
// complains of the schema of a number that is no int, or of the line of one, or, far from it, of
// the function that no longer ends in a panic. The rest of the batch is tried all the same.
func TestUncompilableSchema(t *testing.T) {
	write(t, map[string]string{
		"go.mod": "module half\n\ngo 1.24\n",
		"half.go": `package half

func Half(x float64) float64 { return x / 2 }

func Third(n int) int {
	if n > 0 {
		return n / 3
	}
	panic("no third of " + "it")
}

func Next(n int) int { return n + 1 }

func Digit(c byte) byte { return c - ('A' - 10) }
`,
		"half_test.go": `package half

import "testing"

func TestHalf(t *testing.T) {
	if Half(3) != 1.5 || Third(9) != 3 || Next(1) != 2 || Digit('A') != 10 {
		t.Fail()
	}
}
`,
	})
	var out strings.Builder
	require.NoError(t, run([]string{"."}, options{rounds: 1, parallel: 2}, &out))
	for _, want := range []string{
		"noticed by TestHalf, round 1\thalf.go Half: func Half(x float64) float64 { return x [/ " +
			"→ *] 2 }",
		"noticed by TestHalf, round 1\thalf.go Half: func Half(x float64) float64 { return x / " +
			"[2 → 3] }",
		"noticed by TestHalf, round 1\thalf.go Third: if [n > 0 → false && (n > 0)] {",
		"noticed by TestHalf, round 1\thalf.go Third: return n / [3 → 4]",
		"SURVIVED\thalf.go Third: if n [> → >=] 0 {",
		"invalid\thalf.go Third: [panic(\"no third of \" + \"it\") → ]",
		"invalid\thalf.go Third: panic(\"no third of \" [+ → -] \"it\")",
		"noticed by TestHalf, round 1\thalf.go Digit: func Digit(c byte) byte { return c - ('A' " +
			"- [10 → 11]) }",
		"noticed by TestHalf, round 1\thalf.go Next: func Next(n int) int { return n [+ → -] 1 }",
	} {
		require.Contains(t, out.String(), want+"\n")
	}
	require.Contains(t, out.String(),
		"; beside them 0 equivalent, 2 that do not compile, from 14 in all")
}

// TestCompilerErrors: the compiler names a schema by its number; only when it names none, the
// mutants on a line of their file are to blame.
func TestCompilerErrors(t *testing.T) {
	write(t, map[string]string{
		"a.go": "package a\n\nfunc f(b byte) (bool, byte) {\n\treturn true,\n\t\tb + 1\n}\n",
	})
	found, err := mutantsOf(".")
	require.NoError(t, err)
	require.Len(t, found, 3) // true, +, 1
	const named, line = "# a\nwire/mutant2:1: no\n", "./a.go:5:3: no\n"
	require.Equal(t, []int{2}, blamed(named+line, found))
	require.Equal(t, []int{2, 3}, blamed(line, found))
	require.Empty(t, blamed("b.go:5: no\na.go:6: missing return\n", found))
}

// TestLimits: a test that has no end, waits for nothing, or takes memory without one is stopped.
func TestLimits(t *testing.T) {
	write(t, map[string]string{
		"go.mod": "module endless\n\ngo 1.24\n",
		"endless_test.go": `package endless

import (
	"os"
	"testing"
	"time"
)

var kept [][]byte

func TestEnd(t *testing.T) {
	switch os.Getenv("MUTANT") {
	case "1":
		for {
		}
	case "2":
		time.Sleep(time.Hour)
	case "3":
		for {
			kept = append(kept, make([]byte, 1<<26))
		}
	}
}
`,
	})
	l := &lab{work: t.TempDir()}
	s := suite{dir: "."}
	ok, _, err := l.compile([]suite{s}, nil)
	require.NoError(t, err)
	require.True(t, ok)
	const crashed = noticed + " by a crash, round 1"
	for number, c := range []struct {
		limit int
		want  []verdict
	}{
		{20, []verdict{survived}},
		{1, []verdict{timedOut}},
		{1, []verdict{timedOut}},
		{20, []verdict{crashed, timedOut}},
	} {
		v, used, err := l.run(s, 0, number, c.limit)
		require.NoError(t, err)
		require.Contains(t, c.want, v, "%d", number)
		require.Less(t, used, float64(c.limit)+2)
	}
}

// TestNarrow: the sample is drawn from some files, without what was tried before.
func TestNarrow(t *testing.T) {
	write(t, map[string]string{
		"a.go": "package a\n\nfunc f() bool { return true }\n",
		"b.go": "package a\n\nfunc g() (bool, bool) { return true, false }\n",
		"tried.txt": "b.go g: func g() (bool, bool) { return [true → false], false }\tnoticed by " +
			"TestG, round 1\n",
	})
	list := func(o options) (string, error) {
		var out strings.Builder
		o.list, o.rounds, o.parallel = true, 1, 1
		err := run([]string{"."}, o, &out)
		return out.String(), err
	}
	const a, b = "a.go f: func f() bool { return [true → false] }\n", "b.go g: func g() (bool, " +
		"bool) { return true, [false → true] }\n"
	one, err := list(options{files: "a.go"})
	require.NoError(t, err)
	require.Equal(t, a, one)
	one, err = list(options{files: "b.go", without: "tri*.txt"})
	require.NoError(t, err)
	require.Equal(t, b, one)
	two, err := list(options{without: "tried.txt"})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{a, b, ""}, strings.SplitAfter(two, "\n"))
	_, err = list(options{files: "a.go,c.go"})
	require.ErrorContains(t, err, "there is no mutant in c.go")
	_, err = list(options{without: "absent.txt"})
	require.ErrorContains(t, err, "no file is called absent.txt")
}
