package clienttest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Refusal is a request that a provider refused in words that are on record, and what a remedy does.
type Refusal struct {
	Remedy string
	Format string // of the request
	Host   string // the provider of the endpoint, "" for that of the format
	Words  string
	Body   string // without the member stream
	Gone   string // a text of the body that the server refuses
	Kept   string // one that the second attempt has
}

// Answered is the text of the answers to requests that are accepted.
const Answered = "done"

const (
	chatCall = `{"role":"assistant","content":null,"tool_calls":[{"id":"abcDEF123","type":"function",` +
		`"function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"abcDEF123",` +
		`"name":"f","content":"r"}`
	user, userAgain = `{"role":"user","content":"q"}`, `{"role":"user","content":"again"}`
	claudeCall      = `{"type":"tool_use","id":"toolu_1","name":"run","input":{}}`
)

func claude(messages string) string {
	return `{"model":"claude-opus-4-8","max_tokens":10,"tools":[{"name":"run","input_schema":` +
		`{"type":"object"}}],"messages":[` + messages + `]}`
}

func claudeResult(content string) string {
	return `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":` +
		content + `}]}`
}

func claudeRefuses(text string) string {
	return `{"type":"error","error":{"type":"invalid_request_error","message":"` + text + `"}}`
}

func items(all string) string {
	return `{"model":"gpt-5.3-codex","store":false,"input":[` + user + `,` + all + userAgain + `]}`
}

func chat(all string) string { return `{"model":"m","messages":[` + user + `,` + all + `]}` }

// spoken is an item of the Responses API.
const spoken = `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]},`

