package wire

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file reads the Chat format.

func (c *chat) decode(d *decoder, v jsonscan.Value) preflight.Message {
	m := preflight.Message{Role: roleIn(v), Native: d.native(v)}
	if v.Get("role").Kind() != jsonscan.String || m.Role == "" {
		m.Role = roleByMembers(v, "tool_call_id")
		d.repaired(v, "role", ruleChatRole, "the role is missing", "added the missing role to a message")
	}
	// place-roles takes a message of an unknown role that calls tools for the assistant's
	unknownCalls := !isChatRole(m.Role) && holdsCall(v.Get("tool_calls"))
	answers := d.answers(v, m.Role)
	if answers != "" || c.isToolRole(d, v, m.Role) {
		d.repaired(v, "role", ruleChatUnknown,
			"no message has this role", "changed the role of a tool's result to the tool role")
		m.Role = preflight.RoleTool
	}
	if m.Role == roleFunction {
		m.Role = c.functionRole(d, v)
	}
	switch {
	case unknownCalls:
		c.dropFields(d, v, preflight.RoleAssistant)
	case m.Role != roleFunction:
		c.dropFields(d, v, m.Role)
	}
	if m.Role != preflight.RoleTool && m.Role != roleFunction && c.takes(m.Role, "name") {
		m.Name = d.text(v, "name")
		if v.Get("name").StrIs("") && c.participant().Min > 0 {
			d.refused(v, "name", d.r.ruleOf(problems.NamePattern))
		}
	}
	if m.Role == preflight.RoleTool && c.takes(m.Role, "name") && c.refusesName(v) {
		d.refused(v, "name", d.r.ruleOf(problems.NamePattern))
	}
	switch {
	case m.Role == preflight.RoleTool && holdsResults(v.Get("content")) && d.idMember(v) == "":
		// the results of several calls, in the form of another format
		m.Parts, m.Native.Format = c.content(d, v, m.Role), foreignFormat
	case m.Role == preflight.RoleTool:
		m.Parts = d.single(c.result(d, v, answers))
	case m.Role == roleFunction:
		m.Role = preflight.RoleUser // the turn is the caller's; only this format has the role
		m.Parts = []preflight.Part{
			d.others.one(preflight.Other{Kind: string(roleFunction), Carried: d.nativeOnly(v)}),
		}
	case callsTools(m.Role) || unknownCalls:
		m.Parts = c.assistant(d, v, &m)
	default:
		m.Parts = c.content(d, v, m.Role)
	}
	if c.fields != nil && len(m.Parts) == 0 {
		m.Native.Format = foreignFormat // what its other members hold goes
	}
	return m
}

// functionRole returns the role of a legacy function message: the tool's if the host does not take
// it as it is.
func (c *chat) functionRole(d *decoder, v jsonscan.Value) preflight.Role {
	content, name := v.Get("content"), v.Get("name")
	var rule, wrong string
	switch {
	case c.refusesLegacy(d):
		rule, wrong = ruleChatUnknown, "this role is no longer accepted"
	case holdsMedia(content):
		rule, wrong = ruleChatImage, "the result of a legacy function call holds media"
	case !content.Exists(), isEmptyList(content):
		rule, wrong = ruleChatNull, "the result of a legacy function call has no content"
	case !isLegacyResult(content):
		rule, wrong = ruleChatContent, "the result of a legacy function call is no text"
	case name.Kind() == jsonscan.String && !c.participant().Matches(name.Str()):
		rule = d.r.ruleOf(problems.NamePattern)
		wrong = "the result of a legacy function call has a name that the provider refuses"
	default:
		return roleFunction
	}
	d.repaired(v, "role", rule, wrong, doneLegacyResult)
	return preflight.RoleTool
}

// refusesLegacy reports whether the host, or that which the body is converted for, refuses legacy
// function calls and their results.
func (c *chat) refusesLegacy(d *decoder) bool {
	return c.noFunctionRole || d.r.portable || d.r.leaves
}

// convertsLegacy reports whether a legacy function call becomes a tool call.
func (c *chat) convertsLegacy(d *decoder, call jsonscan.Value) bool {
	return c.refusesLegacy(d) && call.Kind() == jsonscan.Object && call.Get("name").Exists()
}

