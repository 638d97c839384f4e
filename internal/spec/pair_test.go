package spec

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/provider"
)

// TestPairs: each call and each result with its status, the reason for the match, and where the
// counterpart is.
func TestPairs(t *testing.T) {
	q := userMsg(says("q"))
	call := func(id, name string) *preflight.ToolCall { c := calls(id); c.Name = name; return c }
	toolOf := func(id, name, text string) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: id, Name: name, Content: []preflight.Part{says(text)}}
	}
	nilText := func(id string) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: id,
			Content: []preflight.Part{(*preflight.Text)(nil), nil}}
	}
	hologram := func(id string) *preflight.Other {
		return &preflight.Other{Kind: "hologram", Carried: preflight.Carried{Native: preflight.Native{
			JSON: json.RawMessage(`{"type":"hologram","call_id":"` + id + `"}`),
		}}}
	}
	gemini := preflight.Profile{
		IDs:     provider.IDRules{Call: provider.Pattern{Optional: true}},
		Turns:   provider.TurnRules{Neighbours: provider.NeighboursJoined},
		Pairing: provider.PairingRules{ByName: true},
	}
	for _, c := range []struct {
		name, source string
		profile      preflight.Profile
		in           []preflight.Message
		want         []string
	}{
		{name: "in place", in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1"))),
			want: []string{"1.0 paired id 2.0", "2.0 paired id 1.0"}},
		{name: "open, and waiting", in: history(q, botMsg(calls("a"), waits("b"))),
			want: []string{"1.0 dangling", "1.1 waiting"}},
		{name: "late", source: "charmbracelet/crush#1860",
			in:   history(q, botMsg(calls("a")), q, toolMsg(answers("a", "1"))),
			want: []string{"1.0 displaced id 3.0", "3.0 displaced id 1.0"}},
		{name: "before its call", source: "gemini-cli session files",
			in:   history(q, toolMsg(answers("a", "1")), botMsg(calls("a"))),
			want: []string{"1.0 displaced id 2.0", "2.0 displaced id 1.0"}},
		{name: "without its call", in: history(q, toolMsg(answers("a", "1"))),
			want: []string{"1.0 orphan"}},
		{name: "answered by a part of an unknown kind",
			in:   history(q, botMsg(calls("a"), calls("b")), userMsg(hologram("a"))),
			want: []string{"1.0 unknown", "1.1 dangling"}},
		{name: "called by a part of an unknown kind",
			in:   history(q, botMsg(hologram("a")), toolMsg(answers("a", "1"), answers("b", "1"))),
			want: []string{"2.0 unknown", "2.1 orphan"}},
		{name: "twice",
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")),
				toolMsg(answers("a", "2"))),
			want: []string{"1.0 paired id 2.0", "2.0 paired id 1.0", "3.0 duplicate id 1.0"}},
		{name: "a placeholder",
			in: history(q, botMsg(calls("a")),
				toolMsg(answers("a", pairing.DanglingText))),
			want: []string{"1.0 placeholder id 2.0", "2.0 placeholder id 1.0"}},
		{name: "a placeholder, then the real one",
			in: history(q, botMsg(calls("a")), toolMsg(fails("a", "aborted")), q,
				toolMsg(answers("a", "1"))),
			want: []string{"1.0 displaced id 4.0", "2.0 duplicate id 1.0", "4.0 displaced id 1.0"}},
		{name: "an error, then the real one",
			in: history(q, botMsg(calls("a")), toolMsg(fails("a", "no such file")),
				toolMsg(answers("a", "1"))),
			want: []string{"1.0 paired id 3.0", "2.0 duplicate id 1.0", "3.0 paired id 1.0"}},
		{name: "a mangled id", source: "Kimi's functions.exec:0 behind gateways",
			in: history(q, botMsg(calls("functions.exec:0")),
				toolMsg(answers("functions exec:0", "1"))),
			want: []string{"1.0 paired normalized-id 2.0", "2.0 paired normalized-id 1.0"}},
		{name: "the item's id for the call's", source: "openai/codex composite ids",
			in: history(q,
				preflight.Message{Role: preflight.RoleAssistant, ID: "fc_1",
					Parts: []preflight.Part{calls("call_1")}}, toolMsg(answers("fc_1", "1"))),
			want: []string{"1.0 paired normalized-id 2.0", "2.0 paired normalized-id 1.0"}},
		{name: "one candidate left",
			in: history(q, botMsg(calls("a"), calls("b")),
				toolMsg(answers("b", "2"), answers("zz", "1"))),
			want: []string{"1.0 dangling", "1.1 paired id 2.0", "2.0 paired id 1.1",
				"2.1 orphan"}},
		{name: "two candidates left",
			in:   history(q, botMsg(calls("a"), calls("b")), toolMsg(answers("zz", "1"))),
			want: []string{"1.0 dangling", "1.1 dangling", "2.0 orphan"}},
		{name: "as many candidates left as results",
			in: history(q, botMsg(calls("a"), calls("b")),
				toolMsg(answers("zz", "1"), answers("yy", "2"))),
			want: []string{"1.0 dangling", "1.1 dangling", "2.0 orphan", "2.1 orphan"}},
		{name: "one candidate left, and a repeated result",
			in: history(q, botMsg(calls("a")), toolMsg(answers("zz", "1")),
				toolMsg(answers("zz", "2"))),
			want: []string{"1.0 dangling", "2.0 orphan", "3.0 orphan"}},
		{name: "one candidate left, which a placeholder answers",
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "No result provided")),
				toolMsg(answers("zz", "1"))),
			want: []string{"1.0 placeholder id 2.0", "2.0 placeholder id 1.0", "3.0 orphan"}},
		{name: "the only candidate has an error with its id",
			in: history(q, botMsg(calls("a")), toolMsg(fails("a", "no such file")),
				toolMsg(answers("zz", "1"))),
			want: []string{"1.0 paired id 2.0", "2.0 paired id 1.0", "3.0 orphan"}},
		{name: "an error with the id, and a result without one",
			in: history(q, botMsg(calls("a")), toolMsg(fails("a", "no such file")),
				toolMsg(answers("", "1"))),
			want: []string{"1.0 paired id 2.0", "2.0 paired id 1.0", "3.0 orphan"}},
		{name: "one candidate left, which names another tool",
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "No result provided")),
				toolMsg(toolOf("zz", "other", "1"))),
			want: []string{"1.0 placeholder id 2.0", "2.0 placeholder id 1.0", "3.0 orphan"}},
		{name: "one candidate left, and its result a turn later",
			in: history(q, botMsg(calls("a")), toolMsg(fails("zz", "aborted")), botMsg(says("x")),
				toolMsg(answers("zz", "1"))),
			want: []string{"1.0 dangling", "2.0 orphan", "4.0 orphan"}},
		{name: "one candidate left in an earlier turn",
			in: history(q, botMsg(calls("a")), q, botMsg(calls("b")),
				toolMsg(answers("b", "2")), toolMsg(answers("zz", "1"))),
			want: []string{"1.0 dangling", "3.0 paired id 4.0", "4.0 paired id 3.0",
				"5.0 orphan"}},
		{name: "an unknown id, before a call with an id",
			in:   history(q, toolMsg(answers("zz", "1")), botMsg(calls("a"))),
			want: []string{"1.0 orphan", "2.0 dangling"}},
		{name: "an unknown id, before a call without an id",
			in:   history(q, toolMsg(answers("zz", "1")), botMsg(calls(""))),
			want: []string{"1.0 orphan", "2.0 dangling"}},
		{name: "as many results without ids as calls, one of which has none",
			in: history(q, botMsg(calls("a"), calls("")), toolMsg(answers("", "1"), answers("", "2"))),
			want: []string{"1.0 paired position 2.0", "1.1 paired position 2.1",
				"2.0 paired position 1.0", "2.1 paired position 1.1"}},
		{name: "fewer results without ids than calls, one of which has none",
			in:   history(q, botMsg(calls("a"), calls("")), toolMsg(answers("", "1"))),
			want: []string{"1.0 dangling", "1.1 paired position 2.0", "2.0 paired position 1.1"}},
		{name: "Gemini: two calls of an id in order, the first result with an unknown name",
			profile: gemini,
			in: history(q, botMsg(call("a", "f")), botMsg(call("a", "f")),
				userMsg(toolOf("a", "a", "1"), toolOf("a", "f", "2"))),
			want: []string{"1.0 paired id 3.0", "2.0 paired id 3.1", "3.0 paired id 1.0",
				"3.1 paired id 2.0"}},
		{name: "Gemini: the id of an earlier call that a placeholder answers", profile: gemini,
			in: history(q, botMsg(call("a", "f")), userMsg(toolOf("a", "f", "aborted tool")), q,
				botMsg(call("", "f")), userMsg(toolOf("a", "f", "1"))),
			want: []string{"1.0 displaced id 5.0", "2.0 duplicate id 1.0", "4.0 dangling",
				"5.0 displaced id 1.0"}},
		{name: "an id used again, after text, and an open call of it before",
			in: history(q, botMsg(calls("a"), says("x")), q, botMsg(calls("a")), q,
				toolMsg(answers("a", "1"))),
			want: []string{"1.0 dangling", "3.0 displaced id 5.0", "5.0 displaced id 3.0"}},
		{name: "an id used again, and the second call has none",
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(calls("")),
				toolMsg(answers("a", "2"))),
			want: []string{"1.0 paired id 2.0", "2.0 paired id 1.0", "3.0 paired position 4.0",
				"4.0 paired position 3.0"}},
		{name: "without an id, before its call",
			in:   history(q, toolMsg(answers("", "1")), botMsg(calls("a"))),
			want: []string{"1.0 orphan", "2.0 dangling"}},
		{name: "without an id, a turn later",
			in:   history(q, botMsg(calls("a")), q, botMsg(says("x")), toolMsg(answers("", "1"))),
			want: []string{"1.0 dangling", "4.0 orphan"}},
		{name: "without ids, as many as calls",
			in: history(q, botMsg(calls("a"), calls("b")), q, toolMsg(answers("", "1")),
				toolMsg(answers("", "2"))),
			want: []string{"1.0 dangling", "1.1 dangling", "3.0 orphan", "4.0 orphan"}},
		{name: "without an id, after a placeholder",
			in: history(q, botMsg(calls("a")), toolMsg(fails("", "aborted")), q,
				toolMsg(answers("", "1"))),
			want: []string{"1.0 placeholder position 2.0", "2.0 placeholder position 1.0",
				"4.0 orphan"}},
		{name: "without an id, and the one call is answered",
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), q,
				toolMsg(answers("", "2"))),
			want: []string{"1.0 paired id 2.0", "2.0 paired id 1.0", "4.0 orphan"}},
		{name: "without an id, and two calls are answered",
			in: history(q, botMsg(calls("a"), calls("b")),
				toolMsg(answers("a", "1"), answers("b", "2"), answers("", "3"))),
			want: []string{"1.0 paired id 2.0", "1.1 paired id 2.1", "2.0 paired id 1.0",
				"2.1 paired id 1.1", "2.2 orphan"}},
		{name: "without an id, and the assistant has gone on",
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "1")), botMsg(says("so")),
				toolMsg(answers("", "2"))),
			want: []string{"1.0 paired id 2.0", "2.0 paired id 1.0", "4.0 orphan"}},
		{name: "by its name, before a call with a placeholder", profile: gemini,
			in: history(q, toolMsg(toolOf("", "f", "1")), botMsg(call("", "f")),
				toolMsg(toolOf("", "f", "No result provided"))),
			want: []string{"1.0 orphan", "2.0 placeholder name 3.0", "3.0 placeholder name 2.0"}},
		{name: "by its name, before a call with an answer", profile: gemini,
			in: history(q, toolMsg(toolOf("", "f", "1")), botMsg(call("", "f")),
				toolMsg(toolOf("", "f", "2"))),
			want: []string{"1.0 orphan", "2.0 paired name 3.0", "3.0 paired name 2.0"}},
		{name: "by its id, though it names no tool", profile: gemini,
			in: history(q, botMsg(call("a", "f"), call("b", "f")),
				toolMsg(toolOf("a", "", "1"), toolOf("", "f", "2"), toolOf("b", "", "3"))),
			want: []string{"1.0 paired id 2.0", "1.1 paired id 2.2", "2.0 paired id 1.0",
				"2.1 duplicate name 1.1", "2.2 paired id 1.1"}},
		{name: "without an id, and two are open",
			in:   history(q, botMsg(calls("a"), calls("b")), q, toolMsg(answers("", "1"))),
			want: []string{"1.0 dangling", "1.1 dangling", "3.0 orphan"}},
		{name: "by its name, before its call", profile: gemini,
			in:   history(q, toolMsg(toolOf("", "f", "1")), botMsg(call("", "f"), call("", "g"))),
			want: []string{"1.0 orphan", "2.0 dangling", "2.1 dangling"}},
		{name: "an id that no call has, before a call",
			in:   history(q, toolMsg(answers("zz", "1")), botMsg(calls("a"))),
			want: []string{"1.0 orphan", "2.0 dangling"}},
		{name: "the tool's name tells",
			in: history(q, botMsg(call("a", "f"), call("b", "g")),
				toolMsg(toolOf("x", "g", "2"), toolOf("y", "f", "1"))),
			want: []string{"1.0 dangling", "1.1 dangling", "2.0 orphan", "2.1 orphan"}},
		{name: "a name that is an id", source: "docker/cagent TestExec_Gemini_ToolCall",
			profile: gemini,
			in:      history(q, botMsg(call("", "f")), toolMsg(toolOf("", "call_1", "1"))),
			want:    []string{"1.0 paired position 2.0", "2.0 paired position 1.0"}},
		{name: "parallel calls whose ids come again",
			in: history(q, botMsg(calls("call_0"), calls("call_0")),
				toolMsg(answers("call_0", "1"), answers("call_0", "2")), botMsg(calls("call_0")),
				toolMsg(answers("call_0", "3"))),
			want: []string{"1.0 paired id 2.0", "1.1 paired id 2.1", "2.0 paired id 1.0",
				"2.1 paired id 1.1", "3.0 paired id 4.0", "4.0 paired id 3.0"}},
		{name: "the provider's own, and an open one at the end",
			in:   history(q, botMsg(searches("s"), finds("s", `[]`)), q, botMsg(searches("t"))),
			want: []string{"1.0 paired id 1.1", "1.1 paired id 1.0", "3.0 waiting"}},
		{name: "nil parts",
			in: history(q, botMsg((*preflight.ToolCall)(nil), nil, calls("a")),
				toolMsg(nil, answers("a", "1"))),
			want: []string{"1.2 paired id 2.1", "2.1 paired id 1.2"}},
		{
			name: "nil parts in a result",
			in:   history(q, botMsg(calls("a"), calls("b")), toolMsg(nilText("a"), nilText("b"))),
			want: []string{
				"1.0 placeholder id 2.0", "1.1 placeholder id 2.1",
				"2.0 placeholder id 1.0", "2.1 placeholder id 1.1",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, p := range preflight.Pairs(c.in, &c.profile) {
				line := fmt.Sprintf("%d.%d %s", p.At.Message(), p.At.Part(), p.Status)
				if p.Counterpart != nil {
					require.Same(
						t,
						c.in[p.CounterpartAt.Message()].Parts[p.CounterpartAt.Part()],
						p.Counterpart,
					)
					line += fmt.Sprintf(
						" %s %d.%d",
						p.Reason,
						p.CounterpartAt.Message(),
						p.CounterpartAt.Part(),
					)
				}
				require.Same(t, c.in[p.At.Message()].Parts[p.At.Part()], p.Part)
				got = append(got, line)
			}
			require.Empty(t, cmp.Diff(c.want, got), c.source)
		})
	}
}

