// Package openai is what the fakes of OpenAI's two formats have in common: the errors,
// and the form of names.
package openai

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

func Malformed(err *read.SyntaxError) fake.Violation {
	return fake.Violation{
		Message: "We could not parse the JSON body of your request. (HINT: This likely means you " +
			"aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, " +
			"but what was sent was not valid JSON. If you have trouble figuring out how to fix " +
			"this, please contact us through our help center at help.openai.com.) " + err.Reason +
			fmt.Sprintf(" at byte %d", err.Offset),
		Status: 400,
	}
}

func Failure(v fake.Violation, requestID string) ([]byte, http.Header) {
	kind, code, param := "invalid_request_error", fake.OrNull(v.Code), fake.OrNull(v.Param)
	switch {
	case v.Status == 429:
		kind, code = "requests", "rate_limit_exceeded"
	case v.Status >= 500:
		kind, code = "server_error", nil
	}
	body := fake.Marshal(map[string]any{
		"error": map[string]any{
			"message": v.Message,
			"type":    kind,
			"param":   param,
			"code":    code,
		},
	})
	return body, http.Header{"x-request-id": {requestID}}
}

// Article puts the indefinite article before the name of a type; null has none.
func Article(kind string) string {
	switch {
	case kind == "null":
		return kind
	case strings.ContainsAny(kind[:1], "aeiou"):
		return "an " + kind
	}
	return "a " + kind
}

var nameForm = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// maxString is the number of characters that any string may have.
const maxString = 10_485_760

// tooLong words a string that is longer than it may be.
func tooLong(path string, limit, length int) string {
	return fmt.Sprintf("Invalid '%s': string too long. Expected a string with maximum length %d, "+
		"but got a string with length %d instead.", path, limit, length)
}

// Empty words a string that is empty and may not be.
func Empty(path string) string {
	return fmt.Sprintf("Invalid '%s': empty string. Expected a string with minimum length 1, but "+
		"got an empty string instead.", path)
}

// EmptyArray words an array that is empty and may not be.
func EmptyArray(path string) string {
	return fmt.Sprintf("Invalid '%s': empty array. Expected an array with minimum length 1, but "+
		"got an empty array instead.", path)
}

// Type words a value of the wrong type.
func Type(path, want string, v any) string {
	return fmt.Sprintf("Invalid type for '%s': expected %s, but got %s instead.", path, want,
		Article(Kind(v)))
}

// Kind names a JSON type as the errors do.
func Kind(v any) string {
	if k := read.Kind(v); k != "number" {
		return k
	}
	return "decimal"
}

func Missing(path string) string {
	return fmt.Sprintf("Missing required parameter: '%s'.", path)
}

// NameFaults calls found for a name that the patterns and lengths do
// not allow. The text of the check names the pattern.
func NameFaults(path, specimen, name string, limit int, found fake.Found) {
	switch n := len([]rune(name)); {
	case name == "":
		found.Says(path, Empty(path))
	case !nameForm.MatchString(name):
		found(path, specimen, path)
	case n > limit:
		found.Says(path, tooLong(path, limit, n))
	}
}

// Tools calls f for the name of each function that the request declares,
// in the form of Chat Completions or of Responses.
func Tools(root map[string]any, f func(path, name string)) {
	for i, t := range read.Array(root["tools"]) {
		path := fmt.Sprintf("tools[%d]", i)
		if fn := read.Object(read.Object(t)["function"]); fn != nil {
			path, t = path+".function", fn
		} else if read.Text(read.Object(t)["type"]) != "function" {
			continue
		}
		if name, ok := read.Object(t)["name"].(string); ok {
			f(path+".name", name)
		}
	}
}

// Part looks for what is missing in a part of a message. The types say
// which member a part has to have, and of which kind.
func Part(part map[string]any, path string, types map[string][2]string, found fake.Found) {
	if part == nil {
		return // judged where the type of content is
	}
	if read.Kind(part["type"]) != "string" {
		found.Says(path+".type", Missing(path+".type"))
		return
	}
	need, ok := types[read.Text(part["type"])]
	if !ok {
		return
	}
	switch at, v := path+"."+need[0], part[need[0]]; {
	case v == nil:
		found.Says(at, Missing(at))
	case read.Kind(v) != need[1]:
		found.Says(at, Type(at, Article(need[1]), v))
	}
}

// LongStrings calls f for each string in v that is too long.
func LongStrings(v any, path string, f func(path string, length int)) {
	switch v := v.(type) {
	case string:
		if len(v) > maxString {
			if n := len([]rune(v)); n > maxString {
				f(path, n)
			}
		}
	case []any:
		for i, e := range v {
			LongStrings(e, fmt.Sprintf("%s[%d]", path, i), f)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			LongStrings(v[name], path+"."+name, f)
		}
	}
}

// Calls returns the tool calls of an answer.
func Calls(t *fake.Turn) []map[string]any {
	var calls []map[string]any
	for _, c := range t.Called(func(i int) string { return t.ID("call_", i) }) {
		calls = append(calls, map[string]any{
			"id":       c.ID,
			"type":     "function",
			"function": map[string]any{"name": c.Name, "arguments": c.Arguments},
		})
	}
	return calls
}
