package preflight_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file holds the eight guarantees as properties over generated histories: for every profile,
// under every combination of policies. fuzz_test.go hands the same properties to the fuzzer. What
// the properties know about providers stands in oracle_test.go, and is written apart from Check and
// from the fixers.

// given is what a property starts from.
type given struct {
	profile *preflight.Profile
	options *preflight.Options
	in      []preflight.Message
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

// drawOptions draws policies, and now and then the options that change valid histories too.
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
		o.StripEphemeral = true
		o.MaxString = rapid.SampledFrom([]int{1, 10, 50, 70}).Draw(t, "max string")
		o.TruncateInputs = rapid.Bool().Draw(t, "truncate inputs")
	case 8:
		o.Pending = func(c *preflight.ToolCall) bool { return c.Name == "ls" }
		o.KeepWaiting = rapid.Bool().Draw(t, "keep waiting")
	}
	return o
}

// effective is the profile that a result has to satisfy: keeping a trailing turn is the caller's
// decision.
func (g given) effective() *preflight.Profile {
	p := *g.profile
	if g.options.Trailing == preflight.TrailingKeep {
		p.Prefill.Refused = false
	}
	return &p
}

// overrides reports whether the options ask for changes to valid histories, or exempt calls by a
// predicate.
func (g given) overrides() bool {
	return g.options.StripEphemeral || g.options.MaxString > 0 || g.options.Pending != nil
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
	g.in = histgen.Roomy(p.draw(g.profile, g.options).Draw(t, "history"))
	p.prove(t, g)
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
	if found := preflight.CheckWith(res.Messages, g.profile, g.options); len(found) > 0 {
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
// thinking budget demands reasoning that nobody has.
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
		func(v preflight.Violation) bool { return v.Problem != rule.ReasoningMissing },
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
	if found := preflight.CheckWith(g.in, g.profile,
		&preflight.Options{Request: g.options.Request}); len(found) > 0 {
		t.Fatalf("Check finds fault with a valid history: %v\n%s", found, dump(g.in))
	}
	res, err := g.sanitize(g.in)
	if err != nil || res.Changed || len(res.Warnings) > 0 || res.FirstChanged != -1 ||
		res.Origins != nil ||
		!res.Removed.IsZero() ||
		!res.Added.IsZero() {
		t.Fatalf("a valid history was changed: %v %s\n%s", err, list(res.Warnings), dump(g.in))
	}
	if !sameArray(res.Messages, g.in) {
		t.Fatal("a valid history has to come back as the same slice")
	}
	if cap(res.Messages) != len(res.Messages) {
		t.Fatal("the result has room for an append into the caller's array")
	}
	for _, f := range preflight.DefaultFixers() {
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

// proveNothingSilent: what differs was warned about where it was, and what was warned about
// differs.
func proveNothingSilent(t *rapid.T, g given) {
	res, err := g.sanitize(g.in)
	if err != nil {
		return
	}
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf(
			"%s\nin:\n%s\nout:\n%s\nwarnings: %s",
			fmt.Sprintf(format, args...),
			dump(g.in),
			dump(res.Messages),
			list(res.Warnings),
		)
	}
	differs := !reflect.DeepEqual(res.Messages, g.in) || !sameParts(res.Messages, g.in)
	if differs != (len(res.Warnings) > 0) || differs != res.Changed {
		fail("differs %v, changed %v, %d warnings", differs, res.Changed, len(res.Warnings))
	}
	if !differs {
		return
	}
	var removed, added preflight.Tally
	warned := map[preflight.Position]bool{}
	for _, w := range res.Warnings {
		removed, added = removed.Plus(w.Removed), added.Plus(w.Added)
		warned[preflight.Position{Message: w.At.Message, Part: w.At.Part, Inner: -1}] = true
		if why := misplaced(w, g.in); why != "" {
			fail("the warning %s %s %s", w.Code, w.At, why)
		}
	}
	if removed != res.Removed || added != res.Added {
		fail("the result's accounts are not the sum of its warnings'")
	}
	if want, got := preflight.TallyOf(g.in...), preflight.TallyOf(res.Messages...).Plus(res.Removed).Minus(res.Added); want != got {
		fail("content does not add up: had %+v, account for %+v", want, got)
	}
	if len(res.Origins) != len(res.Messages) {
		fail("%d origins for %d messages", len(res.Origins), len(res.Messages))
	}
	kept := pointers(res.Messages)
	for i, m := range g.in {
		for j, p := range m.Parts {
			whole := warned[preflight.Position{Message: i, Part: -1, Inner: -1}]
			if kept[p] == 0 && !whole &&
				!warned[preflight.Position{Message: i, Part: j, Inner: -1}] &&
				!receivedCache(p, res) &&
				!absorbed(p, i, res) {
				fail("messages[%d].parts[%d] is not in the output, and nothing says why", i, j)
			}
		}
	}
	for i, m := range res.Messages {
		sources := res.Origins[i]
		if !slices.IsSorted(sources) || len(slices.Compact(slices.Clone(sources))) != len(sources) {
			fail("origins %v are not ascending", sources)
		}
		for _, s := range sources {
			if s < 0 || s >= len(g.in) {
				fail("origin %d is not a message of the input", s)
			}
		}
		if len(sources) == 1 && g.in[sources[0]].Role != m.Role &&
			!warnedAbout(res.Warnings, sources[0]) {
			fail("out[%d] has another role than its source, and nothing says why", i)
		}
	}
	if res.FirstChanged < 0 ||
		!reflect.DeepEqual(res.Messages[:res.FirstChanged], g.in[:res.FirstChanged]) ||
		!sameParts(res.Messages[:res.FirstChanged], g.in[:res.FirstChanged]) {
		fail("FirstChanged is %d, but something differs before it", res.FirstChanged)
	}
	if k := res.FirstChanged; k < len(res.Messages) && k < len(g.in) &&
		reflect.DeepEqual(res.Messages[k], g.in[k]) &&
		sameParts(res.Messages[k:k+1], g.in[k:k+1]) {
		fail("FirstChanged is %d, where nothing differs", k)
	}
}

// receivedCache reports whether all that happened to a part is that it now carries another part's
// cache breakpoint, of which that part's warning speaks.
func receivedCache(p preflight.Part, res preflight.Result) bool {
	moved := slices.ContainsFunc(
		res.Warnings,
		func(w preflight.Warning) bool { return w.Code == codes.CacheMoved },
	)
	return moved && cacheOf(p) == nil &&
		slices.ContainsFunc(partsOf(res.Messages), func(now preflight.Part) bool {
			return cacheOf(now) != nil && describe(p, 1<<30) == describe(now, 1<<30)
		})
}

// absorbed reports whether a part of input message i is a result that took in another one of its
// call: one change, whose warning is at the result that is gone. It is looked for in what
// became of message i, since a session that was recorded twice holds the same result twice.
func absorbed(p preflight.Part, i int, res preflight.Result) bool {
	before, ok := p.(*preflight.ToolResult)
	if !ok ||
		!slices.ContainsFunc(
			res.Warnings,
			func(w preflight.Warning) bool { return w.Code == codes.DuplicatesMerged },
		) {
		return false
	}
	for k, m := range res.Messages {
		if slices.Contains(res.Origins[k], i) &&
			slices.ContainsFunc(m.Parts, func(part preflight.Part) bool {
				now, ok := part.(*preflight.ToolResult)
				return ok && histgen.Tag(now) == histgen.Tag(before) &&
					(len(now.Content) > len(before.Content) || len(now.Output) > len(before.Output))
			}) {
			return true
		}
	}
	return false
}

func warnedAbout(warnings []preflight.Warning, message int) bool {
	return slices.ContainsFunc(
		warnings,
		func(w preflight.Warning) bool { return w.At.Message == message },
	)
}

// misplaced says why a warning does not point at what it is about, "" when it does.
func misplaced(w preflight.Warning, in []preflight.Message) string {
	switch {
	case w.Code == "" || w.Detail == "":
		return "says nothing"
	case w.At.Message < 0 || w.At.Message >= len(in):
		return "points at no message"
	case w.At.Part < -1 || w.At.Part >= len(in[w.At.Message].Parts):
		return "points at no part"
	case w.ToolCallID == "" || w.At.Part < 0:
		return ""
	}
	switch p := in[w.At.Message].Parts[w.At.Part].(type) {
	case *preflight.ToolCall:
		if p.ID == w.ToolCallID {
			return ""
		}
		return fmt.Sprintf("names the call %q, but points at %q", w.ToolCallID, p.ID)
	case *preflight.ToolResult:
		if p.CallID == w.ToolCallID {
			return ""
		}
		return fmt.Sprintf("names the call %q, but points at the result of %q", w.ToolCallID,
			p.CallID)
	}
	return "names a tool call, but points at something else"
}

// proveLeastLoss: text that can be sent is sent, in order; parts that need no repair are the
// caller's own.
func proveLeastLoss(t *rapid.T, g given) {
	res, err := g.sanitize(g.in)
	if err != nil {
		return
	}
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf(
			"%s\nin:\n%s\nout:\n%s\nwarnings: %s",
			fmt.Sprintf(format, args...),
			dump(g.in),
			dump(res.Messages),
			list(res.Warnings),
		)
	}
	// from where on the assistant's text went, because the caller asked to strip its last turn
	stripped := len(g.in)
	for _, w := range res.Warnings {
		if w.Code == codes.TrailingStripped {
			stripped = min(stripped, w.At.Message)
		}
	}
	// parts whose cache breakpoint had to change, or that received one
	cached := map[preflight.Position]bool{}
	for _, w := range res.Warnings {
		switch w.Code {
		case codes.CacheMoved, codes.CacheRemoved, codes.CacheChanged, codes.TrailingTrimmed:
			cached[preflight.Position{Message: w.At.Message, Part: w.At.Part}] = true
		}
	}
	kept, tags := pointers(res.Messages), tagCounts(g.in)
	var want []string
	for i, m := range g.in {
		for j, p := range m.Parts {
			x, ok := p.(*preflight.Text)
			if !ok || x == nil || wordless(x.Text) ||
				i >= stripped && spelledRole(m.Role) == preflight.RoleAssistant {
				continue
			}
			// The assistant's own text may go before or after its calls, and a part that is
			// there twice cannot be told from itself.
			if spelledRole(m.Role) != preflight.RoleAssistant && tags[histgen.Tag(p)] == 1 {
				want = append(want, histgen.Tag(p))
			}
			sound := utf8.ValidString(x.Text) && !strings.Contains(x.Text, "\x00")
			if sound && kept[p] == 0 && !cached[preflight.Position{Message: i, Part: j}] &&
				!receivedCache(p, res) {
				fail(
					"the text messages[%d].parts[%d] needed no repair,"+
						" and is not the caller's any more",
					i,
					j,
				)
			}
		}
	}
	var got []string
	for _, m := range res.Messages {
		for _, p := range m.Parts {
			if _, ok := p.(*preflight.Text); ok && slices.Contains(want, histgen.Tag(p)) {
				got = append(got, histgen.Tag(p))
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		fail("text of users changed its order (-want +got):\n%s", diff)
	}
	given := partsOf(g.in)
	for _, p := range partsOf(res.Messages) {
		now, ok := p.(*preflight.Reasoning)
		if ok && now.Signed() && !slices.ContainsFunc(given, func(p preflight.Part) bool {
			was, ok := p.(*preflight.Reasoning)
			return ok && was != nil && histgen.Tag(was) == histgen.Tag(now) &&
				was.Text == now.Text &&
				was.Signature == now.Signature &&
				was.Opaque == now.Opaque
		}) {
			fail("the signed reasoning %s was edited", histgen.Tag(now))
		}
	}
}

// wordless reports whether a text holds nothing that could be sent: white space, and NUL, which no
// provider takes.
func wordless(text string) bool {
	return strings.TrimSpace(strings.ReplaceAll(text, "\x00", "")) == ""
}

// proveAnswersStay: a call that has a result after it, by its id, keeps a result that somebody
// really gave.
func proveAnswersStay(t *rapid.T, g given) {
	res, err := g.sanitize(g.in)
	if err != nil {
		return
	}
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf(
			"%s\nin:\n%s\nout:\n%s\nwarnings: %s",
			fmt.Sprintf(format, args...),
			dump(g.in),
			dump(res.Messages),
			list(res.Warnings),
		)
	}
	if g.profile.Tools.NoTools {
		for _, pair := range certainPairs(g.in, g.profile) {
			if !slices.ContainsFunc(
				pair.results,
				func(tag string) bool {
					return told(byTag(g.in, tag).(*preflight.ToolResult),
						res.Messages)
				},
			) {
				fail("what answered the call %s is nowhere to be read", pair.call)
			}
		}
		return
	}
	waits := waiting(g.options.Pending)
	answers := answersOf(res.Messages, g.effective(), waits)
	for _, pair := range certainPairs(g.in, g.profile) {
		got, answered := answers[pair.call]
		if !answered {
			fail("the call %s has a result after it, and was left without", pair.call)
		}
		allowed := pair.results
		if g.options.Duplicates == preflight.DuplicateLast {
			allowed = append(allowed, pair.otherNamed...) // its id makes it a further result
		}
		if !slices.Contains(allowed, got) {
			fail(
				"the call %s is answered by %q, although one of %v is there",
				pair.call,
				got,
				allowed,
			)
		}
	}
	if g.options.Duplicates == preflight.DuplicateLast {
		return // a further result is to take the first one's place
	}
	for call, result := range completedPairs(g.in, g.profile, waits) {
		if answers[call] != result {
			fail("the call %s was answered by %s, now by %q", call, result, answers[call])
		}
	}
}

// told reports whether a user's text holds the words of a result.
func told(r *preflight.ToolResult, h []preflight.Message) bool {
	var words []string
	for _, c := range r.Content {
		if x, ok := c.(*preflight.Text); ok && x != nil && utf8.ValidString(x.Text) &&
			!strings.Contains(x.Text, "\x00") {
			words = append(words, x.Text)
		}
	}
	return slices.ContainsFunc(h, func(m preflight.Message) bool {
		return m.Role == preflight.RoleUser &&
			slices.ContainsFunc(m.Parts, func(p preflight.Part) bool {
				x, ok := p.(*preflight.Text)
				return ok &&
					!slices.ContainsFunc(
						words,
						func(w string) bool { return !strings.Contains(x.Text, w) },
					)
			})
	})
}

// provePrefixStable: what a longer history makes of its beginning is what the beginning alone
// became.
func provePrefixStable(t *rapid.T, g given) {
	if len(g.in) == 0 {
		return
	}
	k := rapid.IntRange(1, len(g.in)).Draw(t, "sent so far")
	provePrefix(t, g, k, len(g.in))
}

// proveAgentLoop does the same for every step of a session that grows message by message.
func proveAgentLoop(t *rapid.T, g given) {
	for k := 1; k < len(g.in); k++ {
		provePrefix(t, g, k, k+1)
	}
}

func provePrefix(t *rapid.T, g given, before, after int) {
	if g.profile.Tools.NoTools && g.options.Duplicates == preflight.DuplicateMerge {
		// in a text nobody can tell what came late and was merged; pairing, which comes first, is
		// the same for other profiles
		return
	}
	short, err := g.sanitize(g.in[:before:before])
	if err != nil {
		return
	}
	long, err := g.sanitize(g.in[:after:after])
	if err != nil {
		return
	}
	var others []preflight.Message
	for _, m := range g.in[:before] {
		if spelledRole(m.Role) != preflight.RoleAssistant {
			others = append(others, m)
		}
	}
	sent := settled(short.Messages, long, g.in[before:after], g, tagCounts(others))
	sent = sent[:min(len(sent), orphansElse(g, short, long))]
	sent = sent[:min(len(sent), movedOut(g.in[:before], short.Messages))]
	sent = sent[:min(len(sent), matchedByPlace(g, before, after, short, long))]
	have := blocks(long.Messages)
	for k, want := range sent {
		if k < len(have) && have[k] == want {
			continue
		}
		got := "nothing"
		if k < len(have) {
			got = have[k]
		}
		t.Fatalf(
			"block %d was sent as\n  %s\nand is now\n  %s\nfirst %d messages of:\n%s\nthen:"+
				"\n%s\nnow:\n%s\nwarnings: %s",
			k,
			want,
			got,
			before,
			dump(g.in[:after]),
			dump(short.Messages),
			dump(long.Messages),
			list(long.Warnings),
		)
	}
}

// movedOut is how many blocks of an output come before the first media that moved from the open
// turn of the input into a message of another role: it is of the open turn, wherever it is. That
// turn is the last run of the assistant's messages, if nothing but results follows it.
func movedOut(in, out []preflight.Message) int {
	end := len(in)
	for end > 0 && spelledRole(in[end-1].Role) != preflight.RoleAssistant &&
		!slices.ContainsFunc(in[end-1].Parts,
			func(p preflight.Part) bool { return asResult(p, false) == nil }) {
		end--
	}
	start := end
	for start > 0 && (spelledRole(in[start-1].Role) == preflight.RoleAssistant || len(in[start-1].Parts) == 0) {
		start--
	}
	open, all := tagCounts(in[start:end]), tagCounts(in)
	n := 0
	for i, m := range out {
		for j, p := range m.Parts {
			tag := histgen.Tag(p)
			_, media := p.(*preflight.Media)
			if media && tag != "" && m.Role != preflight.RoleAssistant && open[tag] == 1 &&
				all[tag] == 1 {
				if j == 0 {
					// with what was put before it for its sake
					return len(blocks(out[:leadIn(out, i)]))
				}
				return n
			}
			n++
		}
	}
	return n
}

// matchedByPlace is how many blocks of the shorter output come before the first turn that had, or now
// has, a result that only its place told the call of, and that is now elsewhere, because better
// evidence came: for one without an id, another result; for one before the first call with its id,
// that call, or another result of it. The turn that it follows in the input counts too: another
// result may now be the only one left there.
func matchedByPlace(g given, before, after int, res, long preflight.Result) int {
	short := res.Messages
	called := map[string]int{} // the message of the first call with an id
	for i, m := range slices.Backward(g.in[:after]) {
		for _, c := range callsOf(m.Parts, false) {
			called[plainID(c.ID)] = i
		}
	}
	came := map[string]bool{} // ids of what came
	answered := false
	for _, p := range partsOf(g.in[before:after]) {
		if r := asResult(p, false); r != nil {
			came[plainID(r.CallID)], answered = true, true
		} else if isClientCall(p) {
			came[plainID(p.(*preflight.ToolCall).ID)] = true
		}
	}
	all := len(blocks(short))
	turnOf := func(h []preflight.Message, tag string) (start, block int) {
		for _, x := range exchanges(h, g.profile.Turns.Joined()) {
			n := len(blocks(h[:x.start]))
			for k, p := range partsOf(append(slices.Clone(x.turn), x.after...)) {
				if histgen.Tag(p) == tag {
					return len(blocks(h[:leadIn(h, x.start)])), n + k
				}
			}
		}
		return all, -1
	}
	turn := 0 // in the input
	for i, m := range g.in[:before] {
		if spelledRole(m.Role) == preflight.RoleAssistant &&
			(i == 0 || spelledRole(g.in[i-1].Role) != preflight.RoleAssistant) {
			turn = i
		}
		for _, p := range m.Parts {
			r := asResult(p, false)
			if r == nil || isNameless(r) && !answered ||
				!isNameless(r) && (called[plainID(r.CallID)] <= i || !came[plainID(r.CallID)]) {
				continue
			}
			was, place := turnOf(short, histgen.Tag(r))
			if is, now := turnOf(long.Messages, histgen.Tag(r)); now != place {
				all = min(all, was, is, sentBefore(res, turn))
			}
		}
	}
	return all
}

// sentBefore is how many blocks of an output come before the first message made of a message of the
// input from an index on.
func sentBefore(res preflight.Result, from int) int {
	for k := range res.Messages {
		if res.Origins == nil && k >= from || res.Origins != nil &&
			slices.ContainsFunc(res.Origins[k], func(i int) bool { return i >= from }) {
			return len(blocks(res.Messages[:leadIn(res.Messages, k)]))
		}
	}
	return len(blocks(res.Messages))
}

// orphansElse is how many blocks come before the first orphan that one of two outputs keeps as text
// in its place, and that is the result of a call in the other: a call that came later, or one that
// only the shorter history matched it with, because it has no id.
func orphansElse(g given, short, long preflight.Result) int {
	before := func(res, other preflight.Result, which func(preflight.Warning) bool) int {
		for i, sources := range res.Origins {
			for _, w := range res.Warnings {
				if w.Code == codes.OrphanToText && slices.Contains(sources,
					w.At.Message) && which(w) &&
					!slices.ContainsFunc(other.Warnings, func(o preflight.Warning) bool {
						return o.Code == codes.OrphanToText && o.At == w.At
					}) {
					return len(blocks(res.Messages[:leadIn(res.Messages, i)]))
				}
			}
		}
		return len(blocks(res.Messages))
	}
	any := func(preflight.Warning) bool { return true }
	nameless := func(w preflight.Warning) bool { return isNameless(g.in[w.At.Message].Parts[w.At.Part]) }
	return min(before(short, long, any), before(long, short, nameless))
}

// provePure: nothing the caller owns is written to, and the same input gives the same output, from
// several goroutines too.
func provePure(t *rapid.T, g given) {
	options := *g.options
	options.Hooks = nil
	if rapid.Bool().Draw(t, "hooks") {
		options.Hooks = []preflight.Hook{
			{
				Name: "scribble on messages",
				Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
					scribble([]preflight.Message{m})
					return preflight.Message{
						Role:  preflight.RoleUser,
						Parts: []preflight.Part{&preflight.Text{Text: "scribbled"}},
					}, nil
				},
			},
			{
				Name: "scribble on the history",
				History: func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
					kept := histgen.Clone(h)
					scribble(h)
					return kept, nil
				},
			},
		}
	}
	g.options = &options
	snapshot := histgen.Clone(g.in)
	profile := *g.profile
	first, err := g.sanitize(g.in)
	unharmed := func(when string) {
		t.Helper()
		if !reflect.DeepEqual(histgen.Whole(snapshot), histgen.Whole(g.in)) {
			t.Fatalf(
				"the input changed %s\nbefore:\n%s\nafter:\n%s",
				when,
				dump(snapshot),
				dump(g.in),
			)
		}
		if !reflect.DeepEqual(profile, *g.profile) {
			t.Fatalf("the profile changed %s", when)
		}
	}
	unharmed("in a run")

	var wait sync.WaitGroup
	results, errs := make([]preflight.Result, 3), make([]error, 3)
	for k := range results {
		wait.Add(1)
		go func() {
			defer wait.Done()
			results[k], errs[k] = g.sanitize(g.in)
		}()
	}
	wait.Wait()
	unharmed("in concurrent runs")
	for k := range results {
		if fmt.Sprint(errs[k]) != fmt.Sprint(err) || !reflect.DeepEqual(results[k], first) {
			t.Fatalf(
				"two runs differ: %v and %v\n%s\n%s",
				err,
				errs[k],
				dump(first.Messages),
				dump(results[k].Messages),
			)
		}
	}
	if err == nil && len(first.Warnings) > 0 {
		first.Messages = append(first.Messages, preflight.Message{Role: "appended"})
		for i := range first.Messages {
			first.Messages[i].Parts = append(
				first.Messages[i].Parts,
				&preflight.Text{Text: "appended"},
			)
		}
		unharmed("when the output was appended to")
	} else {
		_ = append(first.Messages, preflight.Message{Role: "appended"})
		unharmed("when the output was appended to")
	}
}

