package golden

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file writes long values short: {"$repeat": [TEXT, N]} is a text N times over, {"$concat":
// [...]} joins texts, {"$int_array": N} is the array [0,1,…] of N numbers, and {"$int_object":
// [PREFIX, N]} the object of N members PREFIX0, PREFIX1, … that are 0.

// shortest is the least number of repetitions that a macro is used for.
const shortest = 100

// Expand replaces the macros in JSON by their values.
func Expand(data []byte) ([]byte, error) { return rewrite(data, expandMacro) }

// Shrink replaces long repetitive values in JSON by macros.
func Shrink(data []byte) ([]byte, error) { return rewrite(data, shrinkValue) }

// rewrite replaces the outermost values for which with has another text.
func rewrite(data []byte, with func(jsonscan.Value) (string, bool)) ([]byte, error) {
	doc, err := jsonscan.Parse(data)
	if err != nil {
		return nil, err
	}
	var edits jsonscan.Edits
	var walk func(v jsonscan.Value)
	walk = func(v jsonscan.Value) {
		if text, ok := with(v); ok {
			edits.Replace(v.Start(), v.End(), []byte(text))
			return
		}
		if v.Kind() == jsonscan.Object || v.Kind() == jsonscan.Array {
			for m := v.First(); m.Exists(); m = m.Next() {
				walk(m)
			}
		}
	}
	walk(doc.Root())
	return edits.Apply(data)
}

func expandMacro(v jsonscan.Value) (string, bool) {
	switch {
	case v.Has("$repeat"), v.Has("$concat"):
		return quoted(macroText(v)), true
	case v.Has("$int_array"):
		return intArray(number(v.Get("$int_array"))), true
	case v.Has("$int_object"):
		o := v.Get("$int_object")
		return intObject(o.At(0).Str(), number(o.At(1))), true
	}
	return "", false
}

func macroText(v jsonscan.Value) string {
	if r := v.Get("$repeat"); r.Exists() {
		return strings.Repeat(macroText(r.At(0)), number(r.At(1)))
	}
	if c := v.Get("$concat"); c.Exists() {
		text := ""
		for m := c.First(); m.Exists(); m = m.Next() {
			text += macroText(m)
		}
		return text
	}
	return v.Str()
}

func shrinkValue(v jsonscan.Value) (string, bool) {
	switch v.Kind() {
	case jsonscan.String:
		return shrinkText(v.Str())
	case jsonscan.Array:
		if n := v.Len(); n >= shortest && intArray(n) == string(v.Raw()) {
			return fmt.Sprintf(`{"$int_array": %d}`, n), true
		}
	case jsonscan.Object:
		n := v.Len()
		if n < shortest {
			break
		}
		prefix := strings.TrimSuffix(v.First().Key().Str(), "0")
		if intObject(prefix, n) == string(v.Raw()) {
			return fmt.Sprintf(`{"$int_object": [%s, %d]}`, quoted(prefix), n), true
		}
	}
	return "", false
}

// shrinkText replaces runs of one ASCII letter.
func shrinkText(text string) (string, bool) {
	var parts []string
	plain := 0 // where the text begins that is in no part yet
	for i := 0; i < len(text); {
		end := i + 1
		for text[i] < 0x80 && end < len(text) && text[end] == text[i] {
			end++
		}
		if end-i >= shortest {
			if i > plain {
				parts = append(parts, quoted(text[plain:i]))
			}
			parts = append(parts, fmt.Sprintf(`{"$repeat": [%s, %d]}`, quoted(text[i:i+1]), end-i))
			plain = end
		}
		i = end
	}
	switch {
	case len(parts) == 0:
		return "", false
	case len(parts) == 1 && plain == len(text):
		return parts[0], true
	case plain < len(text):
		parts = append(parts, quoted(text[plain:]))
	}
	return `{"$concat": [` + strings.Join(parts, ", ") + `]}`, true
}

func intArray(n int) string {
	parts := make([]string, n)
	for k := range parts {
		parts[k] = strconv.Itoa(k)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func intObject(prefix string, n int) string {
	parts := make([]string, n)
	for k := range parts {
		parts[k] = quoted(prefix+strconv.Itoa(k)) + ":0"
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func quoted(text string) string { return string(jsonscan.AppendString(nil, text)) }

func number(v jsonscan.Value) int {
	n, _ := strconv.Atoi(string(v.Raw()))
	return n
}
