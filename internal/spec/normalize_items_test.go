package spec

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file tests histories of items: their ids, and the reasoning before them.

func TestItems(t *testing.T) {
	const u, a = preflight.RoleUser, preflight.RoleAssistant
	stored := *provider.OpenAIResponses("")
	stateless := *provider.OpenAIResponses("")
	stateless.Items.Held = false
	azure, _ := provider.ByName("azure-responses", "gpt-5.4")
	azureStateless := *azure
	azureStateless.Items.Held = false
	chained := preflight.Options{Request: preflight.Request{ServerHoldsHistory: true}}
	plain := *provider.OpenAIResponses("gpt-4.1-mini")
	answer := preflight.Options{Dangling: preflight.DanglingAnswer, DanglingText: "x"}
	for _, c := range []struct {
		reason   string
		profile  preflight.Profile
		options  preflight.Options
		in       []preflight.Message
		want     string
		problems []problems.Problem
	}{
		{"reasoning the provider holds, with what it led to", stored, preflight.Options{},
			[]preflight.Message{
				saidItem(u, "", "q"), thoughtItem("rs_1", ""), calledItem("fc_1", "c", ""),
				answeredItem("c", "", "r"), saidItem(a, "msg_1", "a"),
			}, "user q | rs_1:reasoning  | fc_1:call c | result c=r | msg_1:assistant a", nil},
		{"reasoning that is not held takes the ids that depend on it along", stateless,
			preflight.Options{},
			[]preflight.Message{
				saidItem(u, "", "q"), thoughtItem("rs_1", ""), calledItem("fc_1", "c", ""),
				answeredItem("c", "", "r"),
			}, "user q | call c | result c=r", []problems.Problem{problems.ItemNotHeld}},
		{"encrypted reasoning need not be held", stateless, preflight.Options{},
			[]preflight.Message{
				saidItem(u, "", "q"), thoughtItem("rs_1", "e"), calledItem("", "c", ""),
				answeredItem("c", "", "r"),
			}, "user q | rs_1:reasoning e | call c | result c=r", nil},
		// OpenAI refused this although the reasoning has its payload: pydantic/pydantic-ai, the
		// recording of test_openai_responses_thinking_with_modified_history.
		{"reasoning with its id and payload before an item without one", stored,
			preflight.Options{},
			[]preflight.Message{
				saidItem(u, "", "q"), thoughtItem("rs_1", "e"), saidItem(a, "", "a"),
				saidItem(u, "", "next"),
			}, "user q | assistant a | user next", []problems.Problem{problems.ReasoningSplit}},
		{"reasoning without an id before an item without one", stored, preflight.Options{},
			[]preflight.Message{saidItem(u, "", "q"), thoughtItem("", "e"), saidItem(a, "", "a")},
			"user q | reasoning e | assistant a", nil},
		{"reasoning by its id, but not the item it led to", stored, preflight.Options{},
			[]preflight.Message{
				saidItem(u, "", "q"), thoughtItem("rs_1", ""), calledItem("", "c", ""),
				calledItem("fc_2", "d", ""), answeredItem("c", "", "r"), answeredItem("d", "", "s"),
			}, "user q | call c | call d | result c=r | result d=s",
			[]problems.Problem{problems.ReasoningSplit}},
		{"an item with its id and without reasoning", stored, preflight.Options{},
			[]preflight.Message{
				saidItem(u, "", "q"), saidItem(a, "msg_1", "a"), saidItem(u, "", "q"),
				thoughtItem("rs_2", "e"), saidItem(a, "msg_2", "b"),
			}, "user q | msg_1:assistant a | user q | rs_2:reasoning e | msg_2:assistant b", nil},
		{"… of a model that does not reason", plain, preflight.Options{},
			[]preflight.Message{saidItem(u, "", "q"), saidItem(a, "msg_1", "a")},
			"user q | msg_1:assistant a", nil},
		{"… of a request without storage", stateless, preflight.Options{},
			[]preflight.Message{saidItem(u, "", "q"), saidItem(a, "msg_1", "a")},
			"user q | msg_1:assistant a", nil},
		{"… after what the provider holds", stored, chained,
			[]preflight.Message{saidItem(a, "msg_1", "a")}, "msg_1:assistant a", nil},
		{"… after a reference", stored, preflight.Options{},
			[]preflight.Message{reference(), saidItem(a, "msg_1", "a")},
			"other | msg_1:assistant a", nil},
		{"reasoning without a follower, in a row", stored, preflight.Options{},
			[]preflight.Message{
				saidItem(u, "", "q"), thoughtItem("rs_1", ""), thoughtItem("rs_2", ""),
				saidItem(u, "", "next"),
			}, "user q | user next", []problems.Problem{problems.ReasoningAlone, problems.ReasoningAlone}},
		{"reasoning torn from its follower by a message in between", stored, preflight.Options{},
			[]preflight.Message{
				saidItem(u, "", "q"), thoughtItem("rs_1", ""), saidItem(u, "", "next"),
				saidItem(a, "msg_1", "a"),
			}, "user q | user next | assistant a", []problems.Problem{problems.ReasoningAlone}},
		{"… by a result", stored, preflight.Options{},
			[]preflight.Message{
				calledItem("", "c", ""), thoughtItem("rs_1", ""), answeredItem("c", "", "r"),
				saidItem(a, "msg_1", "a"),
			}, "call c | result c=r | assistant a", []problems.Problem{problems.ReasoningAlone}},
		{"reasoning at the very end", stored, preflight.Options{},
			[]preflight.Message{saidItem(u, "", "q"), thoughtItem("rs_1", "e")}, "user q",
			[]problems.Problem{problems.ReasoningAlone}},
		// An answer that was cut off is reasoning alone, and the next request sends it back. OpenAI
		// refuses that where it stores what it is given (continuedev/continue#8933), and Azure in
		// any case (anomalyco/opencode#20698).
		{"reasoning sent in full, with no follower", stored, preflight.Options{},
			[]preflight.Message{
				saidItem(u, "", "q"), thoughtItem("rs_1", "e"), saidItem(u, "", "next"),
			}, "user q | user next", []problems.Problem{problems.ReasoningAlone}},
		{"… without storage", stateless, preflight.Options{},
			[]preflight.Message{
				saidItem(u, "", "q"), thoughtItem("rs_1", "e"), saidItem(u, "", "next"),
			}, "user q | rs_1:reasoning e | user next", nil},
		{"… without storage, on Azure", azureStateless, preflight.Options{},
			[]preflight.Message{
				saidItem(u, "", "q"), thoughtItem("rs_1", "e"), saidItem(u, "", "next"),
			}, "user q | user next", []problems.Problem{problems.ReasoningAlone}},
		{"… on Azure, before an item without an id", azureStateless, preflight.Options{},
			[]preflight.Message{
				saidItem(u, "", "q"), thoughtItem("rs_1", "e"), saidItem(a, "", "a"),
			}, "user q | rs_1:reasoning e | assistant a", nil},
		// Gateways before OpenAI give reasoning ids of their own (jlcodes99/cockpit-tools#2090).
		{"reasoning with the id of another kind", stored, preflight.Options{},
			[]preflight.Message{thoughtItem("item_1", "e"), saidItem(a, "msg_1", "a")},
			"assistant a", []problems.Problem{problems.ItemIDPrefix}},
		{"… without storage", stateless, preflight.Options{},
			[]preflight.Message{thoughtItem("item_1", "e"), saidItem(a, "msg_1", "a")},
			"reasoning e | assistant a", []problems.Problem{problems.ItemIDPrefix}},
		{"ids that are refused, used twice, or of another kind", stored, preflight.Options{},
			[]preflight.Message{
				thoughtItem("rs_1", "e"),
				saidItem(a, "msg_1", "a"),
				saidItem(a, "msg_1", "b"),
				saidItem(a, "fc_1", "c"),
				saidItem(a, "msg:1", "d"),
				saidItem(a, "msg_"+strings.Repeat("c", 61), "e"),
				saidItem(a, "msg_", "f"),
			},
			"rs_1:reasoning e | msg_1:assistant a | assistant b | assistant c | assistant d | " +
				"assistant e | assistant f",
			[]problems.Problem{
				problems.ItemDuplicate, problems.ItemIDPrefix, problems.ItemID,
				problems.ItemIDLength, problems.ItemID,
			}},
		// The ids of items of the provider's own tools are required (openai-go v3.96.0).
		{"a copy of an item that keeps its id, and another one with the same", stored,
			preflight.Options{},
			[]preflight.Message{
				saidItem(u, "", "q"), servedItem("mcp_1", "mcp_call", "1"),
				servedItem("mcp_1", "mcp_call", "1"), servedItem("mcp_1", "mcp_call", "2"),
				servedItem("mcp_1_2", "mcp_call", "3"), servedItem("search:1", "web_search_call", "4"),
			}, "user q | mcp_1:1 | mcp_1_2:2 | mcp_1_2_2:3 | ws_search_1_2:4",
			[]problems.Problem{problems.ItemDuplicate, problems.ItemDuplicate, problems.ItemID}},
		{"an item that keeps its id after reasoning that is gone", stored, preflight.Options{},
			[]preflight.Message{
				thoughtItem("reasoning:1", "e"), servedItem("ws_1", "web_search_call", "1"),
				saidItem(a, "msg_1", "a"), saidItem(u, "", "q"),
			}, "reasoning e | ws_1_2:1 | assistant a | user q",
			[]problems.Problem{problems.ItemID}},
		{"reasoning that loses its id", stored, preflight.Options{},
			[]preflight.Message{
				thoughtItem("reasoning:1", "e"), saidItem(a, "msg_1", "a"), saidItem(u, "", "q"),
			}, "reasoning e | assistant a | user q", []problems.Problem{problems.ItemID}},
		{"results anywhere after their calls", stored, preflight.Options{},
			[]preflight.Message{
				calledItem("", "c", ""), calledItem("", "d", ""), saidItem(u, "", "q"),
				answeredItem("d", "", "2"), saidItem(a, "", "a"), answeredItem("c", "", "1"),
			}, "call c | call d | user q | result d=2 | assistant a | result c=1", nil},
		{"a result before its call moves there", stored, preflight.Options{},
			[]preflight.Message{
				answeredItem("c", "", "r"), saidItem(u, "", "q"), calledItem("", "c", ""),
				saidItem(u, "", "next"),
			}, "user q | call c | result c=r | user next",
			[]problems.Problem{problems.Orphan, problems.Dangling}},
		{"a duplicate is not the answer of a later call", stored, preflight.Options{},
			[]preflight.Message{
				calledItem("", "c", ""), answeredItem("c", "", "r"), answeredItem("c", "", "s"),
				calledItem("", "c", ""),
			}, "call c | result c=r=s", []problems.Problem{problems.DuplicateResult, problems.Dangling}},
		{"a result of another kind, the only one of its call, becomes one of the call's kind",
			stored, preflight.Options{},
			[]preflight.Message{
				saidItem(u, "", "q"), calledItem("", "c", ""), answeredItem("c", "custom", "r"),
			}, "user q | call c | result c=r", []problems.Problem{problems.Dangling, problems.Orphan}},
		{"an inserted answer is of its call's kind", stored, answer,
			[]preflight.Message{
				saidItem(u, "", "q"), calledItem("", "c", "custom"),
				calledItem("", "d", "local_shell_call"), saidItem(u, "", "next"),
			},
			"user q | call ccustom | call dlocal_shell_call | result ccustom=x | result " +
				"dlocal_shell_call=x | user next",
			[]problems.Problem{problems.Dangling, problems.Dangling}},
		{"a call that no text can answer", stored, answer,
			[]preflight.Message{saidItem(u, "", "q"), calledItem("", "c", "computer_call")},
			"user q", []problems.Problem{problems.Dangling}},
		{"an inserted answer comes after its call, where a later one has its id", stored, answer,
			[]preflight.Message{
				calledItem("", "c", ""), saidItem(u, "", "q"), calledItem("", "c", ""),
				saidItem(u, "", "q"), answeredItem("c", "", "r"), saidItem(u, "", "q"),
			}, "call c | result c=x | user q | call c | user q | result c=r | user q",
			[]problems.Problem{problems.Dangling}},
		{"a turn with reasoning the provider holds is not cut", stored,
			preflight.Options{DanglingText: "x"},
			[]preflight.Message{
				saidItem(u, "", "q"), thoughtItem("rs_1", ""), calledItem("fc_1", "c", ""),
				saidItem(u, "", "next"),
			}, "user q | rs_1:reasoning  | fc_1:call c | result c=x | user next",
			[]problems.Problem{problems.Dangling}},
		{"a result for what the provider holds", stored, chained,
			[]preflight.Message{answeredItem("c", "", "r")}, "result c=r", nil},
		{"a result after a reference, and one before it", stored, preflight.Options{},
			[]preflight.Message{
				saidItem(u, "", "q"), answeredItem("c", "", "r"), reference(),
				answeredItem("d", "", "s"),
			}, "user q | other | result d=s", []problems.Problem{problems.Orphan}},

		{"parts that are items of their own", stored, preflight.Options{},
			[]preflight.Message{
				{
					Role: a,
					Parts: []preflight.Part{
						&preflight.Reasoning{Opaque: "e"},
						says("a"),
						&preflight.ToolCall{ID: "c", Name: "f", Input: json.RawMessage(`{}`)},
					},
				},
				answeredItem("c", "", "r"),
			}, "reasoning e | assistant a | call c | result c=r",
			[]problems.Problem{problems.ItemMixed}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			var problems []problems.Problem
			for _, v := range preflight.Check(c.in, &c.profile, &c.options) {
				problems = append(problems, v.Problem)
			}
			slices.Sort(problems)
			slices.Sort(c.problems)
			require.Empty(t, cmp.Diff(c.problems, problems))
			res, err := preflight.Sanitize(t.Context(), c.in, &c.profile, &c.options)
			require.NoError(t, err)
			require.Equal(t, c.want, outlineItems(res.Messages))
			require.Equal(t, len(c.problems) > 0, res.Changed)
			require.Empty(t, preflight.Check(res.Messages, &c.profile, &c.options))
		})
	}
}

// TestEmptyMessagesPartNoItems: what has no parts yet is no item.
func TestEmptyMessagesPartNoItems(t *testing.T) {
	runFixer(t, preflight.Fixers.NormalizeItems, []fixerCase{
		{
			name:    "between reasoning and what it led to",
			profile: *provider.OpenAIResponses(""),
			alone:   true,
			in: history(saidItem(preflight.RoleUser, "", "q"), botMsg(),
				thoughtItem("rs_1", ""), botMsg(), userMsg(),
				saidItem(preflight.RoleAssistant, "msg_1", "a")),
		},
	})
}
