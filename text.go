package preflight

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/go-preflight/preflight/internal/channels"
	"github.com/go-preflight/preflight/internal/unread"
	"github.com/go-preflight/preflight/internal/validtext"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file reads the text of Text and Reasoning parts. No other file does
// (TestTextsAreReadInOneFile), because the field is not all: a text may still be in the JSON that
// its part was decoded from (package unread). The methods for checks know what they need of such a
// text without decoding it; whole decodes it at each call.

// whole returns the text in full.
func (t *Text) whole() string { return unread.Text(t.Text, t.Native.JSON) }

// whole returns the text in full.
func (r *Reasoning) whole() string { return unread.Text(r.Text, r.Native.JSON) }

// size returns the length of the text in bytes.
func (t *Text) size() int { return unread.Len(t.Text, t.Native.JSON) }

// size returns the length of the text in bytes.
func (r *Reasoning) size() int { return unread.Len(r.Text, r.Native.JSON) }

// isEmpty reports whether there is no text.
func (t *Text) isEmpty() bool { return t.Text == "" }

// isEmpty reports whether there is no text.
func (r *Reasoning) isEmpty() bool { return r.Text == "" }

// isBlank reports whether the text holds nothing but white space.
func (t *Text) isBlank() bool {
	return !beginsVisibly(t.Text) && !t.isUnread() && blank(t.Text)
}

// isBlank reports whether the text holds nothing but white space.
func (r *Reasoning) isBlank() bool {
	return !beginsVisibly(r.Text) && !r.isUnread() && blank(r.Text)
}

// beginsVisibly reports whether a text begins with a visible ASCII character. Most texts do, which
// needs no call.
func beginsVisibly(text string) bool {
	return text != "" && ' ' < text[0] && text[0] < utf8.RuneSelf
}

// problem returns what is wrong with the characters of the text, "" when nothing is.
func (t *Text) problem() problems.Problem {
	if t.isUnread() {
		return ""
	}
	return textProblem(t.Text)
}

// problem returns what is wrong with the characters of the text, "" when nothing is.
func (r *Reasoning) problem() problems.Problem {
	if r.isUnread() {
		return ""
	}
	return textProblem(r.Text)
}

// holdsControls reports whether the text holds control characters that the profile refuses.
func (t *Text) holdsControls() bool { return !t.isUnread() && validtext.HasControls(t.Text) }

// holdsControls reports whether the text holds control characters that the profile refuses.
func (r *Reasoning) holdsControls() bool { return !r.isUnread() && validtext.HasControls(r.Text) }

// holdsChannels reports whether the text holds channel tags that the profile refuses.
func (t *Text) holdsChannels() bool { return !t.isUnread() && channels.In(t.Text) }

// endsInSpace reports whether white space follows the last word.
func (t *Text) endsInSpace() bool {
	if token := unread.Token(t.Text, t.Native.JSON); token != nil && endsVisibly(token) {
		return false
	}
	text := t.whole()
	return trimRight(text) != text
}

// endsVisibly reports whether a JSON string is known to end in a visible ASCII character, without
// decoding it.
func endsVisibly(token []byte) bool {
	content := token[1 : len(token)-1]
	n := len(content)
	switch {
	case n == 0 || content[n-1] <= ' ' || content[n-1] >= 0x7F:
		return false
	case endsInEscape(content[:n-1]):
		return strings.IndexByte(`"\/`, content[n-1]) >= 0
	}
	return n < len(`\u0000`) || content[n-5] != 'u' || !endsInEscape(content[:n-5])
}

// endsInEscape reports whether the content of a JSON string ends in the backslash of an escape.
func endsInEscape(content []byte) bool {
	return (len(content)-len(bytes.TrimRight(content, `\`)))%2 == 1
}

// isUnread reports whether the text is in the native JSON: it is valid and not blank.
func (t *Text) isUnread() bool { return unread.Is(t.Text, t.Native.JSON) }

// isUnread reports whether the text is in the native JSON: it is valid and not blank.
func (r *Reasoning) isUnread() bool { return unread.Is(r.Text, r.Native.JSON) }

// withoutNative returns a copy of p without native JSON.
func withoutNative(p Part) Part {
	p = CopyPart(p)
	switch p := p.(type) {
	case *Text:
		p.Text = p.whole()
	case *Reasoning:
		p.Text = p.whole()
	}
	p.carried().Native = Native{}
	return p
}

// nativeIn returns the native JSON of a part without any, to be set.
func nativeIn(p Part) *Native { return &p.carried().Native }
