package validtext

import "strings"

// HasControls reports whether a text has control characters other than tab and line ends. NUL,
// which Clean removes, is not counted.
func HasControls(s string) bool { return strings.IndexFunc(s, isControl) >= 0 }

// WithoutControls returns a text without the characters that HasControls finds.
func WithoutControls(s string) string {
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return -1
		}
		return r
	}, s)
}

func isControl(r rune) bool {
	return 0 < r && r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
}
