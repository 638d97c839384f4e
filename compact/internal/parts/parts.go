// Package parts says what messages and their parts are and hold.
package parts

import (
	"strings"
	"unicode/utf8"

	"github.com/go-preflight/preflight"
)

// ValidText reports whether all strings of a message are UTF-8.
func ValidText(m preflight.Message) bool {
	ok := utf8.ValidString(string(m.Role)) && utf8.ValidString(m.ID) && utf8.ValidString(m.Name)
	Strings(m.Parts, func(s string) { ok = ok && utf8.ValidString(s) })
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

// Strings calls f with every string of the parts that a provider is sent.
func Strings(parts []preflight.Part, f func(string)) {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Text:
			if p != nil {
				f(p.Text)
			}
		case *preflight.Reasoning:
			if p != nil {
				f(p.Text)
				f(p.Signature)
				f(p.Opaque)
			}
		case *preflight.ToolCall:
			if p != nil {
				f(p.ID)
				f(p.Name)
				f(string(p.Input))
				f(p.Signature)
			}
		case *preflight.ToolResult:
			if p != nil {
				f(p.CallID)
				f(p.Name)
				f(string(p.Output))
				leaves(p.Content, f)
			}
		case *preflight.Media, *preflight.Other:
			leaves([]preflight.Part{p}, f)
		}
	}
}

// leaves does the same for the parts of a tool result; deeper nesting is not a shape any provider
// has.
func leaves(parts []preflight.Part, f func(string)) {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Text:
			if p != nil {
				f(p.Text)
			}
		case *preflight.Media:
			if p != nil {
				f(p.Data)
				f(p.URL)
				f(p.FileID)
				f(p.Name)
			}
		case *preflight.Other:
			if p != nil {
				f(string(p.Native.JSON))
			}
		}
	}
}
