package command

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"syscall"
)

// extprocProgram is the program of the module extproc, which links gRPC.
const extprocProgram = "preflight-extproc"

// runExtproc runs the external processor for Envoy, which is a program of its own. Its exit code is
// that of the program; 2 when it is not installed.
func runExtproc(args []string, std stdio) int {
	help := slices.Contains(args, "-h") || slices.Contains(args, "--help")
	if help {
		printSynopses(std.out, "extproc")
	}
	path, err := exec.LookPath(extprocProgram)
	if err != nil {
		const missing = "preflight extproc: it is a program of its own: " +
			"go install " + modulePath + "/adapter/extproc/cmd/" + extprocProgram + "@latest"
		if help {
			fmt.Fprintln(std.out, missing)
			return exitOK
		}
		fmt.Fprintln(std.err, missing)
		return exitUsage
	}
	cmd := exec.Command(path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = std.in, std.out, std.err
	stop := make(chan os.Signal, 2)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(stop)
	if err := cmd.Start(); err != nil {
		return std.fail("extproc", err, exitWrong)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case s := <-stop:
			_ = cmd.Process.Signal(s) // it may have ended
		case err := <-ended:
			var exit *exec.ExitError
			switch {
			case err == nil:
				return exitOK
			case errors.As(err, &exit) && exit.ExitCode() >= 0:
				return exit.ExitCode()
			}
			return std.fail("extproc", err, exitWrong)
		}
	}
}
