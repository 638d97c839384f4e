package wire

import (
	"cmp"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/filetype"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file reads Ollama's format.

func decodeOllama(d *decoder, v jsonscan.Value) preflight.Message {
	m := preflight.Message{Role: roleIn(v), Native: d.native(v)}
	if v.Get("role").Kind() != jsonscan.String || m.Role == "" {
		m.Role = roleByMembers(v, "tool_name")
		d.shape(v, "role", "the role is missing", "added the missing role to a message")
	}
	answers := d.answers(v, m.Role)
	if answers != "" || m.Role != preflight.RoleTool && isToolRole(d, m.Role) ||
		d.namesCalled(v, m.Role) {
		m.Role = preflight.RoleTool
		d.shape(v, "role", "no message has this role",
			"changed the role of a tool's result to the tool role")
	}
	if m.Role == preflight.RoleTool {
		m.Parts = d.single(ollamaResult(d, v, answers))
		return m
	}
	assistant := callsTools(m.Role)
	if t := v.Get("thinking"); assistant && t.Kind() == jsonscan.String && !t.StrIs("") {
		m.Parts = d.single(d.thoughts.one(preflight.Reasoning{
			Carried: d.nativeOnly(t), Text: d.prose(t, t),
		}))
	}
	m.Parts = d.both(m.Parts, ollamaContent(d, v))
	if assistant {
		m.Parts = d.both(m.Parts, ollamaCalls(d, v))
	}
	return m
}

// ollamaContent reads the text and the images of a message.
func ollamaContent(d *decoder, v jsonscan.Value) []preflight.Part {
	parts := ollamaText(d, v)
	images := v.Get("images")
	switch {
	case !hasValue(images):
		return parts
	case images.StrIs(""):
		d.shape(images, "", "the images are no list", "removed images that are empty")
		return parts
	case images.Kind() == jsonscan.Array:
		parts = append(d.lists.take(len(parts) + images.Len())[:0], parts...)
		d.eachElement(images, func(e jsonscan.Value) { parts = readOllamaImage(d, e, parts) })
		return parts
	}
	all := readOllamaImage(d, images, parts)
	if len(all) > len(parts) {
		d.shape(images, "", "the images are no list", "wrote the images as a list")
	}
	return all
}

// readOllamaImage appends an image: a string, or one in the form of another format.
func readOllamaImage(d *decoder, v jsonscan.Value, parts []preflight.Part) []preflight.Part {
	if v.Kind() == jsonscan.String {
		mediaType, data := d.bareData(v, "")
		return append(parts, d.media.one(preflight.Media{
			Kind: "image", MediaType: cmp.Or(filetype.OfImage(data), mediaType), Data: data,
			Carried: d.nativeOnly(v),
		}))
	}
	if p, ok := d.foreign(v); ok && p != nil {
		return append(parts, p)
	}
	if mediaType, data := dataIn("image", v.Get("data").Str()); data != "" {
		d.shape(v, "", "the image is not a string", "wrote the data of an image as a string")
		return append(parts, &preflight.Media{Kind: "image", MediaType: mediaType, Data: data})
	}
	d.refused(v, "", ruleShape)
	return parts
}

// ollamaText reads the content: a string, or what other formats have in its place.
func ollamaText(d *decoder, v jsonscan.Value) []preflight.Part {
	content := v.Get("content")
	switch content.Kind() {
	case jsonscan.Absent, jsonscan.Null:
		return nil
	case jsonscan.String:
		return d.oneProse(content)
	}
	parts := d.inFull(func() []preflight.Part { return d.content(v, ruleOllamaContent, chatPart) })
	if content.Kind() != jsonscan.Array {
		return joinOllamaParts(parts)
	}
	d.repaired(content, "", ruleOllamaContent,
		"the content is a list, not a string", "split a list of parts into a string and images")
	return joinOllamaParts(parts)
}

// joinOllamaParts converts parts to this format: one text, and inline images.
func joinOllamaParts(parts []preflight.Part) []preflight.Part {
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
	if len(texts) == 0 && len(images) > 0 {
		return images
	}
	return append([]preflight.Part{&preflight.Text{Text: joinTexts(texts)}}, images...)
}

func ollamaCalls(d *decoder, v jsonscan.Value) []preflight.Part {
	list := v.Get("tool_calls")
	switch {
	case !list.Exists() || list.Kind() == jsonscan.Null:
		return nil
	case list.Kind() == jsonscan.Object && list.Len() > 0:
		d.shape(list, "", wrongSingleCall, doneSingleCall)
		return []preflight.Part{ollamaCall(d, list)}
	case list.Kind() != jsonscan.Array:
		d.shape(list, "", "the tool calls are no list", "removed tool calls that are no list")
		return nil
	}
	parts := d.lists.take(list.Len())[:0]
	d.eachElement(list, func(e jsonscan.Value) {
		if e.Kind() == jsonscan.Object {
			parts = append(parts, ollamaCall(d, e))
		} else {
			d.shape(e, "", "the tool call is not an object",
				"removed a tool call that is not an object")
		}
	})
	return parts
}

func ollamaCall(d *decoder, v jsonscan.Value) preflight.Part {
	c := d.calls.one(preflight.ToolCall{Carried: d.nativeOnly(v), ID: d.text(v, "id")})
	if function := v.Get("function"); function.Kind() == jsonscan.Object {
		c.Name, c.Input = d.text(function, "name"), d.ollamaArguments(function.Get("arguments"))
	} else {
		d.shape(v, "function", "the tool call names no function",
			"added the missing function to a tool call")
		c.Name, c.Input = d.text(v, "name"), topLevelArguments(v)
	}
	if len(c.Input) == 0 {
		c.Input = noArguments
	}
	return c
}

// ollamaArguments returns the arguments of a call; nil for none.
func (d *decoder) ollamaArguments(v jsonscan.Value) []byte {
	switch v.Kind() {
	case jsonscan.Absent, jsonscan.Null:
		return nil
	case jsonscan.String:
		d.repaired(v, "", ruleOllamaArguments,
			"the arguments are a string, not an object", "wrote arguments as an object")
		return v.Bytes()
	}
	return v.Raw()
}

// topLevelArguments returns the arguments of a call whose members are one level too high: an
// object, or a string that holds one. The service does not look for arguments there (ToolCall in
// api/types.go of github.com/ollama/ollama), so another value is a stray member and kept.
func topLevelArguments(call jsonscan.Value) []byte {
	v := call.Get("arguments")
	if v.Kind() == jsonscan.Object {
		return v.Raw()
	}
	if v.Kind() != jsonscan.String || valueOf(v.Bytes()).Kind() != jsonscan.Object {
		return nil
	}
	return v.Bytes()
}

// ollamaResult reads a tool message. member is where it has the id of its call, "" for the usual
// place.
func ollamaResult(d *decoder, v jsonscan.Value, member string) preflight.Part {
	r := d.results.one(preflight.ToolResult{
		Carried: d.nativeOnly(v), CallID: d.text(v, cmp.Or(member, callMembers[0])),
		Name: d.text(v, "tool_name"),
	})
	if member != "" && member != callMembers[0] {
		r.Native.JSON = withMember(v, member, callMembers[0])
	}
	d.r.resultsWithoutID = d.r.resultsWithoutID || r.CallID == ""
	r.Content = ollamaContent(d, v)
	return r
}
