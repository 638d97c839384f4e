package preflight_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// This file holds histories of items to the guarantees: one part per message, ids that depend on
// each other, and results anywhere after their calls.

// item is a message of one part with an id.
func item(role preflight.Role, id string, p preflight.Part) preflight.Message {
	return preflight.Message{Role: role, ID: id, Parts: []preflight.Part{p}}
}

func saidItem(role preflight.Role, id, text string) preflight.Message {
	return item(role, id, &preflight.Text{Text: text})
}

func thoughtItem(id, payload string) preflight.Message {
	return item(preflight.RoleAssistant, id, &preflight.Reasoning{Opaque: payload})
}

func calledItem(id, call, variant string) preflight.Message {
	return item(preflight.RoleAssistant, id,
		&preflight.ToolCall{ID: call, Name: "f", Input: json.RawMessage(`{}`), Variant: variant})
}

func answeredItem(call, variant, text string) preflight.Message {
	return item(preflight.RoleTool, "", &preflight.ToolResult{
		CallID: call, Variant: variant,
		Content: []preflight.Part{says(text)},
	})
}

func reference() preflight.Message {
	return item(preflight.RoleAssistant, "", &preflight.Other{Kind: "item_reference"})
}

// outlineItems is a history of items in one line.
func outlineItems(h []preflight.Message) string {
	var b strings.Builder
	for i, m := range h {
		if i > 0 {
			b.WriteString(" | ")
		}
		if m.ID != "" {
			b.WriteString(m.ID + ":")
		}
		for j, p := range m.Parts {
			if j > 0 {
				b.WriteString("+")
			}
			switch p := p.(type) {
			case *preflight.Text:
				fmt.Fprintf(&b, "%s %s", m.Role, p.Text)
			case *preflight.Reasoning:
				b.WriteString("reasoning " + p.Opaque)
			case *preflight.ToolCall:
				b.WriteString("call " + p.ID + p.Variant)
			case *preflight.ToolResult:
				b.WriteString("result " + p.CallID + p.Variant)
				for _, c := range p.Content {
					if t, ok := c.(*preflight.Text); ok && t.Text != "" {
						b.WriteString("=" + t.Text)
					}
				}
			default:
				b.WriteString("other")
			}
		}
	}
	return b.String()
}

// items draws histories of items: sound ones for the most part, with everything mixed in that
// breaks them.
func items(valid bool) *rapid.Generator[[]preflight.Message] {
	return rapid.Custom(func(t *rapid.T) []preflight.Message {
		m := itemMaker{t: t}
		for range rapid.IntRange(0, 4).Draw(t, "turns") {
			m.turn()
		}
		m.add(preflight.RoleUser, "", &preflight.Text{Carried: m.tag("u"), Text: "and now?"})
		if !valid {
			m.spoil()
		}
		return m.h
	})
}

type itemMaker struct {
	t    *rapid.T
	h    []preflight.Message
	tags int
	ids  int
}

func (m *itemMaker) tag(kind string) preflight.Carried {
	m.tags++
	return preflight.Carried{
		Meta: preflight.Metadata{
			histgen.TagKey: json.RawMessage(strconv.Quote(kind + strconv.Itoa(m.tags))),
		},
	}
}

func (m *itemMaker) add(role preflight.Role, id string, p preflight.Part) {
	m.h = append(m.h, item(role, id, p))
}

func (m *itemMaker) one(n int, label string) bool {
	return rapid.IntRange(0, n-1).Draw(m.t, label) == 0
}

func (m *itemMaker) id(prefix string, named bool) string {
	if !named {
		return ""
	}
	m.ids++
	return fmt.Sprintf("%s_%d", prefix, m.ids)
}

// turn adds a user's message and the model's items: reasoning, calls, results, text.
func (m *itemMaker) turn() {
	m.add(preflight.RoleUser, "", &preflight.Text{Carried: m.tag("u"), Text: "q"})
	for range rapid.IntRange(0, 3).Draw(m.t, "rounds") {
		named := m.one(2, "ids")
		m.add(preflight.RoleAssistant, m.id("rs", named), &preflight.Reasoning{
			Carried: m.tag("r"),
			Opaque: map[bool]string{
				true:  rapid.SampledFrom([]string{"", "e"}).Draw(m.t, "payload"),
				false: "e",
			}[named],
		})
		var results []preflight.Message
		for range rapid.IntRange(0, 3).Draw(m.t, "calls") {
			call := fmt.Sprintf("call_%d", rapid.IntRange(1, 4).Draw(m.t, "call id"))
			variant := rapid.SampledFrom([]string{"", "", "custom", "local_shell_call"}).Draw(m.t,
				"variant")
			prefix := map[string]string{"": "fc", "custom": "ctc"}[variant]
			if prefix == "" {
				prefix = "lsh"
			}
			c := &preflight.ToolCall{
				Carried: m.tag("c"),
				ID:      call,
				Name:    "f",
				Input:   json.RawMessage(`{}`),
				Variant: variant,
			}
			m.add(preflight.RoleAssistant, m.id(prefix, named), c)
			tag := m.tag("y")
			results = append(results,
				item(preflight.RoleTool, "", &preflight.ToolResult{
					Carried: tag, CallID: call, Variant: variant,
					Content: []preflight.Part{says(string(tag.Meta[histgen.TagKey]))},
				}))
		}
		if len(results) == 0 {
			m.add(preflight.RoleAssistant, m.id("msg", named),
				&preflight.Text{Carried: m.tag("a"), Text: "a"})
		}
		m.h = append(m.h, rapid.Permutation(results).Draw(m.t, "order")...)
	}
}

