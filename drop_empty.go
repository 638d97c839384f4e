package preflight

import (
	"bytes"
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file removes empty and blank content, empty reasoning too, and gives a text to results
// without content.
//
//	user: "q"; assistant: "  "; user: "r"     becomes  user: "q"; user: "r"
//	tool: result a, an error without content  gets a text

// spareBlank caches whether the last message checked may hold blank text, so that a message with
// many blank texts is searched once.
type spareBlank struct {
	message int // index of the message plus one
	spared  bool
}

// of reports whether m, message i, may hold blank text although the profile refuses blank text
// alone.
func (s *spareBlank) of(p *Profile, i int, m *Message) bool {
	if len(p.Content.BlankBeside) == 0 {
		return false
	}
	if s.message != i+1 {
		*s = spareBlank{i + 1, acceptsBlankBeside(p, m.Role) &&
			slices.ContainsFunc(m.Parts, func(part Part) bool { return allowsBlank(p, part) })}
	}
	return s.spared
}

// dropEmptyFixer removes empty and blank text parts, and messages without content. See
// Fixers.DropEmpty.
var dropEmptyFixer = Fixer{
	Name:   "drop-empty",
	group:  "content",
	repair: dropEmpty,
	tidy:   (*draft).dropTouchedBlanks,
	cures: problemset.Of(
		problems.EmptyText, problems.BlankText, problems.CacheEmptyText, problems.EmptyMessage,
		problems.SystemContent, problems.ErrorEmpty, problems.ResultEmpty,
	),
	checks: []checks{
		{
			bare: (*checker).emptyMessage, text: (*checker).text, result: (*checker).resultContent,
			inside: (*checker).textInResult,
		},
		{
			on:      func(p *Profile) bool { return len(p.Content.NeedsText) > 0 },
			message: (*checker).textless,
		},
	},
}

func dropEmpty(d *draft) {
	var blank spareBlank
	var gaps gaps
	for i := range d.nodes {
		d.dropEmptyParts(i, &blank)
		if len(d.nodes[i].Parts) == 0 && (gaps.gap(d.profile, d, i) ||
			refusesEmpty(d.profile, &d.nodes[i].Message)) &&
			maySayElsewhere(d.profile, &d.nodes[i].Message) == "" {
			d.dropMessage(i, d.noteEmpty(i))
		}
	}
	d.commit()
}

// dropEmptyParts removes the empty text of node i, and gives its results the content they need.
func (d *draft) dropEmptyParts(i int, blank *spareBlank) {
	for j, p := range d.nodes[i].Parts {
		switch p := p.(type) {
		case *Text:
			problem, refused := textRefusal(d.profile, p)
			if refused && !(problem == problems.BlankText && blank.of(d.profile, i, d.at(i))) {
				if p.Cache != nil {
					problem = problems.CacheEmptyText
				}
				d.drop(i, j, note{
					code: codes.EmptyRemoved, problem: problem,
					detail: "removed an empty text part",
				})
			}
		case *ToolResult:
			if !p.ProviderExecuted {
				d.fillResult(i, j, p)
			}
		}
	}
	if lacksText(d.profile, d, i) {
		d.dropTextless(i)
	}
}

// refusesEmpty reports whether the provider refuses m if it has no content. Where each tool result
// is a message of its own, a message of the tool role without a result has no form in the request.
func refusesEmpty(p *Profile, m *Message) bool {
	role := roleOf(m)
	return p.Content.RefuseEmptyMessage || p.Pairing.OneResultPerMessage && role == RoleTool
}

// gaps finds messages without parts between tool calls and their results. The messages are asked
// about in order, so that each is looked at once or twice.
type gaps struct {
	read int // the messages before this index are counted
	open int // calls of the last turn, less the results after it
	next int // index of the next message with parts
}

// gap reports whether message i, which has no parts, separates a call from its result. Where each
// result is a message of its own, any other message between the two does.
func (g *gaps) gap(p *Profile, v view, i int) bool {
	if !p.Pairing.OneResultPerMessage || p.Pairing.Results == provider.ResultsAnywhere {
		return false
	}
	for ; g.read < i; g.read++ {
		g.count(v.at(g.read))
	}
	for g.next = max(g.next, i); g.next < v.len() && len(v.at(g.next).Parts) == 0; {
		g.next++
	}
	return g.open > 0 && g.next < v.len() && holdsResult(v.at(g.next))
}

// count takes one message into account.
func (g *gaps) count(m *Message) {
	if len(m.Parts) == 0 {
		return
	}
	if roleOf(m) == RoleAssistant {
		g.open = 0
	}
	for _, part := range m.Parts {
		switch c, ok := part.(*ToolCall); {
		case ok && c != nil && !c.ProviderExecuted:
			g.open++
		case isClientResult(part):
			g.open--
		case roleOf(m) != RoleAssistant:
			g.open = 0
		}
	}
}

// fillResult removes refused text from a result, and adds a text to a result that needs one.
func (d *draft) fillResult(i, j int, r *ToolResult) {
	emptied := func(p Part) bool {
		t, ok := p.(*Text)
		if !ok {
			return false
		}
		_, refused := textRefusal(d.profile, t)
		return refused
	}
	if slices.ContainsFunc(r.Content, emptied) {
		less := edited(r, func(x *ToolResult) {
			x.Content = slices.DeleteFunc(slices.Clone(x.Content), emptied)
		})
		d.replace(i, j, less, note{
			code: codes.EmptyRemoved, problem: problems.EmptyText, id: r.CallID,
			detail: "removed an empty text part from a tool result",
		})
		r = less
	}
	if problem, detail := resultContentProblem(d.profile, r); problem != "" {
		text := ""
		switch {
		case problem == problems.ErrorEmpty:
			text = emptyErrorText
		case roleNeedsText(d.profile, RoleTool), d.profile.Content.RefuseEmptyText:
			text = emptyResultText
		}
		d.replace(i, j, edited(r, func(x *ToolResult) { x.Content = []Part{&Text{Text: text}} }),
			note{code: codes.ResultFilled, problem: problem, id: r.CallID, detail: detail})
	}
}

// resultContentProblem returns the problem of a result that lacks the content it needs, with the
// detail of the warning, or "".
func resultContentProblem(p *Profile, r *ToolResult) (problems.Problem, string) {
	if resultLacksText(p, r) {
		return problems.ResultEmpty, "filled an empty tool result with placeholder text"
	}
	if len(r.Content) > 0 || hasOutput(r) {
		return "", ""
	}
	switch {
	case r.IsError && p.Content.ErrorNeedsText:
		return problems.ErrorEmpty, "gave an error result without content a text"
	case p.Content.ResultNeedsText:
		return problems.ResultEmpty, "gave a result without content an empty text"
	}
	return "", ""
}

// lacksText reports whether message i holds only empty text and empty reasoning, in a role for
// which the profile needs text, and is not the empty beginning of the answer. Tool results do not
// count where they become messages of their own: what is left is then a user message.
func lacksText(p *Profile, v view, i int) bool {
	if len(p.Content.NeedsText) == 0 {
		return false
	}
	m := v.at(i)
	role, left := m.Role, 0
	for _, part := range m.Parts {
		if clientResult(part) != nil && p.Pairing.ResultRole == RoleTool {
			role = RoleUser
			continue
		}
		left++
		_, reasoning := part.(*Reasoning)
		if !isEmpty(p, part) ||
			reasoning && p.Items.Held && m.ID != "" { // the provider holds its text
			return false
		}
	}
	begins := i == v.len()-1 && !p.Prefill.Refused && beginsAnswer(p, m)
	return left > 0 && roleNeedsText(p, role) && !begins
}

// isEmpty reports whether a part is empty text, or reasoning without text, payload, and a signature
// that the provider reads.
func isEmpty(p *Profile, part Part) bool {
	switch part := part.(type) {
	case *Text:
		return part != nil && part.isEmpty()
	case *Reasoning:
		return part != nil && part.isEmpty() && part.Opaque == "" &&
			(part.Signature == "" || p.Reasoning.SignatureAlphabet == provider.AnyChars)
	}
	return false
}

// resultLacksText reports whether a tool result holds only empty text and the profile needs some.
func resultLacksText(p *Profile, r *ToolResult) bool {
	if hasOutput(r) || r.ProviderExecuted || !roleNeedsText(p, RoleTool) {
		return false
	}
	for _, part := range r.Content {
		if !isEmpty(p, part) {
			return false
		}
	}
	return true
}

// hasOutput reports whether a result has an output. White space is no JSON.
func hasOutput(r *ToolResult) bool { return len(bytes.TrimSpace(r.Output)) > 0 }

func roleNeedsText(p *Profile, r Role) bool {
	if len(p.Content.NeedsText) == 0 {
		return false
	}
	neutral, _ := r.Neutral()
	return slices.Contains(p.Content.NeedsText, neutral)
}

// dropTextless drops the empty text and reasoning of a message that holds nothing else but tool
// results, and with them the message if it has none.
func (d *draft) dropTextless(i int) {
	n := d.noteEmpty(i)
	for j, part := range d.nodes[i].Parts {
		if clientResult(part) == nil {
			d.drop(i, j, n)
		}
	}
}

// noteEmpty returns the note of removing message i, which is empty, or says something only where
// the provider does not look.
func (d *draft) noteEmpty(i int) note {
	n := note{
		code: codes.MessageRemoved, problem: emptyProblem(d.role(i)),
		detail: "removed an empty message",
	}
	if saysElsewhere(d.profile, &d.nodes[i].Message) {
		n.code = codes.FieldRemoved
		n.detail = "removed an empty message with a field in which another format has content"
	}
	return n
}

// emptyProblem returns the problem of an empty message of this role.
func emptyProblem(role Role) problems.Problem {
	if role == RoleSystem {
		return problems.SystemContent
	}
	return problems.EmptyMessage
}

// emptyMessage checks that a message without parts may be empty.
func (c *checker) emptyMessage(i int, m *Message) {
	detail := "the message has no content"
	if c.gaps.gap(c.profile, c, i) {
		detail += ", and is between a tool call and its result"
	} else if !refusesEmpty(c.profile, m) {
		return
	}
	c.reportUnless(maySayElsewhere(c.profile, m), emptyProblem(c.role(i)), i, none, "", detail)
}

// textless checks that a message holds more than empty text.
func (c *checker) textless(i int, _ *Message) {
	if lacksText(c.profile, c, i) {
		c.report(emptyProblem(c.role(i)), i, none, "", "the message holds nothing but empty text")
	}
}

const emptyTextDetail = "the text is empty or blank"

// text checks that a text is not empty or blank where the provider refuses that.
func (c *checker) text(i, j int, part Part) {
	t := part.(*Text)
	problem, refused := textRefusal(c.profile, t)
	if !refused || problem == problems.BlankText && c.blank.of(c.profile, i, c.at(i)) {
		return
	}
	c.report(problem, i, j, "", emptyTextDetail)
	if t.Cache != nil {
		c.report(problems.CacheEmptyText, i, j, "", "empty text carries a cache breakpoint")
	}
}

// textInResult checks a text in a tool result.
func (c *checker) textInResult(i, j, k int, r *ToolResult, part Part) {
	t, ok := part.(*Text)
	if !ok {
		return
	}
	if problem, refused := textRefusal(c.profile, t); refused {
		c.reportAt(problem, At(i, j, k), r.CallID, emptyTextDetail)
	}
}

// resultContent checks that a result has the content that the provider wants.
func (c *checker) resultContent(i, j int, part Part) {
	r := clientResult(part)
	if r == nil {
		return
	}
	if problem, _ := resultContentProblem(c.profile, r); problem != "" {
		c.report(problem, i, j, r.CallID, "the tool result has no content")
	}
}

// dropEmptyReasoningFixer removes reasoning without text, signature, opaque payload and metadata,
// where some decoders keep signatures. It is for histories that are stored (stored.Persist).
var dropEmptyReasoningFixer = Fixer{
	Name:   "drop-empty-reasoning",
	repair: dropEmptyReasoning,
	always: true,
}

func dropEmptyReasoning(d *draft) {
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			r, ok := p.(*Reasoning)
			if ok && r.isBlank() && !r.Signed() && !holdsMeta(r.Meta) {
				d.drop(i, j, note{
					code: codes.EmptyRemoved, problem: problems.ReasoningEmpty,
					detail: "removed empty reasoning",
				})
			}
		}
	}
	d.commit()
}

// holdsMeta reports whether an entry of metadata holds more than null or an empty object.
func holdsMeta(meta Metadata) bool {
	for _, raw := range meta {
		doc, err := jsonscan.Parse(raw)
		if err != nil {
			return len(raw) > 0
		}
		v := doc.Root()
		if v.Kind() != jsonscan.Null && (v.Kind() != jsonscan.Object || v.Len() > 0) {
			return true
		}
	}
	return false
}
