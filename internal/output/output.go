// Package output reads the JSON outputs of tools that the provider runs.
package output

import (
	"bytes"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/shorten"
)

// Emptied reports whether a list of search results has an empty encrypted_content.
func Emptied(output []byte) bool {
	if !bytes.HasPrefix(bytes.TrimLeft(output, " \t\r\n"), []byte("[")) {
		return false // not an array: do not parse large output to learn that
	}
	doc := jsonscan.Borrow()
	defer jsonscan.Return(doc)
	if doc.Parse(output) != nil {
		return false
	}
	for v := doc.Root().First(); v.Exists(); v = v.Next() {
		c := v.Get("encrypted_content")
		if c.StrIs("") || v.Get("type").StrIs("web_search_result") && c.Kind() != jsonscan.String {
			return true
		}
	}
	return false
}

// IsServed reports whether an output is one that only the provider's tool of this name writes: an
// object, or a list of objects, whose types are named after the tool.
func IsServed(output []byte, tool string) bool {
	trimmed := bytes.TrimLeft(output, " \t\r\n")
	if tool == "" || len(trimmed) == 0 || trimmed[0] != '[' && trimmed[0] != '{' {
		return false
	}
	doc := jsonscan.Borrow()
	defer jsonscan.Return(doc)
	if doc.Parse(output) != nil {
		return false
	}
	if doc.Root().Kind() == jsonscan.Object {
		return ofTool(doc.Root(), tool)
	}
	for v := doc.Root().First(); v.Exists(); v = v.Next() {
		if !ofTool(v, tool) {
			return false
		}
	}
	return doc.Root().Len() > 0
}

func ofTool(v jsonscan.Value, tool string) bool {
	return strings.HasPrefix(strings.TrimPrefix(v.Get("type").Str(), "encrypted_"), tool+"_")
}

// Sources returns the titles and addresses of a list of search results, each after a line break.
func Sources(output []byte) string {
	doc, err := jsonscan.Parse(output)
	if err != nil {
		return ""
	}
	return sources(doc.Root())
}

func sources(list jsonscan.Value) string {
	var text strings.Builder
	for v := list.First(); v.Exists(); v = v.Next() {
		title, url := v.Get("title").Str(), v.Get("url").Str()
		switch {
		case title != "" && url != "":
			text.WriteString("\n" + title + " (" + url + ")")
		case title != "" || url != "":
			text.WriteString("\n" + title + url)
		}
	}
	return text.String()
}

// areSources reports whether a value is a list of search results alone: nothing else says anything.
func areSources(list jsonscan.Value) bool {
	if list.Kind() != jsonscan.Array || list.Len() == 0 {
		return false
	}
	for v := list.First(); v.Exists(); v = v.Next() {
		var said []string
		if v.Get("title").Str() == "" && v.Get("url").Str() == "" {
			if gather(v, &said); said != nil {
				return false
			}
		}
	}
	return sources(list) != ""
}

// Readable returns what people read in an output, each line after a line break: the sources of a
// search, otherwise its strings without types, ids and opaque values. ok is false for output that
// is not JSON.
func Readable(output []byte) (text string, ok bool) {
	doc, err := jsonscan.Parse(output)
	if err != nil {
		return "", false
	}
	if areSources(doc.Root()) {
		return sources(doc.Root()), true
	}
	var lines []string
	gather(doc.Root(), &lines)
	return "\n" + strings.Join(lines, "\n"), true
}

// gather appends the readable strings of a value to lines.
func gather(v jsonscan.Value, lines *[]string) {
	if s := v.Str(); strings.TrimSpace(s) != "" {
		*lines = append(*lines, s)
	}
	for c := v.First(); c.Exists(); c = c.Next() {
		key := c.Key().Str()
		if !shorten.IsOpaqueKey(key) && key != "type" && key != "id" &&
			!strings.HasSuffix(key, "_id") {
			gather(c, lines)
		}
	}
}
