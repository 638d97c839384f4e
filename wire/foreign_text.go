package wire

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/output"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file turns blocks of other formats that have no neutral counterpart into text.

// foreignLabel starts the text of a converted block, so that it is not taken for the user's text.
const foreignLabel = "[Content of type "

// outputKinds are the types of blocks and items that hold what a tool, a page or a server said. So
// do all types with the ending of results.
var outputKinds = []string{
	"codeExecutionResult", "code_execution_result", "toolResponse", "tool_response", "tool_reference",
	"search_result", "searchResult", "browser_state", "computer_screenshot", "mcp_call",
	"mcp_list_tools", "mcp_tool_listing", "web_search_call", "file_search_call",
	"code_interpreter_call", "program_output", "tool_search_output",
}

// isOutput reports whether blocks of a kind hold what a tool, a page or a server said.
func isOutput(kind string) bool {
	return strings.HasSuffix(kind, "_tool_result") || strings.HasSuffix(kind, "_call_output") ||
		slices.Contains(outputKinds, kind)
}

// readAsText reads a block without a neutral counterpart as text that names its type and quotes
// what it holds.
func readAsText(v, data jsonscan.Value) (preflight.Part, bool) {
	key, _ := kindOf(v)
	return &preflight.Text{Text: quotation(key.kind, data)}, true
}

// quotation returns the text for a block of a kind: the kind, and the readable strings of its data
// in a fence that they cannot close, which is left out if there are none.
func quotation(kind string, data jsonscan.Value) string {
	var lines []string
	collectStrings(data, &lines, 0)
	label := foreignLabel + cmp.Or(shorten.ID(kind), "unknown") + "]"
	if len(lines) == 0 {
		return label
	}
	return label + "\n" + output.Fenced(strings.Join(lines, "\n"))
}

// collectStrings collects the readable strings of a value: no types, no ids, no opaque data.
func collectStrings(v jsonscan.Value, lines *[]string, depth int) {
	const deepest = 32 // what is deeper was not meant for reading
	if depth > deepest {
		return
	}
	for c := v.First(); c.Exists(); c = c.Next() {
		key := c.Key().Str()
		if isOpaqueMember(key) || isLabel(key) {
			continue
		}
		switch c.Kind() {
		case jsonscan.String:
			if s := c.Str(); strings.TrimSpace(s) != "" && !isEncoded(s) {
				*lines = append(*lines, s)
			}
		case jsonscan.Array, jsonscan.Object:
			collectStrings(c, lines, depth+1)
		}
	}
}

// isOpaqueMember reports whether only the provider can read a member.
func isOpaqueMember(key string) bool {
	k := strings.ToLower(key)
	contains := func(s string) bool { return strings.Contains(k, s) }
	return slices.ContainsFunc([]string{"encrypted", "signature", "fingerprint"}, contains) ||
		k == "data" || k == "bytes"
}

// isLabel reports whether a member is a type, a status or an id.
func isLabel(key string) bool {
	return slices.Contains([]string{"type", "status", "cache_control", "id"}, key) ||
		strings.HasSuffix(key, "_id") || strings.HasSuffix(key, "Id")
}

// isEncoded reports whether a string is too long for a word, so that it must be an image or a
// signature.
func isEncoded(s string) bool { return len(s) > 512 && !strings.ContainsAny(s, " \n") }
