package spec

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
	"github.com/go-preflight/preflight/wire"
)

// This file holds Portable to its word: what it accepts, the profile of every provider accepts.

// beyondPortable lists, by provider, the problems that a portable history may still have there,
// with the reason why Portable does not see to them.
var beyondPortable = map[string]map[problems.Problem]string{
	"gemini": {
		problems.CallUnsigned: "only Gemini signs calls",
	},
	"deepseek": {
		problems.ReasoningAbsent: "the reasoning of the model that made the calls, if it made any",
	},
	"moonshot": {
		problems.ReasoningAbsent: "the reasoning of the model that made the calls, if it made any",
	},
	"mistral": {
		problems.IDPattern: "nine letters or digits: a store would lose every id of its own",
		problems.IDLength:  "the same",
		problems.Bridge:    "an assistant turn that was not taken",
	},
	"chat-template": {
		problems.Bridge:          "an assistant turn that was not taken",
		problems.ResultMisplaced: "the same, inside a user message",
		problems.Control:         "one server refuses them, and the output of terminals is full of them",
		problems.ChannelTags:     "only the models of gpt-oss write them",
	},
}

// common is Portable without what only some providers have, so that histgen generates none of it.
func common() preflight.Profile {
	p := *provider.Portable()
	p.Tools.NoServerTools, p.Reasoning.Refused, p.Cache.Limit = true, true, provider.NoCache
	return p
}

// plain is a history without media, unknown parts, and calls of a kind that only one provider has.
// Messages without anything else go.
func plain(h []preflight.Message) []preflight.Message {
	var out []preflight.Message
	for _, m := range h {
		var parts []preflight.Part
		for _, part := range m.Parts {
			switch x := part.(type) {
			case *preflight.Media, *preflight.Other:
				continue
			case *preflight.ToolCall:
				if x != nil {
					call := *x
					call.Variant = ""
					part = &call
				}
			case *preflight.ToolResult:
				if x != nil {
					result := *x
					result.Variant = ""
					result.Content = slices.DeleteFunc(slices.Clone(x.Content),
						func(c preflight.Part) bool {
							_, text := c.(*preflight.Text)
							return !text
						})
					part = &result
				}
			}
			parts = append(parts, part)
		}
		if m.Parts = parts; len(parts) > 0 {
			out = append(out, m)
		}
	}
	return out
}

func TestPortableIsAcceptedByAll(t *testing.T) {
	portable := common()
	for name, draw := range map[string]*rapid.Generator[[]preflight.Message]{
		"valid": histgen.Valid(&portable, nil), "waiting": histgen.Waiting(&portable, nil),
		"repaired": histgen.Corrupt(&portable, nil),
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				h := draw.Draw(t, "history")
				if name == "repaired" {
					h = plant(t, h)
				}
				h = histgen.Roomy(h)
				res, err := preflight.Sanitize(context.Background(), plain(h), &portable, nil)
				if err != nil {
					return // which errors there may be, proveValid says
				}
				if found := preflight.Check(res.Messages, nil, nil); len(found) > 0 {
					t.Fatalf(
						"what the narrower profile accepts, Portable does not: %v\n%s",
						found,
						dump(res.Messages),
					)
				}
				for _, p := range provider.All() {
					sent := res.Messages
					requireTaken(t, p.Provider, "", sent)
					for _, v := range preflight.Check(sent, p, nil) {
						if beyondPortable[p.Provider][v.Problem] == "" {
							t.Fatalf(
								"%s refuses what Portable accepts: %s %s: %s; narrow Portable, "+
									"or give the reason in beyondPortable\n%s",
								p.Provider,
								v.Problem,
								v.At,
								v.Detail,
								dump(sent),
							)
						}
					}
				}
			})
		})
	}
}

// fakesOf are the providers that have a strict fake.
var fakesOf = preflighttest.Providers()

