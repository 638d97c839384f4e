package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/testdata/rules"
	"github.com/go-preflight/preflight/wire"
)

// This file makes the request bodies that are sent: for each rule the least that breaks it, and its
// repaired form.

// probed is a rule and the bodies that show it.
type probed struct {
	rule    rule.Rule
	body    []byte
	control []byte // the body repaired; nil where no repair is known
	valid   []byte // that repaired for the base, too, which may change more than the rule asks
	alone   bool   // a check finds no other rule broken
	joins   bool   // the body can be part of a longer one
}

// format is what has to be known of a wire format to make bodies.
type format struct {
	list     string // the member with the messages
	model    string // the member with the model, "" where the URL has it
	limit    string // the member that limits the output, in an object of within, if that is set
	within   string
	least    int    // the least limit
	hello    string // the messages of a plain request
	tools    string // the messages of a request with a tool exchange; the tools are declared
	declared string // members that declare the tool of tools
	stream   bool   // answers are streamed unless the request says otherwise
	answer   string // an assistant message between two parts
	next     string // a user message
}

var formats = map[string]format{
	"openai-chat": {
		list: "messages", model: "model", limit: "max_tokens", least: 1,
		hello: chatHello, tools: chatTools, declared: chatDeclared,
		answer: chatAnswer, next: chatNext,
	},
	"mistral": {
		list: "messages", model: "model", limit: "max_tokens", least: 1,
		hello: chatHello, declared: chatDeclared,
		tools: strings.ReplaceAll(chatTools, "call_1", "abcdefgh1"), answer: chatAnswer,
		next: chatNext,
	},
	"cohere": {
		list: "messages", model: "model", limit: "max_tokens", least: 1,
		hello: chatHello, tools: chatTools, declared: chatDeclared,
		answer: chatAnswer, next: chatNext,
	},
	"ollama": {
		list: "messages", model: "model", within: "options", limit: "num_predict", least: 1,
		stream: true,
		hello:  chatHello, answer: chatAnswer, next: chatNext, declared: chatDeclared,
		tools: `[{"role":"user","content":"Look it up."},{"role":"assistant","content":"",` +
			`"tool_calls":[{"function":{"name":"f","arguments":{}}}]},` +
			`{"role":"tool","tool_name":"f","content":"x"},{"role":"user","content":"Thanks."}]`,
	},
	"anthropic": {
		list: "messages", model: "model", limit: "max_tokens", least: 1,
		hello: chatHello, answer: chatAnswer, next: chatNext,
		tools: `[{"role":"user","content":"Look it up."},{"role":"assistant","content":` +
			`[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":` +
			`[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]`,
		declared: `"tools":[{"name":"f","input_schema":{"type":"object"}}]`,
	},
	"openai-responses": {
		list: "input", model: "model", limit: "max_output_tokens", least: 16,
		hello: chatHello, answer: chatAnswer, next: chatNext,
		tools: `[{"role":"user","content":"Look it up."},{"type":"function_call",` +
			`"call_id":"call_1","name":"f","arguments":"{}"},{"type":"function_call_output",` +
			`"call_id":"call_1","output":"x"}]`,
		declared: `"tools":[{"type":"function","name":"f","parameters":{"type":"object",` +
			`"properties":{}}}]`,
	},
	"gemini": {
		list: "contents", within: "generationConfig", limit: "maxOutputTokens", least: 1,
		hello:  `[{"role":"user","parts":[{"text":"Hello."}]}]`,
		answer: `{"role":"model","parts":[{"text":"Yes."}]}`,
		next:   `{"role":"user","parts":[{"text":"Go on."}]}`,
	},
	"gemini-interactions": {
		list: "input", model: "model", within: "generation_config", limit: "max_output_tokens",
		least:  1,
		hello:  `[{"type":"user_input","content":[{"type":"text","text":"Hello."}]}]`,
		answer: `{"type":"model_output","content":[{"type":"text","text":"Yes."}]}`,
		next:   `{"type":"user_input","content":[{"type":"text","text":"Go on."}]}`,
	},
	"bedrock": {
		list: "messages", within: "inferenceConfig", limit: "maxTokens", least: 1,
		hello:  `[{"role":"user","content":[{"text":"Hello."}]}]`,
		answer: `{"role":"assistant","content":[{"text":"Yes."}]}`,
		next:   `{"role":"user","content":[{"text":"Go on."}]}`,
	},
}

// The messages of OpenAI's Chat format and those near it.
const (
	chatHello = `[{"role":"user","content":"Hello."}]`
	chatTools = `[{"role":"user","content":"Look it up."},{"role":"assistant","content":"",` +
		`"tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"call_1","content":"x"},` +
		`{"role":"assistant","content":"Done."},{"role":"user","content":"Thanks."}]`
	chatAnswer   = `{"role":"assistant","content":"Yes."}`
	chatNext     = `{"role":"user","content":"Go on."}`
	chatDeclared = `"tools":[{"type":"function","function":{"name":"f","parameters":` +
		`{"type":"object","properties":{"x":{"type":"string"}}}}}]`
)

// members is a JSON object in order, its values as they are spelled.
type members []member

type member struct {
	name  string
	value json.RawMessage
}

func readMembers(body []byte) (members, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("no object: %v", err) //nolint:errorlint // it may be nil
	}
	var all members
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		var m member
		m.name, _ = t.(string)
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

