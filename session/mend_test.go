package session_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// contents writes a session of each client with one answer of the model's: text and reasoning are
// JSON strings, picture is the data of an image that the user gave.
var contents = map[string]func(text, signature, picture string) []string{
	"claude-code": func(text, signature, picture string) []string {
		record := func(id, parent, role, content string) string {
			return `{"parentUuid":` + parent + `,"isSidechain":false,"sessionId":"s",` +
				`"version":"2.1.330","type":"` + role + `","message":{"model":"claude-opus-4-5",` +
				`"role":"` + role + `","content":` + content + `},"uuid":"` + id + `"}`
		}
		return []string{
			record("a", "null", "user", `[{"type":"text","text":"Look."},{"type":"image","source":`+
				`{"type":"base64","media_type":"image/png","data":"`+picture+`"}}]`),
			record("b", `"a"`, "assistant", `[{"type":"thinking","thinking":"Hm.","signature":"`+
				signature+`"}]`),
			record("c", `"b"`, "assistant", `[{"type":"text","text":`+text+`}]`),
			record("d", `"c"`, "user", `"And now?"`),
		}
	},
	"pi": func(text, signature, picture string) []string {
		record := func(id, parent, message string) string {
			return `{"type":"message","id":"` + id + `","parentId":` + parent +
				`,"timestamp":"2026-11-28T07:41:01.003Z","message":{` + message + `}}`
		}
		return []string{
			record("a", "null", `"role":"user","content":[{"type":"text","text":"Look."},`+
				`{"type":"image","data":"`+picture+`","mimeType":"image/png"}]`),
			record("b", `"a"`, `"role":"assistant","model":"claude-opus-4-5","content":[`+
				`{"type":"text","text":`+text+`}]`),
			record("d", `"b"`, `"role":"user","content":"And now?"`),
		}
	},
	"copilot-cli": func(text, signature, picture string) []string {
		event := func(id, kind, data string) string {
			return `{"type":"` + kind + `","data":{` + data + `},"id":"` + id +
				`","timestamp":"2026-11-28T08:04:49.387Z","parentId":null}`
		}
		return []string{
			event("s", "session.start", `"copilotVersion":"1.0.102"`),
			event("a", "user.message", `"content":"Look."`),
			event("b", "assistant.message", `"model":"claude-opus-4.5","content":`+text+
				`,"reasoningBlocks":{"provider":"anthropic","blocks":[{"type":"thinking",`+
				`"thinking":"Hm.","signature":"`+signature+`"}]}`),
			event("d", "user.message", `"content":"And now?"`),
		}
	},
	"codex": func(text, _, picture string) []string {
		item := func(payload string) string {
			return `{"timestamp":"2026-09-12T07:06:01.000Z","type":"response_item","payload":{` +
				payload + `}}`
		}
		return []string{
			item(`"type":"message","role":"user","content":[{"type":"input_text","text":"Look."},` +
				`{"type":"input_image","image_url":"data:image/png;base64,` + picture + `"}]`),
			item(`"type":"message","role":"assistant","content":[{"type":"output_text","text":` + text +
				`}]`),
			item(`"type":"message","role":"user","content":[{"type":"input_text","text":"And?"}]`),
		}
	},
	"gemini-cli": func(text, _, picture string) []string {
		return []string{
			`{"sessionId":"s","projectHash":"p","startTime":"2026-11-28T08:04:49.387Z"}`,
			`{"id":"a","type":"user","content":[{"text":"Look."},{"inlineData":{"mimeType":` +
				`"image/png","data":"` + picture + `"}}]}`,
			`{"id":"b","type":"gemini","content":[{"text":` + text + `}]}`,
			`{"id":"d","type":"user","content":[{"text":"And now?"}]}`,
		}
	},
	"qwen-code": func(text, _, _ string) []string {
		record := func(id, parent, role, parts string) string {
			return `{"uuid":"` + id + `","parentUuid":` + parent + `,"sessionId":"s",` +
				`"version":"0.24.4","type":"x","message":{"role":"` + role + `","parts":[` + parts +
				`]}}`
		}
		return []string{
			record("a", "null", "user", `{"text":"Look."}`),
			record("b", `"a"`, "model", `{"text":`+text+`}`),
			record("d", `"b"`, "user", `{"text":"And now?"}`),
		}
	},
}

