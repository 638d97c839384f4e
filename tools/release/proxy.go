package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/zip"
)

// A sum is what go.sum has of a module.
type sum struct {
	path     string
	zip, mod string // hashes
}

func (s sum) lines(version string) string {
	return fmt.Sprintf("%s %s %s\n%s %s/go.mod %s\n",
		s.path, version, s.zip, s.path, version, s.mod)
}

// hash returns the hashes of the module at the version, as the go command will compute them.
func (t *tree) hash(m *goModule, version string) (sum, error) {
	file, err := os.CreateTemp("", "release-*.zip")
	if err != nil {
		return sum{}, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if err := t.zip(file, m, version); err != nil {
		return sum{}, err
	}
	s := sum{path: m.path()}
	if s.zip, err = dirhash.HashZip(file.Name(), dirhash.Hash1); err != nil {
		return sum{}, err
	}
	mod, err := m.goMod()
	if err != nil {
		return sum{}, err
	}
	s.mod, err = dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(mod)), nil
	})
	return s, err
}

// zip writes the module as the go command packs it: the files in its directory without those of
// nested modules, and the repository's license where it has none.
func (t *tree) zip(w io.Writer, m *goModule, version string) error {
	mod, err := m.goMod()
	if err != nil {
		return err
	}
	var files []zip.File
	licensed := false
	for _, name := range m.files {
		inside := name
		if m.dir != "." {
			inside = strings.TrimPrefix(name, m.dir+"/")
		}
		file := zipped{inside: inside, disk: filepath.Join(t.root, name)}
		switch inside {
		case "go.mod":
			file.content = mod
		case "go.sum":
			file.content = m.sum
		case "LICENSE":
			licensed = true
		}
		files = append(files, file)
	}
	if !licensed {
		files = append(files, zipped{inside: "LICENSE", disk: filepath.Join(t.root, "LICENSE")})
	}
	return zip.Create(w, module.Version{Path: m.path(), Version: version}, files)
}

// zipped is a file of a module: on disk, or with other content.
type zipped struct {
	inside  string // the path in the module
	disk    string
	content []byte // if not nil, instead of the file's
}

func (f zipped) Path() string { return f.inside }

func (f zipped) Lstat() (fs.FileInfo, error) {
	info, err := os.Lstat(f.disk)
	if err != nil || f.content == nil {
		return info, err
	}
	return resized{info, int64(len(f.content))}, nil
}

func (f zipped) Open() (io.ReadCloser, error) {
	if f.content != nil {
		return io.NopCloser(bytes.NewReader(f.content)), nil
	}
	return os.Open(f.disk)
}

type resized struct {
	fs.FileInfo
	size int64
}

func (r resized) Size() int64 { return r.size }

// writeProxy writes a module proxy, which has every module of the tree at one version, to a
// directory. GOPROXY takes it as a file URL.
func (t *tree) writeProxy(dir, version string) error {
	for _, m := range t.modules {
		escaped, err := module.EscapePath(m.path())
		if err != nil {
			return err
		}
		folder := filepath.Join(dir, filepath.FromSlash(escaped), "@v")
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		mod, err := m.goMod()
		if err != nil {
			return err
		}
		var packed bytes.Buffer
		if err := t.zip(&packed, m, version); err != nil {
			return err
		}
		for name, content := range map[string][]byte{
			"list":            []byte(version + "\n"),
			version + ".info": fmt.Appendf(nil, "{%q:%q}", "Version", version),
			version + ".mod":  mod,
			version + ".zip":  packed.Bytes(),
		} {
			if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
