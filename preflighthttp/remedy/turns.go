package remedy

import (
	"context"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

// This file is the remedies that change the order of turns and of the parts in them, or leave parts
// out, for refusals whose text is about something else or whose host is not known to want it.

// misleading are the rules whose texts Anthropic's models are on record to use for other faults
// too: a leading assistant turn (NousResearch/hermes-agent#52160) and text after a call
// (vercel/ai#13013).
var misleading = []string{"anthropic/tool-result-missing", "bedrock/tool-result-missing"}

// lonely are the rules about reasoning that nothing follows.
var lonely = []string{
	"openai-responses/reasoning-needs-following",
	"openai-responses/reasoning-ids-azure",
}

// unreasoned are the rules about reasoning that assistant messages lack.
var unreasoned = []string{"deepseek/reasoning-content-missing"}

// prefills are the rules about an assistant message at the end.
var prefills = []string{"anthropic/prefill-unsupported"}

// fillReasoning gives every assistant message empty reasoning, not only those from the first call
// on: some refusals are about the messages before it. Sources: openclaw/openclaw#73417;
// esengine/DeepSeek-Reasonix#10084.
func fillReasoning(options *wire.Options, sent []byte, refusal rule.Rule) bool {
	enforceRule(options, sent, refusal)
	return changing("fill-reasoning", func(m preflight.Message) preflight.Message {
		if m.Role == preflight.RoleAssistant && !slices.ContainsFunc(m.Parts, isReasoning) {
			m.Parts = append([]preflight.Part{&preflight.Reasoning{}}, m.Parts...)
		}
		return m
	}).Apply(options, sent, refusal)
}

// dropLone is for a refusal that takes assistant messages of nothing but reasoning for a prefill,
// where the last message is the user's. Source: NousResearch/hermes-agent#105780.
func dropLone(options *wire.Options, sent []byte, refusal rule.Rule) bool {
	if finds(options, sent, refusal) {
		return false
	}
	options.Options.Hooks = append(options.Options.Hooks, preflight.Hook{
		Name: "drop-lone",
		History: func(_ context.Context, history []preflight.Message) ([]preflight.Message, error) {
			return withoutLoneReasoning(history), nil
		},
	})
	return true
}

func endWaiting(options *wire.Options, _ []byte, _ rule.Rule) bool {
	kept := options.Options.OpenCall != nil && options.Options.KeepWaiting
	options.Options.KeepWaiting = false
	return kept
}

// settleCalls is for a refusal that says a call has no result where every call has one: calls are
// moved after the text of their message, or, where none comes before text, a user turn is inserted
// before a leading assistant turn.
func settleCalls(options *wire.Options, sent []byte, refusal rule.Rule) bool {
	report, err := wire.Check(sent, options)
	if err != nil || slices.ContainsFunc(report.Violations,
		func(v wire.Violation) bool { return aboutSame(v, refusal) }) {
		return false
	}
	first := applied(preflight.Fixers.EnforceAlternation,
		&preflight.Profile{Turns: provider.TurnRules{UserFirst: true}}, options.Options)
	options.Options.Hooks = append(options.Options.Hooks, preflight.Hook{
		Name: "settle-calls",
		History: func(ctx context.Context, all []preflight.Message) ([]preflight.Message, error) {
			moved := false
			for k, m := range all {
				if all[k] = callsLast(m); !slices.Equal(m.Parts, all[k].Parts) {
					moved = true
				}
			}
			if moved {
				return all, nil
			}
			return first(ctx, all)
		},
	})
	return true
}

// applied returns a hook of a fixer.
func applied(
	fixer preflight.Fixer, profile *preflight.Profile, options preflight.Options,
) func(context.Context, []preflight.Message) ([]preflight.Message, error) {
	return func(_ context.Context, history []preflight.Message) ([]preflight.Message, error) {
		out, _ := fixer.Apply(history, profile, &preflight.Options{
			Request: options.Request, Dangling: options.Dangling, Orphans: options.Orphans,
			OpenCall: options.OpenCall, KeepWaiting: options.KeepWaiting,
		})
		return out, nil
	}
}

// callsLast moves the calls of an assistant message after its text and the blocks of tools that the
// provider runs. A message with reasoning after a call is left as it is: its order is signed.
func callsLast(m preflight.Message) preflight.Message {
	first := slices.IndexFunc(m.Parts, isClientCall)
	if first < 0 || m.Role != preflight.RoleAssistant ||
		slices.ContainsFunc(m.Parts[first:], isReasoning) {
		return m
	}
	m.Parts = slices.Clone(m.Parts)
	slices.SortStableFunc(m.Parts[first:], func(a, b preflight.Part) int {
		switch x, y := isClientCall(a), isClientCall(b); {
		case x == y:
			return 0
		case x:
			return 1
		}
		return -1
	})
	return m
}

// isClientCall reports whether a part is a call that the client runs.
func isClientCall(p preflight.Part) bool {
	c, ok := p.(*preflight.ToolCall)
	return ok && !c.ProviderExecuted
}

func isReasoning(p preflight.Part) bool {
	_, ok := p.(*preflight.Reasoning)
	return ok
}

// dropTextBesideCalls takes the text out of an assistant message that holds a call.
func dropTextBesideCalls(m preflight.Message) preflight.Message {
	if m.Role == preflight.RoleAssistant && slices.ContainsFunc(m.Parts, isClientCall) {
		m.Parts = slices.DeleteFunc(m.Parts, func(p preflight.Part) bool {
			_, ok := p.(*preflight.Text)
			return ok
		})
	}
	return m
}

// forgetItems takes the ids off items, and where the refusal is about reasoning that nothing
// follows, removes that reasoning, with a payload or without.
func forgetItems(options *wire.Options, sent []byte, refusal rule.Rule) bool {
	changingFor("forget-items", forgetItem).Apply(options, sent, refusal)
	if slices.Contains(lonely, refusal.ID) {
		options.Options.Hooks = append(options.Options.Hooks, preflight.Hook{
			Name: "forget-items",
			History: func(_ context.Context, history []preflight.Message) ([]preflight.Message, error) {
				return withoutLoneReasoning(history), nil
			},
		})
	}
	return true
}

// withoutLoneReasoning returns a history without the reasoning items that no item of the
// assistant's follows in their turn.
func withoutLoneReasoning(history []preflight.Message) []preflight.Message {
	out := make([]preflight.Message, 0, len(history))
	followed := false
	for k := len(history) - 1; k >= 0; k-- {
		m := history[k]
		lone := len(m.Parts) > 0 && !slices.ContainsFunc(m.Parts,
			func(p preflight.Part) bool { return !isReasoning(p) })
		if lone && m.Role == preflight.RoleAssistant {
			if followed {
				out = append(out, m)
			}
			continue
		}
		followed = m.Role == preflight.RoleAssistant
		out = append(out, m)
	}
	slices.Reverse(out)
	return out
}
