package wire

import (
	"bytes"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file writes the Chat format by editing the JSON that messages were decoded from.

func (c *chat) encode(w *writer, m *preflight.Message) ([][]byte, error) {
	if r := onlyResult(m); r != nil {
		return c.encodeResult(w, m, r)
	}
	if raw := functionMessage(m.Parts); raw != nil {
		return onePiece(raw), nil
	}
	p := c.sortParts(m.Parts)
	template := `{"role":""}`
	switch {
	case len(p.content) > 0:
	case p.sayInstead() && !c.noNull:
		template = `{"role":"","content":null}`
	default:
		template = `{"role":"","content":""}`
	}
	o, message := w.open(m.Native, c.name, template)
	message.text("role", string(m.Role))
	if c.takes(m.Role, "name") {
		if message.textOrNone("name", m.Name); m.Name == "" {
			message.drop("name")
		}
	}
	if callsTools(m.Role) {
		if err := c.encodeReasoning(message, p.reasoning); err != nil {
			return nil, err
		}
		c.encodeMembers(message, p.members)
	} else if len(p.members) > 0 { // a hook moved it
		return nil, noForm(p.members[0].Kind)
	}
	c.encodeContent(o, message, p, m.Role)
	if callsTools(m.Role) {
		c.encodeCalls(o, message, p.calls)
	}
	c.encodeFields(message, m)
	return o.pieces()
}

// functionMessage returns the JSON of a legacy function message, nil for other parts.
func functionMessage(parts []preflight.Part) []byte {
	if len(parts) != 1 {
		return nil
	}
	o, ok := parts[0].(*preflight.Other)
	if !ok || o.Kind != string(roleFunction) {
		return nil
	}
	if !valueOf(o.Native.JSON).Get("role").StrIs(string(roleFunction)) {
		return nil // a block of that type
	}
	return o.Native.JSON
}

// encodeResult writes a tool message. The result is the whole message, so its JSON is the
// message's.
func (c *chat) encodeResult(
	w *writer, m *preflight.Message, r *preflight.ToolResult,
) ([][]byte, error) {
	native := r.Native
	if len(native.JSON) == 0 {
		native = m.Native
	}
	o, message := w.open(native, c.name, `{"role":"tool","tool_call_id":""}`)
	message.text("role", string(preflight.RoleTool))
	if r.CallID != "" || message.v.Get("tool_call_id").Exists() { // some hosts need none
		message.text("tool_call_id", r.CallID)
	}
	if c.refusesName(message.v) {
		message.drop("name")
	}
	c.encodeFields(message, m)
	own := len(r.Native.JSON) > 0 && r.Native.Format == c.name
	if (r.Cache != nil || own) && c.takes(preflight.RoleTool, "cache_control") {
		message.cache(r.Cache)
	}
	parts := contentOf(r)
	if len(parts) == 0 {
		if v := message.v.Get("content"); !v.StrIs("") && !isEmptyList(v) {
			message.raw("content", []byte(`""`))
		}
		return o.pieces()
	}
	c.writeContent(o, message, parts, preflight.RoleTool)
	return o.pieces()
}

// chatParts are the parts of a message by the member that holds them.
type chatParts struct {
	reasoning []*preflight.Reasoning
	content   []preflight.Part
	members   []*preflight.Other
	calls     []preflight.Part
}

// sayInstead reports whether calls or other members hold what the message says.
func (p chatParts) sayInstead() bool { return len(p.calls)+len(p.members) > 0 }

func (c *chat) sortParts(parts []preflight.Part) (s chatParts) {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Reasoning:
			if c.isBlock(p) {
				s.content = append(s.content, p)
				continue
			}
			s.reasoning = append(s.reasoning, p)
		case *preflight.ToolCall:
			s.calls = append(s.calls, p)
		case *preflight.Other:
			if isMember(p) {
				s.members = append(s.members, p)
				continue
			}
			s.content = append(s.content, p)
		default:
			s.content = append(s.content, p)
		}
	}
	return s
}