// onePixel is a PNG file.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA" +
	"AABJRU5ErkJggg=="

// TestContentIsMended: what a repair of the request does to the content of a message is done in the
// file, and nothing else is.
func TestContentIsMended(t *testing.T) {
	for client, write := range contents {
		for fault, test := range map[string]struct {
			text, signature, picture string
			clients                  string // that send such a thing, and whose provider refuses it
			gone, made               string
		}{
			"none": {`"Fine."`, "c2ln", onePixel, "", "", ""},
			"a lone surrogate": {
				`"Bad \ud83d text."`, "c2ln", onePixel,
				"claude-code codex gemini-cli qwen-code", `\ud83d`, `Bad \ufffd text.`,
			},
			"a picture that cannot be decoded": {
				`"Fine."`, "c2ln", "AAAA", "claude-code pi", "AAAA", "image omitted",
			},
			"a blank text": {
				`""`, "c2ln", onePixel, "claude-code", `"text":""`, "",
			},
			"reasoning without a signature": {
				`"Fine."`, "", onePixel, "claude-code", `"thinking":"Hm."`, "",
			},
		} {
			t.Run(client+" "+fault, func(t *testing.T) {
				lines := write(test.text, test.signature, test.picture)
				data := file(lines)
				out, report, err := session.Repair(data, nil)
				require.NoError(t, err)
				require.Empty(t, report.Left)
				if !slices.Contains(strings.Fields(test.clients), client) {
					require.Equal(t, string(data), string(out))
					require.Empty(t, report.Findings)
					return
				}
				require.True(t, report.Changed)
				require.NotContains(t, string(out), test.gone)
				require.Contains(t, string(out), test.made)
				require.Len(t, report.Findings, 1, "%+v", report.Findings)
				if report.Findings[0].Rule == "" { // the client forgets it, instead of being refused
					require.Equal(t, report.Findings[0].Lines, report.Lost)
				} else {
					require.Equal(t, []string{report.Findings[0].Rule}, report.Refused)
				}
				same := 0
				for _, line := range lines {
					if strings.Contains(string(out), line+"\n") {
						same++
					}
				}
				require.GreaterOrEqual(t, same, len(lines)-2, "%s", out)
				requireSettled(t, out)
				s, err := session.Read(out)
				require.NoError(t, err)
				require.Contains(t, string(s.Body), "Look.")
				require.Contains(t, string(s.Body), "And")
			})
		}
	}
}

// TestEmptyErrors: Anthropic refuses an error without a text, so that it gets one.
func TestEmptyErrors(t *testing.T) {
	const text = "(no error text)"
	for _, test := range []struct{ client, was, is, made string }{
		{"claude-code", `"content":"one"`, `"is_error":true,"content":""`, `"content":"` + text + `"`},
		{"claude-code", `"content":"one"`, `"is_error":true,"content":[]`, `"text":"` + text + `"`},
		{"claude-code", `"content":"one"`, `"is_error":true`, `"content":"` + text + `"`},
		{
			"copilot-cli", `"success":true,"result":{"content":"one"}`,
			`"success":false,"error":{"message":"","code":"c"}`,
			`"error":{"message":"` + text + `","code":"c"}`,
		},
	} {
		data := strings.Replace(string(file(stored[test.client])), test.was, test.is, 1)
		out, report, err := session.Repair([]byte(data), nil)
		require.NoError(t, err)
		require.Equal(t, []string{"anthropic/tool-result-error-empty"}, report.Refused)
		require.Empty(t, report.Left)
		require.Len(t, report.Findings, 1)
		require.Contains(t, string(out), test.made)
		requireSettled(t, out)
	}
}

// TestServerToolOrphans: calls and results of tools that the provider runs are in one answer.
func TestServerToolOrphans(t *testing.T) {
	for _, block := range []string{
		`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}}`,
		`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_9","content":[]}`,
	} {
		lines := contents["claude-code"](`"Found."},`+block+`,{"type":"text","text":"So."`, "c2ln",
			onePixel)
		out, report, err := session.Repair(file(lines), nil)
		require.NoError(t, err)
		require.Empty(t, report.Left)
		require.NotContains(t, string(out), block)
		require.Contains(t, string(out),
			`[{"type":"text","text":"Found."},{"type":"text","text":"So."}]`)
		require.Condition(t, func() bool {
			return slices.ContainsFunc(report.Findings, func(f session.Finding) bool {
				return strings.Contains(f.Rule, "server-tool")
			})
		}, "%+v", report.Findings)
	}
}

