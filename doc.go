// Package preflight makes the message history of an LLM request acceptable to the provider, right
// before it is sent.
//
// A history breaks because a user aborted in the middle of a tool call, a context window was
// trimmed, a session was resumed from disk, a stream died, or a model was switched. From then on
// every request of that session fails with the same 400. Sanitize takes the history, repairs what
// the provider would refuse or mishandle, and returns a new history with one Warning per change. A
// valid history comes back as it is: the same slice, no allocation for a copy, no warning.
//
//	history := []preflight.Message{
//		{Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Text{Text: "Why does the build fail?"}}},
//		{Role: preflight.RoleAssistant, Parts: []preflight.Part{
//			&preflight.ToolCall{ID: "toolu_1", Name: "run", Input: json.RawMessage(`{"command":"make"}`)}}},
//		{Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Text{Text: "Stop."}}},
//	}
//	profile := provider.Anthropic("claude-sonnet-4-5")
//	result, err := preflight.Sanitize(ctx, history, profile, nil)
//
// Before, the provider answers "tool_use ids were found without tool_result blocks". After,
// result.Messages is
//
//	user       Why does the build fail? / Stop.
//
// and result.Warnings says that the call toolu_1 at messages[1].parts[0] was removed and the two
// user messages were joined. With Options{Dangling: DanglingAnswer} the call stays, and an error
// result answers it.
//
// Whoever holds a request body instead of messages uses package wire, which does the same on the
// bytes and leaves every byte alone that no repair is about.
//
// # What it is not
//
// It does not judge content, count tokens, shorten a history to fit a window (package compact
// does), or talk to a provider. It sees the history and, through package wire, the request; what
// only the provider's servers know (whether a signature verifies, which items are stored) it cannot
// see. docs/rules.md says which rules those are.
//
// # How it works
//
// A Profile is data: what one provider and model family accepts. Check reads a history and reports
// the rules it breaks. A Fixer repairs one concern. A Pipeline runs fixers to a fixpoint, then the
// caller's hooks, then the fixers again, so that a hook cannot break what the pipeline promises.
// Sanitize is the default pipeline; NewPipeline makes others out of DefaultFixers, single fixers,
// and the caller's own. Pipeline.Run returns the repairs of its fixers and lists the problems that
// they leave open; Sanitize, and Pipeline.Sanitize, return an error if there are any.
//
// # Ownership
//
// Input is never written to: not the slice, not its spare capacity, not the messages, not what
// their parts point to. Output shares untouched parts with the input and is clipped, so that an
// append to it cannot reach the caller's array. Hooks work on deep copies.
//
// # Concurrency
//
// Everything here is safe for concurrent use: pipelines, fixers and profiles hold no state. Two
// goroutines may sanitize the same history at once.
//
// # Performance
//
// The cost is linear in the history, whatever it holds. A valid history costs no allocation;
// docs/performance.md has figures.
package preflight
