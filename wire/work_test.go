//go:build workcount

package wire_test

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/internal/work"
	"github.com/go-preflight/preflight/stored"
	"github.com/go-preflight/preflight/wire"
)

// This file holds the cost of a repair to its input: make work counts steps, because a clock misses
// quadratic work that is quick at the sizes of a test.

// TestWorkIsLinear: whatever a body repeats, and however it is repaired, eight times as much of it
// takes about eight times as many steps.
func TestWorkIsLinear(t *testing.T) {
	providers := slices.Sorted(maps.Keys(samples))
	rapid.Check(t, func(t *rapid.T) {
		provider := rapid.SampledFrom(providers).Draw(t, "provider")
		body := samples[provider]
		lists := repeatable(body)
		at := rapid.SampledFrom(lists).Draw(t, "list")
		fresh := rapid.Bool().Draw(t, "fresh")
		if rapid.Bool().Draw(t, "NUL") {
			body = withNULs.Replace(body)
			at = rapid.SampledFrom(repeatable(body)).Draw(t, "list with NUL")
		}
		options := &wire.Options{Provider: provider, Options: drawPolicies(t)}
		options.Portable = rapid.Bool().Draw(t, "portable")
		steps := func(n int) int64 {
			grown := []byte(repeated(body, at, n, fresh))
			return work.Count(func() {
				// an error is as good as a repair: both have to be found in time
				_, _ = wire.Sanitize(context.Background(), grown, options)
			})
		}
		few, many := steps(40), steps(320)
		if many > 12*few+10_000 {
			t.Fatalf("%d steps for 40, %d for 320, of %s", few, many, body[at[0]:at[1]])
		}
	})
}

// TestPartsWork: eight times the bad parts in one message, or the messages to join with members
// that are refused and unknown members, take about eight times as many steps to repair and to
// check, and about eight times the memory: whatever copies the body again for each part is no step.
func TestPartsWork(t *testing.T) {
	list := func(element string, n int) string {
		return strings.TrimSuffix(strings.Repeat(element, n), ",")
	}
	for name, body := range map[string]func(n int) string{
		"parts": func(n int) string {
			call := `{"type":"tool_use","id":7,"name":"f","input":7,"index":0},`
			text := `{"type":"text","text":5,"index":0},{"type":"text","text":" "},`
			return `{"model":"claude-sonnet-4-5","tools":[{"name":"f","input_schema":{}}],` +
				`"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[` +
				list(call, n) + `]},{"role":"user","content":[{"type":"tool_result",` +
				`"tool_use_id":7,"content":[` + list(text, n) + `]}]}]}`
		},
		"joined messages": func(n int) string {
			message := `{"role":"user","content":[{"type":"text","text":"q","index":0}],` +
				`"zz":1,"id":"x"},`
			return `{"model":"glm-5.1","messages":[` + list(message, 6*n) + `]}`
		},
	} {
		t.Run(name, func(t *testing.T) {
			options := &wire.Options{
				Options: preflight.Options{Dangling: preflight.DanglingAnswer},
			}
			cost := func(n int) (steps, bytes int64) {
				in := []byte(body(n))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				steps = work.Count(func() {
					result, err := wire.Sanitize(context.Background(), in, options)
					require.NoError(t, err)
					require.Greater(t, len(result.Warnings), 5*n)
					report, err := wire.Check(in, options)
					require.NoError(t, err)
					require.Greater(t, len(report.Violations), 5*n)
				})
				runtime.ReadMemStats(&after)
				return steps, int64(after.TotalAlloc - before.TotalAlloc)
			}
			cost(800) // so that nothing is made for the first time
			fewSteps, fewBytes := cost(100)
			manySteps, manyBytes := cost(800)
			require.LessOrEqual(t, manySteps, 12*fewSteps)
			require.LessOrEqual(t, manyBytes, 12*fewBytes)
		})
	}
}