// requireTaken encodes a history for a provider, and asks the strict fake whether it takes it.
func requireTaken(t *rapid.T, provider, model string, sent []preflight.Message) {
	if !slices.Contains(fakesOf, provider) {
		return
	}
	r, err := wire.Decode(
		[]byte(`{"messages":[],"input":[],"contents":[]`+thinkingSetting(provider, sent)+`}`),
		&wire.Options{Provider: provider, Model: model},
	)
	if err != nil {
		t.Fatalf("%s: %v", provider, err)
	}
	body, err := r.Encode(sent)
	if err != nil {
		t.Fatalf("%s: %v\n%s", provider, err, dump(sent))
	}
	found, err := (&preflighttest.Options{Model: model}).Violations(provider, body)
	if err != nil {
		t.Fatalf("%s: %v\n%s", provider, err, body)
	}
	for _, v := range found {
		inHistory := strings.HasPrefix(v.Path, "messages[") ||
			strings.HasPrefix(v.Path, "input[") ||
			strings.HasPrefix(v.Path, "contents[")
		if inHistory &&
			// the rest is about the model and the tools, which this body does not name
			beyondFakes[v.Rule] == "" {
			t.Fatalf("%s refuses it: %s %s\n%s", provider, v.Rule, v.Message, body)
		}
	}
}

// thinkingSetting is the member of a request that asks for thinking, for a history with reasoning.
func thinkingSetting(provider string, sent []preflight.Message) string {
	if preflight.TallyOf(sent...).Reasonings == 0 {
		return ""
	}
	const thinking = `"thinking":{"type":"enabled","budget_tokens":1024}`
	switch provider {
	case "anthropic":
		return `,"max_tokens":2048,` + thinking
	case "bedrock":
		return `,"additionalModelRequestFields":{` + thinking + `}`
	}
	return ""
}

// beyondFakes are the rules of the fakes for what beyondPortable lists.
var beyondFakes = map[string]string{
	"gemini/thought-signature-missing": "only Gemini signs calls",
	"deepseek/reasoning-content-missing": "the reasoning of the model that made the calls," +
		" if it made any",
	"moonshot/reasoning-content-missing": "the same",
	"mistral/tool-call-id": "nine letters or digits: a store would lose every id " +
		"of its own",
}

// TestPortablePairs: whatever a provider accepts, its portable profile wants each call answered,
// and right after it.
func TestPortablePairs(t *testing.T) {
	in := history(
		userMsg(says("q")), botMsg(calls("c")), userMsg(says("r")), toolMsg(answers("c", "1")),
		botMsg(calls("d")), userMsg(says("s")), toolMsg(answers("e", "2")),
	)
	for _, p := range provider.All() {
		portable := p.Portable()
		got, err := preflight.Sanitize(context.Background(), in, &portable, nil)
		require.NoError(t, err)
		var parts []string
		for _, m := range got.Messages {
			for _, part := range m.Parts {
				switch part := part.(type) {
				case *preflight.ToolCall:
					parts = append(parts, "call")
				case *preflight.ToolResult:
					parts = append(parts, "result")
				case *preflight.Text:
					parts = append(parts, part.Text)
				}
			}
		}
		if !portable.Items.OnePartPerMessage { // whose results may be anywhere
			require.Equal(t, []string{"q", "call", "result", "r", "s"}, parts, p.Provider)
		}
	}
}

// TestNilIsPortable: a nil profile is Portable in every function that takes one, and not the zero
// profile.
func TestNilIsPortable(t *testing.T) {
	in := history(
		botMsg(says("a")),
		userMsg(says("q")),
		userMsg(says(" "), says("r")),
		botMsg(calls("c")),
		userMsg(answers("c", "1")),
	)
	portable := provider.Portable()
	want, err := preflight.Sanitize(context.Background(), in, portable, nil)
	require.NoError(t, err)
	require.Equal(
		t,
		[]string{
			`user: "(conversation resumed)"`,
			`assistant: "a"`,
			`user: "q" | "r"`,
			"assistant: call c",
			`user: result c "1"`,
		},
		lines(want.Messages),
	)
	got, err := preflight.Sanitize(context.Background(), in, nil, nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
	pipeline, err := preflight.NewPipeline(preflight.Fixers.Defaults()...)
	require.NoError(t, err)
	got, err = msgtest.LeaveOpen(pipeline, in, nil, nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(
		t,
		fmt.Sprint(preflight.Check(in, portable, nil)),
		fmt.Sprint(preflight.Check(in, nil, nil)),
	)
	require.NotEmpty(t, preflight.Check(in, nil, nil))
	require.False(t, isValid(in, nil, nil))
	require.True(t, isValid(want.Messages, nil, nil))
	merged, warnings := preflight.Fixers.MergeRoles.Apply(in, nil, nil)
	require.Len(t, merged, 4)
	require.Len(t, warnings, 1)
}
