// Package preflightanyllm puts preflight in front of the providers of mozilla-ai/any-llm-go: right
// before a request is sent, its messages are repaired wherever the provider would refuse them. A
// provider does it for all its requests, streamed or not:
//
//	provider = preflightanyllm.Provider(provider, options, report)
//
// With the context that Keep returns, the repaired messages are written back into the caller's
// history. Or repair before a single call:
//
//	params, warnings, err := preflightanyllm.Params(ctx, params, options)
//	completion, err := provider.Completion(ctx, params)
//
// # Which provider is asked
//
// any-llm has the messages of OpenAI's Chat Completions for every provider, and converts them. A
// wrapped provider is known by its name, and so are the rules, unless the options name another.
// Where the provider has an API of its own (Anthropic, Gemini), the messages are repaired so that
// every provider accepts them.
//
// # What is preserved
//
// Everything that the types hold. A message that needs no repair comes back as it is, and a
// repaired one is read from its repaired JSON. Its texts are one string, unless it is the user's;
// adapter.ErrInexact says that the types cannot hold a repair.
//
// any-llm's own providers send lists of texts only for the user, and leave out those of others
// without an error. A Provider gives them strings. It also gives results the names of their tools,
// which the one for Gemini sends in place of ids.
//
// # Errors
//
// Errors are those of adapter.Params; on error the functions return what they were given,
// unchanged. They are safe for concurrent use, keep no state, and do not write to their arguments.
package preflightanyllm

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mozilla-ai/any-llm-go/providers"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/wire"
)

// Report is told what was repaired before a request, or why nothing could be.
type Report = adapter.Report

// chat is the format of the messages.
const chat = "openai-chat"

var (
	format = &adapter.Format[providers.Message]{
		Provider: chat, List: "messages", Unmarshal: message,
	}
	params = &adapter.Params[providers.Message, providers.CompletionParams]{
		Format:   format,
		Messages: func(p *providers.CompletionParams) *[]providers.Message { return &p.Messages },
	}
)

// message reads a message, and gives it content that the providers send.
func message(raw []byte, from *providers.Message) (providers.Message, error) {
	m, err := adapter.Exactly(raw, from)
	list, ok := m.Content.([]any)
	if !ok || err != nil {
		return m, err
	}
	parts := m.ContentParts()
	if was, now := marshal(list), marshal(parts); !adapter.Equal(was, now) {
		return m, nil // it has members that no part of any-llm has
	}
	m.Content = parts
	if text, ok := plainText(&m); ok && m.Role != providers.RoleUser {
		m.Content = text
	}
	return m, nil
}

// marshal returns the JSON of content.
func marshal(content any) []byte {
	raw, _ := json.Marshal(content) // nil equals nothing
	return raw
}

// plainText returns the text of content that is a list of nothing else. Of a message that is not
// the user's any-llm sends no list.
func plainText(m *providers.Message) (string, bool) {
	parts := m.ContentParts()
	var texts []string
	for _, p := range parts {
		if p.Type != "text" || p.ImageURL != nil {
			return "", false
		}
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n"), len(parts) > 0
}

// sendable returns messages in which content that any-llm would leave out is a string, and results
// have the names of their tools, by which alone its provider for Gemini tells them apart.
func sendable(messages []providers.Message) []providers.Message {
	out := slices.Clone(messages)
	tools := make(map[string]string) // by the id of the last call
	for i := range out {
		m := &out[i]
		if text, ok := plainText(m); ok && m.Role != providers.RoleUser {
			m.Content = text
		}
		for _, c := range m.ToolCalls {
			tools[c.ID] = c.Function.Name
		}
		if m.Role == providers.RoleTool && m.Name == "" {
			m.Name = tools[m.ToolCallID]
		}
	}
	return out
}

// Messages repairs a history. options may be nil.
func Messages(
	ctx context.Context,
	messages []providers.Message,
	options *wire.Options,
) ([]providers.Message, []wire.Warning, error) {
	return format.Messages(ctx, messages, optionsFor("", options))
}

// Params repairs the messages of a request, by what the rest of it asks of them. options may be
// nil.
func Params(
	ctx context.Context,
	request providers.CompletionParams,
	options *wire.Options,
) (providers.CompletionParams, []wire.Warning, error) {
	return params.Sanitize(ctx, request, optionsFor("", options))
}

// Keep returns a context for requests of a Provider. When one with the slice *history is repaired,
// *history becomes the repaired one before the request is sent, with the caller's own messages
// where nothing changed. The context is for one history.
func Keep(ctx context.Context, history *[]providers.Message) context.Context {
	if history == nil {
		return ctx
	}
	return context.WithValue(ctx, keepKey{}, history)
}

type keepKey struct{}

// optionsFor returns the caller's options for a provider of any-llm, or for those that they name. A
// provider without a Chat Completions API gets what every provider accepts.
func optionsFor(provider string, options *wire.Options) *wire.Options {
	var own wire.Options
	if options != nil {
		own = *options
	}
	if own.Provider == "" {
		own.Provider = provider
	}
	name, ok := wire.Dialect(own.Provider, chat)
	if !ok && own.Provider != "" {
		name, own.Portable = chat, true
	}
	own.Provider = name
	return &own
}
