package rule_test

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
)

// led lists the rules whose text is another rule's too, with the one that leads when nothing says
// whose it is, and why.
var led = map[string]struct{ by, reason string }{
	"anthropic/assistant-must-end-on-tool-use": {"anthropic/prefill-unsupported",
		"one text; a trailing assistant message is the common cause"},
	"anthropic/server-tool-mixed-turn": {"anthropic/server-tool-result-missing",
		"one text; a lost result is the common cause"},
	"anthropic/tool-result-first": {"anthropic/tool-result-missing",
		"one text; a missing result is the common cause"},
	"azure/same-as-openai":      {"openai-chat/tool-message-image", "Azure says what OpenAI says"},
	"deepseek/empty-tool-calls": {"openai-chat/empty-tool-calls", "DeepSeek says what OpenAI says"},
	"gemini/system-in-contents": {"gemini/role-invalid",
		"one text; the system role is one of the invalid ones"},
	"openai-chat/tool-call-id-duplicate": {"deepseek/tool-call-id-duplicate",
		"one text, captured from DeepSeek only"},
	"openai-responses/reasoning-ids-azure": {"openai-responses/reasoning-needs-following",
		"one text; Azure's stricter form of the same"},
}

// TestExplainCatalogue explains every error text by its own rule, or by the rule that shares it.
func TestExplainCatalogue(t *testing.T) {
	known := 0
	for _, r := range rule.All() {
		if r.Error == "" {
			continue
		}
		known++
		for _, text := range []string{r.Error, concrete(r.Error, 7), concrete(r.Error, 1234)} {
			e, ok := rule.Explain(text)
			if !ok {
				t.Errorf("%s is not recognised: %s", r.ID, text)
				continue
			}
			want := r.ID
			if shared, ok := led[r.ID]; ok {
				want = shared.by
				require.Contains(t, ids(e.Also), r.ID, "%s: %s", r.ID, text)
			}
			require.Equal(t, want, e.Rule.ID, text)
			require.Empty(t, leaders(e.More), "%s: %s", r.ID, text)
			require.NotContains(t, ids(e.Also), e.Rule.ID, text)
		}
	}
	require.GreaterOrEqual(t, known, 190)
	for id := range led {
		_, ok := rule.ByID(id)
		require.True(t, ok, id)
	}
}

var (
	letterIndex = regexp.MustCompile(`\b[NM]\b|<n>`)
	digitIndex  = regexp.MustCompile(`([.\[] ?|position |index )[0-9]+([.\]:' ]|$)`)
	unnamedID   = regexp.MustCompile(`XXXX`)
	knownID     = regexp.MustCompile(`call_00_abc|call_abc123|abcDEF123|Wr0ngId99|srvtoolu_01\w+`)
)

// concrete puts other indices and ids into an error text.
func concrete(text string, n int) string {
	text = letterIndex.ReplaceAllString(text, strconv.Itoa(n))
	text = digitIndex.ReplaceAllString(text, "${1}"+strconv.Itoa(n+1)+"${2}")
	text = unnamedID.ReplaceAllString(text, fmt.Sprintf("%04dXyZ-ab_%d", n, n))
	return knownID.ReplaceAllString(text, fmt.Sprintf("functions.read_file:%d", n))
}

