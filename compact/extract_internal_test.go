package compact

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/cut"
)

// TestGapsAddUp: the marks of a message say exactly how many of its segments are missing, those of
// JSON with its brackets included.
func TestGapsAddUp(t *testing.T) {
	const object = "{\n  \"name\": \"alpha\",\n  \"state\": {\n    \"ready\": false,\n" +
		"    \"reason\": \"the disk is full\"\n  },\n  \"tries\": [\n    3,\n    4\n  ]\n}"
	texts := []string{object, "One. Two are here. Three are there!\nFour: five six", "👍", "a\n\nb c\n---\nd",
		strings.Repeat("=", 500) + "\nthe title of it\n" + strings.Repeat("=", 500)}
	for _, text := range texts[:4] {
		require.Equal(t, strings.Fields(text), strings.Fields(strings.Join(cut.Sentences(text), "\n")),
			"nothing is missing in the segments")
	}
	rapid.Check(t, func(t *rapid.T) {
		var inputs []Input
		for k := range rapid.IntRange(1, 4).Draw(t, "messages") {
			inputs = append(inputs, Input{Role: preflight.RoleTool,
				Text: rapid.SampledFrom(texts).Draw(t, "text") + fmt.Sprint("\nend of it ", k)})
		}
		found, span, _ := allSegments(nil, slices.Values(inputs))
		var chosen []int
		kept := make(map[int]int) // of a message, its segments that are kept
		for k, s := range found {
			if rapid.Bool().Draw(t, "keep") {
				chosen = append(chosen, k)
				kept[s.from]++
			}
		}
		want := 0
		for _, s := range found {
			if s.at == 0 && kept[s.from] > 0 {
				want += s.left + 1 - kept[s.from]
			}
		}
		out := join(found, chosen, span)[0]
		marked := 0
		for _, after := range strings.Split(out, "…")[1:] {
			n := 1
			_, _ = fmt.Sscanf(after, "%d]", &n) // without a number it is one
			marked += n
		}
		require.Equal(t, want, marked, "%q", out)
	})
}

// TestRequests: what the model asks without a question mark stays with the answer to it.
func TestRequests(t *testing.T) {
	for asked, answers := range map[string]bool{
		"Please confirm that I may close it.": true, "Let me know if I may close it.": true,
		"I need your approval to close it.": true, "May I close it?": true,
		"You asked for it, and they confirm that it is closed.": false,
	} {
		var x exchanges
		question := x.cut(Input{Role: preflight.RoleAssistant, Text: "I looked at it. " + asked})
		answer := x.cut(Input{Role: preflight.RoleUser,
			Text: "No, it is too early to do anything about that."})
		require.Positive(t, answer[0].unit)
		require.Equal(t, answers, answer[0].unit == question[len(question)-1].unit, asked)
	}
}

// TestTells: a line that tells what came out of a tool counts as much as what people say in the
// same words, and more than the rows around it.
func TestTells(t *testing.T) {
	var rows []string
	for k := range 20 {
		rows = append(rows, fmt.Sprintf("moved step %d of the index", k))
	}
	rows[10] = "the index of Ada reported error E7731 here"
	call := preflight.Message{Role: preflight.RoleTool, Parts: []preflight.Part{
		&preflight.ToolResult{CallID: "a", Content: []preflight.Part{
			&preflight.Text{Text: strings.Join(rows, "\n")},
		}},
	}}
	var x exchanges
	found := append(x.cut(InputOf(call)),
		x.cut(Input{Role: preflight.RoleUser, Text: "the index of Bob reported error E7732 here"})...)
	Limits{}.rate(nil, found)
	said := found[len(found)-1].score
	for _, s := range found[:len(found)-1] {
		if s.tells {
			require.InDelta(t, said, s.score, said/10)
		} else {
			require.Less(t, s.score, said/2)
		}
	}
	require.True(t, slices.ContainsFunc(found, func(s segment) bool { return s.tells }))
}

// TestTargetOfUnseen: results that the model has not seen do not take the room of the record.
func TestTargetOfUnseen(t *testing.T) {
	s, err := NewSession(SessionConfig{Limits: Limits{Budget: 10_000}})
	require.NoError(t, err)
	before := s.target()
	output := &preflight.Text{Text: strings.Repeat("long ", 2000)}
	s.tail = []preflight.Message{{Role: preflight.RoleTool, Parts: []preflight.Part{
		&preflight.ToolResult{CallID: "a", Content: []preflight.Part{output}},
	}}}
	require.Greater(t, s.target(), before+1000)
	s.tail = append(s.tail, preflight.Message{Role: preflight.RoleAssistant})
	require.InDelta(t, before, s.target(), 10)
}
