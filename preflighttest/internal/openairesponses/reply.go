package openairesponses

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
	"github.com/go-preflight/preflight/preflighttest/internal/seal"
)

// How answers are written.

// The ids that the fake issues tell which items belong to one answer, and
// whether the answer has reasoning: "fc_pfr" or "fc_pfn", the answer in 16
// characters, and the number of the item in it.
var issuedID = regexp.MustCompile(`^[a-z]+_pf([rn])([0-9A-Za-z]{16})([0-9]{2,})$`)

func itemID(t *fake.Turn, prefix string, n int) string {
	flag := "n"
	if t.Reply.Reasoning != "" || t.Reply.Redacted {
		flag = "r"
	}
	return fmt.Sprintf("%s_pf%s%s%02d", prefix, flag, t.ID("", -3)[:16], n)
}

// answerOf returns the answer that issued the id, and whether it had
// reasoning. It is empty for ids that no fake has issued.
func answerOf(id string) (answer string, reasoned bool) {
	m := issuedID.FindStringSubmatch(id)
	if m == nil {
		return "", false
	}
	return m[2], m[1] == "r"
}

// output returns the items of an answer.
func output(t *fake.Turn) []map[string]any {
	var items []map[string]any
	add := func(prefix, kind string, fields map[string]any) {
		fields["id"], fields["type"] = itemID(t, prefix, len(items)), kind
		items = append(items, fields)
	}
	if t.Reply.Reasoning != "" || t.Reply.Redacted {
		summary := []any{}
		if t.Reply.Reasoning != "" {
			summary = append(summary,
				map[string]any{"type": "summary_text", "text": t.Reply.Reasoning})
		}
		fields := map[string]any{"summary": summary}
		if slices.Contains(
			read.Array(t.Request.Root["include"]),
			any("reasoning.encrypted_content"),
		) {
			fields["encrypted_content"] = seal.Of("reasoning", itemID(t, "rs", 0),
				read.Digest(t.Reply.Reasoning),
				histories(t.Request)[len(opened(t.Request).items)])
		}
		add("rs", "reasoning", fields)
	}
	for _, c := range t.Reply.ServerCalls {
		add("ws", c.Name+"_call",
			map[string]any{"status": "completed", "action": fake.Arguments(c.Arguments)})
	}
	if t.Reply.Text != "" {
		add("msg", "message", map[string]any{
			"status":  "completed",
			"role":    "assistant",
			"content": []any{text(t.Reply.Text)},
		})
	}
	for _, c := range t.Called(func(i int) string { return t.ID("call_", i) }) {
		call := map[string]any{
			"status":    "completed",
			"call_id":   c.ID,
			"name":      c.Name,
			"arguments": c.Arguments,
		}
		if c.Async {
			call["async"] = true
		}
		add("fc", "function_call", call)
	}
	return items
}

func text(s string) map[string]any {
	return map[string]any{
		"type":        "output_text",
		"text":        s,
		"annotations": []any{},
		"logprobs":    []any{},
	}
}

// response returns the response object of an answer.
func response(t *fake.Turn, status string, output []map[string]any) map[string]any {
	if output == nil {
		output = []map[string]any{}
	}
	body := map[string]any{
		"id": t.ID("resp_", -2), "object": "response", "created_at": fake.Epoch, "status": status,
		"model":  t.Request.Model,
		"output": output, "error": nil, "incomplete_details": nil,
		"instructions": t.Request.Root["instructions"], "metadata": map[string]any{},
		"parallel_tool_calls": true, "temperature": 1, "top_p": 1, "tool_choice": "auto",
		"tools": []any{}, "store": opened(t.Request).store,
		"previous_response_id": t.Request.Root["previous_response_id"], "truncation": "disabled",
		"usage": nil,
	}
	if tools := read.Array(t.Request.Root["tools"]); tools != nil {
		body["tools"] = tools
	}
	if status == "in_progress" {
		return body
	}
	if list := transformations(t.Request); list != nil {
		body["input_transformations"] = list
	}
	if status == "incomplete" {
		body["incomplete_details"] = map[string]any{"reason": t.Reply.StopReason}
	}
	in, out := fake.Tokens(len(t.Request.Body)), fake.Tokens(len(fake.Marshal(output)))
	body["usage"] = map[string]any{
		"input_tokens": in, "output_tokens": out, "total_tokens": in + out,
		"input_tokens_details":  map[string]any{"cached_tokens": 0},
		"output_tokens_details": map[string]any{"reasoning_tokens": len(t.Reply.Reasoning) / 4},
	}
	return body
}

