package compare

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

func rowsOf(t *testing.T, provider string, s Sanitizer) map[string]Row {
	t.Helper()
	table, err := Run(t.Context(), provider, s)
	require.NoError(t, err)
	rows := map[string]Row{}
	for _, r := range table.Rows {
		rows[r.Measure] = r
	}
	t.Log("\n" + table.String())
	return rows
}

func TestPreflightItself(t *testing.T) {
	for provider := range models {
		if testing.Short() && provider != "anthropic" {
			continue
		}
		t.Run(provider, func(t *testing.T) {
			rows := rowsOf(t, provider, func(_ context.Context, body []byte) ([]byte, error) {
				return body, nil
			})
			require.Greater(t, rows[Refused].Of, 3)
			require.Equal(t, rows[Refused].Of, rows[Refused].Yours, "nothing was repaired")
			require.NotEmpty(t, rows[Refused].Why)
			require.Zero(t, rows[Changed].Yours)
			require.Zero(t, rows[Lost].Yours)
			require.Zero(t, rows[Invented].Yours)
			require.Zero(t, rows[Prefix].Yours)
			require.Zero(t, rows[Order].Yours)
			require.Zero(t, rows[Swapped].Yours)
			for _, measure := range []string{Left, Changed, Broken, Lost, Swapped, Order} {
				require.Zero(t, rows[measure].Preflight, measure)
			}
			// "Continue.", and what is said of pictures that no result may hold
			require.LessOrEqual(t, rows[Invented].Preflight, 20)
			// what only a server knows, or a caller can say
			require.LessOrEqual(t, rows[Refused].Preflight, 2)
			require.LessOrEqual(t, 2*rows[Errors].Preflight, rows[Errors].Of)
		})
	}
}

// TestFaults: each measure shows the sanitizer that has its fault.
func TestFaults(t *testing.T) {
	rows := rowsOf(t, "anthropic", func(_ context.Context, body []byte) ([]byte, error) {
		var request map[string]any
		if err := json.Unmarshal(body, &request); err != nil {
			return nil, err
		}
		messages, _ := request["messages"].([]any)
		if len(messages) < 2 {
			return nil, errors.New("nothing to do")
		}
		request["messages"] = append(messages[len(messages)-1:],
			map[string]any{"role": "user", "content": "Go on."})
		return json.Marshal(request)
	})
	for _, measure := range []string{Refused, Errors, Left, Changed, Broken, Lost, Invented, Prefix} {
		require.NotZero(t, rows[measure].Yours, measure)
		require.True(t, json.Valid(rows[measure].Example), measure)
	}
	for _, measure := range []string{Refused, Left, Broken} {
		sum := 0
		for _, n := range rows[measure].Rules {
			sum += n
		}
		require.Equal(t, rows[measure].Yours-sum, 0, measure)
	}
	c := newComparison(t.Context(), "openai-chat",
		func(context.Context, []byte) ([]byte, error) { panic("no") })
	require.NoError(t, c.measure(c.refused))
	require.Equal(t, c.of[Errors], c.sides[0].faults[Errors].count)
}

// TestNaive: of each sanitizer the faults are found that it has, and no others.
func TestNaive(t *testing.T) {
	for _, test := range []struct {
		name string
		edit func(messages []any) ([]any, error)
		has  []string
		why  string // of the first of these
	}{
		{
			"refuses what is wrong, and leaves the rest",
			func(messages []any) ([]any, error) {
				body := request(t, messages)
				if found, err := preflighttest.Violations("anthropic", body); err != nil || len(found) > 0 {
					return nil, fmt.Errorf("%d violations: %w", len(found), err)
				}
				return messages, nil
			},
			[]string{Left},
			"an error: ",
		},
		{
			"removes all calls and results where one is alone",
			func(messages []any) ([]any, error) {
				ids := map[any]int{}
				eachBlock(messages, func(b map[string]any) { ids[b["id"]]++; ids[b["tool_use_id"]]-- })
				delete(ids, nil)
				for _, n := range ids {
					if n != 0 {
						return withoutTools(messages), nil
					}
				}
				return messages, nil
			},
			[]string{Lost, Left, Prefix},
			" is gone",
		},
		{
			"gives results to calls by their order",
			func(messages []any) ([]any, error) {
				var calls []any
				eachBlock(messages, func(b map[string]any) {
					if b["type"] == "tool_use" {
						calls = append(calls, b["id"])
					} else if b["type"] == "tool_result" && len(calls) > 0 {
						b["tool_use_id"], calls = calls[0], calls[1:]
					}
				})
				return messages, nil
			},
			[]string{Swapped, Left},
			" answers the call ",
		},
		{
			"keeps results without a call as text of the user",
			func(messages []any) ([]any, error) {
				calls := map[any]bool{}
				eachBlock(messages, func(b map[string]any) {
					if b["type"] == "tool_use" {
						calls[b["id"]] = true
					} else if b["type"] == "tool_result" && !calls[b["tool_use_id"]] {
						b["type"], b["text"] = "text", fmt.Sprint("The tool said: ", b["content"])
						delete(b, "tool_use_id")
						delete(b, "content")
					} else if b["type"] == "tool_result" {
						delete(calls, b["tool_use_id"])
					}
				})
				return messages, nil
			},
			[]string{Invented, Left},
			"The tool said",
		},
		{
			"moves the last message to the front",
			func(messages []any) ([]any, error) {
				last := len(messages) - 1
				return append([]any{messages[last]}, messages[:last]...), nil
			},
			[]string{Order, Changed, Broken, Left, Prefix},
			" is after what followed it",
		},
		{
			"joins messages of the user",
			func(messages []any) (joined []any, err error) {
				for _, m := range messages {
					message := m.(map[string]any)
					text, plain := message["content"].(string)
					if n := len(joined); n > 0 && plain && message["role"] == "user" {
						before := joined[n-1].(map[string]any)
						if was, plain := before["content"].(string); plain && before["role"] == "user" {
							joined[n-1] = map[string]any{"role": "user", "content": was + "\n" + text}
							continue
						}
					}
					joined = append(joined, m)
				}
				return joined, nil
			},
			[]string{Changed, Left},
			"says something else",
		},
		{
			"gives all ids anew",
			func(messages []any) ([]any, error) {
				eachBlock(messages, func(b map[string]any) {
					for _, name := range []string{"id", "tool_use_id"} {
						if id, ok := b[name].(string); ok {
							b[name] = fmt.Sprintf("%s_%d", id, len(messages))
						}
					}
				})
				return messages, nil
			},
			[]string{Prefix, Changed, Left},
			" was sent otherwise a step ago",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newComparison(t.Context(), "anthropic", edited(test.edit))
			c.sessions = 50
			for _, measure := range []func() error{c.accepted, c.damaged, c.growing} {
				require.NoError(t, c.measure(measure))
			}
			for _, r := range c.table().Rows {
				if r.Of == 0 {
					continue
				}
				if !slices.Contains(test.has, r.Measure) {
					require.Zero(t, r.Yours, "%s: %s\n%s", r.Measure, r.Why, r.Example)
					continue
				}
				require.NotZero(t, r.Yours, r.Measure)
				require.Less(t, len(r.Example), 1000, r.Measure)
				require.NotEmpty(t, r.Link, r.Measure)
				if r.Measure == test.has[0] {
					require.Contains(t, r.Why, test.why)
				}
			}
		})
	}
}

