// Package golden reads and writes the golden files of the tests: txtar archives of an input and the
// wanted output. The comment at the top tells why the case exists.
package golden

import (
	"bytes"
	"fmt"
	"strings"
)

// File is one file of an archive.
type File struct {
	Name string
	Data []byte
}

// Archive is a comment and files.
type Archive struct {
	Comment []byte
	Files   []File
}

// Parse splits a txtar archive: a comment, then files after "-- name --" lines.
func Parse(data []byte) Archive {
	var a Archive
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		switch {
		case strings.HasPrefix(text, "-- ") && strings.HasSuffix(text, " --"):
			a.Files = append(a.Files, File{Name: text[3 : len(text)-3]})
		case len(a.Files) == 0:
			a.Comment = append(a.Comment, line...)
		default:
			last := &a.Files[len(a.Files)-1]
			last.Data = append(last.Data, line...)
		}
	}
	return a
}

// Get returns the data of a file; nil when there is none.
func (a *Archive) Get(name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// Set replaces the data of a file, or appends the file.
func (a *Archive) Set(name string, data []byte) {
	for i := range a.Files {
		if a.Files[i].Name == name {
			a.Files[i].Data = data
			return
		}
	}
	a.Files = append(a.Files, File{name, data})
}

// Bytes returns the archive as text.
func (a *Archive) Bytes() []byte {
	out := bytes.NewBuffer(bytes.Clone(a.Comment))
	for _, f := range a.Files {
		fmt.Fprintf(out, "-- %s --\n%s", f.Name, f.Data)
		if n := len(f.Data); n > 0 && f.Data[n-1] != '\n' {
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}
