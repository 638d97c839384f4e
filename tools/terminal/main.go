// Command terminal runs shell commands in a terminal of its own and draws what they print as SVG:
//
//	go run -C tools ./terminal -dir DIR -out FILE 'preflight check session.json' …
//
// The picture has no fonts, scripts or links, and is the same for the same output.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"github.com/creack/pty"
)

// columns is the width of the terminal.
const columns = 116

func main() {
	dir := flag.String("dir", ".", "directory to run the commands in")
	out := flag.String("out", "", "SVG file to write")
	flag.Parse()
	if err := draw(*out, *dir, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "terminal:", err)
		os.Exit(1)
	}
}

func draw(file, dir string, commands []string) error {
	var screen strings.Builder
	for _, command := range commands {
		printed, err := run(dir, command)
		if err != nil {
			return err
		}
		fmt.Fprintf(&screen, "\x1b[1m$ %s\x1b[0m\n%s\n", command, printed)
	}
	return os.WriteFile(file, []byte(svg(screen.String())), 0o644)
}

// run returns what a command prints to a terminal. The status that it exits with is its own
// business.
func run(dir, command string) (string, error) {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=xterm", "NO_COLOR=")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: columns})
	if err != nil {
		return "", err
	}
	defer terminal.Close()
	printed, err := io.ReadAll(terminal)
	if err != nil && !errors.Is(err, syscall.EIO) { // how Linux says that the other end is closed
		return "", err
	}
	if exit := (*exec.ExitError)(nil); errors.As(cmd.Wait(), &exit) && exit.ExitCode() > 2 {
		return "", fmt.Errorf("%s: %w", command, exit)
	}
	return strings.ReplaceAll(string(printed), "\r\n", "\n"), nil
}
