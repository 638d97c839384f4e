package preflightgenai_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"google.golang.org/genai"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	preflightgenai "github.com/go-preflight/preflight/adapter/genai"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/wire"
)

func user(text string) *genai.Content { return genai.NewContentFromText(text, genai.RoleUser) }

func model(parts ...*genai.Part) *genai.Content {
	return genai.NewContentFromParts(parts, genai.RoleModel)
}

func result(name string, response map[string]any) *genai.Content {
	return genai.NewContentFromFunctionResponse(name, response, genai.RoleUser)
}

func call(name string, args map[string]any) *genai.Part {
	return genai.NewPartFromFunctionCall(name, args)
}

func TestContents(t *testing.T) {
	long := map[string]any{"n": json.Number("12345678901234567890"), "f": json.Number("1.0")}
	tests := []struct {
		name    string
		in      []*genai.Content
		options wire.Options
		want    string // the JSON of what comes out
		same    map[int]int
	}{
		{"nothing to do",
			[]*genai.Content{
				user("a"), model(call("f", long)), result("f", map[string]any{"output": 1.5}),
			}, wire.Options{Model: "gemini-2.5-pro"},
			`[{"parts":[{"text":"a"}],"role":"user"},` +
				`{"parts":[{"functionCall":{"args":{"n":12345678901234567890,"f":1.0},` +
				`"name":"f"}}],"role":"model"},` +
				`{"parts":[{"functionResponse":{"name":"f","response":{"output":1.5}}}],` +
				`"role":"user"}]`,
			map[int]int{0: 0, 1: 1, 2: 2}},
		{"an open call is removed from a turn whose numbers are long",
			[]*genai.Content{
				user("a"),
				model(genai.NewPartFromText("t"), call("f", long), call("g", nil)),
				result("f", map[string]any{"output": 1}),
				user("b"),
			}, wire.Options{Model: "gemini-2.5-pro"},
			`[{"parts":[{"text":"a"}],"role":"user"},{"parts":[{"text":"t"},` +
				`{"functionCall":{"args":{"f":1.0,"n":12345678901234567890},"name":"f"}}],` +
				`"role":"model"},{"parts":[{"functionResponse":{"name":"f",` +
				`"response":{"output":1}}}],"role":"user"},{"parts":[{"text":"b"}],"role":"user"}]`,
			map[int]int{0: 0}},
		{"contents that are nil or a user's without parts go, an answer without parts stays",
			[]*genai.Content{nil, user("a"), {Role: "model"}, {Role: "user"}, user("b")},
			wire.Options{Model: "gemini-2.5-pro"},
			`[{"parts":[{"text":"a"}],"role":"user"},{"role":"model"},` +
				`{"parts":[{"text":"b"}],"role":"user"}]`,
			map[int]int{1: 0, 2: 1, 4: 2}},
		{"Vertex AI refuses an answer without parts, too",
			[]*genai.Content{nil, user("a"), {Role: "model"}},
			wire.Options{Provider: "vertex-gemini", Model: "gemini-2.5-pro"},
			`[{"parts":[{"text":"a"}],"role":"user"}]`, map[int]int{1: 0}},
		{"a function response without a response stays",
			[]*genai.Content{user("a"), model(call("f", nil)), result("f", nil)},
			wire.Options{Model: "gemini-2.5-pro"},
			`[{"parts":[{"text":"a"}],"role":"user"},` +
				`{"parts":[{"functionCall":{"name":"f"}}],"role":"model"},` +
				`{"parts":[{"functionResponse":{"name":"f"}}],"role":"user"}]`,
			map[int]int{0: 0, 1: 1, 2: 2}},
		{"a part with a signature alone stays",
			[]*genai.Content{
				user("a"),
				model(genai.NewPartFromText("t"), &genai.Part{ThoughtSignature: []byte("ABC")}),
				user("b"),
			}, wire.Options{Model: "gemini-2.5-pro"},
			`[{"parts":[{"text":"a"}],"role":"user"},{"parts":[{"text":"t"},` +
				`{"thoughtSignature":"QUJD"}],"role":"model"},` +
				`{"parts":[{"text":"b"}],"role":"user"}]`,
			map[int]int{0: 0, 1: 1, 2: 2}},
		{"a model that wants signatures is told to do without",
			[]*genai.Content{
				user("a"), model(call("f", nil)), result("f", map[string]any{"output": "x"}),
			}, wire.Options{Model: "gemini-3-pro-preview"},
			`[{"parts":[{"text":"a"}],"role":"user"},` +
				`{"parts":[{"functionCall":{"name":"f"},` +
				`"thoughtSignature":"skip/thought/signature/validator"}],"role":"model"},` +
				`{"parts":[{"functionResponse":{"name":"f","response":{"output":"x"}}}],` +
				`"role":"user"}]`,
			map[int]int{0: 0, 2: 2}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			before := clienttest.JSON(t, c.in)
			out, _, err := preflightgenai.Contents(context.Background(), c.in, &c.options)
			if err != nil {
				t.Fatal(err)
			}
			if got := clienttest.JSON(t, out); !adapter.Equal([]byte(got), []byte(c.want)) {
				t.Errorf("\n got  %s\n want %s", got, c.want)
			}
			for from, to := range c.same {
				if out[to] != c.in[from] {
					t.Errorf("contents[%d] is not the caller's own", from)
				}
			}
			if clienttest.JSON(t, c.in) != before {
				t.Error("the input was written to")
			}
			again, warnings, err := preflightgenai.Contents(context.Background(), out, &c.options)
			if err != nil || len(warnings) > 0 || &again[0] != &out[0] {
				t.Errorf("what came out is repaired again: %v %v", warnings, err)
			}
		})
	}
}

