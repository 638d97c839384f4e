package session_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// cutLists are lists of messages whose blocks are in § and §.
var cutLists = map[string]string{
	"anthropic": `[{"role":"user","content":"one"},{"role":"assistant","content":[` +
		`§{"type":"thinking","thinking":"two","signature":"c2ln"}§,§{"type":"text","text":"three"}§,` +
		`§{"type":"tool_use","id":"toolu_1","name":"f","input":{}}§,` +
		`§{"type":"tool_use","id":"toolu_2","name":"f","input":{}}§]},{"role":"user","content":[` +
		`§{"type":"tool_result","tool_use_id":"toolu_1","content":"four"}§,` +
		`§{"type":"tool_result","tool_use_id":"toolu_2","content":[{"type":"text","text":"five"}]}§]},` +
		`{"role":"assistant","content":[§{"type":"text","text":"six"}§]}]`,
	"gemini": `[{"role":"user","parts":[§{"text":"one"}§]},{"role":"model","parts":[` +
		`§{"text":"two"}§,§{"functionCall":{"name":"f","args":{}}}§,` +
		`§{"functionCall":{"name":"g","args":{}}}§]},{"role":"user","parts":[` +
		`§{"functionResponse":{"name":"f","response":{"output":"three"}}}§,` +
		`§{"functionResponse":{"name":"g","response":{"output":"four"}}}§]},` +
		`{"role":"model","parts":[§{"text":"five"}§]}]`,
	// Go's SDK writes the role last; of a text that is cut off before it, nobody knows whose it is
	"gemini, roles last": `[{"parts":[{"text":"one"}],"role":"user"},{"parts":[{"text":"two"},` +
		`§{"functionCall":{"name":"f","args":{}}}§,` +
		`§{"functionCall":{"name":"g","args":{}}}§],"role":"model"},{"parts":[` +
		`§{"functionResponse":{"name":"f","response":{"output":"three"}}}§,` +
		`§{"functionResponse":{"name":"g","response":{"output":"four"}}}§],"role":"user"},` +
		`{"parts":[§{"executableCode":{"code":"1","language":"PYTHON"}},` +
		`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}}§],"role":"model"},` +
		`{"parts":[{"text":"five"}],"role":"user"}]`,
	"gemini, nulls first": `[{"parts":[{"text":"one"}],"role":"user"},{"parts":[` +
		`§{"function_response":null,"thought":null,"function_call":{"name":"f","args":{}}}§],` +
		`"role":"model"},{"parts":[§{"function_call":null,"thought":null,` +
		`"function_response":{"name":"f","response":{"output":"two"}}}§],"role":"user"}]`,
	"anthropic, roles last": `[{"content":"one","role":"user"},{"content":[` +
		`§{"type":"thinking","thinking":"two","signature":"c2ln"}§,§{"type":"tool_use",` +
		`"id":"toolu_1","name":"f","input":{}}§],"role":"assistant"},{"content":[` +
		`§{"type":"tool_result","tool_use_id":"toolu_1","content":"four"}§],"role":"user"},{"content":[` +
		`§{"type":"redacted_thinking","data":"ZGF0YQ=="}§],"role":"assistant"},` +
		`{"content":"five","role":"user"},{"content":[§{"type":"text","text":"six"},` +
		`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},` +
		`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}§],"role":"assistant"}]`,
	"bedrock, roles last": `[{"content":[{"text":"one"}],"role":"user"},{"content":[{"text":"two"},` +
		`§{"toolUse":{"toolUseId":"t1","name":"f","input":{}}}§],"role":"assistant"},{"content":[` +
		`§{"toolResult":{"toolUseId":"t1","content":[{"text":"three"}]}}§],"role":"user"},{"content":[` +
		`§{"reasoningContent":{"reasoningText":{"text":"four","signature":"c2ln"}}}§],` +
		`"role":"assistant"}]`,
	"openai-chat, roles last": `[{"content":"q","role":"user"},{"content":null,"tool_calls":[` +
		`§{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}§],` +
		`"role":"assistant"},{"tool_call_id":"call_1","content":§"two"§,"role":"tool"},` +
		`{"content":"three","refusal":null,§"reasoning_content":"four"§,"role":"assistant"}]`,
	"openai-responses": `[{"role":"user","content":"q"},§{"type":"function_call","call_id":"call_1",` +
		`"name":"f","arguments":"{}"}§,§{"type":"function_call_output","call_id":"call_1",` +
		`"output":"one"}§,{"type":"message","role":"assistant","content":[` +
		`§{"type":"output_text","text":"two"}§]}]`,
	"openai-chat": `[{"role":"user","content":"q"},{"role":"assistant","content":§"one"§,"tool_calls":[` +
		`§{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}§,` +
		`§{"id":"call_2","type":"function","function":{"name":"f","arguments":"{}"}}§]},` +
		`{"role":"tool","tool_call_id":"call_1","content":§"two"§},` +
		`{"tool_call_id":"call_2","content":§"three"§,"role":"tool"},` +
		`{"role":"assistant","content":"","tool_calls":[§{"id":"call_3","type":"function",` +
		`"function":{"name":"f","arguments":"{}"}}§]},§{"role":"tool","tool_call_id":"call_3",` +
		`"content":"four"}§,{"role":"assistant","content":null,"tool_calls":[§{"id":"call_4",` +
		`"type":"function","function":{"name":"f","arguments":"{}"}}§]},` +
		`{"role":"tool","tool_call_id":"call_4","content":§"five"§,"name":"f"},` +
		`{"role":"assistant","content":§"six"§,"tool_calls":[],"refusal":null},{"role":"assistant",` +
		`"tool_calls":[§{"id":"call_5","type":"function","function":{"name":"f","arguments":"{}"}}§]}]`,
	"preflight": `[{"role":"user","parts":[§{"type":"text","text":"one"}§]},` +
		`{"role":"assistant","parts":[§{"type":"text","text":"two"}§,` +
		`§{"type":"tool_call","id":"c1","name":"f","input":{}}§]},{"role":"tool","parts":[` +
		`§{"type":"tool_result","call_id":"c1","content":[{"type":"text","text":"three"}]}§]},` +
		`{"role":"assistant","parts":[§{"type":"text","text":"four"}§]}]`,
	"vercel-ui-messages": `[{"id":"m1","role":"user","parts":[§{"type":"text","text":"one"}§]},` +
		`{"id":"m2","role":"assistant","parts":[{"type":"step-start"},§{"type":"text","text":"two"}§,` +
		`§{"type":"tool-f","toolCallId":"c1","state":"output-available","input":{},"output":"x"}§,` +
		`§{"type":"text","text":"three"}§]}]`,
}

