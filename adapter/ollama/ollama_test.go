package preflightollama_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/ollama/ollama/api"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	preflightollama "github.com/go-preflight/preflight/adapter/ollama"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/wire"
)

func call(name string, arguments ...any) api.ToolCall {
	args := api.NewToolCallFunctionArguments()
	for i := 0; i+1 < len(arguments); i += 2 {
		args.Set(arguments[i].(string), arguments[i+1])
	}
	return api.ToolCall{Function: api.ToolCallFunction{Name: name, Arguments: args}}
}

func TestMessages(t *testing.T) {
	user := api.Message{Role: "user", Content: "a", Images: []api.ImageData{[]byte("\xff\xfeP")}}
	kept := call("f", "z", json.Number("12345678901234567890"), "a", json.Number("1.0"), "n",
		map[string]any{"deep": json.Number("1e400")})
	kept.Function.Index = 3
	two := api.Message{
		Role:      "assistant",
		Content:   "t\x00",
		Thinking:  "hm",
		Images:    []api.ImageData{[]byte("out")},
		ToolCalls: []api.ToolCall{kept, call("g")},
	}
	in := []api.Message{
		user,
		two,
		{Role: "tool", ToolName: "h", Content: "of no call"},
		{Role: "tool", ToolName: "f", Content: "r"},
		user,
	}
	before := clienttest.JSON(t, in)
	out, warnings, err := preflightollama.Messages(context.Background(), in, nil)
	if err != nil || len(warnings) != 1 || len(out) != 5 {
		t.Fatalf("%v %v %v", err, warnings, out)
	}
	want := `{"role":"assistant","content":"t","thinking":"hm","images":["b3V0"],` +
		`"tool_calls":[{"function":{"index":3,"name":"f","arguments":{"z":12345678901234567890,` +
		`"a":1.0,"n":{"deep":1e400}}}},{"function":{"index":0,"name":"g","arguments":{}}}]}`
	if got := clienttest.JSON(t, out[1]); got != want {
		t.Errorf("the changed message\n is   %s\n want %s", got, want)
	}
	if &out[0].Images[0] != &user.Images[0] || &out[4].Images[0] != &user.Images[0] ||
		out[3].Content != "r" {
		t.Error("messages that needed no repair are not the caller's own")
	}
	if clienttest.JSON(t, in) != before {
		t.Error("the input was written to")
	}
}

// TestRepairsFit: what the repairs of all kinds of damage make, the SDK's types can hold, and what
// they then say is in order.
func TestRepairsFit(t *testing.T) {
	user := api.Message{Role: "user", Content: "a"}
	ask := api.Message{Role: "assistant", ToolCalls: []api.ToolCall{call("f g", "a", 1)}}
	histories := map[string][]api.Message{
		"an open call":    {user, ask, user},
		"an empty result": {user, ask, {Role: "tool", ToolName: "f g"}, user},
		"an empty turn":   {user, {Role: "assistant"}, user},
		"roles of other formats": {{Role: "developer", Content: "s"}, {Role: "human", Content: "a"},
			{Role: "model", Content: "b"}, {Role: "function", ToolName: "f", Content: "r"}, user},
		"a system message late": {user, {Role: "assistant", Content: "b"},
			{Role: "system", Content: "s"}, user},
		"a result turns too late": {user, ask, user, {Role: "assistant", Content: "b"},
			{Role: "tool", ToolName: "f g", Content: "r"}, user},
		"two results of one call with ids": {user,
			{
				Role:      "assistant",
				ToolCalls: []api.ToolCall{{ID: "c", Function: ask.ToolCalls[0].Function}},
			}, {Role: "tool", ToolCallID: "c", Content: "r"},
			{Role: "tool", ToolCallID: "c", Content: "s"}, user},
		"text that is no UTF-8": {user, {Role: "assistant", Content: "b\xff"}, user},
		"a picture in a result, no content": {user, ask,
			{Role: "tool", ToolName: "f g", Images: []api.ImageData{[]byte("p")}}, user},
	}
	hook := func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
		more := preflight.Message{
			Role: preflight.RoleAssistant,
			Parts: []preflight.Part{
				&preflight.ToolCall{ID: "x", Name: "hooked", Input: []byte(`{"n":1.0}`)},
			},
		}
		result := preflight.Message{
			Role: preflight.RoleTool,
			Parts: []preflight.Part{
				&preflight.ToolResult{
					CallID:  "x",
					Name:    "hooked",
					Content: []preflight.Part{&preflight.Text{Text: "r"}},
				},
			},
		}
		return append(h, more, result), nil
	}
	for name, history := range histories {
		for _, hooks := range [][]preflight.Hook{nil, {{Name: "more", History: hook}}} {
			options := &wire.Options{
				Provider: "ollama",
				Options:  preflight.Options{Dangling: preflight.DanglingAnswer, Hooks: hooks},
			}
			out, _, err := preflightollama.Messages(context.Background(), history, options)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			report, err := wire.Check([]byte(clienttest.JSON(t, out)), options)
			if err != nil || len(report.Violations) > 0 {
				t.Errorf("%s: %v %v", name, err, report)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	user := api.Message{Role: "user", Content: "a"}
	var e *adapter.MessageError
	in := []api.Message{
		user,
		{Role: "assistant", ToolCalls: []api.ToolCall{call("f", "x", math.NaN())}},
	}
	out, _, err := preflightollama.Messages(context.Background(), in, nil)
	if !errors.As(err, &e) || e.Message != 1 || e.Reading || len(out) != 2 {
		t.Error(err)
	}
	request := &api.ChatRequest{Model: "qwen3", Messages: in}
	if same, _, err := preflightollama.Request(context.Background(), request, nil); !errors.As(err,
		&e) || e.Message != 1 || same != request {
		t.Error(err)
	}
	if _, _, err := preflightollama.Messages(context.Background(), nil, nil); !errors.Is(err,
		preflight.ErrEmptyHistory) {
		t.Error(err)
	}
	for _, empty := range []*api.ChatRequest{
		nil,
		{Model: "qwen3"},
		{Model: "qwen3", Messages: []api.Message{}},
	} {
		if same, warnings, err := preflightollama.Request(context.Background(), empty, nil); err !=
			nil || same != empty || warnings != nil {
			t.Errorf("%v: %v", empty, err)
		}
	}
}

// TestUnfitMember: JSON that the type has no place for is an error and not a loss.
func TestUnfitMember(t *testing.T) {
	user := api.Message{Role: "user", Content: "a"}
	hook := func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
		h = append([]preflight.Message(nil), h...)
		h[0].Native.JSON = []byte(`{"role":"user","content":"a","name":"someone"}`)
		h[0].Parts = []preflight.Part{&preflight.Text{Text: "b"}}
		return h, nil
	}
	out, _, err := preflightollama.Messages(context.Background(), []api.Message{user},
		&wire.Options{
			Options: preflight.Options{Hooks: []preflight.Hook{{Name: "named", History: hook}}},
		})
	if !errors.Is(err, adapter.ErrInexact) || len(out) != 1 || out[0].Content != "a" {
		t.Errorf("%v %v", out, err)
	}
}
