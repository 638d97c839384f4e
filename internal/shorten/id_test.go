package shorten_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/shorten"
)

func TestID(t *testing.T) {
	for id, want := range map[string]string{
		"":                                "",
		"toolu_01A":                       "toolu_01A",
		"call_1|fc_2":                     "call_1|fc_2",
		"functions.f:0":                   "functions.f:0",
		"7":                               "7",
		strings.Repeat("a", 64):           strings.Repeat("a", 64),
		strings.Repeat("a", 65):           strings.Repeat("a", 32) + "…",
		"alice@example.org":               "",
		"two words":                       "",
		`{"a":1}`:                         "",
		"\xff":                            "",
		"naïve":                           "",
		strings.Repeat("a", 300) + "\x00": "",
	} {
		require.Equal(t, want, shorten.ID(id), "%q", id)
	}
}

func TestName(t *testing.T) {
	arn := "arn:aws:bedrock:us-east-1:123456789012:inference-profile/" + strings.Repeat("a", 150)
	for name, want := range map[string]string{
		"": "", "claude-sonnet-4-5": "claude-sonnet-4-5", arn: arn,
		strings.Repeat("a", 1<<20):     strings.Repeat("a", 128) + "…",
		strings.Repeat("é", 200):       strings.Repeat("é", 64) + "…",
		"x" + strings.Repeat("é", 200): "x" + strings.Repeat("é", 63) + "…",
	} {
		require.Equal(t, want, shorten.Name(name))
	}
}

// TestPath: what may be a key is not in a path that is printed, and names are. "" is the path.
func TestPath(t *testing.T) {
	for path, want := range map[string]string{
		"/gw/3fa85f64-5717-4562-b3fc-2c963f66afa6/v1":           "/gw/…/v1",
		"/gw/sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz/v1":             "/gw/…/v1",
		"/gw/sk%2Dshort/v1":                                     "/gw/…/v1",
		"/bot/ak_live-x7Zp-Qq81-LmN2-0Kdw":                      "/bot/…",
		"/AIzaSyD-9tSrke72PouQ-MnMX-a7eZSW0jk/v1":               "/…/v1",
		"/k/x7Zp-Qq81-LmN2-0Kdw-9/v1":                           "/k/…/v1",
		"/0123456789abcdefghijklmnop/model/a.claude-5-20250929": "/…/model/a.claude-5-20250929",
		"/openai/deployments/my_team_gpt4o_deployment":          "",
		"/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A12/converse":  "",
		"/models/meta-llama/Meta-Llama-3.1-8B-Instruct/v1":      "",
		"/${A_LONG_NAME_OF_THE_KEY_2}/v1":                       "",
		"/api/coding/paas/v4/chat/completions":                  "",
		"api-version=2025-04-01-preview":                        "",
		"/v1/models/gemini-3:generateContent?key=AIzaSyD":       "/v1/models/gemini-3:generateContent?key=…",
		"a=1&sig=0123456789abcdefghijklmnop":                    "a=1&sig=…",
	} {
		require.Equal(t, cmp.Or(want, path), shorten.Path(path))
	}
}
