package session_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// lists has for each form of storage a list whose third element is a call with two tools, the
// fourth and fifth their results, and the last an answer; forms that keep results with their calls
// have fewer elements.
var lists = map[string][]string{
	"vercel-model-messages": {
		`{"role":"system","content":"Be short."}`,
		`{"role":"user","content":"List the files."}`,
		`{"role":"assistant","content":[{"type":"text","text":"I will."},` +
			`{"type":"tool-call","toolCallId":"c1","toolName":"ls","input":{"n":1.0}},` +
			`{"type":"tool-call","toolCallId":"c2","toolName":"ls","input":{}}]}`,
		`{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"ls",` +
			`"output":{"type":"text","value":"one"}}]}`,
		`{"role":"tool","content":[{"type":"tool-result","toolCallId":"c2","toolName":"ls",` +
			`"output":{"type":"text","value":"two"}}]}`,
		`{"role":"assistant","content":"Two files."}`,
	},
	"pydantic-ai": {
		`{"parts":[{"content":"Be short.","part_kind":"system-prompt"}],"kind":"request"}`,
		`{"parts":[{"content":"List the files.","part_kind":"user-prompt"}],"kind":"request"}`,
		`{"parts":[{"content":"I will.","part_kind":"text"},{"tool_name":"ls","args":"{\"n\":1.0}",` +
			`"tool_call_id":"c1","part_kind":"tool-call"},{"tool_name":"ls","args":{},` +
			`"tool_call_id":"c2","part_kind":"tool-call"}],"timestamp":"t","kind":"response"}`,
		`{"parts":[{"tool_name":"ls","content":"one","tool_call_id":"c1","part_kind":"tool-return"}],` +
			`"kind":"request"}`,
		`{"parts":[{"tool_name":"ls","content":"two","tool_call_id":"c2","part_kind":"tool-return"}],` +
			`"kind":"request"}`,
		`{"parts":[{"content":"Two files.","part_kind":"text"}],"kind":"response"}`,
	},
	"langchain": {
		`{"type":"system","data":{"content":"Be short."}}`,
		`{"type":"human","data":{"content":"List the files."}}`,
		`{"type":"ai","data":{"content":"I will.","tool_calls":[` +
			`{"name":"ls","args":{"n":1.0},"id":"c1"},{"name":"ls","args":{},"id":"c2"}]}}`,
		`{"type":"tool","data":{"content":"one","tool_call_id":"c1","name":"ls"}}`,
		`{"type":"tool","data":{"content":"two","tool_call_id":"c2","name":"ls"}}`,
		`{"type":"ai","data":{"content":"Two files."}}`,
	},
	"preflight": {
		`{"role":"system","parts":[{"type":"text","text":"Be short."}]}`,
		`{"role":"user","parts":[{"type":"text","text":"List the files."}]}`,
		`{"role":"assistant","parts":[{"type":"tool_call","id":"c1","name":"ls","input":{"n":1.0}},` +
			`{"type":"tool_call","id":"c2","name":"ls","input":{}}]}`,
		`{"role":"tool","parts":[{"type":"tool_result","call_id":"c1",` +
			`"content":[{"type":"text","text":"one"}]}]}`,
		`{"role":"tool","parts":[{"type":"tool_result","call_id":"c2",` +
			`"content":[{"type":"text","text":"two"}]}]}`,
		`{"role":"assistant","parts":[{"type":"text","text":"Two files."}]}`,
	},
	"openai-chat": {
		`{"role":"system","content":"Be short."}`,
		`{"role":"user","content":"List the files."}`,
		`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",` +
			`"function":{"name":"ls","arguments":"{}"}},{"id":"c2","type":"function",` +
			`"function":{"name":"ls","arguments":"{}"}}]}`,
		`{"role":"tool","tool_call_id":"c1","content":"one"}`,
		`{"role":"tool","tool_call_id":"c2","content":"two"}`,
		`{"role":"assistant","content":"Two files."}`,
	},
	"anthropic": {
		`{"role":"user","content":"Hello."}`,
		`{"role":"assistant","content":[{"type":"text","text":"Hello."}]}`,
		`{"role":"user","content":"List the files."}`,
		`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"ls","input":{}}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"one"}]}`,
		`{"role":"assistant","content":[{"type":"text","text":"Two files."}]}`,
	},
}

