package preflighttest_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
)

// The smallest possible client of each fake, written from the providers'
// documentation: enough to hold a conversation.

type (
	object = map[string]any
	array  = []any
)

// dialect is how a client speaks with one provider.
type dialect struct {
	path   string
	stream string // the path of streamed answers, where it is another

	// read reads the events of a stream. It is nil for server-sent events.
	read func(r io.Reader) ([]sent, error)

	// start returns a request with one user message, and tools f and g.
	start func(text string) object

	// say adds a user message.
	say func(body object, text string)

	// keep adds the answer to the request, and returns the ids of the calls in
	// it, its text and its reasoning.
	keep func(body, answer object) said

	// result adds the result of a call.
	result func(body object, id, text string)

	// gather puts an answer together from the events of a stream.
	gather func(t *testing.T, events []sent) object
}

// said is what an answer holds.
type said struct {
	Reasoning, Text string
	Calls           []string // name and arguments
	ids             []string
}

// sent is an event of a stream.
type sent struct {
	name string
	data string
	json object // nil when the data is not an object
}

var dialects = map[string]dialect{
	"anthropic": {"/v1/messages", "", nil, anthropicStart, anthropicSay, anthropicKeep,
		anthropicResult, anthropicGather},
	"openai-chat": {"/v1/chat/completions", "", nil, chatStart, chatSay, chatKeep, chatResult,
		chatGather},
	"openai-responses": {"/v1/responses", "", nil, responsesStart, responsesSay, responsesKeep,
		responsesResult, responsesGather},
	"gemini": {"/v1beta/models/gemini-3-pro-preview:generateContent",
		"/v1beta/models/gemini-3-pro-preview:streamGenerateContent", nil, geminiStart, geminiSay,
		geminiKeep, geminiResult, geminiGather},
	"bedrock": {"/model/anthropic.claude-sonnet-4-5-20250929-v1:0/converse",
		"/model/anthropic.claude-sonnet-4-5-20250929-v1:0/converse-stream", readMessages,
		bedrockStart, bedrockSay, bedrockKeep, bedrockResult, bedrockGather},
	"mistral": {"/v1/chat/completions", "", nil, mistralStart, chatSay, mistralKeep, chatResult,
		mistralGather},
	"cohere": {"/v2/chat", "", nil, cohereStart, chatSay, cohereKeep, chatResult, cohereGather},
	"ollama": {"/api/chat", "", readLines, ollamaStart, chatSay, ollamaKeep, ollamaResult,
		ollamaGather},
}

// eachDialect runs the test for each provider that has a client here.
func eachDialect(t *testing.T, test func(t *testing.T, provider string, d dialect)) {
	for _, provider := range slices.Sorted(maps.Keys(dialects)) {
		t.Run(provider, func(t *testing.T) { test(t, provider, dialects[provider]) })
	}
}

// pathOf returns the path of answers that are streamed, or of those that are not.
func (d dialect) pathOf(stream bool) string {
	if stream && d.stream != "" {
		return d.stream
	}
	return d.path
}

// request returns the body of a request for a streamed answer, or for one
// that is not, where the body says so.
func (d dialect) request(body object, stream bool) string {
	if d.stream == "" {
		body = maps.Clone(body)
		body["stream"] = stream
	}
	return compact(body)
}

// events reads the events of a stream.
func (d dialect) events(r io.Reader) ([]sent, error) {
	if d.read != nil {
		return d.read(r)
	}
	return readEvents(r)
}

// post sends a request and returns the response, its body unread.
func (d dialect) post(
	t *testing.T,
	s *preflighttest.Server,
	body object,
	stream bool,
) *http.Response {
	t.Helper()
	resp, err := s.Client().Post(s.URL+d.pathOf(stream), "application/json",
		strings.NewReader(d.request(body, stream)))
	require.NoError(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// ask sends a request that has to be accepted, and returns the answer.
func (d dialect) ask(t *testing.T, s *preflighttest.Server, body object, stream bool) object {
	t.Helper()
	resp := d.post(t, s, body, stream)
	if stream && resp.StatusCode == http.StatusOK {
		events, err := d.events(resp.Body)
		require.NoError(t, err)
		return d.gather(t, events)
	}
	var answer object
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&answer))
	require.Equal(t, http.StatusOK, resp.StatusCode, "%v", answer)
	return answer
}