// TestThinkingOrder: where a prompt between two answers is lost, their reasoning is not at the
// front any more, which the provider refuses in the mode that the client asks for.
func TestThinkingOrder(t *testing.T) {
	for _, client := range []string{"claude-code", "copilot-cli"} {
		first := contents[client](`"One."`, "c2ln", onePixel)
		for model, moved := range map[string]bool{"4.5": true, "4.6": false} {
			var lines []string
			for _, line := range first {
				line = strings.ReplaceAll(line, "4-5", strings.ReplaceAll(model, ".", "-"))
				lines = append(lines, strings.ReplaceAll(line, "4.5", model))
			}
			answer := lines[len(lines)-2] // it has a text, and nothing of its reasoning
			switch client {
			case "claude-code":
				lines = []string{
					lines[0], strings.Replace(answer, `"parentUuid":"b"`, `"parentUuid":"a"`, 1),
					strings.NewReplacer(`"uuid":"b"`, `"uuid":"e"`, `"a"`, `"c"`).Replace(lines[1]),
					strings.Replace(lines[3], `"c"`, `"e"`, 1),
				}
			default:
				bare, _, _ := strings.Cut(answer, `,"reasoningBlocks"`)
				lines = []string{
					lines[0], lines[1], bare + strings.Replace(answer, answer[:strings.LastIndex(answer,
						`},"id"`)], "", 1), strings.Replace(answer, `"id":"b"`, `"id":"e"`, 1), lines[3],
				}
			}
			out, report, err := session.Repair(file(lines), nil)
			require.NoError(t, err)
			require.Empty(t, report.Left)
			require.Equal(t, moved, report.Changed, "%s %s: %+v\n%s", client, model, report, out)
			if moved {
				require.Equal(t, "anthropic/thinking-order-in-message", report.Findings[0].Rule)
				require.Equal(t, 1, strings.Count(string(out), "Hm."))
				requireSettled(t, out)
			}
		}
	}
}

