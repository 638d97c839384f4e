package shorten

import (
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// isOpaque reports whether a provider verifies the payload of one of its own tools, so that nothing
// in it may change.
func IsOpaque(tool string) bool {
	return strings.Contains(tool, "web_search") || strings.Contains(tool, "web_fetch")
}

// isOpaqueKey reports whether the value under an object key is opaque: encrypted, a signature, or
// redacted.
func IsOpaqueKey(key string) bool {
	key = strings.ToLower(key)
	return strings.Contains(key, "encrypted") || strings.HasSuffix(key, "signature") ||
		strings.HasPrefix(key, "redacted")
}

// isOpaqueMember reports whether v, a member of the object parent, is opaque or base64.
func IsOpaqueMember(parent, v jsonscan.Value) bool {
	key := v.Key().Str()
	if IsOpaqueKey(key) {
		return true
	}
	if v.Kind() != jsonscan.String || !isDataKey(key) && !saysBase64(parent) {
		return false
	}
	return IsBase64(v.Str())
}

// isDataKey reports whether a key is one that providers and tools keep base64 under.
func isDataKey(key string) bool {
	key = strings.ToLower(key)
	return key == "data" || key == "blob" || strings.HasSuffix(key, "base64") ||
		strings.HasPrefix(key, "b64")
}

// saysBase64 reports whether an object says of itself that it holds base64.
func saysBase64(v jsonscan.Value) bool {
	return v.Get("type").StrIs("base64") || v.Get("encoding").StrIs("base64")
}

// isBase64 reports whether s is nothing but base64, in either alphabet, with line ends at most.
func IsBase64(s string) bool {
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

// base64Heads are how images and PDF files start in base64.
var base64Heads = []string{"iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "JVBERi0"}

// isBase64Text reports whether a text by itself is recognizable as base64: a data URL, or a file of
// a known kind.
func IsBase64Text(s string) bool {
	if strings.HasPrefix(s, "data:") {
		head, _, found := strings.Cut(s[:min(len(s), 256)], ";base64,")
		return found && IsBase64(s[len(head)+len(";base64,"):])
	}
	for _, head := range base64Heads {
		if strings.HasPrefix(s, head) {
			return IsBase64(s)
		}
	}
	return false
}
