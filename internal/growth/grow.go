// Command growth measures how often a repair takes back what was sent before: it grows damaged
// sessions message by message, repairs what an agent would send at each step, and counts the steps
// whose output is no extension of the output before. Each costs the user the prompt cache from
// there on. It prints the tables of README.md beside it:
//
//	go run ./internal/growth [-sessions 40] [-write internal/growth/README.md] [-show CAUSE]
//
// With -bound, it prints the tables of README.md about reasoning that is bound: see bound.go.
package main

import (
	"context"
	"encoding/json"
	"slices"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// A subject is what sessions are repaired for.
type subject struct {
	profile  *preflight.Profile
	thinking provider.Thinking
	switched bool // to this mode in the middle of a session; the model thinks only before
	body     bool // as the body of a request, by package wire
}

// subjects are every provider, some of them with models of other rules, each with its thinking
// modes.
func subjects() []subject {
	models := map[string][]string{
		"anthropic": {"claude-sonnet-4-5", "claude-opus-4-8", "claude-opus-5-5"},
		"bedrock": {"", "us.anthropic.claude-3-5-sonnet-20241022-v2:0",
			"us.anthropic.claude-sonnet-4-5-20250929-v1:0", "us.amazon.nova-2-lite-v1:0",
			"us.meta.llama3-3-70b-instruct-v1:0"},
		"gemini": {"", "gemini-2.5-pro", "gemini-3-pro-preview"},
	}
	var out []subject
	for _, p := range provider.All() {
		if models[p.Provider] == nil {
			models[p.Provider] = []string{""}
		}
		for _, model := range models[p.Provider] {
			p, _ := provider.ByName(p.Provider, model)
			modes := []provider.Thinking{provider.ThinkingUnknown}
			if p.Reasoning.Signed {
				modes = append(modes, provider.ThinkingBudget, provider.ThinkingAdaptive,
					provider.ThinkingOff)
			}
			for _, mode := range modes {
				out = append(out, subject{profile: p, thinking: mode})
			}
			if p.Reasoning.Signed {
				out = append(out,
					subject{profile: p, thinking: provider.ThinkingOff, switched: true})
			}
			out = append(out, subject{profile: p, body: true})
		}
	}
	return append(out, subject{profile: provider.Portable()})
}

func (s subject) options() *preflight.Options {
	return &preflight.Options{Request: preflight.Request{Thinking: s.thinking}}
}

// session generates a valid history that was then broken in one way.
func (s subject) session(c histgen.Corruption, seed int) []preflight.Message {
	h := rapid.Custom(func(t *rapid.T) []preflight.Message {
		h := histgen.Valid(s.profile, s.options()).Draw(t, "valid")
		if len(h) > 0 {
			h = c.Break(t, s.profile, slices.Clone(h))
		}
		return h
	}).Example(seed)
	if !s.switched {
		return h
	}
	h = slices.Clone(h)
	for k := len(h) / 2; k < len(h); k++ {
		h[k].Parts = slices.DeleteFunc(slices.Clone(h[k].Parts), func(p preflight.Part) bool {
			_, reasons := p.(*preflight.Reasoning)
			return reasons
		})
	}
	return h
}

// at returns the subject when k messages of n are there.
func (s subject) at(k, n int) subject {
	if s.switched && k <= n/2 {
		s.thinking = provider.ThinkingAdaptive
	}
	return s
}

// sent is what goes to the provider at one step.
type sent struct {
	messages []preflight.Message
	blocks   []string // of the messages, as a prompt cache sees them
	warned   map[warned]bool
	first    int // FirstChanged of the result
	whole    preflight.Result
}

// warned is a change: what was done, and where in the session.
type warned struct {
	code codes.Code
	at   string
}

// send repairs a history. It fails where nothing valid can be made of it.
func (s subject) send(h []preflight.Message) (*sent, error) {
	ctx := context.Background()
	out := &sent{warned: map[warned]bool{}}
	if !s.body {
		res, err := preflight.Sanitize(ctx, h, s.profile, s.options())
		if err != nil {
			return nil, err
		}
		out.messages, out.first, out.whole = res.Messages, res.FirstChanged, res
		for _, w := range res.Warnings {
			out.warned[warned{w.Code, w.At.String()}] = true
		}
		out.blocks = blocksOf(out.messages)
		return out, nil
	}
	name, model := s.profile.Provider, s.profile.Model
	body, err := wire.Encode(name, model, h, &wire.RequestOptions{
		MaxTokens: 1024, Members: s.members(),
	})
	if err != nil {
		return nil, err
	}
	res, err := wire.Sanitize(ctx, body, &wire.Options{Provider: name, Model: model})
	if err != nil {
		return nil, err
	}
	read, err := wire.Decode(res.Body, &wire.Options{Provider: name, Model: model})
	if err != nil {
		return nil, err
	}
	out.messages = read.Messages // the result says by its Elements where it differs
	for _, w := range res.Warnings {
		out.warned[warned{w.Code, w.Path}] = true
	}
	out.blocks = blocksOf(out.messages)
	return out, nil
}

// members switch thinking on where it would be off otherwise.
func (s subject) members() json.RawMessage {
	switch {
	case !s.profile.Reasoning.Signed:
		return nil
	case s.profile.Provider == "bedrock":
		return json.RawMessage(`{"additionalModelRequestFields":{"thinking":{"type":"adaptive"}}}`)
	}
	return json.RawMessage(`{"thinking":{"type":"adaptive"}}`)
}

// refused reports whether a history breaks a rule of the provider as it is.
func (s subject) refused(h []preflight.Message) bool {
	return len(preflight.Check(h, s.profile, s.options())) > 0
}

// blocksOf returns the parts of messages as a prompt cache sees them: without cache breakpoints,
// and without the borders between messages of one role.
func blocksOf(h []preflight.Message) []string {
	var out []string
	for _, m := range h {
		for _, p := range m.Parts {
			out = append(out, string(m.Role)+" "+blockOf(p))
		}
	}
	return out
}

func blockOf(p preflight.Part) string {
	if preflight.CarriedBy(p) == nil {
		return "nil"
	}
	switch q := p.(type) {
	case *preflight.Text:
		return "text " + q.Text
	case *preflight.Reasoning:
		return "reasoning " + q.Text + q.Signature + q.Opaque
	case *preflight.ToolCall:
		return "call " + q.ID + " " + q.Name + " " + string(q.Input)
	case *preflight.ToolResult:
		out := "result " + q.CallID + " " + string(q.Output)
		for _, c := range q.Content {
			out += " " + blockOf(c)
		}
		return out
	case *preflight.Media:
		return "media " + q.Kind + q.Data + q.URL + q.FileID
	case *preflight.Other:
		if q.Native.JSON != nil {
			return "other " + q.Kind + string(q.Native.JSON)
		}
	}
	text, _ := json.Marshal(preflight.Message{Parts: []preflight.Part{p}})
	return "other " + string(text)
}

// shared returns how many blocks two prompts begin with in common.
func shared(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func size(blocks []string) (n int) {
	for _, b := range blocks {
		n += len(b)
	}
	return n
}

// steps returns the lengths at which an agent sends a session: before each answer of the model, and
// at the end. Nobody sends a conversation in which the user has not spoken.
func steps(h []preflight.Message) []int {
	var out []int
	spoke := false
	for k, m := range h {
		spoke = spoke || m.Role == preflight.RoleUser
		ends := k+1 == len(h) || h[k+1].Role == preflight.RoleAssistant
		if spoke && ends && m.Role != preflight.RoleAssistant {
			out = append(out, k+1)
		}
	}
	return out
}

// known returns what a repairer who knows the end of the session would send when only the first k
// messages are there: of the last output, what was made of these, with what was put between.
func known(last preflight.Result, h []preflight.Message, k int) []preflight.Message {
	if last.PartOrigins == nil {
		return h[:k:k]
	}
	end := 0
	for i, list := range last.PartOrigins {
		if slices.ContainsFunc(list, func(at preflight.Position) bool {
			return at.Message() >= 0 && at.Message() < k
		}) {
			end = i + 1
		}
	}
	var out []preflight.Message
	for i, m := range last.Messages[:end] {
		var parts []preflight.Part
		for j, p := range m.Parts {
			if last.PartOrigins[i][j].Message() < k {
				parts = append(parts, p)
			}
		}
		if m.Parts = parts; len(parts) > 0 {
			out = append(out, m)
		}
	}
	return out
}
