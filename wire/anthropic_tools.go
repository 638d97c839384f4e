package wire

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/cachepoint"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file repairs the tools that an Anthropic request declares: names, duplicates and cache
// breakpoints.

// declaredName is the pattern for declared tools at Anthropic. Names in the history may differ from
// it.
var declaredName = provider.Pattern{Alphabet: provider.WordChars, Min: 1, Max: 128}

// declaredNames returns the pattern for the declared tools of a request: declaredName, or that of
// the history's names where it is narrower (Options.Portable), so that both are renamed alike.
func (r *Request) declaredNames() provider.Pattern {
	if r.portable {
		return r.Profile.Tools.Name
	}
	return declaredName
}

// declaredTools repairs the tools that a request declares, one after the other.
type declaredTools struct {
	listRepair
	r       *Request
	excess  int  // cache breakpoints that must still be removed
	markers int  // cache breakpoints that are kept
	short   bool // one of those is short-lived
}

// mendTools repairs the names of declared tools, duplicate declarations, and the tools' cache
// breakpoints.
func (r *Request) mendTools() declaredTools {
	list := r.root.Get("tools")
	d := declaredTools{r: r}
	if limit := r.Profile.Cache.Limit; limit != 0 {
		d.excess = r.countMarkers(list) - max(limit, 0)
	}
	if list.Len() == 0 && r.format.toolsRequired {
		r.Profile.Tools.Name = r.declaredNames() // those that the history uses will be declared
	}
	if list.Kind() != jsonscan.Array || list.Len() == 0 {
		return d
	}
	clear(r.declared)
	for k, t := range list.All() {
		d.mend(t, k)
	}
	r.repairList(list, d.listRepair)
	if r.Profile.Tools.Name == r.declaredNames() {
		r.renameChoice(ruleDeclaredName, "tool_choice", "name")
	}
	return d
}

const (
	ruleDeclaredName = "anthropic/tool-name-pattern"
	ruleToolsUnique  = "anthropic/tool-names-unique"
)

// mend repairs tool k.
func (d *declaredTools) mend(t jsonscan.Value, k int) {
	name := t.Get("name").Str()
	names := d.r.declaredNames()
	refused := t.Get("name").Kind() == jsonscan.String && isCustomTool(t) && !names.Matches(name)
	if refused {
		d.r.Profile.Tools.Name = names
		name = d.r.Profile.RepairToolName(name)
	}
	if name != "" && d.r.declared[name] {
		d.r.note(toolRemoved(indexed("tools", k), ruleToolsUnique))
		d.remove(k)
		return
	}
	d.r.declares(name)
	if refused || cacheMarker(t) != nil {
		path := indexed("tools", k)
		o, tool := openObject(preflight.Native{JSON: t.Raw()}, "", `{}`)
		if refused {
			tool.text("name", name)
			d.r.renames(t.Get("name").Str(), name)
			d.r.note(toolRenamed(path+".name", ruleDeclaredName))
		}
		d.mark(tool, path+".cache_control")
		if raw, err := o.pieces(); err == nil && o.edits.Len() > 0 {
			d.replace(k, raw)
			return
		}
	}
	d.keep(k)
}

// mark counts a tool's breakpoint. It removes it when there are too many, and shortens it after a
// short-lived one.
func (d *declaredTools) mark(tool *member, path string) {
	marker := cacheMarker(tool.v)
	switch {
	case marker == nil:
		return
	case d.excess > 0:
		d.excess--
		tool.cache(nil)
		d.r.note(breakpointRemoved(path))
		return
	case cachepoint.Short(marker):
		d.short = true
	case d.short && d.r.Profile.Cache.LongFirst && cachepoint.Long(marker):
		tool.cache(cachepoint.Shorten(marker))
		d.r.note(breakpointShortened(path))
	}
	d.markers++
}

// countMarkers counts the cache breakpoints on tools. Of tools with one name only the first counts,
// which is kept.
func (r *Request) countMarkers(list jsonscan.Value) int {
	n := 0
	clear(r.declared)
	for t := list.First(); t.Exists(); t = t.Next() {
		name := t.Get("name").Str()
		if cacheMarker(t) != nil && (name == "" || !r.declared[name]) {
			n++
		}
		r.declares(name)
	}
	return n
}

// isCustomTool reports whether a tool is the caller's own. The provider names its own tools.
func isCustomTool(t jsonscan.Value) bool {
	kind := t.Get("type")
	return kind.Kind() != jsonscan.String || kind.StrIs("custom")
}

// declareTools declares the tools that the history uses when the request declares none and the host
// requires them.
func declareTools(r *Request, messages []preflight.Message, top *jsonscan.ObjectEdit) []finding {
	if !r.format.toolsRequired || r.root.Get("tools").Len() > 0 || r.mayBeHeld() {
		return nil
	}
	names := usedTools(messages, false)
	if len(names) == 0 {
		return nil
	}
	tools := make([][]byte, len(names))
	for k, name := range names {
		tools[k] = []byte(`{"name":` + string(quoted(name)) + `,"input_schema":{"type":"object"}}`)
	}
	top.SetMember("tools", joined(tools))
	top.SetMember("tool_choice", []byte(`{"type":"none"}`))
	return []finding{
		{code: codes.ToolsDeclared, rule: "anthropic/tools-required", path: "tools",
			wrong: "the history uses tools, but the request declares none",
			done:  "declared the tools that the history uses, and that none may be called"},
	}
}
