package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/go-preflight/preflight"
)

// This file damages sessions, as agents leave them behind that were aborted, interrupted, cut off,
// resumed or switched to another model.

// damage is a kind of damage.
type damage struct {
	name string
	// of are the providers that it is for; nil is all.
	of []string
	// do damages a session, which it may change. It reports false if the session has no place for
	// it.
	do func(r *rand.Rand, session []preflight.Message) ([]preflight.Message, bool)
	// unverified is a text that no body may hold, because only the provider's servers, and not the
	// strict fake, see that it is wrong; and rule is the rule for it.
	unverified, rule string
}

// fernet is a payload as OpenAI encrypts reasoning. Signatures of Anthropic have no "-" and "_".
const fernet = "gAAAAABo3dXk-7VbF0_q2LZs9cM-h1TeQw_JtKxRnUoPzYvGiA-5sDfBh_k8mWqEr6yN4jC=="

// damages are the kinds of damage. The sessions have each in turn.
var damages = []damage{
	{name: "a call without a result", do: onResult(
		func(_ *rand.Rand, s []preflight.Message, k int) ([]preflight.Message, bool) {
			return slices.Delete(s, k, k+1), true
		})},
	{name: "one of parallel calls without a result", do: onResult(
		func(_ *rand.Rand, s []preflight.Message, k int) ([]preflight.Message, bool) {
			return slices.Delete(s, k, k+1), s[k-1].Role == preflight.RoleTool ||
				k+1 < len(s) && s[k+1].Role == preflight.RoleTool
		})},
	{name: "a result twice", do: onResult(
		func(_ *rand.Rand, s []preflight.Message, k int) ([]preflight.Message, bool) {
			return slices.Insert(s, k, s[k]), true
		})},
	{name: "two different results of a call", do: onResult(
		func(_ *rand.Rand, s []preflight.Message, k int) ([]preflight.Message, bool) {
			return slices.Insert(s, k+1, anotherResult(s[k])), true
		})},
	{name: "another result of a call after the model spoke", do: onResult(
		func(r *rand.Rand, s []preflight.Message, k int) ([]preflight.Message, bool) {
			return later(r, s, k, anotherResult(s[k]))
		})},
	{name: "a message of the user between call and result", do: onResult(
		func(r *rand.Rand, s []preflight.Message, k int) ([]preflight.Message, bool) {
			return slices.Insert(s, k, userText(r)), true
		})},
	{name: "a result after the model spoke again", do: onResult(
		func(r *rand.Rand, s []preflight.Message, k int) ([]preflight.Message, bool) {
			s, ok := later(r, s, k, s[k])
			return slices.Delete(s, k, k+1), ok
		})},
	{name: "a placeholder, then the user, then the result", do: onResult(
		func(r *rand.Rand, s []preflight.Message, k int) ([]preflight.Message, bool) {
			return slices.Insert(s, k, placeholder(r, s[k]), userText(r)), true
		})},
	{name: "a placeholder, and the result after the model spoke", do: onResult(
		func(r *rand.Rand, s []preflight.Message, k int) ([]preflight.Message, bool) {
			s, ok := later(r, s, k, s[k])
			s[k] = placeholder(r, s[k])
			return s, ok
		})},
	{name: "a window cut between call and result", do: onResult(
		func(_ *rand.Rand, s []preflight.Message, k int) ([]preflight.Message, bool) {
			s = s[k:]
			return s, slices.ContainsFunc(s, func(m preflight.Message) bool {
				return m.Role == preflight.RoleUser
			})
		})},
	{name: "an answer cut off before its first word", do: func(
		r *rand.Rand, s []preflight.Message,
	) ([]preflight.Message, bool) {
		return slices.Insert(s, 1+r.IntN(len(s)), preflight.AssistantText("")), true
	}},
	{name: "a call of the provider's tool left open", of: []string{"anthropic"}, do: onAnswer(
		func(r *rand.Rand, m *preflight.Message) {
			m.Parts = slices.Insert(m.Parts, 0, preflight.Part(&preflight.ToolCall{
				ID: "srvtoolu_" + callID(r), Name: "web_search", ProviderExecuted: true,
				Input: fmt.Appendf(nil, `{"query":"notes-%d"}`, 100+r.IntN(900)),
			}))
		})},
	{
		name: "thinking without a signature", of: []string{"anthropic", "openai-responses"},
		do: onAnswer(func(_ *rand.Rand, m *preflight.Message) { thinks(m, "") }),
	},
	{
		name: "thinking signed by another model", of: []string{"anthropic"},
		do:         onAnswer(func(_ *rand.Rand, m *preflight.Message) { thinks(m, fernet) }),
		unverified: fernet, rule: "anthropic/thinking-signature-invalid",
	},
	{name: "thinking switched off midway", of: []string{"anthropic"}, do: func(
		_ *rand.Rand, s []preflight.Message,
	) ([]preflight.Message, bool) {
		for k := range s {
			if s[k].Role == preflight.RoleAssistant {
				thinks(&s[k], "EuYBCkQYBiJAc2lnbmVkIGJ5IHRoZSBtb2RlbCBpdHNlbGY=")
			}
		}
		return s, s[len(s)-1].Role == preflight.RoleTool // the request comes amid a turn
	}},
	{
		name: "a picture in a result", of: []string{"cohere", "gemini-interactions", "openai-chat"},
		do: onResult(func(_ *rand.Rand, s []preflight.Message, k int) ([]preflight.Message, bool) {
			result := s[k].Parts[0].(*preflight.ToolResult)
			result.Content = append(result.Content, &preflight.Media{
				Kind: "image", MediaType: "image/png", Data: pixel,
			})
			return s, true
		}),
	},
}

