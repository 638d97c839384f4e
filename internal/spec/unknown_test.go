package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// This file proves that an unknown value is not taken for a known one. In a valid body, the value
// of one enumeration (a type, effort, mode, status, model...) or one kind of part becomes a word
// that no API has: the body comes back as the very bytes. With a broken message beside it, that
// one is repaired, and the object with the unknown word is left as it is. No repair is excepted:
// a call or result of an unknown kind that names the id of its counterpart keeps it. The roles of
// messages are not part of this: see TestUnknownRole and TestRolesInOtherSpellings. The members
// that hold the text, arguments or address of a known part are no enumerations either.

// enumerations are the members whose values are words of an API.
var enumerations = regexp.MustCompile(`^(type|effort|reasoning_effort|status|mode|display|detail|` +
	`phase|model|execution|format|thinkingLevel|thinking_level|tool_choice|summary|outcome|` +
	`service_tier|verbosity|language|ttl|search_context_size)$`)

// unions are the members that name the kind of a part or of a tool.
var unions = regexp.MustCompile(`(contents\[\]\.parts\[\]|systemInstruction\.parts\[\]|` +
	`functionResponse\.parts\[\]|toolResult\.content\[\]|tools\[\])\.[A-Za-z]+$`)

// converseUnions are the same for Bedrock's Converse API.
var converseUnions = regexp.MustCompile(`(messages\[\]\.content\[\]|system\[\])\.[A-Za-z]+$`)

// callersOwn matches the members that hold what the caller's own schemas and data say.
var callersOwn = regexp.MustCompile(`\.(input|args|arguments|parameters|input_schema|schema|json|` +
	`inputSchema|parametersJsonSchema|responseSchema|response|citations|output_config\.format)\.`)

// feature is a valid body.
type feature struct {
	Name     string          `json:"name"`
	Provider string          `json:"provider"`
	Also     []string        `json:"also"` // hosts that take the body, too
	Model    string          `json:"model"`
	Body     json.RawMessage `json:"body"`
}

// features reads the valid bodies of testdata/features, a body a line.
func features(t *testing.T) (all []feature) {
	t.Helper()
	names, err := filepath.Glob("internal/spec/testdata/features/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		for k, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
			var f feature
			require.NoError(t, json.Unmarshal(line, &f), "%s:%d", name, k+1)
			if f.Provider == "" {
				f.Provider = strings.TrimSuffix(filepath.Base(name), ".jsonl")
			}
			for _, provider := range append(f.Also, f.Provider) {
				f.Provider = provider
				all = append(all, f)
			}
		}
	}
	return all
}

// repaired returns the repaired bodies of testdata/rules, which are valid.
func repaired(t *testing.T) (all []feature) {
	t.Helper()
	data, err := os.ReadFile("testdata/rules/failing.json")
	require.NoError(t, err)
	var failing []struct {
		ID, Provider, Model string
		Request             json.RawMessage
	}
	require.NoError(t, json.Unmarshal(data, &failing))
	for _, f := range failing {
		options := &wire.Options{Provider: f.Provider, Model: f.Model}
		result, err := wire.Sanitize(t.Context(), f.Request, options)
		if err != nil {
			continue
		}
		all = append(all, feature{Name: f.ID, Provider: f.Provider, Model: f.Model, Body: result.Body})
	}
	require.Greater(t, len(all), 100)
	return all
}

// TestFeatures: a valid body with each content part, item, tool and setting of the APIs comes back
// as the very bytes. Sources: the types of openai-go v3.96.0 (chatcompletion.go and
// responses/response.go) and of go-genai v1.77.0 (types.go).
func TestFeatures(t *testing.T) {
	for _, f := range features(t) {
		t.Run(f.Provider+"/"+f.Name, func(t *testing.T) {
			options := &wire.Options{Provider: f.Provider, Model: f.Model}
			result, err := wire.Sanitize(t.Context(), f.Body, options)
			require.NoError(t, err)
			require.False(t, result.Changed, "%v\n%s", result.Warnings, result.Body)
		})
	}
}

// everywhere returns the features for each provider that takes them as they are.
func everywhere(t *testing.T) (all []feature) {
	t.Helper()
	for _, f := range features(t) {
		for _, f.Provider = range wire.Providers() {
			options := &wire.Options{Provider: f.Provider, Model: f.Model}
			result, err := wire.Sanitize(t.Context(), f.Body, options)
			if err == nil && !result.Changed {
				all = append(all, f)
			}
		}
	}
	return all
}

