package openaichat

import (
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/openai"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// How answers are written.

func usageOf(t *fake.Turn, calls []map[string]any) map[string]any {
	in, out := fake.Tokens(
		len(t.Request.Body),
	), fake.Tokens(
		len(t.Reply.Text)+len(fake.Marshal(calls)),
	)
	return map[string]any{
		"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out,
		"prompt_tokens_details": map[string]any{"cached_tokens": 0, "audio_tokens": 0},
		"completion_tokens_details": map[string]any{
			"reasoning_tokens":           0,
			"audio_tokens":               0,
			"accepted_prediction_tokens": 0,
			"rejected_prediction_tokens": 0,
		},
	}
}

// envelope returns what every object of an answer holds.
func envelope(t *fake.Turn, kind string) map[string]any {
	return map[string]any{
		"id": t.ID("chatcmpl-", -2), "object": kind, "created": fake.Epoch,
		"model":        t.Request.Model,
		"service_tier": "default", "system_fingerprint": "fp_preflighttest",
	}
}

func reply(t *fake.Turn) []byte {
	message := map[string]any{
		"role":        "assistant",
		"content":     fake.OrNull(t.Reply.Text),
		"refusal":     nil,
		"annotations": []any{},
	}
	calls := openai.Calls(t)
	if calls != nil {
		message["tool_calls"] = calls
	}
	body := envelope(t, "chat.completion")
	body["choices"] = []any{
		map[string]any{
			"index":         0,
			"message":       message,
			"logprobs":      nil,
			"finish_reason": t.Reply.Stop("tool_calls", "stop"),
		},
	}
	body["usage"] = usageOf(t, calls)
	return fake.Marshal(body)
}

func events(t *fake.Turn) []fake.Event {
	var events []fake.Event
	usage := read.Truth(read.Object(t.Request.Root["stream_options"])["include_usage"])
	chunk := func(choices []any, used any) {
		body := envelope(t, "chat.completion.chunk")
		body["choices"] = choices
		if usage {
			body["usage"] = used
		}
		events = append(events, fake.Event{Name: "", Data: string(fake.Marshal(body))})
	}
	delta := func(d map[string]any, stop any) {
		chunk([]any{map[string]any{"index": 0, "delta": d, "logprobs": nil, "finish_reason": stop}},
			nil)
	}
	calls := openai.Calls(t)
	first := map[string]any{"role": "assistant", "content": "", "refusal": nil}
	if t.Reply.Text == "" && calls != nil {
		first["content"] = nil
	}
	delta(first, nil)
	for _, p := range fake.Pieces(t.Reply.Text) {
		delta(map[string]any{"content": p}, nil)
	}
	for i, c := range calls {
		fn := read.Object(c["function"])
		delta(map[string]any{
			"tool_calls": []any{
				map[string]any{
					"index": i, "id": c["id"], "type": "function",
					"function": map[string]any{"name": fn["name"], "arguments": ""},
				},
			},
		}, nil)
		for _, p := range fake.Pieces(read.Text(fn["arguments"])) {
			delta(map[string]any{
				"tool_calls": []any{
					map[string]any{"index": i, "function": map[string]any{"arguments": p}},
				},
			}, nil)
		}
	}
	delta(map[string]any{}, t.Reply.Stop("tool_calls", "stop"))
	if usage {
		chunk([]any{}, usageOf(t, calls))
	}
	return append(events, fake.Event{Name: "", Data: "[DONE]"})
}
