package msgtest

import (
	"encoding/json"
	"strings"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/stored"
)

// This file draws long content, and options that shorten it.

// QuotedRun returns a JSON string of n times char.
func QuotedRun(char string, n int) string { return `"` + strings.Repeat(char, n) + `"` }

// Shortening draws options that strip and shorten, so small that they have much to do.
func Shortening(t *rapid.T) stored.Options {
	options := stored.Options{
		StripEphemeral: rapid.Bool().Draw(t, "strip"),
		MaxString:      rapid.SampledFrom([]int{0, 5, 60}).Draw(t, "max string"),
		TruncateInputs: rapid.Bool().Draw(t, "inputs"),
	}
	older := stored.Older{
		Keep:      rapid.IntRange(0, 4).Draw(t, "keep"),
		Block:     rapid.IntRange(0, 3).Draw(t, "block"),
		MaxOutput: rapid.SampledFrom([]int{-1, 0, 8, 70}).Draw(t, "older output"),
		MaxText:   rapid.SampledFrom([]int{-1, 0, 8, 70}).Draw(t, "older text"),
	}
	if older.Keep > 0 {
		options.Options.Fixers = []preflight.Fixer{older.Fixer()}
	}
	return options
}

// Grown makes some texts and outputs of a generated history long.
func Grown(t *rapid.T, h []preflight.Message) []preflight.Message {
	for i := range h {
		for j, p := range h[i].Parts {
			if !rapid.Bool().Draw(t, "grow") {
				continue
			}
			tail := strings.Repeat(
				rapid.SampledFrom([]string{"x", "漢", "👩\u200d👧 ", "e\u0301"}).Draw(t, "tail"),
				rapid.IntRange(1, 400).Draw(t, "times"))
			switch p := p.(type) {
			case *preflight.Text:
				if p != nil {
					c := *p
					c.Text += tail
					h[i].Parts[j] = &c
				}
			case *preflight.ToolResult:
				if p != nil {
					c := *p
					if c.Output != nil {
						c.Output, _ = json.Marshal(map[string]any{
							"text":        tail,
							"n":           1,
							"list":        []string{tail, "s"},
							"encrypted_x": "opaque" + tail,
						})
					} else {
						c.Content = append([]preflight.Part{Says(tail)}, c.Content...)
					}
					h[i].Parts[j] = &c
				}
			}
		}
	}
	return h
}
