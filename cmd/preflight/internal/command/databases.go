//go:build (darwin || freebsd || linux || openbsd || windows) && (amd64 || arm64)

package command

// The SQLite driver does not build everywhere. On other systems preflight repair reads files, and
// reports a database as one that it cannot read.
import _ "github.com/go-preflight/preflight/session/sqlite"
