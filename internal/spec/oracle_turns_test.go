package spec

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// This file is the part of the oracle that judges the order of turns, and calls with their results.

// judgeOrder checks the order of the turns.
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
			case slices.ContainsFunc(slices.Concat(before.Parts, m.Parts), isOtherPart):
				// a part of an unknown kind may be a call
			case r == preflight.RoleAssistant && len(callsOf(before.Parts, false)) == 0:
				return fmt.Sprintf("messages[%d]: a call right after an answer", i)
			}
		}
		if p.Provider == "gemini" && role == preflight.RoleAssistant &&
			len(callsOf(m.Parts, false)) == 0 &&
			i > 0 &&
			len(callsOf(h[i-1].Parts, false)) > 0 &&
			!slices.ContainsFunc(slices.Concat(h[i-1].Parts, m.Parts), isUnknownKind) {
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
	if n := len(last.Parts); n > 0 && isUnknownKind(last.Parts[n-1]) {
		return "" // a part of an unknown kind may say that the turn goes on
	}
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
// by id and name, then by id alone, which is evidence before the name is, then by name where one of
// them has no id, then by place where there are as many results as calls. An orphan has nil.
func matchNames(calls []*preflight.ToolCall, run []*preflight.ToolResult) []*preflight.ToolCall {
	out, taken := make([]*preflight.ToolCall, len(run)), make([]bool, len(calls))
	for _, agree := range []func(c *preflight.ToolCall, r *preflight.ToolResult) bool{
		func(c *preflight.ToolCall, r *preflight.ToolResult) bool {
			return c.ID == r.CallID && c.Name == r.Name
		},
		func(c *preflight.ToolCall, r *preflight.ToolResult) bool {
			return c.ID == r.CallID && c.ID != ""
		},
		func(c *preflight.ToolCall, r *preflight.ToolResult) bool {
			return c.Name == r.Name && (c.ID == "" || r.CallID == "")
		},
	} {
		for k, r := range run {
			for at, c := range calls {
				if out[k] == nil && !taken[at] && agree(c, r) {
					out[k], taken[at] = c, true
				}
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

// firstResults are the results in the first message after a turn, in any place of it. A message of
// a tool's that holds nothing but unknown kinds may hold results, and is passed over.
func firstResults(after []preflight.Message) (run []*preflight.ToolResult) {
	for len(after) > 1 && spelledRole(after[0].Role) == preflight.RoleTool &&
		!slices.ContainsFunc(after[0].Parts, func(p preflight.Part) bool { return !isUnknownKind(p) }) {
		after = after[1:]
	}
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

// judgeNames is judgePairs for one turn of a provider that pairs by name. The results answer all
// its calls, or those that are not exempt.
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
	due := slices.DeleteFunc(slices.Clone(calls), exempt)
	matched := matchNames(calls, run)
	if k := slices.Index(matched, nil); k >= 0 && slices.Contains(matchNames(due, run), nil) {
		return fmt.Sprintf(
			"the result of %q has no call of its name in the turn before it, or a second one",
			run[k].CallID,
		)
	}
	userNext := len(x.after) > 0 && slices.ContainsFunc(x.after[0].Parts,
		func(part preflight.Part) bool { return part != nil && asResult(part, false) == nil })
	if len(run) == 0 && p.Pairing.UnansweredTurns && userNext {
		return ""
	}
	if len(due) > len(run) {
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

// judgeByID is judgePairs for one turn of a provider that pairs by id.
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
// result there, unless the conversation ends with it or with the results of client calls. With
// ServedLater the turn goes on after such results.
func judgeServerPairs(
	h []preflight.Message,
	p *preflight.Profile,
	exempt func(*preflight.ToolCall) bool,
) string {
	all := exchanges(h, p.Turns.Joined())
	var open []*preflight.ToolCall
	for k, x := range all {
		before := len(open) // calls that the turn brings from before results of client calls
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
				if at < before {
					before--
				}
			}
			open = append(open, callsOf([]preflight.Part{part}, true)...)
		}
		stale := open[:before:before]
		if len(callsOf(partsOf(x.turn), false)) > 0 {
			stale = nil
		}
		stale = slices.DeleteFunc(slices.Clone(stale), exempt)
		resultsAlone := len(leadingResults(x.after, skipNothing)) == len(partsOf(x.after))
		goesOn := resultsAlone && p.Pairing.ServedLater &&
			len(callsOf(partsOf(x.turn), false)) > 0 && len(partsOf(x.after)) > 0
		switch rest := slices.DeleteFunc(slices.Clone(open), exempt); {
		case len(stale) > 0 && !p.Pairing.ServedOpen:
			return fmt.Sprintf("the provider-executed call %q stays open", stale[0].ID)
		case goesOn:
			continue
		case len(rest) == 0 || p.Pairing.ServedOpen || k == len(all)-1 && resultsAlone:
			open = nil
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

// answersOf tells, by tag, which result answers each call of a sound history.
func answersOf(
	h []preflight.Message,
	p *preflight.Profile,
	waits func(*preflight.ToolCall) bool,
) map[string]string {
	out, named := map[string]string{}, map[string]bool{}
	for _, x := range exchanges(h, p.Turns.Joined()) {
		run := resultsAfter(x, p)
		calls := callsOf(partsOf(x.turn), false)
		for _, c := range calls {
			named[c.Name] = true
		}
		for c, r := range nearest(x.turn, run, p.Pairing.ByName, named, waits) {
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
	if p.Pairing.Results == provider.ResultsAnywhere || p.Pairing.FurtherResults {
		addLater(h, out)
	}
	return out
}

// addLater adds the answers that come later, where a provider takes such results: the first call
// of an id that has none has the first such result of the id, and one behind a placeholder counts
// instead of it.
func addLater(h []preflight.Message, answers map[string]string) {
	taken, open := map[string]bool{}, map[string][]string{}
	for _, result := range answers {
		taken[result] = true
	}
	replaceable := map[string]string{} // the call of a placeholder, by id
	for _, part := range partsOf(h) {
		for _, c := range callsOf([]preflight.Part{part}, false) {
			if _, answered := answers[histgen.Tag(c)]; !answered {
				open[c.ID] = append(open[c.ID], histgen.Tag(c))
			}
			delete(replaceable, c.ID)
			of := asResult(byTag(h, answers[histgen.Tag(c)]), false)
			if of != nil && isStandIn(of) {
				replaceable[c.ID] = histgen.Tag(c)
			}
		}
		r := asResult(part, false)
		if r == nil || taken[histgen.Tag(r)] {
			continue
		}
		if waiting := open[r.CallID]; len(waiting) > 0 {
			answers[waiting[0]], open[r.CallID] = histgen.Tag(r), waiting[1:]
			if isStandIn(r) {
				replaceable[r.CallID] = waiting[0]
			}
		} else if call := replaceable[r.CallID]; call != "" && !isStandIn(r) {
			answers[call] = histgen.Tag(r)
		}
	}
}

// isUnknownKind reports whether a part is of a kind that nobody knows.
func isUnknownKind(p preflight.Part) bool {
	o, ok := p.(*preflight.Other)
	return ok && o != nil &&
		!slices.Contains([]string{"", "fallback", "container_upload", "tool_addition"}, o.Kind)
}

func isOtherPart(p preflight.Part) bool {
	o, ok := p.(*preflight.Other)
	return ok && o != nil
}
