package spec

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// This file counts calls, results and tags for the oracles.

// withoutRepeats is results without the further ones of a tag.
func withoutRepeats(results []*preflight.ToolResult) []*preflight.ToolResult {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(results), func(r *preflight.ToolResult) bool {
		again := seen[histgen.Tag(r)]
		seen[histgen.Tag(r)] = true
		return again
	})
}

// countOf is how many of some calls or results are of an id.
func countOf[P preflight.Part](parts []P, id string) (n int) {
	for _, p := range parts {
		switch p := preflight.Part(p).(type) {
		case *preflight.ToolCall:
			if p.ID == id {
				n++
			}
		case *preflight.ToolResult:
			if p.CallID == id {
				n++
			}
		}
	}
	return n
}

// countBlank is how many results have no id, whatever blank spelling it has.
func countBlank(results []*preflight.ToolResult) (n int) {
	for _, r := range results {
		if strings.TrimSpace(r.CallID) == "" {
			n++
		}
	}
	return n
}

func tagCounts(h []preflight.Message) map[string]int {
	out := map[string]int{}
	for _, p := range partsOf(h) {
		out[histgen.Tag(p)]++
	}
	return out
}
