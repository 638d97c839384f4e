package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/explain"
	"github.com/go-preflight/preflight/wire"
)

const unanswered = "messages.1: `tool_use` ids were found without `tool_result` blocks " +
	"immediately after: toolu_01A. " +
	"Each `tool_use` block must have a corresponding `tool_result` block in the next message."

func TestExplain(t *testing.T) {
	for _, test := range []struct {
		reason string
		args   []string
		stdin  string
		code   int
		stdout []string // parts of it, or none at all
		stderr string   // a part of it
	}{
		{"the sentence as an argument", []string{unanswered}, "", 0,
			[]string{
				"anthropic/tool-result-missing\n",
				"messages[1]",
				"toolu_01A",
				"preflight fix --provider anthropic repairs it",
				"anthropic/tool-result-first",
			}, ""},
		{"a log on standard input", nil,
			"POST \"https://api.anthropic.com/v1/messages\": 400 Bad Request {\"message\":\"" +
				unanswered + "\"}\n", 0, []string{"anthropic/tool-result-missing\n", "messages[1]"},
			""},
		{"who passed it on",
			[]string{"litellm.BadRequestError: AnthropicException - " + unanswered}, "", 0,
			[]string{"anthropic, through litellm"}, ""},
		{"what preflight cannot see",
			[]string{"messages.1.content.0: Invalid `signature` in `thinking` block"}, "", 0,
			[]string{"preflight cannot see it. "}, ""},
		{"what it refuses", []string{"messages: at least one message is required"}, "", 0,
			[]string{"repairs nothing. "}, ""},
		{"a text that begins with a dash", []string{"--", "- " + unanswered}, "", 0,
			[]string{"anthropic/tool-result-missing\n"}, ""},
		{"an unknown text", []string{"messages.1: never heard of"}, "", 1, nil, "report"},
		{"a rate limit is not the history", nil,
			`{"type":"error","error":{"type":"rate_limit_error",` +
				`"message":"Number of request tokens has exceeded your per-minute rate limit"}}`,
			0, []string{"not the history: rate-limit\n", "advice"}, ""},
		{"unknown with --json", []string{"--json", "never heard of"}, "", 1, nil,
			"no error text that preflight knows"},
		{"no text", nil, " \n", 2, nil, "no text"},
		{"an empty argument", []string{""}, unanswered, 2, nil, "no text"},
		{"words without quotes", []string{"messages", "must"}, "", 2, nil, "quotes"},
		{"an unknown flag", []string{"--nonsense", unanswered}, "", 2, nil, "nonsense"},
		{"an unknown flag after", []string{unanswered, "--nonsense"}, "", 2, nil, "nonsense"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			code, stdout, stderr := call(t, test.stdin,
				append([]string{"explain"}, test.args...)...)
			require.Equal(t, test.code, code, stderr)
			for _, part := range test.stdout {
				require.Contains(t, stdout, part)
			}
			if test.stdout == nil {
				require.Empty(t, stdout)
			} else {
				require.Empty(t, stderr)
			}
			require.Contains(t, stderr, test.stderr)
		})
	}
}

func TestExplainLayout(t *testing.T) {
	code, stdout, stderr := call(t, "", "explain",
		"messages.2.content.0.text: text content blocks must be non-empty")
	require.Zero(t, code, stderr)
	r, ok := rule.ByID("anthropic/empty-text-block")
	require.True(t, ok)
	want := strings.Join([]string{
		"anthropic/empty-text-block",
		"  said by   anthropic",
		"  text      messages.2.content.0.text: text content blocks must be non-empty",
		"  where     messages[2].content[0]",
		"  means     " + r.Statement,
		"  fix       " + r.Fix,
		"  repair    preflight fix --provider anthropic repairs it, if the request shows it.",
		"",
	}, "\n")
	if diff := cmp.Diff(want, stdout); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

// Both errors of a body are explained, in the text form and as JSON, wherever the flag is.
func TestExplainSeveral(t *testing.T) {
	body := `{"error":{"code":400,"message":"* GenerateContentRequest.contents[0].parts[1].data:` +
		` required oneof field 'data' must have one initialized field\n` +
		`* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be ` +
		`empty.\n","status":"INVALID_ARGUMENT"}}`
	code, stdout, stderr := call(t, body, "explain")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "gemini/empty-part-data\n")
	require.Contains(t, stdout, "\n\ngemini/function-response-name\n")

	for _, args := range [][]string{{"explain", "--json", body}, {"explain", body, "--json"}} {
		code, stdout, stderr = call(t, "", args...)
		require.Zero(t, code, stderr)
		var got explain.Explanation
		require.NoError(t, json.Unmarshal([]byte(stdout), &got))
		want, ok := explain.Text(body)
		require.True(t, ok)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", args, diff)
		}
	}
}

