package wire

import (
	"cmp"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file reads blocks of media of any format into neutral parts, for foreign_blocks.go.

// sourceTypes are the members of an Anthropic source, and the type that each shows.
var sourceTypes = [...][2]string{{"data", "base64"}, {"url", "url"}, {"file_id", "file"}}

// typeOfSource returns the type of a source, where it has none the type that its members show, ""
// if they do not. Data of no known type may be text.
func typeOfSource(source jsonscan.Value, kind string) string {
	if t := source.Get("type"); hasText(t) {
		return t.Str()
	}
	declared := source.Get("media_type").Str()
	if strings.HasPrefix(declared, "text/") {
		return ""
	}
	for _, t := range sourceTypes {
		member := source.Get(t[0])
		_, data := dataIn(kind, member.Str())
		if hasText(member) && (t[0] != "data" || declared != "" || data != "") {
			return t[1]
		}
	}
	return ""
}

// readSource reads an image or document: one whose source is an object, or whose data or address is
// elsewhere.
func readSource(kind string) blockReader {
	return func(v, _ jsonscan.Value) (preflight.Part, bool) {
		m := &preflight.Media{Kind: kind, Name: v.Get("title").Str()}
		source := v.Get("source")
		switch typeOfSource(source, kind) {
		case "base64":
			m.Data = source.Get("data").Str()
			m.MediaType = cmp.Or(source.Get("media_type").Str(), typeOfData(kind, m.Data))
			return m, true
		case "url":
			return addressed(m, source.Get("url")), true
		case "text":
			return &preflight.Text{Text: source.Get("data").Str()}, true
		}
		switch {
		case source.Kind() == jsonscan.Object:
			return readAsText(v, v)
		case hasText(source):
			return addressed(m, source), true
		case hasText(v.Get("data")), hasText(v.Get("uri")):
			m.MediaType = spelledEither(v, "mime_type", "mimeType").Str() // Interactions and MCP
			m.Data, m.URL = v.Get("data").Str(), v.Get("uri").Str()
		case hasText(v.Get("url")):
			return addressed(m, v.Get("url")), true
		case hasText(v.Get("base64")): // as in LangChain
			m.MediaType, m.Data = v.Get("mime_type").Str(), v.Get("base64").Str()
		case kind == "image" && hasText(v.Get("image")): // as in the AI SDK
			return addressed(m, v.Get("image")), true
		default:
			return nil, false // only the name is known
		}
		return m, true
	}
}

// readAddress reads media that is an address, or an object with one.
func readAddress(kind, member string) blockReader {
	return func(v, _ jsonscan.Value) (preflight.Part, bool) {
		address := v.Get(member)
		if address.Kind() == jsonscan.Object {
			address = address.Get("url")
		}
		return addressed(&preflight.Media{Kind: kind, Name: v.Get("document_name").Str()},
			address), address.Kind() == jsonscan.String
	}
}

// addressed gives media its address, which may hold its data.
func addressed(m *preflight.Media, address jsonscan.Value) *preflight.Media {
	m.URL = address.Str()
	if mediaType, data := dataIn(m.Kind, m.URL); data != "" {
		m.URL, m.MediaType, m.Data = "", cmp.Or(mediaType, m.MediaType), data
	}
	return m
}

func readInputImage(v, data jsonscan.Value) (preflight.Part, bool) {
	if !hasValue(v.Get("image_url")) {
		return readAsText(v, data)
	}
	return readAddress("image", "image_url")(v, data)
}

func readInputAudio(v, _ jsonscan.Value) (preflight.Part, bool) {
	audio := v.Get("input_audio")
	m := &preflight.Media{Kind: "audio", Data: audio.Get("data").Str()}
	m.MediaType = mediaTypeIn("audio", audio.Get("format").Str())
	return m, audio.Kind() == jsonscan.Object
}

func readFile(v, data jsonscan.Value) (preflight.Part, bool) {
	file := v.Get("file")
	if file.Kind() != jsonscan.Object {
		return nil, false
	}
	return documentOf(v, file)
}

func readInputFile(v, data jsonscan.Value) (preflight.Part, bool) {
	return documentOf(v, v)
}

// documentOf reads a document in the members of file; one that only its provider holds is text.
func documentOf(v, file jsonscan.Value) (preflight.Part, bool) {
	m := &preflight.Media{Kind: "document", Name: file.Get("filename").Str()}
	switch {
	case file.Get("file_data").Str() != "":
		return addressed(m, file.Get("file_data")), true
	case file.Get("file_url").Str() != "":
		return addressed(m, file.Get("file_url")), true
	}
	return readAsText(v, v)
}

// readBlob reads inline data, or the address of a file.
func readBlob(_, data jsonscan.Value) (preflight.Part, bool) {
	m := &preflight.Media{
		Data: data.Get("data").Str(), URL: spelledEither(data, "fileUri", "file_uri").Str(),
	}
	m.MediaType = spelledEither(data, "mimeType", "mime_type").Str()
	m.Kind = mediaKind(m)
	return m, m.Data != "" || m.URL != ""
}

// readBytes reads media with a format and a source.
func readBytes(kind string) blockReader {
	return func(v, data jsonscan.Value) (preflight.Part, bool) {
		source := data.Get("source")
		m := &preflight.Media{
			Kind: kind, Data: source.Get("bytes").Str(), Name: data.Get("name").Str(),
		}
		m.MediaType = mediaTypeOf(kind, data.Get("format").Str())
		if m.Data == "" {
			return readAsText(v, data)
		}
		return m, true
	}
}
