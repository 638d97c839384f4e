// Package filetype recognizes pictures and PDF files by their headers, in base64 data as requests
// hold it. It decodes no pixels and allocates nothing. Its cost is linear in the data.
package filetype

import "encoding/base64"

// The classes of bytes in base64 data. A digit has none of the other bits.
const (
	digit   = 0
	padding = 1
	space   = 2
	other   = 4
)

// classes is the class of each byte. It includes the URL-safe alphabet, which some providers take
// as well.
var classes = func() (classes [256]byte) {
	for i := range classes {
		classes[i] = other
	}
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
	for _, c := range []byte(digits) {
		classes[c] = digit
	}
	for _, c := range []byte(" \t\r\n") {
		classes[c] = space
	}
	classes['='] = padding
	return classes
}()

// isBase64 reports whether data is base64 in either alphabet, where white space and missing padding
// are allowed, and whether its digits are adjacent.
func isBase64(data string) (ok, adjacent bool) {
	digits, paddings := 0, 0
	adjacent = true
	for len(data) > 0 {
		// eight bytes at a time, since pictures are long
		for t := &classes; len(data) >= 8; data = data[8:] {
			if t[data[0]]|t[data[1]]|t[data[2]]|t[data[3]]|
				t[data[4]]|t[data[5]]|t[data[6]]|t[data[7]] != digit || paddings > 0 {
				break
			}
			digits += 8
		}
		for n := min(8, len(data)); n > 0; n-- {
			switch classes[data[0]] {
			case digit:
				if paddings > 0 {
					return false, false
				}
				digits++
			case padding:
				paddings++
			case space:
				adjacent = false
			default:
				return false, false
			}
			data = data[1:]
		}
	}
	return digits%4 != 1 && paddings <= 2, adjacent
}

// first decodes the first bytes of the data into buf, and skips white space.
func first(data string, buf []byte) []byte {
	var digits [chunk / 3 * 4]byte
	n := 0
	for i := 0; i < len(data) && n < len(buf)/3*4; i++ {
		switch c := data[i]; classes[c] {
		case digit:
			digits[n] = standard(c)
			n++
		case other:
			i = len(data)
		}
	}
	size, _ := base64.RawStdEncoding.Decode(buf, digits[:n])
	return buf[:size]
}

// chunk is the most bytes that are decoded at once, a multiple of three.
const chunk = 1026

// at decodes bytes of the file from an offset into buf. The digits of data are adjacent.
func at(data string, offset int, buf []byte) []byte {
	skip := offset % 3
	begin := offset / 3 * 4
	if begin >= len(data) {
		return nil
	}
	var whole [chunk]byte
	file := first(data[begin:], whole[:min(chunk, (skip+len(buf)+2)/3*3)])
	if len(file) <= skip {
		return nil
	}
	return buf[:copy(buf, file[skip:])]
}

// standard returns a digit of the URL-safe alphabet in the standard one.
func standard(c byte) byte {
	switch c {
	case '-':
		return '+'
	case '_':
		return '/'
	}
	return c
}
