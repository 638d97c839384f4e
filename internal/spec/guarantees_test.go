package spec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file holds the eight guarantees as properties over generated histories: for every profile,
// under every combination of options. guarantees_fuzz_test.go hands the same properties to the
// fuzzer. What the properties know about providers is in oracle_test.go, and is written apart from
// Check and from the fixers.

// given is what a property starts from.
type given struct {
	profile *preflight.Profile
	options *preflight.Options
	in      []preflight.Message
}

// failing returns a func that fails a test, and shows the history and what became of it.
func (g given) failing(t *rapid.T, res preflight.Result) func(format string, args ...any) {
	return func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s\nin:\n%s\nout:\n%s\nwarnings: %s", fmt.Sprintf(format, args...), dump(g.in),
			dump(res.Messages), list(res.Warnings))
	}
}

func (g given) sanitize(h []preflight.Message) (preflight.Result, error) {
	return preflight.Sanitize(context.Background(), h, g.profile, g.options)
}

// subject is a profile under test, and the request that histories are repaired for.
type subject struct {
	profile preflight.Profile
	request preflight.Request
}

// options returns options for the subject's request, or nil where the zero value does.
func (s subject) options() *preflight.Options {
	if s.request == (preflight.Request{}) {
		return nil
	}
	return &preflight.Options{Request: s.request}
}

// underTest are the profiles under test, by name.
func underTest() map[string]subject {
	profiles := map[string]preflight.Profile{
		"zero":        {},
		"portable":    *provider.Portable(),
		"openai-chat": *provider.OpenAIChat(""),
		"bedrock":     *provider.Bedrock(""),
		"bedrock 3.5": *provider.Bedrock("us.anthropic.claude-3-5-sonnet-20241022-v2:0"),
		"bedrock 4.5": *provider.Bedrock("us.anthropic.claude-sonnet-4-5-20250929-v1:0"),
		"nova":        *provider.Bedrock("us.amazon.nova-2-lite-v1:0"),
		"gemini":      *provider.Gemini(""),
		"gemini 1.0":  *provider.Gemini("gemini-1.0-pro"),
		"gemini 2.5":  *provider.Gemini("gemini-2.5-pro"),
		"gemini 3":    *provider.Gemini("gemini-3-pro-preview"),
		"gemini 3.8":  *provider.Gemini("gemini-3.8-flash"),
		"vertex 3.8":  vertexGemini("gemini-3.8-flash"),
		"bedrock r1":  *provider.Bedrock("us.deepseek.r1-v1:0"),
		"o1-mini":     *provider.OpenAIChat("o1-mini"),

		"openai-chat portable": provider.OpenAIChat("").Portable(),
		"gemini portable":      provider.Gemini("").Portable(),
		"bedrock portable":     provider.Bedrock("").Portable(),
	}
	out := make(map[string]subject)
	for name, p := range profiles {
		out[name] = subject{profile: p}
	}
	for _, model := range []string{"", "claude-sonnet-4-5", "claude-opus-4-6", "claude-opus-4-8",
		"claude-opus-5-5"} {
		for _, thinking := range []provider.Thinking{provider.ThinkingUnknown, provider.ThinkingOff,
			provider.ThinkingBudget, provider.ThinkingAdaptive} {
			p := *provider.Anthropic(model)
			name := fmt.Sprintf("anthropic %s thinking %s", model, thinking)
			out[name] = subject{p, preflight.Request{Thinking: thinking}}
		}
	}
	return out
}

func vertexGemini(model string) preflight.Profile {
	p, _ := provider.ByName("vertex-gemini", model)
	return *p
}

