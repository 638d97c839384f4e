package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// TestReader: in the bodies of each provider, the reader sees who says what, and each fault.
func TestReader(t *testing.T) {
	session := func() []preflight.Message {
		call := func(number, id string) *preflight.ToolCall {
			return &preflight.ToolCall{ID: id, Name: "read", Input: argumentsOf("RESULT-" + number)}
		}
		first, second := call("3", "abcdefghi"), call("4", "bcdefghij")
		return []preflight.Message{
			preflight.UserText("USER-1"),
			{Role: preflight.RoleAssistant, Parts: []preflight.Part{
				&preflight.Text{Text: "MODEL-2"}, first, second,
			}},
			preflight.ResultOf(first, "RESULT-3", nil),
			preflight.ResultOf(second, "RESULT-4", nil),
			preflight.AssistantText("MODEL-5"),
			preflight.UserText("USER-6"),
		}
	}
	result := func(s []preflight.Message, k int) *preflight.ToolResult {
		return s[k].Parts[0].(*preflight.ToolResult)
	}
	say := func(s []preflight.Message, k int, text string) {
		s[k].Parts[0].(*preflight.Text).Text = text
	}
	for _, test := range []struct {
		fault string
		do    func(s []preflight.Message) []preflight.Message
	}{
		{"", func(s []preflight.Message) []preflight.Message { return s }},
		{"", func(s []preflight.Message) []preflight.Message { return slices.Delete(s, 5, 6) }},
		{"", func(s []preflight.Message) []preflight.Message { // a call that is repeated
			return append(slices.Insert(s, 5, s[1:4]...)[:5], s[5])
		}},
		{"swapped", func(s []preflight.Message) []preflight.Message {
			a, b := result(s, 2), result(s, 3)
			a.Content, b.Content = b.Content, a.Content
			return s
		}},
		{"swapped", func(s []preflight.Message) []preflight.Message {
			a, b := result(s, 2), result(s, 3)
			a.Content = append(a.Content, b.Content...)
			return s
		}},
		{"invented", func(s []preflight.Message) []preflight.Message { say(s, 4, "MODEL-7"); return s }},
		{"invented", func(s []preflight.Message) []preflight.Message { say(s, 5, "RESULT-4"); return s }},
		{"invented", func(s []preflight.Message) []preflight.Message { say(s, 5, "MODEL-5"); return s }},
		{"invented", func(s []preflight.Message) []preflight.Message {
			result(s, 3).Content = []preflight.Part{&preflight.Text{Text: "USER-6"}}
			return s
		}},
		{"invented", func(s []preflight.Message) []preflight.Message {
			s[1].Parts[1].(*preflight.ToolCall).Input = argumentsOf("RESULT-8")
			return s
		}},
		{"moved", func(s []preflight.Message) []preflight.Message {
			s[0], s[5] = s[5], s[0]
			return s
		}},
		{"moved", func(s []preflight.Message) []preflight.Message { return append(s, s[4], s[5]) }},
	} {
		for provider := range models {
			c := newComparison(t.Context(), provider, nil)
			want := wantedOf(session())
			require.Equal(t, []string{"RESULT-3", "RESULT-4", "USER-1", "USER-6"}, want.keep)
			body, err := c.body(test.do(session()))
			require.NoError(t, err)
			got := pieces(body)
			found := map[string]bool{
				"swapped": len(swappedIn(got, want)) > 0, "invented": inventedIn(got, want) != "",
				"moved": movedIn(got, want) != "",
			}
			maps.DeleteFunc(found, func(_ string, fault bool) bool { return !fault })
			if test.fault == "" {
				require.Empty(t, found, "%s: %s", provider, body)
			} else {
				require.Contains(t, found, test.fault, "%s: %s", provider, body)
			}
		}
	}
}

// TestSwappedWithoutIDs: results without ids answer the calls in their order.
func TestSwappedWithoutIDs(t *testing.T) {
	body := func(first, second string) []byte {
		return []byte(`{"contents":[{"role":"model","parts":[` +
			`{"functionCall":{"name":"read","args":{"path":"notes-1.txt"}}},` +
			`{"functionCall":{"name":"read","args":{"path":"notes-2.txt"}}}]},{"role":"user","parts":[` +
			`{"functionResponse":{"name":"read","response":{"output":"` + first + `"}}},` +
			`{"functionResponse":{"name":"read","response":{"output":"` + second + `"}}}]}]}`)
	}
	want := wanted{results: map[string]bool{"RESULT-1": true, "RESULT-2": true}}
	require.Empty(t, swappedIn(pieces(body("RESULT-1", "RESULT-2")), want))
	require.Len(t, swappedIn(pieces(body("RESULT-2", "RESULT-1")), want), 2)
}

