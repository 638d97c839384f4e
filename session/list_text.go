package session

import (
	"strings"
	"unicode/utf8"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file mends the texts of lists of messages.

// respell replaces what is no valid Unicode in the messages of a list.
func (f *listForm) respell(data []byte, list jsonscan.Value, r *Report) ([]byte, jsonscan.Value) {
	var edits jsonscan.Edits
	path := pathsOf(list)
	for k, element := range elements(list) {
		if element.SubtreeFlags()&jsonscan.NeedsRepair == 0 {
			continue
		}
		said := f.says(element)
		if said.valid() {
			continue // what is not valid is not sent
		}
		edits.Replace(element.Start(), element.End(), jsonscan.Repair(nil, element))
		r.add(Finding{
			Code: Code(codes.TextRepaired), Rows: []string{path(k)},
			Problem: "the text holds NUL, a lone surrogate or invalid UTF-8",
			Fix:     mending[codes.TextRepaired].fix,
		})
	}
	if edits.Len() == 0 {
		return data, list
	}
	made, err := edits.Apply(data)
	if err != nil {
		return data, list
	}
	_, list = listOf(made)
	return made, list
}

// says returns what an element says, as the client sends it.
func (f *listForm) says(element jsonscan.Value) listMessage {
	m := f.read(element)
	if !f.heals || element.SubtreeFlags()&jsonscan.HasLoneSurrogate == 0 {
		return m
	}
	heal := func(texts ...*string) {
		for _, text := range texts {
			*text = strings.ToValidUTF8(*text, "\uFFFD")
		}
	}
	heal(&m.text)
	for k := range m.calls {
		c := &m.calls[k]
		heal(&c.id, &c.name, &c.content)
		if input := valueOf(c.input); input.Exists() {
			c.input = wellFormed(input)
		}
	}
	for k := range m.results {
		heal(&m.results[k].id, &m.results[k].name, &m.results[k].content)
	}
	return m
}

// valid reports whether all that a message says is valid Unicode.
func (m *listMessage) valid() bool {
	all := []string{m.text}
	for _, c := range m.calls {
		all = append(all, c.id, c.name, c.content)
		if valueOf(c.input).SubtreeFlags()&jsonscan.NeedsRepair != 0 {
			return false
		}
	}
	for _, result := range m.results {
		all = append(all, result.id, result.name, result.content)
	}
	for _, text := range all {
		if !utf8.ValidString(text) || strings.Contains(text, "\x00") {
			return false
		}
	}
	return true
}
