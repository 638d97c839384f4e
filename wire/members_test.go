package wire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/members"
	"github.com/go-preflight/preflight/internal/recorded"
	"github.com/go-preflight/preflight/wire"
)

// This file holds Sanitize to what it promises about members that are in no row.

// memberForm writes the elements of a list in one format. more are further members of the object:
// they begin with a comma, or are "".
type memberForm struct {
	provider, model string
	body            string // with ‹list› and ‹more›
	user, said      string
	call, result    string // of c1xxxxxxx, with ‹more›
	refuses         bool   // further members of results are removed
	alone           bool   // results may be without a call
}

const chatList = `{"model":"‹model›"‹more›,"messages":[‹list›]}`

// chatForm is a form of the Chat format.
func chatForm(provider, model string) memberForm {
	return memberForm{
		provider: provider, model: model, body: chatList,
		user: `{"role":"user","content":"q"}`, said: `{"role":"assistant","content":"a"}`,
		call: `{"role":"assistant","content":"","tool_calls":[{"id":"c1xxxxxxx","type":"function",` +
			`"function":{"name":"f","arguments":"{}"}‹more›}]}`,
		result: `{"role":"tool","tool_call_id":"c1xxxxxxx","content":"r"‹more›}`,
	}
}

// memberForms are those of all formats that have rows.
func memberForms() []memberForm {
	blocks := memberForm{
		provider: "anthropic", model: "claude-opus-4-8",
		body: `{"model":"‹model›","max_tokens":9‹more›,"messages":[‹list›]}`,
		user: `{"role":"user","content":"q"}`, said: `{"role":"assistant","content":"a"}`,
		call: `{"role":"assistant","content":[{"type":"tool_use","id":"c1xxxxxxx","name":"f",` +
			`"input":{}‹more›}]}`,
		result: `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1xxxxxxx",` +
			`"content":"r"‹more›}]}`,
	}
	mistral, groq := chatForm("mistral", "mistral-large-latest"), chatForm("groq", "openai/gpt-oss-20b")
	mistral.refuses, groq.refuses = true, true
	ollama := chatForm("ollama", "qwen3")
	ollama.alone = true
	ollama.call = strings.Replace(ollama.call, `"{}"`, `{}`, 1)
	return []memberForm{
		blocks, chatForm("openai-chat", "gpt-5.4"), chatForm("openrouter", "openai/gpt-5.4"),
		mistral, groq, ollama, chatForm("cohere", "command-a-03-2025"),
		{
			provider: "openai-responses", model: "gpt-5.4",
			body: `{"model":"‹model›"‹more›,"input":[‹list›]}`,
			user: `{"role":"user","content":"q"}`, said: `{"role":"assistant","content":"a"}`,
			call:   `{"type":"function_call","call_id":"c1xxxxxxx","name":"f","arguments":"{}"‹more›}`,
			result: `{"type":"function_call_output","call_id":"c1xxxxxxx","output":"r"‹more›}`,
		},
		{
			provider: "gemini", model: "gemini-2.5-pro", body: `{"contents":[‹list›]‹more›}`,
			user: `{"role":"user","parts":[{"text":"q"}]}`,
			said: `{"role":"model","parts":[{"text":"a"}]}`,
			call: `{"role":"model","parts":[{"functionCall":{"id":"c1xxxxxxx","name":"f",` +
				`"args":{}‹more›}}]}`,
			result: `{"role":"user","parts":[{"functionResponse":{"id":"c1xxxxxxx","name":"f",` +
				`"response":{"output":"r"}‹more›}}]}`,
		},
		{
			provider: "gemini-interactions", model: "gemini-2.5-pro",
			body: `{"model":"‹model›"‹more›,"input":[‹list›]}`,
			user: `{"type":"user_input","content":[{"type":"text","text":"q"}]}`,
			said: `{"type":"model_output","content":[{"type":"text","text":"a"}]}`,
			call: `{"type":"function_call","id":"c1xxxxxxx","name":"f","arguments":{}‹more›}`,
			result: `{"type":"function_result","call_id":"c1xxxxxxx","name":"f",` +
				`"result":"r"‹more›}`,
		},
		{
			provider: "bedrock", model: "anthropic.claude-opus-4-8",
			body: `{"messages":[‹list›],"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}]}‹more›}`,
			user: `{"role":"user","content":[{"text":"q"}]}`,
			said: `{"role":"assistant","content":[{"text":"a"}]}`,
			call: `{"role":"assistant","content":[{"toolUse":{"toolUseId":"c1xxxxxxx","name":"f",` +
				`"input":{}‹more›}}]}`,
			result: `{"role":"user","content":[{"toolResult":{"toolUseId":"c1xxxxxxx",` +
				`"content":[{"text":"r"}]‹more›}}]}`,
		},
	}
}

