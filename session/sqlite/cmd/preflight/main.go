// Command preflight is the command line of preflight, which also repairs sessions that are kept in
// SQLite databases: those of opencode and Crush. Otherwise it is the same as
// github.com/go-preflight/preflight/cmd/preflight, which needs the standard library alone.
package main

import (
	"os"

	"github.com/go-preflight/preflight/internal/command"

	_ "github.com/go-preflight/preflight/session/sqlite" // opencode and Crush
)

func main() {
	os.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