// wrappers are the ways in which an error text reaches its reader.
var wrappers = []struct {
	name string
	wrap func(text string) string
}{
	{"anthropic body", func(s string) string {
		return `{"type":"error","error":{"type":"invalid_request_error","message":` + quote(s) +
			`},"request_id":"req_01A"}`
	}},
	{"openai body", func(s string) string {
		return `{"error":{"message":` + quote(s) +
			`,"type":"invalid_request_error","param":null,"code":null}}`
	}},
	{"google body", googleBody},
	{"google body in an array", func(s string) string { return "[" + googleBody(s) + "]" }},
	{"aws exception", func(s string) string {
		return "operation error Bedrock Runtime: Converse, https response error StatusCode: 400, " +
			"RequestID: 5f, ValidationException: " + s
	}},
	{"aws body", func(s string) string { return `{"message":` + quote(s) + `}` }},
	{"mistral body", func(s string) string {
		return `{"object":"error","message":` + quote(s) +
			`,"type":"invalid_request_error","param":null,"code":null,"raw_status_code":400}`
	}},
	{"fastapi detail", func(s string) string { return `{"detail":` + quote(s) + `}` }},
	{"ollama body", func(s string) string { return `{"error":` + quote(s) + `}` }},
	{"bedrock relay", func(s string) string {
		return "ValidationException: The model returned the following errors: " + s
	}},
	{"azure", func(s string) string {
		return `POST "https://r.openai.azure.com/openai/deployments/d/chat/completions": 400 Bad ` +
			`Request {"error":{"message":` + quote(s) + `}}`
	}},
	{"openrouter raw", func(s string) string {
		inner := `{"error":{"message":` + quote(s) + `}}`
		return `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":` +
			quote(inner) + `,"provider_name":"Some Host"}}}`
	}},
	{"litellm", func(s string) string {
		return `litellm.BadRequestError: AnthropicException - {"type":"error",` +
			`"error":{"type":"invalid_request_error","message":` + quote(s) +
			`}}. Received Model Group=main`
	}},
	{"go sdk", func(s string) string {
		return `POST "https://api.example.com/v1/chat/completions": 400 Bad Request {"message":` +
			quote(s) + `,"type":"invalid_request_error"}`
	}},
	{"typescript sdk", func(s string) string {
		return "BadRequestError: 400 " + s +
			"\n    at APIError.generate (file:///app/node_modules/sdk/error.js:41:20)\n    at " +
			"async main (file:///app/index.js:3:1)"
	}},
	{"python dict", func(s string) string {
		return "openai.BadRequestError: Error code: 400 - {'error': {'message': '" +
			strings.ReplaceAll(strings.ReplaceAll(s, "'", `\'`), "\n", `\n`) + "', 'code': None}}"
	}},
	{"slog text handler", func(s string) string {
		return "time=2026-03-01T10:00:00Z level=ERROR msg=\"model request failed\" " +
			"status=invalid_request_error err=" + strconv.Quote(s)
	}},
	{"json in json in json in json", func(s string) string {
		for range 4 {
			s = `{"error":` + quote(s) + `}`
		}
		return s
	}},
	{"escaped for html", func(s string) string {
		return `<pre>BadRequestError: ` + html.EscapeString(s) + "</pre>"
	}},
	{"framed terminal", framed},
	{"coloured", func(s string) string {
		return "\x1b[1;31mBadRequestError:\x1b[0m \x1b]0;title\x07" +
			strings.ReplaceAll(s, " ", "\x1b[0m \x1b[33m")
	}},
	{"two bytes per character", func(s string) string {
		var b strings.Builder
		for _, r := range "BadRequestError: " + s {
			b.WriteRune(r)
			b.WriteByte(0)
		}
		return b.String()
	}},
}

func googleBody(s string) string {
	return "{\n  \"error\": {\n    \"code\": 400,\n    \"message\": " + quote(s) +
		",\n    \"status\": \"INVALID_ARGUMENT\"\n  }\n}\n"
}

