// Package filetype recognizes pictures and PDF files by their first bytes, in base64 data as
// requests hold it. Base64 is read in either alphabet, with or without padding and white space. The
// cost of IsPicture and IsPDF is linear in the data, since all of it has to be base64.
package filetype

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
)

// headSize is the number of decoded bytes to check: enough for the header of every format below.
const headSize = 30

// fileHead decodes the first bytes of base64 data in either alphabet. It skips white space.
func fileHead(data string, head *[headSize]byte) []byte {
	var digits [headSize / 3 * 4]byte
	n := 0
	for i := 0; i < len(data) && n < len(digits); i++ {
		switch c := data[i]; {
		case c == '-':
			digits[n] = '+'
			n++
		case c == '_':
			digits[n] = '/'
			n++
		case base64Bytes[c] == base64Digit:
			digits[n] = c
			n++
		case base64Bytes[c] == base64Other:
			i = len(data)
		}
	}
	size, _ := base64.RawStdEncoding.Decode(head[:], digits[:n])
	return head[:size]
}

// OfImage returns the media type of base64 image data by its first bytes, "" when it is unknown.
func OfImage(data string) string {
	if len(data) < 4 {
		return ""
	}
	var head [12]byte
	n, _ := base64.StdEncoding.Decode(head[:], []byte(data[:min(len(data)/4*4, 16)]))
	return typeOf(head[:n])
}

// signatures are the first bytes of the image types that providers take. Source: the specifications
// of the formats.
var signatures = []struct {
	prefix    string
	mediaType string
}{
	{"\xff\xd8\xff", "image/jpeg"},
	{"\x89PNG\r\n\x1a\n", "image/png"},
	{"GIF87a", "image/gif"},
	{"GIF89a", "image/gif"},
}

// typeOf returns the image type of a file by its first bytes, "" when it is unknown.
func typeOf(file []byte) string {
	for _, s := range signatures {
		if strings.HasPrefix(string(file), s.prefix) {
			return s.mediaType
		}
	}
	if len(file) >= 12 && string(file[:4]) == "RIFF" && string(file[8:12]) == "WEBP" {
		return "image/webp"
	}
	return ""
}

// IsPicture reports whether base64 data is a PNG, JPEG, GIF or WebP file, judged by its header. The
// width and height in a PNG header may not be zero.
func IsPicture(data string) bool {
	var head [headSize]byte
	return isPicture(fileHead(data, &head)) && isBase64(data)
}

func isPicture(file []byte) bool {
	switch typeOf(file) {
	case "":
		return false
	case "image/png":
		return len(file) >= 24 && string(file[12:16]) == "IHDR" &&
			binary.BigEndian.Uint32(file[16:]) > 0 && binary.BigEndian.Uint32(file[20:]) > 0
	case "image/gif":
		return len(file) >= 10
	}
	return true
}

// IsPDF reports whether base64 data is a PDF file, judged by its mark. Readers accept up to a
// kilobyte before the mark.
func IsPDF(data string) bool {
	var head [headSize]byte
	return isPDF(fileHead(data, &head), data) && isBase64(data)
}

func isPDF(file []byte, data string) bool {
	const mark, most = "%PDF-", 1024
	if strings.HasPrefix(string(file), mark) {
		return true
	}
	start, err := base64.StdEncoding.DecodeString(data[:min(len(data)/4*4, most/3*4)])
	return err != nil || strings.Contains(string(start), mark)
}

// The classes of bytes in base64 data. A digit has none of the other bits.
const (
	base64Digit = 0
	base64Pad   = 1
	base64Space = 2
	base64Other = 4
)

// base64Bytes is the class of each byte. It includes the URL-safe alphabet, which some providers
// take as well.
var base64Bytes = func() (classes [256]byte) {
	for i := range classes {
		classes[i] = base64Other
	}
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
	for _, c := range []byte(digits) {
		classes[c] = base64Digit
	}
	for _, c := range []byte(" \t\r\n") {
		classes[c] = base64Space
	}
	classes['='] = base64Pad
	return classes
}()

// isBase64 reports whether data is base64 in either alphabet. White space and missing padding are
// allowed.
func isBase64(data string) bool {
	digits := 0
	// eight bytes at a time, since pictures are long
	for t := &base64Bytes; len(data) >= 8; data = data[8:] {
		if t[data[0]]|t[data[1]]|t[data[2]]|t[data[3]]|
			t[data[4]]|t[data[5]]|t[data[6]]|t[data[7]] != base64Digit {
			break
		}
		digits += 8
	}
	padding := 0
	for i := 0; i < len(data); i++ {
		switch base64Bytes[data[i]] {
		case base64Digit:
			if padding > 0 {
				return false
			}
			digits++
		case base64Pad:
			padding++
		case base64Other:
			return false
		}
	}
	return digits%4 != 1 && padding <= 2
}
