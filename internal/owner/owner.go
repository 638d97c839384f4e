// Package owner gives the file that takes the place of another the owner of that one.
package owner

import (
	"io/fs"
	"os"
)

// Keep gives a file the owner and group of the one that info is of, as far as the process may. When
// root repairs the file of a user, the user can read the new one too. It has to be called before
// permissions are set, which a new owner may take away.
func Keep(file *os.File, info fs.FileInfo) { keep(file, info) }
