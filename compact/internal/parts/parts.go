// Package parts says what messages and their parts are and hold.
package parts

import (
	"strings"
	"unicode/utf8"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/unread"
)

// ValidText reports whether all strings of a message are UTF-8.
func ValidText(m preflight.Message) bool {
	ok := utf8.ValidString(string(m.Role)) && utf8.ValidString(m.ID) && utf8.ValidString(m.Name)
	Strings(m.Parts, func(s string, native []byte) {
		ok = ok && utf8.ValidString(unread.Text(s, native))
	})
	return ok
}

// IsSystem reports whether a message of a role leads a history and is never compacted.
func IsSystem(r preflight.Role) bool {
	switch strings.ToLower(strings.TrimSpace(string(r))) {
	case "system", "developer":
		return true
	}
	return false
}

// Strings calls f with every string of the parts that a provider is sent. One of a text or reasoning
// may be a mark for a text in the native JSON: see package unread.
func Strings(parts []preflight.Part, f func(s string, native []byte)) {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Text:
			if p != nil {
				f(p.Text, p.Native.JSON)
			}
		case *preflight.Reasoning:
			if p != nil {
				f(p.Text, p.Native.JSON)
				f(p.Signature, nil)
				f(p.Opaque, nil)
			}
		case *preflight.ToolCall:
			if p != nil {
				f(p.ID, nil)
				f(p.Name, nil)
				f(string(p.Input), nil)
				f(p.Signature, nil)
			}
		case *preflight.ToolResult:
			if p != nil {
				f(p.CallID, nil)
				f(p.Name, nil)
				f(string(p.Output), nil)
				leaves(p.Content, f)
			}
		case *preflight.Media, *preflight.Other:
			leaves([]preflight.Part{p}, f)
		}
	}
}

// leaves does the same for the parts of a tool result; deeper nesting is not a shape any provider
// has.
func leaves(parts []preflight.Part, f func(s string, native []byte)) {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Text:
			if p != nil {
				f(p.Text, p.Native.JSON)
			}
		case *preflight.Media:
			if p != nil {
				f(p.Data, nil)
				f(p.URL, nil)
				f(p.FileID, nil)
				f(p.Name, nil)
			}
		case *preflight.Other:
			if p != nil {
				f(string(p.Native.JSON), nil)
			}
		}
	}
}
