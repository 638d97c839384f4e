package session

import (
	"bytes"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file mends the content of lists of messages: the elements of a list are to it what the
// records of a log are to mend.

// logOf returns the elements of a list as the lines of a log, from 1.
func (f *listForm) logOf(list jsonscan.Value) *log {
	l := &log{}
	for k, element := range elements(list) {
		l.lines = append(l.lines, newLine(int32(k+1), element.Raw()))
	}
	return l
}

// contentOf returns what the client sends of a list.
func (f *listForm) contentOf(list jsonscan.Value) *Session {
	l := f.logOf(list)
	l.asStored = true
	messages, _ := f.content.read(l)
	s := f.content.sessionOf(l, messages)
	s.setBody()
	path := pathsOf(list)
	s.Rows = make([][]string, len(s.Lines))
	for k, lines := range s.Lines {
		for _, n := range lines {
			s.Rows[k] = append(s.Rows[k], path(n-1))
		}
	}
	s.Lines = nil
	return s
}

// mendContent does to the elements of a list what a repair does to the request, and returns the
// document with it.
func (f *listForm) mendContent(data []byte, r *Report) ([]byte, error) {
	_, list := listOf(data)
	l, path, before := f.logOf(list), pathsOf(list), len(r.Findings)
	for range maxRounds {
		found, err := f.content.asked(l).check(f.content.opens)
		if err != nil || len(found) == 0 || !f.content.mend(l, r, found) {
			break
		}
	}
	for k := before; k < len(r.Findings); k++ {
		found := &r.Findings[k]
		for _, n := range found.Lines {
			found.Rows = append(found.Rows, path(n-1))
		}
		found.Lines = nil
	}
	if r.found(Code(codes.NameRepaired)) {
		f.renamed(l)
	}
	var edits jsonscan.Edits
	all, kept := elements(list), false
	for k, record := range l.lines {
		switch {
		case record.dropped:
			remove(&edits, all, k, kept)
			continue
		case !bytes.Equal(record.raw, all[k].Raw()):
			edits.Replace(all[k].Start(), all[k].End(), record.raw)
		}
		kept = true
	}
	if edits.Len() == 0 {
		return data, nil
	}
	made, err := edits.Apply(data)
	if err != nil {
		return data, err
	}
	return bytes.Clone(made), nil
}
