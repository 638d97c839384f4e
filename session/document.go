package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/session/internal/partial"
	"github.com/go-preflight/preflight/stored"
	"github.com/go-preflight/preflight/wire"
)

// This file repairs sessions that are one JSON document: lists of messages.

// UnknownError is the error for data that is no session of a known client. It wraps ErrUnknown.
type UnknownError struct {
	// Looks says in words what the data is instead, as far as it can be seen; it is not API.
	Looks string
}

// Error says what the data looks like.
func (e *UnknownError) Error() string { return ErrUnknown.Error() + ": " + e.Looks }

// Is makes errors.Is(err, ErrUnknown) true.
func (e *UnknownError) Is(target error) bool { return target == ErrUnknown }

// neutralClient is the name of lists in the JSON form of package preflight.
const neutralClient = "preflight"

// documentOf returns data if it is one JSON value. Of a list of messages that was not written to
// its end, it returns what was written whole, messages and blocks of the last one, and true:
//
//	{"messages":[{"role":"user",…},{"role":"assist    {"messages":[{"role":"user",…}]}
//
// It returns nil for anything else.
func documentOf(data []byte) (document []byte, cut bool) {
	if _, err := jsonscan.Parse(bytes.TrimSpace(data)); err == nil {
		return data, false
	}
	depth := 1
	if bytes.HasPrefix(bytes.TrimLeft(data, partial.WhiteSpace), []byte("{")) {
		depth = 2 // the list is a member
	}
	const between = 2 // levels from a message to its blocks
	for deeper := between; deeper >= 0; deeper-- {
		whole, cut := partial.Whole(data, depth+deeper)
		if !cut {
			return nil, false
		}
		whole = withRole(whole)
		if deeper > 0 && !saysWhose(whole, deeper == between) {
			continue
		}
		if _, err := readDocument(whole, ""); err == nil {
			return whole, true
		}
	}
	return nil, false
}

// withRole gives the last message of a list that is cut off before its role, if it has blocks that
// one role alone has:
//
//	{"parts":[{"functionResponse":…}],"ro    {"parts":[{"functionResponse":…}],"role":"user"}
func withRole(document []byte) []byte {
	f, list := listOf(document)
	all := elements(list)
	if f != nil || len(all) == 0 {
		return document
	}
	last := all[len(all)-1]
	if last.Kind() != jsonscan.Object || last.Has("role") || last.Has("type") {
		return document
	}
	blocks, model := last.Get("content"), "assistant"
	if last.Has("parts") {
		blocks, model = last.Get("parts"), "model"
	}
	all = elements(blocks)
	var role string
	switch {
	case last.Get("tool_calls").First().Exists(), saysAny(last, modelMembers),
		slices.ContainsFunc(all, isOfModel),
		len(all) > 1 && slices.ContainsFunc(all, isServersCall):
		role = model
	case slices.ContainsFunc(all, isToolsResult):
		role = "user"
	default:
		return document
	}
	return slices.Concat(document[:last.Start()], setMember(last, quote(role), "role"),
		document[last.End():])
}

// modelMembers are members of messages and blocks that the model alone has.
var modelMembers = []string{
	"functionCall", "function_call", "toolUse", "toolCall", "tool_call", "toolResponse",
	"tool_response", "executableCode", "executable_code", "codeExecutionResult",
	"code_execution_result", "thought", "thoughtSignature", "thought_signature", "reasoningContent",
	"reasoning_content", "reasoning", "reasoning_details", "refusal",
}

// isOfModel reports whether a block is one that the model alone has, as web_search_tool_result is.
func isOfModel(block jsonscan.Value) bool {
	kind := block.Get("type").Str()
	return kind == "tool_use" || strings.HasSuffix(kind, "_tool_result") ||
		strings.HasSuffix(kind, "thinking") || saysAny(block, modelMembers)
}

// isServersCall reports whether a block is a call of a tool of the provider's. Alone in a message
// it is not kept.
func isServersCall(block jsonscan.Value) bool {
	return strings.HasSuffix(block.Get("type").Str(), "_tool_use")
}

func isToolsResult(block jsonscan.Value) bool {
	return block.Get("type").StrIs("tool_result") ||
		saysAny(block, []string{"functionResponse", "function_response", "toolResult"})
}

// saysAny reports whether an object has a member of some, which is neither null nor false.
func saysAny(object jsonscan.Value, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		switch object.Get(name).Kind() {
		case jsonscan.Absent, jsonscan.Null, jsonscan.False:
			return false
		}
		return true
	})
}

