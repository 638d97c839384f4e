package spec

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/provider"
)

// This file tests errors that become text.

func TestErrorToText(t *testing.T) {
	profile := provider.Bedrock("us.writer.palmyra-x4-v1:0")
	text := func(s string) *preflight.Text { return &preflight.Text{Text: s} }
	for _, c := range []struct {
		reason  string
		in      *preflight.ToolResult
		want    []string
		changed bool
	}{
		{"what the tool said stays",
			&preflight.ToolResult{IsError: true, Content: []preflight.Part{text("no such file")}},
			[]string{"The tool call failed:", "no such file"}, true},
		{"no error", &preflight.ToolResult{Content: []preflight.Part{text("ok")}}, []string{"ok"},
			false},
		{"nothing said", &preflight.ToolResult{IsError: true}, []string{"The tool call failed:"},
			true},
		{"an output", &preflight.ToolResult{IsError: true, Output: json.RawMessage(`{"code":1.0}`)},
			[]string{"The tool call failed:", `{"code":1.0}`}, true},
		{"a placeholder says so itself",
			&preflight.ToolResult{
				IsError: true,
				Content: []preflight.Part{text(pairing.DanglingText)},
			}, []string{pairing.DanglingText}, true},
	} {
		t.Run(c.reason, func(t *testing.T) {
			c.in.CallID = "t"
			res, err := preflight.Sanitize(context.Background(),
				[]preflight.Message{
					userMsg(text("q")),
					botMsg(&preflight.ToolCall{ID: "t", Name: "f", Input: json.RawMessage("{}")}),
					userMsg(c.in),
				}, profile, nil)
			require.NoError(t, err)
			r := res.Messages[2].Parts[0].(*preflight.ToolResult)
			require.False(t, r.IsError)
			require.Empty(t, r.Output)
			var got []string
			for _, p := range r.Content {
				got = append(got, p.(*preflight.Text).Text)
			}
			require.Empty(t, cmp.Diff(c.want, got))
			require.Equal(t, c.changed, res.Changed)
			if c.changed {
				require.Len(t, res.Warnings, 1)
				require.Equal(t, codes.ErrorToText, res.Warnings[0].Code)
				require.Equal(t, "bedrock/tool-result-status-model", res.Warnings[0].Rule)
			}
		})
	}
}

// The rows of Claude's models hold on Bedrock, and the oldest have turns alternate; other families
// take less, or more.
func TestBedrockModels(t *testing.T) {
	for _, c := range []struct {
		model                        string
		prefill, midway, bound       bool
		flagless, reasoning, caching bool
		turns, unsigned              bool
	}{
		{model: "", prefill: true, caching: true, reasoning: true, unsigned: true},
		{
			model: "us.anthropic.claude-3-5-sonnet-20241022-v2:0", prefill: true, caching: true,
			reasoning: true, turns: true,
		},
		{
			model: "anthropic.claude-sonnet-4-5-20250929-v1:0", prefill: true, caching: true,
			reasoning: true,
		},
		{model: "us.anthropic.claude-opus-4-8-v1:0", midway: true, caching: true, reasoning: true},
		{
			model: "arn:aws:bedrock:us-east-1:1:inference-profile/global.anthropic.claude-" +
				"opus-5-5-v1:0",
			midway: true, bound: true, caching: true, reasoning: true,
		},
		{model: "amazon.nova-pro-v1:0", prefill: true, caching: true, unsigned: true},
		{model: "us.meta.llama3-1-70b-instruct-v1:0", prefill: true, unsigned: true},
		{model: "mistral.mistral-large-2402-v1:0", prefill: true, reasoning: true, unsigned: true},
		{
			model: "us.writer.palmyra-x4-v1:0", prefill: true, flagless: true, caching: true,
			reasoning: true, unsigned: true,
		},
		{model: "us.deepseek.r1-v1:0", prefill: true, unsigned: true},
	} {
		p := provider.Bedrock(c.model)
		require.Equal(t, c.prefill, !p.Prefill.Refused, c.model)
		require.Equal(t, c.midway, p.System.Placement == provider.SystemMidway, c.model)
		require.Equal(t, c.bound, p.Reasoning.Bound, c.model)
		require.Equal(t, c.turns, p.Turns.Neighbours == provider.NeighboursMerged, c.model)
		require.Equal(t, c.unsigned, !p.Reasoning.Signed, c.model)
		require.Equal(t, c.flagless, p.Tools.NoErrorFlag, c.model)
		require.Equal(t, c.reasoning, !p.Reasoning.Refused, c.model)
		require.Equal(t, c.caching, p.Cache.Limit > 0, c.model)
	}
}