// TestCodexNumbers: records of Codex have the numbers in which they were written.
func TestCodexNumbers(t *testing.T) {
	record := func(n, text string) string {
		return `{"timestamp":"2026-09-12T07:06:01.000Z"` + n + `,"type":"response_item","payload":` +
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"` + text + `"}]}}`
	}
	number := func(n int) string { return fmt.Sprintf(`,"ordinal":%d`, n) }
	var want []string
	for n, text := range []string{"a", "b", "c", "d", "e"} {
		want = append(want, record(number(n), text))
	}
	for name, lines := range map[string][]string{
		"two with one number": {
			want[0], want[1], record(number(1), "c"), record(number(2), "d"), record(number(3), "e"),
		},
		"two processes": {
			want[0], want[1], want[2], record(number(1), "d"), record(number(2), "e"),
		},
		"the last one without": {
			want[0], want[1], want[2], want[3],
			strings.Replace(want[4], number(4), "", 1),
		},
		"a copy": {want[0], want[1], want[1], want[2], want[3], want[4]},
	} {
		out, report, err := session.Repair(file(lines), nil)
		require.NoError(t, err)
		require.True(t, report.Changed, name)
		if name == "the last one without" { // its number is at the end
			require.Contains(t, string(out), `}]},"ordinal":4}`)
		} else {
			require.Equal(t, string(file(want)), string(out), name)
		}
		requireSettled(t, out)
	}
	for name, lines := range map[string][]string{
		"whole":           want,
		"with a hole":     {want[0], want[1], want[3], want[4]},
		"without numbers": {record("", "a"), record("", "b")},
		"one without":     {want[0], record("", "b"), want[2], want[3]},
	} {
		_, report, err := session.Repair(file(lines), nil)
		require.NoError(t, err)
		require.True(t, report.Sound(), "%s: %+v", name, report)
	}
}

// TestSharedDamage: the files of real damage that are kept beside the project come out right.
func TestSharedDamage(t *testing.T) {
	files, err := filepath.Glob("../../shared/harm/sessions/*.jsonl")
	require.NoError(t, err)
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		out, report, err := session.Repair(data, nil)
		require.NoError(t, err)
		require.True(t, report.Changed, name)
		require.Empty(t, report.Left, name)
		requireSettled(t, out)
	}
}

// TestPiRecords: what pi sends of records that are no plain messages, and in which mode.
func TestPiRecords(t *testing.T) {
	record := func(id, parent, kind, members string) string {
		return `{"type":"` + kind + `","id":"` + id + `","parentId":` + orNull(parent) +
			`,"timestamp":"2026-11-28T07:41:01.003Z",` + members + `}`
	}
	user := func(text string) string { return `"message":{"role":"user","content":"` + text + `"}` }
	lines := []string{
		record("a", "", "message", user("Before.")),
		record("b", "a", "compaction", `"summary":"It began.","retainedTail":[{"role":"assistant",`+
			`"model":"claude-sonnet-4-5","content":[{"type":"toolCall","id":"c","name":"f",`+
			`"arguments":{}}]}]`),
		record("c", "b", "custom_message", `"customType":"x","content":"Note \ud83d."`),
		record("d", "c", "message", `"message":{"role":"bashExecution","command":"ls","output":"x"}`),
		record("e", "d", "message", `"message":{"role":"toolResult","toolCallId":"c",`+
			`"content":[{"type":"text","text":"done"}]}`),
		record("f", "e", "message", `"message":{"role":"custom","content":"Go."}`),
	}
	out, report, err := session.Repair(file(lines), nil)
	require.NoError(t, err)
	require.Contains(t, string(out), `Note \ud83d.`) // the client leaves it out
	s, err := session.Read(out)
	require.NoError(t, err)
	require.NotContains(t, string(s.Body), "Before.")
	for _, sent := range []string{"It began.", `"id":"c"`, "Note", "Ran `ls`", "done", "Go."} {
		require.Contains(t, string(s.Body), sent)
	}
	require.Empty(t, report.Left)
	requireSettled(t, out)

	order := func(level string) []string {
		answer := func(content string) string {
			return `"message":{"role":"assistant","model":"claude-sonnet-4-5","content":[` + content + `]}`
		}
		return []string{
			record("a", "", "thinking_level_change", `"thinkingLevel":"`+level+`"`),
			record("b", "a", "message", user("One.")),
			record("c", "b", "message", answer(`{"type":"text","text":"Two."}`)),
			record("d", "c", "message", answer(`{"type":"thinking","thinking":"Hm.",`+
				`"thinkingSignature":"c2ln"},{"type":"text","text":"Three."}`)),
		}
	}
	for level, refused := range map[string]bool{"high": true, "off": false} {
		_, report, err := session.Repair(file(order(level)), nil)
		require.NoError(t, err)
		require.Equal(t, refused, report.Changed, "%s: %+v", level, report)
	}
}

// TestPiEdits: a record of pi may change what is sent of another one, or leave it out. A fault in
// it is mended in it, and a result whose call is left out is an orphan.
func TestPiEdits(t *testing.T) {
	record := func(id, parent, kind, members string) string {
		return `{"type":"` + kind + `","id":"` + id + `","parentId":` + orNull(parent) +
			`,"timestamp":"2026-11-28T07:41:01.003Z",` + members + `}`
	}
	answer := func(content string) string {
		return `"message":{"role":"assistant","provider":"a","model":"claude-sonnet-4-5","content":[` +
			content + `]}`
	}
	const call = `{"type":"toolCall","id":"c","name":"f","arguments":{}}`
	result := `"message":{"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"x"}]}`
	lines := []string{
		record("a", "", "message", `"message":{"role":"user","content":"A secret."}`),
		record("b", "a", "message", answer(`{"type":"text","text":"Yes."},`+call)),
		record("c", "b", "message", result),
		record("d", "c", "message", answer(`{"type":"text","text":"Done."}`)),
	}
	edit := func(target, replacement string) []string {
		return append(slices.Clone(lines), record("e", "d", "context_edit", `"targetId":"`+target+
			`","replacement":`+replacement))
	}
	for name, test := range map[string]struct {
		lines         []string
		sent, unsent  string
		changes, gone string
	}{
		"other words": {edit("a", `{"content":"Nothing."}`), "Nothing.", "A secret.", "", ""},
		"left out":    {edit("d", `null`), "A secret.", "Done.", "", ""},
		"a result left out": {
			edit("c", `null`), "No result provided", `"content":[{"type":"text","text":"x"}]`, "", "",
		},
		"a call left out": {
			edit("b", `null`), "Done.", "Yes.", string(session.CodeOrphanResult), `"toolResult"`,
		},
		"a call edited away": {
			edit("b", `{"content":[{"type":"text","text":"No."}]}`), "No.", "Yes.",
			string(session.CodeOrphanResult), `"toolResult"`,
		},
		"a picture that cannot be decoded": {
			edit("a", `{"content":[{"type":"image","mimeType":"image/png","data":"AAAA"}]}`),
			"image omitted", "A secret.", "media-described", `AAAA`,
		},
		"ids and reasoning of another model": {
			append(slices.Clone(lines[:1]), record("b", "a", "message", `"message":{"role":"assistant",`+
				`"provider":"o","model":"gpt-5","content":[{"type":"thinking","thinking":"Hm.",`+
				`"thinkingSignature":"c2ln"},{"type":"toolCall","id":"c|d","name":"f","arguments":{}}]}`),
				strings.Replace(lines[2], `"toolCallId":"c"`, `"toolCallId":"c|d"`, 1), lines[3]),
			`"tool_use_id":"c_d"`, "Hm.", "", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			out, report, err := session.Repair(file(test.lines), nil)
			require.NoError(t, err)
			require.Empty(t, report.Left)
			require.Equal(t, test.changes != "", report.Changed, "%+v", report)
			if report.Changed {
				require.Equal(t, test.changes, string(report.Findings[0].Code))
				require.NotContains(t, string(out), test.gone)
			}
			s, err := session.Read(out)
			require.NoError(t, err)
			require.Contains(t, string(s.Body), test.sent)
			require.NotContains(t, string(s.Body), test.unsent)
			requireAccepted(t, s, name)
			requireSettled(t, out)
		})
	}
}

