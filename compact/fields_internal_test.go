package compact

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// longShapes are objects that are longer than a segment: a name, many fields, and a state that
// other objects have, too.
var longShapes = []struct{ name, before, job, between, after string }{
	{"one line", `{"jobs":[`, `{"name":%q,%s"state":%q}`, ",", `]}`},
	{"with spaces", "[", `{"name": %q, %s"state": %q}`, ", ", "]"},
	{"object by line", "", `{"name": %q, %s"state": %q}`, "\n", ""},
	{"nested", `{"all":{"jobs":[`,
		`{"name":%q,"steps":[{"n":1,"ok":true},{"n":2,"ok":true}],%s"state":%q}`, ",", `]}}`},
	{"fields by line", "[\n", "  {\n    \"name\": %q,\n%s    \"state\": %q\n  }", ",\n", "\n]"},
	{"YAML", "", "- name: %s\n%s  state: %s", "\n", ""},
}

// TestLongObjects: the state of an object that is longer than a segment is never without the name
// of the object, whatever the budget, and nothing but its own.
func TestLongObjects(t *testing.T) {
	for _, s := range longShapes {
		t.Run(s.name, func(t *testing.T) {
			var inputs []Input
			for run := range 3 {
				var jobs []string
				for k := range 6 {
					var fields strings.Builder
					for i := range 30 {
						word := fmt.Sprintf("value %d. It is %d%d", i, run, k)
						switch {
						case strings.HasPrefix(s.name, "fields"):
							fmt.Fprintf(&fields, "    \"field%d\": %q,\n", i, word)
						case s.name == "YAML":
							fmt.Fprintf(&fields, "  field%d: %s\n", i, word)
						default:
							fmt.Fprintf(&fields, "\"field%d\":%q,", i, word)
						}
					}
					jobs = append(jobs, fmt.Sprintf(s.job, fmt.Sprintf("j0%d-%d", run, k),
						fields.String(), fmt.Sprintf("FAILED%d%d", run, k)))
				}
				inputs = append(inputs, Input{Role: "tool", Text: "", pieces: []piece{{
					text: "[tool result list] " + s.before + strings.Join(jobs, s.between) + s.after,
					kind: returned, label: toolLabel,
				}}})
				inputs[run].Text = inputs[run].pieces[0].text
			}
			kept, led := 0, 0
			for budget := 40; budget < 6000; budget += budget / 6 {
				text := Limits{}.Extract("", budget, slices.Values(inputs))[0]
				for run := range 3 {
					for k := range 6 {
						before, _, ok := strings.Cut(text, fmt.Sprintf("FAILED%d%d", run, k))
						if !ok {
							continue
						}
						kept++
						at := strings.LastIndex(before, "j0")
						require.GreaterOrEqual(t, at, 0, "budget %d:\n%s", budget, text)
						require.Equal(t, fmt.Sprintf("j0%d-%d", run, k), before[at:at+5],
							"budget %d:\n%s", budget, text)
						if strings.Contains(before[at:], " … ") {
							led++
						}
					}
				}
			}
			require.Positive(t, kept)
			require.Positive(t, led, "objects are cut in pieces")
		})
	}
}
