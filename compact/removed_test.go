package compact_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/provider"
)

// canary is what hooks and Untrusted remove.
const canary = "CANARY"

// withCanaries is a session in which texts, arguments and results say what is removed, in their
// native JSON, too.
func withCanaries(rounds int) (h []preflight.Message) {
	native := func(text string) preflight.Carried {
		data, _ := json.Marshal(map[string]string{"type": "text", "text": text})
		return preflight.Carried{Native: preflight.Native{Format: "anthropic", JSON: data}}
	}
	for k := range rounds {
		id := fmt.Sprint("toolu_", k)
		said := fmt.Sprintf("Look up %s of %s: CANARY%d.", name(k), name(k+7), k)
		found := fmt.Sprintf("%s is CANARY%d, see %s and error %s", name(k), k, name(k+3), name(k+9))
		h = append(h,
			preflight.Message{Role: preflight.RoleUser, Name: fmt.Sprint("u", k), Parts: []preflight.Part{
				&preflight.Text{Carried: native(said), Text: said},
			}},
			preflight.Message{Role: preflight.RoleAssistant, Parts: []preflight.Part{
				&preflight.Text{Carried: native(said), Text: "I look: " + said},
				&preflight.ToolCall{
					Carried: native(said), ID: id, Name: "lookup",
					Input: json.RawMessage(fmt.Sprintf(`{"q":"CANARY%d"}`, k)),
				},
			}},
			preflight.Message{Role: preflight.RoleUser, Parts: []preflight.Part{
				&preflight.ToolResult{
					Carried: native(found), CallID: id,
					Content: []preflight.Part{&preflight.Text{Carried: native(found), Text: found}},
				},
			}},
			preflight.Message{Role: preflight.RoleAssistant, Parts: []preflight.Part{
				&preflight.Text{Carried: native(said), Text: "It is " + found},
			}},
		)
	}
	return append(h, say(preflight.RoleUser, "And now?"))
}

// hide is a hook that writes over the canary in the fields of parts, and leaves what they carry.
func hide() preflight.Hook {
	over := func(s string) string { return strings.ReplaceAll(s, canary, "xxxxxx") }
	return preflight.HookFunc("hide", func(m preflight.Message) preflight.Message {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.Text:
				p.Text = over(p.Text)
			case *preflight.ToolCall:
				p.Input = json.RawMessage(over(string(p.Input)))
			case *preflight.ToolResult:
				for _, c := range p.Content {
					if c, ok := c.(*preflight.Text); ok {
						c.Text = over(c.Text)
					}
				}
			}
		}
		return m
	})
}

// TestRemovedIsNowhere: what hooks remove, or Untrusted, is in nothing that comes out, the record
// and its native JSON included.
func TestRemovedIsNowhere(t *testing.T) {
	for name, s := range strategies() {
		for _, p := range []*preflight.Profile{
			provider.Anthropic("claude-sonnet-4-5"), provider.Gemini(""),
		} {
			options := preflight.Options{Hooks: []preflight.Hook{hide()}}
			for _, budget := range []int{300, 900, 100_000} {
				limits := compact.Limits{Budget: budget, Profile: p, Options: &options}
				res, err := s.Compact(context.Background(), withCanaries(20), limits)
				if err != nil {
					continue
				}
				data, err := json.Marshal(res.Messages)
				require.NoError(t, err)
				require.NotContains(t, string(data), canary, "%s, %s, %d", name, p.Provider, budget)
			}
		}
	}
}

// TestUntrustedRecord: a record of a stranger's history tells nothing of what Untrusted removes.
func TestUntrustedRecord(t *testing.T) {
	for name, s := range strategies() {
		for _, budget := range []int{300, 900, 3000, 100_000} {
			h := withCanaries(30)
			for k, m := range h {
				for j, part := range m.Parts {
					if x, ok := part.(*preflight.Text); ok {
						h[k].Parts[j] = &preflight.Text{Carried: x.Carried, Text: strings.ReplaceAll(x.Text, canary, "word")}
					}
				}
			}
			limits := compact.Limits{
				Budget: budget, Profile: provider.Anthropic("claude-sonnet-4-5"),
				Options: &preflight.Options{Untrusted: true},
			}
			lacks := func(res compact.Result, err error) {
				if err == nil {
					data, err := json.Marshal(res.Messages)
					require.NoError(t, err)
					require.NotContains(t, string(data), canary, "%s, %d", name, budget)
				}
			}
			lacks(s.Compact(context.Background(), h, limits))
			if name != "flat" && name != "masking" {
				continue
			}
			session, err := compact.NewSession(compact.SessionConfig{Limits: limits, Strategy: s})
			require.NoError(t, err)
			for _, m := range h {
				require.NoError(t, session.Append(context.Background(), m))
				lacks(session.Render(context.Background()))
			}
		}
	}
}
