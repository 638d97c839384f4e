package cut

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file finds the lines of a tool's output that tell what came out of it: errors, and what is
// unlike everything around it.

const (
	// fewErrors is the part of the lines of an output that may name errors for these to tell
	// anything, and fewUnlike the same for lines that are unlike the others: a 16th and a quarter. In
	// code many lines name errors, and nearly every line is unlike the others.
	fewErrors, fewUnlike = 16, 4
	// alikeLines is how many lines are alike at least.
	alikeLines = 3
)

// errorWords are in lines that say what went wrong.
var errorWords = WordSet("error errors fail failed failure fails fatal panic exception traceback " +
	"denied refused undefined unexpected invalid cannot missing timeout")

// Telling says of each line of an output whether it names an error, and whether it is unlike the
// others, where few are; alike is that most lines are like others.
func Telling(lines []string) (errors, unlike []bool, alike bool) {
	errors, unlike = make([]bool, len(lines)), make([]bool, len(lines))
	ids := make(map[string]int) // of shapes
	of, like := make([]int, len(lines)), []int{0}
	var buffer []byte
	n := 0
	for k, line := range lines {
		if buffer = shape(line, buffer[:0]); len(buffer) == 0 {
			continue
		}
		id, known := ids[string(buffer)]
		if !known {
			id = len(like)
			ids[string(buffer)], like = id, append(like, 0)
		}
		of[k] = id
		like[id]++
		n++
	}
	few := func(out []bool, share int, is func(k int) bool) bool {
		found := 0
		for k := range lines {
			if out[k] = of[k] > 0 && is(k); out[k] {
				found++
			}
		}
		if found > max(1, n/share) {
			clear(out)
			return false
		}
		return true
	}
	alike = few(unlike, fewUnlike, func(k int) bool { return like[of[k]] < alikeLines })
	few(errors, fewErrors, func(k int) bool { return namesError(lines[k]) })
	return errors, unlike, alike
}

// namesError reports whether one of errorWords is in a line.
func namesError(line string) bool {
	var word [16]byte
	n := 0
	for k := 0; k <= len(line); k++ {
		if k < len(line) && 'a' <= line[k]|0x20 && line[k]|0x20 <= 'z' {
			if n < len(word) {
				word[n] = line[k] | 0x20
			}
			n++
			continue
		}
		if n <= len(word) && errorWords[string(word[:n])] {
			return true
		}
		n = 0
	}
	return false
}

// shape adds a line to a buffer, with an "a" for each word with a letter, a "0" for each number and
// one space for several; nothing of a line without a word or number.
func shape(line string, b []byte) []byte {
	word, said := byte(0), false
	end := func() {
		if word > 0 {
			b, said, word = append(b, word), true, 0
		}
	}
	for _, r := range strings.TrimSpace(line) {
		switch {
		case unicode.IsLetter(r), r == '_':
			word = 'a'
		case unicode.IsNumber(r):
			word = max(word, '0')
		case word > 0 && strings.ContainsRune("-./", r):
		case unicode.IsSpace(r): // columns are padded
			if end(); !bytes.HasSuffix(b, []byte(" ")) {
				b = append(b, ' ')
			}
		default:
			end()
			b = utf8.AppendRune(b, r)
		}
	}
	if end(); !said {
		return b[:0]
	}
	return b
}
