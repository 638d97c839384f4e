package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
)

// This file is a second reading of the providers' rules, for the properties to judge by. It is
// naive on purpose: it reads a history turn by turn, with lists and nested loops, and shares no
// code with Check or with the fixers.

// spelledRole is the neutral role that a spelling means; an unknown role is the user's.
func spelledRole(r preflight.Role) preflight.Role {
	role, _ := knownRole(r)
	return role
}

// knownRole is spelledRole, and whether the spelling has a meaning at all.
func knownRole(r preflight.Role) (preflight.Role, bool) {
	switch strings.ToLower(strings.TrimSpace(string(r))) {
	case "system", "developer":
		return preflight.RoleSystem, true
	case "assistant", "ai", "model", "bot":
		return preflight.RoleAssistant, true
	case "tool", "function", "observation", "tool_result", "function_response", "ipython",
		"environment":
		return preflight.RoleTool, true
	case "user", "human":
		return preflight.RoleUser, true
	}
	return preflight.RoleUser, false
}

// mayBeAssistant reports whether a message may be the assistant's: its role says so, or has no
// meaning while it holds what only the assistant says.
func mayBeAssistant(m preflight.Message) bool {
	role, known := knownRole(m.Role)
	return role == preflight.RoleAssistant ||
		!known && slices.ContainsFunc(m.Parts, func(p preflight.Part) bool {
			switch p.(type) {
			case *preflight.ToolCall, *preflight.Reasoning:
				return true
			}
			return asResult(p, true) != nil
		})
}

// authored is a history without what only the assistant can say in messages of others: a call in
// them is no call, and a result of the provider's is none.
func authored(h []preflight.Message) []preflight.Message {
	out := slices.Clone(h)
	for i, m := range out {
		if role, known := knownRole(m.Role); role != preflight.RoleAssistant && known {
			out[i].Parts = slices.DeleteFunc(slices.Clone(m.Parts), func(p preflight.Part) bool {
				call, isCall := p.(*preflight.ToolCall)
				return isCall && call != nil || asResult(p, true) != nil
			})
		}
	}
	return out
}

// exchange is an assistant turn, and all that comes after it up to the next one.
type exchange struct {
	start int                 // index of its first message
	turn  []preflight.Message // the assistant's
	after []preflight.Message // anybody else's
}

// exchanges cuts a history into exchanges; what comes before the first assistant turn is the first
// one, without a turn.
func exchanges(h []preflight.Message, join bool) []exchange {
	out := []exchange{{}}
	for i, m := range h {
		last := &out[len(out)-1]
		switch {
		case len(m.Parts) == 0:
		case spelledRole(m.Role) != preflight.RoleAssistant:
			last.after = append(last.after, m)
		case join && len(last.turn) > 0 && len(last.after) == 0:
			last.turn = append(last.turn, m)
		default:
			out = append(out, exchange{start: i, turn: []preflight.Message{m}})
		}
	}
	return out
}

func partsOf(messages []preflight.Message) []preflight.Part {
	var out []preflight.Part
	for _, m := range messages {
		out = append(out, m.Parts...)
	}
	return out
}

func callsOf(parts []preflight.Part, server bool) []*preflight.ToolCall {
	var out []*preflight.ToolCall
	for _, p := range parts {
		if c, ok := p.(*preflight.ToolCall); ok && c != nil && c.ProviderExecuted == server {
			out = append(out, c)
		}
	}
	return out
}

func asResult(p preflight.Part, server bool) *preflight.ToolResult {
	if r, ok := p.(*preflight.ToolResult); ok && r != nil && r.ProviderExecuted == server {
		return r
	}
	return nil
}

// leadingResults is the run of results right after a turn. Any part but a result ends it; parts
// that skip says yes to count as not there. Whose message the results are in does not matter: if
// it is not where they belong, they are moved as they are.
func leadingResults(
	after []preflight.Message,
	skip func(preflight.Part) bool,
) (run []*preflight.ToolResult) {
	for _, m := range after {
		for _, p := range m.Parts {
			if r := asResult(p, false); r != nil {
				run = append(run, r)
			} else if !skip(p) {
				return run
			}
		}
	}
	return run
}

func skipNothing(preflight.Part) bool { return false }

