package preflighteino_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/cloudwego/eino/schema"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	preflighteino "github.com/go-preflight/preflight/adapter/eino"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/wire"
)

func text(s string) *string { return &s }

func picture(mime string) *schema.MessageInputImage {
	return &schema.MessageInputImage{
		MessagePartCommon: schema.MessagePartCommon{
			Base64Data: text("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"),
			MIMEType:   mime,
			Extra:      map[string]any{"alt": "a dot"},
		},
		Detail: schema.ImageURLDetailLow,
	}
}

// TestMessages: what a repair is not about stays, in the messages that it changes too.
func TestMessages(t *testing.T) {
	index := 3
	ask := &schema.Message{
		Role:             schema.Assistant,
		Content:          "t",
		ReasoningContent: "hm",
		Extra:            map[string]any{"signature": []byte("abc")},
		ResponseMeta:     &schema.ResponseMeta{FinishReason: "tool_calls"},
		ToolCalls: []schema.ToolCall{
			{ID: "c0", Function: schema.FunctionCall{Name: "open"}},
			{
				Index: &index,
				ID:    "c1",
				Type:  "function",
				Function: schema.FunctionCall{
					Name:      "f",
					Arguments: `{"n":12345678901234567890, "x":"<>"}`,
				},
				Extra: map[string]any{"thought": 1},
			},
		},
	}
	mixed := &schema.Message{
		Role: schema.User,
		Name: "ada",
		UserInputMultiContent: []schema.MessageInputPart{
			{
				Type: schema.ChatMessagePartTypeText, Text: "bad \xff",
				Extra: map[string]any{"cache": true},
			},
			{Type: schema.ChatMessagePartTypeImageURL, Image: picture("image/png")},
			{Type: "hologram", Extra: map[string]any{"x": 1}},
		},
	}
	result := schema.ToolMessage("r", "c1", schema.WithToolName("f"))
	in := []*schema.Message{schema.SystemMessage("s"), schema.UserMessage("a"), ask, result, mixed}
	before := clienttest.JSON(t, in)

	out, warnings, err := preflighteino.Messages(context.Background(), in, nil)
	if err != nil || len(warnings) != 2 || len(out) != 5 {
		t.Fatalf("%v %v %v", err, warnings, out)
	}
	for _, i := range []int{0, 1, 3} {
		if out[i] != in[i] {
			t.Errorf("messages[%d] needed no repair and is not the caller's own", i)
		}
	}
	want := *ask
	want.ToolCalls = ask.ToolCalls[1:]
	if !reflect.DeepEqual(out[2], &want) || out[2] == ask {
		t.Errorf("the message that lost a call is %#v", out[2])
	}
	repaired := *mixed
	repaired.UserInputMultiContent = append([]schema.MessageInputPart(nil),
		mixed.UserInputMultiContent...)
	repaired.UserInputMultiContent[0].Text = "bad \uFFFD"
	if !reflect.DeepEqual(out[4], &repaired) ||
		out[4].UserInputMultiContent[1].Image != mixed.UserInputMultiContent[1].Image {
		t.Errorf("the message whose text was repaired is %#v", out[4])
	}
	if clienttest.JSON(t, in) != before || len(ask.ToolCalls) != 2 {
		t.Error("the input was written to")
	}
}

// TestJoined: messages that are joined keep what either has, in the list of the newer kind too.
func TestJoined(t *testing.T) {
	extra := map[string]any{"a": 1}
	in := []*schema.Message{
		{Role: schema.User, Content: "a", Extra: extra},
		{
			Role: schema.User, Extra: map[string]any{"a": 2, "cache": true},
			MultiContent: []schema.ChatMessagePart{
				{
					Type: schema.ChatMessagePartTypeImageURL,
					ImageURL: &schema.ChatMessageImageURL{
						URI: "https://example.org/a.png", Detail: "low", Extra: map[string]any{"x": 1},
					},
				},
			},
		},
	}
	out, _, err := preflighteino.Messages(context.Background(), in, &wire.Options{Portable: true})
	if err != nil || len(out) != 1 {
		t.Fatalf("%v %s", err, clienttest.JSON(t, out))
	}
	got := clienttest.JSON(t, out[0].UserInputMultiContent)
	want := `[{"type":"text","text":"a"},{"type":"image_url","image":{` +
		`"url":"https://example.org/a.png","extra":{"x":1},"detail":"low"}}]`
	if got != want {
		t.Errorf("the content is\n     %s\nwant %s", got, want)
	}
	if !reflect.DeepEqual(out[0].Extra, map[string]any{"a": 1, "cache": true}) || len(extra) != 1 {
		t.Errorf("the extra is %v, and the caller's %v", out[0].Extra, extra)
	}
}

