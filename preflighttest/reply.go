package preflighttest

import "github.com/go-preflight/preflight/preflighttest/internal/fake"

// Reply is what the server answers an accepted request with. Its parts are
// sent in the order of its fields, in the provider's form. The zero value is
// an answer with nothing in it.
type Reply struct {
	// Reasoning is what the model thought first: thinking with a signature, a
	// reasoning item with encrypted content, a thought. It is left out for
	// providers that have no such thing.
	Reasoning string

	// Redacted adds reasoning whose text is withheld, where the provider has it.
	Redacted bool

	// ServerCalls are tools that the provider runs itself, where it has any.
	ServerCalls []ServerCall

	// Text is what the model says.
	Text string

	// Calls are the calls of the caller's tools, in parallel when there are
	// several.
	Calls []Call

	// StopReason is the provider's own word for why the answer ends. It is
	// derived from the rest when empty: calls, or the end of the turn.
	StopReason string

	// Fault, unless nil, is the fault of the answer.
	Fault *Fault
}

// Call is a call of one of the caller's tools.
type Call struct {
	// ID is the id of the call; if it is empty, the server makes one in the provider's form.
	ID string

	Name string

	// Arguments is the JSON of the arguments, an empty object when empty. It is
	// sent as it is wherever the provider's form allows that, so that a model
	// that writes broken JSON can be played.
	Arguments string

	// Async says that the model goes on while the tool runs, so that the output may come in any
	// later request, where the provider has such calls (openai-responses).
	Async bool
}

// ServerCall is a call that the provider answers itself.
type ServerCall struct {
	// Name is the provider's name of the tool, such as "web_search".
	Name string

	// Arguments is the JSON of the arguments, an empty object when empty.
	Arguments string

	// Result is the JSON of the result in the provider's form. When it is
	// empty, the call stays open, as when a long turn is paused.
	Result string
}

// Fault is a failure while an answer is sent. The faults that
// are set happen in the order of the fields.
type Fault struct {
	// After is the number of events of a streamed answer that arrive first.
	// When it is 0, the fault takes the place of the answer. An answer that is
	// not streamed has no events: half of its body arrives when After is not 0.
	After int

	// Hold makes the answer wait until the channel yields a value or is
	// closed, the client disconnects, or the server is closed. What follows, if
	// nothing else is set, is the rest of the answer.
	Hold <-chan struct{}

	// Status is that of an error in the provider's form, such as 429, 500, 503
	// or 529. In the middle of a stream it becomes an error event.
	Status int

	// RetryAfter, unless 0, is the number of seconds that the retry-after
	// header of the error names.
	RetryAfter int

	// Cut ends the answer as if it were complete, so that the client has to
	// see for itself that something is missing.
	Cut bool

	// Drop closes the connection, which the client sees as a network error.
	Drop bool
}

// parts returns the reply as the formats write it.
func (r Reply) parts() fake.Reply {
	parts := fake.Reply{
		Reasoning: r.Reasoning, Redacted: r.Redacted, Text: r.Text, StopReason: r.StopReason,
	}
	for _, c := range r.ServerCalls {
		parts.ServerCalls = append(parts.ServerCalls, fake.ServerCall(c))
	}
	for _, c := range r.Calls {
		parts.Calls = append(parts.Calls, fake.Call(c))
	}
	return parts
}
