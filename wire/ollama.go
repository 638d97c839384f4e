package wire

import (
	"bytes"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file reads and writes the format of Ollama's own /api/chat: content is a string, images
// stand beside it as base64, the arguments of a call are an object, and calls and results go
// without ids, or without them in older versions.

const ollamaName = "ollama"

// The rules about the shape of messages.
const (
	ruleOllamaContent   = "ollama/content-format"
	ruleOllamaArguments = "ollama/arguments-object"
)

func ollamaFormat() *format {
	tools := chat{name: ollamaName}
	return &format{
		name:    ollamaName,
		near:    true,
		profile: provider.Ollama,
		list:    "messages",
		decode:  decodeOllama,
		encode:  encodeOllama,
		relate:  relateByName,
		prepare: func(r *Request) {
			r.nameCalls()
			tools.prepare(r)
		},
		signs: signs{
			members: []string{"keep_alive", "options", "think"},
			fields:  []string{"tool_name", "images", "thinking"},
		},
	}
}

func decodeOllama(d *decoder, v jsonscan.Value) preflight.Message {
	m := preflight.Message{Role: preflight.Role(v.Get("role").Str()), Native: d.native(v)}
	if v.Get("role").Kind() != jsonscan.String || m.Role == "" {
		m.Role = ollamaRole(v)
		d.shape(v, "role", "the role is missing", "gave a message its role")
	}
	if r := strings.ToLower(strings.TrimSpace(string(m.Role))); m.Role != preflight.RoleTool && (r == "tool" || r == "function") {
		m.Role = preflight.RoleTool
		d.shape(v, "role", "nobody has this role", "gave the result of a tool its role")
	}
	if m.Role == preflight.RoleTool {
		m.Parts = d.single(ollamaResult(d, v))
		return m
	}
	assistant := callsTools(m.Role)
	if thinking := v.Get("thinking"); assistant && thinking.Kind() == jsonscan.String && !thinking.StrIs("") {
		m.Parts = append(m.Parts, &preflight.Reasoning{Text: thinking.Str(), Carried: preflight.Carried{Native: d.native(thinking)}})
	}
	m.Parts = append(m.Parts, ollamaContent(d, v)...)
	if assistant {
		m.Parts = append(m.Parts, ollamaCalls(d, v)...)
	}
	return m
}

// ollamaRole is the role that a message without one most likely had.
func ollamaRole(v jsonscan.Value) preflight.Role {
	switch {
	case v.Get("tool_name").Kind() == jsonscan.String:
		return preflight.RoleTool
	case v.Get("tool_calls").Len() > 0:
		return preflight.RoleAssistant
	}
	return preflight.RoleUser
}

// ollamaContent reads the text and the images of a message.
func ollamaContent(d *decoder, v jsonscan.Value) []preflight.Part {
	parts := ollamaText(d, v)
	images := v.Get("images")
	switch {
	case !images.Exists() || images.Kind() == jsonscan.Null:
		return parts
	case images.Kind() != jsonscan.Array:
		d.shape(images, "", "the images are no list", "removed images that are no list")
		return parts
	}
	d.each(images, func(e jsonscan.Value) {
		if e.Kind() != jsonscan.String {
			d.shape(e, "", "the image is no string", "removed an image that is no string")
			return
		}
		parts = append(parts, &preflight.Media{Kind: "image", MediaType: imageType(e.Str()), Data: e.Str(), Carried: preflight.Carried{Native: d.native(e)}})
	})
	return parts
}

// imageType is the media type of an image, as the first bytes of its base64 show it: nothing else
// does, and other formats want to be told. It is "" for what they do not show.
func imageType(data string) string {
	for _, t := range [...][2]string{{"iVBORw0KGg", "image/png"}, {"/9j/", "image/jpeg"}, {"R0lGOD", "image/gif"}, {"UklGR", "image/webp"}} {
		if strings.HasPrefix(data, t[0]) {
			return t[1]
		}
	}
	return ""
}

// ollamaText reads the content: a string, or what other formats have in its place.
func ollamaText(d *decoder, v jsonscan.Value) []preflight.Part {
	content := v.Get("content")
	switch content.Kind() {
	case jsonscan.Absent, jsonscan.Null:
		return nil
	case jsonscan.String:
		return d.single(d.texts.one(preflight.Text{Text: content.Str(), Carried: preflight.Carried{Native: d.native(content)}}))
	}
	parts := d.content(v, ruleOllamaContent, chatPart)
	if content.Kind() != jsonscan.Array {
		return ollamaFlat(parts)
	}
	d.mended(content, "", ruleOllamaContent, "the content is a list, not a string", "made a string, and images, of a list of parts")
	return ollamaFlat(parts)
}

// ollamaFlat is parts in the form this format has for them: one text, and inline images.
func ollamaFlat(parts []preflight.Part) []preflight.Part {
	var texts, images []preflight.Part
	for _, p := range parts {
		m, ok := p.(*preflight.Media)
		if data := inlineImage(m); ok && data != "" {
			images = append(images, &preflight.Media{Kind: "image", Data: data})
			continue
		}
		t, ok := p.(*preflight.Text)
		if !ok {
			t = &preflight.Text{Text: string(nativeOf(p).JSON)}
		}
		texts = append(texts, t)
	}
	if len(texts) == 0 {
		return images
	}
	return append([]preflight.Part{&preflight.Text{Text: joinTexts(texts)}}, images...)
}

// inlineImage is the base64 data of an image that holds its data, "" for any other media.
func inlineImage(m *preflight.Media) string {
	if m == nil || m.Kind != "image" {
		return ""
	}
	if _, data, ok := strings.Cut(m.URL, ";base64,"); ok && strings.HasPrefix(m.URL, "data:") {
		return data
	}
	return m.Data
}

func ollamaCalls(d *decoder, v jsonscan.Value) []preflight.Part {
	list := v.Get("tool_calls")
	if list.Kind() != jsonscan.Array {
		if list.Exists() && list.Kind() != jsonscan.Null {
			d.shape(list, "", "the tool calls are no list", "removed tool calls that are no list")
		}
		return nil
	}
	var parts []preflight.Part
	d.each(list, func(e jsonscan.Value) {
		if e.Kind() == jsonscan.Object {
			parts = append(parts, ollamaCall(d, e))
		} else {
			d.shape(e, "", "the tool call is no object", "removed a tool call that is no object")
		}
	})
	return parts
}

func ollamaCall(d *decoder, v jsonscan.Value) preflight.Part {
	c := d.calls.one(preflight.ToolCall{Carried: preflight.Carried{Native: d.native(v)}, ID: d.text(v, "id")})
	if function := v.Get("function"); function.Kind() == jsonscan.Object {
		c.Name, c.Input = d.text(function, "name"), d.ollamaArguments(function.Get("arguments"))
	} else {
		d.shape(v, "function", "the tool call names no function", "gave a tool call its function")
		c.Name, c.Input = d.text(v, "name"), flatArguments(v)
	}
	if len(c.Input) == 0 {
		c.Input = noArguments
	}
	return c
}

// ollamaArguments are the arguments of a call; nil for none.
func (d *decoder) ollamaArguments(v jsonscan.Value) []byte {
	switch v.Kind() {
	case jsonscan.Absent, jsonscan.Null:
		return nil
	case jsonscan.String:
		d.mended(v, "", ruleOllamaArguments, "the arguments are a string, not an object", "wrote arguments as an object")
		return textBytes(v)
	}
	return v.Raw()
}

// flatArguments are the arguments of a call whose members stand one level too high: an object, or a
// string that holds one. The service does not look for any there (ToolCall in api/types.go of
// github.com/ollama/ollama), so that another value is a stray member, which stays as it is.
func flatArguments(call jsonscan.Value) []byte {
	v := call.Get("arguments")
	if v.Kind() == jsonscan.Object {
		return v.Raw()
	}
	if doc, err := jsonscan.Parse(textBytes(v)); v.Kind() == jsonscan.String && err == nil && doc.Root().Kind() == jsonscan.Object {
		return textBytes(v)
	}
	return nil
}

func ollamaResult(d *decoder, v jsonscan.Value) preflight.Part {
	r := d.results.one(preflight.ToolResult{Carried: preflight.Carried{Native: d.native(v)}, CallID: d.text(v, "tool_call_id"), Name: d.text(v, "tool_name")})
	d.r.nameless = d.r.nameless || r.CallID == ""
	r.Content = ollamaContent(d, v)
	return r
}

func encodeOllama(m *preflight.Message) ([][]byte, error) {
	native, parts := m.Native, m.Parts
	result := loneResult(m)
	if result != nil {
		parts = contentOf(result)
		if len(result.Native.JSON) > 0 {
			native = result.Native
		}
	}
	o, message := openObject(native, ollamaName, `{"role":"","content":""}`)
	message.text("role", string(m.Role))
	if result != nil {
		encodeOllamaResult(message, result)
	}
	var p ollamaParts
	if err := p.sort(parts); err != nil {
		return nil, err
	}
	p.write(o, message, callsTools(m.Role))
	return o.pieces()
}

// encodeOllamaResult writes which call a result answers.
func encodeOllamaResult(message *member, r *preflight.ToolResult) {
	switch {
	case isNoID(r.CallID):
		message.drop("tool_call_id")
	case !foundByName(r):
		message.text("tool_call_id", r.CallID)
	}
	message.spelled("tool_name", r.Name)
}

// ollamaParts are the parts of a message by where they go.
type ollamaParts struct {
	texts, images, calls []preflight.Part
	thinking             []string
}

func (s *ollamaParts) sort(parts []preflight.Part) error {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Text:
			s.texts = append(s.texts, p)
		case *preflight.Reasoning:
			if isSealed(p) {
				return errSealed
			}
			s.thinking = append(s.thinking, p.Text)
		case *preflight.ToolCall:
			s.calls = append(s.calls, p)
		case *preflight.Media:
			if inlineImage(p) == "" && p.Native.Format != ollamaName {
				return &EncodeError{Kind: p.Kind}
			}
			s.images = append(s.images, p)
		case *preflight.Other:
			return &EncodeError{Kind: p.Kind}
		default:
			return &EncodeError{Kind: preflight.PartKind(p)}
		}
	}
	return nil
}

