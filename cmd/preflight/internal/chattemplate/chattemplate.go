// Package chattemplate renders the chat templates that models are published with: a request body of
// OpenAI's Chat format becomes the prompt that a local server gives its model, or the template
// raises.
package chattemplate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nikolalohinski/gonja/v2/builtins"
	"github.com/nikolalohinski/gonja/v2/config"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/loaders"
	"github.com/nikolalohinski/gonja/v2/logging"
)

// Template is a compiled chat template. Use it in one goroutine at a time.
type Template struct {
	template  *exec.Template
	bos, eos  string
	toolsFrom *Template // the template for requests that declare tools; nil for this one
}

// RaisedError is the error of a template that refuses a request.
type RaisedError struct {
	Text string // the template's own, or what went wrong in it
}

// Error returns the text.
func (e *RaisedError) Error() string { return e.Text }

// CompileError says why a template cannot be used: the engine does not know all of the language.
type CompileError struct{ Text string }

// Error returns the reason.
func (e *CompileError) Error() string { return "the template cannot be compiled: " + e.Text }

// Compile compiles the source of a template. The error is a *CompileError.
func Compile(source, bos, eos string) (t *Template, err error) {
	defer func() {
		if p := recover(); p != nil {
			t, err = nil, &CompileError{fmt.Sprint(p)}
		}
	}()
	logging.SetEnabled(false)
	// transformers renders with these two settings
	c := config.New()
	c.TrimBlocks, c.LeftStripBlocks = true, true
	const name = "/template" // nothing else can be included
	loader, err := loaders.NewMemoryLoader(map[string]string{name: unmarked(source)})
	if err != nil {
		return nil, &CompileError{err.Error()}
	}
	filters := exec.NewFilterSet(map[string]exec.FilterFunction{"tojson": toJSON})
	env := &exec.Environment{
		Context: exec.EmptyContext().Update(builtins.GlobalFunctions).
			Update(builtins.GlobalVariables),
		Filters: builtins.Filters.Update(filters), Tests: builtins.Tests,
		ControlStructures: builtins.ControlStructures, Methods: methods,
	}
	compiled, err := exec.NewTemplate(name, c, loader, env)
	if err != nil {
		return nil, &CompileError{lastLine(err.Error())}
	}
	return &Template{template: compiled, bos: bos, eos: eos}, nil
}

// ofStrings are the methods of strings that are taken over from the engine.
var ofStrings = strings.Fields(`capitalize casefold center count encode endswith expandtabs find
	format index isalnum isalpha isdigit islower isspace istitle isupper join ljust lower lstrip
	partition removeprefix removesuffix rfind rindex rjust rpartition rsplit rstrip split
	splitlines startswith strip swapcase title upper zfill`)

// methods are the engine's, with a replace of strings that needs no count, as in Python.
var methods = func() exec.Methods {
	all := builtins.Methods
	set := map[string]exec.Method[string]{"replace": replace}
	for _, name := range ofStrings {
		if method, ok := all.Str.Get(name); ok {
			set[name] = method
		}
	}
	all.Str = exec.NewMethodSet(set)
	return all
}()

func replace(self string, _ *exec.Value, args *exec.VarArgs) (any, error) {
	if len(args.Args) < 2 {
		return nil, errors.New("replace takes two strings")
	}
	count := -1
	if len(args.Args) > 2 {
		count = args.Args[2].Integer()
	}
	return strings.Replace(self, args.Args[0].String(), args.Args[1].String(), count), nil
}

// unmarked removes the marks of generated text, which only training reads.
func unmarked(source string) string {
	for _, mark := range []string{"generation", "endgeneration"} {
		for _, form := range []string{"{%% %s %%}", "{%%- %s %%}", "{%% %s -%%}", "{%%- %s -%%}"} {
			source = strings.ReplaceAll(source, fmt.Sprintf(form, mark), "")
		}
	}
	return source
}

// lastLine returns the end of an error that quotes the whole template.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	if k := strings.LastIndexByte(text, '\n'); k >= 0 {
		text = text[k+1:]
	}
	if len(text) > 300 {
		text = "…" + text[len(text)-300:]
	}
	return strings.ToValidUTF8(text, "")
}

// patience is how long a template may take.
const patience = 5 * time.Second

// Render returns the prompt for a request body of OpenAI's Chat format. The error is a *RaisedError
// if the template refuses the request, or another for a body that is no request, or a template
// that does not end.
func (t *Template) Render(body []byte) (string, error) {
	data, tools, err := variables(body)
	if err != nil {
		return "", err
	}
	if tools && t.toolsFrom != nil {
		return t.toolsFrom.Render(body)
	}
	type rendered struct {
		prompt string
		err    error
	}
	done := make(chan rendered, 1)
	go func() {
		prompt, err := t.render(data)
		done <- rendered{prompt, err}
	}()
	select {
	case r := <-done:
		return r.prompt, r.err
	case <-time.After(patience):
		return "", errors.New("the template does not end")
	}
}

