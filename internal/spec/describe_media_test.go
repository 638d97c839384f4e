package spec

import (
	"bytes"
	"context"
	"encoding/base64"
	stdimage "image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// pictures are whole files in the formats that providers read, as base64.
func pictures(tb testing.TB) map[string]string {
	picture := stdimage.NewRGBA(stdimage.Rect(0, 0, 3, 2))
	var p, j, g bytes.Buffer
	require.NoError(tb, png.Encode(&p, picture))
	require.NoError(tb, jpeg.Encode(&j, picture, nil))
	require.NoError(tb, gif.Encode(&g, picture, nil))
	encode := base64.StdEncoding.EncodeToString
	return map[string]string{
		"image/png":  encode(p.Bytes()),
		"image/jpeg": encode(j.Bytes()),
		"image/gif":  encode(g.Bytes()),
		"image/webp": encode([]byte("RIFF\x1a\x00\x00\x00WEBPVP8L\r\x00\x00\x00/" +
			"\x00\x00\x00\x10\a\x10\x11\x11\x88\x88\xfe\a\x00")),
	}
}

// Pictures that can be read stay, in either alphabet of base64, with or without padding and white
// space; anything else becomes a line of text. What is no picture ends a session for good:
// anthropics/claude-code#53228, #56016, #66167 (pictures), #5174 (a PDF file).
func TestUnreadableMedia(t *testing.T) {
	plain := base64.StdEncoding.EncodeToString
	files := pictures(t)
	pngData := files["image/png"]
	raw, err := base64.StdEncoding.DecodeString(pngData)
	require.NoError(t, err)
	zero := bytes.Clone(raw)
	copy(zero[16:20], []byte{0, 0, 0, 0})
	type row struct {
		reason string
		media  preflight.Media
		stays  bool
	}
	rows := []row{
		{"in the alphabet for URLs",
			preflight.Media{
				Kind: "image", MediaType: "image/png",
				Data: base64.URLEncoding.EncodeToString(raw),
			}, true},
		{"without padding",
			preflight.Media{
				Kind: "image", MediaType: "image/png",
				Data: strings.TrimRight(pngData, "="),
			}, true},
		{"with line breaks",
			preflight.Media{
				Kind: "image", MediaType: "image/png",
				Data: pngData[:20] + "\r\n" + pngData[20:] + "\n",
			}, true},
		{"in an address", preflight.Media{Kind: "image", URL: "data:image/png;base64," + pngData},
			true},
		{"elsewhere", preflight.Media{Kind: "image", URL: "https://example.com/a.png"}, true},
		{"a PDF file",
			preflight.Media{
				Kind: "document", MediaType: "application/pdf",
				Data: plain([]byte("%PDF-1.7\n%%EOF\n")),
			}, true},
		{"a PDF file after other bytes",
			preflight.Media{
				Kind: "document", MediaType: "application/pdf",
				Data: plain([]byte(strings.Repeat("x", 100) + "%PDF-1.7\n%%EOF")),
			}, true},
		{"a PDF file that is cut",
			preflight.Media{
				Kind: "document", MediaType: "application/pdf",
				Data: plain([]byte("%PDF-1.7\n" + strings.Repeat("x", 2000))),
			}, false},
		{"a text file",
			preflight.Media{Kind: "document", MediaType: "text/plain", Data: "not base64"}, true},
		{"a web page",
			preflight.Media{
				Kind: "image", MediaType: "image/png",
				Data: plain([]byte("<html>not found</html>")),
			}, false},
		{"a web page in an address",
			preflight.Media{
				Kind: "image",
				URL:  "data:image/png;base64," + plain([]byte("<html>not found</html>")),
			}, false},
		{"no base64", preflight.Media{Kind: "image", MediaType: "image/png", Data: "@@@not base64"},
			false},
		{"cut by a tool",
			preflight.Media{
				Kind: "image", MediaType: "image/png",
				Data: pngData[:48] + "...[truncated]..." + pngData[60:],
			}, false},
		{"cut to the signature",
			preflight.Media{Kind: "image", MediaType: "image/png", Data: plain(raw[:8])}, false},
		{"no width", preflight.Media{Kind: "image", MediaType: "image/png", Data: plain(zero)},
			false},
		{"a format that is not read",
			preflight.Media{
				Kind: "image", MediaType: "image/bmp",
				Data: plain([]byte("BM" + strings.Repeat("\x00", 60))),
			}, false},
		{"no PDF file",
			preflight.Media{
				Kind: "document", MediaType: "application/pdf", Name: "a",
				Data: plain([]byte("<html>not found</html>")),
			}, false},
	}
	for mediaType, data := range files {
		rows = append(rows,
			row{mediaType, preflight.Media{Kind: "image", MediaType: mediaType, Data: data}, true})
	}
	profile := preflight.Profile{Media: provider.MediaRules{Readable: true, InResult: true}}
	for _, r := range rows {
		t.Run(r.reason, func(t *testing.T) {
			h := history(userMsg(says("q"), &r.media), botMsg(calls("a")),
				userMsg(&preflight.ToolResult{CallID: "a", Content: []preflight.Part{&r.media}}))
			found := preflight.Check(h, &profile, nil)
			res, err := preflight.Sanitize(context.Background(), h, &profile, nil)
			require.NoError(t, err)
			if r.stays {
				require.Empty(t, found)
				require.Empty(t, res.Warnings)
				return
			}
			require.Len(t, found, 2)
			require.Len(t, res.Warnings, 2)
			for k := range found {
				require.Equal(t, problems.MediaUnreadable, found[k].Problem)
				require.Equal(t, codes.MediaDescribed, res.Warnings[k].Code)
			}
			require.Contains(t, res.Messages[0].Parts[1].(*preflight.Text).Text,
				"omitted: its data cannot be read]")
			require.Empty(t, preflight.Check(res.Messages, &profile, nil))
		})
	}
}

// FuzzUnreadableMedia: whatever the data is, what is left can be read, and the bytes of an encoded
// picture are never taken for something else.
func FuzzUnreadableMedia(f *testing.F) {
	for _, data := range pictures(f) {
		f.Add(data, []byte(data))
	}
	f.Add("@@@", []byte("%PDF-1.7"))
	f.Add("====", []byte("GIF89a"))
	profile := preflight.Profile{Media: provider.MediaRules{Readable: true, MatchType: true}}
	f.Fuzz(func(t *testing.T, data string, file []byte) {
		for _, m := range []*preflight.Media{
			{Kind: "image", MediaType: "image/png", Data: data},
			{Kind: "image", URL: "data:image/png;base64," + data},
			{Kind: "document", MediaType: "application/pdf", Data: data},
		} {
			res, err := preflight.Sanitize(context.Background(), history(userMsg(says("q"), m)),
				&profile, nil)
			require.NoError(t, err)
			require.Empty(t, preflight.Check(res.Messages, &profile, nil))
		}
		config, format, err := stdimage.DecodeConfig(bytes.NewReader(file))
		if err != nil || config.Width == 0 || config.Height == 0 ||
			format == "jpeg" && !bytes.HasPrefix(file, []byte{0xff, 0xd8, 0xff}) {
			return
		}
		m := &preflight.Media{
			Kind:      "image",
			MediaType: "image/" + format,
			Data:      base64.StdEncoding.EncodeToString(file),
		}
		for _, v := range preflight.Check(history(userMsg(m)), &profile, nil) {
			require.NotEqual(t, problems.MediaUnreadable, v.Problem)
		}
	})
}