var (
	anthropicID = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	serverID    = regexp.MustCompile(`^srvtoolu_[a-zA-Z0-9_]+$`)
	openAIName  = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	commonID    = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,40}$`)
	commonName  = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`)
)

// judge says what the profile's provider would refuse a history for, "" when it takes it. Under
// KeepWaiting the caller answers for the calls that wait.
func judge(h []preflight.Message, p *preflight.Profile, o *preflight.Options) string {
	exempt := func(*preflight.ToolCall) bool { return false }
	if o.KeepWaiting {
		exempt = waiting(o.OpenCall)
	}
	if p.Provider == "bedrock" &&
		strings.Contains(p.Model, "claude-3") { // Claude's old rules hold there, too
		claude := *p
		claude.Provider = "anthropic"
		p = &claude
	}
	if p.Format == "gemini" { // Vertex AI, whose fields say what differs
		vertex := *p
		vertex.Provider = "gemini"
		p = &vertex
	}
	h = encoded(h, p)
	rules := []string{
		judgeMessages(h, p),
		judgeOrder(h, p, exempt),
		judgePairs(h, p, exempt),
		judgeServerPairs(h, p, exempt),
		judgeIDs(h, p),
		judgeThinking(h, p, o.Request.Thinking),
	}
	if p.Provider == "portable" {
		rules = append(rules, judgeCommon(h))
	}
	for _, rule := range rules {
		if rule != "" {
			return rule
		}
	}
	return ""
}

// judgeCommon is what some provider refuses, beyond what judge finds for any of them.
func judgeCommon(h []preflight.Message) string {
	seen, breakpoints := map[string]bool{}, 0
	last := preflight.Role("")
	for i, m := range h {
		at := fmt.Sprintf("messages[%d]: ", i)
		if m.Role == last && m.Role != preflight.RoleTool {
			return at + "the same role as before"
		}
		if last != "" && m.Role == preflight.RoleSystem {
			return at + "a system message midway"
		}
		if m.Role != preflight.RoleSystem && (last == "" || last == preflight.RoleSystem) &&
			m.Role != preflight.RoleUser {
			return at + "the first turn is not the user's"
		}
		last = m.Role
		if m.Name != "" && !openAIName.MatchString(m.Name) {
			return at + "the participant's name"
		}
		for _, part := range m.Parts {
			if cacheOf(part) != nil {
				breakpoints++
			}
			switch x := part.(type) {
			case *preflight.Text:
				if strings.TrimSpace(x.Text) == "" {
					return at + "blank text"
				}
			case *preflight.ToolCall:
				switch {
				case seen[x.ID]:
					return at + "a call id of an earlier turn"
				case !x.ProviderExecuted && !commonID.MatchString(x.ID):
					return fmt.Sprintf("%scall id %q", at, x.ID)
				case !x.ProviderExecuted && !commonName.MatchString(x.Name):
					return fmt.Sprintf("%stool name %q", at, x.Name)
				}
				seen[x.ID] = true
			case *preflight.ToolResult:
				if x.ProviderExecuted {
					continue
				}
				if len(x.Content) == 0 && len(x.Output) == 0 {
					return at + "a result without content"
				}
				for _, c := range x.Content {
					if t, ok := c.(*preflight.Text); ok && strings.TrimSpace(t.Text) == "" {
						return at + "blank text in a result"
					}
				}
			case *preflight.Media:
				if m.Role != preflight.RoleUser {
					return at + "media that is not the user's"
				}
			}
		}
	}
	switch {
	case last == "" || last == preflight.RoleSystem:
		return "no turn at all"
	case breakpoints > 4:
		return "more than four cache breakpoints"
	}
	return ""
}

// waiting reports whether a call waits on purpose.
func waiting(open func(*preflight.ToolCall) preflight.Part) func(*preflight.ToolCall) bool {
	return func(c *preflight.ToolCall) bool {
		if c.Awaiting != "" || open == nil {
			return c.Awaiting != ""
		}
		_, waits := open(c).(*preflight.ToolCall)
		return waits
	}
}

// waitsIf is an Options.OpenCall by which some calls wait.
func waitsIf(waits func(*preflight.ToolCall) bool) func(*preflight.ToolCall) preflight.Part {
	return func(c *preflight.ToolCall) preflight.Part {
		if waits(c) {
			return c
		}
		return nil
	}
}