// TestNoRealResultDisappears: broken sessions in which a real result was deleted, each with what
// the call's answer says now.
func TestNoRealResultDisappears(t *testing.T) {
	q := userMsg(says("q"))
	anthropic, chat := *provider.Anthropic(""), *provider.OpenAIChat("")
	gemini, responses := *provider.Gemini(""), *provider.OpenAIResponses("")
	portable := provider.Portable()
	for _, profile := range []*preflight.Profile{&anthropic, &chat, &gemini, &responses, portable} {
		named := func(r *preflight.ToolResult) *preflight.ToolResult { r.Name = "f"; return r }
		for _, c := range []struct {
			name string
			in   []preflight.Message
			want []string // what is said in results, in order
		}{
			{"before its call", history(q, toolMsg(named(answers("a", "1"))), botMsg(calls("a"))),
				[]string{"1"}},
			{"pending, then final",
				history(q, botMsg(calls("a")), toolMsg(named(answers("a", "pending"))),
					toolMsg(named(answers("a", "final 42")))), []string{"pending", "final 42"}},
			{"an error, then the real one",
				history(q, botMsg(calls("a")), toolMsg(named(fails("a", "no such host"))),
					toolMsg(named(answers("a", "42")))), []string{"42"}},
			{"a mangled id",
				history(q, botMsg(calls("functions.exec:0")),
					toolMsg(named(answers("functions exec:0", "1")))), []string{"1"}},
			{"split over user messages, mixed with text and images",
				history(q, botMsg(calls("a"), calls("b")),
					userMsg(named(answers("a", "1")), says("x")),
					userMsg(image(), named(answers("b", "2")))), []string{"1", "2"}},
			{"two sessions in one",
				history(q, botMsg(calls("a")), toolMsg(named(answers("a", "1"))), botMsg(says("x")),
					q, botMsg(calls("a")), toolMsg(named(answers("a", "2"))), botMsg(says("y"))),
				[]string{"1", "2"}},
			{"interleaved agents",
				history(q, botMsg(calls("a")), botMsg(calls("b")),
					toolMsg(named(answers("b", "2"))), toolMsg(named(answers("a", "1")))),
				[]string{"1", "2"}},
			{"parallel calls of one id",
				history(q, botMsg(calls("a"), calls("a")),
					toolMsg(named(answers("a", "1")), named(answers("a", "2")))),
				[]string{"1", "2"}},
		} {
			res, err := preflight.Sanitize(
				context.Background(),
				append(c.in, userMsg(says("end"))),
				profile,
				nil,
			)
			require.NoError(t, err)
			var got []string
			for _, m := range res.Messages {
				for _, p := range m.Parts {
					if r, ok := p.(*preflight.ToolResult); ok {
						for _, inner := range r.Content {
							got = append(got, inner.(*preflight.Text).Text)
						}
					}
				}
			}
			require.ElementsMatch(
				t,
				c.want,
				got,
				"%s %s\n%s",
				profile.Provider,
				c.name,
				dump(res.Messages),
			)
		}
	}
}

// An agent that resumes asks what is still open before it continues.
func ExamplePairs() {
	history := []preflight.Message{
		{Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Text{Text: "Deploy it."}}},
		{Role: preflight.RoleAssistant, Parts: []preflight.Part{
			&preflight.ToolCall{ID: "1", Name: "run_tests"},
			&preflight.ToolCall{ID: "2", Name: "deploy", Awaiting: preflight.AwaitingApproval},
			&preflight.ToolCall{ID: "3", Name: "notify"},
		}},
		{
			Role: preflight.RoleTool,
			Parts: []preflight.Part{
				&preflight.ToolResult{
					CallID:  "1",
					Content: []preflight.Part{&preflight.Text{Text: "ok"}},
				},
			},
		},
	}
	for _, pair := range preflight.Pairs(history, nil) {
		if call, ok := pair.Part.(*preflight.ToolCall); ok && pair.Counterpart == nil {
			fmt.Println(call.Name, "is", pair.Status)
		}
	}
	// Output:
	// deploy is waiting
	// notify is dangling
}