func (c *chat) encodeMembers(message *member, members []*preflight.Other) {
	for _, kind := range memberKinds {
		held := membersOf(members, kind)
		v := message.v.Get(kind)
		switch {
		case !c.takes(preflight.RoleAssistant, kind):
		case len(held) > 0:
			message.raw(kind, joinMembers(held))
		case v.Exists() && v.Kind() != jsonscan.Null && !v.StrIs(""):
			message.drop(kind)
		}
	}
}

func membersOf(members []*preflight.Other, kind string) [][]byte {
	var out [][]byte
	for _, o := range members {
		if o.Kind == kind {
			out = append(out, o.Native.JSON)
		}
	}
	return out
}

// joinMembers joins the members of one kind from joined messages: texts by line breaks, else only
// the first. (A profile that joins messages allows only one that is not text; see
// Profile.LoneKinds.)
func joinMembers(values [][]byte) []byte {
	if len(values) == 1 {
		return values[0]
	}
	var texts []string
	for _, raw := range values {
		if v := valueOf(raw); v.Kind() == jsonscan.String {
			texts = append(texts, v.Str())
		}
	}
	if len(texts) < len(values) {
		return values[0]
	}
	return quoted(strings.Join(texts, "\n"))
}

// encodeContent writes the content. Without any it stays missing, null or an empty list, else it is
// null if there are calls and an empty text if there are none. Reasoning alone needs the empty
// text.
func (c *chat) encodeContent(o *object, message *member, p chatParts, role preflight.Role) {
	v := message.v.Get("content")
	instead := p.sayInstead()
	switch {
	case isEmptyList(v) && len(p.content) > 0 && saysNothing(p.content):
		message.raw("content", []byte(`""`))
	case len(p.content) > 0:
		c.writeContent(o, message, p.content, role)
	case (!hasValue(v) || isEmptyList(v)) && (instead || len(p.reasoning) == 0):
	case instead && !c.noNull:
		message.raw("content", []byte("null"))
	default:
		message.raw("content", []byte(`""`))
	}
}

func (c *chat) encodeCalls(o *object, message *member, calls []preflight.Part) {
	list := message.v.Get("tool_calls")
	if len(calls) == 0 && isEmptyList(list) && !c.emptyCalls {
		message.drop("tool_calls")
		return
	}
	o.partList(message, "tool_calls", calls, c.block)
}

// block writes one part of a content list, or one tool call.
func (c *chat) block(p preflight.Part) ([][]byte, error) {
	if c.hostBlock != nil {
		if raw, err := c.hostBlock(p); raw != nil || err != nil {
			return raw, err
		}
	}
	switch p := p.(type) {
	case *preflight.Text:
		return c.textBlock(p)
	case *preflight.ToolCall:
		return c.callBlock(p)
	case *preflight.Media:
		return c.mediaBlock(p)
	case *preflight.Other:
		return otherBlock(p, c.name)
	}
	return nil, noForm(preflight.PartKind(p))
}

func (c *chat) textBlock(t *preflight.Text) ([][]byte, error) {
	o, block := openObject(t.Native, c.name, `{"type":"text","text":""}`, "text")
	block.text("type", "text")
	o.words(block, t)
	block.cache(t.Cache)
	return o.pieces()
}

