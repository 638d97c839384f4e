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

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// stored is a small session for each client, written by hand after the forms that the clients use.
var stored = map[string][]string{
	"claude-code": sample("claude-code"),
	"codex":       sample("codex"),
	"gemini-cli":  sample("gemini-cli"),
	"qwen-code":   sample("qwen-code"),
	"pi":          sample("pi"),
	"copilot-cli": sample("copilot-cli"),
}

// clientsOfLines returns the clients that store lines of JSON. See TestCline for the other one.
func clientsOfLines() []string {
	return slices.DeleteFunc(session.Clients(), func(name string) bool { return name == "cline-cli" })
}

// sample returns the lines of a file in testdata/sessions.
func sample(client string) []string {
	data, err := os.ReadFile(filepath.Join("testdata", "sessions", client+".jsonl"))
	if err != nil {
		panic(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// file joins lines, leaving out those with the given numbers, which count from 1.
func file(lines []string, without ...int) []byte {
	var b bytes.Buffer
	for k, l := range lines {
		gone := false
		for _, n := range without {
			gone = gone || n == k+1
		}
		if !gone {
			b.WriteString(l + "\n")
		}
	}
	return b.Bytes()
}

func TestReadHealthy(t *testing.T) {
	lines := map[string][][]int{
		"claude-code": {{2}, {3, 4, 5}, {6, 7}, {8}},
		"codex":       {{2}, {4}, {5}, {6}, {7}},
		"gemini-cli":  {{2}, {5}, {5}, {6}},
		"qwen-code":   {{1}, {3}, {4}, {5}},
		"pi":          {{3}, {4}, {5, 6}, {7}},
		"copilot-cli": {{2}, {4}, {6, 7}, {8}},
	}
	for _, client := range clientsOfLines() {
		t.Run(client, func(t *testing.T) {
			data := file(stored[client])
			s, err := session.Read(data)
			require.NoError(t, err)
			require.Equal(t, client, s.Client)
			want, err := os.ReadFile("testdata/sessions/" + client + ".request.json")
			require.NoError(t, err)
			require.Equal(t, string(want), string(s.Body)+"\n")
			require.Equal(t, lines[client], s.Lines)
			out, report, err := session.Repair(data, nil)
			require.NoError(t, err)
			require.False(t, report.Changed)
			require.Same(t, &data[0], &out[0])
			require.Empty(t, report.Findings)
			require.Empty(t, report.Lost)
		})
	}
}

func TestRepair(t *testing.T) {
	codes := func(r *session.Report) []session.Code {
		var all []session.Code
		for _, f := range r.Findings {
			all = append(all, f.Code)
		}
		return all
	}
	claude := stored["claude-code"]
	codex := stored["codex"]
	gemini := stored["gemini-cli"]
	qwen := stored["qwen-code"]
	pi := stored["pi"]
	double := `{"id":"r3","type":"user","content":[{"functionResponse":` +
		`{"id":"ls__ls_1_0","name":"ls","response":{"output":"one"}}}]}`
	orphan := strings.ReplaceAll(double, "ls_1_0", "ls_9_0")
	for _, test := range []struct {
		name string
		data []byte
		want []session.Code
		lost []int
		has  string // a part of the repaired file
	}{
		{"claude-code: the result of one of two parallel calls is lost", file(claude, 6),
			[]session.Code{session.CodeDanglingCall}, []int{4},
			`"tool_use_id":"toolu_1","type":"tool_result","content":"Tool call was interrupted`},
		{"claude-code: killed inside a tool", file(claude[:5]),
			[]session.Code{session.CodeDanglingCall}, []int{4, 5},
			`"toolUseResult":"Error: Tool call was interrupted`},
		{"claude-code: a record in the middle is lost", file(claude, 3),
			[]session.Code{session.CodeBrokenChain}, []int{2},
			`{"parentUuid":"u1","isSidechain":false,"type":"assistant","message":{"id":"m1",` +
				`"role":"assistant","content":[{"type":"tool_use","id":"toolu_1"`},
		{"claude-code: a partial last line, and the next one glued to it",
			[]byte(string(file(claude[:7])) + claude[7][:40] + claude[7] + "\n"),
			[]session.Code{session.CodeGluedLines, session.CodeUnreadableLine}, []int{8},
			claude[7] + "\n"},
		{"claude-code: two whole lines glued",
			[]byte(claude[0] + "\n" + claude[1] + claude[2] + "\n" + string(file(claude[3:]))),
			[]session.Code{session.CodeGluedLines}, []int{2},
			claude[1] + "\n" + claude[2] + "\n"},
		{"codex: the first record twice", []byte(string(file(codex)) + codex[0] + "\n"),
			[]session.Code{session.CodeDoubledLine}, []int{2, 4, 5, 6, 7}, ""},
		{"codex: the whole file twice", []byte(string(file(codex)) + string(file(codex))),
			[]session.Code{
				session.CodeDoubledLine, session.CodeDoubledLine, session.CodeDoubledLine,
			}, nil, ""},
		{"codex: an output twice", []byte(string(file(codex)) + codex[5] + "\n"),
			[]session.Code{session.CodeDoubledLine}, nil, ""},
		{"codex: a partial last line", file(codex)[:len(file(codex))-20],
			[]session.Code{session.CodeUnreadableLine, session.CodeNoLineBreak}, nil, ""},
		{"gemini-cli: results kept twice, which every session has",
			file(append(append([]string{}, gemini[:5]...), double, gemini[5])),
			[]session.Code{session.CodeDoubledResult}, nil, ""},
		{"gemini-cli: the same in a list that is set",
			[]byte(gemini[0] + "\n" + `{"$set":{"messages":[` + gemini[1] + "," + gemini[4] + "," +
				double + `]}}` + "\n"), []session.Code{session.CodeDoubledResult}, nil,
			`{"$set":{"messages":[` + gemini[1] + "," + gemini[4] + "]}}\n"},
		{"gemini-cli: a result whose call is lost",
			file(append(append([]string{}, gemini...), orphan)),
			[]session.Code{session.CodeOrphanResult}, nil, gemini[4] + "\n" + gemini[5] + "\n"},
		{"gemini-cli: a call in toolCalls without its result",
			file([]string{gemini[0], gemini[1], gemini[2],
				strings.Replace(gemini[4], `"result":[{"functionResponse":{"id":"ls__ls_1_0",`+
					`"name":"ls","response":{"output":"one"}}}],`, "", 1), double, gemini[5]}),
			[]session.Code{session.CodeDanglingCall, session.CodeOutOfOrder}, nil,
			`"result":[{"functionResponse":{"id":"ls__ls_1_0"`},
		{"qwen-code: a lost record hides all before it", file(qwen, 2),
			[]session.Code{session.CodeBrokenChain}, []int{1}, `{"uuid":"u3","parentUuid":"u1"`},
		{"qwen-code: a lost result", file(qwen, 4),
			[]session.Code{session.CodeDanglingCall, session.CodeBrokenChain}, []int{1, 3},
			`"response":{"error":"Tool call was interrupted`},
		{"qwen-code: a result twice", []byte(string(file(qwen[:4])) + string(file(qwen[3:]))),
			[]session.Code{session.CodeDoubledLine}, nil, ""},
		{"qwen-code: a result whose call is lost", file(qwen, 3),
			[]session.Code{session.CodeBrokenChain, session.CodeOrphanResult}, []int{1, 3},
			`{"uuid":"u4","parentUuid":"u2"`},
		{"qwen-code: the same in an older version, which sends it",
			bytes.ReplaceAll(file(qwen, 3), []byte(`"sessionId":"s"`),
				[]byte(`"sessionId":"s","version":"0.15.10"`)),
			[]session.Code{session.CodeBrokenChain, session.CodeOrphanResult}, []int{1},
			`{"uuid":"u5","parentUuid":"u2"`},
		{"pi: a result whose call is lost", file(pi, 4),
			[]session.Code{
				session.CodeBrokenChain, session.CodeOrphanResult,
			}, []int{3}, pi[2] + "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			given := bytes.Clone(test.data)
			out, report, err := session.Repair(test.data, nil)
			require.NoError(t, err)
			require.Equal(t, given, test.data, "the input was written to")
			if diff := cmp.Diff(test.want, codes(report)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			require.Equal(t, test.lost, report.Lost)
			require.True(t, report.Changed)
			require.Contains(t, string(out), test.has)
			require.Empty(t, report.Left)
			requireSettled(t, out)
			s, err := session.Read(out)
			require.NoError(t, err)
			require.Contains(t, string(s.Body), "List the files.")
		})
	}
}

// requireSettled: repairing a repaired session changes nothing.
func requireSettled(t *testing.T, data []byte) {
	t.Helper()
	again, report, err := session.Repair(data, nil)
	require.NoError(t, err)
	require.Equal(t, string(data), string(again))
	require.False(t, report.Changed)
	for _, f := range report.Findings { // what the client leaves out, and nobody can help
		require.Equal(t, session.CodeOrphanResult, f.Code)
	}
	if len(report.Findings) == 0 {
		require.Empty(t, report.Lost, "the client would still lose messages")
	}
}

// A first record that names one before it is where the client begins: there is nothing to link.
func TestFirstRecord(t *testing.T) {
	for _, client := range []string{"claude-code", "qwen-code"} {
		lines := append([]string{}, stored[client]...)
		for k, line := range lines {
			lines[k] = strings.Replace(line, `"parentUuid":null`, `"parentUuid":"u0"`, 1)
		}
		data := file(lines)
		out, report, err := session.Repair(data, nil)
		require.NoError(t, err)
		require.Same(t, &data[0], &out[0], client)
		require.Empty(t, report.Findings)
	}
}

func TestOptions(t *testing.T) {
	out, _, err := session.Repair(file(stored["qwen-code"], 4),
		&session.Options{InterruptedText: "nothing came"})
	require.NoError(t, err)
	require.Contains(t, string(out), `{"error":"nothing came"}`)
}

func TestUnknown(t *testing.T) {
	for data, want := range map[string]string{
		"":                              "empty",
		"not json":                      "no JSON",
		`[{"role":"user"}]`:             "list of messages",
		`{"messages":[]}`:               "request body",
		`{"messages":[{"id":"a"}]}`:     "messages of another program",
		`{"a":1}` + "\n" + `{"b":2}`:    "another program",
		"SQLite format 3\x00 and so on": "SQLite",
	} {
		_, err := session.Read([]byte(data))
		require.ErrorIs(t, err, session.ErrUnknown)
		require.ErrorContains(t, err, want)
		out, report, err := session.Repair([]byte(data), nil)
		require.ErrorIs(t, err, session.ErrUnknown)
		require.Nil(t, report)
		require.Equal(t, data, string(out))
	}
}

// sharedSessions is a folder of sessions that real clients wrote, beside the project.
const sharedSessions = "../../shared/sessions"

// TestRealSessions repairs what real clients wrote: healthy sessions come back as they are, and
// broken ones to requests that the client sent when it resumed the file that was repaired by hand.
func TestRealSessions(t *testing.T) {
	files, err := filepath.Glob(sharedSessions + "/*/*.jsonl")
	require.NoError(t, err)
	if files == nil {
		t.Skip("the sessions of real clients are kept beside the project, and are not there")
	}
	for _, name := range files {
		t.Run(filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			out, report, err := session.Repair(data, nil)
			require.NoError(t, err)
			require.Empty(t, report.Left)
			requireSettled(t, out)
			healthy := strings.Contains(name, ".repaired") || strings.Contains(name, "compacted") ||
				strings.Contains(name, "healthy") && report.Client != "gemini-cli"
			require.Equal(t,
				!healthy && !closed[filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name)],
				report.Changed)
			if closed[filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name)] {
				return
			}
			byHand, err := os.ReadFile(strings.TrimSuffix(name, ".jsonl") + ".repaired.jsonl")
			// that one is of another run
			if err != nil || strings.HasSuffix(name, "gemini/healthy.jsonl") {
				return
			}
			want, err := session.Read(byHand)
			require.NoError(t, err)
			got, err := session.Read(out)
			require.NoError(t, err)
			require.JSONEq(t, string(want.Body), string(got.Body))
		})
	}
}

