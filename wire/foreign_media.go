package wire

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/filetype"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file reads blocks of media of any format into neutral parts, for foreign_blocks.go.

// readSource reads an image or document whose source is an object with a type.
func readSource(kind string) blockReader {
	return func(v, _ jsonscan.Value) (preflight.Part, bool) {
		m := &preflight.Media{Kind: kind, Name: v.Get("title").Str()}
		switch source := v.Get("source"); {
		case source.Get("type").StrIs("base64"):
			m.MediaType, m.Data = source.Get("media_type").Str(), source.Get("data").Str()
		case source.Get("type").StrIs("url"):
			m.URL = source.Get("url").Str()
		case source.Get("type").StrIs("text"):
			return &preflight.Text{Text: source.Get("data").Str()}, true
		case source.Kind() == jsonscan.String:
			return addressed(m, source), true
		case source.Kind() == jsonscan.Object:
			return readAsText(v, v)
		case v.Get("data").Kind() == jsonscan.String || v.Get("uri").Kind() == jsonscan.String:
			m.MediaType = spelledEither(v, "mime_type", "mimeType").Str() // Interactions and MCP
			m.Data, m.URL = v.Get("data").Str(), v.Get("uri").Str()
		case v.Get("url").Kind() == jsonscan.String:
			return addressed(m, v.Get("url")), true
		case v.Get("base64").Kind() == jsonscan.String: // as in LangChain
			m.MediaType, m.Data = v.Get("mime_type").Str(), v.Get("base64").Str()
		case kind == "image" && v.Get("image").Kind() == jsonscan.String: // as in the AI SDK
			m = addressed(m, v.Get("image"))
			if m.MediaType == "" && filetype.OfImage(m.URL) != "" {
				m.URL, m.MediaType, m.Data = "", filetype.OfImage(m.URL), m.URL
			}
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
	if mediaType, data := inlineData(m); data != "" {
		m.URL, m.MediaType, m.Data = "", mediaType, data
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
