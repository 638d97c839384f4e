package wire

import (
	"maps"
	"slices"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file lists the vendors that offer several formats under one name.

// vendors are the formats and dialects that a vendor speaks, the main one first. The vendor's name
// may stand for each of them in Options.Provider: the body tells which.
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

// Vendors returns the names of the vendors that speak several formats, sorted, in a fresh slice.
// Options.Provider takes them too: the format that the body shows, or else the vendor's main one,
// decides which of the vendor's dialects it stands for.
func Vendors() []string { return slices.Sorted(maps.Keys(vendors)) }

// Dialect returns the name of the dialect, or of the format itself, in which a provider or vendor
// speaks a format: that of "deepseek" in "anthropic" is "deepseek-anthropic". ok is false where it
// is not known to speak that format.
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

// spokenBy finds the format or dialect that a name stands for where body is the request.
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
	return first, nil
}

// readsAgain reports whether a repaired body is right in the format that it is read in when it
// comes back. The repair may have removed all that showed which format of a vendor's it is in, and
// it is read in the vendor's main one then.
func (r *Request) readsAgain(repaired []byte, options *Options) bool {
	spoken, ok := vendorFormats[options.Provider]
	if !ok || r.format.name == spoken[0].name {
		return true
	}
	doc, err := jsonscan.Parse(repaired)
	if err != nil {
		return false
	}
	if f, err := spokenBy(options.Provider, doc.Root()); err == nil && f.name == r.format.name {
		return true
	}
	report, err := Check(repaired, options)
	return err == nil && len(report.Violations) == 0
}

// holdsHistory reports whether body can be a request in the format by where it holds its messages.
func (f *format) holdsHistory(body jsonscan.Value) bool {
	if body.Kind() != jsonscan.Object {
		return true
	}
	request := f.open(body)
	list := request.Get(f.list)
	return list.Kind() == jsonscan.Array || f.plain && list.Kind() == jsonscan.String ||
		f.needsNoMessages(request, list)
}

// shows reports whether something in body shows the format: what only this one has, the names of
// models aside.
func (f *format) shows(body jsonscan.Value) bool {
	k := slices.IndexFunc(formats, func(of *format) bool { return of.name == f.name })
	s, list := &formats[k].signs, body
	if body.Kind() == jsonscan.Object {
		list = body.Get(f.list)
	}
	return s.inBody(body, list) || s.inList(list) || s.inBareBlocks(body, list)
}
