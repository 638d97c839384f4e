package tokens

import (
	"encoding/base64"
	"image"
	_ "image/gif"  // the formats whose size is read
	_ "image/jpeg" // like PNG and GIF
	_ "image/png"
	"strings"

	"github.com/go-preflight/preflight"
)

// This file counts the tokens of pictures.

const (
	patch            = 28 // pixels
	mostOfPicture    = 4000
	unknownOfPicture = 1600
)

// anthropicPicture is the formula of Estimate.
func anthropicPicture(width, height int) int {
	if width <= 0 || height <= 0 {
		return unknownOfPicture
	}
	across, down := (width-1)/patch+1, (height-1)/patch+1
	if across > mostOfPicture/down {
		return mostOfPicture
	}
	return across * down
}

// pictureSize returns the width and height of a picture, 0 and 0 where they are not known. Only the
// beginning of its data is read.
func pictureSize(m *preflight.Media) (width, height int) {
	data := base64.NewDecoder(base64.StdEncoding, strings.NewReader(m.Data))
	c, _, err := image.DecodeConfig(data)
	if err != nil || c.Width <= 0 || c.Height <= 0 {
		return 0, 0
	}
	return c.Width, c.Height
}

// eachMedia calls f with all media of the parts, and of the tool results among them.
func eachMedia(parts []preflight.Part, f func(*preflight.Media)) {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Media:
			if p != nil {
				f(p)
			}
		case *preflight.ToolResult:
			if p == nil {
				continue
			}
			for _, leaf := range p.Content {
				if m, ok := leaf.(*preflight.Media); ok && m != nil {
					f(m)
				}
			}
		}
	}
}

func isPicture(m *preflight.Media) bool {
	return m.Kind == "image" || strings.HasPrefix(m.MediaType, "image/")
}
