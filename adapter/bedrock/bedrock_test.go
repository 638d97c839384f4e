package preflightbedrock_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	smithydocument "github.com/aws/smithy-go/document"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	preflightbedrock "github.com/go-preflight/preflight/adapter/bedrock"
	"github.com/go-preflight/preflight/wire"
)

func text(s string) types.ContentBlock { return &types.ContentBlockMemberText{Value: s} }

func call(id string, input document.Interface) types.ContentBlock {
	return &types.ContentBlockMemberToolUse{
		Value: types.ToolUseBlock{ToolUseId: aws.String(id), Name: aws.String("run"), Input: input},
	}
}

func result(id, output string) types.ContentBlock {
	return &types.ContentBlockMemberToolResult{
		Value: types.ToolResultBlock{
			ToolUseId: aws.String(id),
			Content: []types.ToolResultContentBlock{
				&types.ToolResultContentBlockMemberText{Value: output},
			},
		},
	}
}

func user(blocks ...types.ContentBlock) types.Message {
	return types.Message{Role: types.ConversationRoleUser, Content: blocks}
}

func model(blocks ...types.ContentBlock) types.Message {
	return types.Message{Role: types.ConversationRoleAssistant, Content: blocks}
}

// long is a document with numbers that float64 cannot hold, and one whose spelling it changes.
func long() document.Interface {
	return document.NewLazyDocument(map[string]any{
		"n": smithydocument.Number("12345678901234567890"),
		"f": smithydocument.Number("1.0"),
		"t": "a <b> & c",
	})
}