// TestDamages: the sessions have each kind of damage in fair shares, and no text twice by accident.
// As they are, they have no fault but that they are refused.
func TestDamages(t *testing.T) {
	for provider := range models {
		c := newComparison(t.Context(), provider, nil)
		count, refused := map[string]int{}, map[string]int{}
		for seed := range sessions {
			d, err := c.damagedSession(seed)
			require.NoError(t, err)
			count[d.kind.name]++
			texts := map[string]bool{}
			for _, m := range d.messages {
				for _, p := range m.Parts {
					if text, ok := p.(*preflight.Text); ok && text.Text != "" {
						require.False(t, texts[text.Text], text.Text)
						texts[text.Text] = true
					}
				}
			}
			body, err := c.body(d.messages)
			require.NoError(t, err)
			got, want := pieces(body), wantedOf(d.messages)
			require.Empty(t, swappedIn(got, want), "%s: %s", provider, body)
			require.Empty(t, inventedIn(got, want), "%s: %s", provider, body)
			require.Empty(t, movedIn(got, want), "%s: %s", provider, body)
			for _, text := range want.keep {
				require.True(t, holds(body, text), "%s: %s: %s", provider, text, body)
			}
			if provider != "anthropic" {
				continue
			}
			if c.refusal(body) != "" || d.kind.unverified != "" {
				refused[d.kind.name]++
			}
		}
		require.Greater(t, len(count), 10)
		shares := slices.Sorted(maps.Values(count))
		require.LessOrEqual(t, shares[len(shares)-1]-shares[0], 1, "%s: %v", provider, count)
		if provider == "anthropic" {
			require.Len(t, refused, len(count), "%v of %v", refused, count)
			require.Len(t, count, len(damages)-1) // pictures are accepted
		}
	}
}

// TestNoFalseFaults: a sanitizer that refuses what is wrong has no fault but that, and a careful
// repair that shares no code with preflight has none.
func TestNoFalseFaults(t *testing.T) {
	for _, test := range []struct {
		name string
		Sanitizer
		has []string
	}{
		{"a careful repair", careful, []string{Prefix}}, // it moves late results to their calls
		{"a refuser", func(context.Context, []byte) ([]byte, error) {
			return nil, errors.New("no")
		}, []string{Left}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newComparison(t.Context(), "anthropic", test.Sanitizer)
			for _, measure := range []func() error{c.damaged, c.growing} {
				require.NoError(t, c.measure(measure))
			}
			for _, r := range c.table().Rows {
				if !slices.Contains(test.has, r.Measure) {
					require.Zero(t, r.Yours, "%s: %s\n%v\n%s", r.Measure, r.Why, r.Damage, r.Example)
				} else {
					require.NotZero(t, r.Yours, r.Measure)
					require.NotEmpty(t, r.Damage, r.Measure)
				}
			}
		})
	}
}

// careful repairs a damaged session of Anthropic's, and would drop much that a real one needs, such
// as all thinking.
func careful(_ context.Context, body []byte) ([]byte, error) {
	type block = map[string]any
	var request struct {
		Model     string           `json:"model"`
		MaxTokens int              `json:"max_tokens"`
		Tools     json.RawMessage  `json:"tools"`
		Messages  []map[string]any `json:"messages"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	results := map[any][]any{} // of each call: the contents of its results
	open := map[any]bool{}
	for _, m := range request.Messages {
		m["content"] = inBlocks(map[string]any{"content": m["content"]}).(map[string]any)["content"]
		for _, b := range m["content"].([]any) {
			b := b.(block)
			switch b["type"] {
			case "server_tool_use":
				open[b["id"]] = true
			case "web_search_tool_result":
				delete(open, b["tool_use_id"])
			case "tool_result":
				id, text := b["tool_use_id"], b["content"].([]any)[0]
				said := results[id]
				if b["is_error"] != true && !bytes.Contains(encoded(said), encoded(text)) {
					results[id] = append(said, text)
				}
			}
		}
	}
	var sent []map[string]any
	for _, m := range request.Messages {
		var kept, answers []any
		for _, b := range m["content"].([]any) {
			b := b.(block)
			switch b["type"] {
			case "tool_use":
				content, missing := results[b["id"]], false
				if content == nil {
					content, missing = []any{block{"type": "text", "text": "It is not known."}}, true
				}
				answers = append(answers, block{
					"type": "tool_result", "tool_use_id": b["id"], "content": content, "is_error": missing,
				})
			case "text":
				if strings.TrimSpace(b["text"].(string)) == "" {
					continue
				}
			case "server_tool_use":
				if open[b["id"]] {
					continue
				}
			case "tool_result", "thinking":
				continue
			}
			kept = append(kept, b)
		}
		if kept != nil {
			sent = append(sent, map[string]any{"role": m["role"], "content": kept})
		}
		if answers != nil {
			sent = append(sent, map[string]any{"role": "user", "content": answers})
		}
	}
	request.Messages = sent
	return json.Marshal(request)
}

func encoded(v any) []byte { data, _ := json.Marshal(v); return data }

// TestChangedAt: text alone is the same as a block of text, and a message at the end may grow.
func TestChangedAt(t *testing.T) {
	const a = `{"type":"text","text":"a"}`
	for _, test := range []struct {
		before, now string
		want        int
	}{
		{`[{"content":"a"},{"content":"b"}]`, `[{"content":[` + a + `]},{"content":"b"}]`, -1},
		{`[{"content":[{"content":"a"}]}]`, `[{"content":[{"content":[` + a + `]}]}]`, -1},
		{`[{"content":"a"}]`, `[{"content":[` + a + `,` + a + `]}]`, -1},
		{`[{"content":"a"}]`, `[{"content":"ab"}]`, 0},
		{`[{"content":"a"},{"content":"b"}]`, `[{"content":"a"}]`, 1},
		{`[{"parts":[1]},{"parts":[2]}]`, `[{"parts":[1,3]},{"parts":[2]}]`, 0},
		{`[{"n":12345678901234567890}]`, `[{"n":12345678901234567891}]`, 0},
	} {
		var before, now []json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(test.before), &before))
		require.NoError(t, json.Unmarshal([]byte(test.now), &now))
		require.Equal(t, test.want, changedAt(before, now), "%s %s", test.before, test.now)
	}
}