// write is a body with a list of elements. request are further members of the request.
func (f *memberForm) write(request string, elements ...string) string {
	return strings.NewReplacer("‹model›", f.model, "‹more›", request,
		"‹list›", strings.Join(elements, ",")).Replace(f.body)
}

// with is an element with further members.
func with(element, more string) string { return strings.Replace(element, "‹more›", more, 1) }

// sanitize sanitizes a body of the form.
func (f *memberForm) sanitize(t *rapid.T, body string, options preflight.Options) *wire.Result {
	res, err := wire.Sanitize(t.Context(), []byte(body),
		&wire.Options{Provider: f.provider, Model: f.model, Options: options})
	require.NoError(t, err, body)
	return res
}

// unknownName draws the name of a member that no format has anywhere.
func unknownName(t *rapid.T) string {
	name := rapid.StringMatching(`[a-z]{3,9}(_[a-z]{2,6})?`).Draw(t, "name")
	for _, format := range members.Formats {
		for _, place := range members.Places {
			if _, known := members.Of(format, place, name); known {
				return "x_" + name
			}
		}
	}
	return name
}

// meaning are values by which a member may say something, and mute those by which it says nothing.
var (
	meaning = []string{
		`"resp_1"`, `"auto"`, `{"type":"continue","id":"m1"}`, `{"mode":"summarize"}`, `["t1"]`, `{}`,
	}
	mute = []string{`7`, `0.5`, `false`, `null`}
)

// policies draws what the caller decides about calls and results.
func policies(t *rapid.T) preflight.Options {
	return preflight.Options{
		Dangling: rapid.SampledFrom([]preflight.Dangling{
			preflight.DanglingRemove, preflight.DanglingAnswer,
		}).Draw(t, "dangling"),
		Orphans: rapid.SampledFrom([]preflight.Orphans{
			preflight.OrphanRemove, preflight.OrphanText,
		}).Draw(t, "orphans"),
	}
}

// TestUnknownMemberOfRequest: a member of a request that no row has suspends the repairs at the
// edges; a fault in the middle is repaired as without it. A number, a boolean and null suspend
// nothing.
func TestUnknownMemberOfRequest(t *testing.T) {
	for _, f := range memberForms() {
		t.Run(f.provider, func(t *testing.T) {
			call, result := with(f.call, ""), with(f.result, "")
			edges := map[string][]string{
				"a result at the front":    {result, f.said, f.user},
				"a result at the front, 2": {result, f.user, f.said, f.user},
				"the assistant first":      {f.said, f.user},
				"the assistant last":       {f.user, f.said},
				"an open call last":        {f.user, f.said, f.user, call},
				"nothing":                  {},
			}
			middle := map[string][]string{
				"an open call":  {f.user, call, f.user, f.said, f.user},
				"an orphan":     {f.user, f.said, f.user, f.said, result, f.said, f.user},
				"a late result": {f.user, call, f.user, result, f.said, f.user},
			}
			rapid.Check(t, func(t *rapid.T) {
				name, options := unknownName(t), policies(t)
				member := `,"` + name + `":` + rapid.SampledFrom(meaning).Draw(t, "value")
				silent := `,"` + name + `":` + rapid.SampledFrom(mute).Draw(t, "mute")
				for about, elements := range edges {
					body := f.write(member, elements...)
					res := f.sanitize(t, body, options)
					require.Equal(t, body, string(res.Body), about)
					require.Empty(t, res.Warnings, about)
					if len(elements) > 0 { // an empty history without it is an error
						f.requireSame(t, f.write("", elements...), f.write(silent, elements...), silent,
							options)
					}
				}
				repaired := 0
				for _, elements := range middle {
					plain := f.write("", elements...)
					if f.sanitize(t, plain, options).Changed {
						repaired++ // some take open calls, others late results
					}
					f.requireSame(t, plain, f.write(member, elements...), member, options)
					f.requireSame(t, plain, f.write(silent, elements...), silent, options)
				}
				require.True(t, repaired > 0 || f.alone)
			})
		})
	}
}

