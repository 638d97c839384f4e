package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// clineMessages are the messages of a session of the Cline CLI: two calls, the result of each in a
// message of its own, and an answer.
var clineMessages = []string{
	`{"id":"u1","role":"user","content":[{"type":"text","text":"List the files."}],"ts":1000}`,
	`{"id":"m1","role":"assistant","content":[{"type":"thinking","thinking":"A plan."},` +
		`{"type":"text","text":"I will."},{"type":"tool_use","id":"c1","name":"ls","input":{"n":1.0}},` +
		`{"type":"tool_use","id":"c2","name":"ls","input":{}}],"ts":2000,"metrics":{"inputTokens":1}}`,
	`{"id":"m2","role":"user","content":[{"type":"tool_result","tool_use_id":"c1","name":"ls",` +
		`"content":[{"query":"ls","result":"one","success":true}]}],"ts":3000}`,
	`{"id":"m3","role":"user","content":[{"type":"tool_result","tool_use_id":"c2","name":"ls",` +
		`"content":[{"query":"ls","result":"two","success":true}]}],"ts":3001}`,
	`{"id":"m4","role":"assistant","content":[{"type":"text","text":"Two files."}],"ts":4000}`,
	`{"id":"e1","role":"assistant","content":[{"type":"text","text":"no network"}],"ts":5000,` +
		`"metadata":{"displayOnly":true,"displayRole":"error"}}`,
}

// clineFile is a session with messages, which begins and ends as the client writes it.
func clineFile(messages ...string) []byte {
	return []byte("{\n  \"version\": 1,\n  \"origin\": {\"source\":\"cli\",\"version\":" +
		"\"3.0.65\"},\n  \"messages\": [\n" + strings.Join(messages, ",\n") +
		"\n  ],\n  \"system_prompt\": \"Be short.\"\n}\n")
}

func TestCline(t *testing.T) {
	without := func(k int) []string { return slices.Delete(slices.Clone(clineMessages), k, k+1) }
	late := append(append(append([]string{}, clineMessages[:2]...), clineMessages[3:5]...),
		clineMessages[2])
	early := slices.Insert(without(2), 1, clineMessages[2])
	call := `{"id":"m6","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"ls",` +
		`"input":{}}],"ts":6000}`
	for name, test := range map[string]struct {
		messages []string
		codes    []session.Code
		has      string // of the repaired file
	}{
		"healthy": {clineMessages, nil, ""},
		"killed in the tools, which the client answers": {clineMessages[:2], nil, ""},
		"a result is lost, the same":                    {without(3), nil, ""},
		"a result comes late": {
			late, []session.Code{session.CodeOutOfOrder},
			clineMessages[3] + "," + clineMessages[2] + ",\n" + clineMessages[4],
		},
		"a result comes before its call": {
			early, []session.Code{session.CodeOutOfOrder},
			clineMessages[3] + "," + clineMessages[2] + ",\n" + clineMessages[4],
		},
		"a result comes before two calls of its id": {
			append(slices.Clone(early), call), []session.Code{session.CodeOrphanResult}, "",
		},
		"the result of another call of that id, which is lost": {
			[]string{clineMessages[0], strings.Replace(clineMessages[2], `"name":"ls"`, `"name":"cat"`, 1),
				clineMessages[1], clineMessages[3]}, []session.Code{session.CodeOrphanResult}, "",
		},
		"a result that begins the list": {
			append([]string{clineMessages[2]}, clineMessages[1], clineMessages[3]),
			[]session.Code{session.CodeOrphanResult}, "",
		},
		"two results before their call": {
			[]string{clineMessages[0], clineMessages[2], strings.Replace(clineMessages[2], "one", "two", 1),
				clineMessages[1], clineMessages[3]}, []session.Code{session.CodeOrphanResult}, "",
		},
		"a result long before its call": {
			[]string{clineMessages[0], clineMessages[2], clineMessages[4], clineMessages[1],
				clineMessages[3]}, []session.Code{session.CodeOrphanResult}, "",
		},
		"a result twice": {
			slices.Insert(slices.Clone(clineMessages), 3, clineMessages[2]),
			[]session.Code{session.CodeDoubledLine}, "",
		},
		"the calls are lost": {without(1), []session.Code{session.CodeOrphanResult}, ""},
		"all twice": {
			append(clineMessages, clineMessages...), []session.Code{session.CodeDoubledLine}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			data := clineFile(test.messages...)
			out, report, err := session.Repair(data, nil)
			require.NoError(t, err)
			require.Equal(t, "cline-cli", report.Client)
			require.Equal(t, "3.0.65", report.Version)
			require.Empty(t, report.Left)
			var codes []session.Code
			for _, f := range report.Findings {
				codes = append(codes, f.Code)
			}
			require.Equal(t, test.codes, codes)
			require.Contains(t, string(out), test.has)
			if codes == nil {
				require.Same(t, &data[0], &out[0])
			}
			requireSettled(t, out)
			require.Equal(t, string(data[:20]), string(out[:20]))
			require.True(t, strings.HasSuffix(string(out), "\"system_prompt\": \"Be short.\"\n}\n"))
			require.NotContains(t, string(out), `"text":"one`)
			s, err := session.Read(out)
			require.NoError(t, err)
			requireAccepted(t, s, name)
			require.NotContains(t, string(s.Body), "no network", "the client only shows it")
		})
	}
}

