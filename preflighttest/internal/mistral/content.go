package mistral

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Empty messages.

// empty reports whether the message has no content.
func (m message) empty() bool {
	switch c := m.object["content"].(type) {
	case nil:
		return true
	case string:
		return c == ""
	case []any:
		return len(c) == 0
	}
	return false
}

// says reports whether a chunk among the content has a word.
func (m message) says() bool {
	return slices.ContainsFunc(read.Array(m.object["content"]),
		func(v any) bool { return !emptyChunk(read.Object(v)) })
}

// emptyChunk reports whether a chunk is text or thinking without a word.
func emptyChunk(chunk map[string]any) bool {
	switch chunk["type"] {
	case "text":
		return read.Text(chunk["text"]) == ""
	case "thinking":
		said := func(v any) bool { return read.Text(read.Object(v)["text"]) != "" }
		return read.Text(chunk["thinking"]) == "" &&
			!slices.ContainsFunc(read.Array(chunk["thinking"]), said)
	}
	return false
}

func assistantEmpty(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		if m.role == "assistant" && len(m.calls) == 0 &&
			(m.empty() || read.Kind(m.object["content"]) == "array" && !m.says()) {
			found(m.path)
		}
	}
}

func systemNull(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		_, isText := m.object["content"].(string)
		if m.role == "system" && m.empty() && !isText {
			found(m.path + ".content")
		}
	}
}

// mediaDisabled: recordings of maruel/genai, by families of models.
func mediaDisabled(r *fake.Request, found fake.Found) {
	serves := func(family string) bool { return strings.HasPrefix(r.Model, family) }
	audio := serves("voxtral")
	if !audio && !slices.ContainsFunc(
		[]string{"ministral", "mistral-small", "mistral-medium", "mistral-large"}, serves) {
		return
	}
	for _, m := range messagesOf(r) {
		for _, v := range read.Array(m.object["content"]) {
			switch kind := read.Object(v)["type"]; {
			case kind == "input_audio" && !audio:
				found.Says(m.path, "Audio input is not enabled for this model")
			case kind == "image_url" && audio:
				found.Says(m.path, "Image input is not enabled for this model")
			}
		}
	}
}
