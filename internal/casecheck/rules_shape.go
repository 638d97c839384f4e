package casecheck

import (
	"slices"
	"strings"
	"unicode"
)

// shapeRules are about turns: their roles, their order, and that they say
// something.
var shapeRules = []rule{
	on(`starts with user`, func(k *check, _ []string) string {
		i := slices.IndexFunc(k.out.messages, func(m *message) bool { return !isSystem(m.role) })
		return k.unless(i >= 0 && k.out.messages[i].role == "user" && len(k.out.messages[i].parts) > 0)
	}),
	on(`ends with user(/tool)?`, func(k *check, a []string) string {
		last := k.out.last()
		return k.unless(last != nil && (last.role == "user" || a[0] != "" && last.role == "tool") && len(last.parts) > 0)
	}),
	on(`a user turn follows`, func(k *check, _ []string) string {
		last := k.out.last()
		return k.unless(last != nil && last.role == "user")
	}),
	on(`assistant text has no trailing whitespace`, func(k *check, _ []string) string {
		last := k.out.last()
		return k.unless(last != nil && (last.role != "assistant" || !endsInSpace(last.parts)))
	}),
	on(`roles alternate|merged`, rolesAlternate),
	on(`roles valid`, func(k *check, _ []string) string {
		return k.unless(every(k.out.messages, func(m *message) bool { return m.role == "user" || m.role == "assistant" }))
	}),
	on(`no user message directly after a tool message`, func(k *check, _ []string) string {
		for i, m := range k.out.messages {
			if i > 0 && m.role == "user" && k.out.messages[i-1].role == "tool" {
				return k.out.outline()
			}
		}
		return ""
	}).onlyFor("mistral"),

	on(`no empty text block(?: anywhere)?`, func(k *check, _ []string) string { return k.unless(!k.emptyTexts(false)) }),
	on(`no (?:whitespace-only|blank) text block|no blank system message|no empty or whitespace-only user content`, func(k *check, _ []string) string {
		return k.unless(!k.emptyTexts(true))
	}),
	on(`no text block with null text`, func(k *check, _ []string) string {
		return k.unless(every(k.out.kinds(textPart), func(p *part) bool { return p.isText }))
	}),
	on(`no empty (?:message|turn)|no message with empty content|output valid: no empty user turn|no assistant message with neither content nor tool_calls`, func(k *check, _ []string) string {
		return k.unless(!k.emptyMessages())
	}),

	on(`(?:tool_result|toolResult|functionResponses?) before text in (?:its|their) (?:message|turn)|tool_results precede text|all tool_results precede that text`, func(k *check, _ []string) string {
		return k.unless(k.resultsFirst())
	}),
	on(`no tool_result in assistant message`, func(k *check, _ []string) string { return k.noneIn("assistant", resultPart) }),
	on(`no tool_use in user message`, func(k *check, _ []string) string { return k.noneIn("user", callPart) }),
	on(`no thinking block in user message`, func(k *check, _ []string) string { return k.noneIn("user", thinkPart) }),
	on(`no toolUse/toolResult blocks when the request declares no tools`, func(k *check, _ []string) string {
		return k.unless(k.declaresTools() || len(k.out.calls)+len(k.out.results) == 0)
	}),
	on(`no-tools target: no toolUse/toolResult blocks, text '(.*)' kept as text; otherwise unchanged`, func(k *check, a []string) string {
		return k.unless(k.declaresTools() || len(k.out.calls)+len(k.out.results) == 0 && k.textKept(a[0]))
	}),
	on(`block order (in last assistant unchanged|preserved)`, func(k *check, a []string) string {
		return k.unless(blockOrder(a[0] != "preserved", k.in, k.out))
	}),
}

func endsInSpace(parts []*part) bool {
	if len(parts) == 0 {
		return false
	}
	p := parts[len(parts)-1]
	return p.kind == textPart && p.text != strings.TrimRightFunc(p.text, unicode.IsSpace)
}

func isSystem(role string) bool { return role == "system" || role == "developer" }

// rolesAlternate leaves system and tool messages out of account.
func rolesAlternate(k *check, _ []string) string {
	var roles []string
	for _, m := range k.out.messages {
		switch {
		case m.role == "function":
			roles = append(roles, "user")
		case m.role != "tool" && !isSystem(m.role):
			roles = append(roles, m.role)
		}
	}
	return k.unless(len(roles) > 0 && len(slices.Compact(slices.Clone(roles))) == len(roles))
}

func (k *check) noneIn(role string, kind kind) string {
	return k.unless(every(k.out.messages, func(m *message) bool { return m.role != role || m.count(kind) == 0 }))
}

func (k *check) declaresTools() bool {
	top, _ := k.out.body.(*object)
	return top.has("toolConfig")
}

// blockOrder compares one message of both views, the last of the assistant or the
// first of the user: what both hold must be something, in one order.
func blockOrder(lastAssistant bool, in, out *view) bool {
	a, b := blocks(lastAssistant, in), blocks(lastAssistant, out)
	a, b = common(a, b), common(b, a)
	return len(b) > 0 && slices.Equal(a, b)
}

// blocks names the parts of that message.
func blocks(lastAssistant bool, v *view) []string {
	var found *message
	for _, m := range v.messages {
		switch {
		case lastAssistant && m.role == "assistant":
			found = m
		case !lastAssistant && m.role == "user" && found == nil:
			found = m
		}
	}
	if found == nil {
		return nil
	}
	var names []string
	for _, p := range found.parts {
		name := string(p.kind)
		switch p.kind {
		case callPart:
			name += " " + p.id.text
		case textPart:
			name += " " + p.text
		}
		names = append(names, name)
	}
	return names
}

// common lists what of a is also in b.
func common(a, b []string) []string {
	return keep(a, func(s string) bool { return slices.Contains(b, s) })
}
