package preflight_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file reads the cases of testdata/cases/source-systems (its README says what the
// macros in their input are) and decodes the messages of the systems they come from into neutral ones. What each case asserts
// stands in cloudflare_test.go, tunacode_test.go and article_test.go; docs/source-systems.md lists the deviations.

const sourceCases = "testdata/cases/source-systems"

// sourceCase is one case: its messages, and the caller's options that stand beside them.
type sourceCase struct {
	Name   string
	Format string
	Input  json.RawMessage
}

func loadSourceCase(t testing.TB, name string) sourceCase {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(sourceCases, name+".json"))
	require.NoError(t, err)
	doc, err := jsonscan.Parse(raw)
	require.NoError(t, err)
	return sourceCase{doc.Root().Get("name").Str(), doc.Root().Get("provider_format").Str(), expandMacros(t, doc.Root().Get("input").Raw())}
}

// messages are the case's messages, neutral.
func (c sourceCase) messages(t testing.TB) []preflight.Message {
	t.Helper()
	doc, err := jsonscan.Parse(c.Input)
	require.NoError(t, err)
	list := doc.Root().Get("messages")
	switch c.Format {
	case "ai-sdk-ui":
		return fromUI(list)
	case "pydantic-ai":
		return fromPydantic(list)
	}
	return fromChat(list)
}

// expandMacros replaces the macros of an input; everything else keeps its bytes.
func expandMacros(t testing.TB, raw []byte) []byte {
	t.Helper()
	doc, err := jsonscan.Parse(raw)
	require.NoError(t, err)
	var edits jsonscan.Edits
	var walk func(v jsonscan.Value)
	walk = func(v jsonscan.Value) {
		if with, ok := expandMacro(v); ok {
			edits.Replace(v.Start(), v.End(), with)
			return
		}
		if v.Kind() == jsonscan.Object || v.Kind() == jsonscan.Array {
			for m := v.First(); m.Exists(); m = m.Next() {
				walk(m)
			}
		}
	}
	walk(doc.Root())
	out, err := edits.Apply(nil, raw)
	require.NoError(t, err)
	return out
}

func expandMacro(v jsonscan.Value) ([]byte, bool) {
	number := func(v jsonscan.Value) int {
		n, _ := strconv.Atoi(string(v.Raw()))
		return n
	}
	var parts []string
	switch {
	case v.Has("$repeat"), v.Has("$concat"):
		return jsonscan.AppendString(nil, macroText(v)), true
	case v.Has("$int_array"):
		for k := range number(v.Get("$int_array")) {
			parts = append(parts, strconv.Itoa(k))
		}
		return []byte("[" + strings.Join(parts, ",") + "]"), true
	case v.Has("$int_object"):
		prefix := v.Get("$int_object").At(0).Str()
		for k := range number(v.Get("$int_object").At(1)) {
			parts = append(parts, strconv.Quote(prefix+strconv.Itoa(k))+":0")
		}
		return []byte("{" + strings.Join(parts, ",") + "}"), true
	}
	return nil, false
}

