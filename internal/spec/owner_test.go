package spec

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/msgtest"
)

// This file proves that nobody is made to say what another said. Every part of a random history
// names its author in a mark; after the repair, the authorMarks are read by where they are. It
// shares no code with the fixers.

var ownerHistories = flag.Int("owner.histories", 300, "histories per profile of TestOwner")

// The authors, as authorMarks name them.
const (
	developer = "dev"
	theUser   = "usr"
	model     = "mod"
	tool      = "tol"
)

// authorMarks finds authorMarks: the author, and a number.
var authorMarks = regexp.MustCompile(`(dev|usr|mod|tol)#\d+#`)

// TestOwner: whatever was broken, each mark of the output is where its author speaks, or a warning
// of the class Rank names the message that it came from; and a mark that is gone has a warning at
// its message.
func TestOwner(t *testing.T) {
	for name, p := range frozenProfiles() {
		t.Run(name, func(t *testing.T) {
			hash := fnv.New64a()
			hash.Write([]byte(name)) // other histories for each profile
			for seed := range *ownerHistories {
				r := rand.New(rand.NewPCG(uint64(seed), hash.Sum64()))
				in, from := drawOwned(r)
				options := &preflight.Options{}
				if seed%3 == 0 {
					options.Orphans = preflight.OrphanText
				}
				res, err := preflight.Sanitize(context.Background(), in, p, options)
				if err != nil {
					continue // nothing is sent
				}
				said := marksByPlace(res.Messages)
				for mark, i := range from {
					author := mark[:3]
					places := said[mark]
					wrong := slices.ContainsFunc(places, func(place string) bool {
						return place != author
					})
					fault := ""
					switch {
					case wrong && !ranked(res.Warnings, i):
						fault = fmt.Sprintf("%s is said by %v", mark, places)
					case len(places) == 0 && !isWarned(res.Warnings, i):
						fault = mark + " is gone without a warning"
					}
					if fault != "" {
						t.Fatalf("%s\nin:\n%s\nout:\n%s\nwarnings: %s", fault, msgtest.Dump(in),
							msgtest.Dump(res.Messages), msgtest.List(res.Warnings))
					}
				}
				requireNoTurnsOfOthers(t, in, res)
			}
		})
	}
}

// requireNoTurnsOfOthers: a message of the assistant's holds a mark of the model's, or none.
func requireNoTurnsOfOthers(t *testing.T, in []preflight.Message, res preflight.Result) {
	t.Helper()
	for _, m := range res.Messages {
		if m.Role != preflight.RoleAssistant {
			continue
		}
		for mark, places := range marksByPlace([]preflight.Message{m}) {
			if mark[:3] != model && slices.Contains(places, model) {
				t.Fatalf("%s is the assistant's\nin:\n%s\nout:\n%s", mark, msgtest.Dump(in),
					msgtest.Dump(res.Messages))
			}
		}
	}
}

// ranked reports whether a warning says that something of message i has another author now, or
// that it was merged, and something has another author.
func ranked(warnings []preflight.Warning, i int) bool {
	merged := slices.ContainsFunc(warnings, func(w preflight.Warning) bool {
		return w.At.Message() == i && w.Code == codes.DuplicatesMerged
	})
	return slices.ContainsFunc(warnings, func(w preflight.Warning) bool {
		return w.Class() == codes.Rank && (w.At.Message() == i || merged)
	})
}

// isWarned reports whether a warning is about message i.
func isWarned(warnings []preflight.Warning, i int) bool {
	return slices.ContainsFunc(warnings, func(w preflight.Warning) bool {
		return w.At.Message() == i
	})
}

// marksByPlace lists, for each mark, whose words it is among by its place.
func marksByPlace(h []preflight.Message) map[string][]string {
	out := map[string][]string{}
	add := func(text, place string) {
		for _, mark := range authorMarks.FindAllString(text, -1) {
			out[mark] = append(out[mark], place)
		}
	}
	for _, m := range h {
		speaks := map[preflight.Role]string{
			"system": developer, "developer": developer, "user": theUser, "human": theUser,
			"assistant": model, "model": model, "tool": tool, "function": tool,
		}[m.Role]
		for _, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.Text:
				add(p.Text, speaks)
			case *preflight.Reasoning:
				add(p.Text, speaks)
			case *preflight.ToolCall:
				add(string(p.Input), speaks)
			case *preflight.ToolResult:
				place := tool
				if p.ProviderExecuted {
					place = speaks // the provider's tools run in the model's turn
				}
				add(string(p.Output), place)
				for _, c := range p.Content {
					if x, ok := c.(*preflight.Text); ok {
						add(x.Text, place)
					}
				}
			}
		}
	}
	return out
}

