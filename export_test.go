package preflight

import (
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule"
)

// The fixers and constants that tests name, which users reach through FixerNamed.
var (
	RepairUnicode      = repairUnicodeFixer
	StripControls      = stripControlsFixer
	StripEphemeral     = stripEphemeralFixer
	StripSystem        = stripSystemFixer
	ClearBindings      = clearBindingsFixer
	PlaceRoles         = placeRolesFixer
	RepairReasoning    = repairReasoningFixer
	FlattenEmptied     = flattenEmptiedFixer
	ErrorToText        = errorToTextFixer
	RepairArguments    = repairArgumentsFixer
	RewriteIDs         = rewriteIDsFixer
	RewriteNames       = rewriteNamesFixer
	FlattenTools       = flattenToolsFixer
	DescribeMedia      = describeMediaFixer
	RepairMedia        = repairMediaFixer
	NormalizeItems     = normalizeItemsFixer
	SplitCalls         = splitCallsFixer
	BridgeResults      = bridgeResultsFixer
	NormalizeDocuments = normalizeDocumentsFixer
	OrderCalls         = orderCallsFixer
	EndConversation    = endConversationFixer
	NormalizeReasoning = normalizeReasoningFixer
	FillReasoning      = fillReasoningFixer
	SignCalls          = signCallsFixer
	NormalizeCache     = normalizeCacheFixer
	DropEmptyReasoning = dropEmptyReasoningFixer
)

const (
	DefaultBridge       = defaultBridge
	DefaultContinueText = defaultContinueText
	DefaultPlaceholder  = defaultPlaceholder
	DefaultWaitingText  = defaultWaitingText
	DefaultApprovalText = defaultApprovalText
	StepAlternate       = stepAlternate
	StepEmpties         = stepEmpties
	StepMerge           = stepMerge
	StepPair            = stepPair
	StepTrailing        = stepTrailing
)

// Cures reports whether a fixer declares that it cures a problem, which some fixer cures; false for
// a fixer that always runs.
func Cures(f Fixer, problem rule.Problem) bool {
	const unknown rule.Problem = "no fixer cures this"
	one := problemset.Set{}.With(problem)
	return one != problemset.Set{}.With(unknown) && f.cures.Meets(one)
}

// AlwaysRuns reports whether a fixer runs whatever Check found.
func AlwaysRuns(f Fixer) bool { return f.cures.Empty() }

// FixersOf returns the fixers of a pipeline.
func FixersOf(p *Pipeline) []Fixer { return p.fixers }

// Minus returns the difference of two tallies.
func (t Tally) Minus(u Tally) Tally { return t.minus(u) }

// IsZero reports whether nothing is counted.
func (t Tally) IsZero() bool { return t == Tally{} }

// Valid reports whether Sanitize would return history unchanged without running a fixer.
func Valid(history []Message, profile *Profile, options *Options) bool {
	r := run{fixers: defaultPipeline.fixers, profile: profile, options: options}
	r.applyDefaults()
	return len(history) > 0 && r.readOnly() &&
		len(check(history, r.profile, r.options)) == 0 && !r.faulted()
}
