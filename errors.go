package preflight

import (
	"errors"
	"fmt"
	"strings"
)

// This file is what can go wrong. Every error comes with the input back, unchanged.

// The sentinel errors; test for them with errors.Is.
var (
	// ErrEmptyHistory: there is no message to send, and making one up would send a request nobody
	// meant.
	ErrEmptyHistory = errors.New("the history is empty: there is nothing to send")
	// ErrUnfixable: rules are still broken after everything preflight can do. The error is an
	// *UnfixableError.
	ErrUnfixable = errors.New("the history cannot be repaired")
	// ErrAmbiguous: strict mode met corruption with more than one reading. The error is an
	// *AmbiguousError.
	ErrAmbiguous = errors.New("the history is ambiguous")
	// ErrHook: a hook failed or panicked. The error is a *HookError.
	ErrHook = errors.New("a hook failed")
	// ErrNoFixpoint: hooks or fixers of the caller's kept undoing each other's work for maxRounds
	// rounds.
	ErrNoFixpoint = errors.New("the fixers do not come to rest")
	// ErrTooLarge: a message is over Options.MaxBytes, and shortening its results and texts is not
	// enough. The error is a *SizeError.
	ErrTooLarge = errors.New("a message is too large to store")
	// ErrPipeline: the pipeline, or a hook, is not well formed.
	ErrPipeline = errors.New("the pipeline is not valid")
)

// errSilent is the cause of a HookError for a caller's fixer.
var errSilent = errors.New("the fixer changed messages without a warning")

// UnfixableError says which rules no repair can satisfy.
type UnfixableError struct {
	// Violations that are left, with positions in the repaired history that was given up.
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

// AmbiguousError lists the choices strict mode refused to make.
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

// HookError names the hook that failed, and the caller's message it failed on (-1 when it had the
// whole history).
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

// SizeError names the caller's message that does not fit, and how large it is with everything
// shortened that may be.
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

// quoteShort quotes a role or kind for a message, cut to a sane length.
func quoteShort(s string) string {
	const most = 40
	if len(s) > most {
		s = s[:most] + "…"
	}
	return `"` + cleanText(s) + `"`
}