// refusals has a request for each remedy of these formats, but for the one that needs an option.
func refusals() []Refusal {
	image := strings.Repeat("iVBORw0KGgoAAAANSUhEUgAAAAQAAAABCAAAAADcV1ARAAAAEUlEQVR4nGJiYGBgAAQAAP//AA8A"+
		"A/6P688AAAAASUVORK5CYII=", 1)
	return []Refusal{
		{
			Remedy: "drop-named", Format: "openai-responses", Gone: `"phase"`, Kept: `"text":"a"`,
			Words: `{"error":{"message":"Unknown parameter: 'input[1].phase'."}}`,
			Body:  items(strings.Replace(spoken, `{`, `{"phase":"final",`, 1)),
		},
		{
			Remedy: "drop-named", Format: "openai-chat", Host: "openai-compatible", Gone: `"mood"`,
			Kept: `"content":"a"`, Words: `{"error":{"message":"messages[1]: unknown field ` + "`mood`" + `"}}`,
			Body: chat(`{"role":"assistant","mood":"x","content":"a"},` + userAgain),
		},
		{
			Remedy: "forget-container", Format: "openai-responses", Gone: `cntr_1`, Kept: `"text":"a"`,
			Words: `{"error":{"message":"Expected container_id: cntr_1"}}`,
			Body: items(`{"type":"code_interpreter_call","id":"ci_1","status":"completed","code":"1",` +
				`"container_id":"cntr_1","outputs":[]},` + spoken),
		},
		{
			Remedy: "drop-kind", Format: "anthropic", Gone: `"type":"tool_reference"`, Kept: `: run]`,
			Words: claudeRefuses("messages.2.content.0.tool_result.content.0: Input tag " +
				"'tool_reference' found using 'type' does not match any of the expected tags: 'text'"),
			Body: claude(user + `,{"role":"assistant","content":[` + claudeCall + `]},` +
				claudeResult(`[{"type":"tool_reference","tool_name":"run"}]`)),
		},
		{
			Remedy: "drop-served", Format: "anthropic", Gone: `advisor`, Kept: `"text":"a"`,
			Words: claudeRefuses("Advisor tool result content could not be processed"),
			Body: claude(user + `,{"role":"assistant","content":[{"type":"server_tool_use","id":` +
				`"srvtoolu_1","name":"advisor","input":{}},{"type":"advisor_tool_result","tool_use_id":` +
				`"srvtoolu_1","content":{"type":"advisor_redacted_result","encrypted_content":"gAAA"}},` +
				`{"type":"text","text":"a"}]},` + userAgain),
		},
		{
			Remedy: "describe-media", Format: "anthropic", Gone: `base64`, Kept: `"text":"look"`,
			Words: claudeRefuses("messages.0.content.1.image.source.base64: image exceeds 5 MB " +
				"maximum: 100 bytes > 99 bytes"),
			Body: claude(`{"role":"user","content":[{"type":"text","text":"look"},{"type":"image",` +
				`"source":{"type":"base64","media_type":"image/png","data":"` + image + `"}}]}`),
		},
		{
			Remedy: "settle-calls", Format: "anthropic", Gone: `"input":{}},{"type":"text"`,
			Kept: `"text":"a"`,
			Words: claudeRefuses("messages.1: `tool_use` ids were found without `tool_result` blocks " +
				"immediately after: toolu_1. Each `tool_use` block must have a corresponding " +
				"`tool_result` block in the next message."),
			Body: claude(user + `,{"role":"assistant","content":[` + claudeCall +
				`,{"type":"text","text":"a"}]},` + claudeResult(`"ok"`)),
		},
		{
			Remedy: "forget-items", Format: "openai-responses", Gone: `"id":"msg_1"`, Kept: `"text":"a"`,
			Words: `{"error":{"message":"Item with id 'msg_1' not found. Items are not persisted when ` +
				"`store` is set to false. Try again with `store` set to true, or remove this item from " +
				`your input.","type":"invalid_request_error"}}`,
			Body: items(strings.Replace(spoken, `{`, `{"id":"msg_1",`, 1)),
		},
		{
			Remedy: "drop-nulls", Format: "openai-responses", Host: "azure", Gone: `"status":null`,
			Kept: `"text":"a"`, Words: `{"error":{"code":"invalid_payload","message":"Invalid payload",` +
				`"type":"invalid_request_error","details":[{"code":"ValidationError","message":"type: ` +
				`Value is \"null\" but should be \"string\"","param":"/input/1/status","type":"error",` +
				`"details":[]}]}}`,
			Body: items(`{"type":"function_call","call_id":"c","name":"f","arguments":"{}","status":null},` +
				`{"type":"function_call_output","call_id":"c","output":"r"},` + spoken),
		},
		{
			Remedy: "fill-content", Format: "openai-chat", Host: "xai",
			Gone: `}}]},{"role":"tool"`,
			Kept: `"abcDEF123"`, Words: `{"code":"Client specified an invalid argument","error":` +
				`"Invalid request content: Each message must have at least one content element."}`,
			Body: chat(strings.Replace(chatCall, `"content":null,`, ``, 1)),
		},
		{
			Remedy: "drop-blank", Format: "anthropic", Gone: `"text":" "`, Kept: `"text":"a"`,
			Words: claudeRefuses("messages: text content blocks must contain non-whitespace text"),
			Body: claude(user + `,{"role":"assistant","content":[{"type":"text","text":" "},` +
				`{"type":"text","text":"a"}]},` + userAgain),
		},
		{
			Remedy: "join-texts", Format: "openai-chat", Host: "xai", Gone: `"},{"type":"text"`,
			Kept: `q\nr`, Words: "{\"error\":\"The model expects a single `text` element per message.\"}",
			Body: `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"q"},` +
				`{"type":"text","text":"r"}]}]}`,
		},
		{
			Remedy: "bridge-results", Format: "openai-chat", Host: "openai-compatible",
			Gone: `"content":"r"},{"role":"user"`, Kept: `again`, Words: `{"error":{"message":` +
				`"Unexpected role 'user' after role 'tool'","type":"invalid_request_error",` +
				`"code":"invalid_request_message_order"}}`,
			Body: chat(chatCall + `,` + userAgain),
		},
		{
			Remedy: "drop-reasoning", Format: "anthropic", Gone: `"thinking"`, Kept: `"text":"a"`,
			Words: claudeRefuses("messages.1.content.0: Invalid `signature` in `thinking` block"),
			Body: claude(user + `,{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.",` +
				`"signature":"QUJD"},{"type":"text","text":"a"}]},` + userAgain),
		},
		{
			Remedy: "enforce-rule", Format: "openai-chat", Host: "openai-compatible",
			Gone: `"content":"q"},{"role":"user"`, Kept: `again`,
			Words: `{"error":{"message":"Conversation roles must alternate user/assistant/..."}}`,
			Body:  chat(userAgain),
		},
	}
}

// others are words of other reasons.
var others = []string{
	`{"error":{"message":"Your credit balance is too low to access the Anthropic API."}}`,
	`{"error":{"message":"temperature: range: -1..1"}}`,
	`{"error":{"message":"prompt is too long: 213462 tokens > 200000 maximum"}}`,
}

// Refusing is a server that refuses a request once.
type Refusing struct {
	URL, Host string
	Provider  string            // that of its endpoint, "" for that of the format
	Tried     func(name string) // takes the Remedy of each report
}

// Ask sends a body with an SDK's client and all remedies to a server, and returns the text of the
// answer.
type Ask func(ctx context.Context, to Refusing, body []byte, stream bool) (string, error)

