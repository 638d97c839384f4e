package preflight_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// Media of a kind or in a form that the provider does not take is a violation, and becomes a line of text; what it takes
// stays. Sources: the profiles' fields MediaKinds and NoMediaURLs, and for Bedrock
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageSource.html (bytes or s3Location).
func TestMediaThatIsNotTaken(t *testing.T) {
	address := &preflight.Media{Kind: "image", URL: "https://example.com/a.png"}
	inline := &preflight.Media{Kind: "image", MediaType: "image/png", Data: "iVBORw0KGgo="}
	byURL := &preflight.Media{Kind: "image", URL: "data:image/png;base64,iVBORw0KGgo="}
	video := &preflight.Media{Kind: "video", MediaType: "video/mp4", Data: "AAAA", Name: "a.mp4"}
	for _, c := range []struct {
		reason  string
		profile preflight.Profile
		media   *preflight.Media
		text    string // "" for media that stays
	}{
		{"an address where data is wanted", preflight.Bedrock(), address, "[image: https://example.com/a.png]"},
		{"data", preflight.Bedrock(), inline, ""},
		{"data in an address", preflight.Bedrock(), byURL, ""},
		{"an address", preflight.Anthropic(), address, ""},
		{"a kind it does not know", preflight.Anthropic(), video, "[video: a.mp4]"},
		{"a kind it knows", preflight.Gemini(), video, ""},
	} {
		t.Run(c.reason, func(t *testing.T) {
			h := []preflight.Message{
				{Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Text{Text: "q"}, c.media}},
				{Role: preflight.RoleAssistant, Parts: []preflight.Part{&preflight.ToolCall{ID: "c1", Name: "f", Input: []byte(`{}`), Signature: "c2ln"}}},
				{Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.ToolResult{CallID: "c1", Name: "f", Content: []preflight.Part{c.media}}}},
			}
			found := preflight.Check(h, &c.profile)
			res, err := preflight.Sanitize(context.Background(), h, &c.profile, nil)
			require.NoError(t, err)
			if c.text == "" {
				require.Empty(t, found)
				require.Empty(t, res.Warnings)
				return
			}
			require.Len(t, found, 2)
			require.Len(t, res.Warnings, 2)
			for k, at := range []preflight.Position{{Message: 0, Part: 1, Inner: -1}, {Message: 2, Part: 0, Inner: 0}} {
				require.Equal(t, preflight.ProblemMediaRefused, found[k].Problem)
				require.Equal(t, at, found[k].At)
				require.Equal(t, preflight.CodePartToText, res.Warnings[k].Code)
			}
			require.Equal(t, c.text, res.Messages[0].Parts[1].(*preflight.Text).Text)
			require.Equal(t, c.text, res.Messages[2].Parts[0].(*preflight.ToolResult).Content[0].(*preflight.Text).Text)
		})
	}
}
