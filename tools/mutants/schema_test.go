package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// kinds has a mutation of every kind that can be a schema.
const kinds = `package kinds

import "time"

func equal(a, b int) []bool { return []bool{see(a) == see(b), a != b} }

func compare(a, b int) []bool { return []bool{see(a) < see(b), a <= b, a > b, a >= b} }

func undefined(x, y float64) []bool { return []bool{x < y, x <= y, x > y, x >= y, x == y, x != y} }

func texts(a, b string) bool { return a < b }

func logic(a, b, c bool) []bool {
	return []bool{
		see(a) && see(b), see(a) || see(b), a || b || see(c), a && b && see(c),
		a || b && c, (a || b) && // a comment
			c, !a == b, !(see(a) || c),
	}
}

func number(a, b int) []int {
	return []int{see(a) + see(b), a - b - 2, a * b * 3, a / (b + 1), a % (b + 1) * 2}
}

func bits(a, b uint8) []any { return []any{a | b, a & b, a &^ b, a << b, a >> see(b), a&b == a} }

func wait(n int) time.Duration { return time.Duration(n) * time.Second }

func assign(a, b int) []int {
	m := map[int]int{}
	m[see(a)] += b
	m[see(b)]--
	m[a]++
	u := uint16(a)
	u |= uint16(b)
	u &= uint16(6)
	a -= see(b)
	return []int{m[0], m[1], m[2], a, int(u)}
}

func loop(a, b int) (sum int) {
	for i := 0; i < a; i++ {
		for j := a; j > 0; j -= 1 {
			tick()
			if j == b {
				continue
			}
			if j+i == 4 {
				break
			}
			sum++
		}
	}
	if sum++; sum > b {
		see(sum)
	}
	switch {
	case a == 2:
		sum += 10
	case true:
		sum += 20
	}
	return sum
}

type truth bool

func constants(a int) (truth, any, []int) { return true, false, []int{0, 7, -1, a}[a%2:] }
`

// trace shows what kinds does. What has an effect is written too, so that it shows when something
// is evaluated twice, or too soon. A loop without an end runs out of ticks.
const trace = `package kinds

import (
	"fmt"
	"math"
	"strings"
)

var trace strings.Builder

var ticks int

func tick() {
	trace.WriteByte('.')
	if ticks--; ticks < 0 {
		panic("no end")
	}
}

func see[T any](v T) T { fmt.Fprint(&trace, "<", v, ">"); return v }

func Trace() string {
	for a := range 4 {
		for b := range 4 {
			ticks = 100
			try(func() any { return equal(a, b) })
			try(func() any { return compare(a, b) })
			try(func() any { return logic(a > 1, a%2 > 0, b > 1) })
			try(func() any { return number(a, b) })
			try(func() any { return bits(uint8(a*9), uint8(b)) })
			try(func() any { return assign(a, b) })
			try(func() any { return loop(a, b) })
			try(func() any { return all(constants(a)) })
		}
	}
	try(func() any { return undefined(math.NaN(), 1) })
	try(func() any { return undefined(1, 1) })
	try(func() any { return texts("a", "a") })
	try(func() any { return wait(2) })
	return trace.String()
}

func all(values ...any) any { return values }

func try(f func() any) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintln(&trace, "panic:", r)
		}
	}()
	fmt.Fprintln(&trace, f())
}
`

// program compiles a program with packages, each of files and the trace, and returns how to see the
// trace of the k-th with a mutant on.
func program(t *testing.T, packages []map[string][]byte) func(k, number int) string {
	t.Helper()
	dir := t.TempDir()
	imports, calls := "import \"os\"\n", ""
	for k, files := range packages {
		imports += fmt.Sprintf("import p%d \"kinds/p%d\"\n", k, k)
		calls += fmt.Sprintf("\tcase \"%d\":\n\t\tos.Stdout.WriteString(p%d.Trace())\n", k, k)
		require.NoError(t, os.Mkdir(filepath.Join(dir, "p"+strconv.Itoa(k)), 0o700))
		files["trace.go"] = []byte(trace)
		for name, text := range files {
			require.NoError(t,
				os.WriteFile(filepath.Join(dir, "p"+strconv.Itoa(k), name), text, 0o600))
		}
	}
	main := "package main\n\n" + imports + "\nfunc main() {\n\tswitch os.Args[1] {\n" + calls +
		"\t}\n}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(main), 0o600))
	require.NoError(t,
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module kinds\n\ngo 1.24\n"), 0o600))
	build := exec.Command("go", "build", "-o", "program", ".")
	build.Dir = dir
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return func(k, number int) string {
		cmd := exec.Command(filepath.Join(dir, "program"), strconv.Itoa(k))
		cmd.Env = append(os.Environ(), variable+"="+strconv.Itoa(number))
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
}

// TestSchemata: with a mutant on, a program with many schemata does what the program with the
// mutated text does, and with none on, what the source does.
func TestSchemata(t *testing.T) {
	write(t, map[string]string{"kinds.go": kinds})
	found, err := mutantsOf(".")
	require.NoError(t, err)
	batches, alone := deal(found)
	require.Empty(t, ids(alone))
	packages := []map[string][]byte{{"kinds.go": []byte(kinds)}}
	for _, batch := range batches {
		files, err := instrumented(batch)
		require.NoError(t, err)
		packages = append(packages, files)
	}
	for _, batch := range batches {
		for _, m := range batch {
			packages = append(packages, m.mutated())
		}
	}
	run := program(t, packages)
	source := run(0, 0)
	text := len(batches) + 1
	for b, batch := range batches {
		require.Equal(t, source, run(b+1, 0), "batch %d with no mutant on", b)
		for k, m := range batch {
			want := run(text, 0)
			text++
			require.NotEqual(t, source, want, "%s shows nothing", m.id)
			require.Equal(t, want, run(b+1, k+1), m.id)
		}
	}
}

// TestNoSchema: what is evaluated twice as a schema, takes an operand of its neighbour, is
// where no if is allowed, or is another number, is left to be compiled alone.
func TestNoSchema(t *testing.T) {
	write(t, map[string]string{
		"a.go": `package a

func f(a, b int, m map[int]int, x any) int {
	for m[a] = b; ; m[a]++ {
	}
	switch g(); {
	}
	switch x.(type) {
	}
	a = a | b | a
	a = a & b << a
	return 1 << a / 010
}
`,
	})
	found, err := mutantsOf(".")
	require.NoError(t, err)
	_, alone := deal(found)
	want := []string{
		"a.go f: for m[a] = b; ; m[a][++ → --] {",
		"a.go f: switch [g() → ]; {",
		"a.go f: switch [x.(type) → ] {",
		"a.go f: a = a | b [| → &] a",
		"a.go f: a = a [| → &] b | a",
		"a.go f: a = a [& → |] b << a",
		"a.go f: return 1 [<< → >>] a / 010",
		"a.go f: return 1 << a / [010 → 11]",
	}
	require.Empty(t, cmp.Diff(want, ids(alone)))
}