// closed are sessions that were interrupted and whose client closes them by itself.
var closed = map[string]bool{
	"codex/interrupted-tool.jsonl":        true, // answers open calls with "aborted"
	"gemini/interrupted-tool.jsonl":       true, // keeps no call before its result
	"pi/killed-in-tool.jsonl":             true, // answers open calls
	"copilot/killed-in-tool.events.jsonl": true, // the same
}

func ExampleRepair() {
	data := strings.Join([]string{
		`{"uuid":"u1","parentUuid":null,"sessionId":"s","type":"user",` +
			`"message":{"role":"user","parts":[{"text":"Fix the bug."}]}}`,
		`{"uuid":"u3","parentUuid":"u2","sessionId":"s","type":"assistant",` +
			`"message":{"role":"model","parts":[{"text":"Done."}]}}`,
		"",
	}, "\n")
	_, report, err := session.Repair([]byte(data), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Client, "would lose lines", report.Lost)
	for _, f := range report.Findings {
		fmt.Println(f.Lines, f.Fix)
	}
	// Output:
	// qwen-code would lose lines [1]
	// [2] link it to the record before it
}

// FuzzRepair damages sessions: it never panics, loses no record that can be read, leaves nothing
// that the provider refuses, and one run is enough.
func FuzzRepair(f *testing.F) {
	for _, client := range clientsOfLines() {
		data := file(stored[client])
		f.Add(data)
		for n := range stored[client] {
			f.Add(file(stored[client], n+1))
			f.Add(append(data[:len(data):len(data)], stored[client][n]...))
		}
		for cut := 1; cut < len(data); cut += 97 {
			f.Add(data[:cut])
			f.Add(append(append([]byte{}, data[:cut]...), data[cut/2:]...))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		out, report, err := session.Repair(data, nil)
		if err != nil {
			require.Equal(t, data, out)
			return
		}
		again, second, err := session.Repair(out, nil)
		require.NoError(t, err)
		require.Equal(t, string(out), string(again))
		require.False(t, second.Changed)
		requireAccounted(t, data, out, report, "")
	})
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return data
}

// TestLateParallelResult: Claude Code goes on from the answer, wherever the record of a parallel
// result is; where the answer is one that the user has left, it goes on from the result.
func TestLateParallelResult(t *testing.T) {
	healthy := stored["claude-code"]
	late := append(append(slices.Clone(healthy[:5]), healthy[6:]...), healthy[5])
	s, err := session.Read(file(late))
	require.NoError(t, err)
	require.Contains(t, string(s.Body), "Two files.")
	require.Contains(t, string(s.Body), `"content":"one"`)
	left := strings.NewReplacer("Two files.", "Left.", "u6", "u1").Replace(healthy[7])
	s, err = session.Read(file(append([]string{healthy[1], left}, healthy[2:7]...)))
	require.NoError(t, err)
	require.NotContains(t, string(s.Body), "Left.")
	require.Contains(t, string(s.Body), `"content":"two"`)
}
