package compact_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
)

func say(role preflight.Role, text string) preflight.Message {
	return preflight.Message{Role: role, Parts: []preflight.Part{&preflight.Text{Text: text}}}
}

// chatter is a conversation of n messages about seven topics.
func chatter(n int) []preflight.Message {
	h := make([]preflight.Message, n)
	for i := range h {
		role := preflight.RoleUser
		if i%2 == 1 {
			role = preflight.RoleAssistant
		}
		h[i] = say(role,
			fmt.Sprintf("message %d is about topic %d and the file src/topic%d.go", i, i/3%7,
				i/3%7))
	}
	return h
}

// isBudget reports whether an error says that the budget is too small.
func isBudget(err error) bool {
	var e *compact.BudgetError
	return errors.As(err, &e)
}

// extractive summarizes by extracting, but is asked as a model would be.
func extractive(_ context.Context, m compact.Material) (string, error) {
	return compact.Limits{}.Extract("", m.Budget, m.Inputs)[0], nil
}

// returns is a summarizer that knows what it says without reading.
func returns(f func() (string, error)) compact.Summarizer {
	return func(context.Context, compact.Material) (string, error) { return f() }
}
