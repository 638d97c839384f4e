package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// This file puts every fault of content into every place of every client's samples.

// place is a value in a record.
type place struct {
	path  []any
	value any
}

func placesIn(value any, path []any, all *[]place) {
	*all = append(*all, place{slices.Clone(path), value})
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			placesIn(member, append(path, name), all)
		}
	case []any:
		for k, element := range value {
			placesIn(element, append(path, k), all)
		}
	}
}

// with returns a copy of a value in which a place has another value.
func with(value any, path []any, to any) any {
	if len(path) == 0 {
		return to
	}
	switch step := path[0].(type) {
	case string:
		object := map[string]any{}
		for name, member := range value.(map[string]any) {
			object[name] = member
		}
		object[step] = with(object[step], path[1:], to)
		return object
	case int:
		list := slices.Clone(value.([]any))
		list[step] = with(list[step], path[1:], to)
		return list
	}
	return value
}

type object = map[string]any

// picturesOf are pictures as the clients store them, given the type and the data.
var picturesOf = map[string]func(kind, data string) object{
	"claude-code": func(kind, data string) object {
		return object{"type": "image", "source": object{
			"type": "base64", "media_type": kind, "data": data,
		}}
	},
	"pi": func(kind, data string) object {
		return object{"type": "image", "mimeType": kind, "data": data}
	},
	"codex": func(kind, data string) object {
		return object{"type": "input_image", "image_url": "data:" + kind + ";base64," + data}
	},
	"gemini-cli": func(kind, data string) object {
		return object{"inlineData": object{"mimeType": kind, "data": data}}
	},
}

// spoken are the members that hold what is said.
var spoken = []string{"text", "content", "output", "thinking"}

// contentFaults returns what a place may hold instead, by the name of the fault. byModel reports
// that the model said it.
func contentFaults(client string, at place, byModel bool) map[string]any {
	name := ""
	if len(at.path) > 0 {
		name = fmt.Sprint(at.path[len(at.path)-1])
	}
	faults := object{}
	switch value := at.value.(type) {
	case string:
		if name == "name" && !slices.Contains(at.path, any("functionResponse")) {
			faults["name with other characters"] = "a tool"
		}
		if !slices.Contains(spoken, name) {
			break
		}
		faults["surrogate"] = value + "SURROGATE"
		if name != "thinking" {
			faults["empty"], faults["blank"] = "", " \n"
		}
	case []any:
		if name != "content" && name != "parts" {
			break
		}
		add := func(fault string, block object) {
			faults[fault+" first"] = append([]any{block}, value...)
			faults[fault+" last"] = append(slices.Clone(value), block)
		}
		if picture := picturesOf[client]; picture != nil && !byModel {
			add("undecodable picture", picture("image/png", "AAAA"))
			add("picture without data", picture("image/png", ""))
			add("picture of another type", picture("image/jpeg", onePixel))
		}
		if client != "claude-code" || !byModel {
			break
		}
		faults["unsigned reasoning"] = append([]any{object{
			"type": "thinking", "thinking": "Hm.", "signature": "",
		}}, value...)
		add("server call", object{
			"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search",
			"input": object{"query": "x"},
		})
		add("server result", object{
			"type": "web_search_tool_result", "tool_use_id": "srvtoolu_9", "content": []any{},
		})
	case map[string]any:
		if name == "input" || name == "arguments" {
			faults["arguments that are a text"] = `{"a":1`
			faults["arguments that are a list"] = []any{1}
		}
	}
	return faults
}

// TestEveryContent: what the provider refuses in the content of a session is mended in the file, in
// every place that the client sends, and what a repair cannot mend is listed.
func TestEveryContent(t *testing.T) {
	samples := map[string][][]string{}
	for client, lines := range stored {
		if client == "pi" { // with a model whose provider is known
			lines = slices.Clone(lines)
			lines[1] = strings.Replace(lines[1], `"modelId":"m"`, `"modelId":"claude-opus-4-5"`, 1)
		}
		samples[client] = [][]string{lines, contents[client](`"Fine."`, "c2ln", onePixel)}
	}
	for client, all := range samples {
		t.Run(client, func(t *testing.T) {
			mended := map[string]bool{}
			for _, lines := range all {
				for k, line := range lines {
					var record any
					require.NoError(t, json.Unmarshal([]byte(line), &record))
					var places []place
					placesIn(record, nil, &places)
					byModel := strings.Contains(line, `"assistant`) || strings.Contains(line, `"model"`)
					for _, at := range places {
						for fault, value := range contentFaults(client, at, byModel) {
							damaged := slices.Clone(lines)
							damaged[k] = written(t, with(record, at.path, value))
							if requireMended(t, damaged, fmt.Sprint(client, " ", fault, at.path, k)) {
								mended[fault] = true
							}
						}
					}
				}
			}
			heals := client == "pi" || client == "copilot-cli"
			require.Equal(t, !heals, mended["surrogate"], "some clients repair them themselves")
			for fault := range picturesOf {
				if fault == client {
					require.True(t, mended["picture of another type last"] ||
						client == "codex" || client == "gemini-cli", mended)
				}
			}
		})
	}
}

func written(t *testing.T, record any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(record))
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "SURROGATE", `\ud83d`)
}

// requireMended repairs a session and reports whether anything had to be mended.
func requireMended(t *testing.T, lines []string, what string) bool {
	t.Helper()
	data := file(lines)
	before, err := session.Read(data)
	require.NoError(t, err, what)
	refused := refusals(t, before, what)
	out, report, err := session.Repair(data, nil)
	require.NoError(t, err, what)
	requireSettled(t, out)
	requireRecords(t, lines, out, what)
	after, err := session.Read(out)
	require.NoError(t, err, what)
	listed := map[string]bool{}
	for _, v := range report.Left {
		listed[v.Rule] = true
	}
	for _, rule := range refusals(t, after, what) {
		require.Contains(t, listed, rule, "%s is refused, and not listed: %s", what, out)
	}
	require.Empty(t, report.Left, what)
	if len(refused) > 0 {
		require.NotEmpty(t, report.Refused, "%s: the fake refuses %v", what, refused)
	}
	return report.Changed
}

// requireRecords requires that a record that was changed still has its members, each of its kind.
func requireRecords(t *testing.T, lines []string, out []byte, what string) {
	t.Helper()
	repaired := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(repaired) != len(lines) {
		return // the records that were removed are named
	}
	kinds := func(line string) map[string]string {
		members, all := map[string]any{}, map[string]string{}
		require.NoError(t, json.Unmarshal([]byte(line), &members), "%s: %s", what, line)
		for name, member := range members {
			all[name] = fmt.Sprintf("%T", member)
		}
		return all
	}
	for k, line := range lines {
		require.Equal(t, kinds(line), kinds(repaired[k]), "%s: %s", what, repaired[k])
	}
}
