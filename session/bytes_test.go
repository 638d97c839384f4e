package session_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// TestLineEnds: added and changed records end as the other lines of the file do.
func TestLineEnds(t *testing.T) {
	windows := func(data []byte) string { return strings.ReplaceAll(string(data), "\n", "\r\n") }
	for client, lines := range stored {
		for n := range lines {
			plain, _, err := session.Repair(file(lines, n+1), nil)
			if err != nil {
				continue
			}
			out, _, err := session.Repair([]byte(windows(file(lines, n+1))), nil)
			require.NoError(t, err)
			require.Equal(t, windows(plain), string(out), "%s without line %d", client, n+1)
		}
	}
	mixed := windows(file(stored["claude-code"]))
	mixed = strings.Replace(mixed, "\r\n{\"parentUuid\"", "\n{\"parentUuid\"", 2)
	out, report, err := session.Repair([]byte(mixed), nil)
	require.NoError(t, err)
	require.False(t, report.Changed)
	require.Equal(t, mixed, string(out))
}

// TestByteOrderMark: a mark before the first line is called that, and the line stays.
func TestByteOrderMark(t *testing.T) {
	for client, lines := range stored {
		data := file(lines)
		marked := append([]byte("\xEF\xBB\xBF"), data...)
		out, report, err := session.Repair(marked, nil)
		require.NoError(t, err)
		require.Equal(t, string(data), string(out), client)
		require.Len(t, report.Findings, 1)
		require.Equal(t, session.CodeByteOrderMark, report.Findings[0].Code)
		require.True(t, report.Changed)
		requireSettled(t, out)
	}
}
