package spec

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/stored"
)

// This file shows that what Abort, RepairInterrupted and Resume make of an interrupted session is a
// sound neutral history: right for every profile, and accepted as it is.

// interruptedAt cuts a sound history off after any message from the first prompt on, and loses
// results of tools that ran before.
func interruptedAt(t *rapid.T, h []preflight.Message) []preflight.Message {
	prompt := slices.IndexFunc(h, func(m preflight.Message) bool {
		return m.Role == preflight.RoleUser
	})
	out := slices.Clone(h[:rapid.IntRange(prompt+1, len(h)).Draw(t, "cut")])
	for i := range out {
		m := &out[i]
		if m.Role != preflight.RoleTool && m.Role != preflight.RoleUser {
			continue
		}
		m.Parts = slices.DeleteFunc(slices.Clone(m.Parts), func(p preflight.Part) bool {
			_, result := p.(*preflight.ToolResult)
			return result && rapid.IntRange(0, 3).Draw(t, "lost") == 0
		})
	}
	return slices.DeleteFunc(out, func(m preflight.Message) bool { return len(m.Parts) == 0 })
}

// presetsOfAnInterruption are the presets that close a session, with what they are given.
var presetsOfAnInterruption = map[string]func(
	h []preflight.Message, p *preflight.Profile,
) (preflight.Result, error){
	"abort": func(h []preflight.Message, _ *preflight.Profile) (preflight.Result, error) {
		return stored.Abort(h, "", nil)
	},
	"abort with a partial answer": func(
		h []preflight.Message, _ *preflight.Profile,
	) (preflight.Result, error) {
		if last := h[len(h)-1]; last.Role == preflight.RoleAssistant && !holdsCalls(last) {
			return stored.Abort(h, "", nil) // the answer is there
		}
		return stored.Abort(h, "It will be", nil)
	},
	"repair": func(h []preflight.Message, _ *preflight.Profile) (preflight.Result, error) {
		return stored.RepairInterrupted(context.Background(), h, nil)
	},
	"resume": func(h []preflight.Message, _ *preflight.Profile) (preflight.Result, error) {
		return stored.Resume(context.Background(), h, nil, nil)
	},
	"resume with a profile": func(
		h []preflight.Message, p *preflight.Profile,
	) (preflight.Result, error) {
		return stored.Resume(context.Background(), h, p, nil)
	},
}

func TestNeutralPresets(t *testing.T) {
	for name, preset := range presetsOfAnInterruption {
		for _, p := range neutralProfiles() {
			t.Run(name+"/"+p.Provider+"/"+p.Model, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					in := interruptedAt(t, drawNeutral(t, p))
					res, err := preset(in, p)
					if err != nil {
						t.Fatalf("%v\n%s", err, dump(in))
					}
					again, err := preset(res.Messages, p)
					if err != nil || again.Changed {
						t.Fatalf("again: %v %v\n%s", err, again.Warnings, dump(res.Messages))
					}
					h := continued(p, res.Messages)
					clean, err := preflight.Sanitize(context.Background(), h, p, nil)
					if err != nil || clean.Changed {
						t.Fatalf("%v %v\n%s\nof\n%s", err, clean.Warnings, dump(h), dump(in))
					}
					requireTaken(t, p.Provider, p.Model, h)
				})
			})
		}
	}
}

// continued is a history with the user's next prompt, unless it is the model's turn.
func continued(p *preflight.Profile, h []preflight.Message) []preflight.Message {
	h = slices.Clip(h)
	last := h[len(h)-1]
	if last.Role == preflight.RoleUser && !(p.Turns.BridgeResults && holdsResults(last)) {
		return h
	}
	if p.Turns.BridgeResults && holdsResults(last) {
		h = append(h, preflight.Message{Role: preflight.RoleAssistant, Parts: answerOf(p)})
	}
	return append(h, userMsg(says("Go on.")))
}

func holdsResults(m preflight.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p preflight.Part) bool {
		_, result := p.(*preflight.ToolResult)
		return result
	})
}

func holdsCalls(m preflight.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p preflight.Part) bool {
		_, call := p.(*preflight.ToolCall)
		return call
	})
}