// placeholders are what agents answer a call with that they gave up.
var placeholders = []string{
	"[Request interrupted by user for tool use]", "No result provided", "aborted",
	"Tool call was cancelled by the user.", "Tool execution was interrupted.",
}

// damagedSession is a session, and the kind of damage that it has.
type damagedSession struct {
	messages []preflight.Message
	kind     damage
}

// damagedSession returns the session for a seed: its kind of damage is the seed's, and half of them
// have another one as well.
func (c *comparison) damagedSession(seed int) (damagedSession, error) {
	kinds := slices.DeleteFunc(slices.Clone(damages), func(d damage) bool {
		return d.of != nil && !slices.Contains(d.of, c.provider)
	})
	kind := kinds[seed%len(kinds)]
	for try := range 1000 {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(2+try)))
		session, ok := kind.do(r, sound(seed+1000*try))
		if !ok {
			continue
		}
		if other := kinds[r.IntN(len(kinds))]; r.IntN(2) == 0 && other.of == nil {
			if further, ok := other.do(r, slices.Clone(session)); ok {
				session = further
			}
		}
		return damagedSession{session, kind}, nil
	}
	return damagedSession{}, fmt.Errorf("compare: no session has a place for %s", kind.name)
}

// onResult returns a damage to the message of a result.
func onResult(
	do func(r *rand.Rand, s []preflight.Message, k int) ([]preflight.Message, bool),
) func(*rand.Rand, []preflight.Message) ([]preflight.Message, bool) {
	return func(r *rand.Rand, s []preflight.Message) ([]preflight.Message, bool) {
		var results []int
		for k, m := range s {
			if k > 0 && m.Role == preflight.RoleTool {
				results = append(results, k)
			}
		}
		if len(results) == 0 {
			return s, false
		}
		return do(r, s, results[r.IntN(len(results))])
	}
}

// onAnswer returns a damage to a message of the model.
func onAnswer(
	do func(r *rand.Rand, m *preflight.Message),
) func(*rand.Rand, []preflight.Message) ([]preflight.Message, bool) {
	return func(r *rand.Rand, s []preflight.Message) ([]preflight.Message, bool) {
		var answers []int
		for k, m := range s {
			if m.Role == preflight.RoleAssistant {
				answers = append(answers, k)
			}
		}
		if len(answers) == 0 {
			return s, false
		}
		do(r, &s[answers[r.IntN(len(answers))]])
		return s, true
	}
}

// later inserts a result after a turn of the user or results that comes after the model has spoken
// again, and reports whether there is such a place.
func later(
	r *rand.Rand, s []preflight.Message, k int, result preflight.Message,
) ([]preflight.Message, bool) {
	spoke, places := false, []int(nil)
	for at := k + 1; at < len(s); at++ {
		model := s[at].Role == preflight.RoleAssistant
		spoke = spoke || model
		if spoke && !model && (at+1 == len(s) || s[at+1].Role == preflight.RoleAssistant) {
			places = append(places, at+1)
		}
	}
	if len(places) == 0 {
		return s, false
	}
	return slices.Insert(s, places[r.IntN(len(places))], result), true
}

// userText returns a message that the user sends while a tool runs.
func userText(r *rand.Rand) preflight.Message {
	return preflight.UserText(fmt.Sprintf("USER-%d", 100+r.IntN(900)))
}

// placeholder returns what an agent writes in place of a result.
func placeholder(r *rand.Rand, result preflight.Message) preflight.Message {
	return resultLike(result, placeholders[r.IntN(len(placeholders))], true)
}

// anotherResult returns a result of the same call that says something else: RESULT-3b.
func anotherResult(result preflight.Message) preflight.Message {
	return resultLike(result, textOf(result.Parts[0].(*preflight.ToolResult))+"b", false)
}

func resultLike(result preflight.Message, text string, failed bool) preflight.Message {
	like := *result.Parts[0].(*preflight.ToolResult)
	like.Content, like.IsError = []preflight.Part{&preflight.Text{Text: text}}, failed
	return preflight.Message{Role: preflight.RoleTool, Parts: []preflight.Part{&like}}
}

// thinks puts thinking before what the model says.
func thinks(m *preflight.Message, signature string) {
	m.Parts = slices.Insert(m.Parts, 0,
		preflight.Part(&preflight.Reasoning{Text: "THINK", Signature: signature}))
}

// textOf returns the text of a result.
func textOf(r *preflight.ToolResult) (text string) {
	for _, p := range r.Content {
		if t, ok := p.(*preflight.Text); ok {
			text += t.Text
		}
	}
	return text
}
