//go:build unix

package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
)

func keepOwner(file *os.File, info fs.FileInfo) {
	was, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	_ = file.Chown(int(was.Uid), int(was.Gid)) // who is not root may not
}
