// Package preflightollama puts preflight in front of Ollama's own client,
// github.com/ollama/ollama/api: right before a request is sent, its history is repaired wherever
// the server would refuse it, or leave some of it out without a word. A client does it for all its
// requests, streamed or not:
//
//	client := api.NewClient(base, preflightollama.HTTPClient(nil, nil))
//
// With the context that Keep returns, the repaired messages are written back into the caller's
// history. Or repair before a single call, and get the warnings:
//
//	request, warnings, err := preflightollama.Request(ctx, request, nil)
//	err = client.Chat(ctx, request, respond)
//
// Messages repairs a history without its request.
//
// Ollama checks neither pairs nor order (rule ollama/pairing-not-validated): an open call, or a
// result without one, is no error, and the model reads them, so that they stay. The types of this
// SDK keep out the one thing that it does refuse, arguments that are no object.
//
// # What is preserved
//
// Everything that the SDK's types hold. A message that needs no repair comes back as the caller's
// own value; one that does is repaired as JSON and read back, with its numbers as they are spelled
// and its arguments in their order, and what was changed is only what a warning reports. The types
// have no place for members that they do not know, and read the numbers of an answer as float64, so
// that both are lost before preflight sees the message. A repair that the types cannot hold is an
// error that satisfies errors.Is with adapter.ErrInexact.
//
// # Errors
//
// Errors are those of adapter.Format and adapter.Params; on error the functions return what they
// were given, unchanged. They are safe for concurrent use, keep no state, and do not write to their
// arguments.
package preflightollama

import (
	"context"

	"github.com/ollama/ollama/api"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/wire"
)

// Messages repairs a history. The model and the other settings of the request are not known to it,
// unless options name a model: Request knows them. options may be nil.
func Messages(
	ctx context.Context,
	messages []api.Message,
	options *wire.Options,
) ([]api.Message, []wire.Warning, error) {
	return format.Messages(ctx, messages, options)
}

// Request repairs a whole request, given as it is to Client.Chat: the messages, by what the model
// and the rest of the request ask of them, and the few fields beside them that a repair of the
// history is about. It returns the caller's own request when nothing had to change, else a copy
// that shares the rest with it. A request without messages, with which Ollama loads or unloads a
// model, has nothing to repair, and neither has nil. options may be nil.
func Request(
	ctx context.Context,
	request *api.ChatRequest,
	options *wire.Options,
) (*api.ChatRequest, []wire.Warning, error) {
	if request == nil || len(request.Messages) == 0 {
		return request, nil, nil
	}
	repaired, warnings, err := requests.Sanitize(ctx, *request, options)
	if err != nil || len(warnings) == 0 {
		return request, nil, err
	}
	return &repaired, warnings, nil
}

var (
	format = &adapter.Format[api.Message]{
		Provider:  "ollama",
		List:      "messages",
		Unmarshal: message,
	}
	requests = &adapter.Params[api.Message, api.ChatRequest]{
		Format:   format,
		Messages: func(r *api.ChatRequest) *[]api.Message { return &r.Messages },
	}
)