func list(elements ...string) []byte {
	return []byte("[\n" + strings.Join(elements, ",\n") + "\n]\n")
}

// TestProviderExecuted: the result of a call that the provider executed itself is in a message of
// its own, in the same one, or nowhere.
func TestProviderExecuted(t *testing.T) {
	const user, call = `{"role":"user","content":"q"}`, `{"type":"tool-call","toolCallId":"c1",` +
		`"toolName":"f","input":{},"providerExecuted":true}`
	result := func(text string) string {
		return `{"type":"tool-result","toolCallId":"c1","toolName":"f","output":{"type":"text",` +
			`"value":"` + text + `"}}`
	}
	message := func(role, parts string) string {
		return `{"role":"` + role + `","content":[` + parts + `]}`
	}
	for name, c := range map[string]struct {
		data []byte
		sent string
	}{
		"of its own": {list(user, message("assistant", call), message("tool", result("ok")), user), "ok"},
		"an empty one": {
			list(user, message("assistant", call), message("tool", result("")), user), "",
		},
		"in the same": {list(user, message("assistant", call+","+result("ok")), user), "ok"},
		"in both": {list(user, message("assistant", call+","+result("ok")),
			message("tool", result("ok")), user), "ok"},
		"nowhere": {list(user, message("assistant", call), user), ""},
	} {
		_, report, err := session.Repair(c.data, nil)
		require.NoError(t, err)
		require.True(t, report.Sound(), "%s: %+v", name, report)
		s, err := session.Read(c.data)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(s.Body), `"tool_call_id"`), name)
		require.Contains(t, string(s.Body), `"tool_call_id":"c1","content":"`+c.sent+`"`, name)
	}
}

func TestLists(t *testing.T) {
	for form, whole := range lists {
		t.Run(form, func(t *testing.T) {
			data := list(whole...)
			out, report, err := session.Repair(data, nil)
			require.NoError(t, err)
			require.Equal(t, form, report.Client)
			require.Empty(t, report.Findings)
			require.Empty(t, report.Left)
			require.Same(t, &data[0], &out[0])
			s, err := session.Read(data)
			require.NoError(t, err)
			require.True(t, json.Valid(s.Body), "%s", s.Body)
			if form != "preflight" { // its body is the list itself
				require.Len(t, s.Rows, strings.Count(string(s.Body), `"role"`))
			}

			without := append(append([]string{}, whole[:4]...), whole[5:]...)
			out, report, err = session.Repair(list(without...), nil)
			require.NoError(t, err)
			require.Len(t, report.Findings, 1)
			require.Empty(t, report.Left)
			require.Contains(t, string(out), session.DefaultInterruptedText)
			for k, element := range without {
				if form == "pydantic-ai" && k == 3 {
					continue // the result is added to the request with the other one
				}
				require.Contains(t, string(out), element, "an element lost its bytes")
			}
		})
	}
}

// Results without a call are removed, and not made the user's words; results that are there twice
// are removed once.
func TestListResults(t *testing.T) {
	for _, form := range []string{"vercel-model-messages", "pydantic-ai", "langchain"} {
		whole := lists[form]
		orphan := strings.ReplaceAll(whole[4], `"c2"`, `"c9"`)
		data := list(append(append(append([]string{}, whole[:5]...), whole[4], orphan),
			whole[5])...)
		out, report, err := session.Repair(data, nil)
		require.NoError(t, err, form)
		require.Len(t, report.Findings, 2, form)
		require.Equal(t, session.CodeDoubledResult, report.Findings[0].Code)
		require.Equal(t, session.CodeOrphanResult, report.Findings[1].Code)
		require.Equal(t, 1, strings.Count(string(out), whole[4]), form)
		require.NotContains(t, string(out), `"c9"`)
		require.Equal(t, string(list(whole...)), string(out), form)
	}
}

