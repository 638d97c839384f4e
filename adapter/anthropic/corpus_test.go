package preflightanthropic_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/go-preflight/preflight/adapter"
	preflightanthropic "github.com/go-preflight/preflight/adapter/anthropic"
	"github.com/go-preflight/preflight/wire"
)

// bodies are the request bodies of package wire's golden cases, by the name of the case.
func bodies(t *testing.T) map[string][]byte {
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
		if r, err := wire.Decode([]byte(in), nil); err == nil && r.Provider == "anthropic" &&
			strings.HasPrefix(in, "{") {
			out[filepath.Base(file)] = []byte(in)
		}
	}
	if len(out) == 0 {
		t.Fatal("there are no bodies")
	}
	return out
}

// TestSentIsWhatWireSends: the SDK sends the repaired params as package wire repairs what the SDK
// would have sent, whatever the params are made of.
func TestSentIsWhatWireSends(t *testing.T) {
	forms := map[string]func(body []byte) (anthropic.MessageNewParams, error){
		"raw JSON": func(body []byte) (anthropic.MessageNewParams, error) {
			return param.Override[anthropic.MessageNewParams](json.RawMessage(body)), nil
		},
		"typed": func(body []byte) (params anthropic.MessageNewParams, err error) {
			return params, json.Unmarshal(body, &params)
		},
		"typed, with messages of raw JSON": func(
			body []byte,
		) (params anthropic.MessageNewParams, err error) {
			if err := json.Unmarshal(body, &params); err != nil {
				return params, err
			}
			var raw struct{ Messages []json.RawMessage }
			if err := json.Unmarshal(body, &raw); err != nil {
				return params, err
			}
			params.Messages = nil
			for _, m := range raw.Messages {
				params.Messages = append(params.Messages, param.Override[anthropic.MessageParam](m))
			}
			return params, nil
		},
	}
	for name, form := range forms {
		tried := 0
		for file, body := range bodies(t) {
			params, err := form(body)
			if err != nil {
				continue // not a body that the SDK can hold
			}
			before, err := json.Marshal(params)
			if err != nil {
				continue
			}
			want, wantErr := wire.Sanitize(context.Background(), before,
				&wire.Options{Provider: "anthropic"})
			out, warnings, err := preflightanthropic.Params(context.Background(), params, nil)
			if (err != nil) != (wantErr != nil) {
				t.Errorf("%s, %s: error %v, want %v", file, name, err, wantErr)
				continue
			}
			if got := sent(t, out); !adapter.Equal([]byte(got), want.Body) {
				t.Errorf("%s, %s:\n got  %s\n want %s", file, name, got, want.Body)
			}
			if !reflect.DeepEqual(warnings, want.Warnings) {
				t.Errorf("%s, %s: warnings\n got  %v\n want %v", file, name, warnings,
					want.Warnings)
			}
			if after := sent(t, params); after != string(before) {
				t.Errorf("%s, %s: the params were written to", file, name)
			}
			tried++
		}
		if tried < 10 {
			t.Errorf("%s: only %d bodies could be tried", name, tried)
		}
	}
}
