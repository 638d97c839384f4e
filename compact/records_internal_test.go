package compact

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// shapes are ways in which a tool lists jobs with their states, all of them the same few.
var shapes = []struct{ name, before, job, between, after string }{
	{"objects", "", "{\n  \"name\": %q,\n  \"state\": %q,\n  \"code\": 1\n}", "\n", ""},
	{"list of objects", "{\n  \"jobs\": [\n",
		"    {\n      \"name\": %q,\n      \"state\": %q,\n      \"code\": 1\n    }", ",\n",
		"\n  ],\n  \"partial\": true\n}"},
	{"list in one line", `{"jobs":[`, `{"name":%q,"state":%q,"code":1}`, ",", `]}`},
	{"objects in lines", "", `{"name": %q, "note": "It ran. It ended.", "state": %q}`, "\n", ""},
	{"YAML list", "jobs:\n", "  - name: %s\n    state: %s\n    tries:\n      - one", "\n", ""},
	{"YAML keys", "", "%s:\n  state: %s\n  code: 1", "\n", ""},
	{"keys of objects", "{\n", "  %q: {\n    \"state\": %q,\n    \"code\": 1\n  }", ",\n", "\n}"},
	{"fields", "", "job: %s\nstate: %s\ncode = 1", "\n", ""},
	{"paragraphs", "", "job: %s\nstate: %s\ncode: 1", "\n\n", ""},
	{"status first", "", "%[2]s\njob %[1]s", "\n", ""},
	{"status last", "", "job %s\n%s", "\n", ""},
	{"log", "", "started the job %s on the usual host\nstate: %s\nexit code 1", "\n\n", ""},
}

// listing is a call and its result: the jobs of one run, and how each has to be read.
func listing(run, jobs int, before, job, between, after string) ([]preflight.Message, []string) {
	var all, want []string
	for k := range jobs {
		state := "ok"
		if (run+k)%3 == 0 {
			state = "FAILED"
		}
		one := fmt.Sprintf(job, fmt.Sprintf("j%02d-%02d", run, k), state)
		all, want = append(all, one), append(want, strings.Join(strings.Fields(one), " "))
	}
	return []preflight.Message{
		{Role: preflight.RoleAssistant, Parts: []preflight.Part{
			&preflight.ToolCall{Name: "list", Input: []byte(`{}`)},
		}},
		{Role: preflight.RoleTool, Parts: []preflight.Part{&preflight.ToolResult{Name: "list",
			Content: []preflight.Part{
				&preflight.Text{Text: before + strings.Join(all, between) + after},
			}}}},
	}, want
}

// TestRecords: a field or state that other outputs have, too, is kept or dropped with what it is
// said of, whatever the budget.
func TestRecords(t *testing.T) {
	for _, s := range shapes {
		for _, jobs := range []int{1, 2, 25} {
			t.Run(fmt.Sprint(s.name, " ", jobs), func(t *testing.T) {
				var inputs []Input
				var want []string
				for run := range 9 {
					h, jobs := listing(run, jobs, s.before, s.job, s.between, s.after)
					inputs, want = append(inputs, inputsOf(h)...), append(want, jobs...)
				}
				kept := 0
				for _, budget := range []int{20, 50, 100, 200, 400, 800, 1600, 3200} {
					text := Limits{}.Extract("", budget, slices.Values(inputs))[0]
					text = strings.NewReplacer(toolLabel, "", "\n"+goesOnMark, " ").Replace(text)
					text = strings.Join(strings.Fields(text), " ")
					for _, job := range want {
						if name := job[strings.Index(job, "j0"):][:6]; strings.Contains(text, name) {
							require.Contains(t, text, job, "budget %d", budget)
							kept++
						}
					}
				}
				require.Positive(t, kept)
			})
		}
	}
}

// TestLatest: a result is said of its call, and is no repetition of another's; a whole object and a
// sentence are.
func TestLatest(t *testing.T) {
	var inputs []Input
	for _, text := range []string{"FAILED", "ok", "FAILED",
		"the list of all\n{\"a\": 1, \"b\": 2}\nend of it",
		"this is a list\nthe cache is older than its sources are\nand all of it is well",
		"this is not a list\nthe cache is older than its sources are\nand nothing of it is well",
	} {
		inputs = append(inputs, InputOf(preflight.Message{Role: preflight.RoleTool,
			Parts: []preflight.Part{&preflight.ToolResult{Name: "run",
				Content: []preflight.Part{&preflight.Text{Text: text}}}}}))
	}
	all, _, _ := allSegments(nil, slices.Values(inputs))
	kept := once(all, func(s *segment) *segment { return s })
	require.Equal(t, len(all)-1, len(kept))
	count := func(text string) (n int) {
		for _, s := range kept {
			n += strings.Count(s.text, text)
		}
		return n
	}
	require.Equal(t, 2, count("FAILED"))
	require.Equal(t, 1, count("the cache"))
}
