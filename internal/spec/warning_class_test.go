package spec

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/redact"
)

// TestClassesAreComplete: every code but that of hooks has a class, which docs/warnings.md names.
func TestClassesAreComplete(t *testing.T) {
	docs, err := os.ReadFile("docs/warnings.md")
	require.NoError(t, err)
	for _, code := range constants(t, "codes/codes.go") {
		class, ok := codes.Code(code).Class()
		require.Equal(t, codes.Code(code) != codes.Hook, ok, code)
		want := class.String()
		if !ok {
			want = "by the change"
		}
		require.Contains(t, string(docs), "</a>`"+code+"` | "+want+" |")
	}
	require.Equal(t, "unknown", codes.Class(7).String())
}

// TestWarningClass: an ambiguous change is of that class whatever its code, and a caller's own
// codes are judged by what the change removed.
func TestWarningClass(t *testing.T) {
	for _, test := range []struct {
		warning preflight.Warning
		want    codes.Class
	}{
		{preflight.Warning{Code: codes.ResultMoved}, codes.Layout},
		{preflight.Warning{Code: codes.IDRewritten}, codes.Lossless},
		{preflight.Warning{Code: codes.DanglingRemoved}, codes.Lossy},
		{preflight.Warning{Code: codes.ResultRebound}, codes.Ambiguous},
		{preflight.Warning{Code: codes.ResultMoved, Ambiguous: true}, codes.Ambiguous},
		{preflight.Warning{Code: "mine"}, codes.Lossless},
		{preflight.Warning{Code: "mine", Removed: preflight.Tally{Bytes: 1}}, codes.Lossy},
		{preflight.Warning{Code: codes.Hook, Removed: preflight.Tally{Bytes: 1},
			Added: preflight.Tally{Bytes: 1}}, codes.Lossless},
	} {
		require.Equal(t, test.want, test.warning.Class(), "%v", test.warning)
	}
}

// TestHookCode: a hook gives its warnings a code of its own, and a log shows it in one line.
func TestHookCode(t *testing.T) {
	shorten := preflight.Hook{Name: "shorten", Code: "app-shortened"}
	shorten.Message = func(_ context.Context, m preflight.Message) (preflight.Message, error) {
		return redact.Message(m, func(s string) string { return s[:1] }), nil
	}
	dropFirst := preflight.Hook{Name: "drop", Code: "app-dropped"}
	dropFirst.History = func(
		_ context.Context, h []preflight.Message,
	) ([]preflight.Message, error) {
		return h[1:], nil
	}
	in := history(userMsg(says("secret")), userMsg(says("q")))
	res, err := preflight.Sanitize(context.Background(), in, provider.OpenAIChat(""),
		&preflight.Options{Hooks: []preflight.Hook{shorten, dropFirst}})
	require.NoError(t, err)
	require.Len(t, res.Warnings, 2)
	require.Equal(t, codes.Code("app-shortened"), res.Warnings[0].Code)
	require.Equal(t, codes.Code("app-dropped"), res.Warnings[1].Code)
	require.Equal(t, codes.Lossy, res.Warnings[0].Class())

	var out strings.Builder
	slog.New(slog.NewTextHandler(&out, nil)).Warn("history repaired", "warning", res.Warnings[0])
	_, line, _ := strings.Cut(out.String(), " ")
	require.Equal(t, `level=WARN msg="history repaired" warning.code=app-shortened `+
		`warning.class=lossy warning.at=messages[0] `+
		`warning.detail="hook \"shorten\" changed the message"`+"\n", line)
}
