package wire_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

func TestReportsAsJSON(t *testing.T) {
	in := []byte(
		`{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"q"},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t9","content":"x"}]}]}`,
	)
	result, err := wire.Sanitize(context.Background(), in, nil)
	require.NoError(t, err)
	require.Len(t, result.Warnings, 1)
	data, err := json.Marshal(result.Warnings)
	require.NoError(t, err)
	require.Equal(
		t,
		`[{"code":"orphan-removed","class":"lossy","rule":"anthropic/tool-result-orphan",`+
			`"path":"messages[1].content[0]","tool_call_id":"t9","detail":"`+
			result.Warnings[0].Detail+`"}]`,
		string(data),
	)
	report, err := wire.Check(in, nil)
	require.NoError(t, err)
	data, err = json.Marshal(report.Violations[len(report.Violations)-1:])
	require.NoError(t, err)
	require.Equal(
		t,
		`[{"rule":"anthropic/tool-result-orphan","path":"messages[1].content[0]",`+
			`"tool_call_id":"t9","message":"`+
			report.Violations[len(report.Violations)-1].Detail+`"}]`,
		string(data),
	)

}

// TestReportsInALog: what there is to say is in a log, and nothing else.
func TestReportsInALog(t *testing.T) {
	var b strings.Builder
	log := slog.New(
		slog.NewTextHandler(
			&b,
			&slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey {
					return slog.Attr{}
				}
				return a
			}},
		),
	)
	for want, reported := range map[string]slog.LogValuer{
		`x.code=c x.class=lossless x.path=p x.detail=d x.rule=r x.tool_call_id=t`: wire.Warning{
			Warning: preflight.Warning{Code: "c", Rule: "r", ToolCallID: "t", Detail: "d"},
			Path:    "p",
		},
		`x.code=c x.class=lossless x.path=p x.detail=d x.rule=r`: wire.Warning{
			Warning: preflight.Warning{Code: "c", Rule: "r", Detail: "d"}, Path: "p",
		},
		`x.code=c x.class=lossless x.path=p x.detail=d x.tool_call_id=t`: wire.Warning{
			Warning: preflight.Warning{Code: "c", ToolCallID: "t", Detail: "d"}, Path: "p",
		},
		`x.rule=r x.path=p x.detail=d`: wire.Violation{
			Violation: preflight.Violation{Rule: "r", Detail: "d"}, Path: "p",
		},
	} {
		b.Reset()
		log.Info("m", "x", reported)
		require.Equal(t, want+"\n", b.String())
	}
}

func TestPath(t *testing.T) {
	at := func(message, part, inner int) preflight.Position {
		return preflight.At(message, part, inner)
	}
	for _, c := range []struct {
		provider, body string
		want           map[preflight.Position]string
	}{
		{"anthropic",
			`{"system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[null,{"type":"text","text":"a"}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"x",` +
				`"content":"s"},{"type":"tool_result","tool_use_id":"x",` +
				`"content":[{"type":"text","text":"1"},{"type":"text","text":"2"}]}]}]}`,
			map[preflight.Position]string{
				at(0, -1, -1): "system", at(0, 0, -1): "system[0]", at(1, -1, -1): "messages[0]",
				at(1, 0, -1): "messages[0].content",
				at(2, 0, -1): "messages[1].content[1]", at(3, 0, -1): "messages[2].content[0]",
				at(3, 0, 0): "messages[2].content[0].content",
				at(3, 1, 1): "messages[2].content[1].content[1]", at(4, -1, -1): "messages",
				at(-1, 0, 0): "messages", at(1, 7, 0): "messages[0]",
			}},
		{"anthropic", `{"system":"s","messages":[null,{"role":"user","content":"q"}]}`,
			map[preflight.Position]string{
				at(0, 0, -1): "system", at(1, 0, -1): "messages[1].content",
			}},
		{"openai-chat",
			`[{"role":"assistant","reasoning":"r","content":[{"type":"text","text":"a"}],` +
				`"refusal":"no","tool_calls":[null,{"id":"c1","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"1"}]},` +
				`{"role":"tool","tool_call_id":"c1","content":"1"}]`,
			map[preflight.Position]string{
				at(0, 0, -1): "messages[0].reasoning", at(0, 1, -1): "messages[0].content[0]",
				at(0, 2, -1): "messages[0].refusal", at(0, 3, -1): "messages[0].tool_calls[1]",
				at(1, 0, -1): "messages[1]", at(1, 0, 0): "messages[1].content[0]",
				at(2, 0, 0): "messages[2].content",
			}},
	} {
		r, err := wire.Decode([]byte(c.body), &wire.Options{Provider: c.provider})
		require.NoError(t, err)
		got := map[preflight.Position]string{}
		for position := range c.want {
			got[position] = r.Path(position)
		}
		require.Empty(t, cmp.Diff(c.want, got))
	}
}
