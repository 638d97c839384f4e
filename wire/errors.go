package wire

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/nearest"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file defines the errors for bodies that cannot be read as requests.

// The sentinel errors; test for them with errors.Is. Each is the Reason of an *Error.
var (
	// ErrNotARequest: the body is not JSON, not a request, or in a format this package does not
	// speak. The next four wrap it.
	ErrNotARequest = errors.New("not a request body")
	// ErrNotJSON: the body is not JSON.
	ErrNotJSON = fmt.Errorf("%w: not JSON", ErrNotARequest)
	// ErrOtherFormat: the body is in another format than the named provider's. Repaired in the
	// wrong format it would lose content; Convert rewrites it.
	ErrOtherFormat = fmt.Errorf("%w: another format", ErrNotARequest)
	// ErrStoredForm: the body is a history in the form in which a program stores it.
	ErrStoredForm = fmt.Errorf("%w: a stored form", ErrNotARequest)
	// ErrUnknownProvider: this version does not support the named or detected format.
	ErrUnknownProvider = fmt.Errorf("%w: unknown provider", ErrNotARequest)
	// ErrAmbiguousProvider: the body does not show whose format it is in.
	ErrAmbiguousProvider = errors.New("the provider is ambiguous")
	// ErrHeldHistory: the body continues a history that only another server has, so that it cannot
	// be converted, or sent to a host that would answer it as if nothing were missing. Path is the
	// member that says so. Convert, or send, the whole history instead.
	ErrHeldHistory = errors.New("the server holds the beginning of the history")
	// ErrEncode: a message given to Encode holds a part that has no form in the format.
	ErrEncode = errors.New("the part has no form in this format")
)

// Error is the error for a body that cannot be read, or a part that cannot be written. errors.Is
// finds its reason. The zero value of a field means that it says nothing.
type Error struct {
	// Reason is one of the sentinel errors.
	Reason error
	// Path is the place of the wrong value in the body or the options; "" is the whole body.
	Path string
	// Offset, Line and Column are the place for ErrNotJSON: bytes from 0, and counts from 1.
	Offset, Line, Column int
	// Providers are the candidates (ErrAmbiguousProvider), the unknown one (ErrUnknownProvider), or
	// the one that was named and the one whose format the body shows (ErrOtherFormat).
	Providers []string
	// Detail says in words what is there (ErrNotJSON, ErrStoredForm), what is wanted
	// (ErrNotARequest), or what part it is (ErrEncode). It is not API, and quotes no content.
	Detail string

	subject string // says what is wrong in place of the Reason, where it is no request body
}

// Error says what is wrong and where; it quotes no content.
func (e *Error) Error() string {
	switch e.Reason {
	case ErrNotJSON:
		return fmt.Sprintf("not JSON: line %d, column %d: %s", e.Line, e.Column, e.Detail)
	case ErrOtherFormat:
		if len(e.Providers) == 2 {
			return fmt.Sprintf("%v for %s: %s shows the format of %s", ErrNotARequest,
				e.Providers[0], e.Path, e.Providers[1])
		}
	case ErrStoredForm:
		if e.Path == "" {
			return fmt.Sprintf("%v: it is %s", ErrNotARequest, e.Detail)
		}
		return fmt.Sprintf("%v: %s shows that it is %s", ErrNotARequest, e.Path, e.Detail)
	case ErrUnknownProvider:
		name := strings.Join(e.Providers, " ")
		near := alsoKnown[strings.ToLower(name)]
		if near == "" {
			near = nearest.Name(name, slices.Concat(Providers(), Vendors()))
		}
		if near != "" {
			return fmt.Sprintf("unknown provider %q (did you mean %q?)", name, near)
		}
		return fmt.Sprintf("unknown provider %q; this version supports %s, and the vendors %s",
			name, strings.Join(Providers(), ", "), strings.Join(Vendors(), ", "))
	case ErrAmbiguousProvider:
		return fmt.Sprintf("%v: the body could be meant for %s; name the provider",
			ErrAmbiguousProvider, strings.Join(e.Providers, " or "))
	case nil:
		return ErrNotARequest.Error()
	}
	text := e.Reason.Error()
	if e.subject != "" {
		text = e.subject
	}
	for _, more := range []string{e.Path, e.Detail} {
		if more != "" {
			text += ": " + more
		}
	}
	return text
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Reason }

// syntaxError converts the scanner's error.
func syntaxError(err error) error {
	var s *jsonscan.SyntaxError
	if !errors.As(err, &s) {
		return fmt.Errorf("%w: %w", ErrNotARequest, err)
	}
	return &Error{
		Reason: ErrNotJSON, Offset: s.Offset, Line: s.Line, Column: s.Column, Detail: s.Msg,
	}
}

// wrongShape returns the error for a JSON value that is no request.
func wrongShape(path, want string) *Error {
	return &Error{Reason: ErrNotARequest, Path: path, Detail: "want " + want}
}

// wrongOption returns the error for a field of RequestOptions that makes no request.
func wrongOption(field, want string) *Error {
	return &Error{
		Reason: ErrNotARequest, Path: field, Detail: "want " + want, subject: "RequestOptions",
	}
}

// notAResponse returns the error for a body that is no answer of a provider.
func notAResponse(provider, path, detail string) *Error {
	return &Error{
		Reason: ErrNotARequest, Path: path, Detail: detail, subject: "not a response of " + provider,
	}
}

func otherFormat(named, shown, path string) *Error {
	return &Error{Reason: ErrOtherFormat, Path: path, Providers: []string{named, shown}}
}

func inStoredForm(form, path string) *Error {
	return &Error{Reason: ErrStoredForm, Path: path, Detail: form}
}

func unknownProvider(name string) *Error {
	return &Error{Reason: ErrUnknownProvider, Providers: []string{name}}
}

func ambiguousProvider(candidates ...string) *Error {
	return &Error{Reason: ErrAmbiguousProvider, Providers: candidates}
}

// noForm returns the error for a part that the format cannot represent.
func noForm(what string) *Error { return &Error{Reason: ErrEncode, Detail: what} }

// noFormOf is noForm for a kind that is a value of the history: it is named only if it has the form
// of a name.
func noFormOf(kind string) *Error {
	if shorten.ID(kind) != kind {
		kind = ""
	}
	return noForm(kind)
}

// alsoKnown are other names of providers, for those who misname one: those of their models and
// products.
var alsoKnown = map[string]string{
	"claude": "anthropic", "gpt": "openai-chat", "chatgpt": "openai-chat", "codex": "openai-responses",
	"google": "gemini", "aws": "bedrock", "amazon": "bedrock", "grok": "xai", "kimi": "moonshot",
	"zhipu": "glm", "doubao": "volcengine",
}
