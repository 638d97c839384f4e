package rule

// Evidence is one side's report on a rule: somebody's request was refused, or accepted although it
// breaks the rule.
type Evidence struct {
	Kind EvidenceKind `json:"kind"`

	// Models are the models that were asked; * matches any characters. It is empty where the
	// source names none, or speaks of all.
	Models []string `json:"models,omitempty"`

	// Hosts are the hosts that were asked. It is empty for the provider's own.
	Hosts []string `json:"hosts,omitempty"`

	// Seen is the year, mostly with the month, of the latest answer on record. It is empty where
	// the source has no date.
	Seen string `json:"seen,omitempty"`

	// Source is the address of what shows it.
	Source string `json:"source"`

	// Note says what was sent or answered, where the rule does not.
	Note string `json:"note,omitempty"`
}

// EvidenceKind says what evidence consists of.
type EvidenceKind string

// The kinds of evidence, the strongest first.
const (
	// a real provider's answer, with the request
	Recorded EvidenceKind = "recorded"
	// an issue, a log or public code, mostly with the error text
	Reported EvidenceKind = "reported"
	// the provider states it: documentation, SDK, validator or template
	Stated EvidenceKind = "stated"
	// only what clients do, or an analogy
	Guessed EvidenceKind = "inferred"
)

// String returns the kind and the date, as in "reported, 2026-09".
func (e Evidence) String() string {
	if e.Seen == "" {
		return string(e.Kind)
	}
	return string(e.Kind) + ", " + e.Seen
}

// Cost is what a repair costs where the provider would have accepted the history as it was.
type Cost string

// The costs, the lowest first.
const (
	// nothing is lost, and little more than a setting or a mark changes
	CostNothing Cost = "nothing"
	// nothing is lost; bytes that were sent before change once, which is one miss of a prompt cache
	CostPrefix Cost = "prefix"
	// words of preflight's own enter the history
	CostWords Cost = "words"
	// something of the caller's is lost
	CostLoss Cost = "loss"
)
