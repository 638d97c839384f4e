package preflightgenkit_test

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/firebase/genkit/go/ai"

	preflightgenkit "github.com/go-preflight/preflight/adapter/genkit"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/wire"
)

func request(ref string) *ai.Part {
	p := ai.NewToolRequestPart(&ai.ToolRequest{
		Ref: ref, Name: "read", Input: map[string]any{"size": 12.5},
	})
	p.Metadata = map[string]any{"own": true}
	return p
}

func response(ref string, output any) *ai.Part {
	return ai.NewToolResponsePart(&ai.ToolResponse{Ref: ref, Name: "read", Output: output})
}

// TestMessages: what the provider takes comes back as it is, and of the others what was not
// repaired.
func TestMessages(t *testing.T) {
	user, next := ai.NewUserTextMessage("Read it."), ai.NewUserTextMessage("Go on.")
	pictured := response("a", map[string]any{"n": 1})
	pictured.ToolResponse.Content = []*ai.Part{
		ai.NewMediaPart("image/png", "https://example.org/a.png"),
	}
	for _, c := range []struct {
		name     string
		provider string
		in       []*ai.Message
		want     []int // of in, those that are the caller's own
		codes    []string
	}{
		{name: "text", in: []*ai.Message{ai.NewSystemTextMessage("Be terse."), user},
			want: []int{0, 1}},
		{
			name: "parts of all kinds",
			in: []*ai.Message{
				ai.NewUserMessage(ai.NewTextPart("Look."), ai.NewDataPart("data"),
					ai.NewMediaPart("image/png", "https://example.org/a.png"),
					ai.NewCustomPart(map[string]any{"a": 1}), ai.NewResourcePart("file://a")),
				ai.NewModelMessage(ai.NewReasoningPart("Hm.", []byte("sig")),
					ai.NewTextPart("Yes.")),
				user,
			},
			want: []int{0, 1, 2},
		},
		{
			name: "responses in one message, of all kinds", provider: "gemini",
			in: []*ai.Message{
				user, ai.NewModelMessage(request("a"), request("b"), request("c"), request("d")),
				ai.NewMessage(ai.RoleTool, nil, response("a", "text"),
					response("b", map[string]any{"n": 1}), response("c", nil),
					response("d", []any{"x"})),
			},
			want: []int{0, 1, 2},
		},
		{
			name: "a request without input", provider: "anthropic",
			in: []*ai.Message{
				user,
				ai.NewModelMessage(ai.NewToolRequestPart(&ai.ToolRequest{Ref: "a", Name: "read"})),
				ai.NewMessage(ai.RoleTool, nil, response("a", "text")),
			},
			want: []int{0, 1, 2},
		},
		{
			name: "one of parallel requests is open",
			in: []*ai.Message{
				user, ai.NewModelMessage(ai.NewTextPart("Both."), request("a"), request("b")),
				ai.NewMessage(ai.RoleTool, nil, response("a", "text")), next,
			},
			want:  []int{0, -1, 2, 3},
			codes: []string{"dangling-removed"},
		},
		{
			name: "a response that is late",
			in: []*ai.Message{
				user, ai.NewModelMessage(request("a")), next,
				ai.NewMessage(ai.RoleTool, nil, response("a", map[string]any{"n": 1})),
			},
			want:  []int{0, 1, 3, 2},
			codes: []string{"result-moved"},
		},
		{
			name: "signed reasoning whose request is open is not cut", provider: "anthropic",
			in: []*ai.Message{
				user, ai.NewModelMessage(ai.NewReasoningPart("Hm.", []byte("sig")), request("a")),
				next,
			},
			want:  []int{0, 1, -1, 2},
			codes: []string{"dangling-answered"},
		},
		{
			name: "a picture in a response, which the plugin would not send", provider: "anthropic",
			in: []*ai.Message{
				user, ai.NewModelMessage(request("a")), ai.NewMessage(ai.RoleTool, nil, pictured),
			},
			want:  []int{0, 1, -1, -1},
			codes: []string{"media-moved"},
		},
		{
			name: "a picture in a response, which the plugin sends", provider: "gemini",
			in: []*ai.Message{
				user, ai.NewModelMessage(request("a")), ai.NewMessage(ai.RoleTool, nil, pictured),
			},
			want: []int{0, 1, 2},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, warnings, err := preflightgenkit.Messages(context.Background(), c.in,
				&wire.Options{Provider: c.provider})
			if err != nil {
				t.Fatal(err)
			}
			if got := clienttest.Codes(warnings); !slices.Equal(got, c.codes) {
				t.Errorf("reported %v, want %v", got, c.codes)
			}
			var from []int
			for _, m := range out {
				i := slices.Index(c.in, m)
				from = append(from, i)
				if i < 0 && m.Role == ai.RoleModel && m.Content[1] != c.in[1].Content[1] {
					t.Error("a part that did not change is not the caller's own")
				}
			}
			if !slices.Equal(from, c.want) {
				t.Errorf("the messages are %v of the caller's, want %v", from, c.want)
			}
		})
	}
}