// spoil drops, doubles, moves and respells items.
func (m *itemMaker) spoil() {
	for range rapid.IntRange(1, 6).Draw(m.t, "harm") {
		if len(m.h) == 0 {
			return
		}
		k := rapid.IntRange(0, len(m.h)-1).Draw(m.t, "which")
		switch rapid.IntRange(0, 8).Draw(m.t, "how") {
		case 0, 1:
			m.h = slices.Delete(m.h, k, k+1)
		case 2:
			m.h = slices.Insert(m.h, k, m.h[rapid.IntRange(0, len(m.h)-1).Draw(m.t, "copied")])
		case 3:
			x := m.h[k]
			m.h = slices.Delete(m.h, k, k+1)
			m.h = slices.Insert(m.h, rapid.IntRange(0, len(m.h)).Draw(m.t, "to"), x)
		case 4:
			m.h[k].ID = rapid.SampledFrom([]string{
				"", "msg_1", "fc_2", "rs_3", "x:y", strings.Repeat("m", 70),
			}).
				Draw(m.t, "id")
		case 5:
			m.h = slices.Insert(m.h, k, reference())
			m.h[k].Parts = []preflight.Part{
				&preflight.Other{
					Carried: m.tag("o"),
					Kind: rapid.SampledFrom([]string{"item_reference", "web_search_call"}).Draw(
						m.t, "kind"),
				},
			}
		case 6:
			m.h = m.h[:k]
		case 7:
			if k+1 < len(m.h) && m.h[k].Role == m.h[k+1].Role {
				m.h[k].Parts = append(slices.Clone(m.h[k].Parts), m.h[k+1].Parts...)
				m.h = slices.Delete(m.h, k+1, k+2)
			}
		case 8:
			if r, ok := m.h[k].Parts[0].(*preflight.ToolResult); ok {
				c := *r
				c.CallID = rapid.SampledFrom([]string{
					"",
					" " + r.CallID,
					strings.ToUpper(r.CallID),
					r.CallID + "|fc_1",
					strings.Repeat("l", 65),
				}).
					Draw(m.t, "call id")
				m.h[k].Parts = []preflight.Part{&c}
			}
		}
	}
}

// judgeItems is a second reading of the rules about items, with lists and nested loops.
func judgeItems(h []preflight.Message, p *preflight.Profile) string {
	seen := map[string]bool{}
	for i, m := range h {
		if len(m.Parts) != 1 {
			for _, part := range m.Parts {
				switch part.(type) {
				case *preflight.Reasoning, *preflight.ToolCall, *preflight.ToolResult:
					return fmt.Sprintf("items[%d] holds more than one part", i)
				}
			}
		}
		if m.ID != "" &&
			(seen[m.ID] || len(m.ID) > 64 ||
				strings.Trim(m.ID, "abcdefghijklmnopqrstuvwxyz_0123456789") != "") {
			return fmt.Sprintf("items[%d]: id %q", i, m.ID)
		}
		seen[m.ID] = true
		if r, ok := m.Parts[0].(*preflight.Reasoning); ok {
			next := i + 1
			for next < len(h) && isReasoning(h[next]) {
				next++
			}
			switch {
			case r.Opaque == "" && (m.ID == "" || !p.Items.Held):
				return fmt.Sprintf("items[%d]: reasoning that nobody has", i)
			case !p.Items.Held || m.ID == "": // nothing is compared with what the provider holds
			case next == len(h) || h[next].Role != preflight.RoleAssistant:
				if r.Opaque == "" || next == len(h) {
					return fmt.Sprintf("items[%d]: reasoning that led to nothing", i)
				}
			case h[next].ID == "" && !isOther(h[next]):
				return fmt.Sprintf("items[%d]: what reasoning led to has no id", i)
			}
		}
	}
	return judgeItemPairs(h)
}

func isReasoning(m preflight.Message) bool { _, ok := m.Parts[0].(*preflight.Reasoning); return ok }

