package preflight

import "slices"

// This file answers the usual questions about a Result.

// CallIDs are the tool call ids of the warnings with one of the codes (of all warnings when none is given), in the order of
// the changes, each once, spelled as in the input.
func (r Result) CallIDs(codes ...Code) []string {
	var out []string
	seen := make(map[string]bool)
	for _, w := range r.Warnings {
		if w.ToolCallID != "" && !seen[w.ToolCallID] && w.has(codes) {
			seen[w.ToolCallID] = true
			out = append(out, w.ToolCallID)
		}
	}
	return out
}

// Pruned are the ids of the tool calls and results that are gone because their other half was missing: what a registry of
// running calls should forget.
func (r Result) Pruned() []string { return r.CallIDs(CodeDanglingRemoved, CodeOrphanRemoved) }

// Count is the number of warnings with one of the codes.
func (r Result) Count(codes ...Code) int {
	n := 0
	for _, w := range r.Warnings {
		if w.has(codes) {
			n++
		}
	}
	return n
}

func (w *Warning) has(codes []Code) bool {
	return len(codes) == 0 || slices.Contains(codes, w.Code)
}
