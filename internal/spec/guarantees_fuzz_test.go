package spec

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// This file hands the guarantees to the fuzzer: go test -fuzz FuzzValid, and so on. The fuzzer's
// bytes are the generator's decisions, so coverage steers which corruptions are combined.

// fuzz fuzzes a property over all profiles.
func fuzz(f *testing.F, name string) {
	profiles, names := underTest(), profileNames()
	for _, p := range properties {
		if p.name == name {
			f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
				p.check(t, profiles[rapid.SampledFrom(names).Draw(t, "profile")])
			}))
			return
		}
	}
	f.Fatalf("no property is named %q", name)
}

func FuzzValid(f *testing.F)         { fuzz(f, "G1 valid") }
func FuzzIdempotent(f *testing.F)    { fuzz(f, "G2 idempotent") }
func FuzzIdentity(f *testing.F)      { fuzz(f, "G3 identity") }
func FuzzNothingSilent(f *testing.F) { fuzz(f, "G4 nothing silent") }
func FuzzNoQuotes(f *testing.F)      { fuzz(f, "G4 no quotes") }
func FuzzLeastLoss(f *testing.F)     { fuzz(f, "G5 least loss") }
func FuzzAnswersStay(f *testing.F)   { fuzz(f, "G5 answers stay") }
func FuzzResultsStay(f *testing.F)   { fuzz(f, "G5 results stay") }
func FuzzPrefixStable(f *testing.F)  { fuzz(f, "G6 prefix-stable") }
func FuzzAgentLoop(f *testing.F)     { fuzz(f, "G6 agent loop") }
func FuzzPure(f *testing.F)          { fuzz(f, "G7 pure") }

// TestEveryPropertyIsFuzzed: each property has a target in this file.
func TestEveryPropertyIsFuzzed(t *testing.T) {
	source, err := os.ReadFile("internal/spec/guarantees_fuzz_test.go")
	require.NoError(t, err)
	for _, p := range properties {
		require.Contains(t, string(source), fmt.Sprintf("{ fuzz(f, %q) }", p.name))
	}
}

// FuzzTotal throws arbitrary bytes at every place that takes some: ids, names, texts, arguments,
// outputs, roles. Nothing may panic, and what comes out has to be valid.
func FuzzTotal(f *testing.F) {
	f.Add("user", "toolu_1", "read", `{"a":1}`, "text", 0)
	f.Add("", "\xed\xa0\x80", "a.b", `{"a":"\ud83d"}`, "\x00", 3)
	f.Add("TOOL", " a|b ", "", `"{\"a\":1}"`, " ", 7)
	f.Add("narrator", "", "\xff", `[[[[`, "\xed\xa0\xbd\x00\xed\xb8\x80", 21)
	f.Fuzz(func(t *testing.T, role, id, name, input, text string, limit int) {
		history := []preflight.Message{
			userMsg(says(text)),
			{
				Role: preflight.RoleAssistant, Name: name,
				Parts: []preflight.Part{
					&preflight.Reasoning{Text: text, Signature: id},
					&preflight.ToolCall{ID: id, Name: name, Input: json.RawMessage(input)},
					&preflight.ToolCall{
						ID:               id,
						Name:             name,
						Input:            json.RawMessage(input),
						ProviderExecuted: true,
					},
					&preflight.ToolResult{
						CallID: id, Name: name,
						Output:           json.RawMessage(input),
						ProviderExecuted: true,
					},
				},
			},
			{
				Role: preflight.Role(role),
				Parts: []preflight.Part{
					&preflight.ToolResult{
						CallID:  name,
						Output:  json.RawMessage(input),
						Content: []preflight.Part{says(text)},
					},
					&preflight.ToolResult{
						CallID: id, Name: name,
						Content: []preflight.Part{
							&preflight.Media{Kind: role, Data: text, Name: name},
						},
					},
					&preflight.Media{Kind: "image", Data: text, Name: name},
					&preflight.Other{Kind: role}, says(name),
				},
			},
		}
		for _, profile := range []preflight.Profile{
			{},
			*provider.Anthropic(""),
			*provider.OpenAIChat(""),
		} {
			options := &preflight.Options{
				Dangling: preflight.DanglingAnswer,
				Fixers: []preflight.Fixer{
					preflight.Fixers.StripEphemeral, fixer.Truncate{MaxString: limit, Inputs: true}.Fixer(),
				},
			}
			snapshot := histgen.Clone(history)
			res, err := preflight.Sanitize(context.Background(), history, &profile, options)
			if err != nil {
				t.Fatalf("%v\n%s", err, dump(snapshot))
			}
			if broken := judge(res.Messages, &profile, &preflight.Options{}); broken != "" {
				t.Fatalf("the provider would say: %s\n%s\n%s", broken, dump(snapshot),
					dump(res.Messages))
			}
			again, err := preflight.Sanitize(context.Background(), res.Messages, &profile, options)
			if err != nil || again.Changed {
				t.Fatalf("the output changes again: %v %s\n%s\n%s", err, list(again.Warnings),
					dump(snapshot), dump(res.Messages))
			}
		}
	})
}