func isOther(m preflight.Message) bool { _, ok := m.Parts[0].(*preflight.Other); return ok }

func judgeItemPairs(h []preflight.Message) string {
	var open []*preflight.ToolCall
	referred := false
	for i, m := range h {
		for _, part := range m.Parts {
			switch x := part.(type) {
			case *preflight.Other:
				referred = referred || x.Kind == "item_reference"
			case *preflight.ToolCall:
				open = append(open, x)
			case *preflight.ToolResult:
				k := slices.IndexFunc(open, func(c *preflight.ToolCall) bool {
					return c.ID == x.CallID && c.Variant == x.Variant
				})
				if k < 0 && !referred {
					return fmt.Sprintf("items[%d]: no call for the result of %q", i, x.CallID)
				}
				if k >= 0 {
					open = slices.Delete(open, k, k+1)
				}
			}
		}
	}
	if len(open) > 0 {
		return fmt.Sprintf("no result for the call %q", open[0].ID)
	}
	return ""
}

func itemProfiles() map[string]preflight.Profile {
	stateless := *provider.OpenAIResponses("")
	stateless.Items.Held = false
	return map[string]preflight.Profile{
		"stored":    *provider.OpenAIResponses(""),
		"stateless": stateless,
		"gpt-4o":    *provider.OpenAIResponses("gpt-4o"),
	}
}

// TestItemGuaranteesOverMessages: messages of many parts, which no Responses request is made of,
// come out right all the same. The other properties judge by rules of places that do not hold where
// a result may be anywhere; TestItemGuarantees has its own.
func TestItemGuaranteesOverMessages(t *testing.T) {
	for _, p := range properties {
		if !slices.Contains(
			[]string{"G2 idempotent", "G4 nothing silent", "G5 least loss", "G7 pure"}, p.name) {
			continue
		}
		for name, profile := range itemProfiles() {
			t.Run(p.name+" "+name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) { p.check(t, subject{profile: profile}) })
			})
		}
	}
}

func TestItemGuarantees(t *testing.T) {
	for name, profile := range itemProfiles() {
		for _, p := range []struct {
			name  string
			prove func(*rapid.T, given)
		}{
			{"G1 valid", proveItemsValid},
			{"G2 idempotent", proveIdempotent},
			{"G4 nothing silent", proveNothingSilent},
			{"G5 answers stay", proveItemAnswersStay},
			{"G6 prefix-stable", proveItemsStable},
			{"G7 pure", provePure},
		} {
			t.Run(name+" "+p.name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					profile := profile
					g := given{profile: &profile, options: &preflight.Options{}}
					g.options.Dangling = rapid.SampledFrom([]preflight.Dangling{
						preflight.DanglingRemove, preflight.DanglingAnswer,
					}).
						Draw(t, "dangling")
					g.options.Orphans = rapid.SampledFrom([]preflight.Orphans{
						preflight.OrphanRemove, preflight.OrphanText,
					}).
						Draw(t, "orphans")
					g.options.Duplicates = rapid.SampledFrom([]preflight.Duplicates{
						preflight.DuplicateFirst, preflight.DuplicateLast, preflight.DuplicateMerge,
					}).
						Draw(t, "duplicates")
					g.in = histgen.Roomy(items(false).Draw(t, "history"))
					p.prove(t, g)
				})
			})
		}
	}
	t.Run("G3 identity", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			profile := provider.OpenAIResponses("")
			h := items(true).Draw(t, "history")
			require.Empty(t, judgeItems(h, profile))
			require.Empty(t, preflight.Check(h, profile), outlineItems(h))
			res, err := preflight.Sanitize(t.Context(), h, profile, nil)
			require.NoError(t, err)
			require.False(t, res.Changed)
			require.True(t, sameArray(h, res.Messages))
			for _, f := range preflight.DefaultFixers() {
				out, warnings := f.Apply(h, profile, nil)
				require.Empty(t, warnings, "%s %s", f.Name, outlineItems(h))
				require.True(t, sameArray(h, out))
			}
		})
	})
}