// parse reads messages from their JSON.
func parse(t *testing.T, list string) []types.Message {
	t.Helper()
	messages, err := preflightbedrock.Unmarshal([]byte(list))
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

// asJSON is what the SDK sends for messages.
func asJSON(t *testing.T, messages []types.Message) string {
	t.Helper()
	out, err := preflightbedrock.Marshal(messages)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func sameMessage(a, b types.Message) bool {
	return a.Role == b.Role && len(a.Content) == len(b.Content) &&
		(len(a.Content) == 0 || &a.Content[0] == &b.Content[0])
}

func TestMessages(t *testing.T) {
	tests := []struct {
		name    string
		in      []types.Message
		options wire.Options
		want    string // the JSON of what comes out
		same    map[int]int
	}{
		{"nothing to do",
			[]types.Message{user(text("a")), model(call("t1", long())), user(result("t1", "ok"))},
			wire.Options{},
			`[{"role":"user","content":[{"text":"a"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"run",` +
				`"input":{"n":12345678901234567890,"f":1.0,"t":"a <b> & c"}}}]},` +
				`{"role":"user","content":[{"toolResult":{"toolUseId":"t1",` +
				`"content":[{"text":"ok"}]}}]}]`,
			map[int]int{0: 0, 1: 1, 2: 2}},
		{"an open call is removed from a turn whose numbers are long",
			[]types.Message{
				user(text("a")),
				model(text("t"), call("t1", long()), call("t2", nil)),
				user(result("t1", "ok")),
				user(text("b")),
			}, wire.Options{},
			`[{"role":"user","content":[{"text":"a"}]},` +
				`{"role":"assistant","content":[{"text":"t"},` +
				`{"toolUse":{"toolUseId":"t1","name":"run","input":{"n":12345678901234567890,` +
				`"f":1.0,"t":"a <b> & c"}}}]},` +
				`{"role":"user","content":[{"toolResult":{"toolUseId":"t1",` +
				`"content":[{"text":"ok"}]}}]},{"role":"user","content":[{"text":"b"}]}]`,
			map[int]int{0: 0, 2: 2, 3: 3}},
		{"nil blocks before the one that stays",
			[]types.Message{
				user(text("a")), model(nil, text("t"), nil, call("t1", nil)), user(text("b")),
			}, wire.Options{},
			`[{"role":"user","content":[{"text":"a"}]},` +
				`{"role":"assistant","content":[{"text":"t"}]},` +
				`{"role":"user","content":[{"text":"b"}]}]`,
			map[int]int{0: 0, 2: 2}},
		{"an open call is answered",
			[]types.Message{user(text("a")), model(call("t1", long())), user(text("b"))},
			wire.Options{
				Options: preflight.Options{
					Dangling:     preflight.DanglingAnswer,
					DanglingText: "stopped",
				},
			},
			`[{"role":"user","content":[{"text":"a"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"run",` +
				`"input":{"n":12345678901234567890,"f":1.0,"t":"a <b> & c"}}}]},` +
				`{"role":"user","content":[{"toolResult":{"toolUseId":"t1",` +
				`"content":[{"text":"stopped"}],"status":"error"}},{"text":"b"}]}]`,
			map[int]int{0: 0, 1: 1}},
		{"an input that is not an object becomes one",
			[]types.Message{
				user(text("a")),
				model(call("t1", document.NewLazyDocument(`{"n":12345678901234567890}`))),
				user(result("t1", "ok")),
			}, wire.Options{},
			`[{"role":"user","content":[{"text":"a"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"run",` +
				`"input":{"n":12345678901234567890}}}]},` +
				`{"role":"user","content":[{"toolResult":{"toolUseId":"t1",` +
				`"content":[{"text":"ok"}]}}]}]`,
			map[int]int{0: 0, 2: 2}},
		{"messages and blocks that hold nothing go",
			[]types.Message{{}, user(nil, text("a"), nil), model(nil), user()}, wire.Options{},
			`[{"role":"user","content":[{"text":"a"}]}]`, map[int]int{1: 0}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			before := asJSON(t, c.in)
			out, _, err := preflightbedrock.Messages(context.Background(), c.in, &c.options)
			if err != nil {
				t.Fatal(err)
			}
			if got := asJSON(t, out); !adapter.Equal([]byte(got), []byte(c.want)) {
				t.Errorf("\n got  %s\n want %s", got, c.want)
			}
			for from, to := range c.same {
				if !sameMessage(out[to], c.in[from]) {
					t.Errorf("messages[%d] is not the caller's own", from)
				}
			}
			if asJSON(t, c.in) != before {
				t.Error("the input was written to")
			}
			again, warnings, err := preflightbedrock.Messages(context.Background(), out, &c.options)
			if err != nil || len(warnings) > 0 || &again[0] != &out[0] {
				t.Errorf("what came out is repaired again: %v %v", warnings, err)
			}
		})
	}
}

// blocks are one of each kind that the SDK knows, and of each way to say what it holds.
var blocks = map[string]string{
	"text": `{"text":"a <b> & c \u2028 é"}`,
	"image, bytes": `{"image":{"format":"png",` +
		`"source":{"bytes":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}}`,
	"image, S3": `{"image":{"format":"jpeg","source":{"s3Location":{"uri":"s3://b/k",` +
		`"bucketOwner":"111122223333"}}}}`,
	"document, bytes": `{"document":{"format":"pdf","name":"a b",` +
		`"source":{"bytes":"JVBERg=="},"context":"c","citations":{"enabled":true}}}`,
	"document, S3": `{"document":{"format":"pdf","name":"s3",` +
		`"source":{"s3Location":{"uri":"s3://b/k"}}}}`,
	"document, text": `{"document":{"format":"txt","name":"t","source":{"text":"x"}}}`,
	"document, content": `{"document":{"name":"l","source":{"content":[{"text":"x"},` +
		`{"text":"y"}]}}}`,
	"video": `{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/v"}}}}`,
	"audio": `{"audio":{"format":"mp3","source":{"bytes":"QUJD"}}}`,
	"guard content": `{"guardContent":{"text":{"text":"g","qualifiers":["query",` +
		`"guard_content"]}}}`,
	"guard content, image": `{"guardContent":{"image":{"format":"png","source":{"bytes":"QUJD"}}}}`,
	"cache point":          `{"cachePoint":{"type":"default","ttl":"1h"}}`,
	"reasoning": `{"reasoningContent":{"reasoningText":{"text":"hm",` +
		`"signature":"EqQB+/=="}}}`,
	"reasoning, redacted": `{"reasoningContent":{"redactedContent":"QUJDRA=="}}`,
	"citations": `{"citationsContent":{"content":[{"text":"c"}],` +
		`"citations":[{"title":"t","sourceContent":[{"text":"s"}],` +
		`"location":{"documentPage":{"documentIndex":0,"start":1,"end":2}}}]}}`,
	"search result": `{"searchResult":{"source":"s","title":"t","content":[{"text":"c"}],` +
		`"citations":{"enabled":false}}}`,
	"tool use": `{"toolUse":{"toolUseId":"t1","name":"run",` +
		`"input":{"n":12345678901234567890,"f":1.0,"e":1e400,"z":-0,"x":[null,true,"\u003c",{}]}}}`,
	"tool use, server": `{"toolUse":{"toolUseId":"t1","name":"nova_grounding","input":{},` +
		`"type":"server_tool_use"}}`,
	"tool result": `{"toolResult":{"toolUseId":"t1","status":"error","type":"x",` +
		`"content":[{"text":"r"},{"json":{"n":12345678901234567890}},` +
		`{"image":{"format":"png","source":{"bytes":"QUJD"}}},` +
		`{"document":{"format":"txt","name":"d","source":{"text":"x"}}},` +
		`{"video":{"format":"mp4","source":{"bytes":"QUJD"}}},` +
		`{"searchResult":{"source":"s","title":"t","content":[{"text":"c"}]}}]}}`,
}

// TestBlocks: a message that is read is written as it was, and in a message that was changed, the
// blocks that were not are the caller's own.
func TestBlocks(t *testing.T) {
	for name, block := range blocks {
		t.Run(name, func(t *testing.T) {
			list := `[{"role":"user","content":[{"text":"old"},` + block + `]}]`
			was := parse(t, list)[0]
			if got := asJSON(t, []types.Message{was}); !adapter.Equal([]byte(got), []byte(list)) {
				t.Errorf("written as %s", got)
			}
			sent, err := preflightbedrock.Format.Marshal(was)
			if err != nil {
				t.Fatal(err)
			}
			is, err := preflightbedrock.Format.Unmarshal(
				bytes.Replace(sent, []byte("old"), []byte("new"), 1), &was)
			if err != nil {
				t.Fatal(err)
			}
			if len(is.Content) != 2 ||
				is.Content[0].(*types.ContentBlockMemberText).Value != "new" ||
				is.Content[1] != was.Content[1] {
				t.Errorf("%s", asJSON(t, []types.Message{is}))
			}
		})
	}
}

// TestInexact: what the SDK would lose without a word is an error.
func TestInexact(t *testing.T) {
	for name, list := range map[string]string{
		"a kind of block": `[{"role":"user","content":[{"text":"a"},{"newBlock":{}}]}]`,
		"a member of a block": `[{"role":"user","content":[{"cachePoint":{"type":"default",` +
			`"new":1}}]}]`,
		"a member of a message": `[{"role":"user","content":[{"text":"a"}],"new":1}]`,
		"a source": `[{"role":"user","content":[{"image":{"format":"png",` +
			`"source":{"url":"https://example.com"}}}]}]`,
		"two members of a union": `[{"role":"user","content":[{"text":"a",` +
			`"cachePoint":{"type":"default"}}]}]`,
		"base64 of the web": `[{"role":"assistant",` +
			`"content":[{"reasoningContent":{"redactedContent":"_-8="}}]}]`,
		"a text that is none":    `[{"role":"user","content":"a"}]`,
		"a message that is none": `["a"]`,
	} {
		t.Run(name, func(t *testing.T) {
			var e *adapter.MessageError
			if _, err := preflightbedrock.Unmarshal([]byte(list)); !errors.Is(err,
				adapter.ErrInexact) || !errors.As(err, &e) || e.Message != 0 || !e.Reading {
				t.Error(err)
			}
			var elements []json.RawMessage
			if err := json.Unmarshal([]byte(list), &elements); err != nil {
				t.Fatal(err)
			}
			if _, err := preflightbedrock.Format.Unmarshal(elements[0], nil); err == nil {
				t.Error("it was taken for the repaired form of a message")
			}
		})
	}
	for _, data := range []string{``, `{}`, `[`, `7`} {
		if _, err := preflightbedrock.Unmarshal([]byte(data)); err == nil {
			t.Errorf("%q was read", data)
		}
	}
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	if _, _, err := preflightbedrock.Messages(ctx, nil, nil); !errors.Is(err,
		preflight.ErrEmptyHistory) {
		t.Error(err)
	}
	for _, input := range []*bedrockruntime.ConverseInput{nil, {}, {Messages: []types.Message{}}} {
		same, _, err := preflightbedrock.Input(ctx, input, nil)
		if same != input ||
			!errors.Is(err, preflight.ErrEmptyHistory) && !errors.Is(err, wire.ErrNotARequest) {
			t.Error(err)
		}
	}
	if same, _, err := preflightbedrock.StreamInput(ctx, nil, nil); same != nil || err == nil {
		t.Error(err)
	}
	unknown := &types.UnknownUnionMember{Tag: "newBlock", Value: []byte(`{}`)}
	for name, c := range map[string]struct {
		block   types.ContentBlock
		inexact bool
	}{
		"a block that the SDK does not know": {unknown, true},
		"one in a tool result": {&types.ContentBlockMemberToolResult{
			Value: types.ToolResultBlock{Content: []types.ToolResultContentBlock{unknown}},
		}, true},
		"a source that it does not know": {
			&types.ContentBlockMemberImage{Value: types.ImageBlock{Source: unknown}}, true},
		"reasoning that is nil":         {&types.ContentBlockMemberReasoningContent{}, true},
		"a block that is a nil pointer": {(*types.ContentBlockMemberText)(nil), true},
		"a document that cannot be written": {call("t1", document.NewLazyDocument(func() {})),
			true},
		"a number that has no form in JSON": {call("t1", document.NewLazyDocument(math.NaN())),
			true},
		"a number that is none": {
			call("t1", document.NewLazyDocument(map[string]any{"n": smithydocument.Number("1x")})),
			false},
	} {
		t.Run(name, func(t *testing.T) {
			in := []types.Message{user(text("a")), model(c.block), user(text("b"))}
			var e *adapter.MessageError
			out, warnings, err := preflightbedrock.Messages(ctx, in, nil)
			if !errors.As(err, &e) || e.Message != 1 || e.Reading ||
				errors.Is(err, adapter.ErrInexact) != c.inexact {
				t.Error(err)
			}
			if len(out) != 3 || &out[0] != &in[0] || warnings != nil {
				t.Error("the input did not come back as it was")
			}
			input := &bedrockruntime.ConverseInput{Messages: in}
			if same, _, err := preflightbedrock.Input(ctx, input, nil); same != input ||
				!errors.As(err, &e) || e.Message != 1 {
				t.Error(err)
			}
			stream := &bedrockruntime.ConverseStreamInput{Messages: in}
			if same, _, err := preflightbedrock.StreamInput(ctx, stream, nil); same != stream ||
				!errors.As(err, &e) || e.Message != 1 {
				t.Error(err)
			}
			if _, err := preflightbedrock.Marshal(in); !errors.As(err, &e) || e.Message != 1 {
				t.Error(err)
			}
		})
	}
}

// TestCyclicDocument: fields of a document that the SDK does not send are not read, even if they
// are cyclic.
func TestCyclicDocument(t *testing.T) {
	type node struct {
		Name   string
		Parent *node `document:"-"`
	}
	n := &node{Name: "n"}
	n.Parent = n
	in := []types.Message{
		user(text("a")),
		model(text("t"), call("t1", document.NewLazyDocument(n)), call("t2", nil)),
		user(result("t1", "ok")),
	}
	out, _, err := preflightbedrock.Messages(context.Background(), in, nil)
	if err != nil || len(out[1].Content) != 2 || out[1].Content[1] != in[1].Content[1] {
		t.Errorf("%v %s", err, asJSON(t, out))
	}
}
