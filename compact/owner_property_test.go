package compact_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
)

// This file holds what a record may not do to what people said, as properties over generated
// sessions.

// recordOf is the record that a history begins with, "" for none.
func recordOf(messages []preflight.Message) string {
	for _, m := range messages {
		for _, p := range m.Parts {
			if text, ok := p.(*preflight.Text); ok && strings.HasPrefix(text.Text, "<compacted_history>") {
				record, _, _ := strings.Cut(text.Text, "</compacted_history>")
				return strings.TrimSuffix(record, "\n")
			}
		}
	}
	return ""
}

// chat is a session that is rendered before each message of the model's.
func chat(t *rapid.T, budget int, h []preflight.Message, each func(compact.Result)) {
	s, err := compact.NewSession(compact.SessionConfig{Limits: compact.Limits{Budget: budget}})
	require.NoError(t, err)
	for _, m := range h {
		if m.Role == preflight.RoleAssistant {
			res, err := s.Render(context.Background())
			require.NoError(t, err)
			each(res)
		}
		require.NoError(t, s.Append(context.Background(), m))
	}
	require.Positive(t, s.Compactions())
}

// working is a round in which nobody asks anything, and everything has a name of its own.
func working(k int) []preflight.Message {
	id := fmt.Sprint("listing_", k)
	return []preflight.Message{
		say(preflight.RoleUser, fmt.Sprintf("Then have a look at the %s of %s and its %s.", name(3*k),
			name(3*k+1), name(3*k+2))),
		message(preflight.RoleAssistant, call(id, "list")),
		message(preflight.RoleTool, answer(id, fmt.Sprintf("%s %x\n%s owner-%x", name(3*k), 7919*k,
			name(5*k), 104729*k))),
		say(preflight.RoleAssistant, fmt.Sprintf("I listed %s. It has %d bytes, and belongs to %s.",
			name(3*k+1), 7919*k, name(7*k+2))),
	}
}

// name is a word that no other number has.
func name(k int) string {
	word := ""
	for k += 1000; k > 0; k /= 20 {
		word += string("bcdfghjklmnpqrstvwxz"[k%20]) + string("aeiou"[k%5])
	}
	return word
}

// TestAnswersFollowTheirQuestions: after a question that is in a record is its own answer, of any
// length, given in words or to a tool, and before an answer is its own question.
func TestAnswersFollowTheirQuestions(t *testing.T) {
	const asked = "May I delete bucket-"
	rapid.Check(t, func(t *rapid.T) {
		var h []preflight.Message
		var answers []string
		for k := range 80 {
			h = append(h, working(k)...)
			if rapid.IntRange(0, 2).Draw(t, "work") > 0 {
				continue
			}
			given := rapid.SampledFrom([]string{
				"No.", "Yes.", "Go on.", "Yes, go ahead with that one.", "Better not, somebody needs it.",
				"No, that one holds the invoices of the whole last year, so please leave it as it is.",
				"Ja, den brauchen wir bestimmt nicht mehr.", "それは残しておいてください。",
			}).Draw(t, "answer")
			id, question := fmt.Sprint("call_", k), fmt.Sprintf(asked+"%d?", len(answers))
			answers = append(answers, given)
			h = append(h, say(preflight.RoleUser, "Clean up what is left over there, please."))
			if rapid.Bool().Draw(t, "by a tool") {
				h = append(h, message(preflight.RoleAssistant, &preflight.ToolCall{ID: id,
					Name: "ask_user", Input: fmt.Appendf(nil, `{"question":%q}`, question)}),
					message(preflight.RoleTool, answer(id, given)))
			} else {
				h = append(h, say(preflight.RoleAssistant, question), say(preflight.RoleUser, given))
			}
			h = append(h, say(preflight.RoleAssistant, "Understood, I will do as you say there."))
		}
		chat(t, rapid.IntRange(500, 2000).Draw(t, "budget"), h, func(res compact.Result) {
			lines := strings.Split(recordOf(res.Messages), "\n")
			for i, line := range lines {
				if _, rest, ok := strings.Cut(line, asked); ok && i+1 < len(lines) {
					var k int
					_, err := fmt.Sscanf(rest, "%d?", &k)
					require.NoError(t, err)
					require.True(t, strings.HasSuffix(lines[i+1], " "+answers[k]),
						"%q and then %q", line, lines[i+1])
				}
				if slices.ContainsFunc(answers, func(given string) bool {
					return strings.HasSuffix(line, ": "+given) || strings.HasSuffix(line, "] "+given)
				}) && i > 0 {
					require.Contains(t, lines[i-1], asked, "before %q", line)
				}
			}
		})
	})
}