// scribble writes over everything a hook can reach.
func scribble(h []preflight.Message) {
	for i := range h {
		for k := range h[i].Meta {
			clear(h[i].Meta[k])
			delete(h[i].Meta, k)
		}
		clear(h[i].Native.JSON)
		scribbleParts(h[i].Parts)
		for j := range h[i].Parts {
			h[i].Parts[j] = &preflight.Text{Text: "scribbled"}
		}
		_ = append(h[i].Parts, &preflight.Text{Text: "appended"})
		h[i].Role, h[i].Name = "scribbled", "scribbled"
	}
	_ = append(h, preflight.Message{Role: "appended"})
}

func scribbleParts(parts []preflight.Part) {
	for _, p := range parts {
		meta := histgen.MetaOf(p)
		for k := range meta {
			clear(meta[k])
			delete(meta, k)
		}
		switch p := p.(type) {
		case *preflight.Text:
			clear(p.Cache)
			clear(p.Native.JSON)
			p.Text = "scribbled"
		case *preflight.ToolCall:
			clear(p.Input)
			p.ID = "scribbled"
		case *preflight.ToolResult:
			clear(p.Output)
			scribbleParts(p.Content)
			clear(p.Content)
			p.CallID = "scribbled"
		case *preflight.Reasoning:
			p.Text, p.Signature = "", ""
		case *preflight.Media:
			p.Data = ""
		case *preflight.Other:
			clear(p.Native.JSON)
		}
	}
}

