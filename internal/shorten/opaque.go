package shorten

import (
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// IsOpaque reports whether the provider verifies the payload of this tool of its own, so that
// nothing in it may change.
func IsOpaque(tool string) bool {
	return strings.Contains(tool, "web_search") || strings.Contains(tool, "web_fetch")
}

// IsOpaqueKey reports whether an object key names an opaque value: encrypted, a signature, or
// redacted.
func IsOpaqueKey(key string) bool {
	key = strings.ToLower(key)
	return strings.Contains(key, "encrypted") || strings.HasSuffix(key, "signature") ||
		strings.HasPrefix(key, "redacted")
}

// Members are the members of an object, of which some are opaque. What the object says about all of
// them is looked for once, however many there are.
type Members struct {
	Of            jsonscan.Value
	asked, base64 bool // whether the object declares base64, once that was asked
}

// Opaque reports whether v, a member of the object, is opaque or base64.
func (m *Members) Opaque(v jsonscan.Value) bool {
	key := v.Key().Str()
	if IsOpaqueKey(key) {
		return true
	}
	return v.Kind() == jsonscan.String && (isDataKey(key) || m.declareBase64()) &&
		isBase64(v.Str())
}

func (m *Members) declareBase64() bool {
	if !m.asked {
		m.asked, m.base64 = true, declaresBase64(m.Of)
	}
	return m.base64
}

// isDataKey reports whether providers and tools store base64 under this key.
func isDataKey(key string) bool {
	key = strings.ToLower(key)
	return key == "data" || key == "blob" || strings.HasSuffix(key, "base64") ||
		strings.HasPrefix(key, "b64")
}

// declaresBase64 reports whether an object declares that it holds base64.
func declaresBase64(v jsonscan.Value) bool {
	return v.Get("type").StrIs("base64") || v.Get("encoding").StrIs("base64")
}

// isBase64 reports whether s holds only base64, in either alphabet, and line ends.
func isBase64(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case c == '+', c == '/', c == '-', c == '_', c == '=', c == '\r', c == '\n':
		default:
			return false
		}
	}
	return s != ""
}

// base64Heads are the first characters of images and PDF files in base64.
var base64Heads = []string{"iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "JVBERi0"}

// IsBase64Text reports whether a text is recognizable as base64: a data URL, or a file of a known
// type.
func IsBase64Text(s string) bool {
	if strings.HasPrefix(s, "data:") {
		head, _, found := strings.Cut(s[:min(len(s), 256)], ";base64,")
		return found && isBase64(s[len(head)+len(";base64,"):])
	}
	for _, head := range base64Heads {
		if strings.HasPrefix(s, head) {
			return isBase64(s)
		}
	}
	return false
}
