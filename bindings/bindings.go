// Package bindings is preflight for other languages: three functions whose input and output are
// bytes. The command cshared makes a C library of it, which Python and others load; the command
// wasm makes a WebAssembly module for JavaScript. docs/bindings.md has an example for each.
package bindings

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/explain"
	"github.com/go-preflight/preflight/wire"
)

// The statuses of Fix and Check, which are the command's exit codes.
const (
	OK    = 0
	Wrong = 1 // the history cannot be repaired; violations were found
	Usage = 2 // wrong options, or a body that is no request
)

// Fix repairs a request body. options is the JSON of a wire.Options, or empty. It returns the body
// to send, which is the given one where nothing had to change and after an error, and a report: the
// JSON of a wire.Outcome.
func Fix(body, options []byte) (fixed, report []byte, status int) {
	o, err := optionsOf(options)
	if err != nil {
		return body, failure(err), Usage
	}
	result, err := wire.Sanitize(context.Background(), body, o)
	report = encoded(wire.OutcomeOf(result, err))
	switch {
	case err == nil:
		return result.Body, report, OK
	case unreadable(err):
		return body, report, Usage
	}
	return body, report, Wrong
}

// Check says what is wrong with a request body: a JSON object with "provider", "model" and
// "violations", or with "error". options are as for Fix.
func Check(body, options []byte) (report []byte, status int) {
	o, err := optionsOf(options)
	if err != nil {
		return failure(err), Usage
	}
	found, err := wire.Check(body, o)
	switch {
	case err != nil && unreadable(err):
		return failure(err), Usage
	case err != nil:
		return failure(err), Wrong
	}
	out := struct {
		Provider   string           `json:"provider"`
		Model      string           `json:"model"`
		Violations []wire.Violation `json:"violations"`
	}{found.Provider, found.Model, found.Violations}
	if len(found.Violations) > 0 {
		return encoded(out), Wrong
	}
	out.Violations = []wire.Violation{}
	return encoded(out), OK
}

// Explain says what the error text of a provider means: a JSON object with "rule", "statement",
// "class" and "sources", and the status Wrong where no rule is known.
func Explain(text []byte) (report []byte, status int) {
	e, ok := explain.Text(string(text))
	if !ok {
		return failure(fmt.Errorf("no rule is known that this text is about")), Wrong
	}
	return encoded(struct {
		Rule      string   `json:"rule"`
		Provider  string   `json:"provider"`
		Statement string   `json:"statement"`
		Class     string   `json:"class"`
		Sources   []string `json:"sources"`
	}{e.Rule.ID, e.Rule.Provider, e.Rule.Statement, string(e.Class), sourcesOf(&e.Rule)}), OK
}

// WrongArgument is the report about an argument, from 0, that is of another kind than bytes.
func WrongArgument(k int) (report []byte) {
	return failure(fmt.Errorf("argument %d is not a Uint8Array", k+1))
}

func sourcesOf(r *rule.Rule) []string {
	out := []string{}
	return append(out, r.Sources...)
}

func optionsOf(text []byte) (*wire.Options, error) {
	o := new(wire.Options)
	if len(text) == 0 {
		return o, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(o); err != nil {
		return nil, fmt.Errorf("the options: %w", err)
	}
	return o, nil
}

// unreadable reports whether an error is about a body that is no request.
func unreadable(err error) bool {
	return errors.Is(err, wire.ErrNotARequest) || errors.Is(err, wire.ErrAmbiguousProvider)
}

func failure(err error) []byte {
	return encoded(struct {
		Error string `json:"error"`
	}{err.Error()})
}

// encoded is the JSON of plain data.
func encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // plain data
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
