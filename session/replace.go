package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-preflight/preflight/internal/atomicfile"
)

// This file replaces a file so that at every moment either the old or the new one is there, whole.

// ErrInUse is what RepairFile returns, wrapped, for a file that it would write if it were not in
// use.
var ErrInUse = errors.New("the file is in use")

// replaceFile writes what comes in the place of a file that held was and had info when it was read.
// It keeps the file's permissions and owner, and a copy of it beside it, whose name it returns. If
// the file could not be replaced, there is no copy, and backup is "".
func replaceFile(
	name string, info fs.FileInfo, was []byte, is *repaired,
) (backup string, err error) {
	removeUnfinished(name)
	f, err := atomicfile.Replace(name, info)
	if err != nil {
		return "", err
	}
	defer f.Remove()
	if err = is.writeTo(f); err == nil {
		err = f.Finish()
	}
	if err != nil {
		return "", err
	}
	backup, err = keepCopy(name, info, was)
	if err != nil {
		return "", err
	}
	same, err := holds(name, was)
	if err == nil && !same {
		err = errors.New("the file changed while it was being repaired")
	}
	if err == nil {
		err = f.Rename()
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(backup))
	}
	return backup, syncDir(filepath.Dir(name))
}

// holds reports whether a file holds data, without a second copy of it in memory.
func holds(name string, data []byte) (bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	for buffer := make([]byte, 1<<16); ; {
		n, err := f.Read(buffer)
		rest, same := bytes.CutPrefix(data, buffer[:n])
		if !same {
			return false, nil
		}
		if data = rest; errors.Is(err, io.EOF) {
			return len(data) == 0, nil
		} else if err != nil {
			return false, err
		}
	}
}

// removeUnfinished removes what a run that was killed left beside a file: the beginning of its
// repair.
func removeUnfinished(name string) {
	dir, base := filepath.Split(name)
	if dir == "" {
		dir = "."
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // it is only tidied up
	}
	for _, e := range entries {
		if e.Type().IsRegular() && atomicfile.Unfinished(e.Name()) == base {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// maxBackups is how many copies of one second are kept.
const maxBackups = 100

// backupBase returns the name of a copy that is made now, if it is the only one of this second.
func backupBase(name string) string {
	return name + "." + time.Now().UTC().Format("20060102T150405Z") + ".bak"
}

func backupName(base string, n int) string {
	if n == 0 {
		return base
	}
	return fmt.Sprintf("%s.%d", base, n)
}

// freeName returns a name for a copy of a file that is not taken.
func freeName(name string) (string, error) {
	base := backupBase(name)
	for n := range maxBackups {
		copied := backupName(base, n)
		if _, err := os.Lstat(copied); errors.Is(err, fs.ErrNotExist) {
			return copied, nil
		}
	}
	return "", fmt.Errorf("no free name for a copy of %s", name)
}

// keepCopy writes a copy of a file beside it, under a name that has the date and is not taken.
func keepCopy(name string, info fs.FileInfo, data []byte) (string, error) {
	base := backupBase(name)
	for n := range maxBackups {
		copied := backupName(base, n)
		f, err := os.OpenFile(copied, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		atomicfile.KeepOwner(f, info)
		_, err = f.Write(data)
		if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
			return "", errors.Join(err, os.Remove(copied))
		}
		return copied, nil
	}
	return "", fmt.Errorf("no free name for a copy of %s", name)
}

// syncDir makes a rename in a folder last, where the system can do that.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	_ = d.Sync() // not every file system can
	return nil
}
