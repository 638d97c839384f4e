package filetype

import (
	"bytes"
	"strings"
)

// IsPDF reports whether base64 data, in either alphabet, is a PDF file by its ends: the mark of the
// format is in the first kilobyte, and the mark of the end, or of the last table, is in the last
// one. Readers accept other bytes around them. The end of a file of less than a kilobyte is not
// judged. Source: ISO 32000-2, 7.5.2 and 7.5.5, and Annex I.
func IsPDF(data string) bool {
	ok, adjacent := isBase64(data)
	if !ok {
		return false
	}
	var buf [chunk]byte
	if !bytes.Contains(first(data, buf[:]), []byte("%PDF-")) {
		return false
	}
	data = strings.TrimRight(data, "=")
	size := len(data) / 4 * 3
	if !adjacent || size < 1024 {
		return true
	}
	end := at(data, size-1021, buf[:])
	return bytes.Contains(end, []byte("%%EOF")) || bytes.Contains(end, []byte("startxref"))
}
