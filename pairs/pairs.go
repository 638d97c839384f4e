// Package pairs has the vocabulary of preflight.Pairs: the status of a tool call or a tool result,
// and the evidence by which the two were matched.
package pairs

// Status is the status of a tool call or a tool result with regard to its counterpart.
type Status string

// The statuses of calls and results.
const (
	// Matched: the result is where the provider looks for the answer of the call.
	Matched Status = "paired"
	// Displaced: the two belong together, but the result is in another place.
	Displaced Status = "displaced"
	// Dangling is a call without a result.
	Dangling Status = "dangling"
	// Waiting is a call without a result that waits on purpose.
	Waiting Status = "waiting"
	// Orphan is a result without a call.
	Orphan Status = "orphan"
	// Duplicate is a further result of a call.
	Duplicate Status = "duplicate"
	// Unknown is a call or a result whose counterpart may be a part of an unknown kind that names
	// it.
	Unknown Status = "unknown"
	// Placeholder is a result inserted for one that never came, or the call of such a result.
	Placeholder Status = "placeholder"
)

// Reason is the evidence for a match of a call and a result.
type Reason string

// The reasons for a match, the strongest first.
const (
	ByID           Reason = "id"            // the same id
	ByNormalizedID Reason = "normalized-id" // the same id in different spellings
	ByName         Reason = "name"          // the same tool name
	ByPosition     Reason = "position"      // the place, right after the calls; one has no id
)
