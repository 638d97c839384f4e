//go:build workcount

package session_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/work"
	"github.com/go-preflight/preflight/session"
)

// This file holds the cost of a repair to the number of records: make work counts steps, because a
// clock misses quadratic work that is quick at the sizes of a test.

// ids are the ids in the samples, some with a fault, and links those by which a record names the
// one before it.
var (
	ids = regexp.MustCompile(
		`"((?:u|m|r|e|toolu_|call_|fc_|rs_|ls_|ls__ls_|msg_|c)[0-9][0-9_]*)(:?)"`)
	links = regexp.MustCompile(`"(parentUuid|parentId)":null`)
)

// renumbered returns copy k of a text, with other ids.
func renumbered(text string, k int) string {
	return ids.ReplaceAllString(text, fmt.Sprintf(`"${1}k%d${2}"`, k))
}

// grown is the lines of a session n times, with other ids in each copy, the first of each linked to
// the last of the one before. edit is done to each copy.
func grown(lines []string, n int, edit func([]string) []string) []byte {
	var all []string
	for k := range n {
		last := ""
		if k > 0 {
			last = lastID.FindString(all[len(all)-1])
		}
		for j, line := range edit(append([]string{}, lines...)) {
			line = renumbered(line, k)
			if j == 0 && last != "" {
				line = links.ReplaceAllString(line, `"$1":`+strings.SplitN(last, ":", 2)[1])
			}
			all = append(all, line)
		}
	}
	return file(all)
}

// lastID finds the id of a record.
var lastID = regexp.MustCompile(`"(uuid|id)":"[^"]+"`)

// TestWorkIsLinear: eight times as many records, each copy with a fault, take about eight times as
// many steps.
func TestWorkIsLinear(t *testing.T) {
	for client, lines := range stored {
		edits := map[string]func([]string) []string{
			"whole":    func(l []string) []string { return l },
			"reversed": func(l []string) []string { return reversed(l) },
		}
		for k := range lines {
			edits[fmt.Sprint("without ", k)] = func(l []string) []string {
				return append(l[:k:k], l[k+1:]...)
			}
			edits[fmt.Sprint("twice ", k)] = func(l []string) []string { return append(l, l[k]) }
			edits[fmt.Sprint("last ", k)] = func(l []string) []string {
				moved := l[k]
				return append(append(l[:k:k], l[k+1:]...), moved)
			}
			edits[fmt.Sprint("cut off ", k)] = func(l []string) []string {
				l[k] = l[k][:len(l[k])/2]
				return l
			}
		}
		for name, edit := range edits {
			requireLinear(t, client+", "+name, func(n int) []byte { return grown(lines, n, edit) })
		}
	}
}

func reversed(lines []string) []string {
	for a, b := 0, len(lines)-1; a < b; a, b = a+1, b-1 {
		lines[a], lines[b] = lines[b], lines[a]
	}
	return lines
}

// requireLinear requires that the repair of eight times as much takes about eight times as many
// steps.
func requireLinear(t *testing.T, name string, data func(n int) []byte) {
	t.Helper()
	steps := func(n int) int64 {
		grown := data(n)
		return work.Count(func() {
			// an error is as good as a repair: both have to be found in time
			_, _, _ = session.Repair(grown, nil)
		})
	}
	few, many := steps(40), steps(320)
	require.Positive(t, few, name)
	require.LessOrEqual(t, many, 12*few+10_000, "%s: %d steps for 40 copies, %d for 320", name, few,
		many)
}

// TestListWorkIsLinear is TestWorkIsLinear for lists of messages.
func TestListWorkIsLinear(t *testing.T) {
	all := map[string][]string{"cline-cli": clineMessages}
	for form, elements := range lists {
		all[form] = elements
	}
	for _, fault := range [][2]string{
		{`"name":"ls"`, `"name":"a tool"`}, {`"c1"`, `"c1` + strings.Repeat("_", 60) + `"`},
		{`"text":"I will."}`, `"text":"I will.\u0000"}`},
		{`files."}`, `files."},{"type":"image","data":"AAAA","mediaType":"image/png"}`},
	} {
		name := "cline-cli with " + fault[1]
		for _, message := range clineMessages {
			all[name] = append(all[name], strings.ReplaceAll(message, fault[0], fault[1]))
		}
	}
	for form, elements := range all {
		for _, without := range []int{-1, 1, 2, 3} {
			requireLinear(t, fmt.Sprint(form, " without ", without), func(n int) []byte {
				var grown []string
				for k := range n {
					for j, element := range elements {
						if j != without {
							grown = append(grown, renumbered(element, k))
						}
					}
				}
				if strings.HasPrefix(form, "cline-cli") {
					return clineFile(grown...)
				}
				return list(grown...)
			})
		}
	}
}
