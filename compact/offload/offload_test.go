package offload_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/internal/compacttest"
	"github.com/go-preflight/preflight/compact/offload"
)

// TestFolder: every output that a session shortens is in a file that the request names, whole, also
// when its message was compacted, and Expand has it.
func TestFolder(t *testing.T) {
	ctx := context.Background()
	folder := filepath.Join(t.TempDir(), "outputs")
	for name, strategy := range map[string]compact.Strategy{
		"flat": compact.Flat{}, "masking": compact.Masking{},
	} {
		s, err := compact.NewSession(compact.SessionConfig{
			Limits:   compact.Limits{Budget: 6000, Offload: offload.Folder(folder)},
			Strategy: strategy,
		})
		require.NoError(t, err)
		var outputs []string
		for k := range 20 {
			id := fmt.Sprint("call_", k)
			var lines strings.Builder
			for n := range 120 {
				fmt.Fprintf(&lines, "%4d: line of file-%d.go with %x in it\n", n, k, 7919*(n+1)*(k+1))
			}
			outputs = append(outputs, lines.String())
			require.NoError(t, s.Append(ctx,
				compacttest.Say(preflight.RoleUser, fmt.Sprintf("Read file-%d.go.", k)),
				compacttest.Message(preflight.RoleAssistant, compacttest.Call(id, "read_file")),
				compacttest.Message(preflight.RoleTool, compacttest.Answer(id, outputs[k])),
				compacttest.Say(preflight.RoleAssistant, "I read it.")))
			_, err := s.Render(ctx)
			require.NoError(t, err)
		}
		require.Greater(t, s.Compactions(), 1, name)
		res, err := s.Render(ctx)
		require.NoError(t, err)
		named := 0
		for _, m := range res.Messages {
			for _, line := range strings.Split(compact.InputOf(m).Text, "\n") {
				_, handle, ok := strings.Cut(line, ", stored as ")
				if !ok {
					continue
				}
				handle, _, _ = strings.Cut(handle, "]")
				text, err := os.ReadFile(handle)
				require.NoError(t, err)
				require.Contains(t, outputs, string(text))
				named++
			}
		}
		require.Greater(t, named, 3, name)
		whole, err := s.Expand(ctx, []int{2})
		require.NoError(t, err)
		require.Equal(t, outputs[0], whole[0].Parts[0].(*preflight.ToolResult).Content[0].(*preflight.Text).Text)
	}
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.LessOrEqual(t, len(files), 20)
}

// TestFolderFails: what cannot be stored is shortened as ever.
func TestFolderFails(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	history := []preflight.Message{
		compacttest.Say(preflight.RoleUser, "Read it."),
		compacttest.Message(preflight.RoleAssistant, compacttest.Call("c1", "read_file")),
		compacttest.Message(preflight.RoleTool, compacttest.Answer("c1", strings.Repeat("line\n", 9000))),
		compacttest.Say(preflight.RoleAssistant, "I read it."), compacttest.Say(preflight.RoleUser, "Good."),
	}
	want, err := compact.Flat{}.Compact(ctx, history, compact.Limits{Budget: 1500})
	require.NoError(t, err)
	got, err := compact.Flat{}.Compact(ctx, history,
		compact.Limits{Budget: 1500, Offload: offload.Folder(file)})
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// TestPanic: a panic of the caller's function is an error that names it.
func TestPanic(t *testing.T) {
	history := []preflight.Message{
		compacttest.Say(preflight.RoleUser, "Read it."),
		compacttest.Message(preflight.RoleAssistant, compacttest.Call("c1", "read_file")),
		compacttest.Message(preflight.RoleTool, compacttest.Answer("c1", strings.Repeat("line\n", 9000))),
		compacttest.Say(preflight.RoleAssistant, "I read it."), compacttest.Say(preflight.RoleUser, "Good."),
	}
	_, err := compact.Flat{}.Compact(context.Background(), history, compact.Limits{Budget: 1500,
		Offload: func(context.Context, *preflight.ToolResult) (string, error) { panic("secret") }})
	require.ErrorContains(t, err, "Limits.Offload")
	require.NotContains(t, err.Error(), "secret")
}