// refusesName reports whether a message has a name that the provider refuses.
func (c *chat) refusesName(v jsonscan.Value) bool {
	name := v.Get("name")
	return hasValue(name) && !c.participant().Matches(name.Str())
}

// isLegacyResult reports whether content is valid in a function message: a string, null, or a list
// of texts.
func isLegacyResult(content jsonscan.Value) bool {
	for e := first(content); e.Exists(); e = e.Next() {
		if !e.Get("type").StrIs("text") || e.Get("text").Kind() != jsonscan.String {
			return false
		}
	}
	kind := content.Kind()
	return kind == jsonscan.String || kind == jsonscan.Null || kind == jsonscan.Array
}

// holdsMedia reports whether a list of content parts holds anything but text.
func holdsMedia(content jsonscan.Value) bool {
	for e := first(content); e.Exists(); e = e.Next() {
		switch e.Get("type").Str() {
		case "image_url", "input_audio", "video_url", "file":
			return true
		}
	}
	return false
}

// isToolRole reports whether a role is another spelling of the tool's, or the legacy function role
// in a message that answers a tool call by its id.
func (c *chat) isToolRole(d *decoder, v jsonscan.Value, r preflight.Role) bool {
	if r == preflight.RoleUser || r == preflight.RoleAssistant || r == preflight.RoleTool {
		return false // most are
	}
	if r == roleFunction {
		return v.Get("tool_call_id").Kind() == jsonscan.String && !v.Get("tool_call_id").StrIs("")
	}
	return isToolRole(d, r)
}

// isChatRole reports whether any host knows the role.
func isChatRole(r preflight.Role) bool {
	if r == preflight.RoleAssistant || r == preflight.RoleUser || r == preflight.RoleTool {
		return true // most are
	}
	switch strings.ToLower(strings.TrimSpace(string(r))) {
	case "system", "developer", "user", "human", "tool", "function":
		return true
	}
	return callsTools(r)
}

// result reads a tool message, which is one result. member is where it has the id of its call, ""
// for the usual place.
func (c *chat) result(d *decoder, v jsonscan.Value, member string) preflight.Part {
	r := d.results.one(preflight.ToolResult{Carried: d.carried(v)})
	if member == "" || member == callMembers[0] {
		d.callID(v, callMembers[0], r)
		if strings.TrimSpace(r.CallID) == "" {
			r.Name = d.calledName(v)
		}
	} else {
		r.CallID, r.Native.JSON = v.Get(member).Str(), withMember(v, member, callMembers[0])
	}
	r.Native.JSON = c.withoutRefused(v, r.Native.JSON)
	if c.resultRule != "" && !hasValue(v.Get("content")) {
		d.repaired(v, "content", c.resultRule,
			"the content is missing", "added empty content to a tool message")
	}
	if c.namedResults {
		d.nameResult(v, r)
	}
	if name := d.misnamed(v, "content", ruleChatNull, outputMembers); name != "" {
		r.Content = d.single(&preflight.Text{Text: textOf(v.Get(name))})
		r.Native.JSON = withoutMember(r.Native.JSON, name)
		return r
	}
	r.Content = c.content(d, v, preflight.RoleTool)
	if len(r.Content) == 0 {
		r.Content = nil
	}
	return r
}

// nameResult changes the name of a tool that a tool message has, in its JSON, as the names of calls
// are changed.
func (d *decoder) nameResult(v jsonscan.Value, r *preflight.ToolResult) {
	name := v.Get("name")
	old := name.Str()
	fixed := d.r.Profile.RepairToolName(old)
	if name.Kind() != jsonscan.String || fixed == old {
		return
	}
	message := jsonscan.EditObject(v)
	if strings.TrimSpace(old) == "" {
		d.refused(v, "name", ruleResultName)
		message.DeleteMember("name")
	} else {
		d.repaired(v, "name", ruleResultName,
			"the tool's name has characters or a length that the provider refuses",
			"changed a tool result's name to one the provider accepts")
		message.SetMember("name", quoted(fixed))
	}
	r.Native.JSON = message.Bytes()
}

