package preflighthttp

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// TestDocs: docs/transport.md has a row for every field and reason, and names every known path, and
// every host of which more is known than that it speaks OpenAI's Chat format, with what the tables
// say of it.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/transport.md")
	require.NoError(t, err)
	rows := map[string]string{} // by each name in the first cell: the row
	for line := range strings.Lines(string(page)) {
		if cells := strings.SplitN(line, "|", 3); len(cells) == 3 && cells[0] == "" {
			for k, name := range strings.Split(cells[1], "`") {
				if k%2 == 1 {
					rows[name] = cells[2]
				}
			}
		}
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Transport]()) {
		require.NotEmpty(t, rows[field.Name], "docs/transport.md has no row for %s", field.Name)
	}
	for _, reason := range []Reason{Signed, Encoded, TooLarge, NotJSON, NotRequest, BadLength} {
		require.NotEmpty(t, rows[string(reason)], "docs/transport.md has no row for %s", reason)
	}
	for _, e := range Endpoints() {
		if e.Provider == "openai-compatible" {
			continue
		}
		if e.Path != "" {
			require.Contains(t, rows[e.Host+e.Path], e.Provider, e.Host)
			continue
		}
		require.NotEmpty(t, rows[e.Host], "docs/transport.md has no row for %s", e.Host)
		vendor, others, _ := strings.Cut(rows[e.Host], "|")
		require.Equal(t, e.Provider, strings.TrimSpace(vendor), e.Host)
		for _, p := range paths {
			if dialect, ok := wire.Dialect(e.Provider, p.provider); ok &&
				p.provider != chatFormat && dialect != e.Provider {
				require.Contains(t, others, dialect, e.Host)
			}
		}
	}
	for _, p := range paths {
		last := p.path[strings.LastIndexAny(p.path, "/:"):]
		require.Contains(t, string(page), last, p.path)
	}
}
