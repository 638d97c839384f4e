package preflight

// This file is the pipeline of the article "Context Window Hygiene", whose ContextSanitizer has five steps, under the names
// the article gives them.

// The names of the article's five steps among the fixers of ContextSanitizer.
const (
	StepPair      = "pair"
	StepEmpties   = "empties"
	StepMerge     = "merge"
	StepAlternate = "alternate"
	StepTrailing  = "strip-trailing"
)

// articleSteps gives built-in fixers the article's names.
var articleSteps = map[string]string{
	PairToolCalls.Name:      StepPair,
	DropEmpty.Name:          StepEmpties,
	MergeNeighbours.Name:    StepMerge,
	EnforceAlternation.Name: StepAlternate,
	SettleTrailingTurn.Name: StepTrailing,
}

// ContextSanitizer is the pipeline of the ContextSanitizer article: the default fixers, of which those that are one of its
// five steps bear the article's names. Run it with a profile in the place of the article's provider flag, and
// ContextSanitizerOptions.
//
// The steps run in the order that works: pair, empties, merge, alternate, strip-trailing, and again until nothing changes.
// (The article's prose merges first and pairs third, its code drops empties first; either way the last steps leave empty
// messages and equal neighbours that nobody looks for any more.) The other fixers stay in between, so that what comes out is
// a request the provider accepts in every respect.
func ContextSanitizer() *Pipeline {
	fixers := DefaultFixers()
	for k := range fixers {
		if name, ok := articleSteps[fixers[k].Name]; ok {
			fixers[k].Name = name
		}
	}
	return &Pipeline{fixers}
}

// ContextSanitizerOptions are the article's policies: unanswered calls go, a final assistant turn that the model refuses
// goes, and a history beyond repair is given up for its last user message. Set Strict for its SanitizeError, which here is
// an *AmbiguousError; docs/migration-contextsanitizer.md lists what counts as ambiguous. With the fallback set, strict mode
// falls back instead of failing, as the article advises its callers to; clear Fallback to see the error.
func ContextSanitizerOptions() Options {
	return Options{Trailing: TrailingStrip, Fallback: FallbackLastUser}
}