// TestExplainRepairs: for each rule and each host, that fix repairs it is said only where fix with
// the profile of the host changes the request on record that breaks the rule, and checks find it no
// longer.
func TestExplainRepairs(t *testing.T) {
	said := 0
	for _, r := range rule.All() {
		body := failingBodies()[r.ID].Request
		for _, host := range append([]string{""}, wire.Providers()...) {
			e := explain.Explanation{Class: explain.ClassHistory, Rule: r}
			text := repairOf(&e, wire.Options{Provider: host})
			if !strings.Contains(text, "repairs it,") {
				continue
			}
			said++
			require.NotEmpty(t, host, "%s: %s", r.ID, text)
			out, err := wire.Sanitize(context.Background(), body, &wire.Options{Provider: host})
			require.NoError(t, err, "%s for %s", r.ID, host)
			require.True(t, out.Changed, "%s for %s", r.ID, host)
			left, err := wire.Check(out.Body, &wire.Options{Provider: host})
			require.NoError(t, err)
			require.NotContains(t, fmt.Sprint(left.Violations), r.ID)
		}
	}
	require.Greater(t, said, 500)
}

// TestExplainHost: the same words are repaired for one host and left for another, and where several
// providers have them none is named as the one who said it.
func TestExplainHost(t *testing.T) {
	alternate := "Conversation roles must alternate user/assistant/user/assistant/..."
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--provider", "chat-template", alternate}, "--provider chat-template repairs it,"},
		{[]string{"--provider", "anthropic", unanswered}, "--provider anthropic repairs it,"},
		{[]string{"--provider", "anthropic", "messages: first message must use the \"user\" role"},
			"--provider anthropic leaves it alone."},
		{[]string{"--provider", "gemini", unanswered}, "depends on the request"},
		{[]string{"400 messages[2]: missing field `tool_call_id`"}, "said by   one of openai-chat, groq"},
	} {
		code, stdout, stderr := call(t, "", append([]string{"explain"}, test.args...)...)
		require.Zero(t, code, stderr)
		require.Contains(t, stdout, test.want)
	}
	code, stdout, stderr := call(t, "", "explain", "--provider", "anthropc", unanswered)
	require.Zero(t, code)
	require.Contains(t, stdout, "anthropic/tool-result-missing")
	require.Contains(t, stderr, "did you mean anthropic")
}

// TestExplainFile: a refused request that serve kept is explained with its words, its host and its
// body.
func TestExplainFile(t *testing.T) {
	kept := preflighthttp.Refused{
		At: time.Date(2026, 11, 2, 3, 4, 5, 0, time.UTC), Host: "llm.example", Path: "/v1/messages",
		Provider: "anthropic", Model: "claude-opus-4-8", Status: 400, Words: unanswered,
		Remedy: "settle-calls", Then: 400,
		Body: json.RawMessage(`{"model":"claude-opus-4-8","max_tokens":9,"messages":[{"role":"user",` +
			`"content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_01A",` +
			`"name":"f","input":{}}]},{"role":"user","content":"r"}]}`),
	}
	name := filepath.Join(t.TempDir(), "refused.json")
	write := func(v any) {
		data, err := json.Marshal(v)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name, data, 0o600))
	}
	write(kept)
	code, stdout, stderr := call(t, "", "explain", "--file", name)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "anthropic/tool-result-missing\n  request   2026-11-02T03:04:05Z, to "+
		"llm.example/v1/messages: status 400; sent again by the remedy settle-calls: status 400\n")
	require.Contains(t, stdout,
		"repair    preflight fix repairs it in this request, at messages[1].content[0].")

	for _, args := range [][]string{{"text"}, {"--body", name}} {
		code, _, stderr = call(t, "", append([]string{"explain", "--file", name}, args...)...)
		require.Equal(t, 2, code)
		require.Contains(t, stderr, "leave the others out")
	}
	write(map[string]any{"model": "x", "messages": []any{}})
	code, _, stderr = call(t, "", "explain", "--file", name)
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "not a refused request")
}