// TestSkipSignature: the SDK writes the bytes that the documented text encodes.
// https://ai.google.dev/gemini-api/docs/thought-signatures
func TestSkipSignature(t *testing.T) {
	out, _, err := preflightgenai.Contents(context.Background(),
		[]*genai.Content{
			user("a"), model(call("f", nil)), result("f", map[string]any{"output": "x"}),
		}, &wire.Options{Model: "gemini-3-pro-preview"})
	if err != nil {
		t.Fatal(err)
	}
	if got := base64.URLEncoding.EncodeToString(out[1].Parts[0].ThoughtSignature); got !=
		"skip_thought_signature_validator" {
		t.Error(got)
	}
}

// TestParts: parts of a changed content that did not change are the caller's own.
func TestParts(t *testing.T) {
	picture := genai.NewPartFromBytes([]byte{1, 2, 3}, "image/png")
	thought := &genai.Part{Text: "hm", Thought: true, ThoughtSignature: []byte("ABC")}
	in := []*genai.Content{
		{Role: "user", Parts: []*genai.Part{picture, nil}},
		model(thought, genai.NewPartFromText("t"), call("f", nil)),
		user("b"),
	}
	out, _, err := preflightgenai.Contents(context.Background(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if out[0].Parts[0] != picture || out[1].Parts[0] != thought {
		t.Errorf("%s", clienttest.JSON(t, out))
	}
}

func TestRequest(t *testing.T) {
	ctx := context.Background()
	config := &genai.GenerateContentConfig{
		SystemInstruction: genai.NewContentFromText("Be brief.", ""),
		Temperature:       genai.Ptr[float32](0.5),
		Tools: []*genai.Tool{
			{
				FunctionDeclarations: []*genai.FunctionDeclaration{
					{
						Name: "a tool", Description: "d",
						Parameters: &genai.Schema{Type: genai.TypeObject},
					},
				},
			},
		},
	}
	clean := []*genai.Content{user("a")}

	t.Run("a name that the provider refuses", func(t *testing.T) {
		before := clienttest.JSON(t, config)
		contents, changed, warnings, err := preflightgenai.Request(ctx, "gemini-2.5-pro", clean,
			config, nil)
		if err != nil || len(warnings) != 1 || contents[0] != clean[0] {
			t.Fatal(warnings, err)
		}
		if f := changed.Tools[0].FunctionDeclarations[0]; f.Name == "a tool" ||
			f.Description != "d" || *changed.Temperature != 0.5 ||
			changed.SystemInstruction != config.SystemInstruction {
			t.Errorf("%s", clienttest.JSON(t, changed))
		}
		if clienttest.JSON(t, config) != before {
			t.Error("the caller's config was written to")
		}
	})
	t.Run("a leading system message without a config", func(t *testing.T) {
		contents, changed, _, err := preflightgenai.Request(ctx, "gemini-2.5-pro",
			[]*genai.Content{genai.NewContentFromText("Be brief.", "system"), clean[0]}, nil, nil)
		if err != nil || len(contents) != 1 || contents[0] != clean[0] || changed == nil ||
			changed.SystemInstruction.Parts[0].Text != "Be brief." {
			t.Errorf("%v %s %s", err, clienttest.JSON(t, contents), clienttest.JSON(t, changed))
		}
	})
	t.Run("nothing to do", func(t *testing.T) {
		plain := &genai.GenerateContentConfig{Temperature: config.Temperature}
		contents, same, warnings, err := preflightgenai.Request(ctx, "gemini-2.5-pro", clean, plain,
			nil)
		if err != nil || len(warnings) > 0 || same != plain || &contents[0] != &clean[0] {
			t.Error(warnings, err)
		}
	})
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	if _, _, err := preflightgenai.Contents(ctx, nil, nil); !errors.Is(err,
		preflight.ErrEmptyHistory) {
		t.Error(err)
	}
	bad := []*genai.Content{user("a"), model(call("f", map[string]any{"n": math.Inf(1)}))}
	var e *adapter.MessageError
	out, _, err := preflightgenai.Contents(ctx, bad, nil)
	if !errors.As(err, &e) || e.Message != 1 || len(out) != 2 {
		t.Error(err)
	}
	config := &genai.GenerateContentConfig{}
	contents, same, _, err := preflightgenai.Request(ctx, "gemini-2.5-pro", bad, config, nil)
	if !errors.As(err, &e) || len(contents) != 2 || same != config {
		t.Error(err)
	}
}
