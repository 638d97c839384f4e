package sqlite

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/session"
	"github.com/go-preflight/preflight/session/internal/partial"
	"github.com/go-preflight/preflight/wire"
)

// This file is about what is said in sessions: texts with NUL, and pictures that the provider
// cannot read. What a repair of the request does to them is done to the rows.

// picture is a picture or a document as it is sent; data is in base64.
type picture struct{ kind, data string }

// pictureOf returns the picture in a data URL. It reports false for what clients do not send as a
// picture or document.
func pictureOf(kind, url string) (picture, bool) {
	head, data, is := strings.Cut(url, ",")
	head, is64 := strings.CutSuffix(head, ";base64")
	if named, inURL := strings.CutPrefix(head, "data:"); inURL && named != "" {
		kind = named
	}
	return picture{kind, data}, is && is64 && strings.HasPrefix(url, "data:") &&
		(picture{kind, data}).sent()
}

// sent reports whether clients send it: not what is empty.
func (p picture) sent() bool {
	return p.data != "" && (strings.HasPrefix(p.kind, "image/") || p.kind == pdf)
}

const pdf = "application/pdf"

// url returns the picture as a data URL.
func (p picture) url() string { return "data:" + p.kind + ";base64," + p.data }

// block returns the picture in a message, in the Anthropic format or as a part of a Chat message.
func (p picture) block(anthropic bool) object {
	switch {
	case !anthropic && p.kind == pdf:
		return object{{"type", "file"}, {"file", object{{"filename", "document.pdf"},
			{"file_data", p.url()}}}}
	case !anthropic:
		return object{{"type", "image_url"}, {"image_url", object{{"url", p.url()}}}}
	}
	kind := "image"
	if p.kind == pdf {
		kind = "document"
	}
	return object{{"type", kind}, {"source", object{{"type", "base64"}, {"media_type", p.kind},
		{"data", p.data}}}}
}

// content returns what a result says, with its pictures.
func (b *block) content() any {
	if b.pictures == nil {
		return b.text
	}
	parts := []object{}
	if b.text != "" {
		parts = append(parts, object{{"type", "text"}, {"text", b.text}})
	}
	for _, p := range b.pictures {
		parts = append(parts, p.block(true))
	}
	return parts
}

// mending is what a repair of the request makes of a block.
type mending struct {
	finding session.Finding
	text    string  // instead of a picture
	picture picture // of another type
}

// mendPicture returns what a repair makes of a picture, nil if the provider takes it.
func mendPicture(p picture, anthropic bool) *mending {
	made, m := mendBlock(p.block(anthropic), anthropic)
	if m == nil {
		return nil
	}
	if text := made.Get("text"); text.Kind() == jsonscan.String {
		m.text, m.finding.Fix = text.Str(), "put a text in its place"
		return m
	}
	kind := made.Get("source").Get("media_type").Str()
	if !anthropic {
		other, _ := pictureOf("", made.Get("image_url").Get("url").Str())
		kind = other.kind
	}
	if kind == "" || kind == p.kind {
		return nil // what is made of it is not known here
	}
	m.picture, m.finding.Fix = picture{kind, p.data}, "write the type that the data has"
	return m
}

// wellFormed returns JSON as it is sent by clients that write U+FFFD for a lone surrogate.
func wellFormed(raw json.RawMessage) json.RawMessage {
	doc, err := jsonscan.Parse(raw)
	if err != nil || doc.Root().SubtreeFlags()&jsonscan.HasLoneSurrogate == 0 {
		return raw
	}
	return jsonscan.Repair(nil, doc.Root())
}

// whole returns the JSON object that data is the beginning of, up to its last member, or member of
// a member, that is there whole; nil for no object.
func whole(data string) json.RawMessage {
	if value, _ := partial.Whole(data, 2); len(value) > 0 && value[0] == '{' {
		return value
	}
	return nil
}

