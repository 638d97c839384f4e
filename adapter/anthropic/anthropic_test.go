package preflightanthropic_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	preflightanthropic "github.com/go-preflight/preflight/adapter/anthropic"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/wire"
)

func user(text string) anthropic.MessageParam {
	return anthropic.NewUserMessage(anthropic.NewTextBlock(text))
}

func raw(s string) anthropic.MessageParam {
	return param.Override[anthropic.MessageParam](json.RawMessage(s))
}

func TestMessages(t *testing.T) {
	const (
		future = `{"role":"user","content":[{"type":"future_block","id":"x",` +
			`"size":12345678901234567890,"text":null}]}`
		thinking = `{"type":"thinking","thinking":"hm","signature":"c2ln"},` +
			`{"type":"redacted_thinking","data":"b3BhcXVl"}`
		answered = `"Tool call was interrupted before a result was recorded."`
	)
	tests := []struct {
		name string
		in   []anthropic.MessageParam
		want []string // what is sent; "=" for the caller's value at that index
		role []string // the roles that the typed fields show, where they have to
	}{
		{"nothing to do",
			[]anthropic.MessageParam{
				user("a"), raw(`{"role":"assistant","content":"b"}`), user("c"),
			}, []string{"=", "=", "="}, nil},
		{"typed neighbours become one typed message",
			[]anthropic.MessageParam{user("a"), user("b")},
			[]string{
				`{"content":[{"text":"a","type":"text"},{"text":"b","type":"text"}],"role":"user"}`,
			}, []string{"user"}},
		{"unknown blocks, long numbers and null survive a merge",
			[]anthropic.MessageParam{user("a"), raw(future)},
			[]string{
				`{"content":[{"text":"a","type":"text"},` +
					`{"type":"future_block","id":"x","size":12345678901234567890,"text":null}],` +
					`"role":"user"}`,
			}, []string{"user"}},
		{"so do unknown members of the message",
			[]anthropic.MessageParam{raw(`{"role":"user","content":"a","seen":1.0}`), user("b")},
			[]string{
				`{"role":"user","content":[{"type":"text","text":"a"},` +
					`{"text":"b","type":"text"}],"seen":1.0}`,
			}, nil},
		{"a signed turn with an open call is answered, and untouched",
			[]anthropic.MessageParam{
				user("a"),
				raw(`{"role":"assistant","content":[` + thinking +
					`,{"type":"tool_use","id":"toolu_1","name":"run",` +
					`"input":{"n":12345678901234567890}}]}`),
				user("b"),
			},
			[]string{
				"=",
				"=",
				`{"content":[{"type":"tool_result","tool_use_id":"toolu_1","content":` + answered +
					`,"is_error":true},{"text":"b","type":"text"}],"role":"user"}`,
			}, []string{"user", "", "user"}},
		{"the cache breakpoint of a removed call moves to its neighbour",
			[]anthropic.MessageParam{
				user("a"),
				raw(`{"role":"assistant","content":[{"type":"text","text":"b"},` +
					`{"type":"tool_use","id":"toolu_1","name":"run","input":{},` +
					`"cache_control":{"type":"ephemeral","ttl":"1h"}}]}`),
				user("c"),
			},
			[]string{
				"=",
				`{"role":"assistant","content":[{"type":"text","text":"b",` +
					`"cache_control":{"type":"ephemeral","ttl":"1h"}}]}`,
				"=",
			}, []string{"user", "assistant", "user"}},
		{"a message without anything in it goes", []anthropic.MessageParam{user("a"), {}},
			[]string{"="}, nil},
		{"and so does one that is null",
			[]anthropic.MessageParam{user("a"), param.NullStruct[anthropic.MessageParam]()},
			[]string{"="}, nil},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			before := clienttest.JSON(t, c.in)
			options := &wire.Options{Portable: true} // Anthropic's own API joins neighbours itself
			out, warnings, err := preflightanthropic.Messages(context.Background(), c.in, options)
			if err != nil {
				t.Fatal(err)
			}
			if after := clienttest.JSON(t, c.in); after != before {
				t.Errorf("the input was written to\n was %s\n is  %s", before, after)
			}
			if len(out) != len(c.want) {
				t.Fatalf("%d messages, want %d: %s", len(out), len(c.want), clienttest.JSON(t, out))
			}
			same := len(c.in) == len(c.want)
			for i, want := range c.want {
				if want == "=" {
					want = clienttest.JSON(t, c.in[i])
				} else {
					same = false
				}
				if got := clienttest.JSON(t, out[i]); !adapter.Equal([]byte(got), []byte(want)) {
					t.Errorf("messages[%d]\n got  %s\n want %s", i, got, want)
				}
			}
			for i, role := range c.role {
				if string(out[i].Role) != role {
					t.Errorf("messages[%d] shows the role %q, want %q", i, out[i].Role, role)
				}
			}
			if same != (len(warnings) == 0) || same != sameSlice(out, c.in) {
				t.Errorf("%d warnings; the caller's slice: %v", len(warnings), sameSlice(out, c.in))
			}
		})
	}
}