// requireSame asserts that a body with a member is repaired as it is without it, and no otherwise.
func (f *memberForm) requireSame(
	t *rapid.T, plain, body, member string, options preflight.Options,
) {
	want, got := f.sanitize(t, plain, options), f.sanitize(t, body, options)
	require.Equal(t, string(want.Body), strings.Replace(string(got.Body), member, "", 1), body)
	require.Equal(t, want.Warnings, got.Warnings)
	require.Empty(t, got.Left)
}

// TestUnknownMemberOfCall: a call or a result with a member that no row has stays where and as it
// is, whatever the caller's policies are; what was left is told. With a number, false or null it is
// repaired as without.
func TestUnknownMemberOfCall(t *testing.T) {
	for _, f := range memberForms() {
		t.Run(f.provider, func(t *testing.T) {
			histories := map[string]func(call, result string) []string{
				"an open call": func(call, _ string) []string {
					return []string{f.user, call, f.user, f.said, f.user}
				},
				"an open call last": func(call, _ string) []string { return []string{f.user, call} },
				"an orphan": func(_, result string) []string {
					return []string{f.user, f.said, result, f.said, f.user}
				},
				"a late result": func(call, result string) []string {
					return []string{f.user, call, f.user, f.said, f.user, result, f.said, f.user}
				},
				"a further result": func(call, result string) []string {
					return []string{f.user, call, with(f.result, ""), f.said, f.user, result, f.said,
						f.user}
				},
			}
			rapid.Check(t, func(t *rapid.T) {
				name, options := unknownName(t), policies(t)
				member := `,"` + name + `":` + rapid.SampledFrom(meaning).Draw(t, "value")
				silent := `,"` + name + `":` + rapid.SampledFrom(mute).Draw(t, "mute")
				onCall := rapid.Bool().Draw(t, "on the call")
				for about, history := range histories {
					if !onCall && (f.refuses || strings.HasPrefix(about, "an open call")) ||
						f.alone && about != "an open call" || onCall && about == "an orphan" {
						continue
					}
					write := func(more string) string {
						if onCall {
							return f.write("", history(with(f.call, more), with(f.result, ""))...)
						}
						return f.write("", history(with(f.call, ""), with(f.result, more))...)
					}
					plain := write("")
					if !f.sanitize(t, plain, options).Changed {
						continue // this provider takes it
					}
					body := write(member)
					res := f.sanitize(t, body, options)
					require.Equal(t, body, string(res.Body), about)
					require.Empty(t, res.Warnings, about)
					require.NotEmpty(t, res.Left, about)
					for _, l := range res.Left {
						require.True(t, strings.HasSuffix(l.Member, name), "%s: %v", about, l)
					}
					repaired := f.sanitize(t, write(silent), options)
					require.True(t, repaired.Changed, "%s: %s", about, write(silent))
					require.Empty(t, repaired.Left)
				}
			})
		})
	}
}