// RunRefusals sends the requests of a format with an SDK's client: each is refused in the words on
// record and accepted then, whole and streamed, and where the SDK tries again after a status 500;
// in words of another reason it is refused once.
func RunRefusals(t *testing.T, format string, ask Ask) {
	ran, retried := 0, false
	for _, r := range refusals() {
		if r.Format != format {
			continue
		}
		ran++
		t.Run(r.Remedy, func(t *testing.T) {
			for _, stream := range []bool{false, true} {
				s := &refusing{format: format, words: r.Words, gone: r.Gone, flaky: !retried}
				remedy, answer, err := s.ask(ask, &r, stream)
				switch {
				case err != nil || answer != Answered:
					t.Fatalf("the answer is %q: %v; %q", answer, err, s.got)
				case remedy != r.Remedy || len(s.got) != s.want() ||
					!strings.Contains(s.got[len(s.got)-1], r.Kept):
					t.Fatalf("remedy %q: %q", remedy, s.got)
				}
				retried = true
				s = &refusing{format: format, words: others[ran%len(others)], gone: r.Gone}
				if _, _, err = s.ask(ask, &r, stream); err == nil || len(s.got) != 1 {
					t.Fatalf("for another reason: %v, %q", err, s.got)
				}
			}
		})
	}
	if ran == 0 {
		t.Fatal("there are no requests of the format ", format)
	}
}

// refusing is a server that refuses bodies with a text.
type refusing struct {
	format, words, gone string
	flaky               bool // the first answer has status 500

	mu  sync.Mutex
	got []string
}

func (s *refusing) want() int {
	if s.flaky {
		return 3
	}
	return 2
}

func (s *refusing) ask(ask Ask, r *Refusal, stream bool) (remedy, answer string, err error) {
	server := httptest.NewServer(s)
	defer server.Close()
	to := Refusing{
		URL: server.URL, Host: strings.TrimPrefix(server.URL, "http://"), Provider: r.Host,
		Tried: func(name string) {
			if name != "" {
				remedy = name
			}
		},
	}
	body := r.Body
	if stream {
		body = strings.Replace(body, `{`, `{"stream":true,`, 1)
	}
	answer, err = ask(context.Background(), to, []byte(body), stream)
	return remedy, answer, err
}

func (s *refusing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, _ := io.ReadAll(r.Body)
	body := string(data)
	s.mu.Lock()
	s.got = append(s.got, body)
	first := len(s.got) == 1
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case s.flaky && first:
		w.Header().Set("Retry-After-Ms", "1")
		w.WriteHeader(http.StatusInternalServerError)
	case strings.Contains(body, s.gone):
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, s.words)
	case strings.Contains(body, `"stream":true`):
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, streamed[s.format])
	default:
		_, _ = io.WriteString(w, whole[s.format])
	}
}

// The answers of each format.
var (
	whole = map[string]string{
		"anthropic": `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[` +
			`{"type":"text","text":"done"}],"stop_reason":"end_turn","usage":{"input_tokens":1,` +
			`"output_tokens":1}}`,
		"openai-chat": `{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":` +
			`"assistant","content":"done"},"finish_reason":"stop"}]}`,
		"openai-responses": `{"id":"r","object":"response","status":"completed","output":[` +
			`{"type":"message","id":"m","role":"assistant","status":"completed","content":[` +
			`{"type":"output_text","text":"done","annotations":[]}]}]}`,
	}
	streamed = map[string]string{
		"anthropic": "event: message_start\ndata: " + `{"type":"message_start","message":{"id":"msg_1",` +
			`"type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,` +
			`"output_tokens":1}}}` + "\n\nevent: content_block_start\ndata: " +
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` +
			"\n\nevent: content_block_delta\ndata: " + `{"type":"content_block_delta","index":0,"delta":` +
			`{"type":"text_delta","text":"done"}}` + "\n\nevent: content_block_stop\ndata: " +
			`{"type":"content_block_stop","index":0}` + "\n\nevent: message_stop\ndata: " +
			`{"type":"message_stop"}` + "\n\n",
		"openai-chat": "data: " + `{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,` +
			`"delta":{"role":"assistant","content":"done"},"finish_reason":"stop"}]}` +
			"\n\ndata: [DONE]\n\n",
		"openai-responses": "event: response.output_text.delta\ndata: " +
			`{"type":"response.output_text.delta","sequence_number":1,"item_id":"m","output_index":0,` +
			`"content_index":0,"delta":"done"}` + "\n\n",
	}
)