// framed breaks s hard every 40 characters and draws a frame around it.
func framed(s string) string {
	var b strings.Builder
	b.WriteString("╭─ BadRequestError ─╮\n│ ")
	for i, r := range []rune(s) {
		if i > 0 && i%40 == 0 {
			b.WriteString(" │\n│ ")
		}
		b.WriteRune(r)
	}
	b.WriteString(" │\n╰───╯\n")
	return b.String()
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// TestExplainWrapped takes every error text through every wrapper. A wrapper that names a provider
// may let a rule of that provider lead, so that here the rule has to be among the candidates; it
// leads by itself where the wrapper is neutral.
func TestExplainWrapped(t *testing.T) {
	for _, w := range wrappers {
		t.Run(w.name, func(t *testing.T) {
			leads, total := 0, 0
			for _, r := range rule.All() {
				if r.Error == "" {
					continue
				}
				text := w.wrap(concrete(r.Error, 3))
				e, ok := rule.Explain(text)
				if !ok || e.Rule.ID != r.ID && !slices.Contains(ids(e.Also), r.ID) {
					t.Errorf("%s is taken for %q and %q: %s", r.ID, e.Rule.ID, ids(e.Also), text)
				}
				total++
				if e.Rule.ID == r.ID {
					leads++
				}
			}
			require.GreaterOrEqual(t, leads, total-len(led)-4)
		})
	}
}

// TestExplainLogs explains the files of testdata/explain/logs, whose head says what has to come
// out.
func TestExplainLogs(t *testing.T) {
	files, err := filepath.Glob("testdata/explain/logs/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			head, text, ok := strings.Cut(string(data), "\n\n")
			require.True(t, ok)
			want := map[string]string{}
			for line := range strings.Lines(head) {
				key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
				require.True(t, ok, line)
				want[key] = value
			}
			require.NotEmpty(t, want["reason"])
			delete(want, "reason")

			e, ok := rule.Explain(text)
			require.True(t, ok)
			got := map[string]string{
				"rule": e.Rule.ID, "also": strings.Join(ids(e.Also), ", "),
				"more": strings.Join(leaders(e.More), ", "),
				"via":  strings.Join(e.Via, ", "), "paths": strings.Join(e.Paths, ", "),
				"ids": strings.Join(e.IDs, ", "),
			}
			maps.DeleteFunc(got, func(_, v string) bool { return v == "" })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("explanation (-want +got):\n%s\ntext: %s", diff, e.Text)
			}
		})
	}
}

func TestExplainText(t *testing.T) {
	for _, test := range []struct{ reason, in, want string }{
		{"path before, rest of the sentence after",
			`{"message":"messages.3: all messages must have non-empty content except for the ` +
				`optional final assistant message"}`,
			"messages.3: all messages must have non-empty content except for the optional final " +
				"assistant message"},
		{"escapes are gone, the full stop stays",
			`{"raw":"{\"message\":\"Duplicate item found with id msg_1. Remove duplicate items ` +
				`from your input and try again.\"}"}`,
			"Duplicate item found with id msg_1. Remove duplicate items from your input and try " +
				"again."},
		{"the word that is another each time, in front",
			"x: messages.1: `code_execution` tool use with id `srvtoolu_1` was found without a " +
				"corresponding `code_execution_tool_result` block",
			"messages.1: `code_execution` tool use with id `srvtoolu_1` was found without a " +
				"corresponding `code_execution_tool_result` block"},
		{"and after",
			`{"message": "Invalid JSON payload received. Unknown name \"foo\": Cannot find ` +
				`field."}`,
			`Invalid JSON payload received. Unknown name "foo": Cannot find field.`},
	} {
		e, ok := rule.Explain(test.in)
		require.True(t, ok, test.reason)
		require.Equal(t, test.want, e.Text, test.reason)
	}
}

// The places, in every spelling.
func TestExplainPaths(t *testing.T) {
	for _, test := range []struct {
		text  string
		paths []string
	}{
		{"messages.3.content.1: Invalid `signature` in `thinking` block",
			[]string{"messages[3].content[1]"}},
		{"messages.12.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
			[]string{"messages[12].content[0].id"}},
		{"system.0: text content blocks must be non-empty", []string{"system[0]"}},
		{"messages: text content blocks must be non-empty", nil},
		{"Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with " +
			"maximum length 40, but got a string with length 41 instead.",
			[]string{"messages[2].tool_calls[0].id"}},
		{"Invalid 'input[7].call_id': string too long. Expected a string with maximum length 64, " +
			"but got a string with length 90 instead.", []string{"input[7].call_id"}},
		{"the message at position 2 with role 'assistant' must not be empty",
			[]string{"messages[2]"}},
		{"Missing `reasoning_content` field in the assistant message at message index 7.",
			[]string{"messages[7]"}},
		{"thinking is enabled but reasoning_content is missing in assistant tool call message at " +
			"index 5", []string{"messages[5]"}},
		{"deepseek-reasoner does not support successive user or assistant messages (messages[1] " +
			"and messages[2] in your input).", []string{"messages[1]", "messages[2]"}},
		{"'messages.4' : for 'role:tool' the following must be " +
			"satisfied[('messages.4.tool_call_id' : property 'tool_call_id' is missing)]",
			[]string{"messages[4]", "messages[4].tool_call_id"}},
		{"Unable to submit request because function call `f` in the 3. content block is missing " +
			"a `thought_signature`.", []string{"contents[3]"}},
		{"messages.99999999999999999999.content.0: Invalid `signature` in `thinking` block", nil},
	} {
		e, ok := rule.Explain(test.text)
		require.True(t, ok, test.text)
		if diff := cmp.Diff(test.paths, e.Paths); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.text, diff)
		}
	}
}

