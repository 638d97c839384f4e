package wire

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/contain"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file checks the calls of a history against the schemas of the declared tools.

// CallViolation is a call whose arguments do not satisfy the schema that the request declares for
// its tool.
type CallViolation struct {
	Violation
	// Tool is the name of the tool.
	Tool string
	// Err is what the validator returned. Unlike Detail, it may quote the arguments.
	Err error
}

// CheckCalls reports the calls in a request body whose arguments do not satisfy the JSON schema of
// their tool, in order, and changes nothing. Providers accept such calls, but the model reads them
// as examples of how the tool is called.
//
// validate reports whether arguments, a JSON object, satisfy schema, a JSON schema; it is a
// function of the caller's, around a library for JSON schemas. It is called once for each call,
// with the same bytes of schema for each call of a tool, so that it can cache what it makes of
// them. What it is given is a copy, which it must not change. The types of Gemini's schemas are
// written as JSON Schema has them.
//
// Calls of tools without a declared schema, of custom tools, calls that the provider ran, and
// arguments that are no JSON object, which Check reports, are not checked. The error is as for
// Check, or preflight.ErrHook if validate panics. The cost is linear in the body, apart from
// validate.
func CheckCalls(
	body []byte, options *Options, validate func(schema, arguments json.RawMessage) error,
) ([]CallViolation, error) {
	if options == nil {
		options = &Options{}
	}
	r, err := Decode(body, options)
	if err != nil || validate == nil || !r.whole() {
		return nil, err
	}
	schemas := r.declaredSchemas()
	var out []CallViolation
	for i := range r.Messages {
		for j, p := range r.Messages[i].Parts {
			c, ok := p.(*preflight.ToolCall)
			if !ok || c.ProviderExecuted || c.Variant != "" ||
				valueOf(c.Input).Kind() != jsonscan.Object {
				continue
			}
			schema, declared := schemas[c.Name]
			if !declared {
				continue
			}
			wrong, err := validateSafely(validate, schema, c.Input)
			if err != nil {
				err.Message = i
				return nil, err
			}
			if wrong != nil {
				at := preflight.At(i, j)
				out = append(out, CallViolation{Tool: c.Name, Err: wrong, Violation: Violation{
					Path: r.Path(at),
					Violation: preflight.Violation{
						Problem: problems.Arguments, Rule: ruleCallSchema, At: at, ToolCallID: c.ID,
						Detail: "the arguments do not satisfy the schema of the tool",
					},
				}})
			}
		}
	}
	return out, nil
}

// ruleCallSchema is the rule of CheckCalls, which is no provider's.
const ruleCallSchema = "preflight/arguments-schema"

// validateSafely calls validate and turns a panic into an error, which does not quote its value.
func validateSafely(
	validate func(schema, arguments json.RawMessage) error, schema, arguments json.RawMessage,
) (wrong error, failed *preflight.Error) {
	defer func() {
		if p := recover(); p != nil {
			failed = contain.Error("validate", "function", p).(*preflight.Error)
		}
	}()
	return validate(slices.Clip(schema), bytes.Clone(arguments)), nil
}

// declaredSchemas has the schema of each tool that the body declares with one. Of two declarations
// the first counts.
func (r *Request) declaredSchemas() map[string]json.RawMessage {
	shape := shapeOf(r.format.name)
	tools, _ := shape.read(r.root)
	schemas := make(map[string]json.RawMessage, len(tools))
	for _, t := range tools {
		name := valueOf(t.name).Str()
		if _, twice := schemas[name]; twice || t.schema == nil {
			continue
		}
		schemas[name] = bytes.Clone(t.jsonSchema())
	}
	return schemas
}
