package preflight

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/output"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file turns tool calls and results that the provider or the model does not take into text:
// all of them, results marked as errors, and results whose encrypted payload was emptied.
//
//	assistant: call of f; tool: "ok"     becomes  assistant: "Called the tool f with {}"
//	                                     user: "Result of an earlier tool call:", "ok" in a fence
//	result a, an error                   becomes  result a: "The tool call failed:", then its text

// errorToTextFixer removes the error mark from tool results where the model does not know it, and
// states the error in their text.
var errorToTextFixer = Fixer{
	Name:   "error-to-text",
	group:  "content",
	repair: errorToText,
	cures:  problemset.Of(problems.ErrorFlag, problems.ErrorContent),
	checks: []checks{{result: (*checker).errorFlag}},
}

// errorText precedes the output of a tool that failed.
const errorText = "The tool call failed:"

func errorToText(d *draft) {
	if !d.profile.Tools.NoErrorFlag && !d.profile.Content.ErrorTextOnly {
		return
	}
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			r := clientResult(p)
			if r == nil {
				continue
			}
			detail := "stated the error in the result's text, because this model has no error flag"
			switch problem := errorProblem(d.profile, r); problem {
			case problems.ErrorContent:
				detail = "stated the error in the result's text, because a result with an error " +
					"flag may hold no media"
				fallthrough
			case problems.ErrorFlag:
				d.replace(i, j, d.options.errorAsText(r), note{
					code: codes.ErrorToText, problem: problem, id: r.CallID, detail: detail,
				})
			}
		}
	}
}

// errorProblem returns why the provider refuses the error flag of a result, "" if it does not.
func errorProblem(p *Profile, r *ToolResult) problems.Problem {
	switch {
	case !r.IsError:
		return ""
	case p.Tools.NoErrorFlag:
		return problems.ErrorFlag
	case p.Content.ErrorTextOnly && slices.ContainsFunc(r.Content, isNoText):
		return problems.ErrorContent
	}
	return ""
}

// isNoText reports whether a part is media, or of a kind other than text.
func isNoText(p Part) bool {
	_, text := p.(*Text)
	return !text && p != nil
}

// errorAsText returns r without its mark. A placeholder result already tells what happened, so it
// gets no further text.
func (o *Options) errorAsText(r *ToolResult) *ToolResult {
	return edited(r, func(x *ToolResult) {
		x.IsError = false
		if resultText(r) == "" || !o.worthOf(r, nil).IsPlaceholder() {
			x.Content = append([]Part{&Text{Text: errorText}}, r.Content...)
		}
		if len(r.Content) == 0 && len(r.Output) > 0 { // a text hides an output
			x.Content, x.Output = append(x.Content, &Text{Text: string(r.Output)}), nil
		}
	})
}

// flattenToolsFixer turns tool calls and tool results into text where the model knows no tools:
// calls into text of the assistant, results into text of the user.
var flattenToolsFixer = Fixer{
	Name:   "flatten-tools",
	group:  "content",
	repair: flattenTools,
	cures:  problemset.Of(problems.ToolsRefused),
	checks: []checks{{
		on:   func(p *Profile) bool { return p.Tools.NoTools },
		part: (*checker).toolsRefused,
	}},
}

func flattenTools(d *draft) {
	if !d.profile.Tools.NoTools {
		return
	}
	for i := range d.nodes {
		results := false
		for j, p := range d.nodes[i].Parts {
			if c := clientCall(p); c != nil {
				text := &Text{Carried: Carried{Meta: c.Meta}, Text: "Called the tool " +
					or(c.Name, unknownToolName) + " with " + or(string(c.Input), "{}")}
				d.replace(i, j, text, note{
					code: codes.PartToText, problem: problems.ToolsRefused, id: c.ID,
					detail: "turned a tool call into text",
				})
			}
			results = results || clientResult(p) != nil
		}
		if results {
			d.flattenResults(i)
		}
	}
	d.commit()
}

