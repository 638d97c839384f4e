package main

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// The measures of a character and the margin, in pixels.
const (
	charWidth, lineHeight = 8.4, 19
	margin                = 16
)

// styles are the SVG attributes of the codes of ECMA-48 that preflight prints.
var styles = map[string]string{
	"1":  `font-weight="bold"`,
	"2":  `fill="#8b949e"`,
	"31": `fill="#ff7b72"`,
	"32": `fill="#7ee787"`,
	"33": `fill="#e3b341"`,
	"36": `fill="#79c0ff"`,
}

// svg draws the text of a terminal. Lines are wrapped at its width, before a word where there is
// one.
func svg(screen string) string {
	lines := wrap(strings.TrimRight(screen, "\n"))
	var b strings.Builder
	width := margin*2 + columns*charWidth
	height := margin*2 + len(lines)*lineHeight
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" font-size="14" `+
		`font-family="ui-monospace, Menlo, Consolas, monospace" fill="#e6edf3">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>`+"\n")
	for i, line := range lines {
		y := margin + (i+1)*lineHeight - 5
		fmt.Fprintf(&b, `<text x="%d" y="%d" xml:space="preserve">%s</text>`+"\n", margin, y, line)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// wrap returns the lines of the screen as SVG text, in which a change of style is a tspan.
func wrap(screen string) []string {
	var lines []string
	var line strings.Builder
	style, column, inWord := "", 0, false
	open := func() {
		if style != "" {
			fmt.Fprintf(&line, "<tspan %s>", style)
		}
	}
	end := func() {
		if style != "" {
			line.WriteString("</tspan>")
		}
	}
	next := func() {
		end()
		lines = append(lines, line.String())
		line.Reset()
		column = 0
		open()
	}
	put := func(text string) {
		if column == columns {
			next()
		}
		line.WriteString(html.EscapeString(text))
		column++
	}
	for screen != "" {
		if code, after, found := escape(screen); found {
			end()
			style, screen = styles[code], after
			open()
			continue
		}
		if n := wordLength(screen); !inWord && n <= columns && column+n > columns {
			next()
		}
		r := []rune(screen[:min(len(screen), 4)])[0]
		screen = screen[len(string(r)):]
		inWord = r > ' '
		switch r {
		case '\n':
			next()
		case '\t':
			for put(" "); column%8 != 0 && column < columns; {
				put(" ")
			}
		default:
			put(string(r))
		}
	}
	next()
	return lines
}

// wordLength returns how many columns the word takes that the screen begins with.
func wordLength(screen string) int {
	word, _, _ := strings.Cut(screen, "\x1b")
	if end := strings.IndexAny(word, " \t\n"); end >= 0 {
		word = word[:end]
	}
	return utf8.RuneCountInString(word)
}

// escape cuts a code such as ESC [31m off the beginning of the screen.
func escape(screen string) (code, after string, found bool) {
	if screen, found = strings.CutPrefix(screen, "\x1b["); found {
		code, after, found = strings.Cut(screen, "m")
	}
	return code, after, found
}
