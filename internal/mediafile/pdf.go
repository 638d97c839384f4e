package mediafile

import (
	"bytes"
	"strings"
)

// IsPDF reports whether base64 data, in either alphabet, is a PDF file by its ends: the mark of the
// format is in the first kilobyte and the mark of the end, or of the last table, is in the last one.
// Readers accept other bytes around them. Source: ISO 32000-2, 7.5.2 and 7.5.5, and Annex I.
func IsPDF(data string) bool {
	ok, adjacent := isBase64(data)
	if !ok {
		return false
	}
	var buf [chunk]byte
	if !bytes.Contains(first(data, buf[:]), []byte("%PDF-")) {
		return false
	}
	if !adjacent {
		return true
	}
	data = strings.TrimRight(data, "=")
	size := len(data) / 4 * 3
	end := at(data, max(0, size-1021), buf[:])
	return bytes.Contains(end, []byte("%%EOF")) || bytes.Contains(end, []byte("startxref"))
}
