package explain

import (
	"strings"

	"github.com/go-preflight/preflight/rule"
)

// openHost is the format of unknown hosts: that it has a type says nothing about whose it is.
const openHost = "openai-compatible"

// foreignTypes lists the types that the text of an explanation names and its provider does not
// have.
func foreignTypes(e *Explanation) []rule.BlockType {
	_, named, ok := strings.Cut(e.Text, "'")
	if !ok {
		return nil
	}
	kind, _, _ := strings.Cut(named, "'") // those that would do come after it
	var types []rule.BlockType
	speaks := false
	for _, b := range rule.BlockTypes() {
		speaks = speaks || b.Format == e.Rule.Provider
		if b.Kind == kind && b.Format != openHost {
			if b.Format == e.Rule.Provider {
				return nil
			}
			types = append(types, b)
		}
	}
	if !speaks {
		return nil
	}
	return types
}
