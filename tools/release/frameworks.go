package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/go-preflight/preflight/preflighttest"
)

// This file runs a program on each agent framework, as its user would write it: it dies in the
// middle of parallel calls, is started again with its stored session, and then with another
// provider. The lines of a program that end with the mark add preflight to it.

const (
	mark      = "// preflight"
	mostLines = 3 // that add preflight
	stopped   = 3 // the exit code of a program that dies
)

// A framework has a program in testdata/frameworks, which takes the name of a provider, its
// address, the file of the session, and what the user says.
type framework struct {
	program  string
	from, to string // providers
}

// frameworks are those that an adapter is for, by its directory.
var frameworks = map[string]framework{
	"adapter/adk":     {"adk.go", "gemini", "openai-chat"},
	"adapter/anyllm":  {"anyllm.go", "anthropic", "openai-chat"},
	"adapter/fantasy": {"fantasy.go", "anthropic", "openai-chat"},
	"adapter/genkit":  {"genkit.go", "openai-chat", "mistral"},
}

// play builds the program in the module in dir, with and without the marked lines, and runs both.
// The first has no request refused, and the second is refused when it is started again.
func (u user) play(f framework, dir, root string) error {
	source, err := os.ReadFile(filepath.Join(root, "tools", "release", "testdata", "frameworks",
		f.program))
	if err != nil {
		return err
	}
	var plain strings.Builder
	lines := 0
	for line := range strings.Lines(string(source)) {
		if strings.HasSuffix(strings.TrimSpace(line), mark) {
			lines++
			continue
		}
		plain.WriteString(line)
	}
	if lines == 0 || lines > mostLines {
		return fmt.Errorf("%s has %d lines that add preflight", f.program, lines)
	}
	repairing, err := u.program(dir, "repairing", string(source))
	if err != nil {
		return err
	}
	if err := f.run(repairing); err != nil {
		return fmt.Errorf("with preflight: %w", err)
	}
	without, err := u.program(dir, "plain", plain.String())
	if err != nil {
		return err
	}
	switch err := f.run(without); {
	case err == nil:
		return errors.New("without preflight no request is refused")
	case !errors.Is(err, errRefused):
		return fmt.Errorf("without preflight: %w", err)
	}
	return nil
}

// program builds a program of the module in dir.
func (u user) program(dir, name, source string) (string, error) {
	folder := filepath.Join(dir, name)
	if err := os.Mkdir(folder, 0o755); err != nil {
		return "", err
	}
	err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(source), 0o600)
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, name)
	return file, u.run(dir, "go", "build", "-o", file, "./"+name)
}

var errRefused = errors.New("a request was refused")

// run runs the program against fakes, as the processes of one session.
func (f framework) run(program string) error {
	first, err := preflighttest.Start(f.from, nil)
	if err != nil {
		return err
	}
	defer first.Close()
	first.Script(preflighttest.Reply{Calls: []preflighttest.Call{
		{Name: "read", Arguments: "{}"}, {Name: "stop", Arguments: "{}"},
	}}, preflighttest.Reply{Text: "You stopped me."})
	second, err := preflighttest.Start(f.to, nil)
	if err != nil {
		return err
	}
	defer second.Close()
	second.Script(preflighttest.Reply{Text: "You were building."})
	session := filepath.Join(filepath.Dir(program), "session")
	for _, process := range []struct {
		provider, url, says, answer string
		exit                        int
	}{
		{f.from, first.URL, "Build it.", "", stopped},
		{f.from, first.URL, "Where were we?", "You stopped me.", 0},
		{f.to, second.URL, "What did I do?", "You were building.", 0},
	} {
		command := exec.Command(program, process.provider, process.url, session, process.says)
		var stderr strings.Builder
		command.Stderr = &stderr
		out, err := command.Output()
		if refused := append(first.Refused(), second.Refused()...); len(refused) > 0 {
			return fmt.Errorf("%w: %w", errRefused, refused[0].Refusal)
		}
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			return err
		}
		if code := command.ProcessState.ExitCode(); code != process.exit ||
			!strings.Contains(string(out), process.answer) {
			return fmt.Errorf("%q: exit code %d, and it printed %q\n%s", process.says, code, out,
				&stderr)
		}
	}
	return nil
}
