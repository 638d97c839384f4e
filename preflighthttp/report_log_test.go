package preflighthttp_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp"
)

// TestLoggedWarnings: both of slog's handlers print the fields of warnings, the class too.
func TestLoggedWarnings(t *testing.T) {
	server := started(t)
	transport, all := to(t, server.URL)
	do(t, transport, post(t, server.URL+path, strings.NewReader(dirty)))
	var text, lines bytes.Buffer
	slog.New(slog.NewTextHandler(&text, nil)).Info("m", "preflight", all.only(t))
	slog.New(slog.NewJSONHandler(&lines, nil)).Info("m", "preflight", all.only(t))
	w := all.only(t).Warnings[0]
	require.Contains(t, lines.String(), fmt.Sprintf(`{"code":%q,"class":%q,"rule":%q,"path":%q`,
		w.Code, w.Class(), w.Rule, w.Path))
	for _, want := range []string{"Code:" + string(w.Code), "Class:" + w.Class().String(), w.Path} {
		require.Contains(t, text.String(), want)
	}
}

// TestLoggedPath: a key in the path of a relay is not printed.
func TestLoggedPath(t *testing.T) {
	r := &preflighthttp.Report{Path: "/0123456789abcdefghijklmnop/model/us.anthropic." +
		"claude-sonnet-4-5-20250929-v1:0/converse"}
	require.Contains(t, r.LogValue().String(),
		"path=/…/model/us.anthropic.claude-sonnet-4-5-20250929-v1:0/converse")
}
