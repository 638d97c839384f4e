package compare

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/testdata/rules"
	"github.com/go-preflight/preflight/wire"
)

// This file has the bodies: those that break a rule, and sessions of an agent.

// sessions is how many sessions are tried.
const sessions = 200

// failing returns the bodies that break a rule of a provider.
func failing(provider string) ([][]byte, error) {
	var all []struct {
		Provider string          `json:"provider"`
		Request  json.RawMessage `json:"request"`
	}
	if err := json.Unmarshal(rules.Failing, &all); err != nil {
		return nil, err
	}
	var bodies [][]byte
	for _, b := range all {
		if b.Provider == provider {
			bodies = append(bodies, b.Request)
		}
	}
	return bodies, nil
}

// models are models whose requests have no further rules.
var models = map[string]string{
	"anthropic": "claude-sonnet-4-5", "openai-chat": "gpt-4o", "openai-responses": "gpt-4.1",
	"gemini": "gemini-2.5-flash", "gemini-interactions": "gemini-2.5-flash", "bedrock": "anthropic.claude-3-5-sonnet-20241022-v2:0",
	"mistral": "mistral-large-latest", "cohere": "command-a-03-2025", "ollama": "llama3.1",
}

// body writes a session as a request.
func (c *comparison) body(session []preflight.Message) ([]byte, error) {
	return wire.Encode(c.provider, models[c.provider], session, &wire.RequestOptions{
		MaxTokens: 1000,
		Tools: []wire.Tool{{
			Name: "read", Description: "Reads a file.",
			Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`),
		}},
	})
}

// sound returns a session that ends with the user or a result. The texts of its parts say who said
// them: USER-3, MODEL-4, RESULT-5.
func sound(seed int) []preflight.Message {
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	var session []preflight.Message
	n := 0
	next := func(who string) string { n++; return fmt.Sprintf("%s-%d", who, n) }
	for turn := range 1 + r.IntN(4) {
		if turn > 0 {
			session = append(session, preflight.AssistantText(next("MODEL")))
		}
		session = append(session, preflight.UserText(next("USER")))
		for range r.IntN(3) {
			session = appendRound(session, r, next)
		}
	}
	return session
}

// appendRound appends a message with calls, and their results.
func appendRound(
	session []preflight.Message, r *rand.Rand, next func(string) string,
) []preflight.Message {
	asked := preflight.Message{Role: preflight.RoleAssistant}
	if r.IntN(2) == 0 {
		asked.Parts = append(asked.Parts, &preflight.Text{Text: next("MODEL")})
	}
	var results []preflight.Message
	for range 1 + r.IntN(2) {
		call := &preflight.ToolCall{
			ID: callID(r), Name: "read", Input: json.RawMessage(`{"path":"notes.txt"}`),
		}
		asked.Parts = append(asked.Parts, call)
		results = append(results, preflight.ResultOf(call, next("RESULT"), nil))
	}
	return append(append(session, asked), results...)
}

// callID returns an id that every provider takes: nine letters and digits.
func callID(r *rand.Rand) string {
	const letters = "abcdefghijkmnpqrstuvwxyz23456789"
	id := make([]byte, 9)
	for k := range id {
		id[k] = letters[r.IntN(len(letters))]
	}
	return string(id)
}

// damaged returns a session as agents leave it behind that were aborted, cut off or merged. Every
// result that is left has a call.
func damaged(seed int) []preflight.Message {
	r := rand.New(rand.NewPCG(uint64(seed), 2))
	session := sound(seed)
	for range 1 + r.IntN(2) {
		k := r.IntN(len(session))
		isResult := session[k].Role == preflight.RoleTool
		switch damage := r.IntN(5); {
		case damage == 0 && isResult: // the tool was aborted
			session = slices.Delete(session, k, k+1)
		case damage == 1 && isResult: // it was retried
			session = slices.Insert(session, k, session[k])
		case damage == 2 && isResult: // its result came late
			late := session[k]
			session = append(slices.Delete(session, k, k+1), late)
		case damage == 3: // the user interrupted
			session = slices.Insert(session, k+1, preflight.UserText(fmt.Sprint("USER-late-", r.IntN(9))))
		default: // an answer was cut off before its first word
			session = slices.Insert(session, k+1, preflight.AssistantText(""))
		}
	}
	return session
}

// long returns a session of so many messages, of which every tenth has lost its result.
func long(messages int) []preflight.Message {
	r := rand.New(rand.NewPCG(3, 3))
	var session []preflight.Message
	n := 0
	next := func(who string) string {
		n++
		return fmt.Sprintf("%s-%d %s", who, n, strings.Repeat("word ", 50))
	}
	session = append(session, preflight.UserText(next("USER")))
	for len(session) < messages {
		session = appendRound(session, r, next)
		if r.IntN(10) == 0 {
			session = session[:len(session)-1]
		}
	}
	return append(session, preflight.UserText(next("USER")))
}

// steps returns the parts of a session that an agent would send one after the other: up to each
// message of the user, and up to each last result.
func steps(session []preflight.Message) [][]preflight.Message {
	var steps [][]preflight.Message
	for k, m := range session {
		last := k+1 == len(session) || session[k+1].Role == preflight.RoleAssistant
		if m.Role != preflight.RoleAssistant && last {
			steps = append(steps, session[:k+1])
		}
	}
	return steps
}

// resultsIn returns the texts of the results of a session.
func resultsIn(session []preflight.Message) []string {
	var texts []string
	for _, m := range session {
		for _, p := range m.Parts {
			if r, ok := p.(*preflight.ToolResult); ok {
				for _, t := range r.Content {
					texts = append(texts, t.(*preflight.Text).Text)
				}
			}
		}
	}
	return slices.Compact(texts)
}

// inventedIn returns the first text of the user or the model in a body that nobody said: each says
// who said it, and what is between them is white space.
func (c *comparison) inventedIn(body []byte) string {
	decoded, err := wire.Decode(body, &wire.Options{Provider: c.provider})
	if err != nil {
		return ""
	}
	who := map[preflight.Role]string{preflight.RoleUser: "USER-", preflight.RoleAssistant: "MODEL-"}
	for _, m := range decoded.Messages {
		for _, p := range m.Parts {
			t, ok := p.(*preflight.Text)
			if !ok || who[m.Role] == "" {
				continue
			}
			for _, word := range strings.Fields(t.Text) {
				if !strings.HasPrefix(word, who[m.Role]) {
					return t.Text
				}
			}
		}
	}
	return ""
}
