package preflighthttp

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/problems"
	"github.com/go-preflight/preflight/wire"
)

// This file is what can be done about a refusal, as data: rules of the catalogue, and how to repair
// harder when the provider names one of them.

// Remedy is a stronger repair for a request that the provider refused.
type Remedy struct {
	// Name is what reports call it.
	Name string
	// Rules are the ids of the rules whose refusals it is for; empty means all rules.
	Rules []string
	// Apply makes options stricter, and reports whether it did. options is a copy of those of the
	// first attempt; their Hooks may be appended to. sent is the body that was refused, which must
	// not be modified, and refusal is the rule that the provider named. The caller's body is then
	// sanitized anew with the options, and sent if it differs from sent.
	Apply func(options *wire.Options, sent []byte, refusal rule.Rule) bool

	// edit makes the result of the first attempt another one by the text of the refusal, whatever
	// rule it is about, and returns nil if it has nothing to change. forms are the members that it
	// dropped.
	edit func(first *wire.Result, given, sent []byte, refusal string) (
		result *wire.Result, forms []like)
}

// Remedies returns the known remedies in a fresh slice, those that lose least first.
//
//	drop-named      members of messages that the refusal names as unknown are removed, if what the
//	                message says and how it is paired do not need them
//	end-waiting     calls that Options.OpenCall keeps open, under KeepWaiting, get a placeholder
//	settle-calls    where every call has its result, calls move after the text of their message,
//	                and a user turn is inserted before a leading assistant turn
//	forget-items    ids of items that the provider no longer holds are removed, and so is reasoning
//	                that nothing follows, if the refusal is about that
//	drop-nulls      null members of items are removed
//	fill-content    null content of assistant messages that hold only tool calls becomes empty
//	join-texts      the texts of a message become one
//	bridge-results  an assistant turn is inserted between tool results and the user's next turn
//	drop-text       the text of assistant messages that hold a tool call is removed
//	drop-reasoning  reasoning and its signatures are removed; so are compaction items of the
//	                Responses API, whose readable summaries are kept
//	strictest       repairs by the strictest rules of the host that wrote the text, or else as
//	                Options.Portable does
//
// The first reads the text of the refusal itself, and the last is for all rules; the others are for
// single rules. Reasoning is removed everywhere, because a provider names only the first block that
// it cannot verify; so are members of the same name, in the same place of messages of the same
// kind.
func Remedies() []Remedy {
	return []Remedy{
		{Name: dropNamedName, edit: withoutNamed},
		{Name: "end-waiting", Rules: slices.Clone(unanswered), Apply: endWaiting},
		{Name: "settle-calls", Rules: slices.Clone(misleading), Apply: settleCalls},
		{
			Name:  "forget-items",
			Rules: slices.Clone(unheld),
			Apply: forgetItems,
		},
		{Name: "drop-nulls", Rules: slices.Clone(nulls), Apply: withHook("drop-nulls", dropNulls)},
		{
			Name:  "fill-content",
			Rules: slices.Clone(contentless),
			Apply: withHook("fill-content", fillContent),
		},
		{
			Name:  "join-texts",
			Rules: []string{"xai/single-text"},
			Apply: withHook("join-texts", joinTexts),
		},
		{Name: "bridge-results", Rules: slices.Clone(unbridged), Apply: bridgeResults},
		{
			Name:  "drop-text",
			Rules: slices.Clone(textless),
			Apply: withHook("drop-text", dropTextBesideCalls),
		},
		{
			Name:  "drop-reasoning",
			Rules: slices.Clone(unverified),
			Apply: withHook("drop-reasoning", dropReasoning),
		},
		{Name: "strictest", Apply: strictest},
	}
}

// RestrictionRemedies returns those of Remedies that answer what a host refuses of every history, in
// a fresh slice. Learned learns from these alone: what only the provider can tell of a history, such
// as that a signature does not verify, says nothing about the next one.
func RestrictionRemedies() []Remedy {
	var out []Remedy
	for _, r := range Remedies() {
		switch {
		case r.Name == "drop-reasoning":
			r.Rules = slices.Clone(restrictions)
		case !slices.Contains(restrictive, r.Name):
			continue
		}
		out = append(out, r)
	}
	return out
}

