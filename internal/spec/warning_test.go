package spec

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// TestPositionString: a path names message, part and inner part, each where there is one.
func TestPositionString(t *testing.T) {
	for want, at := range map[string]preflight.Position{
		"messages":                          {},
		"messages[0]":                       preflight.At(0),
		"messages[3]":                       preflight.At(3),
		"messages[0].parts[0]":              preflight.At(0, 0),
		"messages[3].parts[1]":              preflight.At(3, 1),
		"messages[0].parts[0].content[0]":   preflight.At(0, 0, 0),
		"messages[12].parts[10].content[2]": preflight.At(12, 10, 2),
	} {
		require.Equal(t, want, at.String())
	}
}

// TestPositions: a position has what it was made of, and says -1 for what it does not have.
func TestPositions(t *testing.T) {
	require.Equal(t, preflight.At(-1), preflight.Position{})
	require.Equal(t, preflight.At(3), preflight.At(3, -1))
	require.Equal(t, preflight.At(3, 1), preflight.At(3, 1, -1))
	require.Equal(t, preflight.At(3), preflight.At(3, -1, 4))
	require.Equal(t, preflight.Position{}, preflight.At(-5, 2))
	for text, at := range map[string]preflight.Position{
		`{"message":0,"part":-1,"inner":-1}`:  preflight.At(0),
		`{"message":-1,"part":-1,"inner":-1}`: {},
		`{"message":3,"part":0,"inner":-1}`:   preflight.At(3, 0),
		`{"message":3,"part":1,"inner":2}`:    preflight.At(3, 1, 2),
	} {
		require.Equal(t, at, preflight.At(at.Message(), at.Part(), at.Inner()))
		require.Empty(t, cmp.Diff(at, preflight.At(at.Message(), at.Part(), at.Inner())))
		require.NotEmpty(t, cmp.Diff(at, preflight.At(7, 7, 7)))
		body, err := json.Marshal(at)
		require.NoError(t, err)
		require.Equal(t, text, string(body))
		back := preflight.At(9, 9, 9)
		require.NoError(t, json.Unmarshal(body, &back))
		require.Equal(t, at, back)
	}
	var at preflight.Position
	require.NoError(t, json.Unmarshal([]byte(`{"message":3}`), &at))
	require.Equal(t, preflight.At(3), at)
	require.Error(t, json.Unmarshal([]byte(`[]`), &at))
	require.Equal(t, preflight.At(3), at, "unchanged after an error")
}

// TestWarningsInLogs: a warning is logged by what it says of itself, and what it leaves open is not
// there.
func TestWarningsInLogs(t *testing.T) {
	logged := func(v slog.LogValuer) string {
		var out bytes.Buffer
		log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{
			ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
				if len(groups) == 0 {
					return slog.Attr{} // time, level and message
				}
				return a
			},
		}))
		log.Info("", "w", v)
		return strings.TrimSpace(out.String())
	}
	at := preflight.At(3, 1)
	require.Equal(t, "w.code=merged w.class=lossless w.at=messages[3].parts[1] "+
		`w.detail="joined a message"`,
		logged(preflight.Warning{Code: "merged", At: at, Detail: "joined a message"}))
	require.Equal(t, "w.code=x w.class=lossless w.at=messages[3].parts[1] "+
		"w.detail=y w.rule=a/b w.tool_call_id=c1",
		logged(preflight.Warning{Code: "x", At: at, Detail: "y", Rule: "a/b", ToolCallID: "c1"}))
	require.Equal(t, `w.rule=a/b w.at=messages[3].parts[1] w.detail=y`,
		logged(preflight.Violation{Rule: "a/b", At: at, Detail: "y", ToolCallID: "c1"}))
}

// TestWarningsPrintNoContent: a call's id is printed only if it has the form of one, and shortened.
func TestWarningsPrintNoContent(t *testing.T) {
	const secret = "alice@example.org"
	for id, want := range map[string]string{
		secret: "", `{"name":"` + secret + `"}`: "", "call_1": "call_1",
		strings.Repeat("x", 65): strings.Repeat("x", 32) + "…",
	} {
		w := preflight.Warning{Code: "merged", Detail: "joined a message", ToolCallID: id}
		v := preflight.Violation{Rule: "a/b", Detail: "wrong", ToolCallID: id}
		var out strings.Builder
		log := slog.New(slog.NewTextHandler(&out, nil))
		log.Info("done", "w", w, "v", v, "all", []any{w, v}, "warnings", []preflight.Warning{w})
		require.NotContains(t, out.String(), secret)
		require.NotContains(t, out.String(), strings.Repeat("x", 65))
		require.Contains(t, out.String(), want)
		require.Equal(t, "messages: merged: joined a message", w.String())
		require.Equal(t, "messages: a/b: wrong", v.String())
	}
}

// TestTally counts one of everything, in the places where it counts.
func TestTally(t *testing.T) {
	everything := botMsg(
		says(
			"text",
		),
		&preflight.Reasoning{Text: "hm", Opaque: "blob", Signature: "not counted"},
		callsWith("a", `{"n":1}`),
		&preflight.ToolResult{
			CallID: "a",
			Output: json.RawMessage(`[1,2]`),
			Content: []preflight.Part{
				says("in"),
				&preflight.Media{Kind: "image", Data: "QUJD"},
				&preflight.ToolResult{
					Output:  json.RawMessage(`3`),
					Content: []preflight.Part{says("too deep")},
				},
			},
		},
		&preflight.Media{
			Kind: "image",
			URL:  "data:image/png;base64,QUJDRA==",
		},
		&preflight.Media{Kind: "image", URL: "https://example.com/;base64,QUJD"},
		&preflight.Media{Kind: "image", URL: "data:text/plain,abc"},
		&preflight.Other{
			Kind:    "x",
			Carried: preflight.Carried{Native: preflight.Native{JSON: json.RawMessage(`{}`)}},
		},
		nil,
		(*preflight.Text)(nil),
		(*preflight.ToolResult)(nil),
		(*preflight.Other)(nil),
	)
	want := preflight.Tally{
		Texts:      2,
		Reasonings: 1,
		Calls:      1,
		Results:    2,
		Media:      4,
		Others:     1,
		Bytes:      4 + 6 + 7 + 5 + 2 + 4 + 1 + 8 + 2,
	}
	got := preflight.TallyOf(everything)
	require.Equal(t, want, got)
	require.Equal(
		t,
		preflight.Tally{
			Texts:      4,
			Reasonings: 2,
			Calls:      2,
			Results:    4,
			Media:      8,
			Others:     2,
			Bytes:      2 * want.Bytes,
		},
		got.Plus(got),
	)
	require.Equal(t, got, minus(got.Plus(got), got))
	require.True(t, minus(got, got) == preflight.Tally{})
	require.False(t, (got == preflight.Tally{}))
}
