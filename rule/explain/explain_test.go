package explain_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/explain"
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

// envelope is the rule whose text is the envelope of another host's error: where nothing inside is
// known, the text names no cause.
const envelope = "openrouter/wrapped-errors"

// TestCatalogue explains every error text by its own rule, or by the rule that shares it.
func TestCatalogue(t *testing.T) {
	known := 0
	for _, r := range rule.All() {
		if r.Error == "" || r.ID == envelope {
			continue
		}
		known++
		for _, text := range []string{r.Error, concrete(r.Error, 7), concrete(r.Error, 1234)} {
			e, ok := explain.Text(text)
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

// TestLogs explains the files of testdata/logs, whose head says what has to come
// out.
func TestLogs(t *testing.T) {
	files, err := filepath.Glob("testdata/logs/*.txt")
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

			e, ok := explain.Text(text)
			require.True(t, ok)
			got := map[string]string{
				"rule": e.Rule.ID, "also": strings.Join(ids(e.Also), ", "),
				"more": strings.Join(leaders(e.More), ", "),
				"via":  strings.Join(e.Via, ", "), "paths": strings.Join(e.Paths, ", "),
				"ids": strings.Join(e.IDs, ", "),
			}
			if e.Class != explain.ClassHistory {
				got["class"] = string(e.Class)
			}
			maps.DeleteFunc(got, func(_, v string) bool { return v == "" })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("explanation (-want +got):\n%s\ntext: %s", diff, e.Text)
			}
		})
	}
}

func TestText(t *testing.T) {
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
		e, ok := explain.Text(test.in)
		require.True(t, ok, test.reason)
		require.Equal(t, test.want, e.Text, test.reason)
	}
}

// The places, in every spelling.
func TestPaths(t *testing.T) {
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
		e, ok := explain.Text(test.text)
		require.True(t, ok, test.text)
		if diff := cmp.Diff(test.paths, e.Paths); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.text, diff)
		}
	}
}

func TestWordings(t *testing.T) {
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
		e, ok := explain.Text(test.text)
		require.True(t, ok, test.text)
		require.Equal(t, test.id, e.Rule.ID, test.text)
	}
}

// TestUnrelated has texts that are about something else: none of them may be blamed on a
// rule, and those of providers have a class.
func TestUnrelated(t *testing.T) {
	data, err := os.ReadFile("testdata/unrelated.txt")
	require.NoError(t, err)
	texts := 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		texts++
		want, text, _ := strings.Cut(line, "\t")
		e, ok := explain.Text(text)
		if e.Rule.ID != "" {
			t.Errorf("%s is taken for %s by %q", text, e.Rule.ID, e.Text)
		}
		require.Equal(t, want != "-", ok, text)
		if ok {
			require.Equal(t, explain.Class(want), e.Class, text)
			require.NotEmpty(t, e.Advice, text)
		}
	}
	require.GreaterOrEqual(t, texts, 60)
}

// A result is the caller's: changing it does not reach the catalogue.
func TestIndependent(t *testing.T) {
	const text = "messages: text content blocks must be non-empty"
	first, _ := explain.Text(text)
	require.NotEmpty(t, first.Rule.Sources)
	first.Rule.Sources[0] = "spoiled"
	second, _ := explain.Text(text)
	require.NotEqual(t, "spoiled", second.Rule.Sources[0])
}

func TestJSON(t *testing.T) {
	want, ok := explain.Text("messages.1: `tool_use` ids were found without `tool_result` blocks " +
		"immediately after: toolu_1.")
	require.True(t, ok)
	data, err := json.Marshal(want)
	require.NoError(t, err)
	var got explain.Explanation
	require.NoError(t, json.Unmarshal(data, &got))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after a round trip (-want +got):\n%s", diff)
	}
}

func ids(rules []rule.Rule) []string {
	var ids []string
	for _, r := range rules {
		ids = append(ids, r.ID)
	}
	return ids
}

// leaders is the rule that leads each explanation.
func leaders(all []explain.Explanation) []string {
	var ids []string
	for _, e := range all {
		ids = append(ids, e.Rule.ID)
	}
	return ids
}