// restrictive are the remedies for what a host refuses of every history.
var restrictive = []string{
	dropNamedName, "drop-nulls", "fill-content", "join-texts", "bridge-results", "strictest",
}

// restrictions are the rules about every history whose remedy is drop-reasoning.
var restrictions = []string{
	"deepseek/reasoning-content-forbidden", "openai-compatible/reasoning-fields",
}

// unanswered are the rules about calls without a result.
var unanswered = []string{
	"anthropic/tool-result-missing",
	"openai-chat/tool-result-missing",
	"openai-responses/tool-output-missing",
	"gemini/function-response-count",
	"bedrock/tool-result-missing",
	"mistral/call-result-count",
	"deepseek/tool-result-missing",
	"cohere/tool-result-missing",
	"qwen/tool-result-missing",
}

// unheld are the rules about items that the provider does not hold, or knows in another company.
var unheld = []string{
	"openai-responses/duplicate-item",
	"openai-responses/item-id-charset",
	"openai-responses/item-id-length",
	"openai-responses/item-id-prefix",
	"openai-responses/item-needs-reasoning",
	"openai-responses/item-not-found",
	"openai-responses/reasoning-ids-azure",
	"openai-responses/reasoning-needs-following",
}

// nulls are the rules about members that are null.
var nulls = []string{"openai-responses/item-null-field"}

// contentless are the rules about content that is null.
var contentless = []string{"openai-chat/content-null", "xai/content-element"}

// unbridged are the rules of hosts where no user turn may follow tool results. Mistral's own API
// accepts it, so that its profile does not ask for it.
var unbridged = []string{
	"bedrock/result-alone", "chat-template/alternation-mistral3", "mistral/order-after-tool",
}

// unverified are the rules about reasoning that only the provider can judge, or wants otherwise
// than the profile says.
var unverified = []string{
	"anthropic/redacted-thinking-data",
	"anthropic/thinking-binding-prefix",
	"anthropic/thinking-disabled-final",
	"anthropic/thinking-empty",
	"anthropic/thinking-modified",
	"anthropic/thinking-order-in-message",
	"anthropic/thinking-signature-invalid",
	"anthropic/thinking-signature-required",
	"bedrock/reasoning-content",
	"deepseek/reasoning-content-forbidden",
	"gemini/thought-signature-corrupt",
	"openai-compatible/reasoning-fields",
	"openai-responses/conflicting-identities",
	"openai-responses/encrypted-content-invalid",
	"openrouter/reasoning-details",
	"xai/compaction-blob-invalid",
	"xai/encrypted-content-invalid",
}

func endWaiting(options *wire.Options, _ []byte, _ rule.Rule) bool {
	kept := options.Policies.OpenCall != nil && options.Policies.KeepWaiting
	options.Policies.KeepWaiting = false
	return kept
}

func bridgeResults(options *wire.Options, _ []byte, _ rule.Rule) bool {
	options.Policies.Hooks = append(options.Policies.Hooks, preflight.Hook{
		Name: "bridge-results",
		History: applied(fixer.BridgeResults,
			&preflight.Profile{Turns: provider.TurnRules{BridgeResults: true}}, options.Policies),
	})
	return true
}

// withHook makes a remedy of a change to a message.
func withHook(
	name string,
	change func(preflight.Message) preflight.Message,
) func(*wire.Options, []byte, rule.Rule) bool {
	hook := preflight.Hook{
		Name: name,
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			return change(m), nil
		},
	}
	return func(options *wire.Options, _ []byte, _ rule.Rule) bool {
		options.Policies.Hooks = append(options.Policies.Hooks, hook)
		return true
	}
}

// referenceKind is the kind of part that is nothing but the id of an item.
const referenceKind = "item_reference"

