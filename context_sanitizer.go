package preflight

// This file holds the pipeline of the ContextSanitizer article.

// The article's names of five fixers of ContextSanitizer.
const (
	stepPair      = "pair"
	stepEmpties   = "empties"
	stepMerge     = "merge"
	stepAlternate = "alternate"
	stepTrailing  = "strip-trailing"
)

// articleSteps gives built-in fixers the article's names.
var articleSteps = map[string]string{
	PairToolCalls.Name:        stepPair,
	DropEmpty.Name:            stepEmpties,
	MergeRoles.Name:           stepMerge,
	EnforceAlternation.Name:   stepAlternate,
	endConversationFixer.Name: stepTrailing,
}

// ContextSanitizer returns the pipeline and the options of the ContextSanitizer article. The
// pipeline is the default one, in which the article's five steps have the article's names and run
// in the order pair, empties, merge, alternate, strip-trailing, until nothing changes. Run it with
// a profile in place of the article's provider flag.
//
// The options remove dangling calls and a final assistant turn that the model refuses, and fall
// back to the last user message. Set Strict for the article's SanitizeError, which is an
// ErrAmbiguous here, and clear FallbackToLastUser to see it: as in the article, the fallback
// comes before the error. docs/migration-contextsanitizer.md lists what is ambiguous.
func ContextSanitizer() (*Pipeline, Options) {
	fixers := DefaultFixers()
	for k := range fixers {
		if name, ok := articleSteps[fixers[k].Name]; ok {
			fixers[k].Name = name
		}
	}
	p := &Pipeline{fixers: fixers, certifies: true}
	return p, Options{Trailing: TrailingStrip, FallbackToLastUser: true}
}
