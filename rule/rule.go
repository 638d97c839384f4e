// Package rule holds what LLM providers are known to refuse or mishandle in a
// message history, as data: one [Rule] for each statement, with the
// provider's own error text and the sources it rests on.
//
// A check names the rule that a history breaks, the strict fake providers answer with its error
// text, and package explain finds the rule that an error text is about. The package only holds
// data: nothing here reads a history. It depends on the standard library alone.
//
//	r, ok := rule.ByID("anthropic/tool-result-orphan")
//	fmt.Println(ok, r.Statement)
//
// Rules are gathered from public bug reports, logs, probes and vendor
// documentation. APIs change and sources disagree: [Rule.For] and [Rule.Against]
// say who refused and who accepted, with which models, and when,
// [Rule.ErrorKind] how well an error text is known, [Rule.Severity] whether the
// provider still insists, and [Rule.Coverage] what preflight can do about it.
//
// All functions return copies and may be called concurrently.
package rule

import (
	"cmp"
	"slices"
	"strings"
)

// Rule is one cited statement about what a provider refuses or mishandles.
type Rule struct {
	// ID is the provider, a slash and a name, as in
	// "anthropic/empty-text-block". IDs are stable and part of the API.
	ID string `json:"id"`

	// Provider is the part of the ID before the slash. See [Providers].
	Provider string `json:"provider"`

	// Statement is the rule, in a sentence or two.
	Statement string `json:"statement"`

	// Error is the provider's own text, as exact as ErrorKind says.
	// Indices, ids and sizes in it are those of one occurrence, or the
	// placeholders N, M and XXXX: compare only the stable part. It is empty
	// when no text is on record.
	Error string `json:"error,omitempty"`

	// ErrorKind says how the error text, or the rule without one, is known.
	ErrorKind ErrorKind `json:"error_kind"`

	// Fix tells how to repair a history that breaks the rule.
	Fix string `json:"fix"`

	// Severity is what the provider does with such a history.
	Severity Severity `json:"severity"`

	// Status is the HTTP status of the refusal, the most common one where
	// hosts differ. It is 0 when no server refuses the request.
	Status int `json:"status,omitempty"`

	// Models are the models that the statement speaks of; * matches any characters. It is empty
	// where it speaks of all.
	Models []string `json:"models,omitempty"`

	// For is the evidence for the rule, the strongest first: who refused.
	For []Evidence `json:"for,omitempty"`

	// Against is the evidence against it: who accepted a history that breaks it.
	Against []Evidence `json:"against,omitempty"`

	// Cost is what the repair costs where it is not needed. It is empty where there is none.
	Cost Cost `json:"cost,omitempty"`

	// Sources lists the addresses that the rule rests on: those of For and Against, and others.
	Sources []string `json:"sources"`

	// Coverage is what preflight does about the rule.
	Coverage Coverage `json:"coverage"`

	// Reason explains Coverage. It is empty when the rule is Repaired.
	Reason string `json:"reason,omitempty"`

	// SeenAs is the id of the rule that a check reports in place of this one,
	// because the same body breaks both. It is empty for most rules.
	SeenAs string `json:"seen_as,omitempty"`
}

// ErrorKind says how well an error text is known.
type ErrorKind string

// The kinds of error text. A rule has an Error exactly if its kind is one of
// the first three.
const (
	// captured in a bug report, a log or a probe, or read in the validator's source
	Verbatim ErrorKind = "verbatim"
	// found only as a quotation in public code, a comment or a test
	Quoted ErrorKind = "quoted"
	// the core is quoted, the sentence around it is inferred
	Reconstructed ErrorKind = "reconstructed"
	// the documentation states the rule, without an error text
	Documented ErrorKind = "documented"
	// the rule follows from client code or probes, without an error text
	Inferred ErrorKind = "inferred"
)

// Severity says what a provider does with a history that breaks a rule.
type Severity string

// The severities, from the plain case to the mildest.
const (
	// the request fails, on every model the statement speaks of
	Rejects Severity = "rejects"
	// some hosts, versions or modes reject the request and others accept it, or sources disagree
	Varies Severity = "varies"
	// a client library fails before anything is sent
	Throws Severity = "throws"
	// the request is accepted, and part of it silently ignored or cut
	Degrades Severity = "degrades"
	// nothing fails in itself; the rule is what works on every host
	Advises Severity = "advises"
)

// Coverage says what preflight does about a rule.
type Coverage string

// The coverages. Every one but Repaired comes with a Reason.
const (
	// a check reports the violation and the sanitizer repairs it
	Repaired Coverage = "repaired"
	// a check reports the violation, and the sanitizer returns a typed error, since nothing valid
	// can be made of the history
	Refused Coverage = "refused"
	// today's models accept it, so it stays as it is; the profile of what every provider accepts,
	// and dialects that refuse it, repair it
	Accepted Coverage = "accepted"
	// the history alone does not show it: server state, cryptography, sizes, schemas
	Unseen Coverage = "unseen"
)

