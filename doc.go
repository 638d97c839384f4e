// Package preflight makes the message history of an LLM request acceptable to the provider, right
// before it is sent.
//
// A history breaks because a user aborted in the middle of a tool call, a context window was
// trimmed, a session was resumed from disk, a stream died, or a model was switched. From then on
// every request of that session fails with the same 400. Sanitize repairs what the provider would
// refuse or mishandle, and returns a new history with one Warning for each change. A valid history
// is returned as it is: the same slice, no allocation, no warning.
//
//	history := []preflight.Message{
//		preflight.UserText("Why does the build fail?"),
//		{Role: preflight.RoleAssistant, Parts: []preflight.Part{&preflight.ToolCall{
//			ID: "toolu_1", Name: "run", Input: json.RawMessage(`{"command":"make"}`)}}},
//		preflight.UserText("Stop."),
//	}
//	profile := provider.Anthropic("claude-sonnet-4-5")
//	result, err := preflight.Sanitize(ctx, history, profile, nil)
//
// Before, the provider answers "tool_use ids were found without tool_result blocks". After,
// result.Messages is
//
//	user  Why does the build fail?
//	user  Stop.
//
// and result.Warnings says that the call toolu_1 at messages[1].parts[0] was removed. With
// Options{Dangling: DanglingAnswer} the call stays, and an error result answers it.
//
// For request bodies use package wire, which repairs JSON and keeps every byte that it does not
// have to change.
//
// # What it is not
//
// preflight does not judge content, count tokens or send requests. Package compact shortens
// histories. preflight knows the history and, through package wire, the request, but not what the
// provider's servers know: whether a signature is valid, which items are stored. docs/rules.md
// lists the rules that it cannot check.
//
// # How it works
//
// A Profile describes, as data, what one provider and model family accepts. Check reports the rules
// that a history breaks. A Fixer repairs one concern. A Pipeline runs fixers to a fixpoint, then
// the caller's hooks, then the fixers again, so that the result is valid whatever a hook returns.
// Sanitize is the default pipeline; NewPipeline makes others out of DefaultFixers, single fixers,
// and the caller's own, which an Editor helps to write. Pipeline.Run returns the repairs of its fixers and lists the problems that
// they leave open; Sanitize, and Pipeline.Sanitize, return an error if there are any.
//
// # Ownership
//
// Input is never written to: neither the slice and its spare capacity, nor the messages, nor their
// parts. Output shares unchanged parts with the input, and its capacity is its length, so that an
// append cannot write to the caller's array. Hooks get deep copies.
//
// # Concurrency
//
// Pipelines, fixers and profiles hold no state and are safe for concurrent use. Two goroutines may
// sanitize the same history at once.
//
// # Performance
//
// The cost is linear in the size of the history. A valid history costs no allocation;
// docs/performance.md has figures.
package preflight
