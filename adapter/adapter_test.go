package adapter_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/wire"
)

// turn is a message type such as an agent may have, with a field that is not sent.
type turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	Seen    int    `json:"-"`
}

var chat = adapter.Format[*turn]{
	Provider:  "openai-chat",
	List:      "messages",
	Unmarshal: adapter.Exactly[*turn],
}

func TestMessages(t *testing.T) {
	clean := []*turn{{"user", "a", 1}, {"assistant", "b", 2}, {"user", "c", 3}}
	out, warnings, err := chat.Messages(context.Background(), clean, nil)
	require.NoError(t, err)
	require.Empty(t, warnings)
	require.Same(t, &clean[0], &out[0], "the caller's own slice")
	require.Equal(t, len(out), cap(out), "an append may not reach the caller's array")

	broken := []*turn{clean[0], nil, {"tool", "an orphan", 4}, clean[2]}
	out, warnings, err = chat.Messages(context.Background(), broken, nil)
	require.NoError(t, err)
	require.Len(t, warnings, 2)
	require.Equal(t, []string{"messages[1]", "messages[2]"},
		[]string{warnings[0].Path, warnings[1].Path}, "paths count in the caller's list")
	require.Len(t, out, 2)
	require.Same(t, clean[0], out[0])
	require.Same(t, clean[2], out[1])
}

func TestErrors(t *testing.T) {
	cause := errors.New("out of paper")
	user := &turn{Role: "user", Content: "a"}
	tests := []struct {
		name     string
		format   adapter.Format[*turn]
		messages []*turn
		want     adapter.MessageError
		words    string
	}{
		{"a message that cannot be written",
			adapter.Format[*turn]{
				Provider: "anthropic",
				Marshal: func(m *turn) ([]byte, error) {
					if m.Seen > 0 {
						return nil, cause
					}
					return json.Marshal(m)
				},
			}, []*turn{user, {Seen: 1}}, adapter.MessageError{Message: 1, Err: cause},
			"messages[1]"},
		{"a message that cannot be read",
			adapter.Format[*turn]{
				Provider:  "chat-template",
				Unmarshal: func([]byte, **turn) (*turn, error) { return nil, cause },
			}, []*turn{user, user}, adapter.MessageError{Message: 0, Reading: true, Err: cause},
			"messages[0]"},
		{"an inserted message that cannot be read",
			adapter.Format[*turn]{
				Provider:  "glm",
				Unmarshal: func([]byte, **turn) (*turn, error) { return nil, cause },
			}, []*turn{{Role: "assistant", Content: "b"}, user},
			adapter.MessageError{Message: -1, Reading: true, Err: cause}, "inserted"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			out, warnings, err := c.format.Messages(context.Background(), c.messages, nil)
			var e *adapter.MessageError
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.want, *e)
			require.ErrorIs(t, err, adapter.ErrMessage)
			require.ErrorIs(t, err, cause)
			require.Contains(t, err.Error(), c.words)
			require.Nil(t, warnings)
			require.Equal(t, c.messages, out)
		})
	}
	_, _, err := chat.Messages(context.Background(), nil, nil)
	require.ErrorIs(t, err, preflight.ErrEmptyHistory)
	_, _, err = chat.Messages(context.Background(), []*turn{user},
		&wire.Options{Provider: "nobody"})
	require.ErrorIs(t, err, wire.ErrNotARequest)
	shaped := adapter.Format[json.RawMessage]{
		Provider: "anthropic",
		Marshal:  func(m json.RawMessage) ([]byte, error) { return m, nil },
	}
	round := []json.RawMessage{
		[]byte(`{"role":"assistant","content":"a","tool_calls":[{"id":"c","type":"function",` +
			`"function":{"name":"f","arguments":"{}"}}]}`),
		[]byte(`{"role":"tool","tool_call_id":"c","content":"r"}`),
	}
	same, _, err := shaped.Messages(context.Background(), round, nil)
	var mismatch *wire.Error
	require.ErrorAs(t, err, &mismatch)
	require.Equal(t,
		wire.Error{
			Reason: wire.ErrOtherFormat, Providers: []string{"anthropic", "openai-chat"},
			Path: "messages[0]",
		},
		*mismatch)
	require.Equal(t, round, same)
	// in the format of the messages
	_, _, err = shaped.Messages(context.Background(), round, &wire.Options{Provider: "deepseek"})
	require.ErrorAs(t, err, &mismatch)
	require.Equal(t, "deepseek-anthropic", mismatch.Providers[0])
	anthropic := adapter.Format[*turn]{Provider: "anthropic", Unmarshal: adapter.Exactly[*turn]}
	twice := preflight.Hook{
		Name: "twice",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			m.Parts = append(m.Parts, &preflight.Text{Text: "b"})
			return m, nil
		},
	}
	_, _, err = anthropic.Messages(context.Background(), []*turn{user},
		&wire.Options{Options: preflight.Options{Hooks: []preflight.Hook{twice}}})
	require.Error(t, err, "a message of two texts has a list of blocks, which the type cannot hold")
}

