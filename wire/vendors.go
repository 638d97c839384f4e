package wire

import (
	"maps"
	"slices"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file lists the vendors that offer several formats under one name.

// vendors are the formats and dialects of each vendor, the main one first. Options.Provider may
// name the vendor; the body then decides.
var vendors = map[string][]string{
	"openai":     {"openai-chat", "openai-responses"},
	"azure":      {"azure", "azure-responses", "anthropic"},
	"bedrock":    {"bedrock", "bedrock-anthropic", "openai-compatible", "openai-responses"},
	"vertex":     {"vertex-gemini", "vertex-anthropic", "openai-compatible"},
	"copilot":    {"openai-chat", "copilot-responses", "anthropic"},
	"openrouter": {"openrouter", "openrouter-responses", "openrouter-anthropic"},
	"deepseek":   {"deepseek", "deepseek-anthropic", "deepseek-responses"},
	"moonshot":   {"moonshot", "moonshot-anthropic"},
	"minimax":    {"minimax", "minimax-anthropic"},
	"glm":        {"glm", "glm-anthropic"},
	"xai":        {"xai", "xai-responses"},
	"groq":       {"groq", "openai-responses"},
	"vllm":       {"chat-template", "vllm-anthropic", "openai-responses"},
}

// vendorFormats are the vendors' formats.
var vendorFormats = func() map[string][]*format {
	out := make(map[string][]*format, len(vendors))
	for vendor, names := range vendors {
		for _, name := range names {
			f, err := formatOf(name)
			if err != nil {
				panic("wire: " + err.Error())
			}
			out[vendor] = append(out[vendor], f)
		}
	}
	return out
}()

// Vendors returns the names of the vendors with several formats, sorted, in a fresh slice.
// Options.Provider accepts them: the body decides which of the vendor's formats is meant, and the
// main one is the default.
func Vendors() []string { return slices.Sorted(maps.Keys(vendors)) }

// Dialect returns the name of the dialect, or of the format itself, that a provider or vendor uses
// for a format: for "deepseek" and "anthropic" it is "deepseek-anthropic". ok is false if the
// provider is not known to support the format.
func Dialect(provider, format string) (name string, ok bool) {
	spoken, ok := vendorFormats[provider]
	if !ok {
		f, err := formatOf(provider)
		if err != nil || f.name != format {
			return "", false
		}
		return provider, true
	}
	for _, f := range spoken {
		if f.name == format {
			return f.provider(), true
		}
	}
	return "", false
}

// spokenBy finds the format or dialect that a name means for a body.
func spokenBy(name string, body jsonscan.Value) (*format, error) {
	spoken, ok := vendorFormats[name]
	if !ok {
		return formatOf(name)
	}
	k := max(0, slices.IndexFunc(spoken, func(f *format) bool { return f.holdsHistory(body) }))
	first, rest := spoken[k], spoken[k+1:]
	if !slices.ContainsFunc(rest, func(f *format) bool { return f.list == first.list }) ||
		first.shows(body) {
		return first, nil
	}
	for _, f := range rest {
		if f.list == first.list && f.shows(body) {
			return f, nil
		}
	}
	for _, f := range rest {
		if f.list == first.list && f.name == openAIChat &&
			isChat(body, first.isNamedBy(body)) {
			return f, nil
		}
	}
	return first, nil
}

// isNamedBy reports whether a body names a model as the format's own provider does.
func (f *format) isNamedBy(body jsonscan.Value) bool {
	return f.detected().inModel(body.Get("model").Str())
}

// detected returns the signs of the format, for a dialect those of the format that it is a dialect
// of.
func (f *format) detected() *signs {
	of, _ := formatOf(f.name)
	return &of.signs
}

// holdsHistory reports whether a body holds messages where the format keeps them.
func (f *format) holdsHistory(body jsonscan.Value) bool {
	if body.Kind() != jsonscan.Object {
		return true
	}
	request := f.open(body)
	list := request.Get(f.list)
	return list.Kind() == jsonscan.Array || f.plain && list.Kind() == jsonscan.String ||
		f.single && list.Kind() == jsonscan.Object ||
		f.needsNoMessages(request, list)
}

// shows reports whether a body shows the format by anything but the name of a model.
func (f *format) shows(body jsonscan.Value) bool {
	s, list := f.detected(), body
	if body.Kind() == jsonscan.Object {
		list = body.Get(f.list)
	}
	return s.inBody(body, list) || s.inList(list) || s.inBareBlocks(body, list)
}
