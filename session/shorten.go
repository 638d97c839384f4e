package session

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file shortens the messages of a session that are only checked: of a long text, which rules
// look at as a whole, its beginning and its end are enough. So a session is not in memory twice.

const (
	// longText is the length from which on a text is shortened. From mostText on it is not, since
	// there are providers that limit it.
	longText, mostText = 1 << 10, 1 << 20
	// keptText is about how much of its beginning and its end is kept.
	keptText = 128
	// shortenedMark is in the middle of a shortened text. Nothing with it is written to a file.
	shortenedMark = "\u2026preflight has shortened this\u2026"
)

// opaque are the members whose strings are not shortened: they are read, and not only looked at.
var opaque = map[string]bool{
	"data": true, "url": true, "image_url": true, "file_data": true, "arguments": true,
	"signature": true, "thoughtSignature": true, "encrypted_content": true, "id": true,
	"redacted": true, "partial_json": true, "name": true, "type": true,
}

// add appends messages that were read, shortened unless they are asked for as they are.
func (l *log) add(messages []message, more ...message) []message {
	for _, m := range more {
		if !l.whole[len(messages)] && !l.asStored {
			m.json = shortened(m.json)
		}
		messages = append(messages, m)
	}
	return messages
}

// shortened returns JSON with shorter texts: itself, if there are no long ones.
func shortened(raw []byte) []byte {
	var out []byte
	copied, key := 0, ""
	for at := 0; at < len(raw); {
		if raw[at] != '"' {
			at++
			continue
		}
		end := stringEnd(raw, at+1)
		if end < 0 {
			return raw // it is no JSON
		}
		text := raw[at+1 : end]
		next := end + 1
		for next < len(raw) && (raw[next] == ' ' || raw[next] == '\n' || raw[next] == '\t' ||
			raw[next] == '\r') {
			next++
		}
		switch {
		case next < len(raw) && raw[next] == ':':
			key = string(text[:min(len(text), keptText)])
		case len(text) > longText && len(text) < mostText && !opaque[key]:
			if head, tail := cutPlaces(text); head > 0 && tail > head {
				out = append(append(out, raw[copied:at+1+head]...), shortenedMark...)
				copied = at + 1 + tail
			}
		}
		at = next
	}
	if copied == 0 {
		return raw
	}
	return bytes.Clone(append(out, raw[copied:]...))
}

// stringEnd returns the index of the quote that ends a string, -1 for none.
func stringEnd(raw []byte, from int) int {
	for at := from; ; {
		k := bytes.IndexByte(raw[at:], '"')
		if k < 0 {
			return -1
		}
		at += k
		slashes := 0
		for at-1-slashes >= from && raw[at-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return at
		}
		at++
	}
}

// cutPlaces returns where the middle of a string begins and ends that nothing depends on; 0 for a
// string that has to stay whole.
func cutPlaces(text []byte) (head, tail int) {
	if !utf8.Valid(text) || bytes.Contains(text, []byte(`\ud`)) || bytes.Contains(text, []byte(`\uD`)) ||
		bytes.Contains(text, []byte(`\u00`)) {
		return 0, 0
	}
	between := func(k int) bool { // two characters
		return utf8.RuneStart(text[k]) && bytes.IndexByte(text[k-len(`\u0000`):k], '\\') < 0
	}
	head, tail = keptText, len(text)-keptText
	for ; !between(head); head++ {
		if head == 2*keptText {
			return 0, 0
		}
	}
	for ; !between(tail); tail-- {
		if tail == len(text)-2*keptText {
			return 0, 0
		}
	}
	for _, c := range text[:head] { // nor may it look blank now, or not so any more
		if c > ' ' && c < 0x7F && c != '\\' {
			return head, tail
		}
	}
	return 0, 0
}

// isShortened reports whether a text in a value is shortened.
func isShortened(v jsonscan.Value) bool { return bytes.Contains(v.Raw(), []byte(shortenedMark)) }