func TestRequest(t *testing.T) {
	messages := []*turn{{Role: "system", Content: "s"}, {Role: "user", Content: "a"}}
	body := `{"model":"claude-sonnet-4-5","container":"c1","messages":[{"role":"system",` +
		`"content":"s"},{"role":"user","content":"a"}]}`
	format := adapter.Format[*turn]{
		Provider:  "anthropic",
		List:      "messages",
		Unmarshal: adapter.Exactly[*turn],
	}

	r, err := format.Request(context.Background(), []byte(body), messages, nil)
	require.NoError(t, err)
	want := map[string]json.RawMessage{"container": nil, "system": json.RawMessage(`"s"`)}
	require.Empty(t, cmp.Diff(want, r.Members))
	require.Len(t, r.Messages, 1)
	require.Same(t, messages[1], r.Messages[0])
	require.Len(t, r.Warnings, 2)

	r, err = format.Request(context.Background(), []byte(body), nil, nil)
	require.NoError(t, err)
	require.JSONEq(t, `[{"role":"user","content":"a"}]`, string(r.Members["messages"]),
		"a list that is not the caller's is a member like others")
	require.Empty(t, r.Messages)

	r, err = format.Request(context.Background(), r.Body, nil, nil)
	require.NoError(t, err)
	require.Empty(t, r.Members)
	require.Empty(t, r.Warnings)
}

