package wire

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file reads the format of Gemini's Interactions API.

func decodeInteraction(d *decoder, v jsonscan.Value) preflight.Message {
	m := preflight.Message{Role: preflight.RoleAssistant, Native: d.native(v)}
	kind := v.Get("type")
	if message := kind.StrIs("message") && v.Has("role"); message || isTurn(v) {
		if message {
			d.shape(v, "type", "no step has this type",
				"wrote a message of another provider in this one's form")
			m.Native.Format = foreignFormat
		}
		d.turn(v, &m)
		return m
	}
	switch {
	case kind.StrIs("user_input"):
		m.Role, m.Parts = preflight.RoleUser, d.contents(v)
	case kind.StrIs("model_output"):
		m.Parts = d.contents(v)
	case kind.StrIs("function_result"):
		m.Role, m.Parts = preflight.RoleTool, d.single(stepPart(d, v))
	case oneOf(kind, contentTypes...):
		m.Role = preflight.RoleUser
		m.Parts = d.single(stepPart(d, v))
	default:
		if foreign, ok := d.foreignMessage(v); ok {
			if slices.ContainsFunc(foreign.Parts, isResult) {
				foreign.Role = preflight.RoleTool
			}
			return foreign
		}
		m.Parts = d.single(stepPart(d, v))
	}
	return m
}

// turn reads a message with a role. The model is called model; its other names are not documented.
func (d *decoder) turn(v jsonscan.Value, m *preflight.Message) {
	switch role := v.Get("role"); {
	case role.StrIs("model"):
	case role.StrIs("assistant"):
		d.note(v, "role", finding{
			code: codes.RoleMapped, problem: problems.RoleUnknown, rule: ruleStepRole,
			wrong: "the provider does not know the role \"assistant\"",
			done:  "changed a message's role to one the provider accepts",
		})
	case role.Kind() == jsonscan.String:
		m.Role = roleIn(v)
	default:
		m.Role = preflight.RoleUser
		d.repaired(v, "role", ruleStepRole,
			"the role is missing", "added the missing role to a message")
	}
	m.Parts = d.contents(v)
}

// contents reads the content of a step or of a turn: a list, or text.
func (d *decoder) contents(v jsonscan.Value) []preflight.Part {
	if content := v.Get("content"); content.Kind() == jsonscan.Object {
		if p := stepPart(d, content); p != nil { // it is not known whether that is accepted
			return d.single(p)
		}
		return nil
	}
	return d.content(v, ruleShape, stepPart)
}

// stepPart reads a step that is one part, or a content.
func stepPart(d *decoder, v jsonscan.Value) preflight.Part {
	kind := v.Get("type").Str()
	c := d.nativeOnly(v)
	switch kind {
	case "text":
		if t := v.Get("text"); t.Kind() == jsonscan.String {
			return d.textPart(c, t, v)
		}
	case "image", "audio", "video", "document":
		if p := d.stepMedia(v, kind, c); p != nil {
			return p
		}
	case "thought":
		return d.thoughts.one(preflight.Reasoning{
			Text: summaryText(v), Signature: v.Get("signature").Str(), Carried: c,
		})
	case "function_call":
		return d.stepCall(v, c)
	case "function_result":
		return d.stepResult(v, c)
	}
	if kind == "" {
		kind = "step"
	}
	return d.other(v, c, kind)
}

// stepMedia reads a content of media, nil if it has neither data nor an address, so that nobody
// knows what it holds.
func (d *decoder) stepMedia(v jsonscan.Value, kind string, c preflight.Carried) preflight.Part {
	data, address := v.Get("data"), v.Get("uri")
	if data.Kind() != jsonscan.String && address.Kind() != jsonscan.String {
		key, held := kindOf(v)
		if v.Has("source") { // as Anthropic has it
			if p, ok := d.convert(v, key, held, &foreignBlock); ok {
				return p
			}
		}
		return d.others.one(preflight.Other{Carried: c, Kind: kind})
	}
	m := d.media.one(preflight.Media{Carried: c, Kind: kind, Name: v.Get("name").Str()})
	m.MediaType, m.Data = d.bareData(v, "data")
	m.MediaType = cmp.Or(v.Get("mime_type").Str(), m.MediaType)
	if m.URL = address.Str(); m.Data == "" {
		d.address(m, v, "uri")
	}
	m.URL, m.FileID = googleSource(m.URL)
	return m
}

func (d *decoder) stepCall(v jsonscan.Value, c preflight.Carried) preflight.Part {
	call := d.calls.one(preflight.ToolCall{
		Carried: c, ID: d.text(v, "id"), Name: d.text(v, "name"), Input: noArguments,
		Signature: v.Get("signature").Str(), // mostly, the thought before the call has it
	})
	if input := v.Get("arguments"); hasValue(input) {
		call.Input = input.Raw()
	}
	return call
}

// stepResult reads the result of a call: text, contents, or any other JSON.
func (d *decoder) stepResult(v jsonscan.Value, c preflight.Carried) preflight.Part {
	r := d.results.one(preflight.ToolResult{
		Carried: c, CallID: d.text(v, "call_id"), Name: d.text(v, "name"),
	})
	r.IsError, _ = v.Get("is_error").Bool()
	switch result := v.Get("result"); {
	case !hasValue(result):
	case result.Kind() == jsonscan.String:
		r.Content = d.oneProse(result)
	case result.Kind() == jsonscan.Array && isContentList(result):
		r.Content = d.list(result, resultPart)
	default:
		r.Output = result.Raw()
	}
	return r
}

// isContentList reports whether a list holds objects with a type, and nothing else.
func isContentList(list jsonscan.Value) bool {
	for v := list.First(); v.Exists(); v = v.Next() {
		if !hasType(v) {
			return false
		}
	}
	return true
}

// resultPart reads a content inside a result.
func resultPart(d *decoder, v jsonscan.Value) preflight.Part {
	switch kind := v.Get("type").Str(); kind {
	case "thought", "function_call", "function_result":
		return d.others.one(preflight.Other{Carried: d.nativeOnly(v), Kind: kind})
	}
	return stepPart(d, v)
}

// roleOfStep returns how a turn spells a role.
func roleOfStep(r preflight.Role) string {
	switch neutral, known := r.Neutral(); {
	case known && neutral == preflight.RoleAssistant:
		return "model"
	case known && neutral == preflight.RoleTool:
		return "user"
	}
	return strings.Clone(string(r))
}
