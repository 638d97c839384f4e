package spec

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// This file is the part of the oracle that judges messages and parts by themselves.

// judgeMessages checks each message by itself.
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

// saysAfterResults reports whether text comes after the last result in a message. Between results
// it was not seen to be refused.
func saysAfterResults(m preflight.Message) bool {
	said := false
	for _, x := range slices.Backward(m.Parts) {
		if asResult(x, false) != nil {
			return said
		}
		_, text := x.(*preflight.Text)
		said = said || text
	}
	return false
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

// judgePart checks one part, in a message of a neutral role.
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

// judgeThinking: what depends on the thinking mode of the request.
func judgeThinking(h []preflight.Message, p *preflight.Profile, mode provider.Thinking) string {
	if p.Provider != "anthropic" {
		return ""
	}
	all := exchanges(h, p.Turns.Joined())
	if mode == provider.ThinkingOff {
		for _, x := range all[loopOf(all):] {
			for _, part := range partsOf(x.turn) {
				if _, ok := part.(*preflight.Reasoning); ok {
					return "reasoning in the open turn while thinking is off"
				}
			}
		}
	}
	if mode != provider.ThinkingBudget {
		return ""
	}
	for _, x := range all {
		for k, part := range partsOf(x.turn) {
			_, reasons := part.(*preflight.Reasoning)
			if k > 0 && reasons {
				return "reasoning in a turn that does not begin with it"
			}
			if k == 0 && (reasons || isUnknownKind(part)) {
				break // what is of an unknown kind may be reasoning
			}
		}
	}
	return ""
}

// loopOf is the index of the first of the exchanges at the end that nothing but results follows:
// the provider takes them for one turn that is not over.
func loopOf(all []exchange) int {
	k := len(all)
	for k > 0 && len(all[k-1].turn) > 0 &&
		len(leadingResults(all[k-1].after, skipNothing)) == len(partsOf(all[k-1].after)) {
		k--
	}
	return k
}

func byTag(h []preflight.Message, tag string) preflight.Part {
	for _, m := range h {
		for _, p := range m.Parts {
			if tag != "" && histgen.Tag(p) == tag {
				return p
			}
		}
	}
	return nil
}