func TestExplainWordings(t *testing.T) {
	for _, test := range []struct{ text, id string }{
		{"messages.4: user messages must have non-empty content",
			"anthropic/empty-message-content"},
		{"Prefilling assistant messages is not supported for this model.",
			"anthropic/prefill-unsupported"},
		{"messages: Unexpected role \"system\". The Messages API accepts a top-level `system` " +
			"parameter, not \"system\" as an input message role.",
			"anthropic/system-role-leading"},
		{"messages.5: `tool_result` block(s) provided when previous message does not contain any " +
			"`tool_use` blocks", "anthropic/tool-result-orphan"},
		{"messages.2.content.0.tool_use.input: Input should be an object",
			"anthropic/tool-use-input-object"},
		{"messages.2.content.0.tool_use.name: String should have at least 1 character",
			"anthropic/tool-use-name-length"},
		{"messages.9.output_config: Extra inputs are not permitted", "anthropic/extra-inputs"},
		{"Invalid type for 'messages[1].content': expected one of a string or array of objects, " +
			"but got null instead.", "openai-chat/content-null"},
		{"[] is too short - 'messages'", "openai-chat/messages-empty"},
		{"Custom tool call output is missing for call id: call_live_123.",
			"openai-responses/tool-output-missing"},
		{"Content with system role is not supported. Please use a valid role: user, model.",
			"gemini/system-in-contents"},
		{"Please ensure that multiturn requests ends with a user role or a function response.",
			"gemini/ends-with-model-turn"},
		{"Expected last role User or Tool (or Assistant with prefix or continue_final_message " +
			"set to True) for serving but got assistant", "mistral/last-role"},
		{"Unexpected role 'system' after role 'tool'", "mistral/order-system"},
		{"Extra inputs are not permitted, field: 'reasoning_content', value: []",
			"openai-compatible/reasoning-fields"},
		{"Tool results are missing for tool calls call_1, call_2.",
			"vercel-ai-sdk/missing-tool-results"},
	} {
		e, ok := rule.Explain(test.text)
		require.True(t, ok, test.text)
		require.Equal(t, test.id, e.Rule.ID, test.text)
	}
}

// TestExplainUnrelated has texts that are about something else: none of them may be blamed on a
// rule, and those of providers have a class.
func TestExplainUnrelated(t *testing.T) {
	data, err := os.ReadFile("testdata/explain/unrelated.txt")
	require.NoError(t, err)
	texts := 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		texts++
		want, text, _ := strings.Cut(line, "\t")
		e, ok := rule.Explain(text)
		if e.Rule.ID != "" {
			t.Errorf("%s is taken for %s by %q", text, e.Rule.ID, e.Text)
		}
		require.Equal(t, want != "-", ok, text)
		if ok {
			require.Equal(t, rule.Class(want), e.Class, text)
			require.NotEmpty(t, e.Advice, text)
		}
	}
	require.GreaterOrEqual(t, texts, 60)
}

