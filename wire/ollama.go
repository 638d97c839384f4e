package wire

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// This file describes Ollama's /api/chat format: content is a string, images are beside it as
// base64, arguments are an object, and in older versions calls and results have no ids (see
// ids.go).

const ollamaName = "ollama"

// The rules about the shape of messages.
const (
	ruleOllamaContent   = "ollama/content-format"
	ruleOllamaArguments = "ollama/arguments-object"
)

func ollamaFormat() *format {
	tools := chat{name: ollamaName}
	return &format{
		name:     ollamaName,
		chatLike: true,
		profile:  provider.Ollama,
		list:     "messages",
		decode:   decodeOllama,
		encode:   encodeOllama,
		complete: nameResults,
		prepare: func(r *Request) {
			r.makeIDs()
			tools.prepare(r)
		},
		signs: signs{
			members: []string{"keep_alive", "options", "think"},
			fields:  []string{"tool_name", "images", "thinking"},
		},
	}
}

// inlineImage returns the base64 data of an image, "" for media without it.
func inlineImage(m *preflight.Media) string {
	if m == nil || mediaKind(m) != "image" {
		return ""
	}
	_, data := inlineData(m)
	return data
}