// TestPendingOutput: the output of a tool that ran beside an interrupted one is that of its own
// request, although the models of Gemini give no refs, and others repeat them.
func TestPendingOutput(t *testing.T) {
	ran := func(ref string, output any) *ai.Part {
		p := request(ref)
		p.Metadata = map[string]any{"pendingOutput": output}
		return p
	}
	for _, c := range []struct{ provider, ref, rest string }{
		{"gemini", "", `{"name":"read","output":1}{"name":"read","output":2}`},
		{"openai-chat", "call_0", `{"name":"read","output":1,"ref":"call_0"}`},
	} {
		in := []*ai.Message{
			ai.NewUserTextMessage("Read it."), ai.NewModelMessage(ran(c.ref, 1)),
			ai.NewUserTextMessage("Go on."), ai.NewModelMessage(request(c.ref)),
			ai.NewUserTextMessage("Go on."),
		}
		if c.ref == "" {
			in[3] = ai.NewModelMessage(ran("", 2))
		}
		out, _, err := preflightgenkit.Messages(context.Background(), in,
			&wire.Options{Provider: c.provider})
		if err != nil {
			t.Fatal(err)
		}
		var got string
		for _, m := range out {
			for _, p := range m.Content {
				if p.IsToolResponse() {
					got += clienttest.JSON(t, p.ToolResponse)
				}
			}
		}
		if got != c.rest {
			t.Errorf("%s: the responses are %s, want %s", c.provider, got, c.rest)
		}
	}
}

// TestMergedResponses: plugins send no text of a response's content, so that it is in the output.
func TestMergedResponses(t *testing.T) {
	in := []*ai.Message{
		ai.NewUserTextMessage("Read it."), ai.NewModelMessage(request("a")),
		ai.NewMessage(ai.RoleTool, nil, response("a", map[string]any{"n": 1}), response("a", "text")),
	}
	out, _, err := preflightgenkit.Messages(context.Background(), in,
		&wire.Options{Provider: "gemini"})
	if err != nil {
		t.Fatal(err)
	}
	got := out[2].Content[0].ToolResponse
	if got.Output != "{\"n\":1}\ntext" || len(got.Content) > 0 {
		t.Errorf("the response is %s", clienttest.JSON(t, got))
	}
}

