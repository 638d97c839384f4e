package command

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// pageOf writes a page about the broken sample, and returns it.
func pageOf(t *testing.T, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	name := writeOld(t, filepath.Join(dir, "a.jsonl"), brokenSession)
	file := filepath.Join(dir, "page.html")
	args = append([]string{"repair", "--html", file}, append(args, name)...)
	code, stdout, stderr := call(t, "", args...)
	require.Equal(t, 1, code, stderr)
	require.NotContains(t, stdout, "secret")
	return readFile(t, file)
}

func TestRepairPage(t *testing.T) {
	page := pageOf(t)
	require.Contains(t, page, "Qwen Code may forget 1 message without telling you")
	require.Contains(t, page, "a secret")
	require.NotContains(t, page, "<script")
	require.NotContains(t, page, "http://")
	require.NotContains(t, page, "https://")

	page = pageOf(t, "--no-content")
	require.NotContains(t, page, "secret")
	require.Contains(t, page, "8 bytes")
}

// TestRepairPageMoved: a result that only moved is shown as moved, and not as removed and added.
func TestRepairPageMoved(t *testing.T) {
	dir := t.TempDir()
	record := func(id, parent, role, part string) string {
		return `{"uuid":"` + id + `","parentUuid":"` + parent + `","sessionId":"s","type":"x",` +
			`"message":{"role":"` + role + `","parts":[` + part + `]}}` + "\n"
	}
	name := writeOld(t, filepath.Join(dir, "a.jsonl"),
		record("a", "", "user", `{"text":"Look."}`)+
			record("b", "a", "model", `{"functionCall":{"id":"c","name":"f","args":{}}}`)+
			record("d", "b", "user", `{"text":"Between."}`)+
			record("e", "d", "user", `{"functionResponse":{"id":"c","name":"f","response":`+
				`{"output":"the result"}}}`)+
			record("f", "e", "model", `{"text":"Done."}`))
	file := filepath.Join(dir, "page.html")
	_, stdout, _ := call(t, "", "repair", "--html", file, "--diff", name)
	page := readFile(t, file)
	require.Equal(t, 2, strings.Count(page, "<i>moved</i>"), page)
	require.NotContains(t, page, `<p class="changed"`)
	require.Contains(t, stdout, "(moved)")
}

// TestDone: what was done is told in the past.
func TestDone(t *testing.T) {
	require.Equal(t, "removed the line", done("remove the line"))
	require.Equal(t, "added an error result, and linked the next record to it",
		done("add an error result, and link the next record to it"))
	require.Equal(t, "something else", done("something else"))
	dir := t.TempDir()
	name := writeOld(t, filepath.Join(dir, "a.jsonl"), brokenSession)
	_, stdout, _ := call(t, "", "repair", name)
	require.Contains(t, stdout, "to do: link it")
	file := filepath.Join(dir, "page.html")
	_, stdout, _ = call(t, "", "repair", "--write", "--html", file, name)
	require.Contains(t, stdout, "done: linked it")
	require.Contains(t, readFile(t, file), "Done: linked it")
}

// What a session holds is text on the page, and no part of it.
func TestRepairPageEscapes(t *testing.T) {
	dir := t.TempDir()
	text := strings.ReplaceAll(brokenSession, "a secret", "<script>alert(1)</script>")
	name := writeOld(t, filepath.Join(dir, "a.jsonl"), text)
	file := filepath.Join(dir, "page.html")
	call(t, "", "repair", "--html", file, name)
	require.Contains(t, readFile(t, file), "&lt;script&gt;alert(1)")
	require.NotContains(t, readFile(t, file), "<script>")
}

func TestRepairPageOverSession(t *testing.T) {
	name := writeOld(t, filepath.Join(t.TempDir(), "a.jsonl"), brokenSession)
	code, _, stderr := call(t, "", "repair", "--html", name, name)
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "would overwrite a session")
	require.Equal(t, brokenSession, readFile(t, name))
}