// drawPolicies draws the policies whose fixers do the most work.
func drawPolicies(t *rapid.T) preflight.Options {
	o := preflight.Options{
		Dangling: rapid.SampledFrom([]preflight.Dangling{
			preflight.DanglingRemove, preflight.DanglingAnswer,
		}).Draw(t, "dangling"),
		Orphans: rapid.SampledFrom([]preflight.Orphans{
			preflight.OrphanRemove, preflight.OrphanText,
		}).Draw(t, "orphans"),
		Duplicates: rapid.SampledFrom([]preflight.Duplicates{
			preflight.DuplicateMerge, preflight.DuplicateFirst, preflight.DuplicateLast,
		}).Draw(t, "duplicates"),
	}
	if rapid.Bool().Draw(t, "strip") {
		o.Fixers = append(o.Fixers, preflight.Fixers.StripEphemeral)
	}
	if longest := rapid.SampledFrom([]int{0, 7}).Draw(t, "longest"); longest > 0 {
		o.Fixers = append(o.Fixers, fixer.Truncate{MaxString: longest}.Fixer())
	}
	older := stored.Older{Keep: rapid.SampledFrom([]int{0, 2}).Draw(t, "keep")}
	if older.Keep > 0 {
		o.Fixers = append(o.Fixers, older.Fixer())
	}
	return o
}

// withNULs puts a NUL into texts and arguments.
var withNULs = strings.NewReplacer(
	`"text":"`, `"text":"\u0000`, `{"a":1.0}`, `{"a":"\u0000"}`, `{}`, `{"b":"\u0000"}`,
)

// repeatable are the values of a body that hold others.
func repeatable(body string) [][2]int {
	return slices.DeleteFunc(places(body), func(at [2]int) bool {
		return at[1]-at[0] < 3 || body[at[0]] != '[' && body[at[0]] != '{'
	})
}

// repeated is body with the content of the list or object at a place n times. fresh gives each copy
// other keys in an object, and other ids in a list.
func repeated(body string, at [2]int, n int, fresh bool) string {
	content := body[at[0]+1 : at[1]-1]
	var b strings.Builder
	b.WriteString(body[:at[0]+1])
	for k := range n {
		if k > 0 {
			b.WriteByte(',')
		}
		copied := content
		if fresh && body[at[0]] == '{' {
			copied = strings.Replace(copied, `":`, fmt.Sprintf(`%d":`, k), 1)
		} else if fresh {
			for _, id := range []string{`"t1"`, `"c1"`, `"c2"`, `"1"`, `"srvtoolu_1"`} {
				copied = strings.ReplaceAll(copied, id, fmt.Sprintf(`%s_%d"`, id[:len(id)-1], k))
			}
		}
		b.WriteString(copied)
	}
	b.WriteString(body[at[1]-1:])
	return b.String()
}

// TestDuplicateFieldsWork: looking for names that an object has twice takes no step for each
// pair of names, whatever the names and however many.
func TestDuplicateFieldsWork(t *testing.T) {
	const n = 32_000
	for name, field := range map[string]string{
		"one name": "name", "one beginning": "12345678%08d12345678", "short": "%d",
		"escaped": `\u0061%d`,
	} {
		for _, width := range []int{2, 15, 16, 17, 4000} {
			var objects []string
			for k := 0; k < n; k += width {
				var members []string
				for j := range width {
					key := field
					if strings.Contains(field, "%") {
						key = fmt.Sprintf(field, k+j)
					}
					members = append(members, `"`+key+`":0`)
				}
				objects = append(objects, "{"+strings.Join(members, ",")+"}")
			}
			in := []byte(`{"messages":[{"role":"user","content":"q"}],"metadata":[` +
				strings.Join(objects, ",") + `]}`)
			steps := work.Count(func() {
				_, _ = wire.Sanitize(context.Background(), in, &wire.Options{Provider: "anthropic"})
			})
			if steps > 200*n {
				t.Errorf("%s, %d in an object: %d steps for %d names", name, width, steps, n)
			}
		}
	}
}
