package bindings_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-preflight/preflight/bindings"
)

const broken = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
	`{"role":"user","content":"a"},{"role":"assistant","content":[` +
	`{"type":"tool_use","id":"toolu_1","name":"run","input":{}}]},{"role":"user","content":"b"}]}`

func TestFunctions(t *testing.T) {
	fixed, report, status := bindings.Fix([]byte(broken), []byte(`{"provider":"anthropic"}`))
	if status != bindings.OK || bytes.Contains(fixed, []byte("tool_use")) ||
		!bytes.Contains(report, []byte(`"dangling-removed"`)) {
		t.Fatal(status, string(fixed), string(report))
	}
	if report, status := bindings.Check(fixed, nil); status != bindings.OK ||
		!bytes.Contains(report, []byte(`"violations":[]`)) {
		t.Fatal(status, string(report))
	}
	if report, status := bindings.Check([]byte(broken), nil); status != bindings.Wrong {
		t.Fatal(status, string(report))
	}
	empty := []byte(`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[]}`)
	if fixed, report, status := bindings.Fix(empty, nil); status != bindings.Wrong ||
		!bytes.Equal(fixed, empty) {
		t.Fatal(status, string(report))
	}
	for _, c := range [][2]string{{"{", ""}, {broken, "{"}, {broken, `{"x":1}`}} {
		body := []byte(c[0])
		if fixed, report, status := bindings.Fix(body, []byte(c[1])); status != bindings.Usage ||
			!bytes.Equal(fixed, body) || !bytes.Contains(report, []byte(`"error"`)) {
			t.Fatal(c, status, string(report))
		}
	}
}

// run runs a command, and skips the test where it is not there.
func run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func size(t *testing.T, name string) (plain, packed int) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(data)
	_ = w.Close()
	return len(data), b.Len()
}

// The example for Python runs on the C library.
func TestPython(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the library is built for Linux here")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no C compiler")
	}
	library := filepath.Join(t.TempDir(), "libpreflight.so")
	run(t, []string{"CGO_ENABLED=1"}, "go", "build", "-buildmode=c-shared", "-trimpath",
		"-ldflags=-s", "-o", library, "./cshared")
	plain, packed := size(t, library)
	out := run(t, []string{"PREFLIGHT_LIBRARY=" + library, "PYTHONDONTWRITEBYTECODE=1"}, "python3",
		"python/test_preflight.py")
	t.Logf("%d bytes, %d with gzip\n%s", plain, packed, out)
	if !strings.HasSuffix(out, "ok\n") {
		t.Fatal(out)
	}
}

// wasm builds the WebAssembly module, and returns it and Go's wasm_exec.js.
func wasm(t *testing.T) (module, exec string) {
	module = filepath.Join(t.TempDir(), "preflight.wasm")
	run(t, []string{"GOOS=js", "GOARCH=wasm"}, "go", "build", "-trimpath", "-ldflags=-s", "-o",
		module, "./wasm")
	root := strings.TrimSpace(run(t, nil, "go", "env", "GOROOT"))
	return module, filepath.Join(root, "lib", "wasm", "wasm_exec.js")
}

// The example in TypeScript compiles with the types, which are those of the JSON, and runs.
func TestTypeScript(t *testing.T) {
	compiler := os.Getenv("PREFLIGHT_TSC")
	if compiler == "" {
		t.Skip("PREFLIGHT_TSC does not name TypeScript's compiler: .ci/typescript installs it")
	}
	out := t.TempDir()
	run(t, nil, compiler, "--strict", "--noUncheckedIndexedAccess", "--target", "es2022",
		"--module", "nodenext", "--lib", "es2022,dom", "--outDir", out, "js/example.mts")
	library, err := os.ReadFile("js/preflight.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(out, "preflight.mjs"), library, 0o600); err != nil {
		t.Fatal(err)
	}
	module, exec := wasm(t)
	said := run(t, nil, "node", filepath.Join(out, "example.mjs"), exec, module)
	if !strings.Contains(said, "messages[1].content[0]: ") || !strings.HasSuffix(said, "ok\n") {
		t.Fatal(said)
	}
}

// The example for JavaScript runs on the WebAssembly module.
func TestJavaScript(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	module, exec := wasm(t)
	plain, packed := size(t, module)
	out := run(t, nil, "node", "js/test.mjs", exec, module)
	t.Logf("%d bytes, %d with gzip\n%s", plain, packed, out)
	if !strings.HasSuffix(out, "ok\n") {
		t.Fatal(out)
	}
}
