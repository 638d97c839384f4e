// Package batchline repairs and checks request bodies in the lines of providers' batch APIs.
package batchline

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/wire"
)

// envelope is the form of a line that holds a body.
type envelope struct {
	member string   // that holds the body
	beside []string // members of which one is beside it
	// provider is that of all bodies, "" where the body tells
	provider string
}

// envelopes are those of OpenAI (and those who took its form), of Anthropic, of Bedrock, and of
// Gemini and Vertex, whose form is also that of Claude on Vertex.
var envelopes = []envelope{
	{member: "body", beside: []string{"custom_id"}},
	{member: "params", beside: []string{"custom_id"}, provider: "anthropic"},
	{member: "modelInput"},
	{member: "request"},
}

// bare are members of requests: a line that has one is no envelope.
var bare = []string{"messages", "contents", "input", "message", "chat_history"}

// endpoints are the formats of the chats that a line's "url" can be for, by its end. A line for any
// other is for no chat, whatever its body looks like.
var endpoints = map[string]string{
	"/chat/completions":      "openai-chat",
	"/responses":             "openai-responses",
	"/messages":              "anthropic",
	"/interactions":          "gemini-interactions",
	":generateContent":       "gemini",
	":streamGenerateContent": "gemini",
}

// endpointOf returns the format of the chats at a URL; ok is false where it is for no chat.
func endpointOf(url jsonscan.Value) (format string, ok bool) {
	path, _, _ := strings.Cut(url.Str(), "?")
	path = strings.TrimRight(path, "/")
	for end, format := range endpoints {
		if strings.HasSuffix(path, end) {
			return format, true
		}
	}
	return "", false
}

// noChats are parts of the names of models that answer no chat.
var noChats = []string{"embed", "moderation", "rerank"}

// items are the members by which an element of "input" is one of a chat; texts, lists of numbers
// and bare parts are what embeddings and moderations take.
var items = []string{"role", "call_id", "encrypted_content"}

// isChat reports whether a body that does not say what it is for can be a chat. The member "input"
// is one of other endpoints, too; a list there has to hold an element of a chat.
func isChat(root jsonscan.Value) bool {
	input := root.Get("input")
	if input.Kind() != jsonscan.Array || root.Has("messages") || root.Has("contents") {
		return true // or it is no request, as others say
	}
	model := strings.ToLower(root.Get("model").Str())
	if slices.ContainsFunc(noChats, func(s string) bool { return strings.Contains(model, s) }) {
		return false
	}
	for v := input.First(); v.Exists(); v = v.Next() {
		if v.Kind() == jsonscan.Object && (slices.ContainsFunc(items, v.Has) || isItem(v)) {
			return true
		}
	}
	return false
}

// isItem reports whether an element without a role has the type of an item.
func isItem(v jsonscan.Value) bool {
	switch kind := v.Get("type").Str(); kind {
	case "message", "reasoning", "item_reference", "compaction", "compaction_summary":
		return true
	default:
		return strings.HasSuffix(kind, "_call") || strings.HasSuffix(kind, "_output")
	}
}

// enveloped is the body in a line.
type enveloped struct {
	body     []byte
	at       int    // where it begins
	member   string // that it is, "" for the line itself
	provider string // "" where the body tells
	other    bool   // it is for no chat
}

// open finds the body in a line.
func open(line []byte) enveloped {
	in := enveloped{body: line}
	doc, err := jsonscan.Parse(line)
	if err != nil || doc.Root().Kind() != jsonscan.Object {
		return in
	}
	root := doc.Root()
	if slices.ContainsFunc(bare, root.Has) {
		in.other = !isChat(root)
		return in
	}
	for _, e := range envelopes {
		inner := root.Get(e.member)
		if inner.Kind() != jsonscan.Object ||
			len(e.beside) > 0 && !slices.ContainsFunc(e.beside, root.Has) {
			continue
		}
		in = enveloped{inner.Raw(), inner.Start(), e.member, e.provider, !isChat(inner)}
		if url := root.Get("url"); url.Exists() {
			format, ok := endpointOf(url)
			in.provider, in.other = format, !ok
		}
		switch version := inner.Get("anthropic_version"); {
		case version.Kind() == jsonscan.String && strings.HasPrefix(version.Str(), "bedrock"):
			in.provider = "bedrock-anthropic"
		case version.Kind() == jsonscan.String && strings.HasPrefix(version.Str(), "vertex"):
			in.provider = "vertex-anthropic"
		case e.member == "request" && inner.Has("contents"):
			in.provider = "gemini"
		}
		return in
	}
	return in
}

// mayBeOther reports whether a line can be an envelope, or be for no chat: the others are parsed
// only once.
func mayBeOther(line []byte) bool {
	return bytes.Contains(line, []byte(`"input"`)) ||
		slices.ContainsFunc(envelopes, func(e envelope) bool {
			return bytes.Contains(line, []byte(`"`+e.member+`"`))
		})
}

// bodyIn finds the body in a line, and the options for it, with the provider that the envelope
// names if they name none. chat is false for a line that is for no chat.
func bodyIn(line []byte, options *wire.Options) (in enveloped, inner *wire.Options, chat bool) {
	inner = new(wire.Options)
	if options != nil {
		*inner = *options
	}
	in = enveloped{body: line}
	if mayBeOther(line) {
		in = open(line)
	}
	if in.other && (in.member != "" || inner.Provider == "") {
		return in, inner, false
	}
	if inner.Provider == "" {
		inner.Provider = in.provider
	}
	return in, inner, true
}

// Sanitize repairs the body in a line: the line itself, or a member of it in the form of a batch
// API, whose other members stay. A line that is for no chat, such as one of embeddings, is left
// alone: an envelope says so by its "url", and a body by its shape, unless options name the
// provider. out is line itself where nothing changed. Paths of warnings are those in the line.
// options may be nil, and so may result be with an error.
func Sanitize(
	ctx context.Context, s *wire.Sanitizer, line []byte, options *wire.Options,
) (out []byte, result *wire.Result, err error) {
	in, inner, chat := bodyIn(line, options)
	if !chat {
		return line, &wire.Result{Body: line}, nil
	}
	result, err = s.Sanitize(ctx, in.body, inner)
	if result != nil && in.member != "" {
		for k := range result.Warnings {
			result.Warnings[k].Path = inMember(in.member, result.Warnings[k].Path)
		}
	}
	if err != nil || !result.Changed {
		return line, result, err
	}
	return slices.Concat(line[:in.at], result.Body, line[in.at+len(in.body):]), result, nil
}

// Check says what is wrong with the body in a line, as Sanitize finds it there. A line that is for
// no chat has nothing wrong. Paths of violations are those in the line. options may be nil.
func Check(line []byte, options *wire.Options) (*wire.Report, error) {
	in, inner, chat := bodyIn(line, options)
	if !chat {
		return &wire.Report{Provider: inner.Provider, Model: inner.Model}, nil
	}
	report, err := wire.Check(in.body, inner)
	if err == nil && in.member != "" {
		for _, list := range [][]wire.Violation{report.Violations, report.Left} {
			for k := range list {
				list[k].Path = inMember(in.member, list[k].Path)
			}
		}
	}
	return report, err
}

// inMember returns a path in the body as one in the line.
func inMember(member, path string) string {
	if path == "" {
		return member
	}
	return member + "." + path
}
