package wire

import (
	"bytes"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/arguments"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file reads the tool calls of the Chat format. The fragments of a streamed call that were
// stored as calls of their own are joined:
//
//	{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":"{\"a\""}}
//	{"index":0,"function":{"arguments":":1}"}}

const (
	wrongSingleCall = "the tool calls are one call, not a list"
	doneSingleCall  = "wrapped a single tool call in a list"
)

func (c *chat) toolCalls(d *decoder, v jsonscan.Value) []preflight.Part {
	list := v.Get("tool_calls")
	switch {
	case !list.Exists() || list.Kind() == jsonscan.Null, c.emptyCalls && isEmptyList(list):
		return nil
	case list.Kind() == jsonscan.Object && list.Len() > 0:
		d.shape(list, "", wrongSingleCall, doneSingleCall)
		return []preflight.Part{c.call(d, list)}
	case list.Kind() != jsonscan.Array || list.Len() == 0:
		d.repaired(list, "", ruleChatNoCalls,
			"the list of tool calls holds none", "removed an empty list of tool calls")
		return nil
	}
	parts := d.lists.take(list.Len())[:0]
	var begun, before jsonscan.Value
	d.eachElement(list, func(e jsonscan.Value) {
		switch n := len(parts); {
		case e.Kind() != jsonscan.Object:
			d.shape(e, "", "the tool call is not an object", "removed a tool call that is not an object")
			return
		case n == 0 || !d.join(parts[n-1], begun, before, e):
			parts, begun = append(parts, c.call(d, e)), e
		}
		before = e
	})
	return parts
}

func (c *chat) call(d *decoder, v jsonscan.Value) preflight.Part {
	call := d.calls.one(preflight.ToolCall{Carried: d.carried(v), ID: d.text(v, "id")})
	if c.callSignatures {
		call.Signature = chatSignature(v).Str()
	}
	custom := v.Get("custom")
	if v.Get("type").StrIs("custom") && custom.Kind() == jsonscan.Object {
		call.Variant, call.Name = customVariant, d.text(custom, "name")
		call.Input = custom.Get("input").Bytes()
		return call
	}
	function := v.Get("function")
	if !isFunction(v) && !v.Get("type").StrIs("custom") {
		call.Variant, call.Name = v.Get("type").Str(), function.Get("name").Str()
		call.Input = function.Get("arguments").Bytes()
		return call
	}
	if function.Kind() != jsonscan.Object {
		d.shape(v, "function", "the tool call names no function",
			"added the missing function to a tool call")
		function = v
	} else if v.Get("type").Kind() != jsonscan.String && !c.untypedCalls {
		d.shape(v, "type", "the tool call has no type", "added the missing type to a tool call")
	}
	call.Name = d.text(function, "name")
	arguments := function.Get("arguments")
	switch arguments.Kind() {
	case jsonscan.Absent, jsonscan.Null:
		if name := d.misnamed(function, "arguments", ruleChatArguments, inputMembers); name != "" {
			call.Input = argumentsOf(function.Get(name))
			break
		}
		if !c.noArguments && !d.r.Profile.Tools.ObjectArguments {
			d.repaired(function, "arguments", ruleChatArguments,
				"the arguments are missing", "added empty arguments to a tool call")
			call.Input = []byte("{}")
		}
	case jsonscan.String:
		call.Input = arguments.Bytes()
	default:
		if c.objectArguments && arguments.Kind() == jsonscan.Object {
			call.Input = arguments.Raw()
			break
		}
		d.repaired(arguments, "", ruleChatArguments,
			"the arguments are no string", "wrote arguments as a string")
		call.Input = arguments.Raw()
	}
	return call
}

// chatSignature returns the signature of a tool call, where Gemini's endpoint for the format has
// it.
func chatSignature(call jsonscan.Value) jsonscan.Value {
	return call.Get("extra_content").Get("google").Get("thought_signature")
}

// isFragment reports whether a call goes on where the one before it ends: it has the same index,
// and nothing but arguments.
func isFragment(v, before jsonscan.Value) bool {
	index, function := v.Get("index"), v.Get("function")
	return index.Kind() == jsonscan.Number && bytes.Equal(index.Raw(), before.Get("index").Raw()) &&
		function.Get("arguments").Kind() == jsonscan.String &&
		isBlankText(v.Get("id")) && isBlankText(function.Get("name"))
}

// isBlankText reports whether v is missing, null or a blank string.
func isBlankText(v jsonscan.Value) bool {
	return !hasValue(v) || v.Kind() == jsonscan.String && strings.TrimSpace(v.Str()) == ""
}

// join adds a fragment to the arguments of the call first, whose own JSON is begun. It returns
// false for another call: what follows whole arguments is no fragment of them, unless it is blank.
func (d *decoder) join(first preflight.Part, begun, before, v jsonscan.Value) bool {
	c, ok := first.(*preflight.ToolCall)
	if !ok || !isFragment(v, before) {
		return false
	}
	own, more := begun.Get("function").Get("arguments"), v.Get("function").Get("arguments")
	if before == begun { // the arguments are the body's bytes, or were missing
		if arguments.IsObject(own.Bytes()) && !isBlankText(more) {
			return false
		}
		c.Input = bytes.Clone(own.Bytes())
	}
	d.repaired(v, "", ruleChatArguments,
		"the call is a fragment of the one before it", "joined the fragments of a tool call")
	c.Input = append(c.Input, more.Bytes()...)
	return true
}