// TestHealed: what a client was measured to repair itself is no fault of its sessions, and is one
// in those of an older version.
func TestHealed(t *testing.T) {
	for version, changed := range map[string]bool{"2.1.330": true, "2.1.332": false} {
		blank := file(contents["claude-code"](`""`, "c2ln", onePixel))
		_, report, err := session.Repair(bytes.ReplaceAll(blank, []byte("2.1.330"), []byte(version)), nil)
		require.NoError(t, err)
		require.Equal(t, changed, report.Changed, "%+v", report)
		lines := contents["claude-code"](`"Bad \ud83d text."`, "c2ln", onePixel)
		data := strings.ReplaceAll(string(file(lines)), "2.1.330", version)
		_, report, err = session.Repair([]byte(data), nil)
		require.NoError(t, err)
		require.Equal(t, changed, report.Changed, "%+v", report)
		require.Empty(t, report.Left)
		s, err := session.Read([]byte(data))
		require.NoError(t, err)
		require.Equal(t, !changed, strings.Contains(string(s.Body), `Bad \ufffd text.`))
	}
	for _, client := range []string{"pi", "copilot-cli"} {
		data := file(contents[client](`"Bad \ud83d text."`, "", onePixel))
		_, report, err := session.Repair(data, nil)
		require.NoError(t, err)
		require.True(t, report.Sound(), "%+v", report)
	}
}

// TestForgottenRecord: Codex cannot read a record with a lone surrogate, and goes on without it.
func TestForgottenRecord(t *testing.T) {
	data := strings.Replace(string(file(stored["codex"])), `"output":"one"`, `"output":"one \ud83d"`, 1)
	out, report, err := session.Repair([]byte(data), nil)
	require.NoError(t, err)
	require.Equal(t, []int{6}, report.Lost)
	require.Empty(t, report.Refused)
	require.Contains(t, string(out), `"output":"one \ufffd"`)
	requireSettled(t, out)
	s, err := session.Read([]byte(data))
	require.NoError(t, err)
	require.Contains(t, string(s.Body), "aborted")
}
