// Package picture judges inline pictures and PDF files, for the fakes of providers that
// read them.
package picture

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"regexp"
	"slices"
	"strings"
)

// encoded is base64 in either alphabet.
var encoded = regexp.MustCompile(`^[A-Za-z0-9+/_-]*={0,2}$`)

// decodedFile decodes inline data. The padding may be missing.
func decodedFile(data string) ([]byte, bool) {
	data = strings.Join(strings.Fields(data), "")
	if !encoded.MatchString(data) {
		return nil, false
	}
	digits := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(data, "="))
	file, err := base64.RawStdEncoding.DecodeString(digits)
	return file, err == nil
}

// Image reports whether inline data is a picture of some size, judged by its header.
func Image(data string) bool {
	file, ok := decodedFile(data)
	switch {
	case !ok:
		return false
	case bytes.HasPrefix(file, []byte("\x89PNG\r\n\x1a\n")):
		header := len(file) >= 24 && string(file[12:16]) == "IHDR"
		return header && binary.BigEndian.Uint32(file[16:]) != 0 &&
			binary.BigEndian.Uint32(file[20:]) != 0
	case bytes.HasPrefix(file, []byte("GIF87a")), bytes.HasPrefix(file, []byte("GIF89a")):
		return len(file) >= 10 && file[6]|file[7] != 0 && file[8]|file[9] != 0
	case bytes.HasPrefix(file, []byte("RIFF")):
		return readsWebP(file)
	case bytes.HasPrefix(file, []byte{0xff, 0xd8, 0xff}):
		return strings.ContainsAny(data, " \t\r\n") || hasFrame(file[2:])
	}
	return false
}

// readsWebP judges the first chunk; a lossy picture has its width and height there, of 14 bits
// each.
func readsWebP(file []byte) bool {
	switch {
	case len(file) < 12 || string(file[8:12]) != "WEBP":
		return false
	case len(file) < 16:
		return true
	}
	switch kind := string(file[12:16]); {
	case kind == "VP8 " && len(file) >= 30:
		return (file[26]|file[27]&0x3f) != 0 && (file[28]|file[29]&0x3f) != 0
	default:
		return slices.Contains([]string{"VP8 ", "VP8L", "VP8X"}, kind)
	}
}

// hasFrame reports whether the segments of a JPEG file lead to one with the width of the picture. A
// file with other bytes between its segments, or without the rest of them, is taken as it is.
func hasFrame(file []byte) bool {
	for len(file) >= 4 {
		kind := file[1]
		switch {
		case file[0] != 0xff || kind == 0:
			return true
		case kind == 0xff:
			file = file[1:]
			continue
		case kind == 0x01 || kind >= 0xd0 && kind <= 0xd8:
			file = file[2:]
			continue
		case kind == 0xd9 || kind == 0xda:
			return false
		case strings.ContainsRune("\u00c0\u00c1\u00c2\u00c3\u00c5\u00c6\u00c7"+
			"\u00c9\u00ca\u00cb\u00cd\u00ce\u00cf", rune(kind)):
			return len(file) < 9 || file[7]|file[8] != 0
		}
		file = file[min(len(file), 2+int(binary.BigEndian.Uint16(file[2:]))):]
	}
	return true
}

// PDF reports whether inline data is a PDF file with its beginning and its end.
func PDF(data string) bool {
	file, ok := decodedFile(data)
	if !ok || !bytes.Contains(file[:min(len(file), 1026)], []byte("%PDF-")) {
		return false
	}
	end := file[max(0, len(file)-1023):]
	return len(file) < 1024 || strings.ContainsAny(data, " \t\r\n") ||
		bytes.Contains(end, []byte("%%EOF")) || bytes.Contains(end, []byte("startxref"))
}

// Broken reports whether inline data is nothing that anybody can decode: no base64, or a file that
// starts as one of the common types and has a broken header. Other files may be pictures of other
// types.
func Broken(data string) bool {
	file, ok := decodedFile(data)
	if !ok {
		return !strings.Contains(data, "…") // of what a log left out nothing is known
	}
	for _, mark := range []string{"\x89PNG\r\n\x1a\n", "GIF87a", "GIF89a", "\xff\xd8\xff"} {
		if bytes.HasPrefix(file, []byte(mark)) {
			return !Image(data)
		}
	}
	webp := len(file) >= 12 && bytes.HasPrefix(file, []byte("RIFF")) && string(file[8:12]) == "WEBP"
	return webp && !Image(data)
}

// Inline returns the base64 data of a data: URL, "" for any other address.
func Inline(address string) string {
	header, data, _ := strings.Cut(address, ",")
	if strings.HasPrefix(header, "data:") && strings.HasSuffix(header, ";base64") {
		return data
	}
	return ""
}