// TestUnknown: whatever one unknown word replaces in a valid body, nothing is repaired.
func TestUnknown(t *testing.T) {
	tried := map[string]int{}
	for _, f := range append(everywhere(t), repaired(t)...) {
		seen := map[string]bool{}
		for _, m := range membersOf(f.Body) {
			body, kind := replaced(f, m)
			if body == nil || seen[kind] {
				continue
			}
			seen[kind] = true
			tried[f.Provider]++
			options := &wire.Options{Provider: f.Provider, Model: f.Model}
			result, err := wire.Sanitize(t.Context(), body, options)
			if err != nil || result.Changed {
				t.Errorf("%s %s: %s unknown: %v %v\n in  %s\n out %s", f.Provider, f.Name, kind, err,
					result.Warnings, body, result.Body)
			}
		}
	}
	for _, format := range []string{
		"anthropic", "openai-chat", "openai-responses", "gemini", "bedrock",
	} {
		require.Greater(t, tried[format], 50, format)
	}
}

// forAllModels are hosts with a rule for all models but those that are known to do without: what
// it adds costs nothing. An unknown model is one of the others there.
var forAllModels = map[string]string{
	"xai":      "content beside calls, for all models but Grok 2",
	"moonshot": "reasoning beside calls, for all models but those that do not think",
}

// TestUnknownModel: a model that no table has is refused no more than the known ones.
func TestUnknownModel(t *testing.T) {
	for _, f := range features(t) {
		if forAllModels[f.Provider] != "" {
			continue
		}
		options := &wire.Options{Provider: f.Provider, Model: unknownWord}
		result, err := wire.Sanitize(t.Context(), f.Body, options)
		require.NoError(t, err)
		require.False(t, result.Changed, "%s %s: %v", f.Provider, f.Name, result.Warnings)
	}
}

// TestUnknownBeside: a broken message in the same history is repaired as if the unknown word were
// not there, and the object that holds the word keeps its bytes.
func TestUnknownBeside(t *testing.T) {
	repairs := map[string]int{}
	all := append(features(t), repaired(t)...)
	for k, f := range slices.Concat(all, all) {
		options := &wire.Options{Provider: f.Provider, Model: f.Model}
		body, start, end := broken(f, k < len(all))
		if body == nil {
			continue
		}
		if result, err := wire.Sanitize(t.Context(), body, options); err != nil || !result.Changed {
			continue // this provider takes that
		}
		f.Body = body
		seen := map[string]bool{}
		for _, m := range membersOf(f.Body) {
			body, kind := replaced(f, m)
			if body == nil || seen[kind] || m.start > start && m.start < end {
				continue
			}
			seen[kind] = true
			result, err := wire.Sanitize(t.Context(), body, options)
			if err != nil || !result.Changed || !strings.Contains(string(result.Body), around(body)) {
				t.Errorf("%s %s: %s: %v\n in  %s\n out %s\n%v", f.Provider, f.Name, kind, err, body,
					result.Body, result.Warnings)
			}
			repairs[f.Provider]++
		}
	}
	for _, format := range []string{
		"anthropic", "openai-chat", "openai-responses", "gemini", "bedrock",
	} {
		require.Greater(t, repairs[format], 40, format)
	}
}

const unknownWord = "zz_unknown_word"

// replaced returns the body of f with an unknown word in place of the member, and what it replaces;
// nil for a member that is no enumeration.
func replaced(f feature, m jsonMember) (body []byte, kind string) {
	value := f.Body[m.value:m.end]
	if callersOwn.MatchString(m.path + ".") {
		return nil, ""
	}
	union := unions.MatchString(m.path) ||
		strings.Contains(f.Provider, "bedrock") && converseUnions.MatchString(m.path)
	switch {
	case m.path == ".model" && forAllModels[f.Provider] != "":
	case enumerations.MatchString(m.key) && value[0] == '"':
		kind = m.path + "=" + string(value)
		body = slices.Concat(f.Body[:m.value], []byte(`"`+unknownWord+`"`), f.Body[m.end:])
	case union && value[0] == '{':
		kind = m.path
		body = slices.Concat(f.Body[:m.start], []byte(`"`+unknownWord+`"`),
			f.Body[m.start+len(m.key)+2:])
	}
	return body, kind
}