// sameArray reports whether two slices are the same messages in memory.
func sameArray(a, b []preflight.Message) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// sameParts reports whether two histories hold the very same parts.
func sameParts(a, b []preflight.Message) bool {
	return slices.EqualFunc(
		a,
		b,
		func(m, n preflight.Message) bool { return slices.Equal(m.Parts, n.Parts) },
	)
}

// pointers counts how often each part is in a history.
func pointers(h []preflight.Message) map[preflight.Part]int {
	out := map[preflight.Part]int{}
	for _, m := range h {
		for _, p := range m.Parts {
			out[p]++
		}
	}
	return out
}

func byTag(h []preflight.Message, tag string) preflight.Part {
	for _, m := range h {
		for _, p := range m.Parts {
			if tag != "" && histgen.Tag(p) == tag {
				return p
			}
		}
	}
	return nil
}

// dump writes a history down for a failing test.
func dump(h []preflight.Message) string {
	var b strings.Builder
	for i, m := range h {
		fmt.Fprintf(&b, "  %d %q", i, m.Role)
		if m.Name != "" {
			fmt.Fprintf(&b, " name %q", m.Name)
		}
		for _, p := range m.Parts {
			b.WriteString("  " + describe(p, 40))
			if c := cacheOf(p); c != nil {
				b.WriteString(" cache" + string(c))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// describe writes a part down, tag first, without its cache breakpoint; strings are cut to most
// bytes.
func describe(p preflight.Part, most int) string {
	clip := func(s string) string {
		if len(s) > most {
			return s[:most] + "…"
		}
		return s
	}
	head := histgen.Tag(p) + ":"
	switch p := p.(type) {
	case *preflight.Text:
		if p != nil {
			return head + fmt.Sprintf("text(%q)", clip(p.Text))
		}
	case *preflight.Reasoning:
		if p != nil {
			return head + fmt.Sprintf("reasoning(%q sig %q opaque %q)", clip(p.Text), p.Signature,
				p.Opaque)
		}
	case *preflight.ToolCall:
		if p != nil {
			return head + fmt.Sprintf("call(%q %q %s server=%v awaiting=%q %s)", clip(p.ID),
				clip(p.Name), clip(string(p.Input)), p.ProviderExecuted, p.Awaiting, p.Variant)
		}
	case *preflight.ToolResult:
		if p != nil {
			content := ""
			for _, c := range p.Content {
				content += " " + describe(c, most)
			}
			return head + fmt.Sprintf("result(%q name=%q output=%s error=%v server=%v %s[%s])",
				clip(p.CallID), clip(p.Name), clip(string(p.Output)), p.IsError, p.ProviderExecuted,
				p.Variant, content)
		}
	case *preflight.Media:
		if p != nil {
			return head + fmt.Sprintf("media(%s %s %q)", p.Kind, p.MediaType, p.Name)
		}
	case *preflight.Other:
		if p != nil {
			return head + fmt.Sprintf("other(%q)", p.Kind)
		}
	}
	return fmt.Sprintf("%T(nil)", p)
}

func list(warnings []preflight.Warning) string {
	var b strings.Builder
	for _, w := range warnings {
		fmt.Fprintf(
			&b,
			"\n  %s %s %q: %s -%+v +%+v",
			w.At,
			w.Code,
			w.ToolCallID,
			w.Detail,
			w.Removed,
			w.Added,
		)
	}
	return b.String()
}