func (m *members) set(name, value string) {
	for k := range *m {
		if (*m)[k].name == name {
			(*m)[k].value = json.RawMessage(value)
			return
		}
	}
	*m = append(*m, member{name, json.RawMessage(value)})
}

func (m members) get(name string) json.RawMessage {
	for _, one := range m {
		if one.name == name {
			return one.value
		}
	}
	return nil
}

func (m members) bytes() []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for k, one := range m {
		if k > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(one.name)
		b.Write(name)
		b.WriteByte(':')
		b.Write(one.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// ask makes a body one for the model that is asked, with as little output as possible.
func (f *format) ask(body []byte, model string) ([]byte, error) {
	m, err := readMembers(body)
	if err != nil {
		return nil, err
	}
	m = slices.DeleteFunc(m, func(one member) bool {
		return one.name == "modelId" || f.model == "" && one.name == "model"
	})
	if f.stream {
		m.set("stream", "false")
	}
	if f.model != "" {
		name, _ := json.Marshal(model)
		m.set(f.model, string(name))
	}
	switch value := fmt.Sprint(f.least); {
	case f.within != "" && m.get(f.within) == nil:
		m.set(f.within, `{"`+f.limit+`":`+value+`}`)
	case f.within == "" && m.get(f.limit) == nil:
		m.set(f.limit, value)
	}
	return m.bytes(), nil
}

// plain returns a body with the given messages.
func (f *format) plain(messages, more, model string) []byte {
	body := `{"` + f.list + `":` + messages
	if more != "" {
		body += "," + more
	}
	out, _ := f.ask([]byte(body+"}"), model)
	return out
}

// plan makes the bodies of the rules that a server of the base's format can be asked about.
func plan(base *provider.Profile, model string, wanted []string) ([]*probed, error) {
	name := formatOf(base)
	f, ok := formats[name]
	if !ok {
		return nil, fmt.Errorf("there is no way to ask a server of the format %q", name)
	}
	var bodies []struct {
		ID, Provider string
		Request      json.RawMessage
	}
	if err := json.Unmarshal(rules.Failing, &bodies); err != nil {
		return nil, err
	}
	var out []*probed
	for _, b := range bodies {
		r, _ := rule.ByID(b.ID)
		of, ok := provider.ByName(b.Provider, "")
		if !ok || formatOf(of) != name || !matches(wanted, r) {
			continue
		}
		if m, err := readMembers(b.Request); err != nil || m.get(f.list) == nil {
			continue // of another API of the provider's
		}
		p := &probed{rule: r}
		var err error
		if p.body, err = f.ask(b.Request, model); err != nil {
			return nil, fmt.Errorf("%s: %w", b.ID, err)
		}
		repaired, alone := repair(b.Request, b.Provider, b.ID)
		p.alone = alone
		if repaired != nil {
			p.control, err = f.ask(repaired, model)
			if err == nil {
				p.valid, err = f.ask(valid(repaired, base, model), model)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", b.ID, err)
			}
		}
		p.joins = repaired != nil
		out = append(out, p)
	}
	return out, nil
}

// near returns the bodies of Mistral's format, which is that of OpenAI's Chat but for its ids.
func (p *Plan) near() (out []*probed, err error) {
	if formatOf(p.base) != "openai-chat" || len(p.options.Rules) > 0 {
		return nil, nil
	}
	base, _ := provider.ByName("mistral", "")
	return plan(base, p.options.Model, nil)
}

// formatOf returns the wire format of a profile.
func formatOf(p *provider.Profile) string {
	if p.Format != "" {
		return p.Format
	}
	return p.Provider
}

// matches reports whether a rule is one of those that are wanted: ids, names of providers, or
// prefixes with * at their end. None is all.
func matches(wanted []string, r rule.Rule) bool {
	if len(wanted) == 0 {
		return true
	}
	return slices.ContainsFunc(wanted, func(w string) bool {
		prefix, wild := strings.CutSuffix(w, "*")
		return w == r.ID || w == r.Provider || wild && strings.HasPrefix(r.ID, prefix)
	})
}

// valid returns a body without what the base refuses besides.
func valid(body []byte, base *provider.Profile, model string) []byte {
	result, err := wire.Sanitize(context.Background(), body,
		&wire.Options{Provider: base.Provider, Model: model})
	if err != nil {
		return body
	}
	return result.Body
}

// enforcing returns the options by which a check sees a rule, on the profile of its provider.
func enforcing(name, id string) *wire.Options {
	o := &wire.Options{Provider: name}
	if provider.CheckSwitch(id) == nil {
		o.Measured = &provider.Measured{
			Version: provider.MeasuredVersion, Provider: name, Enforced: []string{id},
		}
	}
	return o
}

// repair returns a body without the fault; nil where no repair is known. alone reports whether the
// body breaks no other rule that a check sees.
func repair(body []byte, name, id string) (repaired []byte, alone bool) {
	o := enforcing(name, id)
	r, _ := rule.ByID(id)
	if found, err := wire.Check(body, o); err == nil {
		alone = len(found.Violations) > 0
		for _, v := range found.Violations {
			alone = alone && (v.Rule == id || v.Rule == r.SeenAs)
		}
	}
	for _, portable := range []bool{false, true} {
		o.Portable = portable
		result, err := wire.Sanitize(context.Background(), body, o)
		if err == nil && result.Changed {
			return result.Body, alone
		}
	}
	return nil, alone
}
