// Package preflightgoopenai puts preflight in front of sashabaranov/go-openai: right before a
// request is sent, its history is repaired wherever the provider would refuse it. A client does it
// for all its requests, streamed or not:
//
//	config := openai.DefaultConfig(key)
//	config.HTTPClient = preflightgoopenai.HTTPClient(config.HTTPClient, nil)
//	client := openai.NewClientWithConfig(config)
//
// With the context that Keep returns, the repaired messages are written back into the caller's
// history. Or repair before a single call, and get the warnings:
//
//	request, warnings, err := preflightgoopenai.Request(ctx, request, nil)
//	response, err := client.CreateChatCompletion(ctx, request)
//
// Messages repairs a history without its request. For another host than OpenAI's, name its dialect:
// &wire.Options{Provider: "deepseek"}.
//
// # What is preserved
//
// Everything that the SDK's types hold. A message that needs no repair comes back as the caller's
// own value; one that does is repaired as JSON and read back, and what was changed is only what a
// warning reports. The types have no place for members that they do not know, so these are lost
// before preflight sees the message: reading a stored conversation through them loses what another
// program put there. And they cannot send what is empty: a repaired result without content says
// "(no output)", and an empty text beside other content is left out.
//
// # Errors
//
// Errors are those of adapter.Format and adapter.Params; on error the functions return what they
// were given, unchanged. They are safe for concurrent use, keep no state, and do not write to their
// arguments.
package preflightgoopenai

import (
	"context"
	"encoding/json"
	"slices"

	openai "github.com/sashabaranov/go-openai"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/wire"
)

// Messages repairs a history. The model and the other settings of the request are not known to it,
// unless options name a model: Request knows them. options may be nil.
func Messages(
	ctx context.Context,
	messages []openai.ChatCompletionMessage,
	options *wire.Options,
) ([]openai.ChatCompletionMessage, []wire.Warning, error) {
	return format.Messages(ctx, messages, options)
}

// Request repairs a whole request: the messages, by what the model and the rest of the request ask
// of them, and the few fields beside them that can make a request fail with its history. options
// may be nil.
func Request(
	ctx context.Context,
	request openai.ChatCompletionRequest,
	options *wire.Options,
) (openai.ChatCompletionRequest, []wire.Warning, error) {
	return requests.Sanitize(ctx, request, options)
}

var (
	format = &adapter.Format[openai.ChatCompletionMessage]{
		Provider:  "openai-chat",
		List:      "messages",
		Unmarshal: message,
	}
	requests = &adapter.Params[openai.ChatCompletionMessage, openai.ChatCompletionRequest]{
		Format: format,
		Messages: func(r *openai.ChatCompletionRequest) *[]openai.ChatCompletionMessage {
			return &r.Messages
		},
	}
)

// message returns the message that is sent as raw, or as near to it as the SDK can.
func message(raw []byte, _ *openai.ChatCompletionMessage) (openai.ChatCompletionMessage, error) {
	m, err := adapter.Exactly[openai.ChatCompletionMessage](raw, nil)
	if err == nil {
		return m, nil
	}
	if raw, err = sendable(raw); err != nil {
		return m, err
	}
	return adapter.Exactly[openai.ChatCompletionMessage](raw, nil)
}

// sendable returns a message in a form that the SDK can send, which leaves out what is empty: a
// result without content says so in words, and empty texts beside other content are left out whole.
func sendable(raw []byte) ([]byte, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	var parts []json.RawMessage
	switch {
	case adapter.Equal(m["role"], []byte(`"tool"`)) && adapter.Equal(m["content"], []byte(`""`)):
		m["content"] = json.RawMessage(`"(no output)"`)
	case json.Unmarshal(m["content"], &parts) == nil:
		kept := slices.DeleteFunc(parts, func(part json.RawMessage) bool {
			return adapter.Equal(part, []byte(`{"type":"text","text":""}`))
		})
		if len(kept) > 0 {
			m["content"], _ = json.Marshal(kept) // of JSON
		}
	}
	return json.Marshal(m)
}
