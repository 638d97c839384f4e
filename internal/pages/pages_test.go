package pages

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLinks follows every link of the documentation that does not leave the repository.
func TestLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	all, err := Read(
		filepath.Join(root, "*.md"), filepath.Join(root, "docs", "*.md"),
		filepath.Join(root, ".github", "*.md"),
		filepath.Join(root, "testdata", "*", "*.md"),
		filepath.Join(root, "testdata", "*", "*", "*.md"),
		filepath.Join(root, "internal", "*", "*.md"), filepath.Join(root, "tools", "*", "*.md"),
		filepath.Join(root, "preflighttest", "internal", "*.md"),
		filepath.Join(root, "compact", "internal", "*", "*.md"),
		filepath.Join(root, "cmd", "preflight", "*", "*.md"),
		filepath.Join(root, "cmd", "preflight", "internal", "*", "*", "*.md"),
	)
	require.NoError(t, err)
	byFile := map[string]Page{}
	links := 0
	for _, page := range all {
		byFile[filepath.Clean(page.File)] = page
	}
	for _, page := range all {
		for _, link := range page.Links {
			links++
			if wrong := follow(byFile, page, link.Target); wrong != "" {
				t.Errorf("%s:%d: %s: %s", page.File, link.Line, link.Target, wrong)
			}
		}
	}
	require.Greater(t, links, 100, "the links were not found")
}

// TestReadmeIsShort: the README is read before anything else, so that it has at most 1,300 words,
// with tables and code.
func TestReadmeIsShort(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	require.LessOrEqual(t, len(strings.Fields(string(readme))), 1300)
}

// TestDocsAreShort: the pages of docs, without the two that package rule generates, are little
// enough to be read. What is said twice leaves room for what is new.
func TestDocsAreShort(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	require.NoError(t, err)
	words := 0
	for _, page := range pages {
		if name := filepath.Base(page); name == "rules.md" || name == "blocks.md" {
			continue
		}
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		words += len(strings.Fields(string(text)))
	}
	require.LessOrEqual(t, words, 25_000)
}

// follow returns what is wrong with the target of a link.
func follow(byFile map[string]Page, from Page, target string) string {
	parsed, err := url.Parse(target)
	if err != nil {
		return err.Error()
	}
	if parsed.Host != "" || parsed.Scheme != "" {
		return "" // of another site
	}
	file := filepath.Clean(from.File)
	if parsed.Path != "" {
		file = filepath.Join(filepath.Dir(from.File), filepath.FromSlash(parsed.Path))
	}
	if _, err := os.Stat(file); err != nil {
		return "no such file"
	}
	page, isPage := byFile[file]
	if parsed.Fragment == "" || !isPage && !strings.HasSuffix(file, ".md") {
		return ""
	}
	if !page.HasAnchor(parsed.Fragment) {
		return "no such heading"
	}
	return ""
}

func TestParse(t *testing.T) {
	page := parse("p.md", strings.Join([]string{
		"# A `b.C` heading, twice",
		"# A `b.C` heading, twice",
		"Text with [a link](other.md#there), `[no](link)` and `make docs`.",
		"```sh",
		"preflight fix < a > b   # repairs",
		"# a comment",
		"```",
		"```go",
		"[no](link)",
		"```",
	}, "\n"))
	require.True(t, page.HasAnchor("a-bc-heading-twice"))
	require.True(t, page.HasAnchor("a-bc-heading-twice-1"))
	require.False(t, page.HasAnchor("a-bc-heading-twice-2"))
	require.Equal(t, []Link{{3, "other.md#there"}}, page.Links)
	require.Equal(t, []Command{{3, "make docs"}, {5, "preflight fix < a > b"}}, page.Commands)
}

// TestFollow: a link to a file or a heading that does not exist is reported.
func TestFollow(t *testing.T) {
	page := parse("pages.go", "# Here")
	byFile := map[string]Page{"pages.go": page}
	require.Empty(t, follow(byFile, page, "https://example.com/x#y"))
	require.Empty(t, follow(byFile, page, "#here"))
	require.Equal(t, "no such heading", follow(byFile, page, "#there"))
	require.Equal(t, "no such file", follow(byFile, page, "missing.md"))
}