// broken returns a body with messages in front that every format repairs: half a character, or a
// call without a result. They are the bytes from start to end.
func broken(f feature, dangling bool) (with []byte, start, end int) {
	half := map[string]string{
		"messages": `{"role":"user","content":"half \ud83d"}`,
		"contents": `{"role":"user","parts":[{"text":"half \ud83d"}]}`,
		"input":    `{"role":"user","content":"half \ud83d"}`,
	}
	call := map[string]string{
		"messages": `{"role":"user","content":"o"},{"role":"assistant","content":"p","tool_calls":[` +
			`{"id":"call_x","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
			`{"role":"user","content":"r"}`,
		"contents": `{"role":"user","parts":[{"text":"o"}]},{"role":"model","parts":[{"text":"p"},` +
			`{"functionCall":{"name":"x","args":{}}},{"functionCall":{"name":"y","args":{}}}]},` +
			`{"role":"user","parts":[{"functionResponse":{"name":"y","response":{"a":1}}}]},` +
			`{"role":"model","parts":[{"text":"s"}]}`,
		"input": `{"role":"user","content":"o"},{"type":"function_call","call_id":"call_x",` +
			`"name":"f","arguments":"{}"},{"role":"user","content":"r"}`,
	}
	switch {
	case bytes.Contains(f.Body, []byte(`"inferenceConfig"`)):
		half["messages"] = `{"role":"user","content":[{"text":"half \ud83d"}]}`
		call["messages"] = `{"role":"user","content":[{"text":"o"}]},{"role":"assistant",` +
			`"content":[{"text":"p"},{"toolUse":{"toolUseId":"x","name":"f","input":{}}}]},` +
			`{"role":"user","content":[{"text":"r"}]}`
	case strings.Contains(f.Provider, "anthropic"):
		call["messages"] = `{"role":"user","content":"o"},{"role":"assistant","content":[` +
			`{"type":"text","text":"p"},{"type":"tool_use","id":"toolu_x","name":"f","input":{}}]},` +
			`{"role":"user","content":"r"}`
	}
	added := half
	if dangling {
		added = call
	}
	for _, m := range membersOf(f.Body) {
		element, known := added[m.key]
		if !known || m.path != "."+m.key || f.Body[m.value] != '[' {
			continue
		}
		with = slices.Concat(f.Body[:m.value+1], []byte(element+","), f.Body[m.value+1:])
		return with, m.value + 1, m.value + 1 + len(element)
	}
	return nil, 0, 0
}

// around returns the innermost object around the unknown word.
func around(body []byte) string {
	at := bytes.Index(body, []byte(unknownWord))
	var open []int
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '"':
			for i++; body[i] != '"'; i++ {
				if body[i] == '\\' {
					i++
				}
			}
		case '{':
			open = append(open, i)
		case '}':
			start := open[len(open)-1]
			open = open[:len(open)-1]
			if start < at && at < i {
				if len(open) == 0 {
					return unknownWord // a member of the body itself
				}
				return string(body[start : i+1])
			}
		}
	}
	panic(fmt.Sprintf("no object around the unknown word in %s", body))
}

// jsonMember is a member of an object in a body.
type jsonMember struct {
	path, key         string
	start, value, end int // where its key starts, its value starts, and its value ends
}

// membersOf returns all members of all objects of a valid document.
func membersOf(body []byte) []jsonMember {
	s := memberScan{body: body}
	s.scan("")
	return s.found
}

type memberScan struct {
	body  []byte
	at    int
	found []jsonMember
}

func (s *memberScan) skip(chars string) {
	for s.at < len(s.body) && strings.IndexByte(chars, s.body[s.at]) >= 0 {
		s.at++
	}
}

func (s *memberScan) text() {
	for s.at++; s.body[s.at] != '"'; s.at++ {
		if s.body[s.at] == '\\' {
			s.at++
		}
	}
	s.at++
}

func (s *memberScan) scan(path string) {
	const space = " \t\r\n"
	s.skip(space)
	switch s.body[s.at] {
	case '{':
		s.at++
		for s.skip(space + ","); s.body[s.at] != '}'; s.skip(space + ",") {
			m := jsonMember{start: s.at}
			s.text()
			m.key = string(s.body[m.start+1 : s.at-1])
			m.path = path + "." + m.key
			s.skip(space + ":")
			m.value = s.at
			s.scan(m.path)
			m.end = s.at
			s.found = append(s.found, m)
		}
		s.at++
	case '[':
		s.at++
		for s.skip(space + ","); s.body[s.at] != ']'; s.skip(space + ",") {
			s.scan(path + "[]")
		}
		s.at++
	case '"':
		s.text()
	default:
		for s.at < len(s.body) && strings.IndexByte(space+",]}", s.body[s.at]) < 0 {
			s.at++
		}
	}
}

// TestUnknownRole: hosts that run the chat template of a model take the roles that it has, such as
// Granite's control and document; the text in them is not the user's. Where a role was refused in
// so many words (openai-chat/role-unknown), the message becomes the user's, which Strict refuses.
// Sources: https://github.com/langchain-ai/langchain/issues/30122 (Ollama's answer to control),
// https://github.com/langchain-ai/langchain-ibm/issues/72
func TestUnknownRole(t *testing.T) {
	body := []byte(`{"model":"m","messages":[{"role":"control","content":"thinking"},` +
		`{"role":"document doc1","content":"d"},{"role":"user","content":"q"}],"stream":false}`)
	for _, provider := range []string{"openai-compatible", "ollama"} {
		result, err := wire.Sanitize(t.Context(), body, &wire.Options{Provider: provider})
		require.NoError(t, err)
		require.False(t, result.Changed, "%s: %v", provider, result.Warnings)
	}
	for _, provider := range []string{"openai-chat", "deepseek"} {
		options := &wire.Options{Provider: provider}
		result, err := wire.Sanitize(t.Context(), body, options)
		require.NoError(t, err)
		require.True(t, result.Changed, provider)
		options.Options.Strict = true
		_, err = wire.Sanitize(t.Context(), body, options)
		require.ErrorIs(t, err, preflight.ErrAmbiguous, provider)
	}
}

// needless are the results that the API does not miss, and why.
var needless = map[string]string{
	"tool_search_output": "of a search that the server runs, which pairs its own",
	"program":            "the server runs programs, and pairs its own",
	"program_output":     "the same",
	"chat function":      "that the result of a legacy call is missed is not on record",
}

// TestFeaturesBroken: each kind of call of a feature is missed if its result is gone, and each
// result if its call is.
func TestFeaturesBroken(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range features(t) {
		var body map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(f.Body, &body))
		list := "messages"
		for _, name := range []string{"input", "contents"} {
			if body[name] != nil {
				list = name
			}
		}
		var elements []json.RawMessage
		if json.Unmarshal(body[list], &elements) != nil {
			continue // a text
		}
		for k, e := range elements {
			kind := pairKind(e)
			if kind == "" || needless[kind] != "" && !bytes.Contains(e, []byte(`"client"`)) {
				continue
			}
			var err error
			body[list], err = json.Marshal(slices.Delete(slices.Clone(elements), k, k+1))
			require.NoError(t, err)
			broken, err := json.Marshal(body)
			require.NoError(t, err)
			report, err := wire.Check(broken, &wire.Options{Provider: f.Provider, Model: f.Model})
			require.NoError(t, err)
			if len(report.Violations) == 0 {
				t.Errorf("%s %s: nothing misses %s", f.Provider, f.Name, e)
			}
			seen[kind] = true
		}
	}
	require.Greater(t, len(seen), 20, slices.Sorted(maps.Keys(seen)))
}

// pairKind returns what kind of call or result an element of a list of messages is, or holds.
func pairKind(element json.RawMessage) string {
	var e struct {
		Type, Role string
		ToolCalls  []any  `json:"tool_calls"`
		CallID     string `json:"call_id"`
	}
	if json.Unmarshal(element, &e) != nil {
		return ""
	}
	text := string(element)
	switch {
	case e.CallID != "":
		return e.Type
	case e.Role == "tool" || e.Role == "function" || len(e.ToolCalls) > 0:
		return "chat " + e.Role
	}
	for _, kind := range []string{
		`"functionCall"`, `"functionResponse"`, `"type":"tool_use"`, `"type":"tool_result"`,
		`"toolUse"`, `"toolResult"`,
	} {
		if strings.Contains(text, kind) && !strings.Contains(text, "server_tool_use") {
			return kind
		}
	}
	return ""
}
