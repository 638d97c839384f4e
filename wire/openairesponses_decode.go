package wire

import (
	"encoding/json"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/arguments"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/members"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file reads the OpenAI Responses format.

func decodeResponses(d *decoder, v jsonscan.Value) preflight.Message {
	m := preflight.Message{Role: preflight.RoleAssistant, Native: d.native(v)}
	if !v.Has("type") && !v.Has("role") {
		if m, ok := d.foreignMessage(v); ok {
			return m
		}
	}
	kind := d.itemType(v)
	if kind != itemReference {
		m.ID = d.itemID(v)
	}
	d.unknownFields(v, "cache_control")
	for k := range itemCalls {
		if itemCalls[k].kind == toolSearch && !isClientSearch(v) {
			continue
		}
		switch c := &itemCalls[k]; kind {
		case c.kind:
			m.Parts = responsesCall(d, v, c)
			return m
		case c.output:
			m.Role, m.Parts = preflight.RoleTool, responsesResult(d, v, c)
			if c.variant == localShell && !hasValue(v.Get("call_id")) {
				m.ID = "" // it is the call's
			}
			return m
		}
	}
	switch kind {
	case "message":
		decodeResponsesMessage(d, v, &m)
	case "reasoning":
		m.Parts = responsesReasoning(d, v)
	default:
		return d.otherItem(v, kind, m)
	}
	return m
}

// otherItem reads an item that is neither a message nor of the caller's calls, as m.
func (d *decoder) otherItem(v jsonscan.Value, kind string, m preflight.Message) preflight.Message {
	if m, ok := d.foreignMessage(v); ok {
		return m
	}
	if d.r.checksItems() {
		action, missing := v.Get("action"), missingMember(v, kind)
		switch {
		case kind == webSearch && action.Get("type").StrIs("other"):
			d.repaired(v, "action.type", ruleSearchAction,
				"the API has no web search of this type",
				"removed a web search that the API does not take back")
			return m
		case missing != "":
			m.ID = ""
			d.incompleteItem(v, missing, &m)
			return m
		case kind == compactionTrigger && v.Next().Exists():
			d.repaired(v, "", ruleTriggerLast,
				"a compaction trigger is not the last item",
				"removed a compaction trigger that is not the last item")
			return m
		}
		if kind == webSearch && isQueryless(action) && action.Has("query") {
			d.refused(action, "query", ruleSearchAction)
		}
		if action.Get("sources").Kind() == jsonscan.Array {
			d.refused(action, "sources", ruleItemUnknown)
		}
		if kind == imageCall {
			d.unknownFields(v, "action")
		}
	}
	m.Parts = d.single(d.others.one(preflight.Other{Kind: kind, Carried: d.nativeOnly(v)}))
	return m
}

// neededMembers are the members that the API misses in items which are not of the client's calls.
// That it misses others that OpenAI's SDKs require is not on record.
var neededMembers = map[string]string{
	"compaction": "encrypted_content", "mcp_list_tools": "server_label",
	"mcp_call": "server_label", "mcp_approval_request": "server_label",
}

// missingMember returns the member that an item of a kind needs and lacks, "" if there is none.
func missingMember(v jsonscan.Value, kind string) string {
	if needed := neededMembers[kind]; needed != "" && !hasValue(v.Get(needed)) {
		return needed
	}
	return ""
}

// incompleteItem reads what an item says as text, which lacks a member that it needs. The tools of
// a server are nothing that anybody said.
func (d *decoder) incompleteItem(v jsonscan.Value, missing string, m *preflight.Message) {
	f := finding{
		code: codes.ShapeRepaired, rule: ruleItemFields,
		wrong: "the item lacks a member that it needs",
		done:  "removed an item that lacks a member that it needs",
	}
	kind := v.Get("type").Str()
	text := quotation(kind, v)
	if strings.Contains(text, "\n") && kind != "mcp_list_tools" {
		p := &preflight.Text{Text: text}
		d.setCarried(p, v)
		m.Native, m.Parts = preflight.CarriedBy(p).Native, d.single(p)
		if f.done = "wrote an item that lacks a member that it needs as text"; isOutput(kind) {
			f.code = codes.ResultToText
		}
	}
	d.note(v, missing, f)
}

// isQueryless reports whether the action of a web search is known to have no query.
func isQueryless(action jsonscan.Value) bool {
	return oneOf(action.Get("type"), "open_page", "find_in_page")
}

// isClientSearch reports whether a tool search, or its output, is the client's: the server pairs
// its own, which often have no id.
func isClientSearch(v jsonscan.Value) bool {
	return v.Get("execution").StrIs("client") && v.Get("call_id").Kind() == jsonscan.String
}

// itemType returns the type of an item. Messages and references may leave it out; other items
// without one are recognized by their members.
func (d *decoder) itemType(v jsonscan.Value) string {
	if t := v.Get("type"); t.Kind() == jsonscan.String && !t.StrIs("") {
		return t.Str()
	}
	kind := ""
	switch {
	case v.Has("role") || v.Has("content"):
		return "message"
	case v.Has("call_id") && v.Has("output"):
		kind = "function_call_output"
	case v.Has("arguments"):
		kind = "function_call"
	case v.Has("encrypted_content") || v.Has("summary"):
		kind = "reasoning"
	case v.Get("id").Kind() == jsonscan.String && !v.Has("call_id"):
		return itemReference
	case members.LeftFor(openAIResponses, members.Item, v) != "":
		return "unknown" // a message has a role or a content
	default:
		return "message"
	}
	d.repaired(v, "type", ruleItemFields, "the item has no type", "added the missing type to an item")
	return kind
}

// itemID returns the id of an item, "" when it has none.
func (d *decoder) itemID(v jsonscan.Value) string {
	id := v.Get("id")
	if !id.Exists() || id.Kind() == jsonscan.Null {
		return ""
	}
	if s := id.Str(); s != "" || !d.r.checksItems() {
		return s
	}
	d.note(v, "id", finding{code: codes.ItemIDRemoved, problem: problems.ItemID, rule: ruleItemID,
		wrong: "the id of an item is empty, or no string",
		done:  "removed an item's id that is empty, or no string"})
	return ""
}

// unknownFields records the members of v that the provider refuses.
func (d *decoder) unknownFields(v jsonscan.Value, keys ...string) {
	for _, key := range keys {
		if v.Has(key) && d.r.checksItems() {
			d.refused(v, key, ruleItemUnknown)
		}
	}
}

// isShortMessage reports whether a message is in the short form, without a type, which has fewer
// members than messages in responses.
func isShortMessage(v jsonscan.Value) bool { return !v.Get("type").StrIs("message") }

func decodeResponsesMessage(d *decoder, v jsonscan.Value, m *preflight.Message) {
	m.Role = roleIn(v)
	if v.Get("role").Kind() != jsonscan.String || m.Role == "" {
		m.Role = preflight.RoleUser
		if v.Get("content").First().Get("type").StrIs("output_text") {
			m.Role = preflight.RoleAssistant
		}
		d.repaired(v, "role", ruleItemFields, "the role is missing",
			"added the missing role to a message")
	}
	if role, _ := m.Role.Neutral(); role == preflight.RoleTool {
		d.toolMessage(v, m)
		return
	}
	d.unknownFields(v, "tool_calls")
	if isShortMessage(v) {
		d.unknownFields(v, "status")
	}
	switch {
	case isEmptyList(v.Get("content")): // accepted, as an empty text is
		m.Parts = d.single(d.texts.one(preflight.Text{}))
	case callsTools(m.Role):
		m.Parts = d.content(v, rulePartType, assistantPart)
	default:
		m.Parts = d.content(v, rulePartType, inputPart)
	}
}

// toolMessage reads a message of the tool's role, which the format does not have, as the output of
// a tool.
func (d *decoder) toolMessage(v jsonscan.Value, m *preflight.Message) {
	id := "tool_call_id"
	if !v.Has(id) {
		id = "call_id"
	}
	result, _ := readResult(id, "content")(v, v)
	m.ID, m.Role, m.Parts = "", preflight.RoleTool, d.single(result)
	m.Native = preflight.Native{Format: foreignFormat, JSON: v.Raw()}
	d.repaired(v, "role", rulePartType,
		"no message has this role", "turned a tool message into the output of its call")
}

func responsesReasoning(d *decoder, v jsonscan.Value) []preflight.Part {
	if v.Get("summary").Kind() != jsonscan.Array && d.r.checksItems() {
		d.repaired(v, "summary", ruleSummary,
			"the reasoning has no summary", "added an empty summary to reasoning")
	}
	if v.Get("content").Len() > 0 && d.r.checksItems() {
		d.refused(v, "content", rulePlain)
	}
	d.unknownFields(v, "status")
	return d.single(d.thoughts.one(preflight.Reasoning{
		Text: summaryText(v), Opaque: v.Get("encrypted_content").Str(), Carried: d.nativeOnly(v),
	}))
}

// responsesCall reads an item that calls a tool. It returns no part for an item without its
// payload.
func responsesCall(d *decoder, v jsonscan.Value, kind *itemCall) []preflight.Part {
	c := preflight.ToolCall{
		Carried: d.nativeOnly(v), ID: d.text(v, "call_id"), Name: kind.name, Variant: kind.variant,
	}
	payload := v.Get(kind.payload)
	if kind.name == "" { // functions and custom tools: the arguments are a string
		c.Name = d.text(v, "name")
		switch payload.Kind() {
		case jsonscan.Absent, jsonscan.Null:
			name := d.misnamed(v, kind.payload, ruleItemFields, inputMembers)
			if name != "" && kind.variant == "" {
				c.Input, c.Native.JSON = argumentsOf(v.Get(name)), withoutMember(c.Native.JSON, name)
				break
			}
			d.repaired(v, kind.payload, ruleItemFields,
				"the call has no arguments", "added empty arguments to a call")
			if kind.variant == "" {
				c.Input = json.RawMessage("{}")
			}
		case jsonscan.String:
			c.Input = payload.Bytes()
		default:
			d.repaired(payload, "", ruleChatArguments,
				"the arguments are no string", "wrote arguments as a string")
			c.Input = payload.Raw()
		}
	} else if kind.variant == toolSearch && payload.Kind() == jsonscan.String && d.r.checksItems() {
		d.repaired(payload, "", ruleSearchArguments,
			"the arguments of a tool search are a string", "wrote arguments as an object")
		c.Input = arguments.Object(payload.Raw())
	} else if payload.Kind() == jsonscan.Object ||
		kind.variant == toolSearch && hasValue(payload) { // whose arguments may be anything
		c.Input = payload.Raw()
	} else if v.Get("actions").Kind() == jsonscan.Array {
		c.Input = v.Raw()
	} else {
		return nil
	}
	return d.single(d.calls.one(c))
}

// responsesResult reads an item that answers a call.
func responsesResult(d *decoder, v jsonscan.Value, kind *itemCall) []preflight.Part {
	r := preflight.ToolResult{Carried: d.nativeOnly(v), Variant: kind.variant}
	if kind.variant == localShell && !hasValue(v.Get("call_id")) {
		r.CallID = d.text(v, "id")
	} else {
		d.callID(v, "call_id", &r)
	}
	output := v.Get("output")
	switch {
	case holdsContent(kind):
		if name := d.misnamed(v, "output", ruleItemFields, outputMembers); name != "" {
			output = v.Get(name)
			r.Native.JSON = withoutMember(r.Native.JSON, name)
		}
		r.Content = d.output(output)
	case kind.variant == toolSearch:
		if tools := v.Get("tools"); tools.Kind() == jsonscan.Array {
			r.Output = tools.Raw()
		}
	case kind.variant == "apply_patch_call":
		r.IsError = v.Get("status").StrIs("failed")
		if output.Kind() == jsonscan.String {
			r.Content = d.output(output)
		} else {
			r.Output = v.Get("status").Raw()
		}
	case output.Kind() == jsonscan.Object || output.Kind() == jsonscan.Array:
		r.Output = output.Raw()
	default:
		return nil
	}
	return d.single(d.results.one(r))
}

// holdsContent reports whether results of a kind of call have content of text and media.
func holdsContent(kind *itemCall) bool {
	return kind.variant == "" || kind.variant == customVariant || kind.variant == localShell
}

// output reads the output of a tool: text, or a list of parts.
func (d *decoder) output(v jsonscan.Value) []preflight.Part {
	switch v.Kind() {
	case jsonscan.Absent, jsonscan.Null:
		return nil
	case jsonscan.String:
		return d.oneProse(v)
	case jsonscan.Array:
		if parts := d.list(v, inputPart); len(parts) > 0 {
			return parts
		}
		return nil
	}
	d.shape(v, "", "the output is neither text nor a list", "wrote the output as text")
	return []preflight.Part{&preflight.Text{Text: textOf(v)}}
}

// inputPart reads one part of the content of a user's message.
func inputPart(d *decoder, v jsonscan.Value) preflight.Part {
	return responsesPart(d, v, "input_text")
}

// assistantPart reads one part of the content of an assistant's message.
func assistantPart(d *decoder, v jsonscan.Value) preflight.Part {
	return responsesPart(d, v, "output_text")
}

func responsesPart(d *decoder, v jsonscan.Value, textType string) preflight.Part {
	d.unknownFields(v, "cache_control")
	c := d.nativeOnly(v)
	kind := v.Get("type").Str()
	switch kind {
	case "input_text", "output_text", "text":
		if kind != textType {
			d.wrongPartType(v)
		}
		return d.textBlock(c, v)
	case "refusal":
		if textType == "input_text" {
			d.wrongPartType(v)
			return d.texts.one(preflight.Text{Carried: c, Text: v.Get("refusal").Str()})
		}
	case "input_image":
		image := v.Get("image_url")
		if !image.Exists() && !v.Has("file_id") &&
			holdsOther(v) {
			return d.others.one(preflight.Other{Carried: c, Kind: kind})
		}
		if image.Kind() == jsonscan.Object {
			d.shape(image, "",
				"the address of the image is not a string",
				"wrote the address of an image as a string")
			image = image.Get("url")
		}
		return d.media.one(preflight.Media{
			Carried: c, Kind: "image", URL: d.imageAddress(image), FileID: v.Get("file_id").Str(),
		})
	case "image_url":
		d.wrongPartType(v)
		image := v.Get("image_url")
		if image.Kind() == jsonscan.Object {
			image = image.Get("url")
		}
		return d.media.one(preflight.Media{Carried: c, Kind: "image", URL: d.imageAddress(image)})
	case "input_file":
		m := d.media.one(preflight.Media{
			Carried: c, Kind: "document", Name: v.Get("filename").Str(),
			Data: v.Get("file_data").Str(), FileID: v.Get("file_id").Str(),
			URL: v.Get("file_url").Str(),
		})
		m.MediaType = dataType(m.Data)
		if kind, _, _ := strings.Cut(m.MediaType, "/"); d.r.checksItems() &&
			(kind == "audio" || kind == "video") {
			m.Kind = kind // which is no file that a model reads
		}
		return m
	}
	if p, ok := d.nestedItem(v); ok {
		return p
	}
	return d.other(v, c, kind)
}

func (d *decoder) wrongPartType(v jsonscan.Value) {
	d.repaired(v, "type", rulePartType,
		"the part has a type that messages of this role do not hold",
		"changed a part's type to the one for its message's role")
}
