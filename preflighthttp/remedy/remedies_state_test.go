package remedy_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestRemediesOfState: what only a refusal can reveal, since the server holds it or has its own
// limits: one resending without the part that the words speak of, and nothing else changed.
func TestRemediesOfState(t *testing.T) {
	held := func(search, message string) string { // what refers to an id keeps it
		return `{"model":"gpt-5.4","store":true,"input":[{"role":"user","content":"q"},` + search +
			`"status":"completed","action":{"type":"search","query":"q"}},{"type":"mcp_approval_request",` +
			`"id":"mcpr_1","name":"f","arguments":"{}","server_label":"s"},{"type":` +
			`"mcp_approval_response","approval_request_id":"mcpr_1","approve":true},{"type":"message",` +
			message + `"role":"assistant","status":"completed","content":[{"type":"output_text",` +
			`"text":"a","annotations":[]}]},{"role":"user","content":"r"}]}`
	}
	picture := func(side int) string {
		var b bytes.Buffer
		img := image.NewGray(image.Rect(0, 0, side, 1))
		for k := range img.Pix {
			img.Pix[k] = byte(k * k * 37 >> 2)
		}
		require.NoError(t, png.Encode(&b, img))
		return base64.StdEncoding.EncodeToString(b.Bytes())
	}
	small, wide := picture(4), picture(90)
	sizes := fmt.Sprintf("%d bytes > %d bytes", len(wide), len(small))
	require.Greater(t, len(wide), len(small))
	claude := func(messages string) string {
		return `{"model":"claude-opus-4-8","max_tokens":10,"messages":[` + messages + `]` + tools
	}
	shown := func(data string) string {
		return `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + data + `"}}`
	}
	use := `{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"run","input":{}}]}`
	result := func(content string) string {
		return `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[` +
			content + `]}]}`
	}
	responses := func(tools, items string) string {
		return `{"model":"gpt-5.3-codex","store":false,` + tools + `"input":[` + items + `]}`
	}
	ran := func(id string) string {
		return `{"type":"code_interpreter_call","id":"ci_` + id + `","status":"completed","code":"1",` +
			`"container_id":"` + id + `","outputs":[]},`
	}
	const messages = "/v1/messages"
	advised := `{"type":"server_tool_use","id":"srvtoolu_1","name":"advisor","input":{}},` +
		`{"type":"advisor_tool_result","tool_use_id":"srvtoolu_1","content":{"type":` +
		`"advisor_redacted_result","encrypted_content":"gAAA"}},`
	for _, tt := range []struct{ name, path, dialect, words, body, want, remedy string }{
		{
			name: "a reference to a tool: anthropics/claude-code#28870", path: messages,
			remedy: "drop-kind",
			words: refusal("messages.2.content.0.tool_result.content.0: Input tag 'tool_reference' " +
				"found using 'type' does not match any of the expected tags: 'document', 'image', " +
				"'search_result', 'text'"),
			body: claude(`{"role":"user","content":"q"},` + use + `,` +
				result(`{"type":"tool_reference","tool_name":"run"}`)),
			want: claude(`{"role":"user","content":"q"},` + use + `,` +
				result(`{"type":"text","text":"[tool_reference: run]"}`)),
		},
		{
			name: "one beside text, vllm-project/vllm#52489", path: messages, dialect: "vllm-anthropic",
			remedy: "drop-kind",
			words:  `{"type":"error","error":{"message":"Unexpected item type in content."}}`,
			body: claude(`{"role":"user","content":"q"},` + use + `,` +
				result(`{"type":"text","text":"found"},{"type":"tool_reference","tool_name":"run"}`)),
			want: claude(`{"role":"user","content":"q"},` + use + `,` +
				result(`{"type":"text","text":"found"}`)),
		},
		{
			name: "a kind of block that is new", path: messages, remedy: "drop-kind",
			words: refusal("messages.1.content.0: Input tag 'mood' found using 'type' does not match " +
				"any of the expected tags: 'text', 'thinking', 'tool_use'"),
			body: claude(`{"role":"user","content":"q"},{"role":"assistant","content":[` +
				`{"type":"mood","x":1.0},{"type":"text","text":"a"}]},{"role":"user","content":"r"}`),
			want: claude(`{"role":"user","content":"q"},{"role":"assistant","content":[` +
				`{"type":"text","text":"a"}]},{"role":"user","content":"r"}`),
		},
		{
			name: "an advisor's answer: anthropics/claude-code#49994", path: messages,
			remedy: "drop-served", words: refusal("Advisor tool result content could not be processed"),
			body: claude(`{"role":"user","content":"q"},{"role":"assistant","content":[` + advised +
				`{"type":"text","text":"a"}]},{"role":"user","content":"r"}`),
			want: claude(`{"role":"user","content":"q"},{"role":"assistant","content":[` +
				`{"type":"text","text":"a"}]},{"role":"user","content":"r"}`),
		},
		{
			name: "an image that is too large: anthropics/claude-code#2104", path: messages,
			remedy: "describe-media",
			words: refusal("messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: " +
				sizes),
			body: claude(`{"role":"user","content":[{"type":"text","text":"q"},` +
				shown(wide) + `,` + shown(small) + `]}`),
			want: claude(`{"role":"user","content":[{"type":"text","text":"q"},` +
				`{"type":"text","text":"[image omitted]"},` + shown(small) + `]}`),
		},
		{
			name: "one with too many pixels, in a result", path: messages, remedy: "describe-media",
			words: refusal("messages.2.content.0.tool_result.content.1.image.source.base64.data: At " +
				"least one of the image dimensions exceed max allowed size for many-image requests: " +
				"20 pixels"),
			body: claude(`{"role":"user","content":"q"},` + use + `,` +
				result(shown(small)+`,`+shown(wide))),
			want: claude(`{"role":"user","content":"q"},` + use + `,` +
				result(shown(small)+`,{"type":"text","text":"[image omitted]"}`)),
		},
		{
			name: "a file that is gone", path: "/v1/responses", remedy: "describe-media",
			words: `{"error":{"message":"File with id 'file-abc' not found.","type":` +
				`"invalid_request_error","param":"input"}}`,
			body: responses("", `{"role":"user","content":[{"type":"input_text","text":"q"},`+
				`{"type":"input_image","file_id":"file-abc"},{"type":"input_image","file_id":"file-b"}]}`),
			want: responses("", `{"role":"user","content":[{"type":"input_text","text":"q"},`+
				`{"type":"input_text","text":"[image omitted]"},{"type":"input_image","file_id":"file-b"}]}`),
		},
		{
			name: "a call in a container: pydantic/pydantic-ai#7461", path: "/v1/responses",
			remedy: "forget-container",
			words:  `{"error":{"message":"Expected container_id: cntr_1","type":"invalid_request_error"}}`,
			body: responses(`"tools":[{"type":"code_interpreter","container":"cntr_1"}],`,
				`{"role":"user","content":"q"},`+ran("cntr_1")+ran("cntr_2")+
					`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]},`+
					`{"role":"user","content":"r"}`),
			want: responses(`"tools":[{"type":"code_interpreter","container":{"type":"auto"}}],`,
				`{"role":"user","content":"q"},`+ran("cntr_2")+
					`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]},`+
					`{"role":"user","content":"r"}`),
		},
		{
			name: "a container of Anthropic's", path: messages, remedy: "forget-container",
			words: refusal("container: Container 'container_1' has expired."),
			body: `{"model":"claude-opus-4-8","max_tokens":10,"container":"container_1","messages":[` +
				`{"role":"user","content":"q"}],"tools":[{"type":"code_execution_20250825",` +
				`"name":"code_execution"}]}`,
			want: `{"model":"claude-opus-4-8","max_tokens":10,"messages":[` +
				`{"role":"user","content":"q"}],"tools":[{"type":"code_execution_20250825",` +
				`"name":"code_execution"}]}`,
		},
		{
			name: "one that a relay quotes", path: messages, remedy: "forget-container",
			words: `{"error":{"message":"b'Container \\'container_1\\' has expired.'"}}`,
			body: `{"model":"claude-opus-4-8","max_tokens":10,"container":"container_1","messages":[` +
				`{"role":"user","content":"q"}],"tools":[{"type":"code_execution_20250825",` +
				`"name":"code_execution"}]}`,
			want: `{"model":"claude-opus-4-8","max_tokens":10,"messages":[` +
				`{"role":"user","content":"q"}],"tools":[{"type":"code_execution_20250825",` +
				`"name":"code_execution"}]}`,
		},
		{
			name: "one with skills", path: messages, remedy: "forget-container",
			words: refusal("Container not found"),
			body: `{"model":"claude-opus-4-8","max_tokens":10,"container":{"id":"container_1",` +
				`"skills":[]},"messages":[{"role":"user","content":"q"}],"tools":[` +
				`{"type":"code_execution_20250825","name":"code_execution"}]}`,
			want: `{"model":"claude-opus-4-8","max_tokens":10,"container":{"skills":[]},` +
				`"messages":[{"role":"user","content":"q"}],"tools":[` +
				`{"type":"code_execution_20250825","name":"code_execution"}]}`,
		},
		{
			name: "a signature of another model: lbjlaq/Antigravity-Manager#3342",
			path: "/v1beta/models/gemini-3.7-flash:generateContent", remedy: "drop-reasoning",
			words: `{"error":{"code":400,"message":"Invalid thought signature.",` +
				`"status":"INVALID_ARGUMENT"}}`,
			body: `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[` +
				`{"text":"a","thoughtSignature":"QUJD"}]},{"role":"user","parts":[{"text":"r"}]}]}`,
			want: `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[` +
				`{"text":"a"}]},{"role":"user","parts":[{"text":"r"}]}]}`,
		},
		{
			name: "signatures below the first level",
			path: "/v1beta/models/gemini-3.7-flash:generateContent", remedy: "drop-reasoning",
			words: `{"error":{"message":"Thought signature is not valid"}}`,
			body: `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[` +
				`{"text":"a","thoughtSignature":"QUJD","partMetadata":{"a":{"thought_signature":"x"}}},` +
				`{"text":"b","partMetadata":{"thought_signature":"x","l":[{"signature":"y"}],"n":{}}}]},` +
				`{"role":"user","parts":[{"text":"r"}]}]}`,
			want: `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[` +
				`{"text":"a"},{"text":"b","partMetadata":{"l":[{}],"n":{}}}]},` +
				`{"role":"user","parts":[{"text":"r"}]}]}`,
		},
		{
			name: "a signature of Google's at another host", path: "/v1/chat/completions",
			dialect: "openrouter", remedy: "drop-reasoning",
			words: refusal("messages.1.content.0: Invalid `signature` in `thinking` block"),
			body: `{"model":"anthropic/claude-opus-4.5","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"text","text":"a","extra_content":{"google":` +
				`{"thought_signature":"QUJD"}}}],"reasoning_details":[{"type":"reasoning.text",` +
				`"text":"hm","signature":"QUJD","format":"anthropic-claude-v1"}]},` +
				`{"role":"user","content":"r"}]}`,
			want: `{"model":"anthropic/claude-opus-4.5","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"text","text":"a"}]},` +
				`{"role":"user","content":"r"}]}`,
		},
		{
			name: "a required id of the greatest length", path: "/v1/responses", remedy: "forget-items",
			words: `{"error":{"message":"Item with id 'msg_1' not found. Items are not persisted when ` +
				`store is set to false."}}`,
			body: held(`{"type":"web_search_call","id":"ws_`+strings.Repeat("0", 61)+`",`, `"id":"msg_1",`),
			want: held(`{"type":"web_search_call","id":"ws_`+strings.Repeat("0", 59)+`_2",`, ""),
		},
		{
			name: "items that OpenAI holds, without reasoning of another key", path: "/v1/responses",
			remedy: "drop-reasoning",
			words:  `{"error":{"message":"reasoning ` + "`encrypted_content`" + ` was not issued to this caller"}}`,
			body: held(`{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA"},`+
				`{"type":"web_search_call","id":"ws_1",`, `"id":"msg_1",`),
			want: held(`{"type":"web_search_call","id":"ws_1_2",`, ""),
		},
		{
			name: "an item that is gone, beside ids that are required", path: "/v1/responses",
			remedy: "forget-items",
			words: `{"error":{"message":"Item with id 'msg_1' not found. Items are not persisted when ` +
				`store is set to false."}}`,
			body: held(`{"type":"web_search_call","id":"ws_1",`, `"id":"msg_1",`),
			want: held(`{"type":"web_search_call","id":"ws_1_2",`, ""),
		},
		{
			name: "a file at a host that takes images", path: "/v1/chat/completions",
			dialect: "openai-compatible", remedy: "drop-kind",
			words: `{"error":{"message":"messages[0]: unknown variant ` + "`file`, expected `text` or " +
				"`image_url`" + ` at line 1 column 10"}}`,
			body: `{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":` +
				`{"url":"https://x/y.png"}},{"type":"file","file":{"filename":"a.pdf","file_data":` +
				`"data:application/pdf;base64,AAAA"}}]}]}`,
			want: `{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":` +
				`{"url":"https://x/y.png"}},{"type":"text","text":"[document: a.pdf]"}]}]}`,
		},
		{
			name: "reasoning of another key: anthropics/claude-code#89459", path: "/v1/responses",
			remedy: "drop-reasoning",
			words:  `{"error":{"message":"reasoning ` + "`encrypted_content`" + ` was not issued to this caller"}}`,
			body: responses("", `{"role":"user","content":"q"},{"type":"reasoning","summary":[],`+
				`"encrypted_content":"gAAA"},{"type":"message","role":"assistant","content":[`+
				`{"type":"output_text","text":"a"}]},{"role":"user","content":"r"}`),
			want: responses("", `{"role":"user","content":"q"},{"type":"message","role":"assistant",`+
				`"content":[{"type":"output_text","text":"a"}]},{"role":"user","content":"r"}`),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			transport, all, server := resending(http.StatusBadRequest, tt.words, tt.want)
			transport.Endpoints[0].Provider = tt.dialect
			status, _ := do(t, transport, post(t, address+tt.path, tt.body))
			got := server.received()
			require.Len(t, got, 2)
			require.Empty(t, cmp.Diff(tt.body, got[0].body))
			require.Empty(t, cmp.Diff(tt.want, got[1].body))
			require.Equal(t, http.StatusOK, status)
			require.Equal(t, tt.remedy, all.all[1].Remedy)
			require.NotEmpty(t, all.all[1].Warnings)
		})
	}
}

