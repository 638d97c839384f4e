package session

import (
	"bytes"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file finds the client that wrote a file, by its records, and says what other files are.

// looked is how many records are looked at before a file is given up as unknown.
const looked = 50

// detect finds the client that wrote a file, by the first record that only one client writes.
func detect(data []byte) (*client, error) {
	records := 0
	for rest := data; len(rest) > 0 && records < looked; {
		var raw []byte
		raw, rest, _ = bytes.Cut(rest, []byte("\n"))
		l := newLine(0, raw)
		if !l.object {
			continue
		}
		records++
		for _, c := range clients {
			if c.knows(l) {
				return c, nil
			}
		}
	}
	return nil, &UnknownError{looksLike(data)}
}

// client returns the client that is found in the log; nil for none.
func (l *log) client() *client {
	records := 0
	for _, line := range l.lines {
		if line.dropped || !line.object {
			continue
		}
		for _, c := range clients {
			if c.knows(line) {
				return c
			}
		}
		if records++; records == looked {
			break
		}
	}
	return nil
}

// looksLike says in words what data is instead, as far as a short look shows it.
func looksLike(data []byte) string {
	trimmed := bytes.TrimSpace(data)
	switch {
	case len(trimmed) == 0:
		return "the file is empty"
	case bytes.HasPrefix(trimmed, []byte("SQLite format 3\x00")):
		return "it is an SQLite database"
	}
	doc, err := jsonscan.Parse(trimmed)
	switch root := docRoot(doc, err); root.Kind() {
	case jsonscan.Array:
		return "it is a JSON array, perhaps of messages: use preflight fix"
	case jsonscan.Object:
		if root.Get("messages").First().Has("id") { // those of a request have none
			return "it is a list of messages of another program"
		}
		for _, list := range []string{"messages", "input", "contents"} {
			if root.Get(list).Exists() {
				return "it is a request body: use preflight fix"
			}
		}
		return "it is one JSON object"
	}
	first, _, _ := bytes.Cut(trimmed, []byte("\n"))
	if newLine(0, first).object {
		return "its lines are JSON objects of another program"
	}
	return "it is no JSON"
}

func docRoot(doc *jsonscan.Doc, err error) jsonscan.Value {
	if err != nil {
		return jsonscan.Value{}
	}
	return doc.Root()
}
