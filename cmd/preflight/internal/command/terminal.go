package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"
)

// This file is about terminals: colours, progress, and text that is safe to print.

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	file := fileOf(stream)
	if file == nil {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// colors writes text in colours, or without them.
type colors bool

// colorsFor returns colours for a stream that is a terminal, unless NO_COLOR is set.
func colorsFor(w io.Writer) colors {
	return colors(os.Getenv("NO_COLOR") == "" && isTerminal(w))
}

func (c colors) in(code, text string) string {
	if !c || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (c colors) red(text string) string   { return c.in("31", text) }
func (c colors) green(text string) string { return c.in("32", text) }
func (c colors) faint(text string) string { return c.in("2", text) }
func (c colors) bold(text string) string  { return c.in("1", text) }

// printable returns text without characters that a terminal acts on, on one line and shortened to
// a number of characters.
func printable(text string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n++; n > most {
			fmt.Fprintf(&b, "… (%d bytes)", len(text))
			break
		}
		switch {
		case r == '\n' || r == '\t':
			b.WriteByte(' ')
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			b.WriteRune('\uFFFD')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// progress is a line on a terminal that says how far the work is. Nil is none.
type progress struct {
	w     io.Writer
	what  string
	all   int
	done  int
	last  time.Time
	shown bool
}

// progressOn returns the progress of a number of things; nil unless w is a terminal and there are
// many of them.
func progressOn(w io.Writer, all int, what string) *progress {
	if !isTerminal(w) || all < 50 {
		return nil
	}
	return &progress{w: w, what: what, all: all}
}

// step counts one more thing as done.
func (p *progress) step() {
	if p == nil {
		return
	}
	p.done++
	if now := time.Now(); now.Sub(p.last) > 100*time.Millisecond {
		p.last, p.shown = now, true
		const width = 30
		filled := width * p.done / p.all
		fmt.Fprintf(p.w, "\r[%s%s] %d of %d %s\x1b[K", strings.Repeat("#", filled),
			strings.Repeat(".", width-filled), p.done, p.all, p.what)
	}
}

// clear removes the line, so that something else can be printed.
func (p *progress) clear() {
	if p != nil && p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
