package validtext

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestControls(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "",
		"a\tb\r\nc":            "a\tb\r\nc",
		"a\x00b":               "a\x00b",
		"a\x01\x1fb\x7f\u0085": "ab\u0085",
	} {
		require.Equal(t, want, WithoutControls(text), "%q", text)
		require.Equal(t, want != text, HasControls(text), "%q", text)
	}
}
