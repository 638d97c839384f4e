package tokens_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/tokens"
)

// TestPictureFormulas: the examples of https://platform.openai.com/docs/guides/images-vision and of
// https://ai.google.dev/gemini-api/docs/tokens.
func TestPictureFormulas(t *testing.T) {
	for _, c := range []struct {
		name          string
		of            func(width, height int) int
		width, height int
		want          int
	}{
		{"OpenAI tiles", tokens.OpenAITiles, 1024, 1024, 765},
		{"OpenAI tiles", tokens.OpenAITiles, 2048, 4096, 1105},
		{"OpenAI tiles", tokens.OpenAITiles, 0, 0, 1445},
		{"OpenAI patches", tokens.OpenAIPatches, 1024, 1024, 1024},
		{"OpenAI patches", tokens.OpenAIPatches, 1800, 2400, 1452},
		{"OpenAI patches", tokens.OpenAIPatches, 0, 0, 1536},
		{"OpenAI patches", tokens.OpenAIPatches, 1, 1, 1},
		{"Gemini tiles", tokens.GeminiTiles, 384, 384, 258},
		{"Gemini tiles", tokens.GeminiTiles, 960, 540, 516},
		{"Gemini tiles", tokens.GeminiTiles, 0, 0, 258},
	} {
		require.Equal(t, c.want, c.of(c.width, c.height), "%s, %d x %d", c.name, c.width, c.height)
	}
	m := message(preflight.RoleUser, &preflight.Media{Kind: "image", URL: "https://example.com/a.png"})
	frame := tokens.Estimate(message(preflight.RoleUser))
	require.Equal(t, frame+258, tokens.EstimateWith(tokens.GeminiTiles)(m))
}

// TestMediaTokens: a PDF counts by its pages, sound by its seconds, and neither by its bytes.
func TestMediaTokens(t *testing.T) {
	frame := tokens.Estimate(message(preflight.RoleUser))
	cost := func(m preflight.Media, data string) int {
		m.Data = base64.StdEncoding.EncodeToString([]byte(data))
		return tokens.Estimate(message(preflight.RoleUser, &m)) - frame
	}
	pdf := preflight.Media{Kind: "document", MediaType: "application/pdf"}
	var pages strings.Builder
	for k := range 3 {
		fmt.Fprintf(&pages, "%d 0 obj << /Type /Page /Parent 1 0 R >> %s", k+2,
			strings.Repeat("x", 300_000))
	}
	require.Equal(t, 3*2500, cost(pdf, "1 0 obj << /Type/Pages /Count 3 >>"+pages.String()))
	require.Equal(t, 2*2500, cost(pdf, strings.Repeat("z", 100_000)), "pages that cannot be counted")
	wav := "RIFF....WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\xbb\x00\x00\x00\x77\x01\x00" +
		strings.Repeat("s", 960_000-32)
	require.Equal(t, 320, cost(preflight.Media{Kind: "audio", MediaType: "audio/wav"}, wav),
		"ten seconds of 96,000 bytes")
	require.Equal(t, 320, cost(preflight.Media{Kind: "audio", MediaType: "audio/mpeg"},
		strings.Repeat("s", 160_000)))
}

func message(role preflight.Role, parts ...preflight.Part) preflight.Message {
	return preflight.Message{Role: role, Parts: parts}
}
