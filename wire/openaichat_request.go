package wire

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file checks a Chat request outside of its messages: thinking, and the tools that it
// declares.

// prepare narrows the profile by the request's settings, and repairs the declared tools.
func (c *chat) prepare(r *Request) {
	switch {
	case r.thinkingOff() || r.thinksUnknown():
		r.Profile.Reasoning.Replay = provider.ReplayFree
	case c.replay != "" && r.root.Get("thinking").Get("type").StrIs("enabled"):
		r.Profile.Reasoning.Replay = c.replay
	}
	if c.adjust != nil {
		c.adjust(r)
	}
	if r.whole() {
		c.mendTools(r)
	}
}

// thinkingOff reports whether a request is known not to think.
func (r *Request) thinkingOff() bool {
	if kind := r.root.Get("thinking").Get("type"); kind.Exists() {
		return kind.StrIs("disabled")
	}
	return r.Profile.Reasoning.Default == provider.ThinkingOff
}

// thinksUnknown reports whether a request names a mode of thinking that is not known: no rule that
// depends on thinking applies.
func (r *Request) thinksUnknown() bool {
	kind := r.root.Get("thinking").Get("type")
	return kind.Kind() == jsonscan.String &&
		!oneOf(kind, "enabled", "disabled", "auto", "adaptive")
}

// isFunction reports whether a declared tool, or a call of one, is a function of the caller's. A
// type that is not known is the host's own, and so is its name.
func isFunction(v jsonscan.Value) bool {
	t := v.Get("type")
	return t.Kind() != jsonscan.String || t.StrIs("function")
}

// mendTools repairs the names of declared functions, and removes duplicate declarations where the
// host refuses them.
func (c *chat) mendTools(r *Request) {
	list := r.root.Get("tools")
	clear(r.declared)
	var tools listRepair
	for k, t := range list.All() {
		name := t.Get("function").Get("name")
		fixed := r.Profile.RepairToolName(name.Str())
		switch {
		case name.Kind() != jsonscan.String || !isFunction(t):
		case c.uniqueRule != "" && r.declared[fixed] && list.Kind() == jsonscan.Array:
			r.note(toolRemoved(indexed("tools", k), c.uniqueRule))
			tools.remove(k)
			continue
		case fixed != name.Str():
			if c.schemaRule == "" || t.Get("function").Has("parameters") {
				r.replace(name, quoted(fixed))
			}
			r.renames(name.Str(), fixed)
			r.note(toolRenamed(indexed("tools", k)+".function.name", r.toolRule(name.Str())))
		}
		if c.schemaRule != "" && isFunction(t) && name.Kind() == jsonscan.String {
			c.addParameters(r, t.Get("function"), fixed, k)
		}
		switch {
		case name.Kind() != jsonscan.String:
		case isFunction(t):
			r.declares(fixed)
		default:
			r.declares(name.Str())
		}
		tools.keep(k)
	}
	r.repairList(list, tools)
	choice := r.root.Get("tool_choice")
	if name := choice.Get("function").Get("name"); name.Exists() && isFunction(choice) {
		r.renameChoice(r.toolRule(name.Str()), "tool_choice", "function", "name")
	}
}

// addParameters gives the declared function of tool k, which gets the name given, parameters if it
// has none.
func (c *chat) addParameters(r *Request, function jsonscan.Value, name string, k int) {
	const none = `{"type":"object","properties":{}}`
	given, called := function.Get("parameters"), function.Get("name")
	switch {
	case hasValue(given):
		return
	case given.Exists():
		r.replace(given, []byte(none))
	case name == called.Str():
		r.replace(called, append(slices.Clone(called.Raw()), `,"parameters":`+none...))
	default:
		r.replace(called, append(quoted(name), `,"parameters":`+none...))
	}
	r.note(finding{
		code: codes.ShapeRepaired, rule: c.schemaRule,
		path:  indexed("tools", k) + ".function.parameters",
		wrong: "the function has no parameters",
		done:  "added an empty schema to a function without parameters",
	})
}

// toolRule returns the rule that a refused tool name violates.
func (r *Request) toolRule(name string) string {
	if slices.Contains(r.Profile.Tools.Reserved, name) {
		return r.ruleOf(problems.ToolReserved)
	}
	return r.ruleOf(problems.ToolName)
}
