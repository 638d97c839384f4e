package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// This file writes where the time goes, from the output of go tool pprof -top.

// profile is the time of each kind of work, as a share of all.
type profile map[string]float64

// kinds are the kinds of work, and the functions that do it. The first that matches counts.
var kinds = []struct {
	name      string
	functions *regexp.Regexp
}{
	{"search and validation of texts", regexp.MustCompile(
		`^(unicode/utf8|internal/bytealg|strings|bytes)\.|preflight/internal/validtext\.|` +
			`preflight/internal/jsonscan\.(wideText|IsText)`)},
	{"scanning JSON", regexp.MustCompile(
		`preflight/internal/jsonscan\.(wideContent|scan|skip|valid|closing|fourHex|` +
			`\(\*Doc\)\.(Parse|scan))`)},
	{"decoding texts with escapes", regexp.MustCompile(
		`preflight/internal/jsonscan\.(\(\*Doc\)\.)?(decode|append)`)},
	{"copying", regexp.MustCompile(`^runtime\.(memmove|typedslicecopy|bulkBarrier)`)},
	{"pairing", regexp.MustCompile(
		`^github.com/go-preflight/preflight\.\(\*(toolPair|pair)|` +
			`preflight/internal/(pairing|idtable)\.|^(aeshash|memeqbody|runtime\.(mapaccess|mapassign|` +
			`memhash|strhash|memequal))|^internal/runtime/maps\.`)},
	{"the other checks", regexp.MustCompile(
		`^github.com/go-preflight/preflight\.(\(\*check|[a-z]+Check)`)},
	{"allocation and garbage collection", regexp.MustCompile(`^runtime\.|^gc|^sync\.`)},
	{"reading and writing messages", regexp.MustCompile(
		`preflight/(wire|internal/jsonscan|internal/unread|provider)\.`)},
	{"the fixers and their draft", regexp.MustCompile(`go-preflight/preflight`)},
}

// profiled are the passes with a profile.
var profiled = []struct{ name, title string }{
	{"memory-clean", "in memory, valid"},
	{"memory-dirty20", "in memory, one in 5 broken"},
	{"wire-clean", "on the wire, valid"},
	{"wire-dirty20", "on the wire, one in 5 broken"},
}

// topLine is a line of go tool pprof -top: the time of a function itself comes first.
var topLine = regexp.MustCompile(`^\s*([0-9.]+)(ms|s|us|µs)\s+[0-9.]+%\s+\S+\s+\S+\s+\S+\s+(.+)$`)

// readProfile adds a line "NAME: " and what go tool pprof -top wrote.
func (r *results) readProfile(text string) {
	name, rest, _ := strings.Cut(text, ": ")
	m := topLine.FindStringSubmatch(rest)
	if m == nil {
		return
	}
	time, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return
	}
	switch m[2] {
	case "s":
		time *= 1000
	case "us", "µs":
		time /= 1000
	}
	if r.profiles[name] == nil {
		r.profiles[name] = make(profile)
	}
	r.profiles[name][kindOf(m[3])] += time
}

// kindOf is the kind of work that a function does.
func kindOf(function string) string {
	for _, k := range kinds {
		if k.functions.MatchString(function) {
			return k.name
		}
	}
	return "everything else"
}

// profileTable writes the share of each kind in each pass.
func (r *results) profileTable(b *bytes.Buffer) {
	if len(r.profiles) == 0 {
		return
	}
	columns := []string{"share of the time, in %"}
	for _, p := range profiled {
		columns = append(columns, p.title)
	}
	table(b, columns...)
	rows := []string{}
	for _, k := range kinds {
		rows = append(rows, k.name)
	}
	for _, kind := range append(rows, "everything else") {
		fmt.Fprintf(b, "| %s |", kind)
		for _, p := range profiled {
			all := 0.0
			for _, time := range r.profiles[p.name] {
				all += time
			}
			fmt.Fprintf(b, " %.0f |", 100*r.profiles[p.name][kind]/all)
		}
		b.WriteString("\n")
	}
}
