package session_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStrangeValues puts values of any kind in the place of the scalars of sessions, in all lines
// or in the first two. See repairedOnce.
func TestStrangeValues(t *testing.T) {
	values := []string{
		`null`, `true`, `{}`, `[]`, `[[]]`, `1e999999`, `-0`, `""`, `"\ud800"`, `"\udfff\ud800"`,
		"\"\xff\xed\xa0\x80\"", `"\u0000"`, `"\u001b[31m"`, `{"a":1,"a":{}}`,
	}
	member := regexp.MustCompile(`"([A-Za-z_]+)":("(?:[^"\\]|\\.)*"|null|true|false|-?[0-9.]+)`)
	for _, client := range clientsOfLines() {
		data := string(file(stored[client]))
		keys := map[string]bool{}
		for _, m := range member.FindAllStringSubmatch(data, -1) {
			keys[m[1]] = true
		}
		require.Greater(t, len(keys), 5)
		for key := range keys {
			of := regexp.MustCompile(`"` + key + `":("(?:[^"\\]|\\.)*"|null|true|false|-?[0-9.]+)`)
			for _, value := range values {
				for _, most := range []int{2, len(data)} {
					k := 0
					strange := of.ReplaceAllStringFunc(data, func(was string) string {
						if k++; k > most {
							return was
						}
						return `"` + key + `":` + value
					})
					repairedOnce(t, []byte(strange), fmt.Sprintf("%s: %s: %q", client, key, value))
				}
			}
		}
	}
}

// TestMissingMembers gives members of sessions another name, in all lines or in the first two, so
// that they are missing. See repairedOnce.
func TestMissingMembers(t *testing.T) {
	member := regexp.MustCompile(`"([A-Za-z_$]+)":`)
	for _, client := range clientsOfLines() {
		data := string(file(stored[client]))
		keys := map[string]bool{}
		for _, m := range member.FindAllStringSubmatch(data, -1) {
			keys[m[0]] = true
		}
		for key := range keys {
			for _, most := range []int{2, len(data)} {
				without := strings.Replace(data, key, `"no `+key[1:], most)
				repairedOnce(t, []byte(without), fmt.Sprintf("%s: no %s", client, key))
			}
		}
	}
}

// TestLoops links the records of sessions in loops, of all records and of those that hold no call,
// so that results without a call are in the loop. See repairedOnce.
func TestLoops(t *testing.T) {
	link := regexp.MustCompile(`"(parentUuid|parentId)":(?:null|"[^"]*")`)
	id := regexp.MustCompile(`"(?:uuid|id)":("[^"]+")`)
	for client, lines := range stored {
		for name, call := range map[string]*regexp.Regexp{
			"all":           regexp.MustCompile(`^\x00`),
			"without calls": regexp.MustCompile(`"(tool_use|functionCall|toolCall|toolRequests)"`),
		} {
			var chained, ids []string
			for _, line := range lines {
				if link.MatchString(line) && id.MatchString(line) && !call.MatchString(line) {
					found := id.FindAllStringSubmatch(line, -1)
					if uuid := strings.Index(line, `"uuid":`); uuid >= 0 {
						found = id.FindAllStringSubmatch(line[uuid:], 1)
					}
					chained, ids = append(chained, line), append(ids, found[0][1])
				}
			}
			if len(chained) < 3 {
				continue // its records are in no chain
			}
			for from := range 3 {
				looped := append([]string{}, lines[:1]...)
				for k, line := range chained {
					to := ids[from+(k-from+1)%max(1, len(ids)-from)]
					if k < from { // these follow the loop
						to = ids[from]
					}
					looped = append(looped, link.ReplaceAllString(line, `"$1":`+to))
				}
				looped = append(looped, looped[1]) // the last is in it, or follows it
				repairedOnce(t, file(looped), fmt.Sprintf("%s: %s: loop from %d", client, name, from))
			}
		}
	}
}

// TestStrangeFiles: byte order marks, carriage returns, NULs, other encodings, deep nesting and
// text in the place of a session are an error or repaired to an end.
func TestStrangeFiles(t *testing.T) {
	const n = 100_000
	for _, client := range clientsOfLines() {
		data := string(file(stored[client]))
		half := len(data) / 2
		for name, strange := range map[string]string{
			"byte order mark":  "\ufeff" + data,
			"carriage returns": strings.ReplaceAll(data, "\n", "\r\n"),
			"NULs before":      strings.Repeat("\x00", 4096) + data,
			"NULs after":       data + strings.Repeat("\x00", 4096),
			"NULs inside":      data[:half] + strings.Repeat("\x00", 512) + data[half:],
			"no UTF-8":         strings.ReplaceAll(data, `":"`, "\":\"\xff"),
			"UTF-16":           utf16(data),
			"one line":         strings.ReplaceAll(data, "\n", ""),
			"deep list":        data + strings.Repeat("[", n) + "\n",
			"deep object":      data + strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) + "\n",
			"blank lines":      strings.ReplaceAll(data, "\n", "\n \t\n\n"),
			"many times":       strings.Repeat(data, 50),
		} {
			repairedOnce(t, []byte(strange), client+": "+name)
		}
	}
}

// utf16 is text in that encoding, of which each character is less than U+0080.
func utf16(text string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for _, c := range []byte(text) {
		b.Write([]byte{c, 0})
	}
	return b.String()
}
