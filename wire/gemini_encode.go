package wire

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file writes the Gemini generateContent format by editing the JSON that messages were
// decoded from.

func encodeGemini(w *writer, m *preflight.Message) ([][]byte, error) {
	o, message := w.open(m.Native, gemini, `{"role":"","parts":[]}`)
	message.drop(geminiContentExtras.List()...)
	message.text("role", geminiRole(m.Role))
	o.writeParts(message, m.Parts)
	return o.pieces()
}

// geminiRole returns how the provider spells a role.
func geminiRole(r preflight.Role) string {
	switch r {
	case preflight.RoleAssistant:
		return "model"
	case preflight.RoleTool:
		return "user"
	}
	return string(r)
}

func encodeGeminiSystem(native preflight.Native, parts []preflight.Part) ([][]byte, error) {
	o, message := openObject(native, gemini, `{"parts":[]}`)
	message.drop(geminiContentExtras.List()...)
	o.writeParts(message, parts)
	return o.pieces()
}

// writeParts makes the content m hold parts.
func (o *object) writeParts(m *member, parts []preflight.Part) {
	m.drop("content")
	v := m.v.Get("parts")
	switch {
	case v.Kind() == jsonscan.Array:
		o.spliceParts(v, parts, geminiPart)
		return
	case len(parts) == 0 && !hasValue(v):
		return
	case len(parts) == 1 && v.Kind() == jsonscan.Object:
		if raw, err := geminiPart(parts[0]); err == nil && concatEqual(raw, v.Raw()) {
			return
		}
	}
	m.o.SetPieces("parts", o.list(parts, geminiPart))
}

// geminiPart writes one part.
func geminiPart(p preflight.Part) ([][]byte, error) {
	switch p := p.(type) {
	case *preflight.Text:
		o, part := openData(p.Native, `{"text":""}`, "text")
		o.words(part, p)
		part.keepSignature()
		return o.pieces()
	case *preflight.Reasoning:
		return geminiThought(p)
	case *preflight.ToolCall:
		return writeGeminiCall(p)
	case *preflight.ToolResult:
		return writeGeminiResult(p)
	case *preflight.Media:
		return geminiMedia(p)
	case *preflight.Other:
		return geminiOther(p)
	}
	return nil, noForm(preflight.PartKind(p))
}

// openData starts an edit of native if that is a part with data of this kind, otherwise of
// template. Other data is dropped, and so are members that the provider does not know.
func openData(native preflight.Native, template, kind string) (*object, *member) {
	o, part := openObject(native, gemini, template)
	if !slices.ContainsFunc(slotsOf(part.v, nil), func(s dataSlot) bool {
		return geminiData[s.kind].key == kind
	}) {
		short := o.short
		o, part = openObject(preflight.Native{}, gemini, template)
		o.short = short
		return o, part
	}
	part.drop(geminiPartExtras.List()...)
	part.dropData(kind)
	return o, part
}

// dropData drops the data of all kinds but one.
func (m *member) dropData(but string) {
	for _, s := range slotsOf(m.v, nil) {
		if geminiData[s.kind].key != but {
			m.drop(s.v.Key().Str())
		}
	}
}

// keepSignature keeps a valid signature, and drops an invalid one.
func (m *member) keepSignature() {
	key := keyOf(m.v, "thoughtSignature", "thought_signature")
	if v := m.v.Get(key); hasValue(v) && !isSignature(v) {
		m.drop(key)
	}
}

// signature makes the signature that of a part.
func (m *member) signature(want string) {
	m.optional(keyOf(m.v, "thoughtSignature", "thought_signature"), want)
	if want == "" {
		m.keepSignature()
	}
}

func geminiThought(r *preflight.Reasoning) ([][]byte, error) {
	if isOpaque(r) {
		return nil, errOpaque
	}
	o, part := openData(r.Native, `{"text":"","thought":true}`, "text")
	part.thoughts("text", r)
	part.flag("thought", true)
	part.signature(r.Signature)
	return o.pieces()
}

func writeGeminiCall(c *preflight.ToolCall) ([][]byte, error) {
	if c.ProviderExecuted {
		return nil, noForm("provider-executed tool call")
	}
	o, part := openData(c.Native, `{"functionCall":{"name":"","args":{}}}`, "functionCall")
	call := o.member(spelledEither(part.v, "functionCall", "function_call"))
	call.textOrNone("id", c.ID)
	call.text("name", c.Name)
	call.drop("thoughtSignature", "thought_signature")
	call.arguments("args", c)
	part.signature(c.Signature)
	return o.pieces()
}

func writeGeminiResult(r *preflight.ToolResult) ([][]byte, error) {
	if r.ProviderExecuted {
		return nil, noForm("provider-executed tool result")
	}
	o, part := openData(r.Native, `{"functionResponse":{"name":"","response":{}}}`,
		"functionResponse")
	result := o.member(spelledEither(part.v, "functionResponse", "function_response"))
	result.textOrNone("id", r.CallID)
	result.text("name", r.Name)
	had := result.v.Get("response")
	if want := responseOf(r, had); !bytes.Equal(want, had.Raw()) {
		result.o.SetMember("response", want)
	}
	o.writeMedia(result, r)
	part.keepSignature()
	return o.pieces()
}

