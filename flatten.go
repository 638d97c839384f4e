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
// a kind it does not know, by an address where it wants the data, or with data that cannot be read.
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
			if m, ok := p.(*Media); ok {
				problem := d.profile.untaken(m)
				if d.profile.refusesFile(m) {
					problem = ProblemMediaRefused
				}
				if problem == "" {
					continue
				}
				d.replace(i, j,
					&Text{Carried: Carried{Meta: m.Meta, Cache: m.Cache}, Text: describeUntaken(m, problem)},
					note{code: CodePartToText, problem: problem, detail: "described " + untakenMedia(problem)})
			} else if r := clientResult(p); r != nil {
				d.describeInResult(i, j, r)
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

// untaken says why media can only be described: the provider refuses it, or cannot read it. It is
// empty for media that can be sent.
func (p *Profile) untaken(m *Media) Problem {
	switch {
	case p.refusesMedia(m):
		return ProblemMediaRefused
	case p.ReadableMedia && unreadable(m):
		return ProblemMediaUnreadable
	}
	return ""
}

// describeInResult describes the media in a tool result that can only be described. The warning
// names the first problem.
func (d *draft) describeInResult(i, j int, r *ToolResult) {
	var content []Part
	var first Problem
	for k, c := range r.Content {
		m, ok := c.(*Media)
		if !ok || m == nil {
			continue
		}
		problem := d.profile.untaken(m)
		if problem == "" {
			continue
		}
		if content == nil {
			content, first = slices.Clone(r.Content), problem
		}
		content[k] = &Text{Text: describeUntaken(m, problem)}
	}
	if content != nil {
		d.replace(i, j, edited(r, func(r *ToolResult) { r.Content = content }),
			note{code: CodePartToText, problem: first, id: r.CallID,
				detail: "described, in a tool result, " + untakenMedia(first)})
	}
}

// describeUntaken is the line of text for media that cannot be sent.
func describeUntaken(m *Media, problem Problem) string {
	if problem != ProblemMediaUnreadable {
		return describe(m)
	}
	name := or(m.Kind, "media")
	if m.Name != "" {
		name += " " + m.Name
	}
	return "[" + name + " omitted: its data cannot be read]"
}

func untakenMedia(problem Problem) string {
	if problem == ProblemMediaUnreadable {
		return "media whose data cannot be read"
	}
	return "media that the model does not take"
}