// flattenResults replaces node i by a user message with the text and media of its results.
func (d *draft) flattenResults(i int) {
	var parts []Part
	var from []origin
	for j, p := range d.nodes[i].Parts {
		flat := []Part{p}
		if r := clientResult(p); r != nil {
			_, cache, breakpoints := lastBreakpoint(r)
			if flat = resultAsText(r, "Result of an earlier tool call:"); flat == nil {
				flat = []Part{&Text{Carried: Carried{Cache: cache}, Text: emptyResultText}}
			}
			if t, ok := flat[0].(*Text); ok {
				t.Meta = r.Meta
			}
			d.warn(d.position(i, j), note{
				code: codes.ResultToText, problem: problems.ToolsRefused, id: r.CallID,
				detail: "turned a tool result into text",
			},
				tallyPart(r), TallyOf(Message{Parts: flat}))
			d.warnCacheRemoved(i, j, breakpoints-1, problems.ToolsRefused)
		}
		for _, f := range flat {
			parts, from = append(parts, f), append(from, d.originInside(i, j, f))
		}
	}
	d.insertBefore(i, newNode(RoleUser, parts, from))
	d.removeNode(i)
}

// flattenEmptiedFixer turns a provider-executed result with an emptied encrypted payload into text
// that quotes the titles and addresses it found, and removes its call.
var flattenEmptiedFixer = Fixer{
	Name:   "flatten-emptied",
	group:  "roles",
	repair: flattenEmptied,
	cures:  problemset.Of(problems.OpaqueEmpty),
	checks: []checks{{result: (*checker).opaquePayload}},
}

// sourcesHead comes before the sources of a search.
const sourcesHead = "Search results:"

// sourcesText quotes the sources of a search: the pages chose their titles.
func sourcesText(found []byte) string {
	sources := strings.TrimPrefix(output.Sources(found), "\n")
	if sources == "" {
		return sourcesHead
	}
	return sourcesHead + "\n" + output.Fenced(sources)
}

func flattenEmptied(d *draft) {
	if !d.profile.Tools.EncryptedResults || !d.anyEmptied() {
		return
	}
	p := d.pairs
	p.setDraft(d)
	defer p.release()
	p.survey(serverSide)
	p.Assign()
	for k := range p.Results {
		r := &p.Results[k]
		if !output.Emptied(p.result(k).Output) {
			continue
		}
		d.replace(r.Message, r.Part, &Text{Text: sourcesText(p.result(k).Output)},
			note{code: codes.OrphanToText, problem: problems.OpaqueEmpty, id: r.ID,
				detail: "turned a provider-executed result with an emptied payload into text"})
		if r.Call == none || r.Further || !p.InPlace(k) {
			continue
		}
		c := &p.Calls[r.Call]
		d.drop(c.Message, c.Part,
			note{code: codes.DanglingRemoved, problem: problems.OpaqueEmpty, id: c.ID,
				detail: "removed the call of a result that became text"})
	}
	d.commit()
}

// anyEmptied reports whether there is a provider-executed result with an emptied payload.
func (d *draft) anyEmptied() bool {
	for i := range d.nodes {
		for _, part := range d.nodes[i].Parts {
			if r := serverResult(part); r != nil && output.Emptied(r.Output) {
				return true
			}
		}
	}
	return false
}

// errorFlag checks that no result is marked as an error where the model does not know the mark.
func (c *checker) errorFlag(i, j int, part Part) {
	r := clientResult(part)
	if r == nil {
		return
	}
	switch problem := errorProblem(c.profile, r); problem {
	case problems.ErrorFlag:
		c.report(problem, i, j, r.CallID,
			"the tool result is marked as an error, which the model does not know")
	case problems.ErrorContent:
		c.report(problem, i, j, r.CallID,
			"the tool result is marked as an error and holds more than text")
	}
}

// opaquePayload checks that the encrypted payload of a provider-executed result is present.
func (c *checker) opaquePayload(i, j int, part Part) {
	r := part.(*ToolResult)
	if r.ProviderExecuted && c.profile.Tools.EncryptedResults && output.Emptied(r.Output) {
		c.report(problems.OpaqueEmpty, i, j, r.CallID, "an encrypted payload was emptied")
	}
}

// toolsRefused checks that there are no tool calls or results where the model knows no tools.
func (c *checker) toolsRefused(i, j int, part Part) {
	if clientResult(part) != nil || clientCall(part) != nil {
		c.report(problems.ToolsRefused, i, j, partID(part), "the model knows no tools")
	}
}
