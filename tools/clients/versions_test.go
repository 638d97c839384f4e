//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVersions: the rows of one client are added up, and what is around the table stays.
func TestVersions(t *testing.T) {
	dir := t.TempDir()
	page, from := filepath.Join(dir, "page"), filepath.Join(dir, "from")
	rows := tableHead +
		"| A 1 | never resumed | 2 | 1 → 2 | 3 → 0 of 9 | 0 → 0 of 0 | 0 of 0 | none | 2026-01-02 |\n" +
		"| A 1 | resumed once | 3 | 2 → 3 | 4 → 1 of 9 | 0 → 0 of 0 | 0 of 0 | none | 2026-01-03 |\n" +
		"| B 2 | never resumed | not installed |||||| 2026-01-03 |\n"
	for name, text := range map[string]string{
		from: rows, page: "before\n" + versionsStart + "old\n" + versionsEnd + "after\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeVersions(page, from); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(data); !strings.Contains(text, "| A 1 | 2026-01-03 | 5 | 3 → 5 | 7 → 1 |\n") ||
		!strings.HasPrefix(text, "before\n") || !strings.HasSuffix(text, "after\n") ||
		strings.Contains(text, "old") || strings.Contains(text, "B 2") {
		t.Error(text)
	}
}
