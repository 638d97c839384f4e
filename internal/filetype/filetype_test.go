package filetype

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// files are whole files in the formats that the package knows.
func files(tb testing.TB) map[string][]byte {
	picture := image.NewRGBA(image.Rect(0, 0, 3, 2))
	var p, j, g bytes.Buffer
	require.NoError(tb, png.Encode(&p, picture))
	require.NoError(tb, jpeg.Encode(&j, picture, nil))
	require.NoError(tb, gif.Encode(&g, picture, nil))
	return map[string][]byte{
		"image/png":  p.Bytes(),
		"image/jpeg": j.Bytes(),
		"image/gif":  g.Bytes(),
		"image/webp": []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\r\x00\x00\x00/" +
			"\x00\x00\x00\x10\a\x10\x11\x11\x88\x88\xfe\a\x00"),
	}
}

var encode = base64.StdEncoding.EncodeToString

func TestIsImage(t *testing.T) {
	whole := files(t)
	for mediaType, file := range whole {
		data := encode(file)
		require.Equal(t, mediaType, OfImage(data))
		require.True(t, isPicture(data), mediaType)
		require.True(t, isPicture(strings.TrimRight(data, "=")), "%s without padding", mediaType)
		require.True(t, isPicture(base64.URLEncoding.EncodeToString(file)), "%s for URLs",
			mediaType)
		require.True(t, isPicture(data[:20]+"\r\n"+data[20:]+"\n"), "%s in lines", mediaType)
		require.False(t, isPicture(data[:24]+"...[truncated]..."+data[28:]), "%s cut", mediaType)
		if mediaType != "image/jpeg" { // three bytes are the mark of that
			require.False(t, isPicture(encode(file[:8])), "%s: the signature alone", mediaType)
		}
		require.False(t, IsPDF(data), mediaType)
	}
	edited := func(mediaType string, offset int, replacement ...byte) string {
		file := bytes.Clone(whole[mediaType])
		copy(file[offset:], replacement)
		return encode(file)
	}
	frame := bytes.Index(whole["image/jpeg"], []byte{0xff, 0xc0})
	require.Positive(t, frame)
	lossy := []byte("RIFF\x1a\x00\x00\x00WEBPVP8 " +
		"\x0d\x00\x00\x00\x00\x00\x00\x9d\x01\x2a\x03\x00\x02\x00")
	for name, row := range map[string]struct {
		data  string
		image bool
	}{
		"PNG without width":  {edited("image/png", 16, 0, 0, 0, 0), false},
		"PNG without height": {edited("image/png", 20, 0, 0, 0, 0), false},
		"GIF without width":  {edited("image/gif", 6, 0, 0), false},
		"JPEG without width": {edited("image/jpeg", frame+7, 0, 0), false},
		"JPEG, height later": {edited("image/jpeg", frame+5, 0, 0), true},
		"JPEG without a frame": {encode(append(whole["image/jpeg"][:frame:frame], 0xff, 0xd9,
			0, 0)), false},
		"JPEG, cut before its frame": {encode(whole["image/jpeg"][:frame]), true},
		"JPEG with a long segment":   {encode(longJPEG(whole["image/jpeg"])), true},
		"lossy WebP":                 {encode(lossy), true},
		"lossy WebP without width": {encode(bytes.Replace(lossy, []byte{3, 0, 2}, []byte{0, 0, 2},
			1)), false},
		"WebP of another kind": {edited("image/webp", 12, 'V', 'P', '9', ' '), false},
		"BMP":                  {encode([]byte("BM" + strings.Repeat("\x00", 60))), false},
		"a web page":           {encode([]byte("<html>not found</html>")), false},
		"no base64":            {"@@@not base64", false},
		"empty":                {"", false},
	} {
		require.Equal(t, row.image, isPicture(row.data), name)
	}
}

// longJPEG puts segments of the greatest length before the others, as cameras do.
func longJPEG(file []byte) []byte {
	segment := append([]byte{0xff, 0xe1, 0xff, 0xff}, make([]byte, 0xffff-2)...)
	return bytes.Join([][]byte{file[:2], segment, segment, file[2:]}, nil)
}

func TestIsPDF(t *testing.T) {
	long := strings.Repeat("0 0 obj\n", 1000)
	for name, row := range map[string]struct {
		file string
		pdf  bool
	}{
		"whole":                 {"%PDF-1.7\n" + long + "startxref\n9\n%%EOF\n", true},
		"after other bytes":     {long[:800] + "%PDF-1.7\n" + long + "%%EOF", true},
		"before other bytes":    {"%PDF-1.7\n" + long + "%%EOF" + long[:800], true},
		"without the last line": {"%PDF-1.7\n" + long + "startxref\n9\n", true},
		"short":                 {"%PDF-1.4\n", true},
		"cut":                   {"%PDF-1.7\n" + long, false},
		"a web page":            {"<html>not found</html>", false},
	} {
		for extra := range 3 { // every length of the last group
			data := encode([]byte(row.file + strings.Repeat(" ", extra)))
			require.Equal(t, row.pdf, IsPDF(data), name)
			require.Equal(t, row.pdf, IsPDF(strings.TrimRight(data, "=")), name)
		}
	}
	require.True(t, IsPDF(encode([]byte("%PDF-1.7\n" + long))[:200]+"\n"),
		"the end is not looked for in lines")
	require.False(t, IsPDF("%PDF-1.7"), "no base64")
}

func TestNoAllocations(t *testing.T) {
	data := encode(longJPEG(files(t)["image/jpeg"]))
	document := encode([]byte("%PDF-1.7\n" + strings.Repeat("x", 5000) + "%%EOF"))
	require.Zero(t, testing.AllocsPerRun(10, func() {
		if !isPicture(data) || OfImage(data) == "" || !IsPDF(document) {
			t.Fail()
		}
	}))
}

// FuzzIsImage: what a decoder of the standard library reads is an image, and no data panics.
func FuzzIsImage(f *testing.F) {
	for _, file := range files(f) {
		f.Add(encode(file), file)
	}
	f.Add("@@@", []byte("%PDF-1.7"))
	f.Add("====", []byte("GIF89a"))
	f.Fuzz(func(t *testing.T, data string, file []byte) {
		isPicture(data)
		IsPDF(data)
		config, format, err := image.DecodeConfig(bytes.NewReader(file))
		if err != nil || config.Width == 0 || config.Height == 0 ||
			format == "jpeg" && !bytes.HasPrefix(file, []byte{0xff, 0xd8, 0xff}) {
			return // the decoder of JPEG files skips bytes even after the first two
		}
		require.Equal(t, "image/"+format, OfImage(encode(file)))
		require.True(t, isPicture(encode(file)))
	})
}
