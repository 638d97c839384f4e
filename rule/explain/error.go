package explain

import (
	"errors"
	"fmt"
	"strings"
)

// maxErrors bounds how many errors of a tree are looked at.
const maxErrors = 64

// Error is [Text] for an error as an SDK returns it. Some SDKs print the status alone and
// keep the provider's words in a method, so besides Error of err, and of every error that it wraps,
// it reads what these methods return, where they are there:
//
//	RawJSON() string                            openai-go, anthropic-sdk-go
//	ErrorCode() string, ErrorMessage() string   aws-sdk-go-v2
//
// No SDK is imported for it. ok is false for a nil error, and when the words are none that are
// known. A method that panics is taken to say nothing.
func Error(err error) (e Explanation, ok bool) {
	var words strings.Builder
	queue := []error{err}
	for n := 0; len(queue) > 0 && n < maxErrors; n++ {
		err, queue = queue[0], queue[1:]
		if err == nil {
			continue
		}
		said(&words, func() string { return err.Error() })
		if x, ok := err.(interface{ RawJSON() string }); ok {
			said(&words, x.RawJSON)
		}
		if x, ok := err.(interface {
			ErrorCode() string
			ErrorMessage() string
		}); ok {
			said(&words, func() string { return x.ErrorCode() + ": " + x.ErrorMessage() })
		}
		queue = append(queue, wrapped(err)...)
	}
	if words.Len() == 0 {
		return Explanation{}, false
	}
	return Text(words.String())
}

// said appends what a method of a stranger's error returns, unless it is there already.
func said(words *strings.Builder, method func() string) {
	defer func() { _ = recover() }()
	text := strings.TrimSpace(method())
	if text == "" || words.Len() > maxText || strings.Contains(words.String(), text) {
		return
	}
	fmt.Fprintf(words, "%s\n", text)
}

// wrapped returns the errors that err wraps.
func wrapped(err error) (inner []error) {
	defer func() {
		if recover() != nil {
			inner = nil
		}
	}()
	if x, ok := err.(interface{ Unwrap() []error }); ok {
		return x.Unwrap()
	}
	return []error{errors.Unwrap(err)}
}
