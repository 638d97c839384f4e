package session_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// piSession is a session of pi with a model, with a picture, a call and its result. call is the id
// of the call.
func piSession(api, provider, model, call string) []string {
	record := func(id, parent, message string) string {
		return `{"type":"message","id":"` + id + `","parentId":` + parent +
			`,"timestamp":"2026-11-28T07:41:01.003Z","message":{` + message + `}}`
	}
	answer := `"role":"assistant","api":"` + api + `","provider":"` + provider + `","model":"` +
		model + `","stopReason":"stop","content":[`
	return []string{
		record("a", "null", `"role":"user","content":[{"type":"text","text":"Look."},`+
			`{"type":"image","data":"`+onePixel+`","mimeType":"image/png"}]`),
		record("b", `"a"`, answer+`{"type":"thinking","thinking":"Hm."},{"type":"toolCall","id":"`+call+
			`","name":"see","arguments":{"n":1.0},"thoughtSignature":"c2ln"}]`),
		record("c", `"b"`, `"role":"toolResult","toolCallId":"`+call+`","toolName":"see",`+
			`"isError":false,"content":[{"type":"text","text":"Here."},{"type":"image","data":"`+onePixel+
			`","mimeType":"image/png"}]`),
		record("d", `"c"`, answer+`{"type":"text","text":"Done."}]`),
		record("e", `"d"`, `"role":"user","content":"And now?"`),
	}
}

// TestPiFormats: a session of pi is read and judged in the format of the model that it goes to.
func TestPiFormats(t *testing.T) {
	for _, test := range []struct{ api, provider, model, call, format, has string }{
		{"anthropic-messages", "p", "claude-sonnet-4-5", "toolu_1", "anthropic", `"tool_use"`},
		{"bedrock-converse-stream", "amazon-bedrock", "eu.anthropic.claude-sonnet-4-5", "toolu_1",
			"anthropic", `"tool_use"`},
		{"openai-completions", "groq", "kimi-k3", "functions.see:0", "openai-chat",
			`"tool_calls":[{"id":"functions.see:0"`},
		{"openai-responses", "openai", "gpt-5.1", "call_1|fc_1", "openai-responses",
			`"call_id":"call_1","name":"see","arguments":"{\"n\":1.0}"`},
		{"google-generative-ai", "google", "gemini-3-pro", "see_1", "gemini",
			`{"functionCall":{"name":"see","args":{"n":1.0}},"thoughtSignature":"c2ln"}`},
		{"future-api", "future", "m-1", "call:1", "openai-chat", `"tool_calls"`},
	} {
		t.Run(test.api, func(t *testing.T) {
			lines := piSession(test.api, test.provider, test.model, test.call)
			data := file(lines)
			out, report, err := session.Repair(data, nil)
			require.NoError(t, err)
			require.True(t, report.Sound(), "%+v", report)
			require.True(t, bytes.Equal(data, out))
			s, err := session.Read(data)
			require.NoError(t, err)
			require.Equal(t, test.format, s.Format)
			require.Contains(t, string(s.Body), test.has)
			require.Equal(t, 2, strings.Count(string(s.Body), onePixel))
			requireAccepted(t, s, test.api)

			for name, damaged := range map[string][]string{
				"a picture": {strings.Replace(lines[0], onePixel, "AAAA", 1), lines[1], lines[2], lines[3],
					lines[4]},
				"a picture in a result": {lines[0], lines[1], strings.Replace(lines[2], onePixel, "AAAA", 1),
					lines[3], lines[4]},
				"a lost call": {lines[0], lines[2], lines[3], lines[4]},
			} {
				out, report, err := session.Repair(file(damaged), nil)
				require.NoError(t, err)
				s, err := session.Read(out)
				require.NoError(t, err)
				requireAccepted(t, s, name)
				requireSettled(t, out)
				require.Empty(t, report.Left, name)
				if strings.Contains(string(out), "image omitted") {
					require.Contains(t, string(out), `{"type":"text","text":"[image omitted`, "pi's own form")
				}
				if name == "a lost call" {
					require.NotContains(t, string(out), "toolResult")
				}
			}
		})
	}
}
