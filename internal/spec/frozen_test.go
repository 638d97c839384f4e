package spec

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

var (
	update    = flag.Bool("update", false, "rewrite what the files in testdata want")
	histories = flag.Int("frozen.histories", chunk, "how many histories of a profile are compared")
)

const (
	frozenFile = "internal/spec/testdata/frozen.json"
	chunk      = 200    // histories under one hash
	most       = 10_000 // histories of a profile in the file
)

// TestFrozen compares what Sanitize makes of generated, broken histories with what it made of them
// before: messages and warnings, under one hash for every chunk of histories. A change of structure
// leaves testdata/frozen.json as it is; a change of behaviour rewrites it with
//
//	go test ./internal/spec -run TestFrozen -update
//
// and its diff shows which profiles the change concerns. Without -frozen.histories=10000 only the
// first chunk of each profile is compared.
func TestFrozen(t *testing.T) {
	want := map[string][]string{}
	if *update {
		*histories = most
	} else {
		b, err := os.ReadFile(frozenFile)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(b, &want))
	}
	got := map[string][]string{}
	for name, p := range frozenProfiles() {
		for first := 0; first < *histories; first += chunk {
			got[name] = append(got[name], hashOf(p, first))
		}
		if w := want[name]; len(w) > len(got[name]) {
			want[name] = w[:len(got[name])]
		}
	}
	if *update {
		b, err := json.MarshalIndent(got, "", "\t")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(frozenFile, append(b, '\n'), 0o644))
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("a new profile, or other messages or warnings than before (-want +got); if that "+
			"is meant, run: go test ./internal/spec -run TestFrozen -update\n%s", d)
	}
}

// frozenProfiles are the profiles of all providers, of models with rules of their own, the portable
// one, and none.
func frozenProfiles() map[string]*preflight.Profile {
	out := map[string]*preflight.Profile{"none": nil, "portable": provider.Portable()}
	for _, p := range provider.All() {
		out[p.Provider] = p
	}
	for _, m := range [][2]string{
		{"anthropic", "claude-sonnet-4-5"}, {"anthropic", "claude-opus-4-7"},
		{"bedrock", "amazon.nova-pro"}, {"bedrock", "anthropic.claude-sonnet-4-5"},
		{"chat-template", "gpt-oss"}, {"chat-template", "mistral"},
		{"gemini", "gemini-2.5-pro"}, {"gemini", "gemini-3-pro"},
		{"openai-chat", "gpt-5"}, {"openai-responses", "gpt-5"},
	} {
		p, _ := provider.ByName(m[0], m[1])
		out[m[0]+" "+m[1]] = p
	}
	return out
}

// hashOf returns the hash of what becomes of a chunk of histories.
func hashOf(p *preflight.Profile, first int) string {
	h := sha256.New()
	drawn := p
	if p == nil {
		drawn = &preflight.Profile{}
	}
	generator := histgen.Corrupt(drawn, nil)
	for seed := first; seed < first+chunk; seed++ {
		res, err := preflight.Sanitize(context.Background(), generator.Example(seed), p, nil)
		messages, invalid := json.Marshal(res.Messages)
		if invalid != nil { // a history that is returned with an error may have no JSON
			messages = []byte(msgtest.Dump(res.Messages))
		}
		fmt.Fprintf(h, "%s\n%s\n%v\n", messages, msgtest.List(res.Warnings), err)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
