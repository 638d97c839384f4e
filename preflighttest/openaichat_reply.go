package preflighttest

// This file is what the fake of OpenAI's Chat Completions answers.

// openaiChatStop returns the finish reason of an answer.
func openaiChatStop(r Reply) string {
	switch {
	case r.StopReason != "":
		return r.StopReason
	case len(r.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

// openaiChatCalls returns the tool calls of an answer.
func openaiChatCalls(t *turn) []map[string]any {
	var calls []map[string]any
	for i, c := range t.reply.Calls {
		id := c.ID
		if id == "" {
			id = t.id("call_", i)
		}
		arguments := c.Arguments
		if arguments == "" {
			arguments = "{}"
		}
		calls = append(calls, map[string]any{
			"id":       id,
			"type":     "function",
			"function": map[string]any{"name": c.Name, "arguments": arguments},
		})
	}
	return calls
}

func openaiChatUsage(t *turn, calls []map[string]any) map[string]any {
	in, out := tokens(len(t.request.body)), tokens(len(t.reply.Text)+len(marshal(calls)))
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

// openaiChatEnvelope is what every object of an answer holds.
func openaiChatEnvelope(t *turn, kind string) map[string]any {
	return map[string]any{
		"id": t.id("chatcmpl-", -2), "object": kind, "created": openaiEpoch,
		"model":        t.request.model,
		"service_tier": "default", "system_fingerprint": "fp_preflighttest",
	}
}

func openaiChatReply(t *turn) []byte {
	message := map[string]any{
		"role":        "assistant",
		"content":     orNull(t.reply.Text),
		"refusal":     nil,
		"annotations": []any{},
	}
	calls := openaiChatCalls(t)
	if calls != nil {
		message["tool_calls"] = calls
	}
	body := openaiChatEnvelope(t, "chat.completion")
	body["choices"] = []any{
		map[string]any{
			"index":         0,
			"message":       message,
			"logprobs":      nil,
			"finish_reason": openaiChatStop(t.reply),
		},
	}
	body["usage"] = openaiChatUsage(t, calls)
	return marshal(body)
}

func openaiChatEvents(t *turn) []event {
	var events []event
	usage := truth(object(t.request.root["stream_options"])["include_usage"])
	chunk := func(choices []any, used any) {
		body := openaiChatEnvelope(t, "chat.completion.chunk")
		body["choices"] = choices
		if usage {
			body["usage"] = used
		}
		events = append(events, event{"", string(marshal(body))})
	}
	delta := func(d map[string]any, stop any) {
		chunk([]any{map[string]any{"index": 0, "delta": d, "logprobs": nil, "finish_reason": stop}},
			nil)
	}
	calls := openaiChatCalls(t)
	first := map[string]any{"role": "assistant", "content": "", "refusal": nil}
	if t.reply.Text == "" && calls != nil {
		first["content"] = nil
	}
	delta(first, nil)
	for _, p := range pieces(t.reply.Text) {
		delta(map[string]any{"content": p}, nil)
	}
	for i, c := range calls {
		fn := object(c["function"])
		delta(map[string]any{
			"tool_calls": []any{
				map[string]any{
					"index": i, "id": c["id"], "type": "function",
					"function": map[string]any{"name": fn["name"], "arguments": ""},
				},
			},
		}, nil)
		for _, p := range pieces(text(fn["arguments"])) {
			delta(map[string]any{
				"tool_calls": []any{
					map[string]any{"index": i, "function": map[string]any{"arguments": p}},
				},
			}, nil)
		}
	}
	delta(map[string]any{}, openaiChatStop(t.reply))
	if usage {
		chunk([]any{}, openaiChatUsage(t, calls))
	}
	return append(events, event{"", "[DONE]"})
}