// TestNewerReasoning: a turn with reasoning of a type that is not known here counts as signed.
func TestNewerReasoning(t *testing.T) {
	ask := schema.AssistantMessage("", []schema.ToolCall{{ID: "c1"}})
	ask.ToolCalls[0].Function = schema.FunctionCall{Name: "f", Arguments: "{}"}
	ask.AssistantGenMultiContent = []schema.MessageOutputPart{
		{Type: "reasoning", Extra: map[string]any{"x": 1}}, {Type: "text", Text: "b \xff"},
	}
	in := []*schema.Message{schema.UserMessage("a"), ask, schema.UserMessage("b")}
	out, warnings, err := preflighteino.Messages(context.Background(), in,
		&wire.Options{Provider: "anthropic"})
	if err != nil || len(warnings) != 2 || warnings[1].Code != "dangling-answered" ||
		!reflect.DeepEqual(out[1].AssistantGenMultiContent[0], ask.AssistantGenMultiContent[0]) {
		t.Errorf("%v %v %s", err, warnings, clienttest.JSON(t, out))
	}
}

// TestPlainLists: a repaired list of texts alone is a string, which all models send with the calls.
func TestPlainLists(t *testing.T) {
	ask := schema.AssistantMessage("", []schema.ToolCall{
		{ID: "c1", Function: schema.FunctionCall{Name: "f", Arguments: "{}"}},
	})
	ask.AssistantGenMultiContent = []schema.MessageOutputPart{{Type: "text", Text: "b \xff"}}
	answer := schema.ToolMessage("", "c1")
	answer.UserInputMultiContent = []schema.MessageInputPart{
		{Type: "text", Text: "r"},
		{Type: schema.ChatMessagePartTypeImageURL, Image: picture("image/png")},
	}
	out, _, err := preflighteino.Messages(context.Background(),
		[]*schema.Message{schema.UserMessage("a"), ask, answer}, nil)
	if err != nil || len(out) != 4 {
		t.Fatalf("%v %s", err, clienttest.JSON(t, out))
	}
	if out[1].Content != "b \uFFFD" || len(out[1].AssistantGenMultiContent) > 0 ||
		out[2].Content != "r\n(see the media in the next user message)" ||
		len(out[2].UserInputMultiContent) > 0 {
		t.Errorf("got %s", clienttest.JSON(t, out))
	}
}

