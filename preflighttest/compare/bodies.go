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

// failingBody is a body that breaks a rule.
type failingBody struct {
	Rule     string          `json:"id"`
	Provider string          `json:"provider"`
	Request  json.RawMessage `json:"request"`
}

// failing returns the bodies that break a rule of a provider, in an order that is always the same.
func failing(provider string) ([]failingBody, error) {
	var all []failingBody
	if err := json.Unmarshal(rules.Failing, &all); err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(b failingBody) bool { return b.Provider != provider })
	r := rand.New(rand.NewPCG(4, 4)) // where not all are tried, rules of all kinds are
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all, nil
}

// models are models whose requests have no further rules.
var models = map[string]string{
	"anthropic": "claude-sonnet-4-5", "openai-chat": "gpt-4o", "openai-responses": "gpt-4.1",
	"gemini": "gemini-2.5-flash", "gemini-interactions": "gemini-2.5-flash",
	"bedrock": "anthropic.claude-3-5-sonnet-20241022-v2:0",
	"mistral": "mistral-large-latest", "cohere": "command-a-03-2025", "ollama": "llama3.1",
}

// body writes a session as a request, which repairs nothing.
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
		result := next("RESULT")
		call := &preflight.ToolCall{
			ID: callID(r), Name: "read", Input: argumentsOf(strings.Fields(result)[0]),
		}
		asked.Parts = append(asked.Parts, call)
		results = append(results, preflight.ResultOf(call, result, nil))
	}
	return append(append(session, asked), results...)
}

// argumentsOf returns the arguments of the call that a result answers: both have one number.
func argumentsOf(result string) json.RawMessage {
	return fmt.Appendf(nil, `{"path":"notes-%s.txt"}`, strings.TrimPrefix(result, "RESULT-"))
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

// detailed returns sound sessions with what gets lost where a body is read into types of one's own,
// or is made to look as another provider would have it: numbers that are no float64, a cache
// breakpoint, a picture, two messages of the user in a row. Not every provider takes each.
func detailed(seed int) [][]preflight.Message {
	var all [][]preflight.Message
	for _, change := range []func(m *preflight.Message){
		func(m *preflight.Message) {
			for _, p := range m.Parts {
				if call, ok := p.(*preflight.ToolCall); ok {
					call.Input = json.RawMessage(`{"path":"notes.txt","line":12345678901234567890}`)
				}
			}
		},
		func(m *preflight.Message) {
			if m.Role == preflight.RoleUser {
				m.Parts[0].(*preflight.Text).Cache = json.RawMessage(`{"type":"ephemeral"}`)
			}
		},
		func(m *preflight.Message) {
			if m.Role == preflight.RoleUser {
				m.Parts = append(m.Parts, &preflight.Media{
					Kind: "image", MediaType: "image/png", Data: pixel,
				})
			}
		},
	} {
		session := sound(seed)
		for k := range session {
			change(&session[k])
		}
		all = append(all, session)
	}
	return append(all, slices.Insert(sound(seed), 1, preflight.UserText("USER-again")))
}

// pixel is a picture.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

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

// steps returns the beginnings of a session that an agent would send one after the other: up to
// each message of the user, and up to each last result. Those without a message of the user are
// left out.
func steps(session []preflight.Message) [][]preflight.Message {
	var steps [][]preflight.Message
	user := false
	for k, m := range session {
		user = user || m.Role == preflight.RoleUser
		last := k+1 == len(session) || session[k+1].Role == preflight.RoleAssistant
		if user && last && m.Role != preflight.RoleAssistant {
			steps = append(steps, session[:k+1])
		}
	}
	return steps
}
