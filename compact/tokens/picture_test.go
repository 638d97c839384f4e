package tokens_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/tokens"
)

// TestPictureTokens: a picture counts by its pixels, or as one of unknown size does, and never by
// its bytes.
func TestPictureTokens(t *testing.T) {
	frame := tokens.Estimate(message(preflight.RoleUser))
	encoded := func(w, h int, jpg bool) string {
		var b bytes.Buffer
		picture := image.NewGray(image.Rect(0, 0, w, h))
		if jpg {
			require.NoError(t, jpeg.Encode(&b, picture, nil))
		} else {
			require.NoError(t, png.Encode(&b, picture))
		}
		return base64.StdEncoding.EncodeToString(b.Bytes())
	}
	for name, c := range map[string]struct {
		media preflight.Media
		want  int
	}{
		"small":       {preflight.Media{Data: encoded(200, 200, false)}, 64},
		"square":      {preflight.Media{Data: encoded(1000, 1000, true)}, 1296},
		"large":       {preflight.Media{Data: encoded(2560, 1440, false)}, 4000},
		"other":       {preflight.Media{Data: strings.Repeat("UklGR", 400_000)}, 1600},
		"not base64":  {preflight.Media{Data: strings.Repeat("?", 2_000_000)}, 1600},
		"address":     {preflight.Media{URL: "https://example.com/a.png"}, 1600},
		"stored file": {preflight.Media{FileID: "file_1"}, 1600},
	} {
		c.media.Kind = "image"
		require.Equal(t, frame+c.want,
			tokens.Estimate(message(preflight.RoleUser, &c.media)), name)
		result := message(preflight.RoleTool, &preflight.ToolResult{
			Content: []preflight.Part{&c.media},
		})
		require.Equal(t, frame+c.want, tokens.Estimate(result), "%s, of a tool", name)
	}
}
