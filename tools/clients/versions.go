//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// This file writes which version of each client was measured, and when, for the page for users.

// Where that table is in a document.
const (
	versionsStart = "<!-- versions: written by make clients -->\n"
	versionsEnd   = "<!-- versions: end -->\n"
)

// measurement is what the rows of one client come to.
type measurement struct {
	client, date                         string // the client with its version
	faults, before, after, forgot, still int
}

// versions adds up the rows of a table.
func versions(table string) (all []*measurement) {
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		var faults, before, after, forgot, still, of int
		if len(cells) < 10 {
			continue
		}
		if _, err := fmt.Sscan(cells[3], &faults); err != nil {
			continue // a heading, or what could not be measured
		}
		if _, err := fmt.Sscanf(cells[4], " %d → %d", &before, &after); err != nil {
			continue
		}
		if _, err := fmt.Sscanf(cells[5], " %d → %d of %d", &forgot, &still, &of); err != nil {
			continue
		}
		m := &measurement{client: strings.TrimSpace(cells[1])}
		if len(all) > 0 && all[len(all)-1].client == m.client {
			m = all[len(all)-1]
		} else {
			all = append(all, m)
		}
		m.date = max(m.date, strings.TrimSpace(cells[9]))
		m.faults += faults
		m.before += before
		m.after += after
		m.forgot += forgot
		m.still += still
	}
	return all
}

// writeVersions writes the table of versions into a document, of the rows in another one.
func writeVersions(page, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	into, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, found := bytes.Cut(into, []byte(versionsStart))
	_, after, ended := bytes.Cut(rest, []byte(versionsEnd))
	if !found || !ended {
		return fmt.Errorf("%s has no place for the table of versions", page)
	}
	table := "| measured | on | sessions resumed | accepted: as they were → repaired | " +
		"texts and results forgotten: as they were → repaired |\n|---|---|---|---|---|\n"
	for _, m := range versions(string(data)) {
		table += fmt.Sprintf("| %s | %s | %d | %d → %d | %d → %d |\n", m.client, m.date, m.faults,
			m.before, m.after, m.forgot, m.still)
	}
	text := string(before) + versionsStart + "\n" + table + "\n" + versionsEnd
	return os.WriteFile(page, append([]byte(text), after...), 0o644)
}
