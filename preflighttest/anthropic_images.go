package preflighttest

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/gif"  // to measure images
	_ "image/jpeg" // to measure images
	_ "image/png"  // to measure images
	"strconv"
)

// This file checks the images in Anthropic's requests.

// anthropicImages calls f for every image that is in the body itself.
func anthropicImages(r *request, f func(b anthropicBlock, mediaType, data string)) {
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if source := object(b.object["source"]); b.kind == "image" &&
			text(source["type"]) == "base64" {
			f(b, text(source["media_type"]), text(source["data"]))
		}
	})
}

func anthropicImageSize(r *request, found found) {
	const limit = 5 << 20
	anthropicImages(r, func(b anthropicBlock, mediaType, data string) {
		if len(data) > limit {
			found(b.at(), "messages.0.content.1", b.path, "6291456", strconv.Itoa(len(data)))
		}
	})
}

// anthropicMagic are the first bytes of the image types that are accepted.
var anthropicMagic = []struct{ mediaType, magic string }{
	{"image/png", "\x89PNG"}, {"image/jpeg", "\xff\xd8\xff"}, {"image/gif", "GIF8"},
	{"image/webp", "RIFF????WEBP"},
}

func anthropicSniff(data string) string {
	head, _ := base64.StdEncoding.DecodeString(data[:min(len(data), 24)/4*4])
	for _, m := range anthropicMagic {
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

// anthropicImageType passes over the models up to 3, which take an image under
// another type.
func anthropicImageType(r *request, found found) {
	if m := anthropicOf(r).model; m.family != "" && !m.atLeast(4, 0) {
		return
	}
	anthropicImages(r, func(b anthropicBlock, mediaType, data string) {
		if is := anthropicSniff(data); is != "" && is != mediaType {
			found(b.at(), "messages.34.content.0.tool_result.content.1", b.path, "the image/png",
				"the "+mediaType, "a image/jpeg", "a "+is)
		}
	})
}

func anthropicImageDimension(r *request, found found) {
	n := 0
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if b.kind == "image" {
			n++
		}
	})
	if n <= 20 {
		return
	}
	anthropicImages(r, func(b anthropicBlock, mediaType, data string) {
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