// TestCutList: of a list that was not written to its end, every block that was written whole stays,
// the last message's too.
func TestCutList(t *testing.T) {
	for name, marked := range cutLists {
		client, _, _ := strings.Cut(name, ",")
		pieces := strings.Split(marked, "§")
		data := strings.Join(pieces, "")
		kept := 0
		for cut := 1; cut < len(data); cut++ {
			out, report, err := session.Repair([]byte(data[:cut]), nil)
			if err != nil {
				require.ErrorIs(t, err, session.ErrUnknown)
				require.Zero(t, kept, "%s: what can be read before can be read after", client)
				continue
			}
			what := fmt.Sprintf("%s\n%s\n%s", client, data[:cut], out)
			if report.Client != "preflight" { // as a message of the user's alone may be
				require.Equal(t, client, report.Client, what)
			}
			require.Equal(t, session.CodeHalfWritten, report.Findings[0].Code, what)
			require.Empty(t, report.Left, what)
			require.True(t, json.Valid(out), what)
			require.NotContains(t, string(out), "Continue", what)
			require.NotContains(t, string(out), `"content":""}`, "%s: nobody has said that", what)
			requireSettled(t, out)
			end := 0
			for k, piece := range pieces {
				end += len(piece)
				if k%2 == 1 && end < cut {
					require.Contains(t, string(out), piece, what)
					kept++
				}
			}
		}
		require.Positive(t, kept, client)
	}
	data := strings.ReplaceAll(cutLists["gemini, nulls first"], "§", "")
	out, _, err := session.Repair([]byte(strings.TrimSuffix(data, `:"user"}]`)), nil)
	require.NoError(t, err)
	require.Equal(t, data, string(out), "null is no evidence")
}

// TestFinalTurn: the user's next prompt comes after a list, so that a final turn of the assistant
// is not the last one, and stays as it is.
func TestFinalTurn(t *testing.T) {
	const head = `[{"role":"user","content":"q"},{"role":"assistant","content":[` +
		`{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},`
	for name, c := range map[string]struct{ middle, last string }{
		"white space": {`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",` +
			`"content":"x"}]},`, `{"type":"text","text":"done\n"}`},
		"reasoning": {`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",` +
			`"content":"x"}]},`, `{"type":"thinking","thinking":"hm","signature":"c2ln"}`},
		"after a repair": {`{"role":"user","content":"again"},`, `{"type":"text","text":"done\n"}`},
	} {
		data := head + c.middle + `{"role":"assistant","content":[` + c.last + "]}\n] \n"
		out, report, err := session.Repair([]byte(data), nil)
		require.NoError(t, err)
		require.Equal(t, name == "after a repair", report.Changed, name)
		require.True(t, strings.HasSuffix(string(out), c.last+"]}\n] \n"), "%s: %s", name, out)
		requireSettled(t, out)
	}
}

// TestPausedTurn: a turn that the provider paused may end a request, and not come before a prompt.
func TestPausedTurn(t *testing.T) {
	const text = `[{"role":"user","content":"q"},{"role":"assistant","content":[` +
		`{"type":"text","text":"a"}`
	out, report, err := session.Repair([]byte(text+`,{"type":"server_tool_use",`+
		`"id":"srvtoolu_1","name":"web_search","input":{}}]}]`), nil)
	require.NoError(t, err)
	require.Equal(t, text+"]}]", string(out))
	require.Empty(t, report.Left)
}

// TestFormatStays: a list is in the format that it was in, even if the repair removes the one sign
// of it.
func TestFormatStays(t *testing.T) {
	const head = `[{"role":"user","content":"q"},{"role":"assistant","content":"a"`
	out, report, err := session.Repair([]byte(head+`,"tool_calls":[]}]`), nil)
	require.NoError(t, err)
	require.Equal(t, head+"}]", string(out))
	require.Equal(t, "openai-chat", report.Client)
	require.Equal(t, []string{"openai-chat/empty-tool-calls"}, report.Refused)
	require.Empty(t, report.Left)
}