// mendText returns the finding of a text with NUL, nil if the provider takes it.
func mendText(raw []byte, anthropic bool) *mending {
	_, m := mendBlock(object{{"type", "text"}, {"text", json.RawMessage(raw)}}, anthropic)
	if m != nil {
		m.finding.Fix = "remove NUL"
	}
	return m
}

// pair is what a repair makes of a call and of the text of its result.
type pair struct {
	call *preflight.ToolCall
	text string
}

// pairFixes says what is done about a call or its result, by the code of a repair's warning.
var pairFixes = map[codes.Code]string{
	codes.ArgumentsRepaired: "put the arguments into an object",
	codes.NameRepaired:      "write a name that the provider takes",
	codes.ResultFilled:      "write that the error has no text",
}

// mendPair repairs a call and its result; nil findings if they stay as they are.
func mendPair(call, result block, anthropic bool) (made pair, found []*mending) {
	sent, err := build([]message{
		{role: "user", blocks: []block{{text: "Go on."}}},
		{role: "assistant", blocks: []block{call}}, {role: "user", blocks: []block{result}},
	}, anthropic)
	if err != nil {
		return made, nil
	}
	options := &wire.Options{Provider: sent.Format}
	checked, err := wire.Check(sent.Body, options)
	if err != nil || len(checked.Violations) == 0 {
		return made, nil
	}
	repaired, err := wire.Sanitize(context.Background(), sent.Body, options)
	if err != nil {
		return made, nil
	}
	request, err := wire.Decode(repaired.Body, options)
	if err != nil {
		return made, nil
	}
	for _, m := range request.Messages {
		for _, part := range m.Parts {
			switch p := part.(type) {
			case *preflight.ToolCall:
				made.call = p
			case *preflight.ToolResult:
				made.text = textOf(p)
			}
		}
	}
	for _, w := range repaired.Warnings {
		k := slices.IndexFunc(checked.Violations, func(v wire.Violation) bool {
			return v.Rule == w.Rule
		})
		if fix := pairFixes[w.Code]; k >= 0 && fix != "" && made.call != nil {
			found = append(found, &mending{finding: session.Finding{
				Code: session.Code(w.Code), Rule: w.Rule, Problem: checked.Violations[k].Detail,
				Fix: fix,
			}})
		}
	}
	return made, found
}

// textOf returns what a result says.
func textOf(r *preflight.ToolResult) string {
	var said string
	if json.Unmarshal(r.Output, &said) == nil {
		return said
	}
	for _, part := range r.Content {
		if text, is := part.(*preflight.Text); is {
			said += text.Text
		}
	}
	return said
}

// mendBlock repairs a message of one block, and returns what becomes of it and for which rule; nil
// if it stays as it is.
func mendBlock(of object, anthropic bool) (made jsonscan.Value, m *mending) {
	format := "openai-chat"
	if anthropic {
		format = "anthropic"
	}
	body, err := encode(object{{"messages", []object{
		{{"role", "user"}, {"content", []object{of, {{"type", "text"}, {"text", "Go on."}}}}},
	}}})
	if err != nil {
		return made, nil
	}
	options := &wire.Options{Provider: format}
	found, err := wire.Check(body, options)
	if err != nil {
		return made, nil
	}
	result, err := wire.Sanitize(context.Background(), body, options)
	if err != nil {
		return made, nil
	}
	for _, w := range result.Warnings {
		k := slices.IndexFunc(found.Violations, func(v wire.Violation) bool {
			return v.Rule == w.Rule
		})
		if w.Rule == "" || k < 0 {
			continue
		}
		doc, err := jsonscan.Parse(result.Body)
		if err != nil {
			return made, nil
		}
		return doc.Root().Get("messages").At(0).Get("content").At(0), &mending{
			finding: session.Finding{
				Code: session.Code(w.Code), Rule: w.Rule, Problem: found.Violations[k].Detail,
			},
		}
	}
	return made, nil
}