// A session that the client was killed in the middle of writing is kept up to its last whole
// message; without that the client begins a new one. What follows a whole document is none of it.
func TestClineCutOff(t *testing.T) {
	data := clineFile(clineMessages...)
	for _, last := range []int{1, 2, 3, 4} {
		end := bytes.Index(data, []byte(clineMessages[last])) + len(clineMessages[last])
		for _, cut := range []int{end - 1, end - 30, end - len(clineMessages[last])} {
			out, report, err := session.Repair(data[:cut], nil)
			require.NoError(t, err)
			require.Equal(t, session.CodeHalfWritten, report.Findings[0].Code)
			require.Equal(t, []string{fmt.Sprintf("messages[%d]", last)}, report.Findings[0].Rows)
			require.True(t, report.Changed)
			require.Empty(t, report.Left)
			require.True(t, json.Valid(out))
			require.Contains(t, string(out), clineMessages[last-1])
			requireSettled(t, out)
			s, err := session.Read(out)
			require.NoError(t, err)
			requireAccepted(t, s, "cut off")
		}
	}
	end := bytes.Index(data, []byte(`"Be short.`))
	out, report, err := session.Repair(data[:end], nil)
	require.NoError(t, err)
	require.Equal(t, []string{"messages"}, report.Findings[0].Rows)
	require.Contains(t, string(out), clineMessages[5])
	for _, other := range []string{"{}", "]", "x"} {
		_, _, err := session.Repair(append(clineFile(clineMessages...), other...), nil)
		require.ErrorIs(t, err, session.ErrUnknown)
	}
	for _, damage := range [][2]string{{`"I will."`, `"I "will."`}, {`"I will."`, `I will."`}, {`}}]`, `}]}`}} {
		damaged := bytes.Replace(clineFile(clineMessages...), []byte(damage[0]), []byte(damage[1]), 1)
		_, _, err := session.Repair(damaged, nil)
		require.ErrorIs(t, err, session.ErrUnknown, "it is damaged, and not cut off: %s", damage[1])
	}
}

// The folder is in a file beside the session, and sessions are found where the client keeps them.
func TestClineFiles(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("CLINE_DATA_DIR", "")
	t.Setenv("CLINE_SESSION_DATA_DIR", "")
	dir := filepath.Join(home, ".cline", "data", "sessions", "1_a")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	name := filepath.Join(dir, "1_a.messages.json")
	require.NoError(t, os.WriteFile(name, clineFile(append(clineMessages,
		clineMessages[0])...), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "1_a.json"),
		mustJSON(t, map[string]string{"cwd": t.TempDir()}), 0o600))
	quiet(t, name)
	places, err := session.Places()
	require.NoError(t, err)
	require.Contains(t, places, filepath.Dir(dir))
	found, err := session.RepairFile(name, &session.FileOptions{Write: true})
	require.NoError(t, err)
	require.NotEmpty(t, found.Backup)
	require.Equal(t, "cline-cli", found.Client)
}

// TestRealCline repairs what the client itself wrote.
func TestRealCline(t *testing.T) {
	files, err := filepath.Glob(sharedSessions + "/cline/*.json")
	require.NoError(t, err)
	if files == nil {
		t.Skip("the sessions of real clients are kept beside the project, and are not there")
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			out, report, err := session.Repair(data, nil)
			require.NoError(t, err)
			require.Empty(t, report.Left)
			require.Equal(t, strings.Contains(name, "late"), report.Changed)
			requireSettled(t, out)
			s, err := session.Read(out)
			require.NoError(t, err)
			requireAccepted(t, s, name)
		})
	}
}

