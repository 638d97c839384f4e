package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/channels"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/internal/validtext"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file repairs texts: invalid Unicode, control characters, and the channel tags of gpt-oss.
//
//	"a\x00b"             becomes  "ab"
//	"half emoji \ud83d"  becomes  "half emoji \ufffd"

// characters checks that the text of a part is valid Unicode without NUL, and the arguments of a
// call.
func (c *checker) characters(i, j int, part Part) {
	problem, fault := problems.Problem(""), ""
	switch part := part.(type) {
	case *Text:
		problem = part.problem()
	case *ToolCall:
		problem, fault = c.spelling(part)
	default:
		problem = unicodeProblem(part)
	}
	if problem != "" {
		c.report(problem, i, j, partID(part),
			"the text holds NUL, a lone surrogate or invalid UTF-8")
	}
	if fault != "" {
		c.report(problems.Arguments, i, j, partID(part), fault)
	}
}

// spelling returns the unicodeProblem of a call and, where the profile wants arguments to be
// objects, what is wrong with its own. One scan finds both.
func (c *checker) spelling(call *ToolCall) (problem problems.Problem, fault string) {
	if !c.profile.Tools.ObjectArguments || !takesObject(call) {
		return unicodeProblem(call), ""
	}
	kind, flags, err := c.doc.Inspect(call.Input)
	if err != nil {
		return rawProblem(call.Input), argumentsFault(jsonscan.Absent, 0)
	}
	return faultProblems[validtext.OfFlags(flags)], argumentsFault(kind, flags)
}

// repairUnicodeFixer replaces lone surrogates and invalid UTF-8 by U+FFFD and removes U+0000, in
// texts, arguments and outputs. Signed reasoning is removed instead, since its signature does not
// match an edited text.
var repairUnicodeFixer = Fixer{
	Name:   "repair-unicode",
	group:  "text",
	repair: repairUnicode,
	cures:  problemset.Of(problems.InvalidUnicode, problems.NUL),
	single: true,
	first:  true,
	checks: []checks{{part: (*checker).characters}},
}

func repairUnicode(d *draft) {
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			problem := unicodeProblem(p)
			if problem == "" {
				continue
			}
			n := note{
				code: codes.TextRepaired, problem: problem,
				detail: "replaced characters that are not valid Unicode, or removed NUL",
			}
			if signed(p) {
				n.code, n.detail = codes.ReasoningRemoved,
					"removed signed reasoning with characters no provider accepts"
				d.drop(i, j, n)
				continue
			}
			d.replace(i, j, cleanPart(p), n)
		}
	}
	d.commit()
}

// unicodeProblem returns what is wrong with the text of a part, "" when nothing is.
func unicodeProblem(p Part) problems.Problem {
	switch p := p.(type) {
	case *Text:
		return p.problem()
	case *Reasoning:
		if problem := p.problem(); problem != "" {
			return problem
		}
		return textProblem(p.Opaque)
	case *ToolCall:
		return rawProblem(p.Input)
	case *ToolResult:
		for _, c := range p.Content {
			if problem := unicodeProblem(c); problem != "" {
				return problem
			}
		}
		return rawProblem(p.Output)
	case *Media:
		return textProblem(p.Name)
	}
	return ""
}

func textProblem(s string) problems.Problem { return faultProblems[validtext.Check(s)] }

// rawProblem returns the unicodeProblem of raw JSON, including its escapes.
func rawProblem(raw []byte) problems.Problem { return faultProblems[validtext.CheckJSON(raw)] }

var faultProblems = [...]problems.Problem{
	validtext.None: "", validtext.NUL: problems.NUL, validtext.Invalid: problems.InvalidUnicode,
}

func cleanPart(p Part) Part {
	switch p := p.(type) {
	case *Text:
		return edited(p, func(t *Text) { t.Text = validtext.Clean(t.whole()) })
	case *Reasoning:
		return edited(p, func(r *Reasoning) { r.Text = validtext.Clean(r.whole()) })
	case *ToolCall:
		return edited(p, func(c *ToolCall) { c.Input = validtext.CleanJSON(c.Input) })
	case *ToolResult:
		cleaned := withContent(p, func(c Part) Part {
			if unicodeProblem(c) != "" {
				return cleanPart(c)
			}
			return c
		})
		return edited(cleaned, func(r *ToolResult) { r.Output = validtext.CleanJSON(r.Output) })
	case *Media:
		return edited(p, func(m *Media) { m.Name = validtext.Clean(m.Name) })
	}
	return p
}

