// Package batchline repairs request bodies in the lines of providers' batch APIs.
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

// endpoints are the formats of OpenAI's bodies by the end of the line's "url".
var endpoints = map[string]string{
	"/chat/completions": "openai-chat",
	"/responses":        "openai-responses",
}

// enveloped returns the body in a line, where it begins, the member that it is, and its provider.
func enveloped(line []byte) (body []byte, at int, member, provider string) {
	if !slices.ContainsFunc(envelopes, func(e envelope) bool {
		return bytes.Contains(line, []byte(`"`+e.member+`"`))
	}) {
		return nil, 0, "", ""
	}
	doc, err := jsonscan.Parse(line)
	if err != nil || doc.Root().Kind() != jsonscan.Object {
		return nil, 0, "", ""
	}
	root := doc.Root()
	if slices.ContainsFunc(bare, root.Has) {
		return nil, 0, "", ""
	}
	for _, e := range envelopes {
		inner := root.Get(e.member)
		if inner.Kind() != jsonscan.Object ||
			len(e.beside) > 0 && !slices.ContainsFunc(e.beside, root.Has) {
			continue
		}
		provider := e.provider
		if url := root.Get("url"); url.Kind() == jsonscan.String {
			for end, format := range endpoints {
				if strings.HasSuffix(url.Str(), end) {
					provider = format
				}
			}
		}
		switch version := inner.Get("anthropic_version"); {
		case version.Kind() == jsonscan.String && strings.HasPrefix(version.Str(), "bedrock"):
			provider = "bedrock-anthropic"
		case version.Kind() == jsonscan.String && strings.HasPrefix(version.Str(), "vertex"):
			provider = "vertex-anthropic"
		case e.member == "request" && inner.Has("contents"):
			provider = "gemini"
		}
		return inner.Raw(), inner.Start(), e.member, provider
	}
	return nil, 0, "", ""
}

// Sanitize repairs the body in a line: the line itself, or a member of it in the form of a batch API,
// whose other members stay. out is line itself where nothing changed. Paths of warnings are those in
// the line. options may be nil, and so may result be with an error.
func Sanitize(
	ctx context.Context, s *wire.Sanitizer, line []byte, options *wire.Options,
) (out []byte, result *wire.Result, err error) {
	body, at, member, provider := enveloped(line)
	if member == "" {
		result, err := s.Sanitize(ctx, line, options)
		if err != nil || !result.Changed {
			return line, result, err
		}
		return result.Body, result, nil
	}
	inner := wire.Options{}
	if options != nil {
		inner = *options
	}
	if inner.Provider == "" {
		inner.Provider = provider
	}
	result, err = s.Sanitize(ctx, body, &inner)
	if result != nil {
		for k := range result.Warnings {
			result.Warnings[k].Path = inMember(member, result.Warnings[k].Path)
		}
	}
	if err != nil || !result.Changed {
		return line, result, err
	}
	return slices.Concat(line[:at], result.Body, line[at+len(body):]), result, nil
}

// inMember is a path in the body as one in the line.
func inMember(member, path string) string {
	if path == "" {
		return member
	}
	return member + "." + path
}
