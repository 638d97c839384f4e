package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// changelog is the heading of a version in CHANGELOG.md. Until the release it has no date.
type changelog struct {
	file    string
	content []byte
	start   int // of the heading's end, where the date begins
	end     int
}

// readChangelog returns an error if there is no section for the version, or if it has a date.
func readChangelog(root, version string) (changelog, error) {
	c := changelog{file: filepath.Join(root, "CHANGELOG.md")}
	var err error
	if c.content, err = os.ReadFile(c.file); err != nil {
		return c, err
	}
	number := strings.TrimPrefix(version, "v")
	heading := regexp.MustCompile(`(?m)^## \[` + regexp.QuoteMeta(number) + `\] - (.*)$`)
	found := heading.FindSubmatchIndex(c.content)
	if found == nil {
		return c, fmt.Errorf("CHANGELOG.md has no section for %s", version)
	}
	c.start, c.end = found[2], found[3]
	if date := c.content[c.start:c.end]; !bytes.Equal(date, []byte("unreleased")) {
		return c, fmt.Errorf("CHANGELOG.md says that %s was released on %s", version, date)
	}
	return c, nil
}

// write gives the section the date.
func (c changelog) write(date time.Time) error {
	dated := append([]byte(nil), c.content[:c.start]...)
	dated = append(dated, date.Format(time.DateOnly)...)
	dated = append(dated, c.content[c.end:]...)
	return os.WriteFile(c.file, dated, 0o644)
}
