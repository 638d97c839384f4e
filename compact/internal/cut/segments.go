package cut

import (
	"strings"
	"unicode"

	"github.com/go-preflight/preflight/compact/internal/words"
)

// This file cuts text into sentences and lines.

// segments are the sentences and lines of a text, where what says nothing alone stays with what is
// next to it: lines of one word, lines that end with a colon, sentences of one word, lines without
// one, such as a bracket. None is longer than Bytes.
func Sentences(text string) []string {
	var out []string
	open, start := false, true // the last line needs the next one; there is none
	for _, line := range strings.Split(text, "\n") {
		found := sentences(line)
		if len(found) == 0 {
			open, start = false, true
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			last := len(out) - 1
			if last >= 0 && len(line) <= shortLine && len(out[last])+1+len(line) <= Bytes {
				out[last] += "\n" + line
			} else {
				out = append(out, line[:at(line, Bytes)])
				open = len(line) <= shortLine
			}
			start = false
			continue
		}
		bare := len(found) == 1 && oneWord(found[0])
		for k, s := range found {
			alone := k == 0 && (open || bare) || k > 0 && (oneWord(s) || oneWord(found[k-1]))
			sep := " "
			if k == 0 {
				sep = "\n"
			}
			last := len(out) - 1
			if alone && !(k == 0 && start) && last >= 0 &&
				len(out[last])+len(sep)+len(s) <= Bytes {
				out[last] += sep + s
			} else {
				out = append(out, s)
			}
		}
		start = false
		open = bare || strings.HasSuffix(strings.TrimSpace(line), ":")
	}
	return out
}

// oneWord reports whether there is no more than one word in a text.
func oneWord(s string) bool { return len(strings.Fields(s)) == 1 && len(words.Of(s)) <= 1 }

// sentences returns the sentences and lines of a text that hold at least one word, none longer than
// Bytes.
func sentences(text string) []string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
			n := sentence(line[:min(len(line), Bytes+1)])
			if n > Bytes {
				n = Point(line, Bytes)
			}
			if s := strings.TrimSpace(line[:n]); HasWord(s) {
				out = append(out, s)
			}
			line = line[n:]
		}
	}
	return out
}

// shortLine is the most bytes of a line without a word that stays with the line before it.
const shortLine = 8

func HasWord(s string) bool {
	return strings.IndexFunc(s,
		func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) >= 0
}
