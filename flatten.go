package preflight

// This file turns into text what a model has no form for: tool exchanges where it knows no tools, media where it reads
// nothing but text.

// FlattenTools turns tool calls and their results into text, the assistant's and the user's, where the model knows no tools
// at all.
var FlattenTools = Fixer{
	Name:   "flatten-tools",
	Doc:    "turns tool calls and results into text where the model knows no tools",
	repair: flattenTools,
}

// DescribeMedia puts a line of text in the place of media, where the model reads text only.
var DescribeMedia = Fixer{
	Name:   "describe-media",
	Doc:    "puts a line of text in the place of media where the model reads text only",
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
			if flat = orphanText(r); flat == nil {
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
	if !d.profile.TextOnly {
		return
	}
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			switch p := p.(type) {
			case *Media:
				d.replace(i, j, &Text{Text: describe(p)}, note{code: CodePartToText, problem: ProblemMediaRefused, detail: "described media, since the model reads text only"})
			case *ToolResult:
				if holdsMedia(p) {
					d.replace(i, j, describedResult(p), note{code: CodePartToText, problem: ProblemMediaRefused, id: p.CallID, detail: "described media in a tool result, since the model reads text only"})
				}
			}
		}
	}
}

func holdsMedia(r *ToolResult) bool {
	for _, c := range r.Content {
		if _, ok := c.(*Media); ok {
			return true
		}
	}
	return false
}

func describedResult(r *ToolResult) *ToolResult {
	content := make([]Part, len(r.Content))
	for k, c := range r.Content {
		content[k] = c
		if m, ok := c.(*Media); ok {
			content[k] = &Text{Text: describe(m)}
		}
	}
	return edited(r, func(r *ToolResult) { r.Content = content })
}
