package shorten_test

import (
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
