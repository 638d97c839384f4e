package spec

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/fixer"
)

// This file tests which results of provider-executed tools are truncated.

// TestTruncateProviderExecuted: what is shortened in the exchanges with a provider's own
// tools, and what must not be changed.
func TestTruncateProviderExecuted(t *testing.T) {
	long := func(k string) string { return `{"` + k + `":"` + strings.Repeat("x", 100) + `"}` }
	short := func(k string) string {
		return `{"` + k + `":"` + strings.Repeat("x", 5) + `… [truncated, original length: 100]"}`
	}
	ends := func(k string) string {
		return `{"` + k + `":"xx… [truncated, original length: 100] …xx"}`
	}
	runs := func(id, input string) *preflight.ToolCall {
		return &preflight.ToolCall{
			ID:               id,
			Name:             "run",
			Input:            json.RawMessage(input),
			ProviderExecuted: true,
		}
	}
	outputs := fixer.Truncate{MaxString: 40, HeadOnly: true}
	inputs := fixer.Truncate{MaxString: 40, HeadOnly: true, Inputs: true}
	truncated := warned(codes.Truncated)
	sealed := finds("s", long("k"))
	sealed.Name = "web_search"
	for _, c := range []struct {
		truncate fixer.Truncate
		fixerCase
	}{
		{outputs, fixerCase{
			name:  "results, and no arguments",
			in:    history(botMsg(runs("s", long("k")), finds("s", long("r")))),
			want:  history(botMsg(runs("s", long("k")), finds("s", short("r")))),
			codes: truncated,
		}},
		{inputs, fixerCase{
			name:  "both",
			in:    history(botMsg(runs("s", long("k")), finds("s", long("r")))),
			want:  history(botMsg(runs("s", short("k")), finds("s", short("r")))),
			codes: warned(codes.Truncated, codes.Truncated),
		}},
		{fixer.Truncate{MaxString: 41, Inputs: true}, fixerCase{
			name:  "both ends of both",
			in:    history(botMsg(runs("s", long("k")), finds("s", long("r")))),
			want:  history(botMsg(runs("s", ends("k")), finds("s", ends("r")))),
			codes: warned(codes.Truncated, codes.Truncated),
		}},
		{fixer.Truncate{MaxString: 1}, fixerCase{
			name:  "one unit is little, but a limit",
			in:    history(botMsg(runs("s", `{}`), finds("s", `{"k":"ab","l":"c"}`))),
			want:  history(botMsg(runs("s", `{}`), finds("s", `{"k":"…","l":"c"}`))),
			codes: truncated,
		}},
		{fixer.Truncate{}, fixerCase{
			name: "no limit", in: history(botMsg(runs("s", long("k")), finds("s", long("r")))),
		}},
		{inputs, fixerCase{
			name:  "of two calls with one id the first is finished",
			in:    history(botMsg(runs("s", long("k")), runs("s", long("l")), finds("s", `{}`))),
			want:  history(botMsg(runs("s", short("k")), runs("s", long("l")), finds("s", `{}`))),
			codes: truncated,
		}},
		{inputs, fixerCase{
			name: "the caller's tools are not asked",
			in: history(botMsg(callsWith("s", long("k")), runs("s", `{}`), finds("s", `{}`)),
				toolMsg(&preflight.ToolResult{CallID: "s", Output: json.RawMessage(long("r"))})),
		}},
		{inputs, fixerCase{
			name: "a search",
			in: history(botMsg(&preflight.ToolCall{
				ID:               "s",
				Name:             "web_search",
				Input:            json.RawMessage(long("k")),
				ProviderExecuted: true,
			}, finds("s", long("r")))),
		}},
		{inputs, fixerCase{
			name: "whose result alone says so",
			in:   history(botMsg(runs("s", long("k")), sealed)),
		}},
		{inputs, fixerCase{
			name: "nothing is long",
			in:   history(botMsg(runs("s", `{}`), finds("s", `{}`))),
		}},
	} {
		runFixer(t, c.truncate.Fixer(), []fixerCase{c.fixerCase})
	}
	out, warnings := inputs.Fixer().Apply(history(botMsg(finds("s", long("r")))), nil, nil)
	require.Len(t, warnings, 1, "a result without a call")
	require.Empty(t, cmp.Diff(history(botMsg(finds("s", short("r")))), out))
}

func TestTruncateSkipsRunningCalls(t *testing.T) {
	long := json.RawMessage(`{"code":"` + strings.Repeat("c", 900) + `"}`)
	call := func() preflight.Part {
		return &preflight.ToolCall{
			ID:   "srvtoolu_1",
			Name: "code_execution", Input: long, ProviderExecuted: true,
		}
	}
	answer := &preflight.ToolResult{
		CallID: "srvtoolu_1", ProviderExecuted: true,
		Output: json.RawMessage(`{}`),
	}
	in := []preflight.Message{
		{Role: preflight.RoleAssistant, Parts: []preflight.Part{call(), answer}},
		{Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Text{Text: "again"}}},
		{Role: preflight.RoleAssistant, Parts: []preflight.Part{call()}},
	}
	out, warnings := fixer.Truncate{MaxString: 100, Inputs: true}.Fixer().Apply(in, nil, nil)
	require.Len(t, warnings, 1, "the second call with the id is still running")
	require.Less(t, len(out[0].Parts[0].(*preflight.ToolCall).Input), 200)
	require.Same(t, in[2].Parts[0], out[2].Parts[0])
}

// TestTruncateContent: text in the result of a provider's tool is shortened like its output.
func TestTruncateContent(t *testing.T) {
	in := []preflight.Message{
		{
			Role: preflight.RoleAssistant,
			Parts: []preflight.Part{
				&preflight.ToolCall{
					ID:      "mcptoolu_1",
					Name:    "search",
					Input:   json.RawMessage(`{}`),
					Variant: "mcp", ProviderExecuted: true,
				},
				&preflight.ToolResult{
					CallID: "mcptoolu_1", Variant: "mcp", ProviderExecuted: true,
					Content: []preflight.Part{
						&preflight.Text{Text: strings.Repeat("c", 900)},
						&preflight.Text{Text: "short"},
					},
				},
			},
		},
	}
	out, warnings := fixer.Truncate{MaxString: 100}.Fixer().Apply(in, nil, nil)
	require.Len(t, warnings, 1)
	content := out[0].Parts[1].(*preflight.ToolResult).Content
	require.Equal(t, 100, utf8.RuneCountInString(content[0].(*preflight.Text).Text))
	require.Equal(t, "short", content[1].(*preflight.Text).Text)
}