// saysWhose reports whether the last message of a list that is cut off says something, and whose it
// is: then what was written of it is kept. begun reports that a list in it may be cut off.
func saysWhose(document []byte, begun bool) bool {
	f, list := listOf(document)
	all := elements(list)
	if len(all) == 0 || f != nil && f.content != nil { // what a client makes of half a message?
		return false
	}
	last := all[len(all)-1]
	content, calls := last.Get("content"), last.Get("tool_calls")
	if !content.Exists() {
		content = last.Get("parts")
	}
	switch {
	case calls.Kind() == jsonscan.Array && (begun || calls.First().Exists()):
		return calls.First().Exists() && last.Has("role")
	case content.Kind() == jsonscan.String:
		return content.Str() != "" && (oneOf(last.Get("role"), "system", "developer", "user", "assistant") ||
			last.Has("tool_call_id"))
	case content.Kind() == jsonscan.Array:
		return content.First().Exists() && (last.Has("role") || last.Has("kind"))
	}
	return false
}

// addCut adds the finding of a document that was not written to its end. whole is what was written
// of it: up to a message, within one, or up to what follows the list of them.
func (r *Report) addCut(data, whole []byte) {
	_, list := listOf(whole)
	all := elements(list)
	path, n, where := pathsOf(list), len(all), "here"
	data = bytes.TrimLeft(data, partial.WhiteSpace)
	if n > 0 && !bytes.HasPrefix(data, whole[:all[n-1].End()]) {
		n--
	}
	row := path(n)
	if bytes.HasPrefix(data, whole[:list.End()]) {
		row, where = list.Path(), "after this list"
	}
	r.add(Finding{
		Code: CodeHalfWritten, Rows: []string{row},
		Problem: "the document ends " + where + ", so the client may forget all of the session",
		Fix:     "keep what was written whole",
	})
}

// readDocument reads a list of messages. One for a provider is in a format, which is detected if it
// is "".
func readDocument(data []byte, format string) (*Session, error) {
	if f, list := listOf(data); f != nil {
		return f.session(list), nil
	}
	if history, _ := neutralHistory(data); history != nil {
		return neutralSession(data), nil
	}
	return wireSession(data, format)
}

// repairDocument repairs a list of messages.
func repairDocument(data []byte, r *Report) ([]byte, error) {
	if f, list := listOf(data); f != nil {
		r.Client = f.name
		if f.version != nil {
			r.Version = f.version(valueOf(data))
		}
		_, r.measured = habitsOf(f.habits, r.Version)
		r.NewerThan = newerThan(f.habits, r.Version)
		r.Unsure = !r.measured // what the program sends of its list is not known
		spelled, list := f.respell(data, list, r)
		merged, list, removed := f.mergeResults(spelled, list, r)
		paired, err := f.repairList(merged, list, removed, r)
		if err != nil || f.content == nil {
			return paired, err
		}
		return f.mendContent(paired, r)
	}
	if history, raws := neutralHistory(data); history != nil {
		r.Client = neutralClient
		return repairNeutral(data, history, raws, r)
	}
	return repairWire(data, r)
}

// neutralHistory reads a list in the form of package preflight: the messages, and their JSON. It
// returns nil when it is not one.
func neutralHistory(data []byte) (history []preflight.Message, raws [][]byte) {
	doc, err := jsonscan.Parse(data)
	if err != nil {
		return nil, nil
	}
	for _, element := range elements(doc.Root()) {
		var m preflight.Message
		first := element.Get("parts").First().Get("type")
		if element.Has("content") || !element.Has("role") || first.Str() == "" ||
			json.Unmarshal(element.Raw(), &m) != nil {
			return nil, nil
		}
		history, raws = append(history, m), append(raws, element.Raw())
	}
	return history, raws
}

// repairNeutral answers the open calls of a history and moves late results. Messages that stay
// keep their bytes.
func repairNeutral(
	data []byte,
	history []preflight.Message,
	raws [][]byte,
	r *Report,
) ([]byte, error) {
	result, err := stored.RepairInterrupted(context.Background(), history,
		&preflight.Options{Dangling: preflight.DanglingAnswer, DanglingText: r.text})
	if err != nil || !result.Changed {
		return data, err
	}
	for _, w := range result.Warnings {
		r.add(ofWarning(string(w.Code), w.Rule, w.At.String()))
	}
	out := []byte{'['}
	for k, m := range result.Messages {
		raw, err := json.Marshal(m)
		if err != nil {
			return data, err
		}
		if from := result.Origins[k]; len(from) == 1 {
			if was, err := json.Marshal(history[from[0]]); err == nil && bytes.Equal(was, raw) {
				raw = raws[from[0]]
			}
		}
		if k > 0 {
			out = append(out, ',')
		}
		out = append(append(out, "\n  "...), raw...)
	}
	return append(out, "\n]\n"...), nil
}

