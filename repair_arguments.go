package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/arguments"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file turns the arguments of a call into a JSON object.
//
//	"{}"      becomes  {}
//	{"a":1    becomes  {"_raw":"{\"a\":1"}
//	[1]       becomes  {"_raw":[1]}

// repairArgumentsFixer gives every call arguments that the provider accepts: an object stays byte
// for byte; an object encoded as a string is decoded; empty arguments, null and [] become {};
// anything else is kept under the key _raw of a new object.
var repairArgumentsFixer = Fixer{
	Name:   "repair-arguments",
	group:  "content",
	repair: repairArguments,
	cures:  problemset.Of(problems.Arguments),
	single: true,
}

func repairArguments(d *draft) {
	if !d.profile.Tools.ObjectArguments {
		return
	}
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			c, ok := p.(*ToolCall)
			if !ok || !takesObject(c) || arguments.IsObject(c.Input) {
				continue
			}
			fixed := edited(c, func(c *ToolCall) { c.Input = arguments.Object(c.Input) })
			n := note{
				code: codes.ArgumentsRepaired, problem: problems.Arguments, id: c.ID,
				detail: "rewrote arguments as a JSON object",
			}
			if isObject(c.Input) {
				n.detail = "removed a duplicate argument; the later one stays"
			}
			d.replace(i, j, fixed, n)
		}
	}
}

// takesObject reports whether the arguments of a call must be an object. Custom tools take free
// text, and what the client's calls of other kinds take is not known. Those that the provider
// executes are no exception: an empty list in the place of an empty object was refused
// (https://github.com/laravel/ai/pull/389).
func takesObject(c *ToolCall) bool {
	return c.Variant != "custom" && (c.ProviderExecuted || !isHosts(c.Variant, c.Native))
}

// isObject reports whether raw is one well-formed JSON object.
func isObject(raw []byte) bool {
	kind, _, err := jsonscan.Inspect(raw)
	return err == nil && kind == jsonscan.Object
}

// argumentsFault returns what is wrong with arguments that have to be an object, from a scan of
// them; "" for nothing.
func argumentsFault(kind jsonscan.Kind, flags jsonscan.Flags) string {
	switch {
	case kind != jsonscan.Object:
		return "the arguments are not a JSON object"
	case flags&jsonscan.HasRepeatedName != 0:
		return "an object in the arguments has a name twice"
	}
	return ""
}
