package filetype

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseDataURL(t *testing.T) {
	for url, want := range map[string][2]string{
		"data:image/png;base64,AAAA":      {"image/png", "AAAA"},
		"data:text/plain;charset=x,a%20b": {"text/plain", "YSBi"},
		"data:,a":                         {"", "YQ=="},
		"data:;base64,":                   {"", ""},
	} {
		mediaType, data, ok := ParseDataURL(url)
		require.True(t, ok, url)
		require.Equal(t, want, [2]string{mediaType, data}, url)
	}
	for _, url := range []string{"", "https://x/a,b", "data:image/png", "data:,%zz"} {
		_, _, ok := ParseDataURL(url)
		require.False(t, ok, url)
	}
}