func profileNames() []string {
	var names []string
	for name := range underTest() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// drawOptions draws options, and now and then the options that change valid histories too.
func drawOptions(t *rapid.T) *preflight.Options {
	o := &preflight.Options{
		Dangling: rapid.SampledFrom([]preflight.Dangling{preflight.DanglingRemove,
			preflight.DanglingAnswer}).
			Draw(t, "dangling"),
		Orphans: rapid.SampledFrom([]preflight.Orphans{preflight.OrphanRemove,
			preflight.OrphanText}).
			Draw(t, "orphans"),
		Duplicates: rapid.SampledFrom([]preflight.Duplicates{preflight.DuplicateFirst,
			preflight.DuplicateLast, preflight.DuplicateMerge}).
			Draw(t, "duplicates"),
		Trailing: rapid.SampledFrom([]preflight.Trailing{preflight.TrailingContinue,
			preflight.TrailingStrip, preflight.TrailingKeep}).
			Draw(t, "trailing"),
	}
	switch rapid.IntRange(0, 9).Draw(t, "more options") {
	case 7:
		o.KeepWaiting = true
	case 9:
		o.Fixers = []preflight.Fixer{preflight.Fixers.StripEphemeral, fixer.Truncate{
			MaxString: rapid.SampledFrom([]int{1, 10, 50, 70}).Draw(t, "max string"),
			Inputs:    rapid.Bool().Draw(t, "truncate inputs"),
		}.Fixer()}
	case 8:
		o.OpenCall = waitsIf(func(c *preflight.ToolCall) bool { return c.Name == "ls" })
		o.KeepWaiting = rapid.Bool().Draw(t, "keep waiting")
	}
	return o
}

// effective is the profile that a result has to satisfy: keeping a trailing turn is the caller's
// decision.
func (g given) effective() *preflight.Profile {
	p := *g.profile
	if g.options.Trailing == preflight.TrailingKeep {
		p.Prefill = provider.PrefillRules{}
	}
	return &p
}

// overrides reports whether the options ask for changes to valid histories, or exempt calls by a
// predicate.
func (g given) overrides() bool {
	return len(g.options.Fixers) > 0 || g.options.OpenCall != nil
}

// property is one guarantee, and which histories it speaks about.
type property struct {
	name  string
	draw  func(*preflight.Profile, *preflight.Options) *rapid.Generator[[]preflight.Message]
	prove func(*rapid.T, given)
}

var properties = []property{
	{"G1 valid", histgen.Any, proveValid},
	{"G2 idempotent", histgen.Any, proveIdempotent},
	{"G3 identity", histgen.Valid, proveIdentity},
	{"G4 nothing silent", histgen.Any, proveNothingSilent},
	{"G4 no quotes", histgen.Any, proveNoQuotes},
	{"G5 least loss", histgen.Corrupt, proveLeastLoss},
	{"G5 answers stay", histgen.Corrupt, proveAnswersStay},
	{"G5 results stay", histgen.Corrupt, proveResultsStay},
	{"G6 prefix-stable", histgen.Corrupt, provePrefixStable},
	{"G6 agent loop", histgen.Corrupt, proveAgentLoop},
	{"G7 pure", histgen.Any, provePure},
}

// check runs a property for a profile.
func (p property) check(t *rapid.T, s subject) {
	g := given{profile: &s.profile, options: drawOptions(t)}
	g.options.Request = s.request
	g.in = p.draw(g.profile, g.options).Draw(t, "history")
	if p.name != "G3 identity" {
		g.in = plant(t, g.in)
	}
	g.in = histgen.Roomy(g.in)
	p.prove(t, g)
}

// plant appends to one in ten histories one with faults that package histgen does not draw.
func plant(t *rapid.T, h []preflight.Message) []preflight.Message {
	if rapid.IntRange(0, 9).Draw(t, "plant") < 9 {
		return h
	}
	return append(h, marked(rapid.SampledFrom(msgtest.Planted).Draw(t, "planted")())...)
}

// marked gives the parts of new messages tags, as package histgen gives them to those that it
// draws.
func marked(h []preflight.Message) []preflight.Message {
	n := 900
	var mark func(parts []preflight.Part, texts string)
	mark = func(parts []preflight.Part, texts string) {
		for _, p := range parts {
			kind := map[string]string{"text": texts, "reasoning": "r", "tool_call": "c",
				"tool_result": "y", "media": "m", "other": "o"}[preflight.PartKind(p)]
			tag := json.RawMessage(strconv.Quote(kind + strconv.Itoa(n)))
			preflight.CarriedBy(p).Meta = preflight.Metadata{histgen.TagKey: tag}
			if r, ok := p.(*preflight.ToolResult); ok {
				mark(r.Content, "i")
			}
			n++
		}
	}
	for _, m := range h {
		mark(m.Parts, string(m.Role[:1]))
	}
	return h
}

func TestGuarantees(t *testing.T) {
	for _, p := range properties {
		t.Run(p.name, func(t *testing.T) {
			for name, s := range underTest() {
				t.Run(name, func(t *testing.T) {
					rapid.Check(t, func(t *rapid.T) { p.check(t, s) })
				})
			}
		})
	}
}

// proveValid: what comes out passes Check and a second reading of the rules, or there is a typed
// error and the input.
func proveValid(t *rapid.T, g given) {
	res, err := g.sanitize(g.in)
	if err != nil {
		if !sameArray(res.Messages, g.in) || res.Warnings != nil || res.Changed {
			t.Fatalf("on error the input has to come back as it was: %v", err)
		}
		if !excused(g, err) {
			t.Fatalf("no reason to give up on this history: %v\n%s", err, dump(g.in))
		}
		return
	}
	if found := preflight.Check(res.Messages, g.profile, g.options); len(found) > 0 {
		t.Fatalf("Check finds %v\nin:\n%s\nout:\n%s", found, dump(g.in), dump(res.Messages))
	}
	if broken := judge(res.Messages, g.effective(), g.options); broken != "" {
		t.Fatalf(
			"the provider would say: %s\nin:\n%s\nout:\n%s",
			broken,
			dump(g.in),
			dump(res.Messages),
		)
	}
}

// excused reports whether the documentation allows an error here: there is nothing to send, or a
// thinking budget demands reasoning that the history lacks.
func excused(g given, err error) bool {
	if errors.Is(err, preflight.ErrEmptyHistory) {
		return len(g.in) == 0
	}
	var unfixable *preflight.Error
	if !errors.As(err, &unfixable) || g.options.Request.Thinking != provider.ThinkingBudget {
		return false
	}
	return !slices.ContainsFunc(
		unfixable.Violations,
		func(v preflight.Violation) bool { return v.Problem != problems.ReasoningMissing },
	)
}

// proveIdempotent: sanitizing the output again changes nothing.
func proveIdempotent(t *rapid.T, g given) {
	first, err := g.sanitize(g.in)
	if err != nil {
		return // which errors there may be, proveValid says
	}
	again, err := g.sanitize(first.Messages)
	if err != nil {
		t.Fatalf(
			"the output is refused: %v\nin:\n%s\nout:\n%s",
			err,
			dump(g.in),
			dump(first.Messages),
		)
	}
	if again.Changed || len(again.Warnings) > 0 || !sameArray(again.Messages, first.Messages) {
		t.Fatalf(
			"the output changes again: %s\nin:\n%s\nout:\n%s\nagain:\n%s",
			list(again.Warnings),
			dump(g.in),
			dump(first.Messages),
			dump(again.Messages),
		)
	}
}

// proveIdentity: a valid history is the same history afterwards. The histories are valid by the
// rules, not by Check.
func proveIdentity(t *rapid.T, g given) {
	if broken := judge(g.in, g.profile,
		&preflight.Options{Request: g.options.Request}); broken != "" {
		t.Fatalf(
			"the generator made a history the provider would refuse: %s\n%s",
			broken,
			dump(g.in),
		)
	}
	proveUntouched(t, g)
}

// proveUntouched: nothing is found, nothing is done, by the whole and by each fixer alone.
func proveUntouched(t *rapid.T, g given) {
	if g.overrides() { // the caller asks for changes to valid histories
		g.options = &preflight.Options{Request: g.options.Request}
	}
	if found := preflight.Check(g.in, g.profile,
		&preflight.Options{Request: g.options.Request}); len(found) > 0 {
		t.Fatalf("Check finds fault with a valid history: %v\n%s", found, dump(g.in))
	}
	res, err := g.sanitize(g.in)
	if err != nil || res.Changed || len(res.Warnings) > 0 || res.FirstChanged != -1 ||
		res.Origins != nil ||
		!(res.Removed == preflight.Tally{}) ||
		!(res.Added == preflight.Tally{}) {
		t.Fatalf("a valid history was changed: %v %s\n%s", err, list(res.Warnings), dump(g.in))
	}
	if !sameArray(res.Messages, g.in) {
		t.Fatal("a valid history has to come back as the same slice")
	}
	if cap(res.Messages) != len(res.Messages) {
		t.Fatal("the result has room for an append into the caller's array")
	}
	for _, f := range preflight.Fixers.Defaults() {
		if out, warnings := f.Apply(g.in, g.effective(), g.options); len(warnings) > 0 ||
			!sameArray(out, g.in) {
			t.Fatalf(
				"the fixer %s changes a valid history: %s\n%s",
				f.Name,
				list(warnings),
				dump(g.in),
			)
		}
	}
}