// TestClineContent: what the provider refuses in the content of a session is mended in the client's
// own form, and what the client mends itself or the provider takes stays.
func TestClineContent(t *testing.T) {
	picture := func(kind, data string) string {
		return `{"type":"image","data":"` + data + `","mediaType":"` + kind + `"}`
	}
	inPrompt := func(block string) []string {
		messages := slices.Clone(clineMessages)
		messages[0] = strings.Replace(messages[0], `files."}]`, `files."},`+block+`]`, 1)
		return messages
	}
	everywhere := func(was, is string) (messages []string) {
		for _, message := range clineMessages {
			messages = append(messages, strings.ReplaceAll(message, was, is))
		}
		return messages
	}
	for name, test := range map[string]struct {
		messages []string
		codes    []session.Code
		rows     []string
		has, not string // of the repaired file
	}{
		"a sound picture": {inPrompt(picture("image/png", onePixel)), nil, nil, "", "\x00"},
		"a picture that cannot be decoded": {
			inPrompt(picture("image/png", "AAAA")), []session.Code{"media-described"},
			[]string{"messages[0]"}, `files."},{"type":"text","text":"[`, "AAAA",
		},
		"a picture of another type, which is taken": {
			inPrompt(picture("image/jpeg", onePixel)), nil, nil, "", "\x00",
		},
		"a picture without data":      {inPrompt(picture("image/png", "")), nil, nil, "", "\x00"},
		"a picture that is no base64": {inPrompt(picture("image/png", "A!")), nil, nil, "", "\x00"},
		"a picture of a type that is not sent": {
			inPrompt(picture("image/tiff", "AAAA")), nil, nil, "", "\x00",
		},
		"a picture in a result that cannot be decoded": {
			everywhere(`[{"query":"ls","result":"one","success":true}]`,
				`[{"type":"text","text":"one"},`+picture("image/png", "AAAA")+`]`),
			[]session.Code{"media-described"}, []string{"messages[2]"},
			`[{"type":"text","text":"one"},{"type":"text","text":"[`, "AAAA",
		},
		"a sound picture in a result": {
			everywhere(`[{"query":"ls","result":"one","success":true}]`,
				`[{"type":"text","text":"one"},`+picture("image/png", onePixel)+`]`), nil, nil, "", "\x00",
		},
		"an id that is too long": {
			everywhere(`"c1"`, `"`+strings.Repeat("c", 100)+`"`), []session.Code{"id-rewritten"},
			[]string{"messages[1]", "messages[2]"}, "", strings.Repeat("c", 100),
		},
		"a tool name with other characters": {
			everywhere(`"name":"ls"`, `"name":"a tool"`), []session.Code{"name-repaired"},
			[]string{"messages[1]"}, `"id":"c1","name":"a_tool_38af692d","input":{"n":1.0}`,
			`"name":"a tool"`,
		},
		"a blank answer, in place of which the client sends a text": {
			everywhere("Two files.", " "), nil, nil, "", "\x00",
		},
		"no blocks": {
			everywhere(`[{"type":"text","text":"Two files."}]`, "[]"), nil, nil, "", "\x00",
		},
	} {
		t.Run(name, func(t *testing.T) {
			data := clineFile(test.messages...)
			out, report, err := session.Repair(data, nil)
			require.NoError(t, err)
			require.Empty(t, report.Left)
			var codes []session.Code
			for _, f := range report.Findings {
				codes = append(codes, f.Code)
				require.Equal(t, test.rows, f.Rows)
				require.Empty(t, f.Lines)
				require.NotEmpty(t, f.Fix)
			}
			require.Equal(t, test.codes, codes)
			require.Equal(t, codes != nil, report.Refused != nil)
			require.Contains(t, string(out), test.has)
			require.NotContains(t, string(out), test.not)
			if codes == nil {
				require.Same(t, &data[0], &out[0])
			}
			requireSettled(t, out)
			require.Equal(t, bytes.Count(data, []byte("\n")), bytes.Count(out, []byte("\n")))
			s, err := session.Read(out)
			require.NoError(t, err)
			requireAccepted(t, s, name)
		})
	}
}

// TestClineCallWithoutID: a call is beside the texts of its message, so that what is wrong with the
// first call is not mended in the first text.
func TestClineCallWithoutID(t *testing.T) {
	for _, id := range []string{`""`, "null"} {
		messages := slices.Clone(clineMessages)
		messages[1] = strings.Replace(messages[1], `"id":"c1"`, `"id":`+id, 1)
		out, report, err := session.Repair(clineFile(messages...), nil)
		require.NoError(t, err)
		require.NotEmpty(t, report.Left)
		require.Contains(t, string(out), messages[1])
		requireSettled(t, out)
	}
}
