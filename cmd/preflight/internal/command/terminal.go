package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
)

// This file is about terminals: colours, and text that is safe to print.

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
	special := func(r rune) bool { return r < ' ' || r > '~' }
	switch head := text[:min(len(text), most)]; {
	case strings.ContainsFunc(head, special):
	case len(head) == len(text):
		return text
	default:
		return head + cutOff(text)
	}
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n++; n > most {
			b.WriteString(cutOff(text))
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

// cutOff is what follows a text that is not printed to its end.
func cutOff(text string) string { return fmt.Sprintf("… (%d bytes)", len(text)) }
