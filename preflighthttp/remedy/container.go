package remedy

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/wire"
)

// This file is the remedy for containers that a provider no longer holds: the request goes without
// the id, and the provider starts another one.

// containerForm says that a container is gone, perhaps with its id. Sources: OpenAI,
// pydantic/pydantic-ai#7461, BerriAI/litellm#30942; Anthropic, pydantic/pydantic-ai#7833.
var containerForm = regexp.MustCompile(`(?i)\bexpected container_id: ["'\x60]?([A-Za-z0-9_-]+)|` +
	`\bcontainer(?: with id)?:? ?["'\x60]?(cntr_[A-Za-z0-9]+|container_[A-Za-z0-9]+)?["'\x60]?,? ?` +
	`(?:is |was |has )?(?:expired|been deleted|not found|does not exist|no longer exists)`)

// forgetContainer takes the id of a container that is gone out of the request: the member
// container, that of a tool, and calls that ran in it.
func forgetContainer(
	first *wire.Result, given, sent []byte, refusal string,
) (result *wire.Result, forms []like) {
	m := containerForm.FindStringSubmatch(unescaped(refusal))
	if m == nil {
		return nil, nil
	}
	doc, err := jsonscan.Parse(sent)
	if err != nil || doc.Root().Kind() != jsonscan.Object {
		return nil, nil
	}
	gone := goneContainer{id: m[1] + m[2]}
	gone.request(doc.Root())
	edited, err := gone.edits.Apply(sent)
	if err != nil || len(gone.paths)+len(gone.removed) == 0 {
		return nil, nil
	}
	out := withoutMembers(first, given, edited, gone.paths)
	source := sources(first.Elements)
	for _, k := range gone.removed {
		out.Warnings = append(out.Warnings, wire.Warning{
			Warning: preflight.Warning{
				Code: codes.MessageRemoved, At: preflight.At(-1),
				Detail: "removed a call that ran in a container that is gone",
			},
			Path: source("input[" + strconv.Itoa(k) + "]"),
		})
	}
	if len(gone.removed) > 0 {
		out.Elements = elementsBut(first.Elements, sent, given, edited, gone.removed)
	}
	return out, nil
}

// goneContainer collects what has to change for a container that is gone.
type goneContainer struct {
	id      string // "" for any
	edits   jsonscan.Edits
	paths   []string // of members
	removed []int    // elements of input
}

// is reports whether a value is the id of the container.
func (g *goneContainer) is(v jsonscan.Value) bool {
	return v.Kind() == jsonscan.String && !v.StrIs("") && (g.id == "" || v.StrIs(g.id))
}

// request goes through what may have the id.
func (g *goneContainer) request(root jsonscan.Value) {
	object := jsonscan.EditObject(root)
	container := root.Get("container")
	switch {
	case g.is(container):
		object.DeleteMember("container")
		g.paths = append(g.paths, "container")
	case g.is(container.Get("id")):
		inner := jsonscan.EditObject(container)
		inner.DeleteMember("id")
		inner.AppendTo(&g.edits)
		g.paths = append(g.paths, "container.id")
	}
	g.tools(root.Get("tools"))
	if kept := g.calls(root.Get("input")); len(g.removed) > 0 {
		list := slices.Concat([]byte("["), bytes.Join(kept, []byte(",")), []byte("]"))
		object.SetMember("input", list)
	}
	object.AppendTo(&g.edits)
}

// tools gives a tool that names the container one of its own.
func (g *goneContainer) tools(tools jsonscan.Value) {
	for k, tool := range tools.All() {
		if tool.Get("type").StrIs("code_interpreter") && g.is(tool.Get("container")) {
			object := jsonscan.EditObject(tool)
			object.SetMember("container", []byte(`{"type":"auto"}`))
			object.AppendTo(&g.edits)
			g.paths = append(g.paths, "tools["+strconv.Itoa(k)+"].container")
		}
	}
}

// calls returns the elements of a list that did not run in the container, and notes the others.
// Without an id it cannot tell which did.
func (g *goneContainer) calls(input jsonscan.Value) (kept [][]byte) {
	if input.Kind() != jsonscan.Array || g.id == "" {
		return nil
	}
	for k, item := range input.All() {
		if item.Get("type").StrIs("code_interpreter_call") && g.is(item.Get("container_id")) {
			g.removed = append(g.removed, k)
		} else {
			kept = append(kept, item.Raw())
		}
	}
	return kept
}

// elementsBut returns the elements of the edited list, without those that were removed from that of
// sent.
func elementsBut(
	elements []wire.Element, sent, given, edited []byte, removed []int,
) []wire.Element {
	if elements == nil {
		elements = make([]wire.Element, len(listOf(sent)))
		for k := range elements {
			elements[k].From = k
		}
	}
	var left []wire.Element
	for k, e := range elements {
		if !slices.Contains(removed, k) {
			left = append(left, e)
		}
	}
	return elementsOf(left, given, edited)
}
