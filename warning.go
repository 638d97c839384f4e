package preflight

import (
	"log/slog"
	"strconv"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/rule"
)

// This file is what preflight says about its work: where (Position), what was wrong (Problem,
// Violation), and what was done about it (Code, Warning).

// Position names a place in the history the caller handed in. Part and Inner are -1 when the place
// is a whole message, or a whole part. Inner counts the parts inside a tool result.
type Position struct {
	Message int `json:"message"`
	Part    int `json:"part"`
	Inner   int `json:"inner"`
}

// String spells the position as a path, such as messages[3].parts[1].content[0].
func (p Position) String() string {
	b := make([]byte, 0, 40)
	b = append(b, "messages["...)
	b = strconv.AppendInt(b, int64(p.Message), 10)
	b = append(b, ']')
	if p.Part >= 0 {
		b = append(b, ".parts["...)
		b = strconv.AppendInt(b, int64(p.Part), 10)
		b = append(b, ']')
	}
	if p.Inner >= 0 {
		b = append(b, ".content["...)
		b = strconv.AppendInt(b, int64(p.Inner), 10)
		b = append(b, ']')
	}
	return string(b)
}

// Code says what a warning's change did; package codes has them all.
type Code = codes.Code

// Warning reports one change.
type Warning struct {
	Code Code
	Rule string // id of the provider rule the change serves, "" when it serves none (a hook, a size limit)
	// in the caller's input; an inserted turn has the position of the message it stands before
	At Position
	// as the caller spelled it, when the change is about a tool call or its result
	ToolCallID string
	Detail     string // a verb phrase for people; not API, and never message content
	Ambiguous  bool   // the history allowed another reading: strict mode refuses instead
	Removed    Tally  // content that is gone through this change
	Added      Tally  // content that was not there before
}

// LogValue lets slog print the warning. It carries no message content.
func (w Warning) LogValue() slog.Value {
	attrs := []slog.Attr{slog.String("code", string(w.Code)), slog.String("at", w.At.String()), slog.String("detail", w.Detail)}
	if w.Rule != "" {
		attrs = append(attrs, slog.String("rule", w.Rule))
	}
	if w.ToolCallID != "" {
		attrs = append(attrs, slog.String("tool_call_id", w.ToolCallID))
	}
	return slog.GroupValue(attrs...)
}

// Problem names what is wrong with a history; package rule has them all.
type Problem = rule.Problem

// Violation is one breach of a profile's rules, found by Check.
type Violation struct {
	Problem    Problem
	Rule       string // the provider rule's id
	At         Position
	ToolCallID string
	Detail     string // what is wrong, for people; not API, and never message content
}

// LogValue lets slog print the violation. It carries no message content.
func (v Violation) LogValue() slog.Value {
	return slog.GroupValue(slog.String("rule", v.Rule), slog.String("at", v.At.String()), slog.String("detail", v.Detail))
}