// TestRepairPageInBrowser opens a page in a browser: content is hidden until the switch is on.
func TestRepairPageInBrowser(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("there is no Chromium to open the page with")
	}
	if testing.Short() {
		t.Skip("a browser takes seconds to start")
	}
	// the page itself allows no scripts; this copy asks what a reader sees
	page := pageOf(t)
	start := strings.Index(page, `<meta http-equiv="Content-Security-Policy"`)
	require.Positive(t, start)
	end := start + strings.IndexByte(page[start:], '\n')
	page = page[:start] + page[end:]
	page = strings.Replace(page, "</body>", `<script>
const seen = () => document.body.innerText.includes("a secret");
const off = seen();
document.getElementById("show").click();
const on = seen();
document.title = "off " + off + ", on " + on + ", changed " +
  document.querySelectorAll(".after .changed").length;
</script></body>`, 1)
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	require.NoError(t, os.WriteFile(file, []byte(page), 0o600))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	dom, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--dump-dom", "file://"+file).Output()
	require.NoError(t, err)
	title := fmt.Sprintf("<title>off %v, on %v, changed %d</title>", false, true, 1)
	require.Contains(t, string(dom), title)
}

// TestRepairPicture draws the picture in docs/repair.md.
func TestRepairPicture(t *testing.T) {
	if !*updateScreenshot {
		t.Skip("only with -update-screenshot")
	}
	chromium := browser(t)
	picture, err := filepath.Abs("../../../../docs/repair.png")
	require.NoError(t, err)
	dir := t.TempDir()
	t.Chdir(dir)
	name := ".qwen/projects/-home-dev-app/chats/5c86a6b1.jsonl"
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
	lines := ""
	for _, record := range [][4]string{
		{"1", "", "user", `{"text":"Make the tests of the parser pass."}`},
		{"2", "1", "model", `{"text":"I will run them first."},{"functionCall":{"id":"a",` +
			`"name":"run_shell_command","args":{"command":"go test ./parser"}}}`},
		{"3", "2", "user", `{"functionResponse":{"id":"a","name":"run_shell_command",` +
			`"response":{"output":"FAIL: TestNested"}}}`},
		{"4", "3", "model", `{"text":"Nested lists are closed too early. I will change two files."},` +
			`{"functionCall":{"id":"b","name":"edit","args":{"file":"parser.go"}}},` +
			`{"functionCall":{"id":"c","name":"edit","args":{"file":"lexer.go"}}}`},
		{"5", "4", "user", `{"functionResponse":{"id":"b","name":"edit",` +
			`"response":{"output":"changed parser.go"}}}`},
		{"6", "5", "user", ""}, // cut off
		{"7", "6", "user", `{"text":"Are you still there?"}`},
		{"8", "7", "model", `{"text":"How can I help you?"}`},
	} {
		line := fmt.Sprintf(`{"uuid":%q,"parentUuid":%q,"sessionId":"s","version":"0.24.4",`+
			`"type":"x","message":{"role":%q,"parts":[%s]}}`, record[0], record[1], record[2], record[3])
		if record[3] == "" {
			line = line[:len(line)/2]
		}
		lines += line + "\n"
	}
	writeOld(t, name, lines)
	call(t, "", "repair", "--html", "page.html", name)
	page := strings.Replace(readFile(t, "page.html"), `id="show"`, `id="show" checked`, 1)
	require.NoError(t, os.WriteFile("page.html", []byte(page), 0o600))
	browse(t, chromium, "--screenshot="+picture, "--window-size=860,1230", "--hide-scrollbars",
		"file://"+filepath.Join(dir, "page.html"))
}

func TestRepairDiff(t *testing.T) {
	name := writeOld(t, filepath.Join(t.TempDir(), "a.jsonl"), brokenSession)
	_, stdout, _ := call(t, "", "repair", "--diff", name)
	require.Contains(t, stdout, "  + user\n  +   text: a secret\n    1 message unchanged\n")
	_, stdout, _ = call(t, "", "repair", "--diff", "--no-content", name)
	require.Contains(t, stdout, "  + user\n  +   text: 8 bytes\n")
	require.NotContains(t, stdout, "secret")
}

// Text of a session cannot act on the terminal.
func TestPrintable(t *testing.T) {
	require.Equal(t, "a b\uFFFD[31mc\uFFFD", printable("a\nb\x1b[31mc\u202e", 100))
	require.Equal(t, "ab… (4 bytes)", printable("abcd", 2))
	require.Equal(t, "\x1b[31ma\x1b[0m", colors(true).red("a"))
	require.Equal(t, "a", colors(false).red("a"))
}

func TestInOrder(t *testing.T) {
	for _, n := range []int{0, 1, 7, 1000} {
		next := 0
		inOrder(4, n, func(k int) int {
			if k%5 == 0 {
				time.Sleep(time.Millisecond)
			}
			return k * k
		}, func(k, square int) {
			require.Equal(t, next, k)
			require.Equal(t, k*k, square)
			next++
		})
		require.Equal(t, n, next)
	}
}
