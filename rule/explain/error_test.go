package explain_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule/explain"
)

// quietError prints the status alone and keeps the body for RawJSON, as openai-go's errors do.
type quietError struct{ raw string }

func (e *quietError) Error() string {
	return `POST "https://api.example/v1/chat/completions": 400 Bad Request`
}
func (e *quietError) RawJSON() string { return e.raw }

// apiError has the methods of the errors of aws-sdk-go-v2.
type apiError struct{ code, message string }

func (e apiError) Error() string        { return "operation error: " + e.code }
func (e apiError) ErrorCode() string    { return e.code }
func (e apiError) ErrorMessage() string { return e.message }

// rudeError panics whenever it is asked for anything.
type rudeError struct{}

func (rudeError) Error() string   { panic("Error") }
func (rudeError) RawJSON() string { panic("RawJSON") }
func (rudeError) Unwrap() error   { panic("Unwrap") }

// selfError wraps itself.
type selfError struct{}

func (e selfError) Error() string { return "round and round" }
func (e selfError) Unwrap() error { return e }

func TestError(t *testing.T) {
	const orphan = `{"error":{"message":"messages: text content blocks must be non-empty"}}`
	blank := apiError{
		"ValidationException",
		"The text field in the ContentBlock object at messages.0.content.0 is blank. Add text to " +
			"the text field, and try again.",
	}
	for _, test := range []struct {
		reason string
		err    error
		id     string
	}{
		{"the words of Error", errors.New("messages: text content blocks must be non-empty"),
			"anthropic/empty-text-block"},
		{"the body of an error that prints its status", &quietError{orphan},
			"anthropic/empty-text-block"},
		{"wrapped", fmt.Errorf("turn 3: %w", &quietError{orphan}), "anthropic/empty-text-block"},
		{"joined", errors.Join(errors.New("first"), fmt.Errorf("call: %w", blank)),
			"bedrock/blank-text"},
		{"after one that panics", errors.Join(rudeError{}, blank), "bedrock/blank-text"},
	} {
		e, ok := explain.Error(test.err)
		require.True(t, ok, test.reason)
		require.Equal(t, explain.ClassHistory, e.Class, test.reason)
		require.Equal(t, test.id, e.Rule.ID, test.reason)
	}
	for _, err := range []error{
		nil,
		errors.New(""),
		rudeError{},
		selfError{},
		(*quietError)(nil),
		errors.Join(),
	} {
		_, ok := explain.Error(err)
		require.False(t, ok)
	}
	e, ok := explain.Error(&quietError{`{"error":{"code":"context_length_exceeded"}}`})
	require.True(t, ok)
	require.Equal(t, explain.ClassContextLength, e.Class)
}
