package wire

import (
	"bytes"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/unread"
)

// This file reads the texts of texts and reasoning. No other file does, and a test keeps it so: a
// text may still be in the JSON that its part was decoded from (package unread), and is written
// from there without being decoded.

// wordsOf returns the text in full.
func wordsOf(t *preflight.Text) string { return unread.Text(t.Text, t.Native.JSON) }

// thoughtsOf returns the text of reasoning in full.
func thoughtsOf(r *preflight.Reasoning) string { return unread.Text(r.Text, r.Native.JSON) }

// isEmptyText reports whether there is no text.
func isEmptyText(t *preflight.Text) bool { return t.Text == "" }

// isWordless reports whether reasoning has no readable text.
func isWordless(r *preflight.Reasoning) bool { return r.Text == "" }

// textToken returns a text as a JSON string, in its original spelling if it is unchanged.
func textToken(t *preflight.Text) []byte { return tokenOf(t.Text, t.Native.JSON) }

func tokenOf(text string, native []byte) []byte {
	if token := unread.Token(text, native); token != nil {
		return token
	}
	token := jsonscan.StringAt(native, 0)
	if token != nil && len(token) == len(native) && jsonscan.TokenIs(token, text) {
		return token
	}
	return quoted(text)
}

// words sets member text of a block to a text.
func (o *object) words(block *member, t *preflight.Text) {
	if o.short {
		block.o.SetMember("text", textToken(t))
	} else {
		block.prose("text", t.Text, t.Native.JSON)
	}
}

// thoughts sets member key to the text of reasoning.
func (m *member) thoughts(key string, r *preflight.Reasoning) { m.prose(key, r.Text, r.Native.JSON) }

func (m *member) prose(key, text string, native []byte) {
	if token := unread.Token(text, native); token == nil {
		m.text(key, text)
	} else if !bytes.Equal(m.v.Get(key).Raw(), token) {
		m.o.SetMember(key, token)
	}
}

// sameText reports whether v is a string with the text t. It may say no for another spelling.
func sameText(v jsonscan.Value, t *preflight.Text) bool {
	if token := unread.Token(t.Text, t.Native.JSON); token != nil {
		return bytes.Equal(v.Raw(), token)
	}
	return v.Kind() == jsonscan.String && v.StrIs(t.Text)
}

// shortest is the size of the texts that are worth to be left unread.
const shortest = 16

// prose returns the text of the string v, in a part whose native JSON is from. Use it for what a
// person or a model wrote. With mayWait, the text stays unread where package unread allows it: the
// scanner has checked the encoding.
func (d *decoder) prose(v, from jsonscan.Value) string {
	if d.mayWait && v.End()-v.Start() >= shortest && v.BeginsVisibly() {
		if mark, ok := unread.Mark(v.Start() - from.Start()); ok {
			return mark
		}
	}
	return v.Str()
}

// inFull reads parts whose texts the decoder itself uses.
func (d *decoder) inFull(read func() []preflight.Part) []preflight.Part {
	mayWait := d.mayWait
	d.mayWait = false
	parts := read()
	d.mayWait = mayWait
	return parts
}