func (s *ollamaParts) write(o *object, message *member, assistant bool) {
	if v := message.v.Get("content"); len(s.texts) > 0 || v.Exists() && v.Kind() != jsonscan.Null {
		message.text("content", joinTexts(s.texts))
	}
	writeList(o, message, "images", s.images, ollamaImage)
	if !assistant {
		return
	}
	if thinking := strings.Join(s.thinking, "\n"); thinking != "" || message.v.Get("thinking").Str() != "" {
		message.text("thinking", thinking)
	}
	writeList(o, message, "tool_calls", s.calls, ollamaCallBlock)
}

// writeList makes a member a list of parts, or takes it out when there are none and it held some.
func writeList(o *object, message *member, key string, parts []preflight.Part, block func(preflight.Part) ([][]byte, error)) {
	v := message.v.Get(key)
	switch {
	case v.Kind() == jsonscan.Array && (len(parts) > 0 || v.Len() == 0):
		o.spliceParts(v, parts, block)
	case len(parts) > 0:
		message.o.SetPieces(key, o.list(parts, block))
	case v.Exists() && v.Kind() != jsonscan.Null:
		message.drop(key)
	}
}

func ollamaImage(p preflight.Part) ([][]byte, error) {
	m, _ := p.(*preflight.Media)
	if n := m.Native; n.Format == ollamaName {
		if doc, err := jsonscan.Parse(n.JSON); err == nil && doc.Root().StrIs(m.Data) {
			return whole(n.JSON), nil
		}
	}
	return whole(quoted(inlineImage(m))), nil
}

func ollamaCallBlock(p preflight.Part) ([][]byte, error) {
	c, _ := p.(*preflight.ToolCall)
	o, call := openObject(c.Native, ollamaName, `{"function":{"name":"","arguments":{}}}`)
	if !isNoID(c.ID) {
		call.text("id", c.ID)
	}
	input := c.Input
	if _, err := jsonscan.Parse(input); err != nil {
		input = noArguments
	}
	v := call.v.Get("function")
	if v.Kind() != jsonscan.Object { // the members stand one level too high
		call.o.SetMember("function", []byte(`{"name":`+string(quoted(c.Name))+`,"arguments":`+string(input)+`}`))
		if call.drop("name"); flatArguments(call.v) != nil {
			call.drop("arguments")
		}
		return o.pieces()
	}
	function := o.member(v)
	function.text("name", c.Name)
	missing := v.Get("arguments").Kind() == jsonscan.Null || !v.Has("arguments")
	if !missing || !bytes.Equal(input, noArguments) {
		function.raw("arguments", input)
	}
	return o.pieces()
}