// edited is a sanitizer that edits the messages of a body. Numbers keep their spelling.
func edited(edit func(messages []any) ([]any, error)) Sanitizer {
	return func(_ context.Context, body []byte) ([]byte, error) {
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		var members map[string]any
		if err := decoder.Decode(&members); err != nil {
			return nil, err
		}
		messages, err := edit(members["messages"].([]any))
		if err != nil {
			return nil, err
		}
		members["messages"] = messages
		return json.Marshal(members)
	}
}

func request(t *testing.T, messages []any) []byte {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": messages,
		"tools": []any{map[string]any{"name": "read", "input_schema": map[string]any{"type": "object"}}},
	})
	require.NoError(t, err)
	return body
}

// eachBlock calls a function with each block of each message.
func eachBlock(messages []any, do func(block map[string]any)) {
	for _, m := range messages {
		blocks, _ := m.(map[string]any)["content"].([]any)
		for _, b := range blocks {
			do(b.(map[string]any))
		}
	}
}

// withoutTools returns messages without calls and results, and without messages that had only these.
func withoutTools(messages []any) (kept []any) {
	for _, m := range messages {
		message := m.(map[string]any)
		if blocks, ok := message["content"].([]any); ok {
			blocks = slices.DeleteFunc(blocks, func(b any) bool { return b.(map[string]any)["type"] != "text" })
			if message["content"] = blocks; len(blocks) == 0 {
				continue
			}
		}
		kept = append(kept, message)
	}
	return kept
}

// TestLinks: what a table links to in the documentation exists.
func TestLinks(t *testing.T) {
	for _, page := range append(slices.Collect(maps.Values(pages)), "faq.md") {
		file, heading, _ := strings.Cut(page, "#")
		text, err := os.ReadFile("../../docs/" + file)
		require.NoError(t, err)
		require.Contains(t, strings.ReplaceAll(strings.ToLower(string(text)), " ", "-"), "-"+heading)
	}
}

// TestSlow: of a slow sanitizer fewer bodies are tried.
func TestSlow(t *testing.T) {
	c := newComparison(t.Context(), "anthropic",
		func(_ context.Context, body []byte) ([]byte, error) {
			time.Sleep(10 * time.Millisecond)
			return body, nil
		})
	c.limit = 65 * time.Millisecond
	require.NoError(t, c.measure(c.accepted))
	require.Less(t, c.of[Changed], 10)
	require.GreaterOrEqual(t, c.of[Changed], 5)
}

func TestRunErrors(t *testing.T) {
	same := func(_ context.Context, body []byte) ([]byte, error) { return body, nil }
	for _, provider := range []string{"nobody", "", "azure", "deepseek"} {
		_, err := Run(t.Context(), provider, same)
		require.ErrorIs(t, err, wire.ErrUnknownProvider)
		require.ErrorContains(t, err, "anthropic, bedrock")
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	_, err := Run(stopped, "anthropic", same)
	require.ErrorIs(t, err, context.Canceled)
}

// TestReadme: the table that the README shows is the one of the example.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	example, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	_, output, found := strings.Cut(string(example), "\t// Output:\n")
	require.True(t, found)
	for line := range strings.Lines(strings.TrimSuffix(output, "}\n")) {
		require.Contains(t, string(readme), "\n"+strings.TrimPrefix(line, "\t// "))
	}
}
