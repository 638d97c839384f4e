package compact_test

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
	"github.com/go-preflight/preflight/compact"
)

// TestPictureTokens: a picture counts by its pixels, or as the largest does, and never by its
// bytes. The first two sizes are examples of
// https://docs.claude.com/en/docs/build-with-claude/vision.
func TestPictureTokens(t *testing.T) {
	frame := compact.EstimateTokens(message(preflight.RoleUser))
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
		"small":       {preflight.Media{Data: encoded(200, 200, false)}, 54},
		"square":      {preflight.Media{Data: encoded(1000, 1000, true)}, 1334},
		"large":       {preflight.Media{Data: encoded(2560, 1440, false)}, 1600},
		"other":       {preflight.Media{Data: strings.Repeat("UklGR", 400_000)}, 1600},
		"not base64":  {preflight.Media{Data: strings.Repeat("?", 2_000_000)}, 1600},
		"address":     {preflight.Media{URL: "https://example.com/a.png"}, 1600},
		"stored file": {preflight.Media{FileID: "file_1"}, 1600},
	} {
		c.media.Kind = "image"
		require.Equal(t, frame+c.want,
			compact.EstimateTokens(message(preflight.RoleUser, &c.media)), name)
		result := message(preflight.RoleTool, &preflight.ToolResult{
			Content: []preflight.Part{&c.media},
		})
		require.Equal(t, frame+c.want, compact.EstimateTokens(result), "%s, of a tool", name)
	}
}
