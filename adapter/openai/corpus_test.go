package preflightopenai_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	"github.com/go-preflight/preflight/adapter"
	preflightopenai "github.com/go-preflight/preflight/adapter/openai"
	"github.com/go-preflight/preflight/wire"
)

// bodies are the request bodies of package wire's golden cases for a provider, by the name of the
// case.
func bodies(t *testing.T, provider string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("../../wire/testdata/golden/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string][]byte)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, in, _ := strings.Cut(string(data), "\n-- input.json --\n")
		in, _, _ = strings.Cut(in, "\n-- ")
		if r, err := wire.Decode([]byte(in), nil); err == nil && r.Provider == provider &&
			strings.HasPrefix(in, "{") {
			out[filepath.Base(file)] = []byte(in)
		}
	}
	return out
}

// TestSentIsWhatWireSends: the SDK sends the repaired params as package wire repairs what the SDK
// would have sent, whatever the params are made of.
func TestSentIsWhatWireSends(t *testing.T) {
	t.Run("openai-chat", func(t *testing.T) {
		requireSameAsWire(t, "openai-chat", "messages", preflightopenai.ChatParams,
			func(p *openai.ChatCompletionNewParams, messages []json.RawMessage) {
				p.Messages = nil
				for _, m := range messages {
					p.Messages = append(p.Messages,
						param.Override[openai.ChatCompletionMessageParamUnion](m))
				}
			},
			func(body []byte) openai.ChatCompletionNewParams {
				return param.Override[openai.ChatCompletionNewParams](json.RawMessage(body))
			})
	})
	t.Run("openai-responses", func(t *testing.T) {
		requireSameAsWire(t, "openai-responses", "input", preflightopenai.ResponseParams,
			func(p *responses.ResponseNewParams, items []json.RawMessage) {
				p.Input = responses.ResponseNewParamsInputUnion{}
				for _, item := range items {
					p.Input.OfInputItemList = append(p.Input.OfInputItemList,
						param.Override[responses.ResponseInputItemUnionParam](item))
				}
			},
			func(body []byte) responses.ResponseNewParams {
				return param.Override[responses.ResponseNewParams](json.RawMessage(body))
			})
	})
}

// requireSameAsWire tries the bodies of a provider in three forms: as raw JSON, typed, and typed
// with raw messages.
func requireSameAsWire[P any](
	t *testing.T,
	provider, list string,
	sanitize func(context.Context, P, *wire.Options) (P, []wire.Warning, error),
	setList func(*P, []json.RawMessage),
	override func([]byte) P,
) {
	t.Helper()
	tried := 0
	for file, body := range bodies(t, provider) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(body, &members); err != nil {
			t.Fatal(err)
		}
		forms := []P{override(body)}
		var typed P
		if json.Unmarshal(body, &typed) == nil {
			forms = append(forms, typed)
		}
		var elements []json.RawMessage
		if json.Unmarshal(members[list], &elements) == nil {
			delete(members, list)
			rest, err := json.Marshal(members)
			if err != nil {
				t.Fatal(err)
			}
			var mixed P
			if json.Unmarshal(rest, &mixed) == nil {
				setList(&mixed, elements)
				forms = append(forms, mixed)
			}
		}
		for k, params := range forms {
			before, err := json.Marshal(params)
			if err != nil {
				continue // the SDK cannot send this
			}
			want, wantErr := wire.Sanitize(context.Background(), before,
				&wire.Options{Provider: provider})
			out, warnings, err := sanitize(context.Background(), params, nil)
			if (err != nil) != (wantErr != nil) {
				t.Errorf("%s, form %d: error %v, want %v", file, k, err, wantErr)
				continue
			}
			if got := sent(t, out); !adapter.Equal([]byte(got), want.Body) {
				t.Errorf("%s, form %d:\n got  %s\n want %s", file, k, got, want.Body)
			}
			if !reflect.DeepEqual(warnings, want.Warnings) {
				t.Errorf("%s, form %d: warnings\n got  %v\n want %v", file, k, warnings,
					want.Warnings)
			}
			if after := sent(t, params); after != string(before) {
				t.Errorf("%s, form %d: the params were written to", file, k)
			}
			tried++
		}
	}
	if tried < 10 {
		t.Errorf("only %d params could be tried", tried)
	}
}
