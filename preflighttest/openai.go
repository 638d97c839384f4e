package preflighttest

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// What the two OpenAI formats have in common: the errors, and the form of
// names.

// openaiEpoch is when every answer of the fakes was created, in seconds. The
// fakes have no clock.
const openaiEpoch = 1_750_000_000

func openaiMalformed(err *syntaxError) Violation {
	return Violation{
		Message: "We could not parse the JSON body of your request. (HINT: This likely means you " +
			"aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, " +
			"but what was sent was not valid JSON. If you have trouble figuring out how to fix " +
			"this, please contact us through our help center at help.openai.com.) " + err.reason +
			fmt.Sprintf(" at byte %d", err.offset),
		Status: 400,
	}
}

func openaiFailure(v Violation, requestID string) ([]byte, http.Header) {
	kind, code, param := "invalid_request_error", orNull(v.code), orNull(v.param)
	switch {
	case v.Status == 429:
		kind, code = "requests", "rate_limit_exceeded"
	case v.Status >= 500:
		kind, code = "server_error", nil
	}
	body := marshal(map[string]any{
		"error": map[string]any{
			"message": v.Message,
			"type":    kind,
			"param":   param,
			"code":    code,
		},
	})
	return body, http.Header{"x-request-id": {requestID}}
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// article puts the indefinite article before the name of a type; null has none.
func article(kind string) string {
	switch {
	case kind == "null":
		return kind
	case strings.ContainsAny(kind[:1], "aeiou"):
		return "an " + kind
	}
	return "a " + kind
}

var openaiName = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// openaiMaxString is the number of characters that any string may have.
const openaiMaxString = 10_485_760

// openaiTooLong words a string that is longer than it may be.
func openaiTooLong(path string, limit, length int) string {
	return fmt.Sprintf("Invalid '%s': string too long. Expected a string with maximum length %d, "+
		"but got a string with length %d instead.", path, limit, length)
}

// openaiEmpty words a string that is empty and may not be.
func openaiEmpty(path string) string {
	return fmt.Sprintf("Invalid '%s': empty string. Expected a string with minimum length 1, but "+
		"got an empty string instead.", path)
}

// openaiEmptyArray words an array that is empty and may not be.
func openaiEmptyArray(path string) string {
	return fmt.Sprintf("Invalid '%s': empty array. Expected an array with minimum length 1, but "+
		"got an empty array instead.", path)
}

// openaiType words a value of the wrong type.
func openaiType(path, want string, v any) string {
	return fmt.Sprintf("Invalid type for '%s': expected %s, but got %s instead.", path, want,
		article(openaiKind(v)))
}

// openaiKind names a JSON type as the errors do.
func openaiKind(v any) string {
	if k := kind(v); k != "number" {
		return k
	}
	return "decimal"
}

func openaiMissing(path string) string {
	return fmt.Sprintf("Missing required parameter: '%s'.", path)
}

// openaiNameFaults calls found for a name that the patterns and lengths do
// not allow. The text of the check names the pattern.
func openaiNameFaults(path, specimen, name string, limit int, found found) {
	switch n := len([]rune(name)); {
	case name == "":
		found(path, inOwnWords, openaiEmpty(path))
	case !openaiName.MatchString(name):
		found(path, specimen, path)
	case n > limit:
		found(path, inOwnWords, openaiTooLong(path, limit, n))
	}
}

// openaiTools calls f for the name of each function that the request declares,
// in the form of Chat Completions or of Responses.
func openaiTools(root map[string]any, f func(path, name string)) {
	for i, t := range array(root["tools"]) {
		path := fmt.Sprintf("tools[%d]", i)
		if fn := object(object(t)["function"]); fn != nil {
			path, t = path+".function", fn
		} else if text(object(t)["type"]) != "function" {
			continue
		}
		if name, ok := object(t)["name"].(string); ok {
			f(path+".name", name)
		}
	}
}

// openaiPart looks for what is missing in a part of a message. The types say
// which member a part has to have, and of which kind.
func openaiPart(part map[string]any, path string, types map[string][2]string, found found) {
	if part == nil {
		return // judged where the type of content is
	}
	if kind(part["type"]) != "string" {
		found(path+".type", inOwnWords, openaiMissing(path+".type"))
		return
	}
	need, ok := types[text(part["type"])]
	if !ok {
		return
	}
	switch at, v := path+"."+need[0], part[need[0]]; {
	case v == nil:
		found(at, inOwnWords, openaiMissing(at))
	case kind(v) != need[1]:
		found(at, inOwnWords, openaiType(at, article(need[1]), v))
	}
}

// openaiLongStrings calls f for each string in v that is too long.
func openaiLongStrings(v any, path string, f func(path string, length int)) {
	switch v := v.(type) {
	case string:
		if len(v) > openaiMaxString {
			if n := len([]rune(v)); n > openaiMaxString {
				f(path, n)
			}
		}
	case []any:
		for i, e := range v {
			openaiLongStrings(e, fmt.Sprintf("%s[%d]", path, i), f)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			openaiLongStrings(v[name], path+"."+name, f)
		}
	}
}
