package command

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"html"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
	"github.com/go-preflight/preflight/preflighttest"
)

var updateScreenshot = flag.Bool("update-screenshot", false,
	"write the pictures in docs/serve.md and docs/repair.md")

// browser is a headless browser of this machine.
func browser(t *testing.T) string {
	for _, name := range []string{
		"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
	} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium on this machine: the page was not tested in a browser")
	return ""
}

// browse runs the browser and returns what it prints.
func browse(t *testing.T, path string, args ...string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	args = append([]string{
		"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run", "--user-data-dir=" + t.TempDir(),
	}, args...)
	out, err := exec.CommandContext(ctx, path, args...).Output()
	require.NoError(t, err)
	return string(out)
}

// TestPageInBrowser: a browser shows the repair of a session whose tool was killed.
func TestPageInBrowser(t *testing.T) {
	chromium := browser(t)
	run := preflighttest.Call{Name: "run"}
	var routes []gateway.Route
	for _, d := range dialects {
		upstream := preflighttest.New(t, d.provider, nil)
		upstream.Script(preflighttest.Reply{Calls: []preflighttest.Call{run}},
			preflighttest.Reply{Text: "Built."}, preflighttest.Reply{Calls: []preflighttest.Call{run}},
			preflighttest.Reply{Calls: []preflighttest.Call{run, run}},
			preflighttest.Reply{Text: "Done."}, preflighttest.Reply{Text: "streamed"})
		routes = append(routes, gateway.Route{
			Prefix: "/" + d.provider, Upstream: upstream.URL, Provider: d.provider,
		})
	}
	base := served(t, routes...)
	for _, d := range dialects {
		(&agent{t: t, base: base + "/" + d.provider, dialect: d}).play()
	}

	dom := browse(t, chromium, "--dump-dom", base+"/")
	require.Contains(t, dom, `<b class="repaired">12</b>repaired`)
	require.Contains(t, dom, "anthropic/tool-result-missing")
	require.NotContains(t, dom, "Build it", "no content is shown")

	shot := filepath.Join(t.TempDir(), "page.png")
	browse(t, chromium, "--screenshot="+shot, "--window-size=1160,1000", "--hide-scrollbars",
		base+"/")
	data, err := os.ReadFile(shot)
	require.NoError(t, err)
	picture, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, image.Pt(1160, 1000), picture.Bounds().Size())
	colours := map[any]bool{}
	for x := range 1160 {
		colours[picture.At(x, 160)] = true
	}
	require.Greater(t, len(colours), 3, "the figures are drawn")
	response, err := http.Get(base + "/")
	require.NoError(t, err)
	defer response.Body.Close()
	shown, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	phone := filepath.Join(t.TempDir(), "phone.html")
	require.NoError(t, os.WriteFile(phone, []byte(`<iframe id="page" width="360" srcdoc="`+
		html.EscapeString(string(shown))+`"></iframe><script>
page.onload = () => {
  const root = page.contentDocument.documentElement;
  document.title = root.scrollWidth + " in " + root.clientWidth;
}
</script>`), 0o600))
	dom = browse(t, chromium, "--dump-dom", "file://"+phone)
	_, title, _ := strings.Cut(dom, "<title>")
	title, _, _ = strings.Cut(title, "</title>")
	var wide, room int
	_, err = fmt.Sscanf(title, "%d in %d", &wide, &room)
	require.NoError(t, err, title)
	require.LessOrEqual(t, wide, room, "the page is wider than a phone")
	if *updateScreenshot {
		require.NoError(t, os.WriteFile("../../../../docs/serve.png", data, 0o644))
	}
}