func (t *Template) render(data map[string]any) (prompt string, err error) {
	var own string
	raised := false
	defer func() {
		if p := recover(); p != nil {
			prompt, err = "", &RaisedError{Text: fmt.Sprint(p)}
		}
		if raised {
			prompt, err = "", &RaisedError{own}
		}
	}()
	data["bos_token"], data["eos_token"] = t.bos, t.eos
	data["raise_exception"] = func(_ *exec.Evaluator, args *exec.VarArgs) *exec.Value {
		if !raised { // the first counts
			raised, own = true, args.First().String()
		}
		return exec.AsValue(errors.New(own))
	}
	data["strftime_now"] = func(*exec.Evaluator, *exec.VarArgs) *exec.Value {
		return exec.AsValue("1 Jan 2026")
	}
	out, err := t.template.ExecuteToString(exec.NewContext(data))
	if err != nil {
		return "", &RaisedError{Text: lastLine(err.Error())}
	}
	return out, nil
}

// variables returns what a server gives a template for a request.
func variables(body []byte) (data map[string]any, tools bool, err error) {
	var request map[string]any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&request); err != nil {
		return nil, false, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, false, errors.New("there is more after the body")
	}
	list, ok := request["messages"].([]any)
	if !ok {
		return nil, false, errors.New("the body has no messages")
	}
	var messages []any
	for _, m := range list {
		object, ok := m.(map[string]any)
		if !ok {
			return nil, false, errors.New("a message is not an object")
		}
		messages = append(messages, given(object))
	}
	data = map[string]any{
		"messages": messages, "add_generation_prompt": true, "date_string": "1 Jan 2026",
	}
	if declared, ok := request["tools"].([]any); ok && len(declared) > 0 {
		data["tools"], tools = plain(declared), true
	} else {
		data["tools"] = nil
	}
	if more, ok := request["chat_template_kwargs"].(map[string]any); ok {
		for name, value := range more {
			data[name] = plain(value)
		}
	}
	return data, tools, nil
}

// given returns a message as servers hand it to a template: texts joined, arguments as a mapping.
func given(m map[string]any) map[string]any {
	out := plain(m).(map[string]any)
	if parts, ok := out["content"].([]any); ok {
		var texts []string
		for _, p := range parts {
			part, _ := p.(map[string]any)
			text, isText := part["text"].(string)
			if !isText {
				texts = nil
				break
			}
			texts = append(texts, text)
		}
		if texts != nil {
			out["content"] = strings.Join(texts, "\n")
		}
	}
	calls, _ := out["tool_calls"].([]any)
	for _, c := range calls {
		call, _ := c.(map[string]any)
		function, _ := call["function"].(map[string]any)
		if text, ok := function["arguments"].(string); ok {
			var object map[string]any
			if json.Unmarshal([]byte(text), &object) == nil {
				function["arguments"] = object
			}
		}
	}
	return out
}

// plain returns a value of JSON with Go's numbers.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, value := range v {
			out[name] = plain(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for k, value := range v {
			out[k] = plain(value)
		}
		return out
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return int(n)
		}
		f, _ := v.Float64()
		return f
	}
	return v
}

// toJSON returns the filter as transformers has it: without escapes for HTML.
func toJSON(_ *exec.Evaluator, in *exec.Value, args *exec.VarArgs) *exec.Value {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if indent, ok := args.KwArgs["indent"]; ok && indent.IsInteger() {
		e.SetIndent("", strings.Repeat(" ", max(0, min(indent.Integer(), 8))))
	}
	v, err := encodable(in.Interface())
	if err == nil {
		err = e.Encode(v)
	}
	if err != nil {
		return exec.AsValue(err)
	}
	return exec.AsSafeValue(strings.TrimSuffix(b.String(), "\n"))
}

// encodable returns a value of the engine's as one of JSON.
func encodable(v any) (any, error) {
	switch v := v.(type) {
	case *exec.Value:
		return encodable(v.Interface())
	case map[string]any:
		out := map[string]any{}
		for name, value := range v {
			var err error
			if out[name], err = encodable(value); err != nil {
				return nil, err
			}
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for k, value := range v {
			var err error
			if out[k], err = encodable(value); err != nil {
				return nil, err
			}
		}
		return out, nil
	case *exec.Dict:
		out := map[string]any{}
		for _, p := range v.Pairs {
			value, err := encodable(p.Value)
			if err != nil {
				return nil, err
			}
			out[p.Key.String()] = value
		}
		return out, nil
	}
	return v, nil
}
