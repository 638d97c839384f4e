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
