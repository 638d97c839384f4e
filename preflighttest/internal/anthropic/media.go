package anthropic

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/gif" // these formats are measured
	_ "image/jpeg"
	_ "image/png"
	"strconv"

	"github.com/go-preflight/preflight/preflighttest/internal/claude"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/picture"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Images and documents.

// images calls f for every image that is in the body itself.
func images(r *fake.Request, f func(b block, mediaType, data string)) {
	everywhere(r, func(role string, b block) {
		if source := read.Object(b.object["source"]); b.kind == "image" &&
			read.Text(source["type"]) == "base64" {
			f(b, read.Text(source["media_type"]), read.Text(source["data"]))
		}
	})
}

func imageSize(r *fake.Request, found fake.Found) {
	const limit = 5 << 20
	images(r, func(b block, mediaType, data string) {
		if len(data) > limit {
			found(b.at(), "messages.0.content.1", b.path, "6291456", strconv.Itoa(len(data)))
		}
	})
}

// magic are the first bytes of the image types that are accepted.
var magic = []struct{ mediaType, magic string }{
	{"image/png", "\x89PNG"}, {"image/jpeg", "\xff\xd8\xff"}, {"image/gif", "GIF8"},
	{"image/webp", "RIFF????WEBP"},
}

func sniff(data string) string {
	head, _ := base64.StdEncoding.DecodeString(data[:min(len(data), 24)/4*4])
	for _, m := range magic {
		if len(head) >= len(m.magic) && magicMatches(head, m.magic) {
			return m.mediaType
		}
	}
	return ""
}

// magicMatches compares the first bytes; ? matches any byte.
func magicMatches(head []byte, magic string) bool {
	for i := range len(magic) {
		if magic[i] != '?' && magic[i] != head[i] {
			return false
		}
	}
	return true
}

// imageType passes over the models up to 3, which take an image under
// another type.
func imageType(r *fake.Request, found fake.Found) {
	if m := opened(r).model; m.Family != "" && !m.AtLeast(4, 0) {
		return
	}
	images(r, func(b block, mediaType, data string) {
		if is := sniff(data); is != "" && is != mediaType {
			found(b.at(), "messages.34.content.0.tool_result.content.1", b.path, "the image/png",
				"the "+mediaType, "a image/jpeg", "a "+is)
		}
	})
}

func imageDimension(r *fake.Request, found fake.Found) {
	n := 0
	everywhere(r, func(role string, b block) {
		if b.kind == "image" {
			n++
		}
	})
	if n <= 20 {
		return
	}
	images(r, func(b block, mediaType, data string) {
		raw, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			return
		}
		if size, _, err := image.DecodeConfig(bytes.NewReader(raw)); err == nil &&
			max(size.Width, size.Height) > 2000 {
			found(b.at(), "messages.21.content.94", b.path)
		}
	})
}

// undecodable: anthropics/claude-code#53228, #56016, #66167; for PDF
// files #5174.
func undecodable(r *fake.Request, found fake.Found) {
	everywhere(r, func(role string, b block) {
		source := read.Object(b.object["source"])
		if read.Text(source["type"]) != "base64" || read.Text(source["data"]) == "" {
			return
		}
		switch data := read.Text(source["data"]); {
		case b.kind == "image" && !picture.Image(data):
			found(b.at())
		case b.kind == "document" && read.Text(source["media_type"]) == "application/pdf" &&
			!picture.PDF(data):
			found.Says(b.at(),
				b.path+".pdf.source.base64.data: The PDF specified was not valid.")
		}
	})
}

func mediaInAssistant(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		if m.role == "assistant" &&
			(b.kind == "image" || b.kind == "document" || b.kind == "container_upload") {
			found(b.at(), append(claude.Nth(m.index), "'image'", "'"+b.kind+"'")...)
		}
	})
}
