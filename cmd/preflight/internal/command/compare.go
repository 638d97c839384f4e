package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/compare"
)

func runCompare(args []string, std stdio) int {
	set := flags("compare")
	provider := set.String("provider", "",
		"provider that the bodies are for, one with a format of its own")
	program := set.String("exec", "",
		"`COMMAND` of the shell that reads a body from its standard input and writes what to send "+
			"to its standard output; it is run some hundred times")
	asJSON := set.Bool("json", false, "print the table as JSON")
	if _, code, done := parse(set, args, std, 0); done {
		return code
	}
	if *program == "" || *provider == "" {
		return std.fail("compare", errors.New("--provider P and --exec COMMAND are needed"), exitUsage)
	}
	run := executed(*program)
	var exit *exec.ExitError
	if _, err := run(context.Background(), []byte("{}")); errors.As(err, &exit) && cannotRun(exit) {
		return std.fail("compare", err, exitUsage)
	}
	table, err := compare.Run(context.Background(), *provider, run)
	if err != nil {
		return std.fail("compare", err, exitUsage)
	}
	if *asJSON {
		_ = printJSON(std.out, table, "  ") // Run says what could not be written
	} else {
		fmt.Fprint(std.out, table)
	}
	return exitOK
}

// cannotRun reports whether a shell says that there is no such program, or that it is no program.
func cannotRun(exit *exec.ExitError) bool {
	return exit.ExitCode() == 126 || exit.ExitCode() == 127 || // of sh
		runtime.GOOS == "windows" && exit.ExitCode() == 9009
}

// executed returns a sanitizer that runs a command of the shell.
func executed(program string) compare.Sanitizer {
	shell := []string{"sh", "-c"}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/C"}
	}
	return func(ctx context.Context, body []byte) ([]byte, error) {
		cmd := exec.CommandContext(ctx, shell[0], shell[1], program)
		cmd.Stdin = bytes.NewReader(body)
		var said bytes.Buffer
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil && said.Len() > 0 {
			err = fmt.Errorf("%w: %s", err, strings.TrimSpace(said.String()))
		}
		return out, err
	}
}