// readEvents reads server-sent events until the end of the stream.
func readEvents(r io.Reader) (events []sent, err error) {
	var e sent
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		switch field, value, _ := strings.Cut(scanner.Text(), ": "); field {
		case "event":
			e.name = value
		case "data":
			e.data = value
			_ = json.Unmarshal([]byte(value), &e.json) // [DONE] is no JSON
		case "":
			events, e = append(events, e), sent{}
		default:
			return events, fmt.Errorf("line %q of an event stream", scanner.Text())
		}
	}
	return events, scanner.Err()
}

func obj(v any) object { o, _ := v.(map[string]any); return o }
func arr(v any) array  { a, _ := v.([]any); return a }
func str(v any) string { s, _ := v.(string); return s }

func compact(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func add(body object, list string, v any) { body[list] = append(arr(body[list]), v) }

// Anthropic Messages.

func anthropicStart(text string) object {
	tool := func(name string) object {
		return object{"name": name, "input_schema": object{"type": "object"}}
	}
	return object{
		"model": "claude-fable-5-1", "max_tokens": 1024, "thinking": object{"type": "adaptive"},
		"tools": array{
			tool("f"),
			tool("g"),
			object{"type": "web_search_20250305", "name": "web_search"},
		},
		"messages": array{object{"role": "user", "content": text}},
	}
}

func anthropicSay(body object, text string) {
	add(body, "messages", object{"role": "user", "content": text})
}

func anthropicKeep(body, answer object) (s said) {
	add(body, "messages", object{"role": "assistant", "content": answer["content"]})
	for _, b := range arr(answer["content"]) {
		switch b := obj(b); b["type"] {
		case "text":
			s.Text += str(b["text"])
		case "thinking":
			s.Reasoning += str(b["thinking"])
		case "tool_use":
			s.Calls = append(s.Calls, str(b["name"])+compact(b["input"]))
			s.ids = append(s.ids, str(b["id"]))
		}
	}
	return s
}

func anthropicResult(body object, id, text string) {
	result := object{"type": "tool_result", "tool_use_id": id, "content": text}
	messages := arr(body["messages"])
	if last := obj(messages[len(messages)-1]); last["role"] == "user" {
		last["content"] = append(arr(last["content"]), result)
		return
	}
	add(body, "messages", object{"role": "user", "content": array{result}})
}

func anthropicGather(t *testing.T, events []sent) object {
	var message object
	var content array
	var input string
	for _, e := range events {
		require.Equal(t, e.name, e.json["type"])
		delta := obj(e.json["delta"])
		switch e.name {
		case "message_start":
			require.Nil(t, message)
			message = obj(e.json["message"])
		case "content_block_start":
			require.EqualValues(t, len(content), e.json["index"])
			content, input = append(content, e.json["content_block"]), ""
		case "content_block_delta":
			block := obj(content[len(content)-1])
			switch delta["type"] {
			case "text_delta":
				block["text"] = str(block["text"]) + str(delta["text"])
			case "thinking_delta":
				block["thinking"] = str(block["thinking"]) + str(delta["thinking"])
			case "signature_delta":
				block["signature"] = delta["signature"]
			case "input_json_delta":
				input += str(delta["partial_json"])
			}
		case "content_block_stop":
			if input != "" {
				obj(content[len(content)-1])["input"] = json.RawMessage(input)
			}
		case "message_delta":
			message["stop_reason"] = delta["stop_reason"]
		}
	}
	require.NotEmpty(t, events)
	require.Equal(t, "message_stop", events[len(events)-1].name)
	message["content"] = content
	return decoded(message)
}

// decoded returns v as it comes out of a decoder.
func decoded(v object) (out object) {
	if err := json.Unmarshal([]byte(compact(v)), &out); err != nil {
		panic(err)
	}
	return out
}

// OpenAI Chat Completions.

func chatStart(text string) object {
	tool := func(name string) object {
		return object{
			"type":     "function",
			"function": object{"name": name, "parameters": object{"type": "object"}},
		}
	}
	return object{
		"model":    "gpt-5.4",
		"tools":    array{tool("f"), tool("g")},
		"messages": array{object{"role": "user", "content": text}},
	}
}

func chatSay(body object, text string) {
	add(body, "messages", object{"role": "user", "content": text})
}

func chatKeep(body, answer object) (s said) {
	message := obj(obj(arr(answer["choices"])[0])["message"])
	add(body, "messages", message)
	s.Text = str(message["content"])
	for _, c := range arr(message["tool_calls"]) {
		f := obj(obj(c)["function"])
		s.Calls = append(s.Calls, str(f["name"])+str(f["arguments"]))
		s.ids = append(s.ids, str(obj(c)["id"]))
	}
	return s
}

func chatResult(body object, id, text string) {
	add(body, "messages", object{"role": "tool", "tool_call_id": id, "content": text})
}

func chatGather(t *testing.T, events []sent) object {
	require.NotEmpty(t, events)
	require.Equal(t, "[DONE]", events[len(events)-1].data)
	message := object{"role": "assistant", "content": nil}
	stop := any(nil)
	for _, e := range events[:len(events)-1] {
		require.Empty(t, e.name)
		require.Nil(t, stop, "a chunk follows the last")
		choice := obj(arr(e.json["choices"])[0])
		delta := obj(choice["delta"])
		if c, ok := delta["content"].(string); ok {
			message["content"] = str(message["content"]) + c
		}
		for _, c := range arr(delta["tool_calls"]) {
			calls := arr(message["tool_calls"])
			if has := obj(c)["id"] != nil; has {
				require.EqualValues(t, len(calls), obj(c)["index"])
				call := maps.Clone(obj(c))
				delete(call, "index")
				message["tool_calls"] = append(calls, call)
				continue
			}
			f := obj(obj(calls[len(calls)-1])["function"])
			f["arguments"] = str(f["arguments"]) + str(obj(obj(c)["function"])["arguments"])
		}
		stop = choice["finish_reason"]
	}
	return object{"choices": array{object{"message": message, "finish_reason": stop}}}
}

// OpenAI Responses.

func responsesStart(text string) object {
	tool := func(name string) object {
		return object{"type": "function", "name": name, "parameters": object{"type": "object"}}
	}
	return object{
		"model": "gpt-5.4", "store": false, "include": array{"reasoning.encrypted_content"},
		"tools": array{tool("f"), tool("g")},
		"input": array{object{"role": "user", "content": text}},
	}
}

func responsesSay(body object, text string) {
	add(body, "input", object{"role": "user", "content": text})
}

func responsesKeep(body, answer object) (s said) {
	for _, item := range arr(answer["output"]) {
		add(body, "input", item)
		switch item := obj(item); item["type"] {
		case "message":
			for _, p := range arr(item["content"]) {
				s.Text += str(obj(p)["text"])
			}
		case "reasoning":
			for _, p := range arr(item["summary"]) {
				s.Reasoning += str(obj(p)["text"])
			}
		case "function_call":
			s.Calls = append(s.Calls, str(item["name"])+str(item["arguments"]))
			s.ids = append(s.ids, str(item["call_id"]))
		}
	}
	return s
}

func responsesResult(body object, id, text string) {
	add(body, "input", object{"type": "function_call_output", "call_id": id, "output": text})
}

// responsesGather puts the items together from the deltas, and holds them
// against the whole items and the whole response that follow.
func responsesGather(t *testing.T, events []sent) object {
	var output array
	text := ""
	for i, e := range events {
		require.Equal(t, e.name, e.json["type"])
		require.EqualValues(t, i, e.json["sequence_number"])
		switch e.name {
		case "response.output_item.added":
			require.EqualValues(t, len(output), e.json["output_index"])
			text = ""
		case "response.output_text.delta",
			"response.reasoning_summary_text.delta",
			"response.function_call_arguments.delta":
			text += str(e.json["delta"])
		case "response.output_text.done", "response.reasoning_summary_text.done":
			require.Equal(t, text, e.json["text"])
		case "response.function_call_arguments.done":
			require.Equal(t, text, e.json["arguments"])
		case "response.output_item.done":
			output = append(output, e.json["item"])
		}
	}
	require.NotEmpty(t, events)
	last := events[len(events)-1]
	require.Contains(t, []string{"response.completed", "response.incomplete"}, last.name)
	response := obj(last.json["response"])
	require.Equal(t, output, arr(response["output"]))
	return response
}
