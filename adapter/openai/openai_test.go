package preflightopenai_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	preflightopenai "github.com/go-preflight/preflight/adapter/openai"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/wire"
)

func rawMessage(s string) openai.ChatCompletionMessageParamUnion {
	return param.Override[openai.ChatCompletionMessageParamUnion](json.RawMessage(s))
}

func rawItem(s string) responses.ResponseInputItemUnionParam {
	return param.Override[responses.ResponseInputItemUnionParam](json.RawMessage(s))
}

// requireSent checks what is sent for the elements of out: want has JSON, or "=" and the index of
// the caller's value.
func requireSent[T any](t *testing.T, in, out []T, want []string) {
	t.Helper()
	if len(out) != len(want) {
		t.Fatalf("%d elements, want %d: %s", len(out), len(want), clienttest.JSON(t, out))
	}
	for i, w := range want {
		if from, ok := strings.CutPrefix(w, "="); ok {
			w = clienttest.JSON(t, in[from[0]-'0'])
		}
		if got := clienttest.JSON(t, out[i]); !adapter.Equal([]byte(got), []byte(w)) {
			t.Errorf("element %d\n got  %s\n want %s", i, got, w)
		}
	}
}

func TestChat(t *testing.T) {
	const (
		call1 = `{"id":"call_1","type":"function","function":{"name":"f",` +
			`"arguments":"{\"n\":12345678901234567890}"},"x":1.0}`
		call2 = `{"id":"call_2","type":"function","function":{"name":"g","arguments":"{}"}}`
	)
	tests := []struct {
		name    string
		in      []openai.ChatCompletionMessageParamUnion
		options *wire.Options
		want    []string
		roles   []string // whose fields are set in the result; "" for raw JSON
	}{
		{"nothing to do",
			[]openai.ChatCompletionMessageParamUnion{
				openai.UserMessage("a"),
				rawMessage(`{"role":"assistant","content":"b","x":1.0}`),
			}, nil, []string{"=0", "=1"}, nil},
		{"a call goes from a message with fields that the SDK does not know",
			[]openai.ChatCompletionMessageParamUnion{
				openai.UserMessage("a"),
				rawMessage(`{"role":"assistant","content":null,"reasoning_content":"hm",` +
					`"tool_calls":[` +
					call1 + `,` + call2 + `]}`), openai.ToolMessage("r", "call_1"),
				openai.UserMessage("b")}, nil,
			[]string{
				"=0",
				`{"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[` +
					call1 + `]}`,
				"=2",
				"=3",
			}, nil},
		{"an inserted result is typed",
			[]openai.ChatCompletionMessageParamUnion{
				openai.UserMessage("a"),
				rawMessage(`{"role":"assistant","tool_calls":[` + call1 + `]}`),
				openai.UserMessage("b"),
			},
			&wire.Options{
				Options: preflight.Options{Dangling: preflight.DanglingAnswer, DanglingText: "no"},
			}, []string{"=0", "=1", `{"role":"tool","tool_call_id":"call_1","content":"no"}`, "=2"},
			[]string{"user", "", "tool", "user"}},
		{"a late result moves and is the caller's own",
			[]openai.ChatCompletionMessageParamUnion{
				openai.UserMessage("a"),
				rawMessage(`{"role":"assistant","tool_calls":[` + call1 + `]}`),
				openai.UserMessage("b"),
				openai.ToolMessage("late", "call_1"),
			}, nil, []string{"=0", "=1", "=3", "=2"}, []string{"user", "", "tool", "user"}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			before := clienttest.JSON(t, c.in)
			out, warnings, err := preflightopenai.Chat(context.Background(), c.in, c.options)
			if err != nil {
				t.Fatal(err)
			}
			requireSent(t, c.in, out, c.want)
			for i, want := range c.roles {
				if role := variantOf(out[i]); role != want {
					t.Errorf("the fields of messages[%d] are those of %q, want %q", i, role, want)
				}
			}
			if clienttest.JSON(t, c.in) != before {
				t.Error("the input was written to")
			}
			if len(warnings) == 0 && &out[0] != &c.in[0] {
				t.Error("not the caller's own slice")
			}
		})
	}
}

// variantOf is the role whose fields are set, "" for none.
func variantOf(m openai.ChatCompletionMessageParamUnion) string {
	switch {
	case m.OfUser != nil:
		return "user"
	case m.OfAssistant != nil:
		return "assistant"
	case m.OfTool != nil:
		return "tool"
	}
	return ""
}

