package command

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/pages"
)

// words are the words of a shell command: in quotes, a redirection, or without spaces.
var words = regexp.MustCompile(`"(?:\\.|[^"])*"|'[^']*'|[<>|]|[^\s<>|]+`)

// placeholders are the names that the documentation uses, and what the test has instead.
var placeholders = map[string]string{
	"FILE": "session.jsonl", "FILE…": "session.jsonl", "DIR": "sessions", "N": "50000",
	"acme": "anthropic", // the provider that CONTRIBUTING adds
}

// TestDocumentedCommands runs every preflight command of the documentation, and looks for the
// packages and targets that its other commands name.
func TestDocumentedCommands(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", "..", "..", ".."))
	require.NoError(t, err)
	all, err := pages.Read(filepath.Join(root, "README.md"),
		filepath.Join(root, "CONTRIBUTING.md"), filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	require.NoError(t, err)
	seen := map[string]int{}
	for _, page := range all {
		if filepath.Base(page.File) == "untagged.md" {
			continue // a test of tools/release does what it says
		}
		for _, command := range page.Commands {
			seen[words.FindString(command.Text)]++
			t.Run(filepath.Base(page.File)+"/"+command.Text, func(t *testing.T) {
				args := words.FindAllString(command.Text, -1)
				switch args[0] {
				case "make":
					for _, target := range args[1:] {
						if !strings.Contains(target, "=") {
							require.Contains(t, string(makefile), "\n"+target+":")
						}
					}
				case "go":
					requirePackages(t, root, args[1:])
				default:
					runDocumented(t, args)
				}
			})
		}
	}
	require.Greater(t, seen["preflight"], 20, "the commands were not found")
	require.Greater(t, seen["make"], 10)
	require.Greater(t, seen["go"], 10)
}

// requirePackages: the folders that a go command names exist. What go get and go install do is a
// test of tools/release.
func requirePackages(t *testing.T, dir string, args []string) {
	t.Helper()
	if len(args) > 2 && args[1] == "-C" {
		dir, args = filepath.Join(dir, args[2]), append(args[:1:1], args[3:]...)
	}
	for _, arg := range args {
		if strings.HasPrefix(arg, "./") {
			require.DirExists(t, filepath.Join(dir, strings.TrimSuffix(arg, "...")))
		}
	}
}

// files are what the documented commands find in their folder.
var files = map[string]string{
	"body.json":        healthy,
	"acme.json":        `{"version":1,"provider":"anthropic","enforced":[],"lifted":[]}`,
	"template.jinja":   `{% for m in messages %}{{ m.content }}{% endfor %}`,
	"bodies.jsonl":     dangling + "\n",
	"shards/1.jsonl":   dangling + "\n",
	"error.json":       `{"error":{"message":"messages: text content blocks must be non-empty"}}`,
	"refused.json":     `{"words":"Overloaded","body":{}}`,
	"session.jsonl":    brokenSession,
	"sessions/1.jsonl": brokenSession,
}

// runDocumented runs a preflight command in a folder of its own.
func runDocumented(t *testing.T, args []string) {
	t.Helper()
	if i := slices.Index(args, "|"); i >= 0 {
		args = args[i+1:] // another program would write its standard input
	}
	require.Equal(t, "preflight", args[0])
	switch args[1] {
	case "serve", "extproc": // they run until they are interrupted
		args = append(args, "--help")
	case "compare", "compare-versions", "replay": // they need programs, or a gateway; see their tests
		args = append(args[:2], "--help")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Chdir(home)
	for name, content := range files {
		writeOld(t, name, content)
	}
	stdin := healthy
	var given []string
	for i := 1; i < len(args); i++ {
		arg := strings.ReplaceAll(strings.Trim(args[i], `"'`), "\\`", "`")
		if name, ok := placeholders[arg]; ok {
			arg = name
		}
		switch {
		case arg == "<":
			i++
			stdin = readFile(t, args[i])
		case arg == ">":
			i++
		case strings.Contains(arg, "*"):
			matches, err := filepath.Glob(arg)
			require.NoError(t, err)
			given = append(given, matches...)
		default:
			given = append(given, arg)
		}
	}
	code, _, stderr := call(t, stdin, given...)
	require.NotEqual(t, exitUsage, code, stderr)
}