// UI messages keep a call and its result in one part.
func TestUIMessages(t *testing.T) {
	part := func(state string) string {
		return `{"id":"m2","role":"assistant","parts":[{"type":"step-start"},{"type":"tool-ls",` +
			`"toolCallId":"c1","state":"` + state + `","input":{"n":1.0}}]}`
	}
	user := `{"id":"m1","role":"user","parts":[{"type":"text","text":"List the files."}]}`
	for _, state := range []string{"input-streaming", "approval-requested", "output-error"} {
		_, report, err := session.Repair(list(user, part(state)), nil)
		require.NoError(t, err)
		require.Equal(t, "vercel-ui-messages", report.Client)
		require.Empty(t, report.Findings, state)
		require.Empty(t, report.Left, state)
	}
	_, report, err := session.Repair(list(user, part("approval-requested"), user), nil)
	require.NoError(t, err)
	require.NotEmpty(t, report.Left, "the user has gone on, and nothing waits any more")
	for _, output := range []string{`""`, `null`, `"one"`} {
		_, report, err := session.Repair(list(user, strings.Replace(part("output-available"),
			`"input"`, `"output":`+output+`,"input"`, 1), user), nil)
		require.NoError(t, err)
		require.True(t, report.Sound(), output)
	}
	out, report, err := session.Repair(list(user, part("input-available"), user), nil)
	require.NoError(t, err)
	require.Len(t, report.Findings, 1)
	require.Contains(t, string(out), `"toolCallId":"c1","state":"output-error","input":{"n":1.0},`+
		`"errorText":"`+session.DefaultInterruptedText+`"}]}`)
	require.Contains(t, string(out), user)
}

// LangChain has three forms, and answers are in the one of the call.
func TestLangChainForms(t *testing.T) {
	for call, answer := range map[string]string{
		`{"type":"ai","content":"","additional_kwargs":{},` +
			`"tool_calls":[{"name":"ls","args":{},"id":"c"}]}`: `,{"content":"Tool call`,
		`{"lc":1,"type":"constructor","id":["langchain","schema","messages","AIMessage"],"kwargs":` +
			`{"content":"","tool_calls":[{"name":"ls","args":{},"id":"c"}]}}`: `,{"lc":1,` +
			`"type":"constructor","id":["langchain","schema","messages","ToolMessage"],` +
			`"kwargs":{"content":"Tool call`,
	} {
		out, report, err := session.Repair(list(call), nil)
		require.NoError(t, err)
		require.Len(t, report.Findings, 1)
		require.Contains(t, string(out), call+answer)
	}
}

// TestDamagedLists deletes and doubles elements: one run is enough, and no call and no result is
// left that a provider refuses.
func TestDamagedLists(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for form, whole := range lists {
		for range 200 {
			damaged := append([]string{}, whole...)
			for range 1 + r.IntN(3) {
				k := r.IntN(len(damaged))
				if r.IntN(2) == 0 {
					damaged = append(damaged[:k], damaged[k+1:]...)
				} else {
					damaged = append(damaged, damaged[k])
				}
			}
			data := list(damaged...)
			out, report, err := session.Repair(data, nil)
			if err != nil {
				require.ErrorIs(t, err, session.ErrUnknown, form)
				continue
			}
			again, second, err := session.Repair(out, nil)
			if err == nil { // what is left may show no form any more
				require.Equal(t, string(out), string(again), "%s\n%s", form, data)
				require.False(t, second.Changed)
			}
			for _, v := range report.Left {
				require.NotContains(t, v.Rule, "tool", "%s\n%s\n%s", form, data, out)
			}
		}
	}
}

// TestNoResultIsSaid: a result whose call is lost is never a text of the user's afterwards,
// whatever the form of storage.
func TestNoResultIsSaid(t *testing.T) {
	whole := map[string][]string{}
	for form, elements := range lists {
		whole[form] = elements
	}
	for client, lines := range stored {
		whole[client] = lines
	}
	for form, lines := range whole {
		for k, line := range lines {
			if !strings.Contains(line, "ls") {
				continue
			}
			left := slices.Delete(slices.Clone(lines), k, k+1)
			data := file(left)
			if lists[form] != nil {
				data = list(left...)
			}
			out, _, err := session.Repair(data, nil)
			if errors.Is(err, session.ErrUnknown) {
				continue // the form is not to be seen any more
			}
			require.NoError(t, err, form)
			body := out // of a list of texts, whose form is not to be seen any more
			if s, err := session.Read(out); !errors.Is(err, session.ErrUnknown) {
				require.NoError(t, err, form)
				body = s.Body
			}
			for _, result := range []string{"one", "two"} {
				said := regexp.MustCompile(`"(text|content)":"[^"]*` + result + `[^"]*"`)
				for _, text := range said.FindAllString(string(body), -1) {
					require.Contains(t, []string{`"content":"` + result + `"`,
						`"text":"` + result + `"`}, text, "%s without line %d", form, k+1)
				}
			}
			require.NotContains(t, string(out), "call is missing", form)
		}
	}
}

