package spec

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
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
	outputs := preflight.Options{MaxString: 40, HeadOnly: true}
	inputs := preflight.Options{MaxString: 40, HeadOnly: true, TruncateInputs: true}
	truncated := warned(codes.Truncated)
	sealed := finds("s", long("k"))
	sealed.Name = "web_search"
	runFixer(t, preflight.TruncateProviderExecuted, []fixerCase{
		{
			name: "results, and no arguments", options: outputs,
			in:    history(botMsg(runs("s", long("k")), finds("s", long("r")))),
			want:  history(botMsg(runs("s", long("k")), finds("s", short("r")))),
			codes: truncated,
		},
		{
			name: "both", options: inputs,
			in:    history(botMsg(runs("s", long("k")), finds("s", long("r")))),
			want:  history(botMsg(runs("s", short("k")), finds("s", short("r")))),
			codes: warned(codes.Truncated, codes.Truncated),
		},
		{
			name:    "both ends of both",
			options: preflight.Options{MaxString: 41, TruncateInputs: true},
			in:      history(botMsg(runs("s", long("k")), finds("s", long("r")))),
			want:    history(botMsg(runs("s", ends("k")), finds("s", ends("r")))),
			codes:   warned(codes.Truncated, codes.Truncated),
		},
		{
			name:    "one unit is little, but a limit",
			options: preflight.Options{MaxString: 1},
			in:      history(botMsg(runs("s", `{}`), finds("s", `{"k":"ab","l":"c"}`))),
			want:    history(botMsg(runs("s", `{}`), finds("s", `{"k":"…","l":"c"}`))),
			codes:   truncated,
		},
		{name: "no limit", in: history(botMsg(runs("s", long("k")), finds("s", long("r"))))},
		{
			name: "of two calls with one id the first is finished", options: inputs,
			in:    history(botMsg(runs("s", long("k")), runs("s", long("l")), finds("s", `{}`))),
			want:  history(botMsg(runs("s", short("k")), runs("s", long("l")), finds("s", `{}`))),
			codes: truncated,
		},
		{
			name: "the caller's tools are not asked", options: inputs,
			in: history(botMsg(callsWith("s", long("k")), runs("s", `{}`), finds("s", `{}`)),
				toolMsg(&preflight.ToolResult{CallID: "s", Output: json.RawMessage(long("r"))})),
		},
		{
			name: "a search", options: inputs,
			in: history(botMsg(&preflight.ToolCall{
				ID:               "s",
				Name:             "web_search",
				Input:            json.RawMessage(long("k")),
				ProviderExecuted: true,
			}, finds("s", long("r")))),
		},
		{
			name: "whose result alone says so", options: inputs,
			in: history(botMsg(runs("s", long("k")), sealed)),
		},
		{
			name: "nothing is long", options: inputs,
			in: history(botMsg(runs("s", `{}`), finds("s", `{}`))),
		},
	})
	out, warnings := preflight.TruncateProviderExecuted.Apply(
		history(botMsg(finds("s", long("r")))), nil, &inputs)
	require.Len(t, warnings, 1, "a result without a call")
	require.Empty(t, cmp.Diff(history(botMsg(finds("s", short("r")))), out))
}
