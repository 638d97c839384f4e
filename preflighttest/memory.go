package preflighttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// This file is the memory of a server: conversations that it keeps, so that a request sends only
// what is new.

// keeping is how a provider keeps conversations.
type keeping struct {
	list    string   // the member with the messages
	goesOn  string   // the member that a joined request does not need, "" for none
	carried []string // the members that a request which goes on leaves out
	// asks returns the id of the answer that a request goes on with, "" if it has the whole
	// conversation, and whether the conversation is to be kept.
	asks func(root map[string]any) (previous string, keep bool)
	// said returns the id of an answer, and what it adds to the conversation.
	said func(answer map[string]any) (id string, added []any)
	// forgotten and taken are the refusals of an id that is not known, and of one that was gone on
	// with before, which is nil where that is allowed.
	forgotten, taken func(id string) *fake.Violation
}

// keepings are the providers that keep conversations.
var keepings = map[string]keeping{
	// threads.md and betamessagethread.go of anthropic-sdk-go v2.15.0
	"anthropic": {
		list: "messages", carried: []string{"system", "tools"},
		asks: func(root map[string]any) (string, bool) {
			thread := read.Object(root["thread"])
			if read.Text(thread["type"]) == "continue" {
				return read.Text(thread["previous_message_id"]), true
			}
			return "", thread != nil
		},
		said: func(answer map[string]any) (string, []any) {
			return read.Text(answer["id"]), []any{
				map[string]any{"role": "assistant", "content": answer["content"]},
			}
		},
		forgotten: func(id string) *fake.Violation {
			return &fake.Violation{Path: "thread", Status: http.StatusNotFound,
				Code: "thread_not_found", Message: fmt.Sprintf("thread: no thread ends with %s", id)}
		},
		taken: func(id string) *fake.Violation {
			return &fake.Violation{Path: "thread", Status: http.StatusBadRequest,
				Code:    "thread_already_continued",
				Message: fmt.Sprintf("thread: %s was continued before", id)}
		},
	},
	"openai-responses": {
		list: "input", goesOn: "previous_response_id",
		asks: func(root map[string]any) (string, bool) {
			stored, given := root["store"].(bool)
			return read.Text(root["previous_response_id"]), stored || !given
		},
		said: func(answer map[string]any) (string, []any) {
			return read.Text(answer["id"]), read.Array(answer["output"])
		},
		forgotten: func(id string) *fake.Violation {
			return &fake.Violation{Path: "previous_response_id", Status: http.StatusBadRequest,
				Code: "previous_response_not_found", Param: "previous_response_id",
				Message: fmt.Sprintf("Previous response with id '%s' not found.", id)}
		},
	},
}

// memory is what a server keeps.
type memory struct {
	mu   sync.Mutex
	kept map[string]*conversation // by the id of its last answer
}

// conversation is all that was said, with the members that go with it.
type conversation struct {
	members map[string]any
	list    []any
	taken   bool
}

// whole returns the body of the whole conversation that a request goes on with, or the body itself
// if it does not, or why the server refuses it.
func (s *Server) whole(body []byte) ([]byte, *fake.Violation) {
	how, keeps := keepings[s.format.Name]
	root, err := read.Decode(body)
	if !s.options.Remember || !keeps || err != nil {
		return body, nil
	}
	previous, _ := how.asks(root)
	if previous == "" {
		return body, nil
	}
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	held := s.memory.kept[previous]
	switch {
	case held == nil:
		return nil, how.forgotten(previous)
	case held.taken && how.taken != nil:
		return nil, how.taken(previous)
	}
	held.taken = true
	joined := maps.Clone(root)
	for _, name := range how.carried {
		if value, ok := held.members[name]; ok {
			joined[name] = value
		}
	}
	delete(joined, how.goesOn)
	joined[how.list] = slices.Concat(held.list, items(root[how.list]))
	return fake.Marshal(joined), nil
}

// items returns the elements of a list, or the one message that a text stands for.
func items(list any) []any {
	if text, ok := list.(string); ok {
		return []any{map[string]any{"role": "user", "content": text}}
	}
	return read.Array(list)
}

// keep remembers the conversation with an answer.
func (s *Server) keep(t *fake.Turn) {
	how, keeps := keepings[s.format.Name]
	if !s.options.Remember || !keeps {
		return
	}
	root := t.Request.Root
	if _, keep := how.asks(root); !keep {
		return
	}
	var answer map[string]any
	if json.Unmarshal(s.format.Reply(t), &answer) != nil {
		return
	}
	id, added := how.said(answer)
	held := &conversation{members: map[string]any{}, list: slices.Concat(items(root[how.list]), added)}
	for _, name := range how.carried {
		if value, ok := root[name]; ok {
			held.members[name] = value
		}
	}
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	if s.memory.kept == nil {
		s.memory.kept = make(map[string]*conversation)
	}
	s.memory.kept[id] = held
}

// Forget drops all conversations that the server keeps, as a provider does some time after the last
// request.
func (s *Server) Forget() {
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	clear(s.memory.kept)
}

// Conversation returns the list of messages or items that the server keeps under the id of its last
// answer, as JSON: what the model was told, and what it said. It is nil if there is none.
func (s *Server) Conversation(id string) json.RawMessage {
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	held := s.memory.kept[id]
	if held == nil {
		return nil
	}
	return fake.Marshal(held.list)
}