// TestKept: of a request and a response that are repaired stays what the repair is not about.
func TestKept(t *testing.T) {
	type input struct{ Path string }
	picture := ai.NewMediaPart("image/gif", "data:image/gif;base64,"+
		"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
	picture.Metadata = map[string]any{"page": 1}
	note := ai.NewTextPart("note")
	note.Metadata = map[string]any{"page": 2}
	ask := ai.NewToolRequestPart(&ai.ToolRequest{
		Ref: "a 1", Name: "read", Input: input{"a"}, Partial: true,
	})
	answer := ai.NewToolResponsePart(&ai.ToolResponse{
		Ref: "a 1", Name: "read", Output: "text", Content: []*ai.Part{picture, note},
	})
	cut := response("b", "cut \xff")
	cut.ToolResponse.Content = []*ai.Part{picture}
	in := []*ai.Message{
		ai.NewUserTextMessage("Read it."), ai.NewModelMessage(ask, request("b")),
		ai.NewMessage(ai.RoleTool, nil, answer, cut),
	}
	out, _, err := preflightgenkit.Messages(context.Background(), in,
		&wire.Options{Provider: "bedrock"})
	if err != nil || len(out) != 3 {
		t.Fatalf("%v %s", err, clienttest.JSON(t, out))
	}
	made := out[1].Content[0].ToolRequest
	if made.Input != (input{"a"}) || !made.Partial || made.Ref == "a 1" {
		t.Errorf("the request is %+v", made)
	}
	tool := out[2]
	if first := tool.Content[0].ToolResponse; first.Output != "text" ||
		!slices.Equal(first.Content, answer.ToolResponse.Content) {
		t.Errorf("the response is %s", clienttest.JSON(t, first))
	}
	if second := tool.Content[1].ToolResponse; second.Output != "cut \uFFFD" ||
		second.Content[0] != picture {
		t.Errorf("the other response is %s", clienttest.JSON(t, second))
	}
}

// TestJoined: messages that are joined keep the metadata of both.
func TestJoined(t *testing.T) {
	in := []*ai.Message{
		ai.NewUserMessageWithMetadata(map[string]any{"own": true}, ai.NewTextPart("a")),
		ai.NewUserMessageWithMetadata(map[string]any{"cache": 60}, ai.NewTextPart("b")),
	}
	out, _, err := preflightgenkit.Messages(context.Background(), in,
		&wire.Options{Portable: true})
	if err != nil || len(out) != 1 || len(in[0].Metadata) != 1 ||
		!reflect.DeepEqual(out[0].Metadata, map[string]any{"own": true, "cache": 60}) {
		t.Errorf("%v %s", err, clienttest.JSON(t, out))
	}
}

// TestSignatures: JSON makes strings of the signatures, which are bytes to Genkit's plugins.
func TestSignatures(t *testing.T) {
	call := request("a")
	call.Metadata["signature"] = []byte{1, 2, 0xff}
	history := []*ai.Message{
		ai.NewUserTextMessage("Read it."),
		ai.NewModelMessage(ai.NewReasoningPart("Hm.", []byte("sig")), call),
		ai.NewMessage(ai.RoleTool, nil, response("a", "text")),
	}
	stored, err := json.Marshal(history)
	if err != nil {
		t.Fatal(err)
	}
	var read []*ai.Message
	if err := json.Unmarshal(stored, &read); err != nil {
		t.Fatal(err)
	}
	given := read[1].Content[0]
	out, warnings, err := preflightgenkit.Messages(context.Background(), read,
		&wire.Options{Provider: "gemini"})
	if err != nil || !slices.Equal(clienttest.Codes(warnings),
		[]string{"part-changed", "part-changed"}) {
		t.Fatalf("%v, %v", warnings, err)
	}
	for k, p := range out[1].Content {
		if want := history[1].Content[k].Metadata["signature"]; !reflect.DeepEqual(
			p.Metadata["signature"], want) {
			t.Errorf("parts[%d]: %v, want %v", k, p.Metadata["signature"], want)
		}
	}
	if out[0] != read[0] || out[2] != read[2] || read[1].Content[0] != given ||
		given.Metadata["signature"] != "c2ln" {
		t.Error("the caller's messages are not as they were")
	}
	if _, warnings, err := preflightgenkit.Messages(context.Background(), out,
		&wire.Options{Provider: "gemini"}); err != nil || len(warnings) > 0 {
		t.Errorf("again: %v, %v", warnings, err)
	}
}

// TestUnsignedReasoning: reasoning without a signature has one that is empty, of which JSON makes
// null. Its turn may be cut.
func TestUnsignedReasoning(t *testing.T) {
	for _, signature := range []any{[]byte(nil), []byte{}, "", nil} {
		reasoning := ai.NewReasoningPart("Hm.", nil)
		reasoning.Metadata["signature"] = signature
		history := []*ai.Message{
			ai.NewUserTextMessage("Read it."),
			ai.NewModelMessage(reasoning, ai.NewTextPart("Yes."), request("a")),
			ai.NewUserTextMessage("Stop."),
		}
		_, warnings, err := preflightgenkit.Messages(context.Background(), history,
			&wire.Options{Provider: "bedrock"})
		if got := clienttest.Codes(warnings); err != nil ||
			!slices.Equal(got, []string{"dangling-removed"}) {
			t.Errorf("%#v: %v, %v", signature, got, err)
		}
	}
}
