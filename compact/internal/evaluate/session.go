package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/go-preflight/preflight"
)

// This file is what a session under evaluation is made of.

// session is a history with facts planted in it.
type session struct {
	name    string
	history []preflight.Message
	topics  []string // of each message; "" where it has none
	facts   []fact
}

// fact is something that was said once and is asked for later. It is remembered when its answer is
// in what is sent.
type fact struct {
	question, answer string
	soft             bool // plain words: nothing in it looks like a number, path or name
}

// writer writes one session, from a seed.
type writer struct {
	session
	rand  *rand.Rand
	calls int
	topic string
}

func newWriter(name string, seed uint64) *writer {
	return &writer{
		session: session{name: name},
		rand:    rand.New(rand.NewPCG(seed, 24736)),
	}
}

// pick draws one of a list.
func pick[E any](w *writer, list []E) E { return list[w.rand.IntN(len(list))] }

func (w *writer) add(m preflight.Message) {
	w.history, w.topics = append(w.history, m), append(w.topics, w.topic)
}

func (w *writer) say(role preflight.Role, text string) {
	w.add(preflight.Message{Role: role, Parts: []preflight.Part{&preflight.Text{Text: text}}})
}

func (w *writer) user(format string, args ...any) {
	w.say(preflight.RoleUser, fmt.Sprintf(format, args...))
}

func (w *writer) assistant(format string, args ...any) {
	w.say(preflight.RoleAssistant, fmt.Sprintf(format, args...))
}

// tool is a round of one call: what the assistant says, the call, and its output.
func (w *writer) tool(says, name, input, output string) {
	args, _ := json.Marshal(map[string]string{"input": input}) // strings always encode
	w.called(says, name, string(args), output, false)
}

// called is tool for arguments that are JSON, and an output that may be an error.
func (w *writer) called(says, name, args, output string, failed bool) {
	w.calls++
	id := fmt.Sprintf("call_%04d", w.calls)
	w.add(preflight.Message{
		Role: preflight.RoleAssistant,
		Parts: []preflight.Part{
			&preflight.Text{Text: says},
			&preflight.ToolCall{ID: id, Name: name, Input: json.RawMessage(args)},
		},
	})
	w.add(preflight.Message{
		Role: preflight.RoleTool,
		Parts: []preflight.Part{
			&preflight.ToolResult{
				CallID:  id,
				Name:    name,
				Content: []preflight.Part{&preflight.Text{Text: output}},
				IsError: failed,
			}},
	})
}

func (w *writer) hard(question, answer string) {
	w.facts = append(w.facts, fact{question: question, answer: answer})
}

func (w *writer) soft(question, answer string) {
	w.facts = append(w.facts, fact{question: question, answer: answer, soft: true})
}

// code returns an identifier that is unique in the session.
func (w *writer) code(prefix string) string {
	w.calls++
	return fmt.Sprintf("%s-%d%02d", prefix, 100+w.rand.IntN(900), w.calls%100)
}
