package wire

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file says what was done about a body, as one line of JSON: the form of the command's
// reports, which services and data pipelines write too.

// Outcome is what was done about one body. It holds no message content, and its JSON form can be
// read back.
type Outcome struct {
	Provider string    `json:"provider"`
	Model    string    `json:"model"`
	Changed  bool      `json:"changed"`
	Warnings []Warning `json:"warnings"` // never nil, so that JSON has an array
	// Left is Result.Left: problems that were left alone because of a member.
	Left []Violation `json:"left,omitempty"`
	// Renamed is Result.Renamed: it maps the names of renamed tools to the declared ones.
	Renamed map[string]string `json:"renamed,omitempty"`
	Error   string            `json:"error,omitempty"`
	// Class says in one word why the body was not sanitized: "not-json", "not-a-request" (JSON, but
	// no request in a known format), "ambiguous" (it could be for several providers), "empty"
	// (nothing is left to send), "held" (only the server has the beginning of what was to be
	// converted), "hook" (a hook failed), "cancelled" (the context ended), or "unfixable" (any
	// other history that cannot be repaired).
	Class string `json:"class,omitempty"`
}

// OutcomeOf returns the outcome of a call of Sanitize or Convert. r may be nil.
func OutcomeOf(r *Result, err error) Outcome {
	out := Outcome{Warnings: []Warning{}}
	if r != nil {
		out.Provider, out.Model = r.Provider, shorten.Name(r.Model)
	}
	if err == nil && r != nil {
		out.Left = r.Left
	}
	if err != nil {
		out.Error, out.Class = err.Error(), classOf(err)
	} else if r != nil && r.Changed {
		out.Changed, out.Warnings = true, append(out.Warnings, r.Warnings...)
		out.Renamed = r.Renamed
	}
	return out
}

// classOf returns the class of an error of Sanitize.
func classOf(err error) string {
	switch {
	case errors.Is(err, ErrNotJSON):
		return "not-json"
	case errors.Is(err, ErrNotARequest):
		return "not-a-request"
	case errors.Is(err, ErrAmbiguousProvider):
		return "ambiguous"
	case errors.Is(err, preflight.ErrHook):
		return "hook"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "cancelled"
	case errors.Is(err, preflight.ErrEmptyHistory):
		return "empty"
	case errors.Is(err, ErrHeldHistory):
		return "held"
	}
	return "unfixable"
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (w *Warning) UnmarshalJSON(data []byte) error {
	var read warningJSON
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	w.Code, w.Rule, w.Path = read.Code, read.Rule, read.Path
	w.ToolCallID, w.Detail, w.Unbinds = read.ToolCallID, read.Detail, read.Unbinds
	return nil
}

// UnmarshalJSON reads what MarshalJSON wrote: the violation, without the tool and the error.
func (v *CallViolation) UnmarshalJSON(data []byte) error {
	var read Violation
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	v.Violation = read
	return nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (v *Violation) UnmarshalJSON(data []byte) error {
	var read violationJSON
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	v.Rule, v.Path, v.ToolCallID = read.Rule, read.Path, read.ToolCallID
	v.Detail, v.Member = read.Message, read.Member
	return nil
}