// responseOf returns the content of a result as a JSON object. v is the object it was decoded from.
func responseOf(r *preflight.ToolResult, v jsonscan.Value) []byte {
	key := "output"
	if r.IsError {
		key = "error"
	}
	var texts []*preflight.Text
	for _, p := range r.Content {
		if t, ok := p.(*preflight.Text); ok && t != nil {
			texts = append(texts, t)
		}
	}
	switch {
	case len(texts) == 0 && len(r.Output) > 0:
		return outputOf(r, key)
	case len(texts) == 0 && r.IsError:
		return wrapped(key, []byte(`""`))
	case len(texts) == 0:
		if v.Kind() == jsonscan.Object && v.Len() == 0 {
			return v.Raw()
		}
		return noArguments
	case len(r.Output) > 0:
		list := [][]byte{jsonOf(r.Output)}
		for _, t := range texts {
			list = append(list, textToken(t))
		}
		return wrapped(key, joined(list))
	case len(texts) > 1:
		lines := make([]string, len(texts))
		for k, t := range texts {
			lines[k] = wordsOf(t)
		}
		return wrapped(key, quoted(strings.Join(lines, "\n")))
	}
	t := texts[0]
	text := wordsOf(t)
	if have, was := onlyText(v); have == key && was.StrIs(text) {
		return v.Raw()
	}
	if bytes.Equal(t.Native.JSON, v.Raw()) && text == string(v.Raw()) &&
		r.IsError == isErrorResponse(v) {
		return v.Raw()
	}
	return wrapped(key, textToken(t))
}

// outputOf returns a result's output as an object.
func outputOf(r *preflight.ToolResult, key string) []byte {
	v := valueOf(r.Output)
	if v.Kind() == jsonscan.Object && (!r.IsError || isErrorResponse(v)) {
		return jsonscan.Unrepeated(v)
	}
	return wrapped(key, jsonOf(r.Output))
}

// writeMedia puts the media of a result into the parts of the function response.
func (o *object) writeMedia(result *member, r *preflight.ToolResult) {
	var media []preflight.Part
	for _, p := range withoutNil(r.Content) {
		if _, ok := p.(*preflight.Text); !ok {
			media = append(media, p)
		}
	}
	if len(media) > 0 || result.v.Get("parts").Kind() == jsonscan.Array {
		o.partList(result, "parts", media, geminiPart)
	}
}

func geminiMedia(m *preflight.Media) ([][]byte, error) {
	mediaType, data := inlineData(m)
	if data != "" {
		o, part := openData(m.Native, `{"inlineData":{"mimeType":"","data":""}}`, "inlineData")
		blob := o.member(spelledEither(part.v, "inlineData", "inline_data"))
		blob.mediaType(mediaType)
		blob.text("data", data)
		part.keepSignature()
		return o.pieces()
	}
	address := m.URL
	if address == "" {
		address = m.FileID
	}
	if mediaType == "" && m.Native.Format != gemini {
		mediaType = addressType(m)
	}
	o, part := openData(m.Native, `{"fileData":{"fileUri":""}}`, "fileData")
	file := o.member(spelledEither(part.v, "fileData", "file_data"))
	file.mediaType(mediaType)
	file.optional(keyOf(file.v, "fileUri", "file_uri"), address)
	part.keepSignature()
	return o.pieces()
}

// addressType guesses the media type of an image from its address, "" if that is not possible.
// Nothing else shows that a file of this format is an image.
func addressType(m *preflight.Media) string {
	address, _, _ := strings.Cut(m.URL, "?")
	if mediaKind(m) != "image" {
		return ""
	}
	switch kind := strings.ToLower(address[strings.LastIndexByte(address, '.')+1:]); kind {
	case "png", "jpeg", "gif", "webp", "heic", "heif":
		return "image/" + kind
	case "jpg":
		return "image/jpeg"
	}
	return ""
}

// mediaType makes the media type that of a part.
func (m *member) mediaType(want string) {
	if want != "" {
		m.text(keyOf(m.v, "mimeType", "mime_type"), want)
	}
}

// geminiOther writes a part of a kind that is kept as it is.
func geminiOther(p *preflight.Other) ([][]byte, error) {
	if p.Kind == listKind && p.Native.Format == gemini {
		return [][]byte{p.Native.JSON}, nil
	}
	o, part := openObject(p.Native, gemini, `{}`)
	if p.Native.Format != gemini || !bytes.Equal(o.src, p.Native.JSON) {
		return nil, noFormOf(p.Kind)
	}
	part.keepSignature()
	kind := p.Kind
	switch kind {
	case signatureKind:
		kind = "text"
	case fragmentKind:
		kind = "functionCall"
	}
	if _, known := dataSlots[kind]; known {
		part.drop(geminiPartExtras.List()...)
		part.dropData(kind)
	}
	return o.pieces()
}
