package preflighttest

// This file is what the fake of Mistral answers.

func mistralCalls(t *turn) []map[string]any {
	var calls []map[string]any
	for i, c := range t.reply.Calls {
		id := c.ID
		if id == "" {
			id = t.id("", i)[:9]
		}
		arguments := c.Arguments
		if arguments == "" {
			arguments = "{}"
		}
		calls = append(calls, map[string]any{
			"id":       id,
			"type":     "function",
			"index":    i,
			"function": map[string]any{"name": c.Name, "arguments": arguments},
		})
	}
	return calls
}

func mistralStop(r Reply) string {
	switch {
	case r.StopReason != "":
		return r.StopReason
	case len(r.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func mistralEnvelope(t *turn, kind string) map[string]any {
	return map[string]any{
		"id":      t.id("", -2),
		"object":  kind,
		"created": openaiEpoch,
		"model":   t.request.model,
	}
}

func mistralUsage(t *turn) map[string]any {
	in, out := tokens(len(t.request.body)), tokens(len(marshal(mistralMessageObject(t))))
	return map[string]any{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}
}

func mistralReply(t *turn) []byte {
	body := mistralEnvelope(t, "chat.completion")
	body["choices"] = []any{
		map[string]any{
			"index":         0,
			"message":       mistralMessageObject(t),
			"finish_reason": mistralStop(t.reply),
		},
	}
	body["usage"] = mistralUsage(t)
	return marshal(body)
}

// mistralEvents sends tool calls whole, as the API does.
func mistralEvents(t *turn) []event {
	var events []event
	send := func(delta map[string]any, stop any) {
		body := mistralEnvelope(t, "chat.completion.chunk")
		body["choices"] = []any{map[string]any{"index": 0, "delta": delta, "finish_reason": stop}}
		if stop != nil {
			body["usage"] = mistralUsage(t)
		}
		events = append(events, event{"", string(marshal(body))})
	}
	send(map[string]any{"role": "assistant", "content": ""}, nil)
	for _, p := range pieces(t.reply.Reasoning) {
		send(map[string]any{"content": []any{mistralThinking(p)}}, nil)
	}
	for _, p := range pieces(t.reply.Text) {
		send(map[string]any{"content": p}, nil)
	}
	last := map[string]any{"content": ""}
	if calls := mistralCalls(t); calls != nil {
		last["tool_calls"] = calls
	}
	send(last, mistralStop(t.reply))
	return append(events, event{"", "[DONE]"})
}