// ofWarning returns what a warning of a repair says, in words that are true before the repair, too.
func ofWarning(code, rule, path string) Finding {
	problem := "the messages need a repair here"
	if rule != "" {
		problem = "the messages break the rule " + rule
	}
	return Finding{Code: Code(code), Rows: []string{path}, Problem: problem,
		Fix: "make the repair " + code}
}

func neutralSession(data []byte) *Session {
	return &Session{Client: neutralClient, Body: data, Rows: [][]string{}}
}

// wireSession reads a list of messages in the format of a provider.
func wireSession(data []byte, format string) (*Session, error) {
	if err := onlyList(data); err != nil {
		return nil, err
	}
	provider, err := format, error(nil)
	if provider == "" {
		provider, err = wire.Detect(data)
	}
	if err != nil {
		return nil, unknown(data, err)
	}
	s := &Session{
		Client: provider, Format: provider, Rows: [][]string{},
		Body: object(listMember(provider), bytes.TrimSpace(data)),
	}
	doc, err := jsonscan.Parse(data)
	list := docRoot(doc, err)
	path := pathsOf(list)
	for k := range elements(list) {
		s.Rows = append(s.Rows, []string{path(k)})
	}
	return s, nil
}

// repairWire repairs a list of messages in the format of a provider.
func repairWire(data []byte, r *Report) ([]byte, error) {
	s, err := wireSession(data, "")
	if err != nil {
		return data, err
	}
	r.Client = s.Client
	options := &wire.Options{Provider: s.Format, Options: preflight.Options{
		Dangling: preflight.DanglingAnswer, DanglingText: r.text,
		Trailing: preflight.TrailingKeep,
	}}
	result := sanitizeBeforePrompt(data, options)
	if result == nil {
		result, err = wire.Sanitize(context.Background(), data, options)
	}
	if err != nil {
		return data, unknown(data, err)
	}
	if result.Changed {
		for _, w := range result.Warnings {
			r.add(ofWarning(string(w.Code), w.Rule, w.Path))
		}
	}
	return result.Body, nil
}

// sanitizeBeforePrompt repairs a list of messages that the user's next prompt follows. A tool of
// the provider's may be running at the end of a request, and must have its result where a prompt
// follows. It returns nil where the prompt is not the last message any more.
func sanitizeBeforePrompt(data []byte, options *wire.Options) *wire.Result {
	prompt := promptOf(options.Provider)
	doc, err := jsonscan.Parse(data)
	given := elements(docRoot(doc, err))
	if len(given) == 0 {
		return nil
	}
	end := given[len(given)-1].End()
	before := slices.Concat(data[:end], []byte(","+prompt), data[end:])
	result, err := wire.Sanitize(context.Background(), before, options)
	if err != nil {
		return nil
	}
	if !result.Changed {
		result.Body = data
		return result
	}
	doc, err = jsonscan.Parse(result.Body)
	all := elements(docRoot(doc, err))
	if len(all) < 2 || string(all[len(all)-1].Raw()) != prompt {
		return nil
	}
	result.Body = slices.Concat(result.Body[:all[len(all)-2].End()], data[end:])
	return result
}

// onlyList returns an error unless data is a JSON list.
func onlyList(data []byte) error {
	doc, err := jsonscan.Parse(data)
	if docRoot(doc, err).Kind() != jsonscan.Array {
		return &UnknownError{looksLike(data)}
	}
	return nil
}

// unknown turns an error of package wire into one that says what the data looks like.
func unknown(data []byte, err error) error {
	var unread *wire.Error
	if !errors.As(err, &unread) {
		return err
	}
	switch {
	case errors.Is(err, wire.ErrStoredForm):
		return &UnknownError{"it is " + unread.Detail + ", in a form that is not read here"}
	case errors.Is(err, wire.ErrAmbiguousProvider):
		return &UnknownError{fmt.Sprintf("it is a list of messages that could be meant for "+
			"several providers (%v): use preflight fix --provider P", unread.Providers)}
	case errors.Is(err, wire.ErrNotARequest):
		return &UnknownError{looksLike(data)}
	}
	return err
}