// tables lists the rules of each provider: the wire formats first, then the
// dialects and hosts. Within a provider the rules are sorted by ID.
var tables = [][]Rule{
	rulesOf(
		anthropicCache, anthropicMedia, anthropicServerTools, anthropicSystem,
		anthropicText, anthropicThinking, anthropicTools, anthropicTurns,
	),
	rulesOf(openaiChatMessages, openaiChatTools),
	rulesOf(openaiResponsesCalls, openaiResponsesItems),
	rulesOf(geminiContents, geminiFunctions),
	rulesOf(bedrockMessages, bedrockTools),
	rulesOf(mistral),
	rulesOf(deepseek),
	rulesOf(chatTemplate),
	rulesOf(cohere),
	rulesOf(ollama),
	rulesOf(interactions),
	rulesOf(moonshot),
	rulesOf(qwen),
	rulesOf(minimax),
	rulesOf(glm),
	rulesOf(xai),
	rulesOf(groq),
	rulesOf(volcengine),
	rulesOf(openaiCompatible),
	rulesOf(openrouter),
	rulesOf(azure),
	rulesOf(vercelAISDK),
	rulesOf(langGraph),
	rulesOf(pydanticAI),
}

// rulesOf joins the tables of one provider, with what they leave out.
func rulesOf(tables ...[]Rule) []Rule {
	rules := slices.Concat(tables...)
	slices.SortFunc(rules, func(a, b Rule) int { return strings.Compare(a.ID, b.ID) })
	for i := range rules {
		rules[i].complete()
	}
	return rules
}

// complete fills in what the tables leave out because it is so for most rules: the request is
// refused, with status 400 and an error text that is known verbatim, and preflight repairs it.
func (r *Rule) complete() {
	r.Provider, _, _ = strings.Cut(r.ID, "/")
	r.Severity = cmp.Or(r.Severity, Rejects)
	if r.Severity == Rejects || r.Severity == Varies {
		r.Status = cmp.Or(r.Status, 400)
	}
	r.ErrorKind = cmp.Or(r.ErrorKind, Verbatim)
	r.Coverage = cmp.Or(r.Coverage, Repaired)
}

// All returns every rule, ordered by provider as in [Providers], then by ID.
// The result is the caller's to keep and to change.
func All() []Rule {
	var all []Rule
	for _, rules := range tables {
		all = appendClones(all, rules)
	}
	return all
}

// ByID returns the rule with the given id, and whether there is one.
func ByID(id string) (Rule, bool) {
	provider, _, _ := strings.Cut(id, "/")
	rules := table(provider)
	i, ok := slices.BinarySearchFunc(rules, id, func(r Rule, id string) int {
		return strings.Compare(r.ID, id)
	})
	if !ok {
		return Rule{}, false
	}
	return clone(rules[i]), true
}

// ForProvider returns the rules of one provider, ordered by ID. It returns
// nil for a provider that is not among [Providers].
func ForProvider(provider string) []Rule {
	return appendClones(nil, table(provider))
}

// Providers returns the names of all providers that have rules: the wire
// formats first, anthropic leading, then the dialects and hosts.
func Providers() []string {
	names := make([]string, len(tables))
	for i, rules := range tables {
		names[i] = rules[0].Provider
	}
	return names
}

// table returns the rules of a provider without copying them.
func table(provider string) []Rule {
	for _, rules := range tables {
		if rules[0].Provider == provider {
			return rules
		}
	}
	return nil
}

func appendClones(dst, rules []Rule) []Rule {
	dst = slices.Grow(dst, len(rules))
	for _, r := range rules {
		dst = append(dst, clone(r))
	}
	return dst
}

// clone copies r together with its evidence, so that no caller can reach the tables, and completes
// its sources.
func clone(r Rule) Rule {
	r.Models = slices.Clone(r.Models)
	r.For, r.Against = cloneEvidence(r.For), cloneEvidence(r.Against)
	var sources []string
	for _, e := range slices.Concat(r.For, r.Against) {
		sources = append(sources, e.Source)
	}
	sources = append(sources, r.Sources...)
	r.Sources = []string{}
	for _, s := range sources {
		if !slices.Contains(r.Sources, s) {
			r.Sources = append(r.Sources, s)
		}
	}
	return r
}

func cloneEvidence(all []Evidence) []Evidence {
	all = slices.Clone(all)
	for i := range all {
		all[i].Models = slices.Clone(all[i].Models)
		all[i].Hosts = slices.Clone(all[i].Hosts)
	}
	return all
}