// proveItemsValid: what comes out is sound by both readings, and no user's text is gone.
func proveItemsValid(t *rapid.T, g given) {
	res, err := g.sanitize(g.in)
	if err != nil {
		if len(g.in) > 0 {
			t.Fatalf("%v\n in %s", err, outlineItems(g.in))
		}
		return
	}
	if why := judgeItems(res.Messages, g.profile); why != "" ||
		len(preflight.Check(res.Messages, g.profile)) > 0 {
		t.Fatalf("%s %v\n in  %s\n out %s", why, preflight.Check(res.Messages, g.profile),
			outlineItems(g.in), outlineItems(res.Messages))
	}
	if sound := judgeItems(g.in, g.profile) == ""; !res.Changed && len(g.in) > 0 && !sound {
		t.Fatalf("%s was overlooked\n in %s", judgeItems(g.in, g.profile), outlineItems(g.in))
	}
	var want, got []string
	for _, h := range []struct {
		m   []preflight.Message
		out *[]string
	}{
		{g.in, &want},
		{res.Messages, &got},
	} {
		for _, m := range h.m {
			for _, p := range m.Parts {
				if x, ok := p.(*preflight.Text); ok && histgen.Tag(x) != "" {
					*h.out = append(*h.out, histgen.Tag(x))
				}
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("text is gone or out of order (-want +got):\n%s\n in  %s\n out %s", diff,
			outlineItems(g.in), outlineItems(res.Messages))
	}
}

// proveItemAnswersStay: a call that is surely answered keeps a result that answered it.
func proveItemAnswersStay(t *rapid.T, g given) {
	res, err := g.sanitize(g.in)
	if err != nil {
		return
	}
	answers := map[string]string{} // of what comes out, by tag
	var open []*preflight.ToolCall
	for _, p := range partsOf(res.Messages) {
		switch p := p.(type) {
		case *preflight.ToolCall:
			open = append(open, p)
		case *preflight.ToolResult:
			if k := slices.IndexFunc(open,
				func(c *preflight.ToolCall) bool { return c.ID == p.CallID }); k >= 0 {
				answers[histgen.Tag(open[k])] = histgen.Tag(p)
				open = slices.Delete(open, k, k+1)
			}
		}
	}
	for call, results := range certainItemPairs(g.in) {
		if !slices.Contains(results, answers[call]) {
			t.Fatalf("the call %s is answered by %q, although one of %v is there\n in  %s\n out %s",
				call, answers[call], results, outlineItems(g.in), outlineItems(res.Messages))
		}
	}
}

// certainItemPairs lists the calls, by tag, of which it is certain which results may answer them.
// These are calls whose id no other call has: any result of that id after it. And these are the
// calls of an id where calls and results take turns, a call first: the result right after each.
// Left out are ids that some result spells in another way, or that calls of two kinds have, and
// calls that stand there twice.
func certainItemPairs(h []preflight.Message) map[string][]string {
	type answered struct {
		calls   []*preflight.ToolCall
		results [][]string // after each call, before the next of that id
		variant string
		unclear bool
	}
	ids := map[string]*answered{}
	of := func(id string) *answered {
		plain, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(id)), "|")
		if ids[plain] == nil {
			ids[plain] = &answered{}
		}
		ids[plain].unclear = ids[plain].unclear || plain != id
		return ids[plain]
	}
	for _, p := range partsOf(h) {
		switch p := p.(type) {
		case *preflight.ToolCall:
			a := of(p.ID)
			a.unclear = a.unclear || len(a.calls) > 0 && a.variant != p.Variant
			a.calls, a.results, a.variant = append(a.calls, p), append(a.results, nil), p.Variant
		case *preflight.ToolResult:
			a := of(p.CallID)
			if len(a.calls) == 0 || p.Variant != a.variant {
				a.unclear = true
				continue
			}
			last := len(a.results) - 1
			a.results[last] = append(a.results[last], histgen.Tag(p))
		}
	}
	tags, out := tagCounts(h), map[string][]string{}
	for _, a := range ids {
		takeTurns := !slices.ContainsFunc(a.results, func(r []string) bool { return len(r) != 1 })
		for k, c := range a.calls {
			if !a.unclear && (takeTurns || len(a.calls) == 1 && len(a.results[k]) > 0) &&
				tags[histgen.Tag(c)] == 1 {
				out[histgen.Tag(c)] = a.results[k]
			}
		}
	}
	return out
}

// proveItemsStable: what comes before the last user's message does not depend on what follows,
// unless that brings results.
func proveItemsStable(t *rapid.T, g given) {
	if len(g.in) == 0 {
		return
	}
	k := rapid.IntRange(1, len(g.in)).Draw(t, "sent so far")
	for _, m := range g.in[k:] {
		for _, p := range m.Parts {
			if _, ok := p.(*preflight.ToolResult); ok {
				return
			}
		}
	}
	short, err := g.sanitize(g.in[:k:k])
	require.NoError(t, err)
	long, err := g.sanitize(g.in)
	require.NoError(t, err)
	end := len(short.Messages)
	for end > 0 && short.Messages[end-1].Role != preflight.RoleUser {
		end--
	}
	before := outlineItems(short.Messages[:max(end-1, 0)])
	if !strings.HasPrefix(outlineItems(long.Messages), before) {
		t.Fatalf("what was sent changed\n in    %s\n first %d\n short %s\n long  %s",
			outlineItems(g.in), k, outlineItems(short.Messages), outlineItems(long.Messages))
	}
}
