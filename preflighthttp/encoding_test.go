package preflighthttp

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAskReadable(t *testing.T) {
	for _, c := range []struct {
		asked, want []string
	}{
		{nil, nil},
		{[]string{"gzip"}, []string{"gzip"}},
		{[]string{"gzip;q=0.5, identity"}, []string{"gzip;q=0.5, identity"}},
		{[]string{"identity"}, []string{"identity"}},
		{[]string{"br"}, []string{"identity"}},
		{[]string{"gzip, deflate, br, zstd"}, []string{"gzip"}},
		{[]string{"br", "gzip"}, []string{"gzip"}},
		{[]string{"br, gzip;q=0"}, []string{"identity"}},
		{[]string{"br, gzip; q=0.000"}, []string{"identity"}},
		{[]string{"*"}, []string{"gzip"}},
		{[]string{"*;q=0"}, []string{"identity"}},
		{[]string{"ZSTD, GZIP"}, []string{"gzip"}},
	} {
		req, err := http.NewRequest(http.MethodPost, "http://x.example", nil)
		require.NoError(t, err)
		if c.asked != nil {
			req.Header[acceptEncoding] = c.asked
		}
		require.Equal(t, c.want, askReadable(req).Header[acceptEncoding], c.asked)
		require.Equal(t, c.asked, req.Header[acceptEncoding], "the request itself is not changed")
	}
}
