package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRun: the templates are brought once, and the table is written between the marks.
func TestRun(t *testing.T) {
	var requests atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		_, _ = w.Write([]byte(`{% for m in messages %}{% if m.role == 'tool' %}` +
			`{{ raise_exception('no tools') }}{% endif %}{{ m.content }}{% endfor %}`))
	}))
	defer s.Close()
	page := filepath.Join(t.TempDir(), "page.md")
	o := options{cache: t.TempDir(), from: s.URL, page: page}
	require.NoError(t, os.WriteFile(page, []byte("a\n"), 0o600))
	require.Error(t, replace(page, "x"), "no marks")
	old := sourcesFile
	sourcesFile = []byte(`[{"repository":"o/r","commit":"c","folder":"f","models":{"a":"vicuna-7b"}}]`)
	defer func() { sourcesFile = old }()
	require.NoError(t, os.WriteFile(page, []byte("a\n"+startMark+"old\n"+endMark+"b\n"), 0o600))
	for range 2 {
		require.NoError(t, run(o))
		require.EqualValues(t, 1, requests.Load())
	}
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	text := string(data)
	require.True(t, strings.HasPrefix(text, "a\n"+startMark) && strings.HasSuffix(text, endMark+"b\n"))
	require.Contains(t, text, "\n| vicuna-7b | ")
	require.NotContains(t, text, "old")
	require.Contains(t, text, "1 of 1 templates were used.")
	s.Close()
	o.cache = t.TempDir()
	require.Error(t, run(o), "it is not to be had")
}

// TestSources: every source has a commit, and its models are named.
func TestSources(t *testing.T) {
	all, err := readSources()
	require.NoError(t, err)
	for _, s := range all {
		require.Len(t, s.Commit, 40, s.Repository)
		require.NotEmpty(t, s.Models)
		for file, model := range s.Models {
			require.NotEmpty(t, model, file)
		}
	}
}
