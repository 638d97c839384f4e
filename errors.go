package preflight

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-preflight/preflight/internal/validtext"
)

// This file defines the errors. With every error the input is returned unchanged.

// The sentinel errors; test for them with errors.Is.
var (
	// ErrEmptyHistory: the history has no message to send, and preflight does not invent one.
	ErrEmptyHistory = errors.New("the history is empty: there is nothing to send")
	// ErrUnfixable: the repaired history still violates rules. The error is an
	// *Error with Violations.
	ErrUnfixable = errors.New("the history cannot be repaired")
	// ErrAmbiguous: strict mode refused a repair that had alternatives. The error is an
	// *Error with Choices.
	ErrAmbiguous = errors.New("the history is ambiguous")
	// ErrHook: a hook failed or panicked. The error is an *Error with Hook.
	ErrHook = errors.New("a hook failed")
	// ErrNoFixpoint: fixers or hooks still changed the history after 10 rounds, for example because
	// they undo each other's changes.
	ErrNoFixpoint = errors.New("the fixers do not reach a fixpoint")
	// ErrPipeline: the pipeline or a hook is not well formed, or an option has an unknown value.
	ErrPipeline = errors.New("the pipeline is not valid")
)

// errSilent is the cause of the error about a caller's fixer.
var errSilent = errors.New("it changed messages without a warning")

// Error is an error with details: which rules are broken, which choices there were, or where a hook
// failed. errors.Is finds its sentinel and its cause.
type Error struct {
	// Reason is ErrUnfixable, ErrAmbiguous, ErrHook or stored.ErrTooLarge.
	Reason error
	// Violations are the rules that no repair could satisfy (ErrUnfixable), with positions in the
	// discarded repaired history.
	Violations []Violation
	// Choices are the repairs that strict mode refused to choose (ErrAmbiguous).
	Choices []Warning
	// Hook is the name of the hook, the fixer or the function of Options that failed (ErrHook).
	Hook string
	// Message is the index of the caller's message that the hook failed on, or that is too large;
	// -1 when the error is not about one message.
	Message int
	// Err is the cause, or nil: the hook's own error.
	Err error
}

// Error names the first violation, the first choices, or the hook and the message.
func (e *Error) Error() string {
	switch {
	case e.Err == errSilent:
		return fmt.Sprintf("fixer %q: %v", e.Hook, e.Err)
	case e.Reason == ErrHook && e.Message < 0:
		return fmt.Sprintf("hook %q failed on the history: %v", e.Hook, e.Err)
	case e.Reason == ErrHook:
		return fmt.Sprintf("hook %q failed on messages[%d]: %v", e.Hook, e.Message, e.Err)
	case e.Message >= 0 && e.Err != nil:
		return fmt.Sprintf("%v: messages[%d] %v", e.Reason, e.Message, e.Err)
	}
	var b strings.Builder
	fmt.Fprint(&b, e.Reason)
	if len(e.Violations) > 0 {
		v := e.Violations[0]
		fmt.Fprintf(&b, ": %s: %s (%s)", v.At, v.Detail, v.Rule)
		writeMore(&b, len(e.Violations)-1)
	}
	for k, w := range e.Choices {
		if k == 3 {
			writeMore(&b, len(e.Choices)-k)
			break
		}
		fmt.Fprintf(&b, "; at %s preflight would have %s", w.At, w.Detail)
	}
	return b.String()
}

func writeMore(b *strings.Builder, n int) {
	if n > 0 {
		fmt.Fprintf(b, ", and %d more", n)
	}
}

// Unwrap returns the reason and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Reason}
	}
	return []error{e.Reason, e.Err}
}

// hookError returns the error of a hook on a message of the caller, or none for the whole history.
func hookError(name string, message int, cause error) *Error {
	return &Error{Reason: ErrHook, Hook: name, Message: message, Err: cause}
}

// quoteShort quotes a role or kind for an error message, shortened to 40 bytes.
func quoteShort(s string) string {
	const most = 40
	if len(s) > most {
		s = s[:most] + "…"
	}
	return `"` + validtext.Clean(s) + `"`
}
