package compact_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/tokens"
)

// extracted is what is kept of inputs for so many tokens.
func extracted(t *testing.T, budget int, inputs ...compact.Input) string {
	t.Helper()
	return compact.Limits{}.Extract("", budget, slices.Values(inputs))[0]
}

// TestExtractAnswers: an answer that the user gave before is kept again, with its question.
func TestExtractAnswers(t *testing.T) {
	h := []preflight.Message{say(preflight.RoleUser, "Clean up the buckets.")}
	var want []string
	for k := range 8 {
		name, yes := fmt.Sprintf("bucket-%c", 'a'+k), "Yes."
		if k%3 == 1 {
			yes = "No."
		}
		h = append(h, say(preflight.RoleAssistant, "May I delete "+name+"?"),
			say(preflight.RoleUser, yes))
		want = append(want, "assistant: May I delete "+name+"?\nuser: "+yes)
	}
	for k := range 200 {
		h = append(h,
			say(preflight.RoleAssistant, fmt.Sprintf("Object %d was listed. It has %d bytes, and "+
				"belongs to the team of storage in region %d.", k, 7919*k, k%7)),
			say(preflight.RoleUser, fmt.Sprintf("Go on with object %d.", k+1)))
	}
	s := newSession(t, compact.SessionConfig{Limits: compact.Limits{Budget: 6000}})
	require.NoError(t, s.Append(context.Background(), h...))
	res, err := s.Render(context.Background())
	require.NoError(t, err)
	require.Equal(t, 1, s.Compactions())
	text := res.Messages[0].Parts[0].(*preflight.Text).Text
	for _, pair := range want {
		require.Contains(t, text, pair)
	}
}

// TestExtractLabels: a line of one word stays with what it is said of, whatever the budget.
func TestExtractLabels(t *testing.T) {
	const jobs = "FAILED\njob alpha\nok\njob beta\nFAILED\njob gamma"
	inputs := []compact.Input{{Role: preflight.RoleTool, Text: jobs}}
	for k := range 40 {
		inputs = append(inputs, compact.Input{Role: preflight.RoleUser,
			Text: fmt.Sprintf("Note %d is about the harbour and %d of its cranes.", k, 31*k)})
	}
	kept := 0
	for budget := 10; budget < 700; budget += 10 {
		text := extracted(t, budget, inputs...)
		if strings.Contains(text, "gamma") {
			kept++
			require.Contains(t, text, "FAILED\n| job gamma", "budget %d", budget)
		}
		if strings.Contains(text, "alpha") {
			require.Contains(t, text, "FAILED\n| job alpha", "budget %d", budget)
		}
	}
	require.Positive(t, kept)
}

// TestExtractGaps: what is missing before a line of the same message is counted.
func TestExtractGaps(t *testing.T) {
	lines := make([]string, 60)
	for k := range lines {
		lines[k] = fmt.Sprintf("step %d of the run was as usual", k)
	}
	lines[40] = "the pressure valve jammed because of frozen seawater"
	text := extracted(t, 30, compact.Input{Role: preflight.RoleTool, Text: strings.Join(lines, "\n")})
	require.Contains(t, text, "[…")
	missing, kept := 0, 0
	for _, line := range strings.Split(strings.TrimPrefix(text, "tool: "), "\n") {
		n := 0
		if _, err := fmt.Sscanf(strings.TrimPrefix(line, "tool: "), "[…%d]", &n); err == nil {
			missing += n
		}
		kept++
		if strings.Contains(line, "valve") {
			require.Equal(t, 40, missing+kept-1, "%q", text)
			return
		}
	}
	t.Fatalf("the line that matters is missing: %q", text)
}