// TestOtherRefusals: a refusal for another reason is the caller's, whatever the history holds:
// settings, quota, size, authentication, models, and what is no error of a provider at all.
func TestOtherRefusals(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile("../../rule/explain/" + name)
		require.NoError(t, err)
		return data
	}
	var texts []string
	table := regexp.MustCompile(`\{Class\w+,\s+("[^"\\]*")\}`)
	for _, m := range table.FindAllSubmatch(read("class_texts.go"), -1) {
		text, err := strconv.Unquote(string(m[1]))
		require.NoError(t, err)
		texts = append(texts, strings.NewReplacer("‹", "", "›", "", "«", "", "»", "").Replace(text))
	}
	data := read("testdata/unrelated.txt")
	for line := range strings.Lines(string(data)) {
		if _, text, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && line[0] != '#' {
			texts = append(texts, text)
		}
	}
	texts = append(texts, "messages.0.content.0.image: image exceeds 5 MB maximum: 3 bytes > 4 bytes",
		"messages: image exceeds 5 MB maximum: 9000000 bytes > 8000000 bytes",
		"File with id 'file-other' not found.", "Container 'container_other' has expired.",
		"container: Extra inputs are not permitted", "container_id is required when there are pending "+
			"tool uses generated by code execution with tools.",
		"Input tag 'other' found using 'type' does not match any of the expected tags: 'text'",
		"Invalid value: 'tool'. Supported values are: 'system', 'assistant', 'user'.",
		"Web search tool result content could not be processed")
	require.Greater(t, len(texts), 250)
	bodies := []struct{ path, body string }{
		{"/v1/messages", `{"model":"claude-opus-4-8","max_tokens":10,"container":"container_1",` +
			`"messages":[{"role":"user","content":[{"type":"text","text":"q"},{"type":"text",` +
			`"text":"s"}]},{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.",` +
			`"signature":"QUJD"},{"type":"server_tool_use","id":"srvtoolu_1","name":"advisor",` +
			`"input":{}},{"type":"advisor_tool_result","tool_use_id":"srvtoolu_1","content":{"type":` +
			`"advisor_redacted_result","encrypted_content":"gAAA"}},{"type":"text","text":" "},` +
			`{"type":"text","text":"a"}]},{"role":"user","content":"r"}],"tools":[{"type":` +
			`"code_execution_20250825","name":"code_execution"},{"type":"advisor_20260301",` +
			`"name":"advisor"}]}`},
		{"/v1/responses", `{"model":"gpt-5.3-codex","tools":[{"type":"code_interpreter","container":` +
			`"cntr_1"}],"input":[{"role":"user","content":[{"type":"input_text","text":"q"},` +
			`{"type":"input_image","file_id":"file-abc"}]},{"type":"reasoning","id":"rs_1","summary":` +
			`[],"encrypted_content":"gAAA"},{"type":"message","id":"msg_1","role":"assistant",` +
			`"status":"completed","content":[{"type":"output_text","text":"a","annotations":[]}]},` +
			`{"role":"user","content":"r"}]}`},
	}
	for _, b := range bodies {
		sent, words := 0, ""
		provider := new(recorder)
		provider.respond = func(w http.ResponseWriter, _ *http.Request, _ string) {
			sent++
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, words)
		}
		transport, _ := to(provider)
		for _, words = range texts {
			sent = 0
			_, got := do(t, transport, post(t, address+b.path, b.body))
			require.Equal(t, 1, sent, words)
			require.Equal(t, words, got)
		}
	}
}