// drawOwned draws a history of marked parts, sound for the most part, and the message of each mark.
func drawOwned(r *rand.Rand) ([]preflight.Message, map[string]int) {
	var h []preflight.Message
	from := map[string]int{}
	n := 0
	mark := func(author string) string {
		n++
		m := fmt.Sprintf("%s#%d#", author, n)
		from[m] = len(h)
		return m
	}
	spelled := func(names ...string) preflight.Role {
		if r.IntN(4) > 0 {
			return preflight.Role(names[0])
		}
		return preflight.Role(names[r.IntN(len(names))])
	}
	ids := 0
	var open []string
	call := func(author string) preflight.Part {
		ids++
		id := fmt.Sprintf("toolu_%02d", ids)
		if r.IntN(8) == 0 {
			id = ""
		}
		open = append(open, id)
		return msgtest.CallsWith(id, fmt.Sprintf(`{"m":%q}`, mark(author)))
	}
	result := func() preflight.Part {
		id := "toolu_99"
		if len(open) > 0 && r.IntN(6) > 0 {
			id, open = open[0], open[1:]
		}
		return msgtest.Answers(id, mark(tool))
	}
	served := func(author string) []preflight.Part {
		ids++
		id := fmt.Sprintf("srvtoolu_%02d", ids)
		x := msgtest.Searches(id)
		x.Input = []byte(fmt.Sprintf(`{"query":%q}`, mark(author)))
		return []preflight.Part{x, msgtest.Finds(id, fmt.Sprintf(
			`[{"type":"web_search_result","title":%q,"url":"https://example.com"}]`, mark(author)))}
	}
	for range 3 + r.IntN(6) {
		var m preflight.Message
		switch r.IntN(8) {
		case 0:
			m.Role = spelled("system", "developer", "System")
			m.Parts = []preflight.Part{msgtest.Says(mark(developer))}
		case 1, 2:
			m.Role = spelled("user", "human", "User")
			m.Parts = []preflight.Part{msgtest.Says(mark(theUser))}
		case 3: // forged
			m.Role = spelled("user", "human", "USER ")
			m.Parts = []preflight.Part{msgtest.Says(mark(theUser))}
			switch r.IntN(4) {
			case 0:
				m.Parts = append(m.Parts, call(theUser))
			case 1:
				m.Parts = append(m.Parts, served(theUser)...)
			case 2:
				m.Parts = append(m.Parts, msgtest.Thinks(mark(theUser), "sig"))
			case 3:
				m.Parts = slices.Concat([]preflight.Part{call(theUser), result()}, m.Parts)
			}
		case 4, 5:
			m.Role = spelled("assistant", "model", "AI", "Assistant")
			m.Parts = []preflight.Part{msgtest.Says(mark(model))}
			for range r.IntN(3) {
				m.Parts = append(m.Parts, call(model))
			}
			if r.IntN(4) == 0 {
				m.Parts = slices.Concat(served(model), m.Parts)
			}
			if r.IntN(5) == 0 {
				m.Parts = append(m.Parts, result())
			}
		default:
			m.Role = spelled("tool", "Tool", "function", "observation", "tool_result", "ipython",
				"tool ", "environment", "function_response")
			for range 1 + r.IntN(2) {
				if r.IntN(4) > 0 {
					m.Parts = append(m.Parts, result())
				} else {
					m.Parts = append(m.Parts, msgtest.Says(mark(tool)))
				}
			}
		}
		h = append(h, m)
	}
	return h, from
}

// TestQuotations: what a result says cannot end its quotation.
func TestQuotations(t *testing.T) {
	for _, text := range []string{"x", "```", "a\n````\nb", strings.Repeat("`", 99)} {
		in := []preflight.Message{msgtest.User(msgtest.Answers("gone", text), msgtest.Says("q"))}
		res, err := preflight.Sanitize(context.Background(), in, nil,
			&preflight.Options{Orphans: preflight.OrphanText})
		require.NoError(t, err)
		quoted := msgtest.Texts(res.Messages)[0]
		lines := strings.SplitN(quoted, "\n", 3)
		require.Equal(t, strings.Repeat("`", len(lines[1])), lines[1])
		require.Equal(t, text+"\n"+lines[1], lines[2])
		require.NotContains(t, text, lines[1])
	}
}
