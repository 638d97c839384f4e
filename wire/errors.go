package wire

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file defines the errors for bodies that cannot be read as requests.

// The sentinel errors; test for them with errors.Is.
var (
	// ErrNotARequest: the body is not JSON, not a request, or in a format this package does not
	// speak. The error is a *SyntaxError, *ShapeError, *MismatchError, *StoredFormError or
	// *UnknownProviderError.
	ErrNotARequest = errors.New("not a request body")
	// ErrAmbiguousProvider: the body does not show whose format it is in. The error is an
	// *AmbiguousProviderError.
	ErrAmbiguousProvider = errors.New("the provider is ambiguous")
	// ErrEncode: a message given to Encode holds a part that has no form in the format. The error
	// is an *EncodeError.
	ErrEncode = errors.New("the part has no form in this format")
)

// SyntaxError is the error for a body that is not JSON. Offset counts bytes from 0; Line and Column
// count from 1.
type SyntaxError struct {
	Offset, Line, Column int
	Msg                  string // what is there and what was expected; not API
}

// Error gives the position and the message; it quotes no content.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not JSON: line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// Is makes errors.Is(err, ErrNotARequest) true.
func (e *SyntaxError) Is(target error) bool { return target == ErrNotARequest }

// syntaxError converts the scanner's error.
func syntaxError(err error) error {
	var s *jsonscan.SyntaxError
	if !errors.As(err, &s) {
		return fmt.Errorf("%w: %w", ErrNotARequest, err)
	}
	return &SyntaxError{Offset: s.Offset, Line: s.Line, Column: s.Column, Msg: s.Msg}
}

// ShapeError is the error for a JSON value that is no request. Path is the place of the wrong value
// ("" for the whole body), Want the expected value, in words.
type ShapeError struct {
	Path string
	Want string
}

// Error names place and want.
func (e *ShapeError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("%v: want %s", ErrNotARequest, e.Want)
	}
	return fmt.Sprintf("%v: %s: want %s", ErrNotARequest, e.Path, e.Want)
}

// Is makes errors.Is(err, ErrNotARequest) true.
func (e *ShapeError) Is(target error) bool { return target == ErrNotARequest }

// MismatchError is the error for a body in another format than the named provider's. Repaired in
// the wrong format it would lose content; Convert rewrites it.
type MismatchError struct {
	Provider string // the one named
	Format   string // the format that the body shows
	Path     string // where it shows
}

// Error names both, and the place.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("%v for %s: %s shows the format of %s", ErrNotARequest, e.Provider, e.Path,
		e.Format)
}

// Is makes errors.Is(err, ErrNotARequest) true.
func (e *MismatchError) Is(target error) bool { return target == ErrNotARequest }

// StoredFormError is the error for a history in the form in which a program stores it, which is no
// request.
type StoredFormError struct {
	Form string // what it is, in words; not API
	Path string // where it shows, "" for the whole body
}

// Error names the form.
func (e *StoredFormError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("%v: it is %s", ErrNotARequest, e.Form)
	}
	return fmt.Sprintf("%v: %s shows that it is %s", ErrNotARequest, e.Path, e.Form)
}

// Is makes errors.Is(err, ErrNotARequest) true.
func (e *StoredFormError) Is(target error) bool { return target == ErrNotARequest }

// AmbiguousProviderError is the error for a body that could be meant for any of Candidates.
type AmbiguousProviderError struct {
	Candidates []string
}

// Error lists the candidates and what to do.
func (e *AmbiguousProviderError) Error() string {
	return fmt.Sprintf("%v: the body could be meant for %s; name the provider",
		ErrAmbiguousProvider, strings.Join(e.Candidates, " or "))
}

// Is makes errors.Is(err, ErrAmbiguousProvider) true.
func (e *AmbiguousProviderError) Is(target error) bool { return target == ErrAmbiguousProvider }

// UnknownProviderError is the error for a format that this version does not support: an unknown
// name, or one that a body shows.
type UnknownProviderError struct {
	Provider string
}

// Error names the format, and the formats, dialects and vendors that are known.
func (e *UnknownProviderError) Error() string {
	return fmt.Sprintf("unknown provider %q; this version supports %s, and the vendors %s",
		e.Provider, strings.Join(Providers(), ", "), strings.Join(Vendors(), ", "))
}

// Is makes errors.Is(err, ErrNotARequest) true.
func (e *UnknownProviderError) Is(target error) bool { return target == ErrNotARequest }

// EncodeError is the error for a part that the format cannot represent, such as an unknown kind of
// part from another format. Kind is the kind of the part.
type EncodeError struct {
	Kind string

	quoted bool // Kind is a value of the history
}

// Error names the kind. One that is a value of the history is named only if it has the form of a
// name.
func (e *EncodeError) Error() string {
	if e.quoted && shorten.ID(e.Kind) != e.Kind {
		return ErrEncode.Error()
	}
	return fmt.Sprintf("%v: %s", ErrEncode, e.Kind)
}

// Is makes errors.Is(err, ErrEncode) true.
func (e *EncodeError) Is(target error) bool { return target == ErrEncode }