func TestMessagesErrors(t *testing.T) {
	tests := []struct {
		name string
		in   []anthropic.MessageParam
		want error
	}{
		{"no messages", nil, preflight.ErrEmptyHistory},
		{"arguments that are not JSON",
			[]anthropic.MessageParam{
				user("a"),
				anthropic.NewAssistantMessage(anthropic.NewToolUseBlock("toolu_1",
					json.RawMessage(`{"a":`), "run")),
			}, adapter.ErrMessage},
		{"a number that JSON cannot say",
			[]anthropic.MessageParam{
				anthropic.NewAssistantMessage(anthropic.NewToolUseBlock("toolu_1", math.NaN(),
					"run")),
			}, adapter.ErrMessage},
		{"deep nesting",
			[]anthropic.MessageParam{
				raw(`{"role":"user","content":` + strings.Repeat("[", 5000) +
					strings.Repeat("]", 5000) + `}`),
			}, wire.ErrNotARequest},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			out, warnings, err := preflightanthropic.Messages(context.Background(), c.in, nil)
			if !errors.Is(err, c.want) || warnings != nil || !sameSlice(out, c.in) {
				t.Errorf("error %v, warnings %v, want %v and the messages back", err, warnings,
					c.want)
			}
		})
	}
}

// TestParams: what is next to the messages is repaired in the typed fields, or where the caller
// put it.
func TestParams(t *testing.T) {
	open := []anthropic.MessageParam{
		user("a"),
		raw(`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"run",` +
			`"input":{}}]}`),
		anthropic.NewUserMessage(anthropic.NewToolResultBlock("toolu_1", "ok", false)),
	}
	base := anthropic.MessageNewParams{Model: "claude-sonnet-4-5", MaxTokens: 10}

	t.Run("tools that the history uses are declared in Tools", func(t *testing.T) {
		params := base
		params.Messages = open
		out, warnings, err := preflightanthropic.Params(context.Background(), params,
			&wire.Options{Provider: "bedrock-anthropic"})
		if err != nil || len(warnings) != 1 || len(out.Tools) != 1 ||
			out.Tools[0].GetName() == nil || *out.Tools[0].GetName() != "run" {
			t.Fatalf("%v %v %s", err, warnings, clienttest.JSON(t, out))
		}
		if !sameSlice(out.Messages, open) || params.Tools != nil {
			t.Error("the messages are not the caller's own, or the caller's params were changed")
		}
	})
	t.Run("a leading system message goes to System", func(t *testing.T) {
		params := base
		params.Messages = append([]anthropic.MessageParam{
			{
				Role:    "system",
				Content: []anthropic.ContentBlockParamUnion{anthropic.NewTextBlock("Be brief.")},
			},
		}, user("a"))
		out, _, err := preflightanthropic.Params(context.Background(), params, nil)
		if err != nil || len(out.System) != 1 || out.System[0].Text != "Be brief." ||
			len(out.Messages) != 1 {
			t.Fatalf("%v %s", err, clienttest.JSON(t, out))
		}
	})
	for _, c := range []struct{ name, field, value, container string }{
		{"a container of no use is taken out, header fields and extra fields stay",
			"context_management", `{"edits":[],"n":1.0}`, ""},
		{"a container stays beside a field that nobody knows",
			"beta_thing", `{"n":1.0}`, `"container":"container_1",`},
	} {
		t.Run(c.name, func(t *testing.T) {
			params := base
			params.Messages = []anthropic.MessageParam{user("a")}
			params.WorkspaceID = anthropic.String("wrkspc_1")
			params.SetExtraFields(map[string]any{
				"container": "container_1", c.field: json.RawMessage(c.value),
			})
			out, _, err := preflightanthropic.Params(context.Background(), params, nil)
			want := `{"model":"claude-sonnet-4-5","max_tokens":10,"messages":[{"role":"user",` +
				`"content":[{"type":"text","text":"a"}]}],` + c.container +
				`"` + c.field + `":` + c.value + `}`
			got := clienttest.JSON(t, out)
			if err != nil || !adapter.Equal([]byte(got), []byte(want)) {
				t.Errorf("%v\n got  %s\n want %s", err, got, want)
			}
			if out.WorkspaceID != params.WorkspaceID || len(params.ExtraFields()) != 2 {
				t.Error("a header field is lost, or the caller's extra fields were changed")
			}
		})
	}
	t.Run("params that are raw JSON stay so", func(t *testing.T) {
		params := param.Override[anthropic.MessageNewParams](json.RawMessage(
			`{"model":"claude-sonnet-4-5","max_tokens":10,"future":1.0,` +
				`"messages":[{"role":"user","content":"a"},{"role":"user","content":"b"}]}`))
		params.Messages = []anthropic.MessageParam{user("not sent"), user("not sent either")}
		out, warnings, err := preflightanthropic.Params(context.Background(), params,
			&wire.Options{Portable: true})
		if got, want := clienttest.JSON(t,
			out), `{"model":"claude-sonnet-4-5","max_tokens":10,"future":1.0,`+
			`"messages":[{"role":"user","content":[{"type":"text","text":"a"},`+
			`{"type":"text","text":"b"}]}]}`; err !=
			nil || len(warnings) != 1 || !adapter.Equal([]byte(got), []byte(want)) {
			t.Errorf("%v %v\n got  %s\n want %s", err, warnings, got, want)
		}
	})
	t.Run("the beta API", func(t *testing.T) {
		params := anthropic.BetaMessageNewParams{
			Model:     "claude-sonnet-4-5",
			MaxTokens: 10,
			Messages: []anthropic.BetaMessageParam{
				anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("a")),
				anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("b"))},
		}
		out, warnings, err := preflightanthropic.BetaParams(context.Background(), params,
			&wire.Options{Portable: true})
		if err != nil || len(warnings) != 1 || len(out.Messages) != 1 ||
			len(out.Messages[0].Content) != 2 {
			t.Errorf("%v %v %s", err, warnings, clienttest.JSON(t, out))
		}
	})
}