// TestToolMessage: what a tool's message has beside its result stays when the result is repaired.
func TestToolMessage(t *testing.T) {
	result := schema.ToolMessage("r \xff", "c1", schema.WithToolName("f"))
	result.ReasoningContent = "hm"
	result.ToolCalls = []schema.ToolCall{{ID: "c9", Function: schema.FunctionCall{Name: "g"}}}
	ask := &schema.Message{Role: schema.Assistant, ToolCalls: []schema.ToolCall{
		{ID: "c1", Type: "function", Function: schema.FunctionCall{Name: "f", Arguments: "{}"}},
	}}
	in := []*schema.Message{schema.UserMessage("a"), ask, result}
	out, _, err := preflighteino.Messages(context.Background(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := *result
	want.Content = "r \uFFFD"
	if !reflect.DeepEqual(out[2], &want) {
		t.Errorf("the tool's message is %#v", out[2])
	}
}

// TestIdentity: sound histories come back as they are, whichever provider serves the model.
func TestIdentity(t *testing.T) {
	call := schema.ToolCall{
		ID:       "c1a2b3d4e",
		Type:     "function",
		Function: schema.FunctionCall{Name: "f", Arguments: `{"n":1.0}`},
	}
	second := schema.ToolCall{
		ID:       "c1a2b3d4f",
		Type:     "function",
		Function: schema.FunctionCall{Name: "g", Arguments: `{}`},
	}
	in := []*schema.Message{
		schema.SystemMessage("s"), schema.UserMessage("a"),
		schema.AssistantMessage("b", []schema.ToolCall{call, second}),
		schema.ToolMessage("r", call.ID, schema.WithToolName("f")),
		schema.ToolMessage("q", second.ID, schema.WithToolName("g")),
		schema.AssistantMessage("c", nil),
		{
			Role: schema.User,
			UserInputMultiContent: []schema.MessageInputPart{
				{Type: schema.ChatMessagePartTypeText, Text: "a"},
			},
		},
	}
	for _, provider := range wire.Providers() {
		out, warnings, err := preflighteino.Messages(context.Background(), in,
			&wire.Options{Provider: provider})
		if err != nil || len(warnings) > 0 || &out[0] != &in[0] || len(out) != cap(out) {
			t.Errorf("%s: %v %v", provider, err, warnings)
		}
	}
}

// TestProviders: damage of all kinds is repaired for every provider, in a form that eino holds, and
// once.
func TestProviders(t *testing.T) {
	ask := func(id, name, arguments string) *schema.Message {
		return schema.AssistantMessage("", []schema.ToolCall{
			{ID: id, Function: schema.FunctionCall{Name: name, Arguments: arguments}},
		})
	}
	user := schema.UserMessage("a")
	histories := map[string][]*schema.Message{
		"arguments cut off": {user, ask("c1", "f g", `{"a":`), schema.ToolMessage("r", "c1"), user},
		"an open call":      {user, ask("c1", "f", "{}"), user},
		"an empty result":   {user, ask("c1", "f", ""), schema.ToolMessage("", "c1"), user},
		"an empty turn":     {user, schema.AssistantMessage("", nil), user},
		"roles of others": {{Role: "developer", Content: "s"}, {Role: "human", Content: "a"},
			{Role: "model", Content: "b"}, {Role: "function", Name: "f", Content: "r"}, user},
		"a system message late": {user, schema.AssistantMessage("b", nil),
			schema.SystemMessage("s"), user},
		"a trailing assistant turn": {user, schema.AssistantMessage("b ", nil)},
		"reasoning alone":           {user, {Role: schema.Assistant, ReasoningContent: "hm"}, user},
		"a result turns too late": {user, ask("c1", "f", "{}"), user,
			schema.AssistantMessage("b", nil), schema.ToolMessage("r", "c1"), user},
		"an orphan": {schema.ToolMessage("r", "c1"), user},
		"ids that are reused": {user, ask("c", "f", "{}"), schema.ToolMessage("r", "c"),
			ask("c", "f", "{}"), schema.ToolMessage("q", "c"), user},
		"a picture of another type": {
			{
				Role: schema.User,
				UserInputMultiContent: []schema.MessageInputPart{
					{Type: schema.ChatMessagePartTypeImageURL, Image: picture("image/gif")},
				},
			},
		},
		"a picture in an assistant turn": {user,
			{
				Role: schema.Assistant,
				AssistantGenMultiContent: []schema.MessageOutputPart{
					{Type: schema.ChatMessagePartTypeText, Text: "b"},
					{
						Type: schema.ChatMessagePartTypeImageURL,
						Image: &schema.MessageOutputImage{
							MessagePartCommon: picture("image/png").MessagePartCommon,
						},
					},
				},
			}, user},
		"a picture in a result": {user, ask("c1", "f", "{}"),
			{
				Role: schema.Tool, ToolCallID: "c1",
				UserInputMultiContent: []schema.MessageInputPart{
					{Type: schema.ChatMessagePartTypeImageURL, Image: picture("image/png")},
				},
			}, user},
		"a picture of the older kind": {
			{
				Role: schema.User,
				MultiContent: []schema.ChatMessagePart{
					{Type: schema.ChatMessagePartTypeText, Text: "\xff"},
					{
						Type:     schema.ChatMessagePartTypeImageURL,
						ImageURL: &schema.ChatMessageImageURL{URL: "https://example.org/a.png"},
					},
				},
			},
		},
		"media that few take": {
			{
				Role: schema.User,
				UserInputMultiContent: []schema.MessageInputPart{
					{Type: schema.ChatMessagePartTypeVideoURL, Video: &schema.MessageInputVideo{}},
					{
						Type: schema.ChatMessagePartTypeFileURL,
						File: &schema.MessageInputFile{Name: "a?b"},
					},
					{Type: schema.ChatMessagePartTypeAudioURL, Audio: &schema.MessageInputAudio{}},
				},
			},
		},
		"two calls of one message merged": {user, ask("c1", "f", "{}"), ask("c2", "f", "{}"),
			schema.ToolMessage("r", "c1"), schema.ToolMessage("q", "c2"), user},
	}
	for _, provider := range wire.Providers() {
		for name, history := range histories {
			before := clienttest.JSON(t, history)
			options := &wire.Options{
				Provider: provider,
				Options:  preflight.Options{Dangling: preflight.DanglingAnswer},
			}
			out, _, err := preflighteino.Messages(context.Background(), history, options)
			if err != nil {
				t.Errorf("%s: %s: %v", provider, name, err)
				continue
			}
			again, warnings, err := preflighteino.Messages(context.Background(), out, options)
			if err != nil || len(warnings) > 0 || &again[0] != &out[0] {
				t.Errorf("%s: %s: repaired again: %v %v\n%s", provider, name, err, warnings,
					clienttest.JSON(t, out))
			}
			if clienttest.JSON(t, history) != before {
				t.Errorf("%s: %s: the input was written to", provider, name)
			}
			for _, m := range out {
				made, given := m.AssistantGenMultiContent, m.UserInputMultiContent
				if m.Role == schema.Assistant && given != nil || m.Role != schema.Assistant && made != nil {
					t.Errorf("%s: %s: a message has content of another role: %s", provider, name,
						clienttest.JSON(t, out))
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	user := schema.UserMessage("a")
	var e *adapter.MessageError
	out, _, err := preflighteino.Messages(context.Background(), []*schema.Message{user, nil}, nil)
	if !errors.As(err, &e) || e.Message != 1 || e.Reading || len(out) != 2 {
		t.Error(err)
	}
	if _, _, err := preflighteino.Messages(context.Background(), []*schema.Message{user},
		&wire.Options{Provider: "nobody"}); !errors.Is(
		err, wire.ErrUnknownProvider) {
		t.Error(err)
	}
	if _, _, err := preflighteino.Messages(context.Background(), nil, nil); !errors.Is(err,
		preflight.ErrEmptyHistory) {
		t.Error(err)
	}
	unfit := map[string]preflight.Part{
		"signed reasoning": &preflight.Reasoning{Text: "hm", Signature: "AAAA"},
		"a call of a custom tool": &preflight.ToolCall{
			ID:       "x",
			Name:     "f",
			Input:    []byte("{}"),
			Variant:  "custom",
			Awaiting: preflight.AwaitingClient,
		},
		"a part of another kind": &preflight.Other{Kind: "hologram"},
	}
	for name, part := range unfit {
		hook := preflight.Hook{
			Name: "unfit",
			History: func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
				return append(h, preflight.Message{
					Role:  preflight.RoleAssistant,
					Parts: []preflight.Part{&preflight.Text{Text: "b"}, part},
				}), nil
			},
		}
		options := &wire.Options{Options: preflight.Options{Hooks: []preflight.Hook{hook}}}
		out, _, err := preflighteino.Messages(context.Background(), []*schema.Message{user},
			options)
		if !errors.As(err, &e) || !e.Reading || !errors.Is(err, adapter.ErrInexact) ||
			len(out) != 1 || out[0] != user {
			t.Errorf("%s: %v %v", name, out, err)
		}
	}
}
