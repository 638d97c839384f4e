package preflight

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
)

// This file checks whether inline data is a picture or a PDF file.

// headSize is the number of decoded bytes to check: enough for the header of every format below.
const headSize = 30

// unreadable reports whether inline data that is declared as an image or a PDF file is not base64
// or does not start like one. Media of other kinds and media that is not inline is not judged.
func unreadable(m *Media) bool {
	pdf := m.Kind == "document" && m.MediaType == "application/pdf"
	if m.Kind != "image" && !pdf {
		return false
	}
	data, ok := inlineData(m)
	if !ok {
		return false
	}
	var head [headSize]byte
	file := fileHead(data, &head)
	if pdf {
		return !isPDF(file, data) || !isFileData(data)
	}
	return !isPicture(file) || !isFileData(data)
}

// inlineData returns the base64 data of a media part, which may be part of a data URL.
func inlineData(m *Media) (data string, ok bool) {
	data = m.Data
	if data == "" {
		data = m.URL
	}
	if !strings.HasPrefix(data, "data:") {
		return m.Data, m.Data != ""
	}
	header, data, found := strings.Cut(data, ",")
	return data, found && strings.HasSuffix(header, ";base64")
}

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

// isPicture reports whether a file starts with the header of a PNG, JPEG, GIF or WebP file. The
// width and height in a PNG header may not be zero.
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

// isPDF reports whether a file starts with the mark of PDF files. Readers accept up to a kilobyte
// before the mark.
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

// isFileData reports whether data is base64 in either alphabet. White space and missing padding are
// allowed.
func isFileData(data string) bool {
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
