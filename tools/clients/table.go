//go:build unix

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// This file prints what was measured.

// Where the table is in a document.
const (
	tableStart = "<!-- clients: written by make clients -->\n"
	tableEnd   = "<!-- clients: end -->\n"
)

const tableHead = "| client | session | faults | first request valid: before → after | " +
	"readable texts and results lost: before → after | results without call sent: before → after | " +
	"false claims | other faults of repair | measured |\n|---|---|---|---|---|---|---|---|---|\n"

// lines returns a table's lines, one for each row.
func lines(rows []row) (all []string) {
	today := time.Now().UTC().Format("2006-01-02")
	for _, w := range rows {
		name := sessionName(w.start)
		if w.failure != "" {
			all = append(all, fmt.Sprintf("| %s | %s | %s |||||| %s |\n", w.client, name, w.failure,
				today))
			continue
		}
		faults := fmt.Sprint(w.faults)
		if w.unmeasured > 0 {
			faults += fmt.Sprintf(" (and %d that took too long)", w.unmeasured)
		}
		all = append(all, fmt.Sprintf("| %s | %s | %s | %d → %d | %d → %d of %d | %d → %d of %d | "+
			"%d of %d | %s | %s |\n", w.client, name, faults, w.validBefore, w.validAfter, w.lostBefore,
			w.lostAfter, w.readable, w.sentBefore, w.sentAfter, w.alone, w.falseClaims, w.claims,
			w.others(), today))
	}
	return all
}

// others names what else repair did wrong.
func (w *row) others() string {
	var all []string
	for _, fault := range []struct {
		count int
		what  string
	}{
		{w.unreported, "not reported"},
		{w.healthyChanged, "reported or changed without need"},
		{w.unfinished, "changed again by a second run"},
	} {
		if fault.count > 0 {
			all = append(all, fmt.Sprintf("%d %s", fault.count, fault.what))
		}
	}
	return cmp.Or(strings.Join(all, ", "), "none")
}

func table(rows []row) string { return tableHead + strings.Join(lines(rows), "") }

// writeTable puts rows into the table of a document, in the place of those of the same clients and
// sessions.
func writeTable(file string, rows []row) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, found := bytes.Cut(data, []byte(tableStart))
	was, after, ended := bytes.Cut(rest, []byte(tableEnd))
	if !found || !ended {
		return fmt.Errorf("%s has no place for the table", file)
	}
	all := lines(rows)
	for line := range strings.Lines(string(was)) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| client") {
			continue
		}
		again := slices.ContainsFunc(rows, func(w row) bool {
			return strings.HasPrefix(line, "| "+w.title+" ") &&
				strings.Contains(line, "| "+sessionName(w.start)+" |")
		})
		if !again {
			all = append(all, line)
		}
	}
	slices.SortStableFunc(all, func(a, b string) int {
		return cmp.Or(strings.Compare(cell(a, 1), cell(b, 1)),
			slices.Index(sessionNames, cell(a, 2))-slices.Index(sessionNames, cell(b, 2)))
	})
	text := string(before) + tableStart + "\n" + tableHead + strings.Join(all, "") + "\n" + tableEnd
	return os.WriteFile(file, append([]byte(text), after...), 0o644)
}

// cell returns a cell of a line, from 1.
func cell(line string, k int) string { return strings.TrimSpace(strings.Split(line, "|")[k]) }

// sessionNames are the states of sessions, in the order of the table.
var sessionNames = []string{
	"never resumed", "resumed once", "resumed twice", "with a subagent", killedInTool,
	twoProcesses, "still running",
}

// sessionName is the name of a state of sessions.
func sessionName(start string) string {
	if start == "" {
		return "never resumed"
	}
	return start
}
