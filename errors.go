package preflight

import (
	"errors"
	"fmt"
	"strings"
)

// This file defines the errors. With every error the input is returned unchanged.

// The sentinel errors; test for them with errors.Is.
var (
	// ErrEmptyHistory: the history has no message to send, and preflight does not invent one.
	ErrEmptyHistory = errors.New("the history is empty: there is nothing to send")
	// ErrUnfixable: the repaired history still violates rules. The error is an *UnfixableError.
	ErrUnfixable = errors.New("the history cannot be repaired")
	// ErrAmbiguous: strict mode refused a repair that had alternatives. The error is an
	// *AmbiguousError.
	ErrAmbiguous = errors.New("the history is ambiguous")
	// ErrHook: a hook failed or panicked. The error is a *HookError.
	ErrHook = errors.New("a hook failed")
	// ErrNoFixpoint: fixers or hooks still changed the history after 10 rounds, for example because
	// they undo each other's changes.
	ErrNoFixpoint = errors.New("the fixers do not come to rest")
	// ErrTooLarge: a message is over Options.MaxBytes, and shortening its results and texts is not
	// enough. The error is a *SizeError.
	ErrTooLarge = errors.New("a message is too large to store")
	// ErrPipeline: the pipeline, or a hook, is not well formed.
	ErrPipeline = errors.New("the pipeline is not valid")
)

// errSilent is the cause of a HookError for a caller's fixer.
var errSilent = errors.New("the fixer changed messages without a warning")

// UnfixableError lists the rules that no repair could satisfy.
type UnfixableError struct {
	// Violations that are left, with positions in the discarded repaired history.
	Violations []Violation
}

// Error names the first rule left and how many more there are.
func (e *UnfixableError) Error() string {
	if len(e.Violations) == 0 {
		return ErrUnfixable.Error()
	}
	v := e.Violations[0]
	msg := fmt.Sprintf("%v: %s: %s (%s)", ErrUnfixable, v.At, v.Detail, v.Rule)
	if more := len(e.Violations) - 1; more > 0 {
		msg += fmt.Sprintf(", and %d more", more)
	}
	return msg
}

// Is makes errors.Is(err, ErrUnfixable) true.
func (e *UnfixableError) Is(target error) bool { return target == ErrUnfixable }

// AmbiguousError lists the choices that strict mode refused to make.
type AmbiguousError struct {
	Choices []Warning // what preflight would have done
}

// Error names the choices.
func (e *AmbiguousError) Error() string {
	var b strings.Builder
	b.WriteString(ErrAmbiguous.Error())
	for k, w := range e.Choices {
		if k == 3 {
			fmt.Fprintf(&b, ", and %d more", len(e.Choices)-k)
			break
		}
		fmt.Fprintf(&b, "; at %s preflight would have %s", w.At, w.Detail)
	}
	return b.String()
}

// Is makes errors.Is(err, ErrAmbiguous) true.
func (e *AmbiguousError) Is(target error) bool { return target == ErrAmbiguous }

// HookError names the hook that failed and the index of the caller's message it failed on, -1 for a
// hook on the whole history.
type HookError struct {
	Hook    string
	Message int
	Err     error
}

// Error names hook, message and cause.
func (e *HookError) Error() string {
	if e.Message < 0 {
		return fmt.Sprintf("hook %q failed on the history: %v", e.Hook, e.Err)
	}
	return fmt.Sprintf("hook %q failed on messages[%d]: %v", e.Hook, e.Message, e.Err)
}

// Is makes errors.Is(err, ErrHook) true.
func (e *HookError) Is(target error) bool { return target == ErrHook }

// Unwrap gives the hook's own error.
func (e *HookError) Unwrap() error { return e.Err }

// SizeError reports the index of the caller's message that does not fit, and its size after
// shortening.
type SizeError struct {
	Message     int
	Size, Limit int // bytes of its JSON form
}

// Error names the message and both sizes.
func (e *SizeError) Error() string {
	return fmt.Sprintf("%v: messages[%d] takes %d bytes "+
		"with everything shortened that may be, and the limit is %d",
		ErrTooLarge, e.Message, e.Size, e.Limit)
}

// Is makes errors.Is(err, ErrTooLarge) true.
func (e *SizeError) Is(target error) bool { return target == ErrTooLarge }

// quoteShort quotes a role or kind for an error message, shortened to 40 bytes.
func quoteShort(s string) string {
	const most = 40
	if len(s) > most {
		s = s[:most] + "…"
	}
	return `"` + cleanText(s) + `"`
}
