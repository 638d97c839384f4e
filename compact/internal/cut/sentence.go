package cut

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file finds the ends of sentences.

// abbreviations are words, in lower case, whose full stop does not end a sentence, because they
// come before a name, a number or an example. Words that often end one (etc., usw., Inc.) are left
// out: a sentence that is too long loses less than one that is cut.
var abbreviations = WordSet(
	// English
	"mr mrs ms dr prof st nos fig figs vol vols ch sec eq eqs pp vs cf approx ca e.g i.e " +
		"gen col lt sgt capt rev hon jan feb mar apr jun jul aug sept oct nov dec " +
		// German
		"nr bzw ca dgl evtl ggf inkl exkl max min mind str tel abs abt art bd hr fr frl " +
		"z.b d.h u.a o.ä s.o s.u v.a i.d.r u.u z.t z b d h sog vgl zzgl " +
		// French
		"m mm mme mlle mlles mmes dr pr st ste n° p.ex ex env av boul tél janv févr avr juill",
)

func WordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// sentence returns the length of the first sentence of a text: up to a full stop, question or
// exclamation mark before a space, with the quotation marks and brackets that close after it, or
// one of those that need no space. A full stop after an abbreviation, an initial, or a number that
// the sentence goes on after does not end it. It reads no further than the first character after
// Bytes.
func sentence(line string) int {
	stop, dense := -1, false // after a mark, and whether it needs no space
	word := 0                // where the last word begins
	for i, r := range line {
		if i > Bytes {
			return i
		}
		space := unicode.IsSpace(r)
		switch {
		case stop >= 0 && strings.ContainsRune(closing, r):
			continue
		case stop >= 0 && strings.HasPrefix(line[i:], "\u00a0»"),
			stop >= 0 && strings.HasPrefix(line[i:], "\u202f»"):
			continue
		case strings.ContainsRune("。！？।｡", r):
			stop, dense = i, true
			continue
		case stop >= 0 && dense:
			return i
		case stop >= 0 && space && !goesOn(line[word:stop], line[stop], line[i:]):
			return i
		}
		stop = -1
		switch {
		case r == '.' || r == '?' || r == '!':
			stop = i
		case space:
			word = i + utf8.RuneLen(r)
		}
	}
	return len(line)
}

// closing are the marks that close a quotation or a bracket. They belong to the sentence before
// them.
const closing = "\"')]”’»」』）"

// goesOn reports whether a sentence goes on after a word and a mark: what follows begins with a
// space.
func goesOn(word string, mark byte, after string) bool {
	if mark != '.' {
		return false
	}
	word = strings.TrimLeft(word, "\"'([{“‘«„")
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " \t\u00a0\u202f"))
	runes := []rune(word)
	switch {
	case word == "":
		return false
	case strings.EqualFold(word, "no"):
		return unicode.IsDigit(next) // a number, not an answer
	case abbreviations[strings.ToLower(word)]:
		return true
	case len(runes) == 1 && unicode.IsUpper(runes[0]):
		return runes[0] != 'I' // an initial
	case strings.Trim(word, "0123456789") == "" && len(word) <= 2:
		return unicode.IsLetter(next) // an ordinal, as in German dates, or the number of an item
	}
	return unicode.IsLower(next)
}