// assistant reads the parts of an assistant message: reasoning, content, the other members, and
// tool calls last.
func (c *chat) assistant(d *decoder, v jsonscan.Value, m *preflight.Message) []preflight.Part {
	parts := c.reasoningParts(d, v)
	parts = d.both(parts, c.content(d, v, preflight.RoleAssistant))
	for _, kind := range memberKinds {
		member := v.Get(kind)
		if kind == legacyCall && c.convertsLegacy(d, member) {
			d.repaired(member, "", ruleChatUnknown,
				"legacy function calls are no longer accepted",
				"turned a legacy function call into a tool call")
			parts = append(parts, d.calls.one(preflight.ToolCall{
				Name: d.text(member, "name"), Input: member.Get("arguments").Bytes(),
			}))
			continue
		}
		if c.takes(preflight.RoleAssistant, kind) && hasValue(member) && !member.StrIs("") {
			if member.Get("type").StrIs(kind) {
				d.shape(member, "", "the member holds a block", "moved a block to the content")
				if p := c.readPart(d, member); p != nil {
					parts = append(parts, p)
				}
				continue
			}
			parts = append(parts, d.others.one(preflight.Other{Kind: kind,
				Carried: d.nativeOnly(member)}))
		}
	}
	calls, content := c.toolCalls(d, v), v.Get("content")
	if len(calls) > 0 && d.r.refusesBare(content) {
		d.repaired(v, "content", d.r.ruleOf(problems.EmptyMessage),
			"a message with tool calls has no content",
			"added empty text to a message with tool calls")
		parts = append(slices.Clip(parts), &preflight.Text{})
	}
	parts = d.both(parts, calls)
	missing := !content.Exists() || content.Kind() == jsonscan.Null
	empty := content.Kind() == jsonscan.Array && content.Len() == 0
	if len(parts) == 1 && (missing || empty) {
		if _, ok := parts[0].(*preflight.Reasoning); ok {
			d.repaired(v, "content", ruleChatNull,
				"the content is missing", "added empty content to a message that holds only reasoning")
		}
	}
	c.prefix(d, v, m, parts)
	return parts
}

// refusesBare reports whether the host refuses content that is left out in this way, in a message
// with tool calls.
func (r *Request) refusesBare(content jsonscan.Value) bool {
	refused := r.Profile.Content.BareCalls
	switch {
	case len(refused) == 0:
		return false
	case !content.Exists():
		return slices.Contains(refused, provider.BareMissing)
	case content.Kind() == jsonscan.Null:
		return slices.Contains(refused, provider.BareNull)
	}
	return isEmptyList(content) && slices.Contains(refused, provider.BareList)
}

// chatPart reads one part of a content list.
func chatPart(d *decoder, v jsonscan.Value) preflight.Part {
	c := d.carried(v)
	kind := v.Get("type").Str()
	switch kind {
	case "text":
		return d.textBlock(c, v)
	case "image_url":
		image := v.Get("image_url")
		if !image.Exists() && holdsOther(v) ||
			!image.Has("url") && holdsOther(image) {
			return d.others.one(preflight.Other{Carried: c, Kind: kind})
		}
		if image.Kind() == jsonscan.String {
			if !d.r.format.bareAddresses || d.r.portable {
				d.shape(image, "", "the image is not an object", "wrote an image's address as an object")
			}
		} else {
			image = image.Get("url")
		}
		return d.media.one(preflight.Media{Carried: c, Kind: "image", URL: d.imageAddress(image)})
	case "input_audio":
		audio := v.Get("input_audio")
		return d.media.one(preflight.Media{
			Carried: c, Kind: "audio", MediaType: mediaTypeIn("audio", audio.Get("format").Str()),
			Data: audio.Get("data").Str(),
		})
	case "video_url":
		url := v.Get("video_url").Get("url").Str()
		return d.media.one(preflight.Media{Carried: c, Kind: "video", URL: url})
	case "file":
		file := v.Get("file")
		m := d.media.one(preflight.Media{
			Carried: c, Kind: "document", Name: file.Get("filename").Str(),
			Data: file.Get("file_data").Str(), FileID: file.Get("file_id").Str(),
		})
		m.MediaType = dataType(m.Data)
		return m
	}
	return d.other(v, c, kind)
}