// TestExtractRepeats: lines of a tool's output that repeat one after the other are kept once, with
// a mark, and what a person repeats is kept once.
func TestExtractRepeats(t *testing.T) {
	waiting := strings.Repeat("waiting for the lock\n", 50)
	h := append([]preflight.Message{
		say(preflight.RoleUser, "Start the job now.\nStart the job now."),
		message(preflight.RoleAssistant, call("c1", "run")),
		message(preflight.RoleTool, answer("c1", waiting+"got the lock")),
	}, chatter(100)...)
	res, err := compact.Flat{Keep: 2}.Compact(context.Background(), h,
		compact.Limits{Budget: tokens.Estimate(h[2]) + 1700})
	require.NoError(t, err)
	text := res.Messages[0].Parts[0].(*preflight.Text).Text
	require.Contains(t, text, "waiting for the lock […48]\n")
	require.Equal(t, 1, strings.Count(text, "Start the job now."))
}

// TestExtractToolRepeats: sentences that several tool outputs have are kept once, where they were
// said last, and so is what people say again.
func TestExtractToolRepeats(t *testing.T) {
	const warning = "warning: the cache of the compiler is older than its sources"
	var h []preflight.Message
	for k := range 30 {
		id := fmt.Sprint("c", k)
		h = append(h, say(preflight.RoleUser, "Run it once more.\nAnd be careful with the ovens."),
			message(preflight.RoleAssistant, call(id, "run")),
			message(preflight.RoleTool, answer(id,
				fmt.Sprintf("run number %d\n%s\nit took %d ms", k, warning, 31*k))))
	}
	h = append(h, chatter(60)...)
	res, err := compact.Flat{Keep: 2}.Compact(context.Background(), h, compact.Limits{Budget: 2000})
	require.NoError(t, err)
	text := res.Messages[0].Parts[0].(*preflight.Text).Text
	require.Equal(t, 1, strings.Count(text, warning))
	require.Equal(t, 1, strings.Count(text, "careful with the ovens"))
}

// TestExtractCurrent: of the values that were stated one after the other, the last is in every
// summary that has one of them, and other statements are kept.
func TestExtractCurrent(t *testing.T) {
	var inputs []compact.Input
	add := func(text string) {
		inputs = append(inputs, compact.Input{Role: preflight.RoleUser, Text: text})
	}
	words := []string{"Postgres", "SQLite", "red", "Oracle", "Berkeley DB"}
	for round := range 5 {
		for k := range 8 {
			add(fmt.Sprintf("Then the database of the shop%c is now %s.", 'a'+k, words[(k+round)%5]))
			add(fmt.Sprintf("Die Farbe des tors%c ist %s.", 'a'+k, words[(k+round)%5]))
			add(fmt.Sprintf("By the way, the port of the server for host%c is %d.", 'a'+k,
				1000*(k+1)+round))
			add(fmt.Sprintf("The harbour report %d%d arrived with the evening post.", round, k))
		}
	}
	add("The port of the kitchen is 4711.")
	current, named := 0, 0
	for budget := 20; budget < 2400; budget += 20 {
		text := extracted(t, budget, inputs...)
		for k := range 8 {
			name, last := fmt.Sprintf("host%c is", 'a'+k), fmt.Sprint(1000*(k+1)+4)
			if strings.Contains(text, name) {
				require.Contains(t, text, name+" "+last, "budget %d", budget)
				current++
			}
			for _, name := range []string{"shop%c is now", "tors%c ist"} {
				if name = fmt.Sprintf(name, 'a'+k); strings.Contains(text, name) {
					require.Contains(t, text, name+" "+words[(k+4)%5], "budget %d", budget)
					named++
				}
			}
		}
	}
	require.Greater(t, current, 200)
	require.Greater(t, named, 200)
}

// TestExtractStated: a value that was stated once counts more than a sentence with a number.
func TestExtractStated(t *testing.T) {
	var inputs []compact.Input
	for k := range 40 {
		host := fmt.Sprintf("host%c", 'a'+k/8)
		text := fmt.Sprintf("Order K%d of %s came in, see page P%d for it.", 300+k, host, 4000+7*k)
		if k%8 == 1 {
			text = fmt.Sprintf("The page in it for the order of %s is %d.", host, 5000+k)
		}
		inputs = append(inputs, compact.Input{Role: preflight.RoleAssistant, Text: text})
	}
	text := extracted(t, 120, inputs...)
	require.Equal(t, 5, strings.Count(text, "The page in it"), text)
	require.Contains(t, text, "see page")
}