// TestMoreComes: what a member says to be open, or to be held by the provider, stays, and so does a
// call of the provider's own where nobody was seen to refuse it. Without the member it is repaired.
func TestMoreComes(t *testing.T) {
	gemini := func(more, contents string) string {
		return `{"contents":[` + contents + `]` + more + `}`
	}
	const (
		ask    = `{"role":"user","parts":[{"text":"q"}]}`
		said   = `{"role":"model","parts":[{"text":"a"}]}`
		call   = `{"role":"model","parts":[{"functionCall":{"id":"1","name":"f","args":{}}}]}`
		answer = `{"role":"user","parts":[{"functionResponse":` +
			`{"id":"1","name":"f","response":{"r":1}‹more›}}]}`
		further = `{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f","response":{"r":2}}}]}`
	)
	responds := func(more string) string {
		return gemini("", ask+","+call+","+with(answer, more)+","+said+","+further)
	}
	served := func(more string) string {
		return `{"toolConfig":{"tools":[{"systemTool":{"name":"nova_grounding"}}]},"messages":[` +
			`{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[` +
			`{"toolUse":{"toolUseId":"s1","name":"nova_grounding","input":{}` + more + `}},` +
			`{"text":"a"}]},{"role":"user","content":[{"text":"r"}]}]}`
	}
	for _, c := range []struct{ name, provider, model, open, closed string }{
		{"further results come", "gemini", "gemini-2.5-pro", responds(`,"willContinue":true`),
			responds(`,"willContinue":false`)},
		{"the call is in the cached contents", "gemini", "gemini-2.5-pro",
			gemini(`,"cachedContent":"cachedContents/1"`, further), gemini("", further)},
		{"the service runs the tool", "bedrock", "us.amazon.nova-2-lite-v1:0",
			served(`,"type":"server_tool_use"`), served("")},
	} {
		t.Run(c.name, func(t *testing.T) {
			options := &wire.Options{Provider: c.provider, Model: c.model}
			res, err := wire.Sanitize(t.Context(), []byte(c.open), options)
			require.NoError(t, err)
			require.Equal(t, c.open, string(res.Body))
			res, err = wire.Sanitize(t.Context(), []byte(c.closed), options)
			require.NoError(t, err)
			require.True(t, res.Changed)
		})
	}
}

// TestUnknownMemberOfItem: an item with a member that no row has stays; without it the reasoning,
// which no server holds and nothing follows, goes, and so does the second one with an id.
func TestUnknownMemberOfItem(t *testing.T) {
	const (
		form = `{"model":"gpt-5.4","store":false,"input":[{"role":"user","content":"q"},‹list›` +
			`{"role":"user","content":"go on"}]}`
		bare   = `{"type":"reasoning","id":"rs_1","summary":[]‹more›},`
		sealed = `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"QUJD"},`
	)
	rapid.Check(t, func(t *rapid.T) {
		member := `,"` + unknownName(t) + `":` + rapid.SampledFrom(meaning).Draw(t, "value")
		for _, list := range []string{bare, sealed + bare} {
			f := memberForm{provider: "openai-responses", model: "gpt-5.4", body: form}
			body := f.write("", with(list, member))
			res := f.sanitize(t, body, preflight.Options{})
			require.Contains(t, string(res.Body), member)
			require.NotEmpty(t, res.Left)
			res = f.sanitize(t, f.write("", with(list, "")), preflight.Options{})
			require.True(t, res.Changed)
			require.Empty(t, res.Left)
		}
	})
}

// TestRecordedMembers: no request that a provider accepted has a member that is in no row, and
// nothing is left because of one.
func TestRecordedMembers(t *testing.T) {
	for _, r := range recorded.Load(t, "..", recorded.Accepted, recorded.FollowUp) {
		doc, err := wire.Decode(r.Body, &wire.Options{Provider: r.Provider, Model: r.Model})
		require.NoError(t, err, r.ID)
		require.Empty(t, doc.State.Unknown, r.ID)
		report, err := wire.Check(r.Body, &wire.Options{Provider: r.Provider, Model: r.Model})
		require.NoError(t, err, r.ID)
		require.Empty(t, slices.DeleteFunc(report.Left, func(l wire.Violation) bool {
			row, known := members.Of(spoken(r.Provider), members.Call, l.Member)
			return known && row.Has(members.Open)
		}), r.ID)
	}
}
