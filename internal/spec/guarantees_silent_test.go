package spec

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// This file proves G4: nothing is changed without a warning, no warning without a change, and no
// warning or error quotes the history.

// proveNothingSilent: what differs was warned about where it was, and what was warned about
// differs.
func proveNothingSilent(t *rapid.T, g given) {
	res, err := g.sanitize(g.in)
	if err != nil {
		return
	}
	fail := g.failing(t, res)
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
		warned[preflight.At(w.At.Message(), w.At.Part())] = true
		if why := misplaced(w, g.in); why != "" {
			fail("the warning %s %s %s", w.Code, w.At, why)
		}
	}
	if removed != res.Removed || added != res.Added {
		fail("the result's accounts are not the sum of its warnings'")
	}
	want := preflight.TallyOf(g.in...)
	got := minus(preflight.TallyOf(res.Messages...).Plus(res.Removed), res.Added)
	if want != got {
		fail("content does not add up: had %+v, account for %+v", want, got)
	}
	if len(res.Origins) != len(res.Messages) {
		fail("%d origins for %d messages", len(res.Origins), len(res.Messages))
	}
	kept := pointers(res.Messages)
	for i, m := range g.in {
		for j, p := range m.Parts {
			whole := warned[preflight.At(i)]
			if kept[p] == 0 && !whole &&
				!warned[preflight.At(i, j)] &&
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
	if why := misattributed(res, g.in); why != "" {
		fail("%s", why)
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

// misattributed says which part of the result does not come from the part of the input that
// PartOrigins gives, "" if all do. A part that was repaired keeps its tag, and one that was not is
// the very same. What moved out of a result comes from the result.
func misattributed(res preflight.Result, in []preflight.Message) string {
	if len(res.PartOrigins) != len(res.Messages) {
		return fmt.Sprintf("%d lists of origins of parts", len(res.PartOrigins))
	}
	given := pointers(in)
	for i, m := range res.Messages {
		if len(res.PartOrigins[i]) != len(m.Parts) {
			return fmt.Sprintf("out[%d] has %d origins of parts", i, len(res.PartOrigins[i]))
		}
		for j, p := range m.Parts {
			at := res.PartOrigins[i][j]
			if at.Message() < 0 {
				if given[p] > 0 {
					return fmt.Sprintf("out[%d].parts[%d] is in the input, and has no origin", i, j)
				}
				continue
			}
			from := in[at.Message()].Parts[at.Part()]
			tag := histgen.Tag(p) // "" for a part of another type, such as text made of a call
			if p != from && !holds(from, p, tag) &&
				(given[p] > 0 || tag != "" && tag != histgen.Tag(from)) {
				return fmt.Sprintf("out[%d].parts[%d] does not come from %s", i, j, at)
			}
			if !slices.Contains(res.Origins[i], at.Message()) {
				return fmt.Sprintf("out[%d].parts[%d] is of no origin of its message", i, j)
			}
		}
	}
	return ""
}

// holds reports whether a result had a part in its content, which may have moved out of it.
func holds(result, p preflight.Part, tag string) bool {
	r, ok := result.(*preflight.ToolResult)
	return ok && slices.ContainsFunc(r.Content, func(c preflight.Part) bool {
		return c == p || tag != "" && tag == histgen.Tag(c)
	})
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
		func(w preflight.Warning) bool { return w.At.Message() == message },
	)
}

// misplaced says why a warning does not point at what it is about, "" when it does.
func misplaced(w preflight.Warning, in []preflight.Message) string {
	switch {
	case w.Code == "" || w.Detail == "":
		return "says nothing"
	case w.At.Message() < 0 || w.At.Message() >= len(in):
		return "points at no message"
	case w.At.Part() < -1 || w.At.Part() >= len(in[w.At.Message()].Parts):
		return "points at no part"
	case w.ToolCallID == "" || w.At.Part() < 0:
		return ""
	}
	switch p := in[w.At.Message()].Parts[w.At.Part()].(type) {
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

// proveNoQuotes: whatever holds the secret, nothing that is printed about the history does.
func proveNoQuotes(t *rapid.T, g given) {
	g.in = withSecrets(g.in)
	res, err := g.sanitize(g.in)
	var said strings.Builder
	logger := slog.New(slog.NewJSONHandler(&said, nil))
	logger.Info("sanitized", "error", err)
	fmt.Fprintf(&said, "%v %+v\n", err, err)
	for _, w := range res.Warnings {
		logger.Info("changed", "warning", w)
		fmt.Fprintf(&said, "%v %+v %s\n", w, w, w.Detail)
	}
	for _, v := range preflight.Check(g.in, g.profile, g.options) {
		logger.Info("found", "violation", v)
		fmt.Fprintf(&said, "%v %+v %s\n", v, v, v.Detail)
	}
	if strings.Contains(said.String(), secret) {
		g.failing(t, res)("the history is quoted:\n%s", said.String())
	}
}

// withSecrets returns a copy of a history with the secret in every id, name, text and piece of
// data that holds something.
func withSecrets(history []preflight.Message) []preflight.Message {
	out := histgen.Clone(history)
	for i := range out {
		hide(&out[i].ID, &out[i].Name)
		for _, p := range out[i].Parts {
			hideInPart(p)
		}
	}
	return out
}

func hideInPart(p preflight.Part) {
	if p == nil || reflect.ValueOf(p).IsNil() {
		return
	}
	switch p := p.(type) {
	case *preflight.Text:
		hide(&p.Text)
	case *preflight.Reasoning:
		hide(&p.Text, &p.Signature)
	case *preflight.Media:
		hide(&p.Data, &p.URL, &p.Name)
	case *preflight.ToolCall:
		hide(&p.ID, &p.Name)
		hideInJSON(&p.Input)
	case *preflight.ToolResult:
		hide(&p.CallID, &p.Name)
		hideInJSON(&p.Output)
		for _, inner := range p.Content {
			hideInPart(inner)
		}
	}
}

func hide(texts ...*string) {
	for _, text := range texts {
		if strings.TrimSpace(*text) != "" {
			*text = secret + *text
		}
	}
}

func hideInJSON(value *json.RawMessage) {
	if json.Valid(*value) {
		*value = json.RawMessage(fmt.Sprintf(`{%q:%s,"second":%q}`, secret, *value, secret))
	} else if len(*value) > 0 {
		*value = append(json.RawMessage(secret), *value...)
	}
}