// hostile are texts made to be slow, deep or malformed; shorter ones with -short, since the race
// detector is too slow for the time that TestExplainHostile allows.
func hostile() map[string]string {
	size := 1 << 20
	if testing.Short() {
		size = 1 << 15
	}
	long := func(s string) string { return strings.Repeat(s, size/len(s)) }
	return map[string]string{
		"empty":             "",
		"white space":       long(" \n\t"),
		"one letter":        long("a"),
		"backslashes":       long(`\`),
		"escapes":           long(`\u0041\n\"`),
		"half an escape":    `\u00`,
		"entities":          long("&quot;&am"),
		"invalid UTF-8":     long("\xff\xc0\x80"),
		"NUL":               long("\x00"),
		"escape characters": long("\x1b["),
		"open sequences":    long("\x1b]0;"),
		"deep JSON":         strings.Repeat(`{"a":[`, size/6) + `"x"`,
		"beginnings":        long("Invalid 'messages[1"),
		"gaps":              long("Item 'fc_1' of type "),
		"values":            long("Function name was "),
		"ids": long("tool_use ids were found without tool_result blocks immediately " +
			"after: toolu_"),
		"weak texts": long("Unknown parameter: "),
		"paths":      long("messages.1.content."),
		"texts": long("messages.1: `tool_use` blocks can only be in `assistant` " +
			"messages. "),
		"one list of ids": "Expected toolResult blocks at messages.2.content for the following " +
			"Ids: " + long("tooluse_a1, "),
		"one number":         "messages." + long("1") + ": text content blocks must be non-empty",
		"brackets":           long("messages[[[1].["),
		"after the haystack": long("x y ") + "messages.1: text content blocks must be non-empty",
	}
}

func TestExplainHostile(t *testing.T) {
	for name, text := range hostile() {
		start := time.Now()
		e, ok := rule.Explain(text)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		for _, e := range append(e.More, e) {
			require.LessOrEqual(t, len(e.Paths), 16, name)
			require.LessOrEqual(t, len(e.IDs), 16, name)
			require.LessOrEqual(t, len(e.Text), 1<<14, name)
		}
		switch name {
		case "texts":
			require.Equal(t, "anthropic/tool-use-in-user", e.Rule.ID)
		case "one list of ids":
			require.Equal(t, "bedrock/tool-result-missing", e.Rule.ID)
			require.Equal(t, []string{"tooluse_a1"}, e.IDs)
		case "one number", "after the haystack":
			require.Equal(t, "anthropic/empty-text-block", e.Rule.ID)
		case "weak texts", "ids":
		default:
			require.False(t, ok, "%s is taken for %s", name, e.Rule.ID)
		}
	}
}

// A result is the caller's: changing it does not reach the catalogue.
func TestExplainIsIndependent(t *testing.T) {
	const text = "messages: text content blocks must be non-empty"
	first, _ := rule.Explain(text)
	require.NotEmpty(t, first.Rule.Sources)
	first.Rule.Sources[0] = "spoiled"
	second, _ := rule.Explain(text)
	require.NotEqual(t, "spoiled", second.Rule.Sources[0])
}

func TestExplainJSON(t *testing.T) {
	want, ok := rule.Explain("messages.1: `tool_use` ids were found without `tool_result` blocks " +
		"immediately after: toolu_1.")
	require.True(t, ok)
	data, err := json.Marshal(want)
	require.NoError(t, err)
	var got rule.Explanation
	require.NoError(t, json.Unmarshal(data, &got))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after a round trip (-want +got):\n%s", diff)
	}
}

func FuzzExplain(f *testing.F) {
	for _, r := range rule.All() {
		f.Add(r.Error)
	}
	for _, w := range wrappers {
		f.Add(w.wrap("messages.1.content.0: unexpected `tool_use_id` found in `tool_result` " +
			"blocks: toolu_1."))
	}
	f.Add("text: ")
	f.Add("529 overloaded")
	f.Fuzz(func(t *testing.T, text string) {
		e, ok := rule.Explain(text)
		if again, _ := rule.Explain(text); !cmp.Equal(e, again) {
			t.Fatal("not deterministic")
		}
		if !ok {
			return
		}
		if e.Class != rule.ClassHistory {
			if e.Rule.ID != "" || e.Also != nil || e.Advice == "" {
				t.Fatalf("class %q with the rule %q and the advice %q", e.Class, e.Rule.ID, e.Advice)
			}
			return
		}
		seen := map[string]bool{}
		for _, r := range append(e.Also, e.Rule) {
			if _, known := rule.ByID(r.ID); !known || seen[r.ID] {
				t.Fatalf("candidate %q", r.ID)
			}
			seen[r.ID] = true
		}
		if _, err := json.Marshal(e); err != nil {
			t.Fatal(err)
		}
	})
}

func ids(rules []rule.Rule) []string {
	var ids []string
	for _, r := range rules {
		ids = append(ids, r.ID)
	}
	return ids
}

// leaders is the rule that leads each explanation.
func leaders(all []rule.Explanation) []string {
	var ids []string
	for _, e := range all {
		ids = append(ids, e.Rule.ID)
	}
	return ids
}
