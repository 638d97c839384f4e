package spec

import (
	"encoding/json"
	"testing"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the repair of arguments that are no JSON object.

func TestRepairArguments(t *testing.T) {
	objects := preflight.Profile{Tools: provider.ToolRules{ObjectArguments: true}}
	row := func(name, in, want string) fixerCase {
		return fixerCase{
			name: name, profile: objects,
			in:    history(botMsg(callsWith("a", in)), toolMsg(answers("a", "1"))),
			want:  history(botMsg(callsWith("a", want)), toolMsg(answers("a", "1"))),
			codes: warned(codes.ArgumentsRepaired),
		}
	}
	custom := calls("a")
	custom.Input, custom.Variant = json.RawMessage("free text"), "custom"
	runFixer(t, preflight.Fixers.RepairArguments, []fixerCase{
		row("an object that was encoded twice is decoded", `"{\"a\":1.0}"`, `{"a":1.0}`),
		row("and three times", `"\"{\\\"a\\\":1}\""`, `{"a":1}`),
		row("what was cut off is kept as it was", `{"path":"/etc/ho`,
			`{"_raw":"{\"path\":\"/etc/ho"}`),
		row("another value is kept as that value", `[1, 2.50]`, `{"_raw":[1, 2.50]}`),
		row("one encoded twice too", `"[1]"`, `{"_raw":[1]}`),
		row("and one cut off inside", `"{\"a\":"`, `{"_raw":"{\"a\":"}`),
		row("what was encoded more often is kept as the text it is", `"\"\\\"{}\\\"\""`,
			`{"_raw":"{}"}`),
		row("null is no arguments", `null`, `{}`),
		row("nor is the word for it", `"null"`, `{}`),
		row("and so is nothing", ``, `{}`),
		row("and white space", `"  "`, `{}`),
		{
			name: "an object stays byte for byte", profile: objects,
			in: history(botMsg(callsWith("a", `{ "n": 1.0, "s": "\u00e9" }`)),
				toolMsg(answers("a", "1"))),
		},
		{
			name: "a custom tool takes free text", profile: objects,
			in: history(botMsg(custom), toolMsg(answers("a", "1"))),
		},
		{
			name: "not asked for",
			in:   history(botMsg(callsWith("a", `[1]`)), toolMsg(answers("a", "1"))),
		},
	})
}