// TestDialect: hosts that are reached through this SDK have rules of their own, such as Mistral
// about ids.
func TestDialect(t *testing.T) {
	assistant := openai.AssistantMessage("")
	assistant.OfAssistant.ToolCalls = []openai.ChatCompletionMessageToolCallUnionParam{
		{
			OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
				ID: "call_with_a_long_id",
				Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{
					Name:      "f",
					Arguments: "{}",
				},
			},
		},
	}
	in := []openai.ChatCompletionMessageParamUnion{
		openai.UserMessage("a"),
		assistant,
		openai.ToolMessage("r", "call_with_a_long_id"),
	}
	out, _, err := preflightopenai.Chat(context.Background(), in,
		&wire.Options{Provider: "mistral"})
	if err != nil || len(out) != 3 || out[1].OfAssistant == nil || out[2].OfTool == nil {
		t.Fatalf("%v %s", err, clienttest.JSON(t, out))
	}
	id := out[2].OfTool.ToolCallID
	if called := *out[1].OfAssistant.ToolCalls[0].GetID(); len(id) != 9 || called != id {
		t.Errorf("the call has the id %q and its result %q; Mistral wants nine characters", called,
			id)
	}
	if id := *assistant.OfAssistant.ToolCalls[0].GetID(); id != "call_with_a_long_id" {
		t.Error("the input was written to")
	}
}

func TestResponses(t *testing.T) {
	const (
		reasoning = `{"id":"rs_1","type":"reasoning","summary":[],` +
			`"encrypted_content":"b3BhcXVl","x":1.0}`
		call = `{"id":"fc_1","type":"function_call","call_id":"call_1","name":"f",` +
			`"arguments":"{\"n\":12345678901234567890}","status":"completed"}`
	)
	in := responses.ResponseInputParam{
		rawItem(`{"role":"user","content":"a"}`), rawItem(reasoning), rawItem(call),
		rawItem(`{"role":"user","content":"b"}`),
	}
	out, warnings, err := preflightopenai.Responses(context.Background(), in, nil)
	if err != nil || len(warnings) != 1 {
		t.Fatal(warnings, err)
	}
	requireSent(t, in, out, []string{
		"=0",
		"=1",
		"=2",
		`{"type":"function_call_output","call_id":"call_1",` +
			`"output":"Tool call was interrupted before a result was recorded."}`,
		"=3",
	})
	if out[3].OfFunctionCallOutput == nil || out[3].OfFunctionCallOutput.CallID.Value != "call_1" {
		t.Error("the inserted result is not typed")
	}
}

func TestParams(t *testing.T) {
	t.Run("an input that is a string", func(t *testing.T) {
		params := responses.ResponseNewParams{
			Model: "gpt-5.4",
			Input: responses.ResponseNewParamsInputUnion{OfString: openai.String("a\x00b")},
		}
		out, warnings, err := preflightopenai.ResponseParams(context.Background(), params, nil)
		if err != nil || len(warnings) != 1 || out.Input.OfString.Value != "ab" ||
			params.Input.OfString.Value != "a\x00b" {
			t.Errorf("%v %v %q", err, warnings, out.Input.OfString.Value)
		}
	})
	t.Run("an input that is raw JSON", func(t *testing.T) {
		input := param.Override[responses.ResponseNewParamsInputUnion](json.RawMessage(
			`[{"role":"user","content":"a"},` +
				`{"type":"function_call_output","call_id":"c1","output":"r"}]`))
		out, warnings, err := preflightopenai.ResponseParams(context.Background(),
			responses.ResponseNewParams{Model: "gpt-5.4", Input: input}, nil)
		if got := clienttest.JSON(t, out); err != nil || len(warnings) != 1 ||
			!adapter.Equal([]byte(got),
				[]byte(`{"model":"gpt-5.4","input":[{"role":"user","content":"a"}]}`)) {
			t.Errorf("%v %v %s", err, warnings, got)
		}
	})
	t.Run("what a host adds by extra fields stays", func(t *testing.T) {
		params := openai.ChatCompletionNewParams{
			Model: "deepseek-chat",
			Messages: []openai.ChatCompletionMessageParamUnion{
				openai.UserMessage("a"), openai.ToolMessage("r", "call_1"),
			},
		}
		params.SetExtraFields(map[string]any{"thinking": map[string]any{"type": "disabled"}})
		out, warnings, err := preflightopenai.ChatParams(context.Background(), params,
			&wire.Options{Provider: "deepseek"})
		if got := clienttest.JSON(t, out); err != nil || len(warnings) != 1 ||
			!adapter.Equal([]byte(got),
				[]byte(`{"model":"deepseek-chat","messages":[{"role":"user","content":"a"}],`+
					`"thinking":{"type":"disabled"}}`)) {
			t.Errorf("%v %v %s", err, warnings, got)
		}
	})
}

func TestErrors(t *testing.T) {
	_, _, err := preflightopenai.Chat(context.Background(), nil, nil)
	if !errors.Is(err, preflight.ErrEmptyHistory) {
		t.Error(err)
	}
	bad := []openai.ChatCompletionMessageParamUnion{
		openai.UserMessage("a"),
		{
			OfUser: &openai.ChatCompletionUserMessageParam{},
			OfTool: &openai.ChatCompletionToolMessageParam{ToolCallID: "c"},
		},
	}
	var e *adapter.MessageError
	out, _, err := preflightopenai.Chat(context.Background(), bad, nil)
	if !errors.As(err, &e) || e.Message != 1 || len(out) != 2 {
		t.Error(err)
	}
	if _, _, err = preflightopenai.ChatParams(context.Background(),
		openai.ChatCompletionNewParams{Messages: bad}, nil); !errors.As(
		err, &e) || e.Message != 1 {
		t.Error(err)
	}
}
