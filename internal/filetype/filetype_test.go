package filetype

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// heads are the starts of files, by media type.
var heads = map[string]string{
	"image/png": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01" +
		"\x08\x06\x00\x00\x00",
	"image/jpeg": "\xff\xd8\xff\xe0\x00\x10JFIF\x00",
	"image/gif":  "GIF89a\x01\x00\x01\x00\x00\x00\x00",
	"image/webp": "RIFF\x1a\x00\x00\x00WEBPVP8L",
}

// TestPictures: each type is recognized in both alphabets, with line breaks and without padding.
func TestPictures(t *testing.T) {
	for mediaType, head := range heads {
		data := base64.StdEncoding.EncodeToString([]byte(head))
		require.Equal(t, mediaType, OfImage(data))
		require.False(t, IsPDF(data), mediaType)
		for _, spelled := range []string{
			data, base64.URLEncoding.EncodeToString([]byte(head)), strings.TrimRight(data, "="),
			data[:9] + "\r\n" + data[9:] + "\n",
		} {
			require.True(t, IsPicture(spelled), "%s: %s", mediaType, spelled)
		}
	}
}

// TestNoPictures: other files, headers that are cut short or hold no size, and text are no pictures.
func TestNoPictures(t *testing.T) {
	encode := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	png := heads["image/png"]
	for reason, data := range map[string]string{
		"nothing":            "",
		"a few characters":   "iVB",
		"a web page":         encode("<html>not found</html>"),
		"a bitmap":           encode("BM" + strings.Repeat("\x00", 40)),
		"a signature alone":  encode(png[:8]),
		"no width":           encode(png[:16] + "\x00\x00\x00\x00" + png[20:]),
		"no height":          encode(png[:20] + "\x00\x00\x00\x00" + png[24:]),
		"a short GIF":        encode("GIF89a\x01"),
		"text after base64":  encode(png) + "...[truncated]...",
		"padding in between": encode(png)[:20] + "=" + encode(png)[20:],
		"too much padding":   encode(png+"xy") + "===",
		"one digit too many": encode(png) + "A",
	} {
		require.False(t, IsPicture(data), reason)
	}
}

// TestPDF: the mark may come within the first kilobyte.
func TestPDF(t *testing.T) {
	for before, want := range map[int]bool{0: true, 1: true, 900: true, 2000: false} {
		file := strings.Repeat("x", before) + "%PDF-1.7\n" + strings.Repeat("y", 30)
		data := base64.StdEncoding.EncodeToString([]byte(file))
		require.Equal(t, want, IsPDF(data), "after %d bytes", before)
		require.False(t, IsPicture(data))
	}
	require.False(t, IsPDF(base64.StdEncoding.EncodeToString([]byte("%PDF-1.7"))+"@"))
}
