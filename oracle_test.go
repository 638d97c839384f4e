package preflight_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// This file is a second reading of the providers' rules, for the properties to judge by. It is
// naive on purpose: it reads a history turn by turn, with lists and nested loops, and shares no
// code with Check or with the fixers.

// spelledRole is the neutral role a role's spelling stands for; an unknown role is the user's.
func spelledRole(r preflight.Role) preflight.Role {
	switch strings.ToLower(strings.TrimSpace(string(r))) {
	case "system", "developer":
		return preflight.RoleSystem
	case "assistant", "ai", "model", "bot":
		return preflight.RoleAssistant
	case "tool", "function":
		return preflight.RoleTool
	}
	return preflight.RoleUser
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
		exempt = waiting(o.Pending)
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
func waiting(pending func(*preflight.ToolCall) bool) func(*preflight.ToolCall) bool {
	return func(c *preflight.ToolCall) bool {
		return c.Awaiting != "" || pending != nil && pending(c)
	}
}

// judgeMessages looks at each message by itself.
func judgeMessages(h []preflight.Message, p *preflight.Profile) string {
	anthropic := p.Provider == "anthropic"
	breakpoints := 0
	for i, m := range h {
		known := []preflight.Role{"system", "user", "assistant"}
		switch p.Provider {
		case "openai-chat":
			known = append(known, "developer", "tool", "function")
		case "", "portable":
			known = append(known, "tool")
		case "gemini":
			if takesFunctions(p) {
				known = append(known, "function")
			}
		}
		if !slices.Contains(known, m.Role) {
			return fmt.Sprintf("messages[%d]: unknown role %q", i, m.Role)
		}
		if len(m.Parts) == 0 && p.Provider != "" {
			return fmt.Sprintf("messages[%d]: no content", i)
		}
		if p.Provider == "openai-chat" && m.Name != "" && !openAIName.MatchString(m.Name) {
			return fmt.Sprintf("messages[%d]: name %q", i, m.Name)
		}
		results := 0
		for j, part := range m.Parts {
			why := judgePart(part, spelledRole(m.Role), p)
			if why == blankText && len(p.Content.BlankBeside) > 0 &&
				spelledRole(m.Role) == preflight.RoleAssistant &&
				saysMore(m) {
				continue
			}
			if why != "" {
				return fmt.Sprintf("messages[%d].parts[%d]: %s", i, j, why)
			}
			if asResult(part, false) != nil {
				results++
			}
			if cacheOf(part) != nil {
				breakpoints++
			}
		}
		if p.Turns.NoTextAfterResults && saysAfterResults(m) {
			return fmt.Sprintf("messages[%d]: text after a result", i)
		}
		if p.Provider == "openai-chat" && results > 1 {
			return fmt.Sprintf("messages[%d]: two results in one message", i)
		}
	}
	if anthropic && breakpoints > 4 {
		return "more than four cache breakpoints"
	}
	return ""
}

// takesFunctions reports whether results may be in messages of the role "function".
func takesFunctions(p *preflight.Profile) bool { return slices.Contains(p.Roles, "function") }

// saysAfterResults reports whether text comes after a result in a message.
func saysAfterResults(m preflight.Message) bool {
	k := slices.IndexFunc(m.Parts, func(x preflight.Part) bool { return asResult(x, false) != nil })
	return k >= 0 &&
		slices.ContainsFunc(
			m.Parts[k:],
			func(x preflight.Part) bool { _, ok := x.(*preflight.Text); return ok },
		) &&
		asResult(m.Parts[len(m.Parts)-1], false) == nil
}

func cacheOf(p preflight.Part) json.RawMessage {
	switch p := p.(type) {
	case *preflight.Text:
		if p != nil {
			return p.Cache
		}
	case *preflight.Reasoning:
		if p != nil {
			return p.Cache
		}
	case *preflight.ToolCall:
		if p != nil {
			return p.Cache
		}
	case *preflight.ToolResult:
		if p != nil {
			return p.Cache
		}
	case *preflight.Media:
		if p != nil {
			return p.Cache
		}
	case *preflight.Other:
		if p != nil {
			return p.Cache
		}
	}
	return nil
}

func judgeText(s string, p *preflight.Profile) string {
	switch {
	case !utf8.ValidString(s):
		return "text is not Unicode"
	case strings.Contains(s, "\x00"):
		return "text holds NUL"
	case (p.Provider == "anthropic" || p.Format == "gemini") && s == "":
		return "text is empty"
	case p.Provider == "anthropic" && strings.TrimSpace(s) == "":
		return blankText
	}
	return ""
}

const blankText = "text is blank"

// saysMore reports whether a message holds anything but white space.
func saysMore(m preflight.Message) bool {
	return slices.ContainsFunc(m.Parts, func(part preflight.Part) bool {
		t, ok := part.(*preflight.Text)
		return !ok || strings.TrimSpace(t.Text) != ""
	})
}

func isJSONObject(raw []byte) bool {
	var object map[string]json.RawMessage
	return utf8.Valid(raw) && json.Unmarshal(raw, &object) == nil && object != nil
}

// judgePart looks at one part, in a message of a neutral role.
func judgePart(part preflight.Part, role preflight.Role, p *preflight.Profile) string {
	anthropic := p.Provider == "anthropic"
	resultRoles := []preflight.Role{preflight.RoleUser, preflight.RoleTool}
	if p.Pairing.ResultRole != "" {
		resultRoles = []preflight.Role{p.Pairing.ResultRole}
	}
	switch x := part.(type) {
	case *preflight.Text:
		if x == nil {
			return "a nil part"
		}
		if role == preflight.RoleTool {
			return "text in a tool message"
		}
		return judgeText(x.Text, p)
	case *preflight.Reasoning:
		switch {
		case x == nil:
			return "a nil part"
		case role != preflight.RoleAssistant:
			return "reasoning that is not the assistant's"
		case anthropic && x.Signature == "" && x.Opaque == "":
			return "reasoning without a signature"
		case anthropic && x.Cache != nil:
			return "a cache breakpoint on reasoning"
		case !utf8.ValidString(x.Text):
			return "reasoning is not Unicode"
		}
	case *preflight.ToolCall:
		switch {
		case x == nil:
			return "a nil part"
		case role != preflight.RoleAssistant:
			return "a call that is not the assistant's"
		case p.Provider != "" && p.Provider != "openai-chat" && x.Variant != "custom" &&
			!isJSONObject(x.Input):
			return fmt.Sprintf("arguments are not an object: %.40q", x.Input)
		case anthropic && !x.ProviderExecuted &&
			(strings.TrimSpace(x.Name) == "" || len(x.Name) > 200):
			return fmt.Sprintf("tool name %q", x.Name)
		case p.Provider == "openai-chat" && !openAIName.MatchString(x.Name):
			return fmt.Sprintf("tool name %q", x.Name)
		}
	case *preflight.ToolResult:
		if x == nil {
			return "a nil part"
		}
		if x.ProviderExecuted {
			if role != preflight.RoleAssistant {
				return "a provider-executed result that is not in the assistant's turn"
			}
			return ""
		}
		if !slices.Contains(resultRoles,
			role) && !(role == preflight.RoleTool && takesFunctions(p)) {
			return "a result in a message of role " + string(role)
		}
		if anthropic && x.IsError && len(x.Content) == 0 && len(x.Output) == 0 {
			return "an error result that says nothing"
		}
		for _, c := range x.Content {
			if t, ok := c.(*preflight.Text); ok {
				if t == nil {
					return "nil inside a result"
				}
				if why := judgeText(t.Text, p); why != "" {
					return "result: " + why
				}
			}
			if _, media := c.(*preflight.Media); media && !p.Media.InResult {
				return "media inside a result"
			}
		}
	case *preflight.Media:
		if x == nil {
			return "a nil part"
		}
		if anthropic && role == preflight.RoleAssistant ||
			p.Provider == "openai-chat" && role != preflight.RoleUser {
			return "media in a message of role " + string(role)
		}
	case *preflight.Other:
		if x == nil {
			return "a nil part"
		}
		if anthropic && (x.Kind == "fallback" ||
			x.Kind == "container_upload" && role == preflight.RoleAssistant) {
			return "a part of kind " + x.Kind
		}
	case nil:
		return "a nil part"
	}
	return ""
}

// judgeOrder looks at the order of the turns.
func judgeOrder(
	h []preflight.Message,
	p *preflight.Profile,
	exempt func(*preflight.ToolCall) bool,
) string {
	if len(h) == 0 {
		return "no messages"
	}
	if p.Provider == "" {
		return ""
	}
	first := true
	for i, m := range h {
		role := spelledRole(m.Role)
		if role == preflight.RoleSystem {
			if p.System.Placement == provider.SystemRefused {
				return fmt.Sprintf("messages[%d]: a system message", i)
			}
			onlySettings := !slices.ContainsFunc(
				m.Parts,
				func(x preflight.Part) bool { _, ok := x.(*preflight.Other); return !ok },
			)
			if !first && p.System.Placement == provider.SystemLeading && !onlySettings {
				return fmt.Sprintf("messages[%d]: a system message midway", i)
			}
			continue
		}
		if first && p.Turns.UserFirst && p.Provider == "anthropic" && role != preflight.RoleUser {
			return "the first turn is not the user's"
		}
		first = false
		if p.Provider == "gemini" && role == preflight.RoleAssistant &&
			len(callsOf(m.Parts, false)) > 0 {
			before := preflight.Message{Role: preflight.RoleSystem}
			if i > 0 {
				before = h[i-1]
			}
			switch r := spelledRole(before.Role); {
			case r == preflight.RoleSystem:
				return fmt.Sprintf("messages[%d]: a call before the first turn of the user's", i)
			case r == preflight.RoleAssistant && len(callsOf(before.Parts, false)) == 0:
				return fmt.Sprintf("messages[%d]: a call right after an answer", i)
			}
		}
		if p.Provider == "gemini" && role == preflight.RoleAssistant &&
			len(callsOf(m.Parts, false)) == 0 &&
			i > 0 &&
			len(callsOf(h[i-1].Parts, false)) > 0 {
			return fmt.Sprintf("messages[%d]: an answer right after a call", i)
		}
		if p.Provider == "anthropic" && p.Turns.Neighbours == provider.NeighboursMerged && i > 0 &&
			h[i-1].Role == m.Role {
			return fmt.Sprintf("messages[%d]: the same role as before", i)
		}
	}
	if first && p.Provider == "anthropic" {
		return "no turn at all"
	}
	last := h[len(h)-1]
	if p.Prefill.Refused && spelledRole(last.Role) == preflight.RoleAssistant {
		var results []*preflight.ToolResult
		for _, part := range last.Parts {
			if r := asResult(part, true); r != nil {
				results = append(results, r)
			}
		}
		served := callsOf(last.Parts, true)
		for _, c := range served {
			if countOf(served, c.ID) > countOf(results, c.ID) {
				return "" // the provider paused
			}
		}
		if slices.ContainsFunc(
			append(callsOf(last.Parts, false), callsOf(last.Parts, true)...),
			exempt,
		) {
			return ""
		}
		return "the last turn is the assistant's"
	}
	return ""
}

// matchNames pairs the calls of a turn with the results after it where ids may be missing: first
// by id and name, then by name alone where one of them has no id, then by place where there are as
// many results as calls. An orphan has nil.
func matchNames(calls []*preflight.ToolCall, run []*preflight.ToolResult) []*preflight.ToolCall {
	out, taken := make([]*preflight.ToolCall, len(run)), make([]bool, len(calls))
	for _, half := range []bool{false, true} {
		for k, r := range run {
			for at, c := range calls {
				if out[k] == nil && !taken[at] && c.Name == r.Name &&
					(c.ID == r.CallID || half && (c.ID == "" || r.CallID == "")) {
					out[k], taken[at] = c, true
				}
			}
		}
	}
	for k, r := range run { // the same id under another name
		for at, c := range calls {
			if out[k] == nil && !taken[at] && c.ID == r.CallID && c.ID != "" {
				out[k], taken[at] = c, true
			}
		}
	}
	if len(run) != len(calls) {
		return out
	}
	for k := range run {
		if at := slices.Index(taken, false); out[k] == nil && at >= 0 {
			if out[k], taken[at] = calls[at], true; calls[at].ID != "" && run[k].CallID != "" {
				out[k] = nil
			}
		}
	}
	return out
}

// firstResults are the results in the first message after a turn, in any place of it.
func firstResults(after []preflight.Message) (run []*preflight.ToolResult) {
	if len(after) > 0 {
		for _, p := range after[0].Parts {
			if r := asResult(p, false); r != nil {
				run = append(run, r)
			}
		}
	}
	return run
}

// togetherResults are the results after a turn of a provider that takes them in any place of a
// message: those of each message until one holds something else as well. Parts that skip reports
// are ignored.
func togetherResults(
	after []preflight.Message,
	skip func(preflight.Part) bool,
) (run []*preflight.ToolResult) {
	for k, m := range after {
		run = append(run, firstResults(after[k:])...)
		for _, p := range m.Parts {
			if asResult(p, false) == nil && !skip(p) {
				return run
			}
		}
	}
	return run
}

// resultsAfter are the results where the profile's provider looks for those of a turn.
func resultsAfter(x exchange, p *preflight.Profile) []*preflight.ToolResult {
	if p.Pairing.Results == provider.ResultsTogether {
		return firstResults(x.after)
	}
	return leadingResults(x.after, skipNothing)
}

// judgeNames is judgePairs for one turn of a provider that goes by names.
func judgeNames(x exchange, p *preflight.Profile, exempt func(*preflight.ToolCall) bool) string {
	calls, run := callsOf(partsOf(x.turn), false), resultsAfter(x, p)
	if slices.ContainsFunc(
		run,
		func(r *preflight.ToolResult) bool { return strings.TrimSpace(r.Name) == "" },
	) &&
		!slices.ContainsFunc(
			calls,
			func(c *preflight.ToolCall) bool { return strings.TrimSpace(c.Name) == "" },
		) {
		return "a result has no name"
	}
	matched := matchNames(calls, run)
	if k := slices.Index(matched, nil); k >= 0 {
		return fmt.Sprintf(
			"the result of %q has no call of its name in the turn before it, or a second one",
			run[k].CallID,
		)
	}
	open := 0
	for _, c := range calls {
		if !exempt(c) {
			open++
		}
	}
	if open > len(run) {
		return "a call has no result after it"
	}
	return ""
}

// judgePairs: each call has one result in the run of results after its turn, and each result has
// its call there.
func judgePairs(
	h []preflight.Message,
	p *preflight.Profile,
	exempt func(*preflight.ToolCall) bool,
) string {
	judgeTurn := judgeByID
	if p.Pairing.ByName {
		judgeTurn = judgeNames
	}
	for _, x := range exchanges(h, p.Turns.Joined()) {
		if found := judgeTurn(x, p, exempt); found != "" {
			return found
		}
		results := 0
		for _, part := range partsOf(x.after) {
			if asResult(part, false) != nil {
				results++
			}
		}
		if results != len(resultsAfter(x, p)) {
			return "a result comes after other content"
		}
	}
	return ""
}

// judgeByID is judgePairs for one turn of a provider that goes by ids.
func judgeByID(x exchange, p *preflight.Profile, exempt func(*preflight.ToolCall) bool) string {
	var open []string
	exempted := map[string]int{}
	for _, c := range callsOf(partsOf(x.turn), false) {
		open = append(open, c.ID)
		if exempt(c) {
			exempted[c.ID]++
		}
	}
	for _, r := range leadingResults(x.after, skipNothing) {
		k := slices.Index(open, r.CallID)
		if k < 0 {
			return fmt.Sprintf(
				"the result of %q has no call in the turn before it, or a second one",
				r.CallID,
			)
		}
		open = slices.Delete(open, k, k+1)
	}
	for _, id := range open {
		if exempted[id]--; exempted[id] < 0 {
			return fmt.Sprintf("the call %q has no result after it", id)
		}
	}
	return ""
}

// judgeServerPairs: a provider-executed result has its call before it in its turn; a call has its
// result there, unless the conversation ends with it or with the results of client calls.
func judgeServerPairs(
	h []preflight.Message,
	p *preflight.Profile,
	exempt func(*preflight.ToolCall) bool,
) string {
	all := exchanges(h, p.Turns.Joined())
	for k, x := range all {
		var open []*preflight.ToolCall
		for _, part := range partsOf(x.turn) {
			if r := asResult(part, true); r != nil {
				at := slices.IndexFunc(open, func(c *preflight.ToolCall) bool {
					return c.ID == r.CallID && (c.Variant == "mcp") == (r.Variant == "mcp")
				})
				if at < 0 {
					return fmt.Sprintf(
						"the provider-executed result of %q has no call before it in its turn",
						r.CallID,
					)
				}
				open = slices.Delete(open, at, at+1)
			}
			open = append(open, callsOf([]preflight.Part{part}, true)...)
		}
		open = slices.DeleteFunc(open, exempt)
		if len(open) == 0 ||
			k == len(all)-1 &&
				len(leadingResults(x.after, skipNothing)) == len(partsOf(x.after)) {
			continue
		}
		return fmt.Sprintf("the provider-executed call %q has no result in its turn", open[0].ID)
	}
	return ""
}

func judgeIDs(h []preflight.Message, p *preflight.Profile) string {
	seen := map[string]bool{}
	for _, x := range exchanges(h, p.Turns.Joined()) {
		if p.Provider != "anthropic" {
			clear(seen)
		}
		for _, part := range partsOf(x.turn) {
			c, ok := part.(*preflight.ToolCall)
			if !ok {
				continue
			}
			switch {
			case c.ID == "" && p.Pairing.ByName:
			case strings.TrimSpace(c.ID) == "" || !utf8.ValidString(c.ID):
				return fmt.Sprintf("call id %q", c.ID)
			case p.Provider != "" && !p.Pairing.ByName && seen[c.ID]:
				return fmt.Sprintf("call id %q used twice", c.ID)
			case p.Provider == "openai-chat" && len(c.ID) > 40:
				return fmt.Sprintf("call id %q is too long", c.ID)
			case p.Provider == "anthropic" && c.Variant != "mcp" && c.ProviderExecuted &&
				p.IDs.ServerCall.Prefix != "" && !serverID.MatchString(c.ID):
				return fmt.Sprintf("provider-executed call id %q", c.ID)
			case p.Provider == "anthropic" && c.Variant != "mcp" && !c.ProviderExecuted &&
				!anthropicID.MatchString(c.ID):
				return fmt.Sprintf("call id %q", c.ID)
			}
			seen[c.ID] = true
		}
	}
	return ""
}

// judgeThinking: what depends on the thinking mode of the request.
func judgeThinking(h []preflight.Message, p *preflight.Profile, mode provider.Thinking) string {
	if p.Provider != "anthropic" {
		return ""
	}
	all := exchanges(h, p.Turns.Joined())
	last := all[len(all)-1]
	open := len(last.turn) > 0 &&
		len(leadingResults(last.after, skipNothing)) == len(partsOf(last.after))
	if open && mode == provider.ThinkingOff {
		for _, part := range partsOf(last.turn) {
			if _, ok := part.(*preflight.Reasoning); ok {
				return "reasoning in the open turn while thinking is off"
			}
		}
	}
	if mode != provider.ThinkingBudget {
		return ""
	}
	for i, m := range h {
		has := slices.ContainsFunc(
			m.Parts,
			func(x preflight.Part) bool { _, ok := x.(*preflight.Reasoning); return ok },
		)
		if !has {
			continue
		}
		if _, leads := m.Parts[0].(*preflight.Reasoning); !leads {
			return fmt.Sprintf("messages[%d]: reasoning does not lead", i)
		}
	}
	return ""
}

// answersOf tells, by tag, which result answers each call of a sound history.
func answersOf(
	h []preflight.Message,
	p *preflight.Profile,
	waits func(*preflight.ToolCall) bool,
) map[string]string {
	out := map[string]string{}
	for _, x := range exchanges(h, p.Turns.Joined()) {
		run := resultsAfter(x, p)
		calls := callsOf(partsOf(x.turn), false)
		for c, r := range nearest(x.turn, run, p.Pairing.ByName, waits) {
			out[histgen.Tag(c)] = histgen.Tag(r)
			calls = slices.DeleteFunc(calls, func(o *preflight.ToolCall) bool { return o == c })
			run = slices.DeleteFunc(run, func(o *preflight.ToolResult) bool { return o == r })
		}
		if !p.Pairing.ByName {
			continue
		}
		for k, c := range matchNames(calls, run) { // what lacks an id
			if c != nil {
				out[histgen.Tag(c)] = histgen.Tag(run[k])
			}
		}
	}
	return out
}

// pair is a call, and the results that may answer it, by tag.
type pair struct {
	call    string
	results []string
	// results with the id of the call and the name of another tool, which are real
	otherNamed []string
}

// certainPairs lists the calls with an id that no other call has, and that have a result with that
// very id somewhere after them: whatever else is wrong, one of these results is the answer, and a
// real one if there is one. Where they are errors or placeholders alone, a real one before the call
// may be the answer as well, and so may a real one after it that has the id but names another tool:
// the id is evidence before the name is, and of several results of one id the real one is the
// answer. Left out is what is uncertain by its nature: of calls that share an id, which one a
// result means; of calls without an id, or of one name where names count and some go without ids,
// the same; and a call that occurs twice cannot be told from itself.
func certainPairs(h []preflight.Message, p *preflight.Profile) []pair {
	ids, tags := map[string]int{}, tagCounts(h)
	byName := map[string]bool{} // names of which some call or result goes without an id
	for _, part := range partsOf(h) {
		if c, ok := part.(*preflight.ToolCall); ok && c != nil {
			ids[c.ID]++
			byName[c.Name] = byName[c.Name] || p.Pairing.ByName && strings.TrimSpace(c.ID) == ""
		} else if r := asResult(part, false); r != nil {
			byName[r.Name] = byName[r.Name] || p.Pairing.ByName && strings.TrimSpace(r.CallID) == ""
		}
	}
	var out []pair
	for i, m := range h {
		for j, part := range m.Parts {
			c, ok := part.(*preflight.ToolCall)
			if !ok || c == nil || c.ProviderExecuted || strings.TrimSpace(c.ID) == "" ||
				ids[c.ID] > 1 ||
				tags[histgen.Tag(c)] != 1 ||
				byName[c.Name] {
				continue
			}
			found := pair{call: histgen.Tag(c)}
			var standIns, otherNamed []string
			errors := 0
			for _, later := range append(slices.Clone(m.Parts[j+1:]), partsOf(h[i+1:])...) {
				r := asResult(later, false)
				switch {
				case r == nil || r.CallID != c.ID:
				case p.Pairing.ByName && r.Name != c.Name && strings.TrimSpace(r.Name) != "":
					if !isStandIn(r) {
						otherNamed = append(otherNamed, histgen.Tag(r))
						if !r.IsError {
							found.otherNamed = append(found.otherNamed, histgen.Tag(r))
						}
					}
				case isStandIn(r):
					standIns = append(standIns, histgen.Tag(r))
				default:
					found.results = append(found.results, histgen.Tag(r))
					if r.IsError {
						errors++
					}
				}
			}
			doubtful := len(found.results) == errors
			if len(found.results) == 0 && len(standIns) > 0 {
				found.results = append(standIns, otherNamed...)
			} else if doubtful && len(found.results) > 0 {
				found.results = append(found.results, found.otherNamed...)
			}
			if doubtful && len(found.results) > 0 {
				for _, earlier := range append(partsOf(h[:i]), m.Parts[:j]...) {
					if r := asResult(earlier, false); r != nil && r.CallID == c.ID && !r.IsError &&
						!isStandIn(r) {
						found.results = append(found.results, histgen.Tag(r))
					}
				}
			}
			if len(found.results) > 0 {
				out = append(out, found)
			}
		}
	}
	return out
}

// isStandIn reports whether a result is one of the generator's placeholders and no more, or has
// nothing in it.
func isStandIn(r *preflight.ToolResult) bool {
	if len(r.Output) > 0 {
		return false
	}
	content := slices.DeleteFunc(slices.Clone(r.Content), isNothing)
	silent := !slices.ContainsFunc(content, func(c preflight.Part) bool {
		t, ok := c.(*preflight.Text)
		return !ok || strings.TrimSpace(t.Text) != ""
	})
	return silent || len(content) == 1 && strings.HasPrefix(histgen.Tag(r), "p")
}

// isNothing reports whether a part is nil, or a nil pointer of any kind.
func isNothing(p preflight.Part) bool { return p == nil || reflect.ValueOf(p).IsNil() }

// isNameless reports whether a part is a result that does not say whose it is.
func isNameless(p preflight.Part) bool {
	r := asResult(p, false)
	return r != nil && strings.TrimSpace(r.CallID) == ""
}

// completedPairs lists, by tag, the calls that have their result right after their turn, matched
// by id and occurrence. A turn with a result of the caller's side inside it is left out: that
// result ends the turn where it is, so that the results after the message are no longer right
// after the calls before it. So are placeholders, which a real result may relieve, and calls with
// more results than there are calls of their id, where a further call of that id is in somebody
// else's message: it may be about to join the turn, and then results go by occurrence.
func completedPairs(
	h []preflight.Message,
	p *preflight.Profile,
	waits func(*preflight.ToolCall) bool,
) map[string]string {
	out := map[string]string{}
	tags := tagCounts(h)
	h = slices.Clone(h)
	for i, m := range h {
		if !slices.ContainsFunc(m.Parts, func(x preflight.Part) bool {
			return len(callsOf([]preflight.Part{x}, true)) == 0 && asResult(x, true) == nil
		}) {
			// what the provider ran is part of its turn, and does not end one
			h[i].Role = preflight.RoleAssistant
		}
	}
	strays := map[string]bool{} // ids of calls in messages that are not the assistant's
	for _, m := range h {
		for _, c := range callsOf(m.Parts, false) {
			strays[c.ID] = strays[c.ID] || spelledRole(m.Role) != preflight.RoleAssistant
		}
	}
	vanishes := func(x preflight.Part) bool { // in a message that is not the assistant's
		if isNothing(x) {
			return true
		}
		switch x := x.(type) {
		case *preflight.Text:
			return p.Content.RefuseBlankText && strings.TrimSpace(x.Text) == ""
		case *preflight.Reasoning:
			return true
		case *preflight.ToolCall:
			return x.ProviderExecuted && p.Tools.NoServerTools
		case *preflight.ToolResult:
			return x.ProviderExecuted && p.Tools.NoServerTools
		case *preflight.Other:
			return slices.Contains(p.Content.RefusedKinds, provider.RefKind{Kind: x.Kind})
		}
		return false
	}
	h = slices.DeleteFunc(h, func(m preflight.Message) bool { // it keeps no turns apart
		return spelledRole(m.Role) != preflight.RoleAssistant &&
			!slices.ContainsFunc(m.Parts, func(x preflight.Part) bool { return !vanishes(x) })
	})
	for _, x := range exchanges(h, p.Turns.Joined()) {
		parts := partsOf(x.turn)
		if slices.ContainsFunc(
			parts,
			func(part preflight.Part) bool { return asResult(part, false) != nil },
		) {
			continue
		}
		run := leadingResults(x.after, vanishes)
		if p.Pairing.Results == provider.ResultsTogether {
			run = togetherResults(x.after, vanishes)
		}
		for c, r := range nearest(x.turn, run, p.Pairing.ByName, waits) {
			joined := p.Turns.Joined() && strays[c.ID] &&
				countOf(run, c.ID) > countOf(callsOf(parts, false), c.ID)
			if tags[histgen.Tag(c)] == 1 && !isStandIn(r) && !joined &&
				!(r.IsError && answeredBetter(h, r)) {
				out[histgen.Tag(c)] = histgen.Tag(r)
			}
		}
	}
	return out
}

// answeredBetter reports whether a history holds a result of an error's id that is none.
func answeredBetter(h []preflight.Message, failed *preflight.ToolResult) bool {
	return slices.ContainsFunc(partsOf(h), func(p preflight.Part) bool {
		r := asResult(p, false)
		return r != nil && !r.IsError &&
			strings.EqualFold(strings.TrimSpace(r.CallID), strings.TrimSpace(failed.CallID))
	})
}

// countOf is how many of some calls or results are of an id.
func countOf[P preflight.Part](parts []P, id string) (n int) {
	for _, p := range parts {
		switch p := preflight.Part(p).(type) {
		case *preflight.ToolCall:
			if p.ID == id {
				n++
			}
		case *preflight.ToolResult:
			if p.CallID == id {
				n++
			}
		}
	}
	return n
}

// nearest matches the calls of a turn with the results after it by id, and by name where that
// counts, in order. Where there are more calls than results of an id, those of the later messages
// have theirs: a call is known by the result right after its message.
func nearest(
	turn []preflight.Message,
	run []*preflight.ToolResult,
	byName bool,
	waits func(*preflight.ToolCall) bool,
) map[*preflight.ToolCall]*preflight.ToolResult {
	type key struct{ id, name string }
	results := map[key][]*preflight.ToolResult{}
	for _, r := range run {
		k := key{id: r.CallID}
		if byName {
			k.name = r.Name
		}
		results[k] = append(results[k], r)
	}
	out := map[*preflight.ToolCall]*preflight.ToolResult{}
	for k, answers := range results {
		perMessage := make([][]*preflight.ToolCall, len(turn))
		calls := 0
		for i, m := range turn {
			for _, c := range callsOf(m.Parts, false) {
				if c.ID == k.id && (!byName || c.Name == k.name) {
					perMessage[i] = append(perMessage[i], c)
					calls++
				}
			}
		}
		for i := len(turn) - 1; i >= 0 && calls > len(answers); i-- { // calls that wait have none
			for n := len(perMessage[i]) - 1; n >= 0 && calls > len(answers); n-- {
				if waits(perMessage[i][n]) {
					perMessage[i], calls = slices.Delete(perMessage[i], n, n+1), calls-1
				}
			}
		}
		for i := 0; calls > len(answers); {
			if n := len(perMessage[i]); n > 0 {
				perMessage[i], calls = perMessage[i][:n-1], calls-1
			} else {
				i++
			}
		}
		for n, c := range slices.Concat(perMessage...) {
			out[c] = answers[n]
		}
	}
	return out
}

func tagCounts(h []preflight.Message) map[string]int {
	out := map[string]int{}
	for _, p := range partsOf(h) {
		out[histgen.Tag(p)]++
	}
	return out
}

// blocks is a history as the provider's prompt cache sees it: one line per part, without cache
// breakpoints, and without the borders between messages of one role.
func blocks(h []preflight.Message) []string {
	var out []string
	for _, m := range h {
		for _, p := range m.Parts {
			out = append(out, string(m.Role)+" "+describe(p, 1<<30))
		}
	}
	return out
}

// settled is the part of the output for a shorter history that the output for a longer one has to
// begin with: all before the last assistant turn, and the system messages and placeholders in front
// of it. An assistant turn that was made of parts out of other people's messages (strays) does not
// count: it is there only as long as it is the last. Where the longer history brings a result for
// an earlier call, only what comes before that call's turn is settled.
func settled(
	short []preflight.Message,
	longer preflight.Result,
	suffix []preflight.Message,
	g given,
	strays map[string]int,
) []string {
	p, long := g.effective(), longer.Messages
	cut := len(short) - 1
	all := exchanges(short, p.Turns.Joined())
	for k := len(all) - 1; k > 0; k-- {
		cut = all[k].start
		if !slices.ContainsFunc(
			partsOf(all[k].turn),
			func(part preflight.Part) bool { return strays[histgen.Tag(part)] > 0 },
		) {
			break
		}
	}
	sent := blocks(short[:leadIn(short, cut)])
	now := exchanges(long, p.Turns.Joined())
	until := func(cut int) { sent = sent[:min(len(sent), len(blocks(long[:leadIn(long, cut)])))] }
	if g.options.Trailing == preflight.TrailingStrip && len(now) > 1 {
		// where the last turn is stripped, an earlier one is the open one
		until(now[len(now)-1].start)
	}
	late := map[string]bool{}
	for _, part := range partsOf(suffix) {
		for _, mark := range marks(part, g.options.Duplicates) {
			late[mark] = true
		}
	}
	for k, x := range now {
		if len(x.turn) > 0 && answeredLate(x, late, g.options.Duplicates) {
			for k > 1 && apart(g.in, longer.Warnings, now[k].turn) {
				k-- // a turn that was taken apart is one turn
			}
			if k > 1 &&
				slices.ContainsFunc(
					partsOf(now[k].turn),
					func(part preflight.Part) bool { return strays[histgen.Tag(part)] > 0 },
				) {
				// it parts somebody's message, which may hold results of the turn before
				until(now[k-1].start + len(now[k-1].turn))
			} else {
				until(now[k].start)
			}
			break
		}
	}
	return sent
}

// apart reports whether a turn holds a call that was taken out of the turn before it, where the
// model makes one at a time.
func apart(in []preflight.Message, warnings []preflight.Warning, turn []preflight.Message) bool {
	return slices.ContainsFunc(warnings, func(w preflight.Warning) bool {
		return w.Code == codes.CallsSplit &&
			byTag(turn, histgen.Tag(in[w.At.Message].Parts[w.At.Part])) != nil
	})
}

// leadIn moves a cut in front of what comes before a turn for its sake: system messages, and a
// placeholder for the user.
func leadIn(h []preflight.Message, cut int) int {
	for cut > 0 && len(h[cut-1].Parts) > 0 &&
		(spelledRole(h[cut-1].Role) == preflight.RoleSystem || isInserted(h[cut-1])) {
		cut--
	}
	return cut
}

// isInserted reports whether a message is a text that preflight made.
func isInserted(m preflight.Message) bool {
	_, text := m.Parts[0].(*preflight.Text)
	return text && len(m.Parts) == 1 && histgen.Tag(m.Parts[0]) == ""
}

// answeredLate reports whether a turn that is not late itself holds, or is answered by, a result
// that came late, or what became of it where the model knows no tools.
func answeredLate(x exchange, late map[string]bool, duplicates preflight.Duplicates) bool {
	results := leadingResults(x.after, skipNothing)
	for _, part := range partsOf(x.turn) {
		if r := asResult(part, true); r != nil {
			results = append(results, r)
		}
	}
	said := func(p preflight.Part) bool {
		_, text := p.(*preflight.Text)
		tag := histgen.Tag(p)
		// of a result, or of a placeholder
		return text && late[tag] && (tag[0] == 'y' || tag[0] == 'p')
	}
	return slices.ContainsFunc(partsOf(x.after), said) ||
		slices.ContainsFunc(results, func(r *preflight.ToolResult) bool {
			return slices.ContainsFunc(
				marks(r, duplicates),
				func(mark string) bool { return late[mark] },
			)
		})
}

// marks are what a part can be known by: its tag and, where a result may have been merged into
// another, what is in it: its output, and the tags of its content, or its text where that has
// none.
func marks(part preflight.Part, duplicates preflight.Duplicates) []string {
	out := []string{histgen.Tag(part)}
	if r, ok := part.(*preflight.ToolResult); ok && r != nil &&
		duplicates == preflight.DuplicateMerge {
		out = append(out, string(r.Output))
		for _, c := range r.Content {
			t, text := c.(*preflight.Text)
			if tag := histgen.Tag(c); tag != "" || !text || t == nil {
				out = append(out, tag)
			} else {
				out = append(out, t.Text)
			}
		}
	}
	return slices.DeleteFunc(out, func(mark string) bool { return mark == "" })
}
