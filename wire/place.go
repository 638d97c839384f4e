package wire

import (
	"strconv"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file builds paths that quote no content. A path consists of indices and of names that the
// wire formats define. Other names may be data (the keys of a tool's arguments or of metadata):
// the path gives their index among the members instead, and ends there. So a path is short,
// whatever the body holds.

// place is the path of a value in the body.
type place struct {
	path  string
	steps int
	ends  ending
}

// ending tells whether a path may be continued inside a value.
type ending uint8

const (
	goesOn    ending = iota
	inContent        // one more step, by ordinal
	ended            // nothing inside has a path of its own
)

// maxSteps is the maximum length of a path. No format nests more deeply.
const maxSteps = 16

func (p place) to(path string, ends ending) place {
	if p.steps++; p.steps >= maxSteps {
		ends = ended
	}
	p.path, p.ends = path, ends
	return p
}

// element is the place of element k of the array at p.
func (p place) element(k int) place {
	switch p.ends {
	case ended:
		return p
	case inContent:
		return p.to(indexed(p.path, k), ended)
	}
	return p.to(indexed(p.path, k), goesOn)
}

// member is the place of m, the k-th member of the object at p.
func (p place) member(m jsonscan.Value, k int) place {
	if p.ends == ended {
		return p
	}
	word := wordFor(m.Key())
	switch {
	case p.ends == inContent || word == "":
		return p.to(p.path+ordinal(k), ended)
	// at the top, input is the list of the Responses format
	case contentWords[word] && !(p.path == "" && word == "input"):
		return p.to(within(p.path, word), inContent)
	}
	return p.to(within(p.path, word), goesOn)
}

// within is the path of the member word of the object at path.
func within(path, word string) string {
	if path == "" {
		return word
	}
	return path + "." + word
}

// step is the part of a path that leads to m, the k-th member of an object: its name if that is a
// format's word, else [#k].
func step(m jsonscan.Value, k int) string {
	if word := wordFor(m.Key()); word != "" {
		return "." + word
	}
	return ordinal(k)
}

// ordinal is the step to the k-th member of an object.
func ordinal(k int) string { return "[#" + strconv.Itoa(k) + "]" }