// stripControlsFixer removes control characters other than tab and line ends from texts, where the
// profile refuses them. Signed reasoning is never edited.
var stripControlsFixer = Fixer{
	Name:   "strip-controls",
	group:  "text",
	repair: stripControls,
	cures:  problemset.Of(problems.Control),
	first:  true,
	checks: []checks{{
		on:   func(p *Profile) bool { return p.Content.RefuseControls },
		part: (*checker).controls,
	}},
}

func stripControls(d *draft) {
	if !d.profile.Content.RefuseControls {
		return
	}
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			if holdsControl(p) {
				d.replace(i, j, withoutControls(p), note{
					code: codes.TextRepaired, problem: problems.Control, id: partID(p),
					detail: "removed control characters",
				})
			}
		}
	}
}

// holdsControl reports whether a part holds a control character in a text that may be edited.
func holdsControl(p Part) bool {
	switch p := p.(type) {
	case *Text:
		return p.holdsControls()
	case *Reasoning:
		return !p.Signed() && p.holdsControls()
	case *ToolResult:
		for _, c := range p.Content {
			if t, ok := c.(*Text); ok && holdsControl(t) {
				return true
			}
		}
	}
	return false
}

func withoutControls(p Part) Part {
	switch p := p.(type) {
	case *Text:
		return edited(p, func(t *Text) { t.Text = validtext.WithoutControls(t.whole()) })
	case *Reasoning:
		return edited(p, func(r *Reasoning) { r.Text = validtext.WithoutControls(r.whole()) })
	case *ToolResult:
		return withContent(p, func(c Part) Part {
			if holdsControl(c) {
				return withoutControls(c)
			}
			return c
		})
	}
	return p
}

// controls checks that a text holds no control characters.
func (c *checker) controls(i, j int, part Part) {
	if holdsControl(part) {
		c.report(problems.Control, i, j, partID(part), "the text holds control characters")
	}
}

// splitChannelsFixer turns text with channel tags into reasoning, which is what is in the channel
// for analysis, and text.
var splitChannelsFixer = Fixer{
	Name:   "split-channels",
	group:  "end",
	repair: splitChannels,
	cures:  problemset.Of(problems.ChannelTags),
	checks: []checks{{
		on:   func(p *Profile) bool { return p.Content.RefuseChannelTags },
		part: (*checker).channels,
	}},
}

func splitChannels(d *draft) {
	if !d.profile.Content.RefuseChannelTags {
		return
	}
	for i := range d.nodes {
		if d.role(i) == RoleAssistant && slices.ContainsFunc(d.nodes[i].Parts, holdsChannels) {
			d.splitChannels(i)
		}
	}
}

// splitChannels replaces each text with channel tags in node i by its pieces. The pieces of text
// have the fields of the text.
func (d *draft) splitChannels(i int) {
	var parts []Part
	var from []origin
	for j, p := range d.nodes[i].Parts {
		if !holdsChannels(p) {
			parts, from = append(parts, p), append(from, d.origin(i, j))
			continue
		}
		t := p.(*Text)
		pieces := channels.Split(t.whole())
		if pieces == nil {
			pieces = make([]channels.Piece, 1) // drop-empty removes the empty text
		}
		var added Tally
		for _, piece := range pieces {
			var now Part = &Reasoning{Text: piece.Text}
			if !piece.Analysis {
				now = edited(t, func(x *Text) { x.Text = piece.Text })
			}
			parts, from = append(parts, now), append(from, d.origin(i, j))
			added = added.Plus(tallyPart(now))
		}
		d.warn(d.position(i, j), note{
			code: codes.PartChanged, problem: problems.ChannelTags,
			detail: "split channel-tagged text into reasoning and text",
		}, tallyPart(t), added)
	}
	d.ownParts(i)
	d.setParts(i, parts, from)
}

// holdsChannels reports whether a part is text with channel tags.
func holdsChannels(p Part) bool {
	t, ok := p.(*Text)
	return ok && t.holdsChannels()
}

// channels checks that a text of the assistant has no channel tags.
func (c *checker) channels(i, j int, part Part) {
	if c.role(i) == RoleAssistant && holdsChannels(part) {
		c.report(problems.ChannelTags, i, j, "",
			"the text has channel tags, which the template refuses")
	}
}
