package preflight

import (
	"slices"
	"strings"
)

// This file turns into text what a model has no form for: tool exchanges where it knows no tools, media that it does
// not take.

// FlattenTools turns tool calls and their results into text, the assistant's and the user's, where the model knows no tools
// at all.
var FlattenTools = Fixer{
	Name:   "flatten-tools",
	Doc:    "turns tool calls and results into text where the model knows no tools",
	repair: flattenTools,
}

// DescribeMedia puts a line of text in the place of media that the model does not take: of any kind where it reads text only, of
// a kind it does not know, or by an address where it wants the data.
var DescribeMedia = Fixer{
	Name:   "describe-media",
	Doc:    "puts a line of text in the place of media that the model does not take",
	repair: describeMedia,
}

func flattenTools(d *draft) {
	if !d.profile.NoTools {
		return
	}
	for i := range d.nodes {
		results := false
		for j, p := range d.nodes[i].Parts {
			if c := clientCall(p); c != nil {
				text := &Text{Carried: Carried{Meta: c.Meta}, Text: "Called the tool " + or(c.Name, unknownToolName) + " with " + or(string(c.Input), "{}")}
				d.replace(i, j, text, note{code: CodePartToText, problem: ProblemToolsRefused, id: c.ID, detail: "turned a tool call into text"})
			}
			results = results || clientResult(p) != nil
		}
		if results {
			d.flattenResults(i)
		}
	}
	d.commit()
}

// flattenResults puts a user message with the text and media of node i's results in its place.
func (d *draft) flattenResults(i int) {
	var parts []Part
	var from []origin
	for j, p := range d.nodes[i].Parts {
		flat := []Part{p}
		if r := clientResult(p); r != nil {
			if flat = resultAsText(r, "Result of an earlier tool call:"); flat == nil {
				flat = []Part{&Text{Text: emptyResultText}}
			}
			if t, ok := flat[0].(*Text); ok {
				t.Meta = r.Meta
			}
			d.warn(d.position(i, j), note{code: CodePartToText, problem: ProblemToolsRefused, id: r.CallID, detail: "turned a tool result into text"},
				tallyPart(r), TallyOf(Message{Parts: flat}))
		}
		for _, f := range flat {
			parts, from = append(parts, f), append(from, d.origin(i, j))
		}
	}
	d.insertBefore(i, made(RoleUser, parts, from))
	d.kill(i)
}

func describeMedia(d *draft) {
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			if m, ok := p.(*Media); ok && (d.profile.refusesMedia(m) || d.profile.refusesFile(m)) {
				d.replace(i, j, &Text{Carried: Carried{Meta: m.Meta, Cache: m.Cache}, Text: describe(m)}, note{code: CodePartToText, problem: ProblemMediaRefused, detail: "described media that the model does not take"})
			} else if r := clientResult(p); r != nil && slices.ContainsFunc(r.Content, d.profile.refusesPart) {
				d.replace(i, j, d.profile.describedResult(r), note{code: CodePartToText, problem: ProblemMediaRefused, id: r.CallID, detail: "described media in a tool result that the model does not take"})
			}
		}
	}
}

// refusesMedia reports whether the provider takes no media of this kind, or none by its address. Media without a kind is not
// judged.
func (p *Profile) refusesMedia(m *Media) bool {
	switch {
	case p.TextOnly:
		return true
	case len(p.MediaKinds) > 0 && m.Kind != "" && !slices.Contains(p.MediaKinds, m.Kind):
		return true
	}
	return p.NoMediaURLs && m.Data == "" && m.URL != "" && !strings.HasPrefix(m.URL, "data:")
}

// refusesFile reports whether a message may not hold media because it is a file of which there is no data here.
func (p *Profile) refusesFile(m *Media) bool {
	return p.NoMediaFiles && m.FileID != "" && m.Data == "" && m.URL == ""
}

func (p *Profile) refusesPart(part Part) bool {
	m, ok := part.(*Media)
	return ok && m != nil && p.refusesMedia(m)
}

func (p *Profile) describedResult(r *ToolResult) *ToolResult {
	content := slices.Clone(r.Content)
	for k, c := range content {
		if p.refusesPart(c) {
			content[k] = &Text{Text: describe(c.(*Media))}
		}
	}
	return edited(r, func(r *ToolResult) { r.Content = content })
}
