// Package pages reads the Markdown pages of the repository, so that tests can follow their links
// and run their commands.
package pages

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Page is one Markdown file.
type Page struct {
	File     string
	Links    []Link
	Commands []Command
	anchors  map[string]bool
}

// Link is the target of one Markdown link or picture.
type Link struct {
	Line   int // from 1
	Target string
}

// Command is one shell command, from a block of shell code or from inline code.
type Command struct {
	Line int // from 1
	Text string
}

var (
	link   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	inline = regexp.MustCompile("`((?:preflight|go|make) [^`]+)`")
	spans  = regexp.MustCompile("`[^`]*`")
	named  = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
)

// Read returns the pages that match the patterns of filepath.Glob.
func Read(patterns ...string) ([]Page, error) {
	var pages []Page
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			pages = append(pages, parse(file, string(text)))
		}
	}
	return pages, nil
}

// HasAnchor reports whether a link to the fragment leads to a heading or a named anchor of the
// page.
func (p Page) HasAnchor(fragment string) bool { return p.anchors[fragment] }

func parse(file, text string) Page {
	page := Page{File: file, anchors: map[string]bool{}}
	fence, number := "", 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		mark := strings.TrimSpace(line)
		switch {
		case fence == "" && strings.HasPrefix(mark, "```"):
			fence = mark
		case fence != "" && mark == "```":
			fence = ""
		case fence == "```sh":
			page.command(number, line)
		case fence == "":
			page.prose(number, line)
		}
	}
	return page
}

// command adds the command of a line of shell code, without its comment.
func (p *Page) command(number int, line string) {
	text, _, _ := strings.Cut(" "+line, " #")
	if text = strings.TrimSpace(text); text != "" {
		p.Commands = append(p.Commands, Command{number, text})
	}
}

func (p *Page) prose(number int, line string) {
	if strings.HasPrefix(line, "#") {
		p.heading(strings.TrimLeft(line, "# "))
	}
	for _, match := range named.FindAllStringSubmatch(line, -1) {
		p.anchors[match[1]] = true
	}
	for _, match := range inline.FindAllStringSubmatch(line, -1) {
		p.Commands = append(p.Commands, Command{number, match[1]})
	}
	for _, match := range link.FindAllStringSubmatch(spans.ReplaceAllString(line, "code"), -1) {
		p.Links = append(p.Links, Link{number, match[1]})
	}
}

// heading adds the anchor that GitHub gives to a heading: lower case, without punctuation, with
// hyphens for spaces, and with a number if an earlier heading has the same.
func (p *Page) heading(title string) {
	var anchor strings.Builder
	for _, r := range strings.ToLower(link.ReplaceAllString(title, "]")) {
		switch {
		case r == ' ' || r == '-':
			anchor.WriteByte('-')
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			anchor.WriteRune(r)
		}
	}
	name := anchor.String()
	for n := 1; p.anchors[name]; n++ {
		name = anchor.String() + "-" + strconv.Itoa(n)
	}
	p.anchors[name] = true
}