func (c *chat) callBlock(p *preflight.ToolCall) ([][]byte, error) {
	if p.Variant == customVariant && c.noCustomCalls {
		p = functionCall(p)
	}
	if p.Variant == customVariant {
		o, call := openObject(p.Native, c.name,
			`{"id":"","type":"custom","custom":{"name":"","input":""}}`, "custom")
		call.text("id", p.ID)
		custom := o.member(call.v.Get("custom"))
		custom.text("name", p.Name)
		custom.text("input", string(p.Input))
		call.cache(p.Cache)
		c.writeSignature(o, call, p.Signature)
		return o.pieces()
	}
	if isHosts(p) && p.Native.Format == c.name {
		o, call := openObject(p.Native, c.name, `{}`, p.Variant)
		call.text("id", p.ID)
		call.cache(p.Cache)
		return o.pieces()
	}
	o, call := openObject(p.Native, c.name,
		`{"id":"","type":"function","function":{"name":"","arguments":""}}`)
	if call.text("id", p.ID); p.ID == "" && len(p.Native.JSON) == 0 {
		call.drop("id") // some hosts need none
	}
	call.cache(p.Cache)
	if !c.untypedCalls && call.v.Get("type").Kind() != jsonscan.String {
		call.text("type", "function")
	}
	c.writeSignature(o, call, p.Signature)
	v := call.v.Get("function")
	if v.Kind() != jsonscan.Object { // the members are one level too high
		call.o.SetMember("function", newFunction(p))
		call.drop("name", "arguments")
		return o.pieces()
	}
	function := o.member(v)
	function.text("name", p.Name)
	a := v.Get("arguments")
	if c.objectArguments && a.Kind() == jsonscan.Object && bytes.Equal(a.Raw(), p.Input) {
		return o.pieces()
	}
	if a.Kind() != jsonscan.String || !bytes.Equal(a.Bytes(), p.Input) {
		function.o.SetMember("arguments", quoted(string(p.Input)))
	}
	return o.pieces()
}

// isHosts reports whether a call is of a tool that the host has, and not of the caller's.
func isHosts(c *preflight.ToolCall) bool { return c.Variant != "" && c.Variant != customVariant }

// writeSignature writes the signature of a tool call. A removed signature is removed with the
// members beside it, which belong to the same provider.
func (c *chat) writeSignature(o *object, call *member, signature string) {
	if !c.callSignatures || chatSignature(call.v).Str() == signature {
		return
	}
	extra := call.v.Get("extra_content")
	switch google := extra.Get("google"); {
	case signature == "":
		call.drop("extra_content")
	case google.Kind() == jsonscan.Object:
		o.member(google).text("thought_signature", signature)
	case extra.Kind() == jsonscan.Object:
		o.member(extra).raw("google", []byte(`{"thought_signature":`+string(quoted(signature))+`}`))
	default:
		call.raw("extra_content",
			[]byte(`{"google":{"thought_signature":`+string(quoted(signature))+`}}`))
	}
}

func newFunction(c *preflight.ToolCall) []byte {
	out := append([]byte(`{"name":`), quoted(c.Name)...)
	out = append(append(out, `,"arguments":`...), quoted(string(c.Input))...)
	return append(out, '}')
}

func (c *chat) mediaBlock(m *preflight.Media) ([][]byte, error) {
	kind, key, template := mediaKind(m), "file", `{"type":"file","file":{}}`
	switch kind {
	case "image":
		key, template = "image_url", `{"type":"image_url","image_url":{"url":""}}`
	case "video":
		key, template = "video_url", `{"type":"video_url","video_url":{"url":""}}`
	case "audio":
		key, template = "input_audio", `{"type":"input_audio","input_audio":{"data":""}}`
	}
	o, block := openObject(m.Native, c.name, template, key)
	v := block.v.Get(key)
	switch {
	case kind == "image" && v.Kind() != jsonscan.Object:
		block.o.SetMember(key, wrapped("url", quoted(addressOf(m))))
	case v.Kind() != jsonscan.Object:
	case kind == "image", kind == "video":
		o.member(v).text("url", addressOf(m))
	case kind == "audio":
		audio := o.member(v)
		mediaType, data := inlineData(m)
		audio.text("data", data)
		audio.optional("format", strings.TrimPrefix(mediaType, "audio/"))
	default:
		file := o.member(v)
		file.optional("filename", m.Name)
		file.optional("file_data", c.fileData(m))
		file.optional("file_id", m.FileID)
	}
	block.cache(m.Cache)
	return o.pieces()
}

// fileData returns the content of a file, a data: URL. Data from this format keeps its form.
func (c *chat) fileData(m *preflight.Media) string {
	switch {
	case m.Data == "" && strings.HasPrefix(m.URL, "data:"):
		return m.URL
	case m.Native.Format == c.name:
		return m.Data
	}
	return inDataURL(m)
}