// With --body, the repair is tried on the request, and said of it alone.
func TestExplainBody(t *testing.T) {
	body := func(messages string) string {
		name := filepath.Join(t.TempDir(), "body.json")
		require.NoError(t, os.WriteFile(name, []byte(`{"model":"claude-opus-4-8","max_tokens":9,`+
			`"messages":[`+messages+`]}`), 0o600))
		return name
	}
	open := body(`{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use",` +
		`"id":"toolu_01A","name":"f","input":{}}]},{"role":"user","content":"r"}`)
	clean := body(`{"role":"user","content":"q"}`)
	neighbours := body(`{"role":"user","content":"q"},{"role":"user","content":"r"}`)
	for _, test := range []struct {
		reason, file, text, want string
		code                     int
	}{
		{"shown and repaired", open, unanswered,
			"repair    preflight fix repairs it in this request, at messages[1].content[0].", 0},
		{"not shown", clean, unanswered,
			"repair    This request does not show it: preflight fix changes nothing for it.", 0},
		{"accepted by this provider, and refused by others", neighbours,
			"Conversation roles must alternate user/assistant/user/assistant/...",
			"repair    preflight fix --portable repairs it in this request, at messages[1].", 0},
		{"not about the history", clean, "overloaded_error: Overloaded", "not the history: server", 0},
		{"no such file", "missing.json", unanswered, "", 2},
	} {
		code, stdout, stderr := call(t, "", "explain", "--body", test.file, test.text)
		require.Equal(t, test.code, code, stderr)
		require.Contains(t, stdout, test.want, test.reason)
	}
	code, stdout, _ := call(t, "", "explain", "--json", "--body", open, unanswered)
	require.Zero(t, code)
	require.Contains(t, stdout, `"tried": {`)
	require.Contains(t, stdout, `"repaired": true`)
}

// TestMeant: who misspells a name is told the right one, and is not asked to report an error text.
func TestMeant(t *testing.T) {
	file := filepath.Join(t.TempDir(), "error.txt")
	require.NoError(t, os.WriteFile(file, []byte("429"), 0o600))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"chek"}, `there is no command "chek" (did you mean check?)`},
		{[]string{"help", "repiar"}, `there is no command "repiar" (did you mean repair?)`},
		{[]string{"explain", "tool-result-missing"}, "anthropic/tool-result-missing, "},
		{[]string{"explain", "anthropic/tool-result-mising"},
			"(did you mean anthropic/tool-result-missing?)"},
		{[]string{"rules", "tool-result-missing"}, "anthropic/tool-result-missing, "},
		{[]string{"rules", "anthropic/tool-result-mising"},
			"(did you mean anthropic/tool-result-missing?)"},
		{[]string{"explain", file}, "is a file"},
		{[]string{"fix", "--provider", "antropic"}, `(did you mean "anthropic"?)`},
	} {
		code, stdout, stderr := call(t, `{"messages":[]}`, c.args...)
		require.Equal(t, exitUsage, code, c.args)
		require.Empty(t, stdout)
		require.Contains(t, stderr, c.want)
	}
	code, _, stderr := call(t, "", "explain", "rate-of-nothing-known")
	require.Equal(t, exitWrong, code)
	require.Contains(t, stderr, "no error text")
}

// TestHelpFlag: the help of a command is the same by the flag, and can be piped.
func TestHelpFlag(t *testing.T) {
	for _, name := range []string{"fix", "explain", "repair", "version", "completion"} {
		_, want, _ := call(t, "", "help", name)
		code, stdout, stderr := call(t, "", name, "--help")
		require.Zero(t, code)
		require.Empty(t, stderr)
		require.Equal(t, want, stdout)
		require.True(t, strings.HasPrefix(stdout, "preflight "+name), stdout)
	}
	code, _, _ := call(t, "", "explain", "an error", "--help")
	require.Zero(t, code)
}

// TestNoSuchFile: the name of a file is said once.
func TestNoSuchFile(t *testing.T) {
	for _, command := range []string{"fix", "check", "repair"} {
		code, _, stderr := call(t, "", command, "nothing.json")
		require.Equal(t, exitUsage, code)
		require.Equal(t, 1, strings.Count(stderr, "nothing.json"), stderr)
	}
}
