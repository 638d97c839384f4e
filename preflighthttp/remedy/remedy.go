package remedy

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight"
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

	// read is Apply by the text of the refusal, whatever rule it is about.
	read func(options *wire.Options, sent []byte, refusal string) bool
}

// reads reports whether a remedy reads the text of the refusal itself.
func (r *Remedy) reads() bool { return r.edit != nil || r.read != nil }

// All returns the known remedies in a fresh slice, those that lose least first.
//
//	drop-named      members of messages that the refusal names as unknown are removed, if what the
//	                message says and how it is paired do not need them
//	forget-container
//	                the id of a container that is gone is removed, and calls that ran in it
//	drop-kind       blocks of a kind that the refusal names as unknown are removed; media and tool
//	                references that are all that a result has become a line of text
//	plain-items     items of types that the refusal says the host does not know are written as calls
//	                and outputs of functions; what has no such form is removed, but only if its type
//	                is named or there is nothing to write in another form
//	drop-served     results of a tool of the provider's, with their calls, that the refusal says it
//	                cannot read
//	describe-media  images that are larger than the refusal says they may be, and files that it
//	                says are gone, become a line of text
//	drop-unbound    reasoning that is bound to another beginning: the setting is added by which the
//	                provider drops it, if the refusal offers one. With this remedy, reasoning that
//	                was made after a repair is kept, as with Options.RepairedBefore, since a wrong
//	                guess costs only a resending
//	end-waiting     calls that Options.OpenCall keeps open, under KeepWaiting, get a placeholder
//	settle-calls    where every call has its result, calls move after the text of their message,
//	                or a user turn is inserted before a leading assistant turn
//	forget-items    ids of items that the provider no longer holds are removed; where it requires
//	                one, and would look for reasoning by it, it becomes another one. Reasoning
//	                that nothing follows is removed, if the refusal is about that
//	drop-nulls      null members of items are removed
//	type-items      items without a type get that of messages
//	name-items      items that have to have an id, and have none, get one
//	fill-content    null content of assistant messages that hold only tool calls becomes empty. Where
//	                calls are items, an empty message is removed
//	fill-reasoning  assistant messages without reasoning get empty reasoning
//	fill-results    empty results get placeholder text
//	drop-lone       assistant messages that are nothing but reasoning are removed, if the refusal is
//	                about a last message that is not the last
//	drop-blank      text that is white space alone is removed beside other content, too
//	join-texts      the texts of a message become one
//	bridge-results  an assistant turn is inserted between tool results and the user's next turn
//	pair-calls      results move to their calls; calls and results that are alone are repaired as
//	                Options.Dangling and Orphans say
//	drop-text       the text of assistant messages that hold a tool call is removed
//	drop-reasoning  reasoning and its signatures are removed, and ids by which the provider would
//	                look for it, as by forget-items; so are compaction items of the Responses API,
//	                whose readable summaries become text of the user; thinking is switched off
//	                where the open tool loop needs the reasoning
//	enforce-rule    the rule of the refusal is enforced, and nothing else
//
// The first seven read the text of the refusal itself, and the last is for all rules; the others
// are for single rules. Reasoning is removed everywhere, because a provider names only the first
// block that it cannot verify; so are members of the same name, in the same place of messages of
// the same kind.
func All() []Remedy {
	return []Remedy{
		{Name: dropNamedName, edit: withoutNamed},
		{Name: "forget-container", edit: forgetContainer},
		{Name: "drop-kind", read: dropKind},
		{Name: plainItemsName, edit: plainItems},
		{Name: "drop-served", read: dropServed},
		{Name: "describe-media", read: describeMedia},
		{Name: dropUnboundName, edit: dropUnbound},
		{Name: "end-waiting", Rules: slices.Clone(unanswered), Apply: endWaiting},
		{Name: "settle-calls", Rules: slices.Clone(misleading), Apply: settleCalls},
		{Name: "forget-items", Rules: slices.Clone(unheld), Apply: forgetItems},
		changing("drop-nulls", dropNulls, "openai-responses/item-null-field"),
		changing("type-items", typeItem, "openai-responses/item-type-missing"),
		{Name: "name-items", Rules: []string{"openai-responses/required-item-fields"},
			Apply: nameItems},
		changingFor("fill-content", fillContent, "openai-chat/content-null", "xai/content-element"),
		{Name: "fill-reasoning", Rules: slices.Clone(unreasoned), Apply: fillReasoning},
		fixing("fill-results", preflight.Fixers.DropEmpty,
			&preflight.Profile{Content: provider.ContentRules{
				ResultNeedsText: true, NeedsText: []preflight.Role{preflight.RoleTool}}},
			"openai-responses/item-type-unsupported"),
		{Name: "drop-lone", Rules: slices.Clone(prefills), Apply: dropLone},
		// hosts that take it beside other content are on record: the rule itself keeps it there
		fixing("drop-blank", preflight.Fixers.DropEmpty,
			&preflight.Profile{Content: provider.ContentRules{RefuseBlankText: true}},
			"anthropic/whitespace-text-block", "bedrock/blank-text"),
		changing("join-texts", joinTexts, "xai/single-text"),
		// Mistral's own API accepts it, so that its profile does not ask for it
		fixing("bridge-results", preflight.Fixers.BridgeResults,
			&preflight.Profile{Turns: provider.TurnRules{BridgeResults: true}},
			"bedrock/result-alone", "chat-template/alternation-mistral3", "mistral/order-after-tool"),
		// the cloud compares the calls with the results, and the profile has no such rule
		fixing("pair-calls", preflight.Fixers.PairToolCalls, new(preflight.Profile),
			"ollama/cloud-pairing"),
		changing("drop-text", dropTextBesideCalls, "bedrock/text-beside-call"),
		changingFor("drop-reasoning", dropReasoning, slices.Clone(unverified)...),
		{Name: "enforce-rule", Apply: enforceRule},
	}
}

