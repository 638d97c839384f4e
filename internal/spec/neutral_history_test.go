package spec

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// This file shows that a sound history is right for every profile, whatever messages hold the tool
// results: a tool message for each, one for all of a turn, or a user message.

// drawNeutral generates a sound history that an agent on the profile's model has. What some models
// want of their own calls (a signature, reasoning, another id) is in it.
func drawNeutral(t *rapid.T, p *preflight.Profile) []preflight.Message {
	var h []preflight.Message
	say := func(role preflight.Role, text string) {
		h = append(h, preflight.Message{Role: role, Parts: []preflight.Part{says(text)}})
	}
	if p.System.Placement != provider.SystemRefused && rapid.Bool().Draw(t, "system") {
		say(preflight.RoleSystem, "Be brief.")
	}
	rounds := rapid.IntRange(1, 4).Draw(t, "rounds")
	id := 0
	say(preflight.RoleUser, "What is the weather?")
	for round := range rounds {
		most := 3
		if p.Pairing.OneCallPerMessage {
			most = 1 // such a template has no form for more
		}
		calls := rapid.IntRange(1, most).Draw(t, "calls")
		assistant := preflight.Message{Role: preflight.RoleAssistant}
		if r := neutralReasoning(p); r != nil {
			assistant.Parts = append(assistant.Parts, r)
		} else if rapid.Bool().Draw(t, "text") {
			assistant.Parts = append(assistant.Parts, says("I call a tool."))
		}
		var results []preflight.Part
		for k := range calls {
			id++
			call := &preflight.ToolCall{
				ID: fmt.Sprintf("call%05d", id), Name: "weather",
				Input: json.RawMessage(`{"city":"Oslo"}`),
			}
			if k == 0 {
				call.Signature = p.Tools.CallSignature
			}
			assistant.Parts = append(assistant.Parts, call)
			results = append(results, &preflight.ToolResult{
				CallID: call.ID, Content: []preflight.Part{says(fmt.Sprint("rain ", id))},
			})
		}
		h = append(h, assistant)
		switch rapid.IntRange(0, 2).Draw(t, "form") {
		case 0:
			h = append(h, preflight.Message{Role: preflight.RoleTool, Parts: results})
		case 1:
			h = append(h, preflight.Message{Role: preflight.RoleUser, Parts: results})
		case 2:
			for _, r := range results {
				h = append(h, preflight.Message{Role: preflight.RoleTool,
					Parts: []preflight.Part{r}})
			}
		}
		if p.Turns.BridgeResults || rapid.Bool().Draw(t, "answer") {
			h = append(h, preflight.Message{Role: preflight.RoleAssistant, Parts: answerOf(p)})
			say(preflight.RoleUser, "And tomorrow?")
		} else if round == rounds-1 && h[len(h)-1].Role == preflight.RoleTool &&
			rapid.Bool().Draw(t, "more") {
			say(preflight.RoleUser, "And hurry.")
		}
	}
	return h
}

// neutralReasoning returns reasoning of the profile's own model, nil if it wants none back.
func neutralReasoning(p *preflight.Profile) preflight.Part {
	switch {
	case p.Reasoning.Signed:
		return thinks("I need the weather.", "c2lnbmVkCg==")
	case p.Reasoning.Replay != provider.ReplayFree:
		return thinks("I need the weather.", "")
	}
	return nil
}

// answerOf returns the parts of an assistant message with a text.
func answerOf(p *preflight.Profile) []preflight.Part {
	parts := []preflight.Part{says("It rains.")}
	if p.Reasoning.Replay == provider.ReplayFromCalls {
		parts = append([]preflight.Part{neutralReasoning(p)}, parts...)
	}
	return parts
}

func TestNeutralHistory(t *testing.T) {
	for _, p := range neutralProfiles() {
		t.Run(p.Provider+"/"+p.Model, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				h := drawNeutral(t, p)
				for _, v := range preflight.Check(h, p, nil) {
					t.Fatalf("Check: %s %s: %s\n%s", v.Problem, v.At, v.Detail, dump(h))
				}
				res, err := preflight.Sanitize(context.Background(), h, p, nil)
				if err != nil || res.Changed || len(res.Warnings) > 0 || &res.Messages[0] != &h[0] {
					t.Fatalf("%v %v\n%s", err, res.Warnings, dump(h))
				}
				requireTaken(t, p.Provider, p.Model, h)
			})
		})
	}
}

// TestLayoutAsGiven: where no encoder follows, a result in the wrong message is repaired.
func TestLayoutAsGiven(t *testing.T) {
	for name, h := range map[string][]preflight.Message{
		"results in one message": history(userMsg(says("q")), botMsg(calls("a"), calls("b")),
			toolMsg(answers("a", "1"), answers("b", "2"))),
		"a result of the user": history(userMsg(says("q")), botMsg(calls("a")),
			userMsg(answers("a", "1"))),
	} {
		t.Run(name, func(t *testing.T) {
			p := provider.OpenAIChat("gpt-5")
			p.Pairing.OneResultPerMessage = true
			require.Empty(t, preflight.Check(h, p, nil), "the encoder moves them")
			p.Pairing.AsGiven = true
			require.NotEmpty(t, preflight.Check(h, p, nil))
			res, err := preflight.Sanitize(context.Background(), h, p, nil)
			require.NoError(t, err)
			for _, m := range res.Messages[2:] {
				require.Equal(t, preflight.RoleTool, m.Role)
				require.Len(t, m.Parts, 1)
			}
		})
	}
}

// neutralProfiles are the profiles of all providers, of models with rules of their own, and the
// portable one.
func neutralProfiles() []*preflight.Profile {
	out := append(provider.All(), provider.Portable())
	for _, m := range [][2]string{
		{"anthropic", "claude-sonnet-4-5"}, {"anthropic", "claude-opus-4-7"},
		{"gemini", "gemini-3-pro"},
		{"bedrock", "anthropic.claude-sonnet-4-5"}, {"bedrock", "amazon.nova-pro"},
		{"openai-chat", "gpt-5"}, {"openai-responses", "gpt-5"},
		{"chat-template", "llama-3.1"}, {"chat-template", "gpt-oss"}, {"chat-template", "mistral"},
	} {
		p, _ := provider.ByName(m[0], m[1])
		out = append(out, p)
	}
	return out
}
