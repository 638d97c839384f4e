package wire

import (
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file reads texts: of long ones only the end until a repair needs them; see package lazy.

// shortened is a text of which only the end was read, or which was read in full since.
type shortened struct {
	text  *string
	value jsonscan.Value // Absent once the text was read in full
}

func (s *shortened) load() {
	if s.value.Exists() {
		*s.text, s.value = s.value.Str(), jsonscan.Value{}
	}
}

// prose reads the string v into to. Use it for text that a person or a model wrote. With tailsOnly
// it reads only the end of a long one: the scanner has checked the encoding, and Check only needs
// to know whether a text is blank and how it ends.
func (d *decoder) prose(to *string, v jsonscan.Value) {
	if !d.tailsOnly {
		*to = v.Str()
		return
	}
	*to = v.Tail()
	if n := len(*to); n > 0 && n < v.End()-v.Start()-len(`""`) {
		*to = d.ends.Add(*to)
		d.shortened = append(d.shortened, shortened{to, v})
	}
}

// makeRoom makes room for the long texts of n messages, if the body is large enough for so many.
func (d *decoder) makeRoom(n int) {
	const long = 256
	d.shortened = slices.Grow(d.shortened, min(n+n/4, len(d.r.body)/long))
}

// Load reads in full the texts that prose shortened.
func (d *decoder) Load() {
	for k := range d.shortened {
		d.shortened[k].load()
	}
}

// LoadText reads in full one of the texts that prose shortened, or a copy of one.
func (d *decoder) LoadText(text *string) {
	if k, ok := d.ends.Find(*text); ok {
		d.shortened[k].load()
		*text = *d.shortened[k].text
	}
}

// loadParts reads in full the texts of parts that are going to be written.
func (d *decoder) loadParts(parts []preflight.Part) {
	if len(d.shortened) == 0 {
		return // and a caller's parts may be nil
	}
	for _, p := range parts {
		d.loadPart(p)
		if r, ok := p.(*preflight.ToolResult); ok {
			d.loadParts(r.Content)
		}
	}
}

// loadPart reads in full the text of a text or of reasoning.
func (d *decoder) loadPart(p preflight.Part) {
	if len(d.shortened) == 0 {
		return
	}
	switch p := p.(type) {
	case *preflight.Text:
		d.LoadText(&p.Text)
	case *preflight.Reasoning:
		d.LoadText(&p.Text)
	}
}

// inFull reads parts whose texts the decoder itself uses.
func (d *decoder) inFull(read func() []preflight.Part) []preflight.Part {
	tailsOnly := d.tailsOnly
	d.tailsOnly = false
	parts := read()
	d.tailsOnly = tailsOnly
	return parts
}

func (d *decoder) forgetShortened() {
	clear(d.shortened)
	d.shortened = d.shortened[:0]
	d.ends.Reset()
}
