package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
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
		damage := r.IntN(5)
		if results := resultMessages(session); damage < 3 && len(results) > 0 {
			k = results[r.IntN(len(results))]
		} else if damage < 3 {
			damage = 3
		}
		switch damage {
		case 0: // the tool was aborted
			session = slices.Delete(session, k, k+1)
		case 1: // it was retried
			session = slices.Insert(session, k, session[k])
		case 2: // its result came late
			late := session[k]
			session = append(slices.Delete(session, k, k+1), late)
		case 3: // the user interrupted
			session = slices.Insert(session, k+1, preflight.UserText(fmt.Sprint("USER-late-", r.IntN(9))))
		case 4: // an answer was cut off before its first word
			session = slices.Insert(session, k+1, preflight.AssistantText(""))
		}
	}
	return session
}

// resultMessages returns the indices of the messages with results.
func resultMessages(session []preflight.Message) (indices []int) {
	for k, m := range session {
		if m.Role == preflight.RoleTool {
			indices = append(indices, k)
		}
	}
	return indices
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

// textsIn returns the texts of the results and of the user in a session, each once.
func textsIn(session []preflight.Message) []string {
	var texts []string
	for _, m := range session {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.ToolResult:
				texts = append(texts, textOf(p))
			case *preflight.Text:
				if m.Role == preflight.RoleUser {
					texts = append(texts, p.Text)
				}
			}
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// resultsIn returns the texts of the results of a session by the ids of their calls.
func resultsIn(session []preflight.Message) map[string]string {
	results := map[string]string{}
	for _, m := range session {
		for _, p := range m.Parts {
			if r, ok := p.(*preflight.ToolResult); ok {
				results[r.CallID] = textOf(r)
			}
		}
	}
	return results
}

// textOf returns the text of a result.
func textOf(r *preflight.ToolResult) string {
	var words []string
	for _, p := range r.Content {
		if t, ok := p.(*preflight.Text); ok {
			words = append(words, t.Text)
		}
	}
	if len(r.Output) > 0 {
		words = append(words, string(r.Output))
	}
	return strings.Join(words, " ")
}

// holds reports whether a body has a text: RESULT-1 is no part of RESULT-12.
func holds(body []byte, text string) bool {
	for {
		k := bytes.Index(body, []byte(text))
		if k < 0 {
			return false
		}
		if body = body[k+len(text):]; len(body) == 0 || body[0] < '0' || body[0] > '9' {
			return true
		}
	}
}

// swappedIn says which results of a session answer another call of it than before.
func swappedIn(messages []preflight.Message, results map[string]string) (whys []string) {
	for _, m := range messages {
		for _, p := range m.Parts {
			r, ok := p.(*preflight.ToolResult)
			if !ok || results[r.CallID] == "" {
				continue // it has an id of the sanitizer's, or no result was there
			}
			text := []byte(textOf(r))
			for _, id := range slices.Sorted(maps.Keys(results)) {
				if id != r.CallID && holds(text, results[id]) {
					whys = append(whys, fmt.Sprintf("%s answers the call %s, not %s",
						results[id], r.CallID, id))
				}
			}
		}
	}
	return whys
}

// inventedIn returns the first text of the user or the model that nobody said: each says who said
// it, and what is between them is white space.
func inventedIn(messages []preflight.Message) string {
	who := map[preflight.Role]string{preflight.RoleUser: "USER-", preflight.RoleAssistant: "MODEL-"}
	for _, m := range messages {
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
