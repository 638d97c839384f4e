package preflight

import "context"

// This file repairs tool calls that were interrupted, and nothing else.

// InterruptedOptions are the options of RepairInterrupted: dangling calls are answered, so that the model sees that it made
// the call and what became of it, and does not make it again unasked.
func InterruptedOptions() Options { return Options{Dangling: DanglingAnswer} }

var interruptedFixers = []Fixer{PairToolCalls, RepairArguments}

// RepairInterrupted gives every tool call in a stored history its result and arguments that are an object, and leaves
// everything else as it is: nothing is merged, dropped or reordered. The history may end with an open call.
//
// A call is settled when a result stands behind its turn. It is left open when it says that it awaits an approval or the
// client, or when Options.Pending says so, which is where the caller's own idea of settled goes. What is left is interrupted:
// it goes to Options.Interrupted first, which may put another part in its place (a question becomes text) or answer it, and
// then to Options.Dangling. A late result that stands further back moves to its call.
//
// Nil options are InterruptedOptions. Of the options, Dangling, DanglingText, Orphans, Duplicates, Pending, Interrupted,
// Strict and Hooks count. Result.CallIDs and Result.Count report what was done: CodeDanglingAnswered,
// CodeDanglingReplaced and CodeDanglingRemoved are the repaired calls, CodeArgumentsRepaired the normalised inputs.
//
// history is never written to. The error, with the input back unchanged, is or wraps ErrHook, ErrAmbiguous or ErrPipeline.
// The cost is linear in the history.
func RepairInterrupted(ctx context.Context, history []Message, options *Options) (Result, error) {
	if options == nil {
		o := InterruptedOptions()
		options = &o
	}
	p := preset{fixers: interruptedFixers, profile: &Profile{ObjectArguments: true}}
	return p.run(ctx, history, options)
}

// interrupted is what the caller gives for a call without a result: a part to take its place, or a result that answers it.
// A tool call or reasoning is neither.
func (o *Options) interrupted(call *ToolCall) (part Part, result *ToolResult) {
	if o.Interrupted == nil {
		return nil, nil
	}
	part = o.Interrupted(clonePart(call).(*ToolCall))
	if isNil(part) {
		return nil, nil
	}
	switch p := part.(type) {
	case *ToolResult:
		return nil, edited(p, func(x *ToolResult) {
			x.CallID, x.Name, x.ProviderExecuted = call.ID, or(x.Name, call.Name), false
		})
	case *ToolCall, *Reasoning:
		return nil, nil
	}
	return part, nil
}

// waitingResult is the placeholder that answers a call which waits on purpose.
func (o *Options) waitingResult(call *ToolCall) *ToolResult {
	return &ToolResult{
		CallID: call.ID, Name: call.Name, Content: []Part{&Text{Text: o.waitingText(call)}}, Variant: call.Variant,
	}
}

// errorResult is the error result that answers a call which has none.
func (o *Options) errorResult(call *ToolCall) *ToolResult {
	return &ToolResult{CallID: call.ID, Name: call.Name, IsError: true, Content: []Part{&Text{Text: o.danglingText()}}, Variant: call.Variant}
}