// Restrictions returns those of All that answer what a host refuses of every history,
// in a fresh slice. Learned learns from these alone: what only the provider can tell of a history,
// such as that a signature does not verify, says nothing about the next one.
func Restrictions() []Remedy {
	var out []Remedy
	for _, r := range All() {
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
	dropNamedName, "drop-nulls", "type-items", "fill-content", "fill-reasoning", "drop-blank",
	"join-texts", "bridge-results", "enforce-rule",
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
	"openai-responses/item-of-another-connection",
	"openai-responses/reasoning-ids-azure",
	"openai-responses/reasoning-needs-following",
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

// changing returns a remedy that changes messages.
func changing(
	name string, change func(preflight.Message) preflight.Message, rules ...string,
) Remedy {
	return changingFor(name, func(m preflight.Message, _ *preflight.Profile) preflight.Message {
		return change(m)
	}, rules...)
}

// changingFor is changing by what the profile says.
func changingFor(
	name string, change func(preflight.Message, *preflight.Profile) preflight.Message,
	rules ...string,
) Remedy {
	hook := preflight.Hook{
		Name: name,
		Message: func(ctx context.Context, m preflight.Message) (preflight.Message, error) {
			profile, _ := preflight.Target(ctx)
			return change(m, profile), nil
		},
	}
	return Remedy{Name: name, Rules: rules, Apply: func(o *wire.Options, _ []byte, _ rule.Rule) bool {
		o.Options.Hooks = append(o.Options.Hooks, hook)
		return true
	}}
}

// fixing returns a remedy that runs a fixer for a profile.
func fixing(
	name string, fixer preflight.Fixer, profile *preflight.Profile, rules ...string,
) Remedy {
	return Remedy{Name: name, Rules: rules, Apply: func(o *wire.Options, _ []byte, _ rule.Rule) bool {
		o.Options.Hooks = append(o.Options.Hooks, preflight.Hook{
			Name: name, History: applied(fixer, profile, o.Options),
		})
		return true
	}}
}

// referenceKind is the kind of part that is nothing but the id of an item.
const referenceKind = "item_reference"

// forgetItem takes the id off an item, and drops one that is nothing else. The zero Message removes
// a message. Where the provider requires an id, it becomes another one if the provider would look
// for the reasoning of the item, and stays otherwise.
func forgetItem(m preflight.Message, profile *preflight.Profile) preflight.Message {
	if len(m.Parts) == 1 {
		if o, ok := m.Parts[0].(*preflight.Other); ok && o.Kind == referenceKind {
			return preflight.Message{}
		}
	}
	kind := itemKind(m)
	switch {
	case !slices.Contains(profile.Items.RequireID, kind):
		m.ID = ""
	case m.ID != "" && slices.Contains(profile.Items.NeedReasoning, kind):
		m.ID = otherID(m.ID, kind, profile)
	}
	return m
}

// otherID returns an id like that of an item, no longer than the provider allows.
func otherID(id, kind string, profile *preflight.Profile) string {
	const more = "_2"
	pattern, ok := profile.Items.IDs[kind]
	if !ok {
		pattern = profile.Items.IDs[""]
	}
	if pattern.Max > len(more) {
		id = id[:min(len(id), pattern.Max-len(more))]
	}
	return strings.TrimRight(id, "_") + more
}

// itemKind returns the kind of the item that a message is, as profiles name it. A part of unknown
// kind whose JSON is not the message's is a block in the content of one.
func itemKind(m preflight.Message) string {
	if len(m.Parts) == 1 {
		switch p := m.Parts[0].(type) {
		case *preflight.ToolCall:
			return cmp.Or(p.Variant, "call")
		case *preflight.ToolResult:
			return "result"
		case *preflight.Reasoning:
			return "reasoning"
		case *preflight.Other:
			if len(m.Native.JSON) == 0 || bytes.Equal(m.Native.JSON, p.Native.JSON) {
				return p.Kind
			}
		}
	}
	return "message"
}

// dropReasoning takes reasoning out of a message, and signatures off what is left, and ids by which
// the provider would look for the reasoning.
func dropReasoning(m preflight.Message, profile *preflight.Profile) preflight.Message {
	m = dropCompaction(m)
	m.Parts = slices.DeleteFunc(m.Parts, isReasoning)
	for _, p := range m.Parts {
		switch p := p.(type) {
		case *preflight.ToolCall:
			p.Signature, p.Native = "", withoutExtraSignatures(p.Native)
		case *preflight.Text:
			p.Native = withoutSignatures(p.Native)
		}
	}
	if m.Role == preflight.RoleAssistant && profile.Items.Held &&
		slices.Contains(profile.Items.NeedReasoning, itemKind(m)) {
		m = forgetItem(m, profile)
	}
	return m
}

// enforceRule switches the rule of the refusal on, and nothing else: or, where it cannot be
// switched or does not see the fault, one about the same problem. The rules of the host that was
// asked come first, then those of the host whose words the refusal has, and of hosts of the same
// format.
func enforceRule(options *wire.Options, sent []byte, refusal rule.Rule) bool {
	given := options.Measured
	for _, id := range rulesLike(refusal, options.Provider) {
		more := &provider.Measured{Version: provider.MeasuredVersion, Enforced: []string{id}}
		options.Measured = withRules(given, more, options.Provider)
		if finds(options, sent, refusal) {
			return true
		}
	}
	options.Measured = given
	return false
}

// rulesLike returns the rules that can be switched and are about the same problem as a refusal.
func rulesLike(refusal rule.Rule, asked string) []string {
	about := problemsOf()[refusal.ID]
	var out []string
	for id, others := range problemsOf() {
		if id != refusal.ID && provider.CheckSwitch(id) == nil && slices.ContainsFunc(about,
			func(p problems.Problem) bool { return slices.Contains(others, p) }) {
			out = append(out, id)
		}
	}
	if provider.CheckSwitch(refusal.ID) == nil {
		out = append(out, refusal.ID)
	}
	near := func(id string) int {
		r, _ := rule.ByID(id)
		at := 3 * foreign(r, asked)
		switch {
		case id == refusal.ID:
			at--
		case r.Provider != refusal.Provider:
			at++
		}
		return at
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(near(a), near(b)), strings.Compare(a, b))
	})
	return out
}

// finds reports whether a check of what was sent finds the rule of the refusal broken, or another
// rule about the same: a host may relay the words of the model's vendor, and have its own rule.
func finds(options *wire.Options, sent []byte, refusal rule.Rule) bool {
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
