package spec

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// TestLastWord: for every provider, a real result that comes last, after the model has spoken
// again, is the last of the request; no turn is made up for that, and the request before it is the
// beginning of the one with it. Where the provider takes the history as it is, it stays as it is.
func TestLastWord(t *testing.T) {
	meanwhile := map[string][]preflight.Message{
		"an answer":   {botMsg(says("Yes, still reading."))},
		"a question":  {userMsg(says("still there?")), botMsg(says("Yes, still reading."))},
		"a tool":      {userMsg(says("and?")), botMsg(calls("c")), toolMsg(answers("c", "C")), botMsg(says("C."))},
		"a long talk": {userMsg(says("x")), botMsg(says("y")), userMsg(says("z")), botMsg(says("w"))},
	}
	for _, name := range wire.Providers() {
		p, _ := provider.ByName(name, "")
		for mask := range 16 {
			placeholder, two, text := mask&1 > 0, mask&2 > 0, mask&4 > 0
			options := &wire.RequestOptions{MaxTokens: 9}
			if mask&8 > 0 {
				options.Options.Dangling = preflight.DanglingAnswer
			}
			for kind, between := range meanwhile {
				called := botMsg(calls("a"))
				if text {
					called = botMsg(says("I read."), calls("a"))
				}
				h := history(userMsg(says("read it")), called)
				if two {
					h[1].Parts = append(h[1].Parts, calls("b"))
					h = append(h, toolMsg(answers("b", "B")))
				}
				if placeholder {
					h = append(h, toolMsg(answers("a", "Tool call was interrupted before a result "+
						"was recorded.")))
				}
				h = append(h, between...)
				last := len(h) - 1
				h = append(h, toolMsg(answers("a", "THE RESULT")))
				about := fmt.Sprintf("%s, %s, %04b", name, kind, mask)

				with, err := wire.Prepare(t.Context(), name, "", h, options)
				require.NoError(t, err, about)
				now := elementsOf(t, with.Body)
				require.Contains(t, now[len(now)-1], "THE RESULT", about)
				require.NotContains(t, string(with.Body), "Continue.", about)
				require.NotContains(t, string(with.Body), "I have read", about)
				asItIs := p.Pairing.Results == provider.ResultsAnywhere && !placeholder
				if kind == "an answer" || asItIs {
					continue // no request was before the answer, or it had no call
				}
				without, err := wire.Prepare(t.Context(), name, "", h[:last], options)
				require.NoError(t, err, about)
				for k, element := range elementsOf(t, without.Body) {
					require.Equal(t, element, now[k], about)
				}
			}
		}
	}
}

// TestLastWordAfterAnError: with DuplicateFirst, too, a real result that comes after the model
// spoke about an error leaves what was sent as it is: the call is repeated before it. A second real
// result goes, as the policy says; with DuplicateLast the last one stays, alone.
func TestLastWordAfterAnError(t *testing.T) {
	h := func(first, last *preflight.ToolResult) []preflight.Message {
		return history(userMsg(says("read it")), botMsg(calls("a")), toolMsg(first),
			botMsg(says("That failed.")), userMsg(says("again")), toolMsg(last))
	}
	failed, real, other := fails("a", "no such file"), answers("a", "text"), answers("a", "text 2")
	for _, name := range wire.Providers() {
		p, _ := provider.ByName(name, "")
		if p.Tools.NoTools {
			continue
		}
		results := func(h []preflight.Message, policy preflight.Duplicates) (texts []string) {
			res, err := preflight.Sanitize(t.Context(), h, p, &preflight.Options{Duplicates: policy})
			require.NoError(t, err, name)
			require.Empty(t, preflight.Check(res.Messages, p, nil), name)
			for _, m := range res.Messages {
				for _, part := range m.Parts {
					if r, ok := part.(*preflight.ToolResult); ok {
						texts = append(texts, r.Content[0].(*preflight.Text).Text)
					}
				}
			}
			return texts
		}
		both := []string{"no such file", "text"}
		require.Equal(t, both, results(h(failed, real), preflight.DuplicateFirst), name)
		require.Equal(t, both, results(h(failed, real), preflight.DuplicateMerge), name)
		if p.Pairing.FurtherResults {
			continue // the format takes a later result as it is
		}
		require.Equal(t, both[1:], results(h(real, other), preflight.DuplicateFirst), name)
		require.Equal(t, []string{"text 2"}, results(h(real, other), preflight.DuplicateLast), name)
	}
}

// elementsOf are the elements of a body's history.
func elementsOf(t *testing.T, body []byte) (elements []string) {
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(body, &members))
	for _, key := range strings.Fields("messages contents input") {
		var list []json.RawMessage
		if json.Unmarshal(members[key], &list) == nil {
			for _, e := range list {
				elements = append(elements, string(e))
			}
		}
	}
	return elements
}