// forgetItem takes the id off an item, and drops one that is nothing else. The zero Message removes
// a message.
func forgetItem(m preflight.Message) preflight.Message {
	if len(m.Parts) == 1 {
		if o, ok := m.Parts[0].(*preflight.Other); ok && o.Kind == referenceKind {
			return preflight.Message{}
		}
	}
	m.ID = ""
	return m
}

// dropReasoning takes reasoning out of a message, and signatures off what is left.
func dropReasoning(m preflight.Message) preflight.Message {
	m = dropCompaction(m)
	m.Parts = slices.DeleteFunc(m.Parts, isReasoning)
	for _, p := range m.Parts {
		switch p := p.(type) {
		case *preflight.ToolCall:
			p.Signature = ""
		case *preflight.Text:
			if bytes.Contains(p.Native.JSON, []byte("Signature")) ||
				bytes.Contains(p.Native.JSON, []byte("_signature")) {
				p.Native = preflight.Native{} // Gemini hangs signatures on texts as well
			}
		}
	}
	return m
}

// anyModel is a model that no table knows.
const anyModel = "*"

// strictest takes the rules of the host whose words the refusal has, where it speaks the same
// format: those for an unknown model, or else those for the first known model that refuses what was
// sent, or else what every provider accepts. They have to see the fault, or else what they change
// would have nothing to do with it.
func strictest(options *wire.Options, sent []byte, refusal rule.Rule) bool {
	if speaksChat(options.Provider) && speaksChat(refusal.Provider) &&
		slices.Contains(wire.Providers(), refusal.Provider) {
		options.Provider = refusal.Provider
	}
	asked := *options
	for _, model := range strictModels(options.Provider, refusal.Provider) {
		options.Model = model
		if sees(options, sent, refusal) {
			return true
		}
	}
	for _, name := range dialectsLike(asked.Provider) {
		options.Provider, options.Model = name, anyModel
		if sees(options, sent, refusal) {
			return true
		}
	}
	*options = asked
	options.Portable = true
	return sees(options, sent, refusal)
}

// dialectsLike are the dialects of a provider's format, where no other takes bodies with other
// members than the provider's.
func dialectsLike(name string) []string {
	p, ok := provider.ByName(name, "")
	if !ok || speaksChat(name) {
		return nil
	}
	format := cmp.Or(p.Format, name)
	var out []string
	for _, other := range provider.All() {
		if other.Provider != name && (other.Format == format || other.Provider == format) {
			out = append(out, other.Provider)
		}
	}
	return out
}

// sees reports whether a check of what was sent finds the rule of the refusal broken, or another
// rule about the same: a host may relay the words of the model's vendor, and have its own rule.
func sees(options *wire.Options, sent []byte, refusal rule.Rule) bool {
	report, err := wire.Check(sent, options)
	return err == nil && slices.ContainsFunc(report.Violations,
		func(v wire.Violation) bool { return aboutSame(v, refusal) })
}

// aboutSame reports whether a violation is of a rule, or of one about the same problem.
func aboutSame(v wire.Violation, r rule.Rule) bool {
	return v.Rule == r.ID || slices.Contains(problemsOf()[r.ID], v.Problem)
}

// problemsOf are the problems that each rule is about, as the profiles say.
var problemsOf = sync.OnceValue(func() map[string][]problems.Problem {
	out := map[string][]problems.Problem{}
	for _, p := range provider.All() {
		for problem, id := range p.Rules {
			if !slices.Contains(out[id], problem) {
				out[id] = append(out[id], problem)
			}
		}
	}
	for id, about := range out { // hosts say of a first turn that turns do not alternate
		if slices.Contains(about, problems.Alternation) {
			out[id] = append(about, problems.FirstRole)
		}
	}
	return out
})

// strictModels are the models whose rules may explain a refusal: any, and those that the table has
// a row for.
func strictModels(providers ...string) []string {
	models := []string{anyModel}
	for _, m := range provider.Models() {
		if slices.Contains(providers, m.Provider) {
			models = append(models, strings.ReplaceAll(m.Pattern, "*", ""))
		}
	}
	return models
}
