package compact

import (
	"maps"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/contain"
)

// This file contains the caller's functions: a panic in one is an error of the method that called
// it.

// containIn makes a fault the error of a strategy, which returns the history with an error.
func containIn(res *Result, history []preflight.Message, err *error) {
	if p := recover(); p != nil {
		*res, *err = Result{Messages: slices.Clip(history)}, contain.Fault(p)
	}
}

// pending reports whether a call waits by the options. The caller's function gets a copy.
func (l Limits) pending() func(*preflight.ToolCall) bool {
	if l.Options == nil || l.Options.OpenCall == nil {
		return func(*preflight.ToolCall) bool { return false }
	}
	return func(c *preflight.ToolCall) bool {
		defer contain.Guard("function Options.OpenCall")
		_, waits := l.Options.OpenCall(copied(c)).(*preflight.ToolCall)
		return waits
	}
}

// copied returns a copy of a call that shares no memory with it.
func copied(c *preflight.ToolCall) *preflight.ToolCall {
	out := preflight.CopyPart(c).(*preflight.ToolCall)
	out.Input, out.Cache = slices.Clone(c.Input), slices.Clone(c.Cache)
	out.Native.JSON, out.Meta = slices.Clone(c.Native.JSON), maps.Clone(c.Meta)
	for k, v := range out.Meta {
		out.Meta[k] = slices.Clone(v)
	}
	return out
}
