package filetype

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnreadable(t *testing.T) {
	gif := base64.StdEncoding.EncodeToString([]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"))
	file := base64.StdEncoding.EncodeToString([]byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"))
	text := base64.StdEncoding.EncodeToString([]byte("hello"))
	require.True(t, isPicture(gif))
	require.True(t, IsPDF(file))
	for _, c := range []struct {
		name, kind, mediaType, data, url string
		want                             bool
	}{
		{"a picture", "image", "", gif, "", false},
		{"a picture in an address", "image", "", "", "data:image/gif;base64," + gif, false},
		{"a picture in the data as an address", "image", "", "data:image/gif;base64," + gif, "", false},
		{"text", "image", "image/png", text, "", true},
		{"text in an address", "image", "", "", "data:image/png;base64," + text, true},
		{"a PDF file as a picture", "image", "", file, "", true},
		{"no base64", "image", "", "", "data:image/svg+xml,<svg>", false},
		{"an address", "image", "", "", "https://example.com/a.png", false},
		{"nothing", "image", "", "", "", false},
		{"a PDF file", "document", "application/pdf", file, "", false},
		{"a picture as a PDF file", "document", "application/pdf", gif, "", true},
		{"a document of another type", "document", "text/plain", text, "", false},
		{"a sound", "audio", "", text, "", false},
	} {
		require.Equal(t, c.want, Unreadable(c.kind, c.mediaType, c.data, c.url), c.name)
	}
}
