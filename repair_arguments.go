package preflight

import (
	"encoding/json"
	"sync"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/rule"
)

// This file turns the arguments of a call into a JSON object.

// repairArgumentsFixer gives every call arguments that the provider accepts: an object stays byte
// for byte; an object encoded as a string is decoded; empty arguments become {}; anything else is
// kept under the key _raw of a new object.
var repairArgumentsFixer = Fixer{
	Name: "repair-arguments",
	Doc: "turns tool-call arguments that are not a JSON object " +
		"into one that holds what was there",
	repair: repairArguments,
	cures:  problems(rule.Arguments),
	single: true,
}

// rawKey is the key under which arguments that are not an object are kept.
const rawKey = "_raw"

// maxEncodings is the number of nested string encodings of arguments that are undone.
const maxEncodings = 3

func repairArguments(d *draft) {
	if !d.profile.Tools.ObjectArguments {
		return
	}
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			c, ok := p.(*ToolCall)
			if !ok || !takesObject(c) || isObject(c.Input) {
				continue
			}
			fixed := edited(c, func(c *ToolCall) { c.Input = objectFrom(c.Input) })
			d.replace(i, j, fixed, note{
				code: codes.ArgumentsRepaired, problem: rule.Arguments, id: c.ID,
				detail: "turned arguments that are not a JSON object into one",
			})
		}
	}
}

// takesObject reports whether the arguments of a call must be an object. Custom tools take free
// text.
func takesObject(c *ToolCall) bool { return c.Variant != "custom" }

// isObject reports whether raw is one well-formed JSON object.
func isObject(raw []byte) bool {
	kind, _, err := inspectJSON(raw)
	return err == nil && kind == jsonscan.Object
}

// docs reuses the memory of parsed documents.
var docs = sync.Pool{New: func() any { return new(jsonscan.Doc) }}

// inspectJSON returns the kind of the JSON value raw, and flags for the strings in it. It fails if
// raw is not valid JSON.
func inspectJSON(raw []byte) (kind jsonscan.Kind, flags jsonscan.Flags, err error) {
	doc := docs.Get().(*jsonscan.Doc)
	kind, flags, err = inspectJSONWith(doc, raw)
	docs.Put(doc)
	return kind, flags, err
}

// inspectJSONWith is inspectJSON with the memory of doc.
func inspectJSONWith(
	doc *jsonscan.Doc, raw []byte,
) (kind jsonscan.Kind, flags jsonscan.Flags, err error) {
	if err = doc.Parse(raw); err == nil {
		kind, flags = doc.Root().Kind(), doc.Root().SubtreeFlags()
	}
	doc.Release()
	return kind, flags, err
}

func objectFrom(raw []byte) json.RawMessage {
	text := raw
	for range maxEncodings {
		doc, err := jsonscan.Parse(text)
		if err != nil {
			break
		}
		switch v := doc.Root(); v.Kind() {
		case jsonscan.Object:
			return json.RawMessage(v.Raw())
		case jsonscan.Null:
			return json.RawMessage("{}")
		case jsonscan.String:
			text = []byte(v.Str())
		default:
			return wrapRaw(v.Raw())
		}
	}
	if blank(string(text)) {
		return json.RawMessage("{}")
	}
	return wrapRaw(jsonscan.AppendString(nil, cleanText(string(text))))
}

func wrapRaw(value []byte) json.RawMessage {
	out := append([]byte(`{"`+rawKey+`":`), value...)
	return append(out, '}')
}

// arguments checks the arguments of a call. object reports whether they are an object.
func (c *checker) arguments(i, j int, call *ToolCall, object bool) {
	if c.profile.Tools.ObjectArguments && takesObject(call) && !object {
		c.report(rule.Arguments, i, j, call.ID, "the arguments are not a JSON object")
	}
}