func TestEqual(t *testing.T) {
	deep := strings.Repeat("[", 100000)
	tests := []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[true,null]}`, ` { "b" : [ true , null ] , "a" : 1 } `, true},
		{`"\u003c\/"`, `"</"`, true},
		{`{"a":1,"a":2}`, `{"a":2}`, true},
		{`{"a":1}`, `{"a":1,"b":null}`, false},
		{`{"a":1,"b":2}`, `{"a":1,"c":2}`, false},
		{`[1,2]`, `[1]`, false},
		{`[1]`, `[1,2]`, false},
		{`[1,2]`, `[2,1]`, false},
		{`1`, `1.0`, false},
		{`12345678901234567890`, `12345678901234567000`, false},
		{`"1"`, `1`, false},
		{`true`, `false`, false},
		{`{`, `{`, false},
		{deep, deep, false},
		{``, ``, false},
	}
	for _, c := range tests {
		require.Equal(t, c.want, adapter.Equal([]byte(c.a), []byte(c.b)), "%.40s and %.40s", c.a,
			c.b)
		require.Equal(t, c.want, adapter.Equal([]byte(c.b), []byte(c.a)), "%.40s and %.40s", c.b,
			c.a)
	}
}

func TestExactly(t *testing.T) {
	v, err := adapter.Exactly[turn]([]byte(`{"content":"a","role":"user"}`), nil)
	require.NoError(t, err)
	require.Equal(t, turn{Role: "user", Content: "a"}, v)
	_, err = adapter.Exactly[turn]([]byte(`{"content":"a","role":"user","seen":1}`), nil)
	require.ErrorIs(t, err, adapter.ErrInexact)
	_, err = adapter.Exactly[turn]([]byte(`{"content":["a"]}`), nil)
	require.Error(t, err)
	_, err = adapter.Exactly[struct{ Seen int8 }]([]byte(`{"seen":5551234567}`), nil)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "555", "an error quotes nothing")
	_, err = adapter.Exactly[float64]([]byte(`12345678901234567890`), nil)
	require.ErrorIs(t, err, adapter.ErrInexact)
	many, err := adapter.Exactly[any]([]byte(`[1,1.0,12345678901234567890,1e999]`), nil)
	require.NoError(t, err)
	require.Equal(t, []any{json.Number("1"), json.Number("1.0"),
		json.Number("12345678901234567890"), json.Number("1e999")}, many)
}

// shouted is a message whose pointer writes its JSON.
type shouted turn

func (s *shouted) MarshalJSON() ([]byte, error) {
	return json.Marshal(turn{s.Role, s.Content + "!", 0})
}

// TestPointerMarshals: a message is written as it is in the list of a request.
func TestPointerMarshals(t *testing.T) {
	format := adapter.Format[shouted]{
		Provider: "openai-chat", List: "messages",
		Unmarshal: func(raw []byte, _ *shouted) (s shouted, err error) {
			return s, json.Unmarshal(raw, (*turn)(&s))
		},
	}
	out, _, err := format.Messages(context.Background(), []shouted{{"user", "a\x00", 0}}, nil)
	require.NoError(t, err)
	require.Equal(t, []shouted{{"user", "a!", 0}}, out)
}

// A message type of one's own needs one value to be sanitized.
func ExampleFormat() {
	type Message struct {
		Role       string          `json:"role"`
		Content    string          `json:"content"`
		ToolCallID string          `json:"tool_call_id,omitempty"`
		ToolCalls  json.RawMessage `json:"tool_calls,omitempty"`
	}
	format := adapter.Format[Message]{Provider: "openai-chat", Unmarshal: adapter.Exactly[Message]}

	history := []Message{
		{Role: "user", Content: "Build it."},
		{
			Role: "assistant",
			ToolCalls: json.RawMessage(
				`[{"id":"call_1","type":"function","function":{"name":"run","arguments":"{}"}}]`),
		},
		{Role: "user", Content: "Stop."},
	}
	history, warnings, err := format.Messages(context.Background(), history,
		&wire.Options{Options: preflight.Options{Dangling: preflight.DanglingAnswer}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range history {
		fmt.Printf("%s %q\n", m.Role, m.Content)
	}
	for _, w := range warnings {
		fmt.Println(w.Code, w.Path)
	}
	// Output:
	// user "Build it."
	// assistant ""
	// tool "Tool call was interrupted before a result was recorded."
	// user "Stop."
	// dangling-answered messages[1].tool_calls[0]
}

// TestMarshalWritesAnything: what is not one JSON value for each message is an error.
func TestMarshalWritesAnything(t *testing.T) {
	plain := adapter.Format[string]{
		Provider: "openai-chat",
		Marshal:  func(s string) ([]byte, error) { return []byte(s), nil },
		Unmarshal: func(raw []byte, _ *string) (string, error) {
			return string(raw), nil
		},
	}
	const asks = `{"role":"user","content":"q"}`
	const calls = `{"role":"assistant","tool_calls":[{"id":"a","type":"function",` +
		`"function":{"name":"f","arguments":"{}"}}]}`
	for _, c := range []struct {
		at       int
		messages []string
	}{
		{0, []string{asks + "," + calls}},
		{1, []string{asks, calls + "," + asks}},
		{0, []string{asks + "," + asks, calls, asks}},
		{0, []string{`{"role":"assistant"`, `"tool_calls":[]}`, asks, calls}},
	} {
		out, warnings, err := plain.Messages(context.Background(), c.messages, nil)
		var failed *adapter.MessageError
		require.ErrorAs(t, err, &failed, "%q", out)
		require.Equal(t, c.at, failed.Message)
		require.Equal(t, c.messages, out)
		require.Empty(t, warnings)
	}
}
