package pairing

import (
	"github.com/go-preflight/preflight/pairs"
	"github.com/go-preflight/preflight/provider"
)

// This file holds the records that the matcher works on: what the caller fills in, and what Assign
// adds.

// None is the index of a call, result, turn or message that does not exist.
const None = -1

// Call is a tool call.
type Call struct {
	ID, Name      string
	Variant       string // results must have the same one; "" if variants do not matter
	Item          string // the id of the message that holds the call
	Message, Part int    // its position
	Turn          int    // the index of its turn

	Answer int    // the index of its result, or None
	Filled bool   // for the caller: a further result is in the place of the answer
	hash   uint64 // of the normalized id; 0 if it is not computed yet
}

// Result is a tool result.
type Result struct {
	ID, Name      string
	Variant       string // as in Call
	Message, Part int    // its position
	Zone          int    // the turn in whose zone it is, or None
	LastTurn      int    // the last turn that begins before it, or None
	Decoded       bool   // it was read from a request as it is: a missing name stays missing
	Object        bool   // its output is a JSON object, not text
	Held          bool   // it may answer a call that only the provider has
	Spoken        int    // the last message up to it with words of the user, or None

	Call    int          // the index of its call, or None
	Reason  pairs.Reason // the evidence for that call
	Further bool         // the call has another answer
	Changes bool         // it has to change to be accepted as the answer of its call
	Handled bool         // for the caller: it is repaired
	late    bool         // it was matched after the first step
	copyOf  int          // it is a copy of the result this many before it, 0 if it is none
	worth   Worth        // see Matching.WorthOf
	hash    uint64       // of the normalized id; 0 if it is not computed yet
}

// Turn is a turn of the assistant: a run of its messages. The results after it, up to the first
// other content, are in its zone: there the provider looks for the answers of its calls.
type Turn struct {
	First, Last int  // messages
	Calls       Span // its calls
	Results     Span // the results in its zone
	Spoken      int  // the last message of it with words of the assistant, or None
	Swapped     bool // a call got another answer than the first with its id
}

// Span is a range of indices: First is the first of them, and End the first after them.
type Span struct{ First, End int }

func (s Span) len() int { return s.End - s.First }

// Rules are what the matcher has to know about a provider and a request.
type Rules struct {
	provider.PairingRules
	Server      bool // the calls are those of tools that the provider runs
	KeepWaiting bool // a call that waits may stay without a result
}

// Source tells what the records do not hold. The matcher asks it only if the answer decides
// something.
type Source interface {
	// Worth returns the worth of a result as the answer of a call. The call may be None.
	Worth(result, call int) Worth
	// Same reports whether two results have the same content.
	Same(result, other int) bool
	// Hash returns a hash of the content of a result: equal for results with the same content.
	Hash(result int) uint64
	// Waits reports whether a call without a result waits on purpose.
	Waits(call int) bool
	// Accepts reports whether the provider accepts the id of a result.
	Accepts(id string) bool
}

// Worth orders the results of a call: the one with the highest worth is its answer. All
// placeholders are worth the same.
type Worth uint8

// The worths, the lowest first.
const (
	unknown     Worth = iota
	Empty             // has no content, which may be all that the tool returned
	Promise           // a placeholder that announces a later result
	Placeholder       // states that there is no result
	Error             // reports an error
	Doubtful          // may be a placeholder, but may be data as well: a bare "Cancelled"
	Real
)

// IsPlaceholder reports whether a result with this worth has no content of its own.
func (w Worth) IsPlaceholder() bool { return w <= Placeholder }
