package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// write puts files, by name, into a directory of their own, and makes it the current one.
func write(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
}

func ids(mutants []mutant) (out []string) {
	for _, m := range mutants {
		out = append(out, m.id)
	}
	return out
}

func TestOperators(t *testing.T) {
	write(t, map[string]string{
		"a.go": `package a

const size = 1 + 1 // no function, no mutant

func f(n int, ok bool) bool {
	for i := 0; !ok; i++ {
		if n == 1 {
			break
		}
		n += 2
		g()
	}
	return n < 3 && true
}

func g() { g(); g() }
`,
		"a_test.go": "package a\n\nfunc h() bool { return true }\n",
	})
	found, err := mutantsOf(".")
	require.NoError(t, err)
	want := []string{
		"a.go f: for i := [0 → 1]; !ok; i++ {",
		"a.go f: for i := 0; [! → ]ok; i++ {",
		"a.go f: for i := 0; !ok; i[++ → --] {",
		"a.go f: if [n == 1 → false && (n == 1)] {",
		"a.go f: if n [== → !=] 1 {",
		"a.go f: if n == [1 → 2] {",
		"a.go f: [break → continue]",
		"a.go f: n [+= → -=] 2",
		"a.go f: n += [2 → 3]",
		"a.go f: [g() → ]",
		"a.go f: return n < 3 [&& → ||] true",
		"a.go f: return n [< → <=] 3 && true",
		"a.go f: return n < [3 → 4] && true",
		"a.go f: return n < 3 && [true → false]",
		"a.go g: func g() { [g() → ]; g() }",
		"a.go g: func g() { g(); [g() → ] }",
	}
	require.Empty(t, cmp.Diff(want, ids(found)))
	require.Contains(t, string(found[3].mutated()["a.go"]), "if false && (n == 1) {\n\t\t\tbreak\n")
}

// TestIDs: the same text twice in a function is told apart by its order, and a line that moves
// keeps its id.
func TestIDs(t *testing.T) {
	const body = "func f() (bool, error) {\n\treturn true, nil\n\treturn true, nil\n}\n"
	write(t, map[string]string{"a.go": "package a\n\n" + body})
	before, err := mutantsOf(".")
	require.NoError(t, err)
	require.Equal(t,
		[]string{"a.go f: return [true → false], nil", "a.go f: return [true → false], nil #2"},
		ids(before))
	write(t, map[string]string{"a.go": "package a\n\n// moved\nfunc g() {}\n\n" + body})
	after, err := mutantsOf(".")
	require.NoError(t, err)
	require.Equal(t, ids(before), ids(after))
}

func TestSample(t *testing.T) {
	all := make([]mutant, 50)
	for i := range all {
		all[i].line = i
	}
	require.ElementsMatch(t, all, sample(all, 0, 1))
	one, again, other := sample(all, 10, 1), sample(all, 10, 1), sample(all, 10, 2)
	require.Len(t, one, 10)
	require.Equal(t, one, again)
	require.Equal(t, one, sample(all, 20, 1)[:10])
	require.NotEqual(t, one, other)
}

// TestWilson holds the interval against the worked figures for 8 of 10 and 0 of 10: 49.0 to 94.3
// and 0 to 27.8 %.
func TestWilson(t *testing.T) {
	low, high := wilson(8, 10)
	require.InDelta(t, 0.490, low, 0.0005)
	require.InDelta(t, 0.943, high, 0.0005)
	low, high = wilson(0, 10)
	require.InDelta(t, 0, low, 1e-9)
	require.InDelta(t, 0.278, high, 0.0005)
}

// The tests of module tiny do not see whether the greater of two equal numbers is the first, for
// no test can, nor what Label returns.
var tiny = map[string]string{
	"go.mod": "module tiny\n\ngo 1.24\n",
	"tiny.go": `package tiny

func Max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

func Label(sound bool) string {
	if sound {
		return "sound"
	}
	return ""
}

func Less(n int) int {
	if n > 3 {
		n--
	}
	return n
}
`,
	"tiny_test.go": `package tiny

import "testing"

func TestMax(t *testing.T) {
	if Max(1, 2) != 2 || Max(2, 1) != 2 {
		t.Fail()
	}
}
`,
}

func TestRun(t *testing.T) {
	write(t, tiny)
	var out strings.Builder
	o := options{rounds: 1, parallel: 2, results: "results.txt"}
	require.NoError(t, run([]string{"."}, o, &out))
	const (
		never = "tiny.go Max: if [a > b → false && (a > b)] {"
		equal = "tiny.go Max: if a [> → >=] b {"
		label = "tiny.go Label: if [sound → false && (sound)] {"
	)
	for _, want := range []string{
		"noticed by TestMax, round 1\t" + never,
		"SURVIVED\t" + equal,
		"SURVIVED\t" + label,
	} {
		require.Contains(t, out.String(), want)
	}
	require.Contains(t, out.String(), "\n1 of 7 mutants noticed: 14.3 % (95 %: 2.6 to 51.3)")
	tried, err := os.ReadFile(o.results)
	require.NoError(t, err)
	require.Equal(t, 7, strings.Count(string(tried), "\n"))

	// The second run takes the verdict on the first mutant from the file, the notes instead of two
	// trials, and a test that was written since sees the rest.
	o.notes = "notes.txt"
	require.NoError(t,
		os.WriteFile(o.notes,
			[]byte("# why\n"+equal+"\tequivalent: both are the greater\n"+label+
				"\tthe text is for people\n"), 0o600))
	require.NoError(t,
		os.WriteFile("less_test.go",
			[]byte("package tiny\n\nimport \"testing\"\n\nfunc TestLess(t *testing.T) {\n\tif "+
				"Less(4) != 3 || Less(3) != 3 {\n\t\tt.Fail()\n\t}\n}\n"), 0o600))
	out.Reset()
	require.NoError(t, run([]string{"."}, o, &out))
	require.Contains(t, out.String(), "noticed by TestLess")
	require.Contains(t, out.String(), "\n5 of 6 mutants noticed: 83.3 %")
	require.Contains(t, out.String(),
		"1 survived, 1 of them harmless; beside them 1 equivalent, 0 that do not compile")
	again, err := os.ReadFile(o.results)
	require.NoError(t, err)
	require.Equal(t, 11, strings.Count(string(again), "\n"),
		"the first and the two with a note are not tried again")
}

func TestRunRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		dirs    []string
		options options
		broken  map[string]string
		want    string
	}{
		"no directory": {nil, options{rounds: 1, parallel: 2}, nil,
			"name the directories to mutate"},
		"no round": {[]string{"."}, options{parallel: 2}, nil, "-rounds is 1 to"},
		"a note on no mutant": {[]string{"."}, options{rounds: 1, parallel: 2, notes: "notes.txt"},
			map[string]string{"notes.txt": "tiny.go Max\twhy\n"},
			`the note on "tiny.go Max" is stale`},
		"failing tests": {[]string{"."}, options{rounds: 1, parallel: 2},
			map[string]string{
				"b_test.go": "package tiny\n\nimport \"testing\"\n\nfunc TestB(t *testing.T) { " +
					"t.Fail() }\n",
			}, "do not pass without a mutant"},
	} {
		t.Run(name, func(t *testing.T) {
			write(t, tiny)
			for file, text := range c.broken {
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			}
			var out strings.Builder
			require.ErrorContains(t, run(c.dirs, c.options, &out), c.want)
			require.Empty(t, out.String())
		})
	}
}