// status returns the status of an answer. A stop reason other than that
// is why the answer is incomplete.
func status(r fake.Reply) string {
	if r.StopReason != "" && r.StopReason != "completed" {
		return "incomplete"
	}
	return "completed"
}

func reply(t *fake.Turn) []byte {
	return fake.Marshal(response(t, status(t.Reply), output(t)))
}

// stream collects the events of a streamed answer.
type stream struct {
	events []fake.Event
}

func (s *stream) send(kind string, fields map[string]any) {
	fields["type"], fields["sequence_number"] = kind, len(s.events)
	s.events = append(s.events, fake.Event{Name: kind, Data: string(fake.Marshal(fields))})
}

func events(t *fake.Turn) []fake.Event {
	s := &stream{}
	s.send("response.created", map[string]any{"response": response(t, "in_progress", nil)})
	s.send("response.in_progress",
		map[string]any{"response": response(t, "in_progress", nil)})
	output := output(t)
	for i, item := range output {
		s.item(i, item)
	}
	status := status(t.Reply)
	s.send("response."+status, map[string]any{"response": response(t, status, output)})
	return s.events
}

// item sends one item: that it begins, its parts, and the whole of it.
func (s *stream) item(index int, item map[string]any) {
	begun := map[string]any{}
	for name, value := range item {
		begun[name] = value
	}
	if read.Has(begun, "status") {
		begun["status"] = "in_progress"
	}
	// at adds the place in the item to the fields of an event.
	at := func(fields map[string]any) map[string]any {
		fields["item_id"], fields["output_index"] = item["id"], index
		return fields
	}
	added := func() {
		s.send("response.output_item.added", map[string]any{"output_index": index, "item": begun})
	}
	// parts sends the parts of a list: that each begins, its text in pieces, and the whole of it.
	parts := func(list, index, part, kind string, empty map[string]any) {
		begun[list] = []any{}
		added()
		for n, p := range item[list].([]any) {
			send := func(event string, fields map[string]any) {
				fields[index] = n
				if strings.HasPrefix(event, "output_text.") {
					fields["logprobs"] = []any{}
				}
				s.send("response."+event, at(fields))
			}
			words := read.Text(read.Object(p)["text"])
			send(part+".added", map[string]any{"part": empty})
			for _, piece := range fake.Pieces(words) {
				send(kind+".delta", map[string]any{"delta": piece})
			}
			send(kind+".done", map[string]any{"text": words})
			send(part+".done", map[string]any{"part": p})
		}
	}
	switch kind := item["type"]; kind {
	case "reasoning":
		parts("summary", "summary_index", "reasoning_summary_part", "reasoning_summary_text",
			map[string]any{"type": "summary_text", "text": ""})
	case "message":
		parts("content", "content_index", "content_part", "output_text", text(""))
	case "function_call":
		begun["arguments"] = ""
		added()
		for _, p := range fake.Pieces(read.Text(item["arguments"])) {
			s.send("response.function_call_arguments.delta", at(map[string]any{"delta": p}))
		}
		s.send("response.function_call_arguments.done",
			at(map[string]any{"arguments": item["arguments"], "name": item["name"]}))
	default:
		added()
		s.send(fmt.Sprintf("response.%s.in_progress", kind), at(map[string]any{}))
		s.send(fmt.Sprintf("response.%s.completed", kind), at(map[string]any{}))
	}
	s.send("response.output_item.done", map[string]any{"output_index": index, "item": item})
}
