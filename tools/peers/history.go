package main

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/benchdata"
)

// This file makes the histories that all peers get.

// message is a message of OpenAI's Chat Completions, which every peer has a type for.
type message struct {
	Role       string `json:"role"`
	Content    string `json:"content"`
	ToolCalls  []call `json:"tool_calls,omitempty"`
	ToolCallID string `json:"tool_call_id,omitempty"`
}

type call struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// The shapes: a valid history, and how many messages there are for each broken one.
var (
	shapes = []string{"clean", "dirty1", "dirty20"}
	every  = map[string]int{"dirty1": 100, "dirty20": 5}
	sizes  = []int{100, 1000, 10_000}
)

// history is a session of about n messages.
func history(shape string, n int) []message {
	var out []message
	for _, m := range benchdata.History(benchdata.Clean, n) {
		out = appendChat(out, m)
	}
	if every[shape] > 0 {
		out = spoiled(out, every[shape])
	}
	return out
}

// appendChat appends a message of benchdata, without its reasoning.
func appendChat(out []message, m preflight.Message) []message {
	next := message{Role: string(m.Role)}
	for _, p := range m.Parts {
		switch p := p.(type) {
		case *preflight.Text:
			next.Content += p.Text
		case *preflight.ToolCall:
			next.ToolCalls = append(next.ToolCalls,
				call{p.ID, "function", function{p.Name, string(p.Input)}})
		case *preflight.ToolResult:
			out = append(out, message{
				Role: "tool", ToolCallID: p.CallID,
				Content: p.Content[0].(*preflight.Text).Text,
			})
		}
	}
	if next.Content != "" || len(next.ToolCalls) > 0 {
		out = append(out, next)
	}
	return out
}

// spoiled breaks the first pair of call and result in every so many messages, in turns: the result
// is missing, the result answers another call, or the next message comes before it.
func spoiled(in []message, every int) []message {
	out := slices.Clone(in)
	drop := make([]bool, len(out))
	kind, next := 0, 0
	for i := 1; i < len(out)-1; i++ {
		if i < next || out[i].Role != "tool" {
			continue
		}
		switch kind % 3 {
		case 0:
			drop[i] = true
		case 1:
			out[i].ToolCallID += "x"
		case 2:
			out[i], out[i+1] = out[i+1], out[i]
			i++
		}
		kind, next = kind+1, (i/every+1)*every
	}
	kept := out[:0]
	for i, m := range out {
		if !drop[i] {
			kept = append(kept, m)
		}
	}
	return kept
}

// fault is a short history that its provider refuses.
type fault struct {
	name    string
	history []message
	// real are the texts and results that a repair has to keep.
	real []string
}

func user(text string) message      { return message{Role: "user", Content: text} }
func assistant(text string) message { return message{Role: "assistant", Content: text} }

func calls(ids ...string) message {
	m := message{Role: "assistant"}
	for _, id := range ids {
		m.ToolCalls = append(m.ToolCalls, call{id, "function", function{"look", `{"at":"it"}`}})
	}
	return m
}

func result(id, text string) message {
	return message{Role: "tool", ToolCallID: id, Content: text}
}

// faults are what agents meet. The names are those in docs/performance.md.
var faults = []fault{
	{"a call without a result",
		[]message{user("first"), calls("a"), user("second")},
		[]string{"first", "second"}},
	{"a result without a call",
		[]message{user("first"), result("a", "found"), user("second")},
		[]string{"first", "second"}},
	{"a result after the next user message",
		[]message{user("first"), calls("a"), user("second"), result("a", "found")},
		[]string{"first", "second", "found"}},
	{"a result before its call",
		[]message{user("first"), result("a", "found"), calls("a"), user("second")},
		[]string{"first", "second", "found"}},
	{"a placeholder, and the real result later",
		[]message{
			user("first"), calls("a"), result("a", "No result provided"), user("second"),
			result("a", "found"), assistant("third"), user("fourth"),
		},
		[]string{"first", "second", "found", "third", "fourth"}},
	{"two results of one call",
		[]message{user("first"), calls("a"), result("a", "found"), result("a", "found"),
			user("second")},
		[]string{"first", "found", "second"}},
	{"an id used again, without the first result",
		[]message{
			user("first"), calls("a"), user("second"), calls("a"), result("a", "found"),
			assistant("third"), user("fourth"),
		},
		[]string{"first", "found", "second", "third", "fourth"}},
	{"one of two parallel results missing",
		[]message{user("first"), calls("a", "b"), result("b", "found"), user("second")},
		[]string{"first", "found", "second"}},
	{"a role that the provider does not know",
		[]message{{Role: "human", Content: "first"}, assistant("second"), user("third")},
		[]string{"first", "second", "third"}},
}

// count is how often text occurs in the contents of messages.
func count(in []message, text string) int {
	n := 0
	for _, m := range in {
		n += strings.Count(m.Content, text)
	}
	return n
}
