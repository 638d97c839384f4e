package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/wire"
)

// This file looks for leaks: a secret takes the place of every key and value of a body in turn, and
// must be in nothing that is printed about the body.

const canary = "alice@example.org"

// canaries are JSON values that hold the secret.
var canaries = []string{
	`"` + canary + `"`,
	`{"` + canary + `":"` + canary + `"}`,
	`["` + canary + `"]`,
	`"` + strings.Repeat("x", 300) + canary + `"`,
	`"` + canary + `\ud83d"`,
}

// TestCanaries: see above. Model names are the exception, since reports name the model.
func TestCanaries(t *testing.T) {
	for _, provider := range wire.Providers() {
		options := &wire.Options{Provider: provider}
		bodies := []string{samples[provider]}
		for k := range rapidseed.Size(100, 4) {
			bodies = append(bodies, string(body(provider).Example(k)))
		}
		n := 0
		for _, sample := range bodies {
			for _, at := range spots(sample) {
				if n++; n%stride(5) == 0 {
					in := at.fill(sample, canaries[n/stride(5)%len(canaries)])
					requireSilence(t, []byte(in), options)
				}
			}
		}
		require.Greater(t, n, 20, provider)
	}
}

// FuzzCanaries puts the secret into any place of any body.
func FuzzCanaries(f *testing.F) {
	for k, provider := range wire.Providers() {
		f.Add([]byte(samples[provider]), uint8(k), uint16(7), uint8(1))
		f.Add(body(provider).Example(k), uint8(k), uint16(20), uint8(2))
	}
	f.Fuzz(func(t *testing.T, in []byte, format uint8, place uint16, value uint8) {
		providers := wire.Providers()
		options := &wire.Options{Provider: providers[int(format)%len(providers)]}
		if all := spots(string(in)); len(all) > 0 {
			at := all[int(place)%len(all)]
			in = []byte(at.fill(string(in), canaries[int(value)%len(canaries)]))
		}
		requireSilence(t, in, options)
	})
}

// TestEncodeErrorsNameTypes: the type of a block that cannot be written is named if it is one.
func TestEncodeErrorsNameTypes(t *testing.T) {
	r, err := wire.Decode([]byte(`{"messages":[{"role":"user","content":"q"}]}`),
		&wire.Options{Provider: "anthropic"})
	require.NoError(t, err)
	for kind, named := range map[string]bool{"video_url": true, canary: false, "a b": false} {
		_, err := r.Encode([]preflight.Message{{
			Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Other{Kind: kind}},
		}})
		require.ErrorIs(t, err, wire.ErrEncode)
		require.Equal(t, named, strings.Contains(err.Error(), kind), "%v", err)
	}
}

// requireSilence fails if the secret is in anything that is printed about a body.
func requireSilence(t fataler, in []byte, options *wire.Options) {
	t.Helper()
	for what, said := range printed(in, options) {
		if strings.Contains(said, canary) {
			t.Fatalf("%s quote the body: %s\n in %s", what, said, in)
		}
	}
}

// printed is all that is printed about a body.
func printed(in []byte, options *wire.Options) map[string]string {
	out := make(map[string]string)
	var log, plain strings.Builder
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	say := func(what string, v any, err error) {
		if err != nil {
			out["errors of "+what] = err.Error()
		}
		data, err := json.Marshal(v)
		if err != nil {
			data = []byte(err.Error())
		}
		out["reports of "+what] = string(data)
	}
	result, err := wire.Sanitize(context.Background(), in, options)
	say("Sanitize", result.Warnings, err)
	logger.Info("done", "error", err)
	for _, w := range result.Warnings {
		logger.Info("changed", "warning", w)
		fmt.Fprintf(&plain, "%v %+v %s %s\n", w, w, w.Path, w.Detail)
	}
	if report, err := wire.Check(in, options); err != nil {
		say("Check", nil, err)
	} else {
		say("Check", report.Violations, nil)
		for _, v := range report.Violations {
			logger.Info("wrong", "violation", v)
			fmt.Fprintf(&plain, "%v %+v %s %s\n", v, v, v.Path, v.Detail)
		}
	}
	for _, to := range []string{"anthropic", "openai-chat", "gemini"} {
		converted, err := wire.Convert(context.Background(), in,
			options.Provider, &wire.Options{Provider: to})
		if err != nil {
			say("Convert", nil, err)
		} else {
			say("Convert", converted.Warnings, nil)
		}
	}
	out["logs"], out["prints"] = log.String(), plain.String()
	return out
}

// spot is a key or value of a body.
type spot struct {
	from, to   int
	key, model bool
}

// fill replaces the key or value by another. A key that is not a string, or the name of a model,
// stays.
func (s spot) fill(body, value string) string {
	if s.model || s.key && value[0] != '"' {
		return body
	}
	return body[:s.from] + value + body[s.to:]
}

// spots are all keys and values of a body.
func spots(body string) []spot {
	doc, err := jsonscan.Parse([]byte(body))
	if err != nil {
		return nil
	}
	var out []spot
	var walk func(v jsonscan.Value)
	walk = func(v jsonscan.Value) {
		for m := v.First(); m.Exists(); m = m.Next() {
			model := false
			if v.Kind() == jsonscan.Object {
				key := m.Key()
				out = append(out, spot{from: key.Start(), to: key.End(), key: true})
				model = bytes.Contains(key.Raw(), []byte("model"))
			}
			out = append(out, spot{from: m.Start(), to: m.End(), model: model})
			walk(m)
		}
	}
	walk(doc.Root())
	return out
}