func macroText(v jsonscan.Value) string {
	if r := v.Get("$repeat"); r.Exists() {
		n, _ := strconv.Atoi(string(r.At(1).Raw()))
		return strings.Repeat(macroText(r.At(0)), n)
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

// rawOf is a copy of a value's JSON, nil when there is none.
func rawOf(v jsonscan.Value) json.RawMessage {
	if !v.Exists() {
		return nil
	}
	return append(json.RawMessage(nil), v.Raw()...)
}

// metaOf is provider metadata as the AI SDK spells it.
func metaOf(slots ...jsonscan.Value) preflight.Metadata {
	var meta preflight.Metadata
	for _, slot := range slots {
		for m := slot.First(); slot.Kind() == jsonscan.Object && m.Exists(); m = m.Next() {
			if meta == nil {
				meta = preflight.Metadata{}
			}
			meta[m.Key().Str()] = rawOf(m)
		}
	}
	return meta
}

// fromUI decodes UI messages of the AI SDK. A part that holds a tool call and its result becomes two: for a provider-executed
// tool in the same message, otherwise with the result in a tool message behind it.
func fromUI(list jsonscan.Value) []preflight.Message {
	var out []preflight.Message
	for m := list.First(); m.Exists(); m = m.Next() {
		role := preflight.Role(m.Get("role").Str())
		msg := preflight.Message{Role: role, Meta: metaOf(m.Get("metadata"))}
		for p := m.Get("parts").First(); p.Exists(); p = p.Next() {
			parts, result := fromUIPart(p)
			msg.Parts = append(msg.Parts, parts...)
			if result != nil {
				out = append(out, msg, preflight.Message{Role: preflight.RoleTool, Parts: []preflight.Part{result}})
				msg = preflight.Message{Role: role}
			}
		}
		if len(msg.Parts) > 0 || m.Get("parts").Len() == 0 {
			out = append(out, msg)
		}
	}
	return out
}

// fromUIPart decodes one part. A client tool's result comes apart, since it belongs into a message of its own.
func fromUIPart(p jsonscan.Value) (parts []preflight.Part, result *preflight.ToolResult) {
	kind := p.Get("type").Str()
	carried := preflight.Carried{Meta: metaOf(p.Get("providerMetadata"), p.Get("providerOptions"), p.Get("callProviderMetadata"))}
	switch {
	case kind == "text":
		return []preflight.Part{&preflight.Text{Carried: carried, Text: p.Get("text").Str()}}, nil
	case kind == "reasoning":
		return []preflight.Part{&preflight.Reasoning{Carried: carried, Text: p.Get("text").Str()}}, nil
	case kind != "dynamic-tool" && !strings.HasPrefix(kind, "tool-"):
		return []preflight.Part{&preflight.Other{Carried: carried, Kind: kind}}, nil
	}
	name := p.Get("toolName").Str()
	if name == "" {
		name = strings.TrimPrefix(kind, "tool-")
	}
	server, _ := p.Get("providerExecuted").Bool()
	call := &preflight.ToolCall{Carried: carried, ID: p.Get("toolCallId").Str(), Name: name, Input: rawOf(p.Get("input")), ProviderExecuted: server}
	state := p.Get("state").Str()
	if strings.HasPrefix(state, "approval-") {
		call.Awaiting = preflight.AwaitingApproval
	}
	parts = []preflight.Part{call}
	if !strings.HasPrefix(state, "output-") {
		return parts, nil
	}
	result = &preflight.ToolResult{Carried: preflight.Carried{Meta: metaOf(p.Get("resultProviderMetadata"))}, CallID: call.ID, Name: name,
		Output: rawOf(p.Get("output")), IsError: state == "output-error", ProviderExecuted: server}
	if text := p.Get("errorText"); text.Exists() {
		result.Content = []preflight.Part{&preflight.Text{Text: text.Str()}}
	}
	if server {
		return append(parts, result), nil
	}
	return parts, result
}

// fromPydantic decodes pydantic-ai messages. A request is a user message; its system prompts are messages of their own.
func fromPydantic(list jsonscan.Value) []preflight.Message {
	var out []preflight.Message
	for m := list.First(); m.Exists(); m = m.Next() {
		msg := preflight.Message{Role: preflight.RoleUser}
		if m.Get("kind").StrIs("response") {
			msg.Role = preflight.RoleAssistant
		}
		if id := m.Get("run_id"); id.Exists() {
			msg.Meta = preflight.Metadata{"run_id": rawOf(id)}
		}
		system := 0
		for p := m.Get("parts").First(); p.Exists(); p = p.Next() {
			if p.Get("part_kind").StrIs("system-prompt") {
				system++
				out = append(out, preflight.Message{Role: preflight.RoleSystem, Parts: []preflight.Part{&preflight.Text{Text: p.Get("content").Str()}}})
				continue
			}
			msg.Parts = append(msg.Parts, fromPydanticPart(p))
		}
		if len(msg.Parts) > 0 || system == 0 {
			out = append(out, msg)
		}
	}
	return out
}

func fromPydanticPart(p jsonscan.Value) preflight.Part {
	content := []preflight.Part{&preflight.Text{Text: p.Get("content").Str()}}
	switch p.Get("part_kind").Str() {
	case "tool-call":
		return &preflight.ToolCall{ID: p.Get("tool_call_id").Str(), Name: p.Get("tool_name").Str(), Input: rawOf(p.Get("args"))}
	case "tool-return":
		return &preflight.ToolResult{CallID: p.Get("tool_call_id").Str(), Name: p.Get("tool_name").Str(), Content: content}
	case "retry-prompt":
		return &preflight.ToolResult{CallID: p.Get("tool_call_id").Str(), Name: p.Get("tool_name").Str(), Content: content, IsError: true}
	}
	return content[0]
}

// fromChat decodes what the Anthropic and OpenAI cases have in common: strings, text, tool_use and tool_result blocks.
// A message that is no object has neither role nor content.
func fromChat(list jsonscan.Value) []preflight.Message {
	var out []preflight.Message
	for m := list.First(); m.Exists(); m = m.Next() {
		msg := preflight.Message{Role: preflight.Role(m.Get("role").Str())}
		content := m.Get("content")
		if content.Kind() == jsonscan.String {
			msg.Parts = append(msg.Parts, &preflight.Text{Text: content.Str()})
		}
		for b := content.First(); content.Kind() == jsonscan.Array && b.Exists(); b = b.Next() {
			switch kind := b.Get("type").Str(); kind {
			case "text":
				msg.Parts = append(msg.Parts, &preflight.Text{Text: b.Get("text").Str()})
			case "tool_use":
				msg.Parts = append(msg.Parts, &preflight.ToolCall{ID: b.Get("id").Str(), Name: b.Get("name").Str(), Input: rawOf(b.Get("input"))})
			case "tool_result":
				failed, _ := b.Get("is_error").Bool()
				msg.Parts = append(msg.Parts, &preflight.ToolResult{CallID: b.Get("tool_use_id").Str(), IsError: failed,
					Content: []preflight.Part{&preflight.Text{Text: b.Get("content").Str()}}})
			case "image":
				msg.Parts = append(msg.Parts, &preflight.Media{Kind: kind})
			default:
				msg.Parts = append(msg.Parts, &preflight.Other{Kind: kind})
			}
		}
		out = append(out, msg)
	}
	return out
}

// step is one of the library's entry points, bound to its options.
type step func(history []preflight.Message) (preflight.Result, error)

// runCase runs a case and asserts what has to be true of every one: the input is not written to, and running again changes
// nothing.
func runCase(t testing.TB, name string, run step) (in []preflight.Message, out preflight.Result) {
	t.Helper()
	in = loadSourceCase(t, name).messages(t)
	return in, runSystem(t, in, run)
}

func runSystem(t testing.TB, in []preflight.Message, run step) preflight.Result {
	t.Helper()
	before := dump(in)
	out, err := run(in)
	require.NoError(t, err)
	require.Equal(t, before, dump(in), "the input was written to")
	require.Equal(t, out.Changed, len(out.Warnings) > 0, "changes and warnings have to come together")
	again, err := run(out.Messages)
	require.NoError(t, err)
	require.False(t, again.Changed, "running again changed: %s", list(again.Warnings))
	return out
}

// The entry points under test.

func persisting(options *preflight.Options) step {
	return func(h []preflight.Message) (preflight.Result, error) {
		return preflight.Persist(context.Background(), h, options)
	}
}

func resuming(profile *preflight.Profile) step {
	return func(h []preflight.Message) (preflight.Result, error) {
		return preflight.Resume(context.Background(), h, profile, nil)
	}
}

func interrupting(options *preflight.Options) step {
	return func(h []preflight.Message) (preflight.Result, error) {
		return preflight.RepairInterrupted(context.Background(), h, options)
	}
}

// applying runs single fixers, for cases that test one function of a system alone.
func applying(options *preflight.Options, fixers ...preflight.Fixer) step {
	return func(h []preflight.Message) (preflight.Result, error) {
		var res preflight.Result
		res.Messages = h
		for _, f := range fixers {
			var warnings []preflight.Warning
			res.Messages, warnings = f.Apply(res.Messages, nil, options)
			res.Warnings = append(res.Warnings, warnings...)
		}
		res.Changed = len(res.Warnings) > 0
		return res, nil
	}
}

func sanitizing(pipeline *preflight.Pipeline, profile preflight.Profile, options preflight.Options) step {
	return func(h []preflight.Message) (preflight.Result, error) {
		return pipeline.Run(context.Background(), h, &profile, &options)
	}
}

// texts are all texts of a history, in order.
func texts(h []preflight.Message) []string {
	var out []string
	for _, m := range h {
		for _, p := range m.Parts {
			if t, ok := p.(*preflight.Text); ok {
				out = append(out, t.Text)
			}
		}
	}
	return out
}

// only is the single part of type P in a history.
func only[P preflight.Part](t testing.TB, h []preflight.Message) P {
	t.Helper()
	found := every[P](h)
	require.Len(t, found, 1)
	return found[0]
}

// every part of type P in a history.
func every[P preflight.Part](h []preflight.Message) []P {
	var out []P
	for _, m := range h {
		for _, p := range m.Parts {
			if x, ok := p.(P); ok {
				out = append(out, x)
			}
		}
	}
	return out
}

// requireUntouched asserts that nothing was changed.
func requireUntouched(t testing.TB, in []preflight.Message, out preflight.Result) {
	t.Helper()
	require.False(t, out.Changed, list(out.Warnings))
	require.Empty(t, cmp.Diff(in, out.Messages))
}

// get is a string or raw value inside a JSON value, by path.
func get(t testing.TB, raw json.RawMessage, path ...string) jsonscan.Value {
	t.Helper()
	doc, err := jsonscan.Parse(raw)
	require.NoError(t, err)
	v := doc.Root()
	for _, key := range path {
		if n, err := strconv.Atoi(key); err == nil && v.Kind() == jsonscan.Array {
			v = v.At(n)
		} else {
			v = v.Get(key)
		}
	}
	return v
}

// sourceTests are the tests of all cases, by name.
func sourceTests() map[string]func(*testing.T, string) {
	out := make(map[string]func(*testing.T, string))
	for _, group := range []map[string]func(*testing.T, string){cloudflareCases, tunacodeCases, articleCases} {
		for name, f := range group {
			out[name] = f
		}
	}
	return out
}

func TestSourceSystems(t *testing.T) {
	tests := sourceTests()
	files, err := filepath.Glob(filepath.Join(sourceCases, "*.json"))
	require.NoError(t, err)
	seen := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if strings.HasPrefix(name, "uf-") {
			continue // compaction has a package of its own
		}
		seen++
		t.Run(name, func(t *testing.T) {
			require.Contains(t, tests, name, "the case has no test")
			tests[name](t, name)
		})
	}
	require.Equal(t, len(tests), seen, "there are tests without a case")
}
