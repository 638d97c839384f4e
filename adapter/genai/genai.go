// Package preflightgenai puts preflight in front of google.golang.org/genai: right before a request
// is sent, its history is repaired wherever the provider would refuse it. A client does it for all
// its requests, streamed or not:
//
//	client, err := genai.NewClient(ctx, &genai.ClientConfig{
//		HTTPClient: preflightgenai.HTTPClient(nil, nil),
//	})
//
// With the context that Keep returns, the repaired messages are written back into the caller's
// history. Or repair before a single call, and get the warnings:
//
//	contents, config, warnings, err := preflightgenai.Request(ctx, model, contents, config, nil)
//	response, err := client.Models.GenerateContent(ctx, model, contents, config)
//
// Contents repairs a history without its request. The SDK's Chat keeps its history to itself: give
// the client HTTPClient, or take the history with History(true), repair it, and create another chat
// with it.
//
// # What is preserved
//
// Everything that the SDK's types hold. A content that needs no repair comes back as the caller's
// own pointer, and a repaired one shares the parts that did not change with the content it was made
// of. What was changed is only what a warning reports: thought signatures, ids and numbers stay.
// The SDK has no raw JSON, so that a repair which its types cannot hold is an error that satisfies
// errors.Is with adapter.ErrInexact.
//
// # What the SDK cannot send
//
// Its types leave out empty values, even where the provider requires them. So an empty function
// response gets the member "output", which is "", and a part with nothing in it is removed. Numbers
// in arguments and responses pass through float64 when they are sent: beyond 2^53 they lose digits,
// which no repair can prevent.
//
// # Errors
//
// Errors are those of adapter.Format and adapter.Params; on error the functions return what they
// were given, unchanged. They are safe for concurrent use, keep no state, and do not write to their
// arguments.
package preflightgenai

import (
	"context"

	"google.golang.org/genai"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/wire"
)

// Contents repairs a history. The model and the config of the request are not known to it, unless
// options name a model: Request knows them. options may be nil.
func Contents(
	ctx context.Context,
	contents []*genai.Content,
	options *wire.Options,
) ([]*genai.Content, []wire.Warning, error) {
	return format.Messages(ctx, contents, options)
}

// Request repairs a whole request, given as it is to Models.GenerateContent: the history, by what
// the model asks of it, and the system instruction and the tools of the config as far as a repair
// of the history is about them. A changed config is a copy; config may be nil, and so may options.
func Request(
	ctx context.Context,
	model string,
	contents []*genai.Content,
	config *genai.GenerateContentConfig,
	options *wire.Options,
) ([]*genai.Content, *genai.GenerateContentConfig, []wire.Warning, error) {
	was := request{Model: model, Contents: contents}
	if config != nil {
		was.SystemInstruction = config.SystemInstruction
		was.Tools = config.Tools
		was.ToolConfig = config.ToolConfig
		was.CachedContent = config.CachedContent
	}
	is, warnings, err := requests.Sanitize(ctx, was, options)
	if err != nil {
		return contents, config, nil, err
	}
	if is.SystemInstruction == was.SystemInstruction && sameSlice(is.Tools, was.Tools) &&
		is.ToolConfig == was.ToolConfig {
		return is.Contents, config, warnings, nil
	}
	var changed genai.GenerateContentConfig
	if config != nil {
		changed = *config
	}
	changed.SystemInstruction = is.SystemInstruction
	changed.Tools = is.Tools
	changed.ToolConfig = is.ToolConfig
	return is.Contents, &changed, warnings, nil
}

// sameSlice reports whether a and b are the same values in memory.
func sameSlice[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// request is what a request holds that rules about the history look at, in the form in which it is
// sent.
type request struct {
	Model             string            `json:"model"`
	Contents          []*genai.Content  `json:"contents"`
	SystemInstruction *genai.Content    `json:"systemInstruction,omitempty"`
	Tools             []*genai.Tool     `json:"tools,omitempty"`
	ToolConfig        *genai.ToolConfig `json:"toolConfig,omitempty"`
	CachedContent     string            `json:"cachedContent,omitempty"`
}

var (
	format = &adapter.Format[*genai.Content]{
		Provider:  "gemini",
		List:      "contents",
		Unmarshal: content,
	}
	requests = &adapter.Params[*genai.Content, request]{
		Format:   format,
		Messages: func(r *request) *[]*genai.Content { return &r.Contents },
	}
)