// TestMergedResults: results of a call that say different things become one, where they are texts
// of the tool's that follow each other.
func TestMergedResults(t *testing.T) {
	for form, c := range map[string]struct {
		call, one, result string
		failed            []string
		said              string
	}{
		"langchain": {
			`{"type":"ai","data":{"content":"","tool_calls":[{"name":"f","args":{},"id":"c1"}]}}`,
			`{"name":"f","args":{},"id":"c1"}`,
			`{"type":"tool","data":{"content":"TEXT","tool_call_id":"c1"}}`,
			[]string{`{"type":"tool","data":{"content":"TEXT","tool_call_id":"c1","status":"error"}}`},
			`{"type":"human","data":{"content":"q"}}`,
		},
		"pydantic-ai": {
			`{"parts":[{"tool_name":"f","args":"{}","tool_call_id":"c1","part_kind":"tool-call"}],` +
				`"kind":"response"}`,
			`{"tool_name":"f","args":"{}","tool_call_id":"c1","part_kind":"tool-call"}`,
			`{"parts":[{"tool_name":"f","content":"TEXT","tool_call_id":"c1",` +
				`"part_kind":"tool-return"}],"kind":"request"}`,
			[]string{
				`{"parts":[{"tool_name":"f","content":"TEXT","tool_call_id":"c1",` +
					`"part_kind":"retry-prompt"}],"kind":"request"}`,
				`{"parts":[{"tool_name":"f","content":"TEXT","tool_call_id":"c1",` +
					`"part_kind":"tool-return","outcome":"denied"}],"kind":"request"}`,
			},
			`{"parts":[{"content":"q","part_kind":"user-prompt"}],"kind":"request"}`,
		},
		"vercel-model-messages": {
			`{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"f",` +
				`"input":{}}]}`,
			`{"type":"tool-call","toolCallId":"c1","toolName":"f","input":{}}`,
			`{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"f",` +
				`"output":{"type":"text","value":"TEXT"}}]}`,
			[]string{
				`{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"f",` +
					`"output":{"type":"error-text","value":"TEXT"}}]}`,
				`{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"f",` +
					`"output":{"type":"error-json","value":"TEXT"}}]}`,
			},
			`{"role":"user","content":"q"}`,
		},
	} {
		result := func(text string) string { return strings.Replace(c.result, "TEXT", text, 1) }
		head := []string{c.said, c.call, result("one")}
		with := func(more ...string) string {
			return string(list(slices.Concat(head, more, []string{c.said})...))
		}
		given := with(result(`two\n`), result("one"), result(""))
		out, report, err := session.Repair([]byte(given), nil)
		require.NoError(t, err)
		require.Equal(t, string(list(c.said, c.call, result(`one\ntwo\n\n`), c.said)),
			string(out), form)
		require.Empty(t, report.Left, form)
		require.Len(t, report.Findings, 1, form)
		require.Equal(t, []string{"[3]", "[4]", "[5]"}, report.Findings[0].Rows, form)
		requireSettled(t, out)

		added := list(c.said, c.call, result("added"), result("one"), result("two"), c.said)
		out, report, err = session.Repair(added, &session.Options{InterruptedText: "added"})
		require.NoError(t, err)
		require.Equal(t, string(list(c.said, c.call, result(`one\ntwo`), c.said)), string(out), form)
		require.Empty(t, report.Left, form)

		not := []string{
			with(c.said, result("two")),
			strings.Replace(with(result("two")), c.one, c.one+","+c.one, 1),
		}
		for _, failed := range c.failed {
			failed = strings.Replace(failed, "TEXT", "two", 1)
			not = append(not, with(failed), string(list(c.said, c.call, failed, result("one"), c.said)))
		}
		for _, data := range not {
			out, _, err := session.Repair([]byte(data), nil)
			require.NoError(t, err)
			require.NotRegexp(t, `one\\n|two\\n`, string(out), data)
		}
	}
}
