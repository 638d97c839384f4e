package compact

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/compact/internal/cut"
)

// This file finds statements of values, and which of them a later one replaces.

const (
	// pastWeight is what the score of a statement is multiplied by that a later one replaces.
	pastWeight = 0.25
	// currentWeight is the same for the last statement of several.
	currentWeight = 2
	// statedWeight is the same for the only statement of a value.
	statedWeight = 1.2
)

// weigh multiplies a score, which may be negative.
func (s *segment) weigh(by float64) {
	if s.score < 0 {
		by = 1 / by
	}
	s.score = float64(s.score * by)
}

// outdated says of a statement that a later one replaces it.
func (s *segment) outdated() {
	s.past = true
	s.weigh(pastWeight)
}

// replace rates the last statement of a value above those that it replaces, and above what states
// no value.
func replace(n int, at func(k int) *segment) {
	type stated struct {
		best  float64
		times int
	}
	keys := make([]string, n)
	all := make(map[string]stated)
	for k := range n {
		s := at(k)
		if keys[k] = s.states(); keys[k] != "" {
			x, ok := all[keys[k]]
			if !ok || s.score > x.best {
				x.best = s.score
			}
			x.times++
			all[keys[k]] = x
		}
	}
	last := make(map[string]bool)
	for k := n - 1; k >= 0; k-- {
		s, key := at(k), keys[k]
		switch {
		case key == "":
		case last[key]:
			s.outdated()
		default:
			last[key] = true
			x := all[key]
			if s.revises = s.revises || x.times > 1; !s.revises {
				s.weigh(statedWeight)
				continue
			}
			s.score = x.best
			s.weigh(currentWeight)
		}
	}
}

// states returns the key of the value that a segment states, "" where that cannot be told: a clause
// of two long words or more, and a number after a short word or a sign, or a few words after "is",
// such as "the port of the server is 8443" and "the colour of the gate is now blue". Only what one
// speaker says in the same words replaces what it said before.
func (s *segment) states() string {
	if s.weight < 1 {
		return ""
	}
	words := strings.Fields(s.text)
	for from, k := 0, 0; k < len(words); k++ {
		if w := words[k]; k+1 == len(words) || strings.ContainsRune(",;:.!?", rune(w[len(w)-1])) {
			if key := clauseKey(words[from : k+1]); key != "" {
				return s.label + key
			}
			from = k + 1
		}
	}
	return ""
}

// valueIs are the words before a value: "is" and "are" in some languages.
var valueIs = cut.WordSet("is are ist sind est sont es son è sono é são")

// mostValue is the most words of a value that is no number, with words such as "now".
const mostValue = 3

// clauseKey returns what the value in a clause is a value of: the long words of the clause, without
// the value.
func clauseKey(words []string) string {
	is := slices.IndexFunc(words, func(w string) bool { return valueIs[strings.ToLower(w)] })
	if n := len(words) - 1; is > 0 && is < n && n-is <= mostValue &&
		!strings.HasSuffix(words[n], "?") {
		if key := longWords(words[:is]); len(key) > 1 {
			return strings.Join(key, " ")
		}
	}
	var key []string
	values := 0
	for k, w := range words {
		w = strings.Trim(w, ".,;:!?()\"'`*_")
		switch {
		case strings.ContainsAny(w, "0123456789"):
			if k == 0 || len(words[k-1]) > 3 || len(key) < 2 {
				return ""
			}
			values++
		case len(w) > 3:
			key = append(key, strings.ToLower(w))
		}
	}
	if values != 1 {
		return ""
	}
	return strings.Join(key, " ")
}

// longWords returns words of more than three bytes, in lower case.
func longWords(words []string) []string {
	var out []string
	for _, w := range words {
		if w = strings.ToLower(strings.Trim(w, ".,;:!?()\"'`*_")); len(w) > 3 {
			out = append(out, w)
		}
	}
	return out
}