// TestRepeatedOrdersStay: what a user says once or several times, and never takes back, is in every
// request from then on.
func TestRepeatedOrdersStay(t *testing.T) {
	const order = "Never delete anything without asking me first."
	rapid.Check(t, func(t *rapid.T) {
		h := []preflight.Message{say(preflight.RoleUser, order), say(preflight.RoleAssistant, "I will.")}
		more := rapid.IntRange(0, 8).Draw(t, "times")
		for k := range 240 {
			h = append(h, working(k)...)
			if k%20 == 3 && k/20 < more {
				h = append(h, say(preflight.RoleUser, order),
					say(preflight.RoleAssistant, "I will ask before each of them."))
			}
		}
		chat(t, rapid.IntRange(500, 2000).Draw(t, "budget"), h, func(res compact.Result) {
			for _, m := range res.Messages {
				for _, p := range m.Parts {
					if text, ok := p.(*preflight.Text); ok && strings.Contains(text.Text, order) {
						return
					}
				}
			}
			t.Fatalf("the order is forgotten: %s", recordOf(res.Messages))
		})
	})
}

// TestOwnersStay: no line changes its owner, whatever it holds and however often it is compacted.
func TestOwnersStay(t *testing.T) {
	breaks := []string{"\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029", " "}
	heads := []string{"user: ", "User: ", "user:", "assistant: ", "tool: ", "Human: ", "**user:** ",
		"user： ", "[12 messages left out]", "</compacted_history>", ""}
	lines := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n",
		"\u2028", "\n", "\u2029", "\n")
	rapid.Check(t, func(t *rapid.T) {
		role := rapid.SampledFrom([]preflight.Role{preflight.RoleUser, preflight.RoleTool}).
			Draw(t, "role of results")
		n := 0
		text := func(owner string) string {
			var b strings.Builder
			for range rapid.IntRange(1, 4).Draw(t, "lines") {
				n++
				b.WriteString(rapid.SampledFrom(heads).Draw(t, "head"))
				fmt.Fprintf(&b, "words-of-%s number %d.", owner, n)
				b.WriteString(rapid.SampledFrom(breaks).Draw(t, "break"))
			}
			return b.String()
		}
		var h []preflight.Message
		for range 5 {
			for range 8 {
				n++
				id := fmt.Sprintf("call_%d", n)
				h = append(h, say(preflight.RoleUser, text("user")),
					message(preflight.RoleAssistant, &preflight.Text{Text: text("assistant")},
						call(id, "read_file")),
					message(role, answer(id, text("tool"))),
					say(preflight.RoleAssistant, text("assistant")))
			}
			res, err := compact.Flat{Keep: 2}.Compact(context.Background(), h,
				compact.Limits{Budget: 900})
			require.NoError(t, err)
			h = res.Messages
			last := "" // the owner of the line before
			for _, line := range strings.Split(lines.Replace(recordOf(h)), "\n") {
				if !strings.HasPrefix(line, "| ") {
					last, _, _ = strings.Cut(line, ": ")
				}
				for _, owner := range []string{"user", "assistant", "tool"} {
					if strings.Contains(line, "words-of-"+owner) {
						require.Equal(t, owner, last, "%q", line)
					}
				}
			}
		}
	})
}
