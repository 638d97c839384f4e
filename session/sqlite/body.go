package sqlite

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/go-preflight/preflight/session"
)

// This file builds the requests that a client sends.

// message is one message as a client sends it.
type message struct {
	role   string // user or assistant; results are in user messages
	blocks []block
	rows   []string
}

// block is a text, a picture, a call, a result or reasoning, by which of the fields are set.
type block struct {
	text      string
	pictures  []picture       // one, or those of a result
	call      string          // the id of the call, of results too
	name      string          // of the tool
	input     json.RawMessage // of a call
	result    bool
	failed    bool
	reasoning bool
	signature string
}

// object is a JSON object whose members are written in their order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON writes the members that have a value.
func (o object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for _, m := range o {
		if m.value == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		value, err := encode(m.value)
		if err != nil {
			return nil, err
		}
		out = append(append(append(append(out, '"'), m.name...), '"', ':'), value...)
	}
	return append(out, '}'), nil
}

// encode writes a value without escaping what is legal in JSON.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// build makes a session of messages, in the Anthropic format or as Chat messages.
func build(messages []message, anthropic bool) (*session.Session, error) {
	s := &session.Session{Format: "openai-chat", Rows: [][]string{}}
	form := chatMessages
	if anthropic {
		s.Format, form = "anthropic", anthropicMessages
	}
	list := []object{}
	for _, m := range messages {
		if len(m.blocks) == 0 {
			continue
		}
		for _, o := range form(m) {
			list = append(list, o)
			s.Rows = append(s.Rows, m.rows)
		}
	}
	var err error
	s.Body, err = encode(object{{"messages", list}})
	return s, err
}

func anthropicMessages(m message) []object {
	blocks := []object{}
	for _, b := range m.blocks {
		switch {
		case b.reasoning:
			if b.signature != "" {
				blocks = append(blocks, object{{"type", "thinking"}, {"thinking", b.text},
					{"signature", b.signature}})
			}
		case b.result:
			o := object{{"type", "tool_result"}, {"tool_use_id", b.call}, {"content", b.content()}}
			if b.failed {
				o = append(o, member{"is_error", true})
			}
			blocks = append(blocks, o)
		case b.call != "":
			blocks = append(blocks, object{{"type", "tool_use"}, {"id", b.call}, {"name", b.name},
				{"input", b.input}})
		case b.pictures != nil:
			blocks = append(blocks, b.pictures[0].block(true))
		default:
			text := b.text
			if text == "" {
				text = " " // as the clients send it
			}
			blocks = append(blocks, object{{"type", "text"}, {"text", text}})
		}
	}
	if len(blocks) == 0 {
		return nil
	}
	return []object{{{"role", m.role}, {"content", blocks}}}
}

func chatMessages(m message) []object {
	var said []block // texts and pictures
	var seen []picture
	var calls, all []object
	for _, b := range m.blocks {
		switch {
		case b.reasoning:
		case b.result:
			all = append(all, object{{"role", "tool"}, {"tool_call_id", b.call},
				{"content", b.text}})
			seen = append(seen, b.pictures...)
		case b.call != "":
			calls = append(calls, object{{"id", b.call}, {"type", "function"},
				{"function", object{{"name", b.name}, {"arguments", string(b.input)}}}})
		case b.text != "" || b.pictures != nil:
			said = append(said, b)
		}
	}
	if len(seen) > 0 { // a result has no pictures in this format
		said = append(said, block{text: "Attached image(s) from tool result:"},
			block{pictures: seen})
	}
	if len(said) == 0 && calls == nil {
		return all
	}
	o := object{{"role", m.role}, {"content", chatContent(said)}}
	if calls != nil {
		o = append(o, member{"tool_calls", calls})
	}
	return append(all, o)
}

// chatContent returns one text, or a list of texts and pictures where that is not possible.
func chatContent(said []block) any {
	var texts []string
	parts := []object{}
	plain := true
	for _, b := range said {
		plain = plain && b.pictures == nil
		if b.text != "" {
			texts = append(texts, b.text)
			parts = append(parts, object{{"type", "text"}, {"text", b.text}})
		}
		for _, p := range b.pictures {
			parts = append(parts, p.block(false))
		}
	}
	if plain {
		return strings.Join(texts, "\n")
	}
	return parts
}
