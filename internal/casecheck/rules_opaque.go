package casecheck

import (
	"slices"
	"strings"
)

// opaqueRules are about what a sanitizer must not look into: reasoning and its
// signatures, provider-executed tools, images, citations, cache breakpoints.
var opaqueRules = []rule{
	on(`no thinking block (?:with empty signature|without signature)`, func(k *check, _ []string) string {
		return k.unless(every(k.out.typed("thinking"), func(p *part) bool { return isSet(p.raw.get("signature")) }))
	}),
	on(`no thinking block with foreign signature '(.*)'`, func(k *check, a []string) string {
		return k.unless(every(k.out.typed("thinking"), func(p *part) bool { return p.raw.get("signature") != a[0] }))
	}),
	on(`no thinking block with JSON signature`, func(k *check, _ []string) string {
		return k.unless(every(k.out.typed("thinking"), func(p *part) bool {
			_, isObject := p.raw.get("signature").(*object)
			return !isObject && !strings.HasPrefix(p.raw.str("signature"), "{")
		}))
	}),
	on(`thinking '(.*)' kept with signature '(.*)'`, func(k *check, a []string) string {
		return k.unless(slices.ContainsFunc(k.out.typed("thinking"), func(p *part) bool {
			return p.raw.get("thinking") == a[0] && p.raw.get("signature") == a[1]
		}))
	}),
	on(`no assistant message with only thinking`, func(k *check, _ []string) string {
		return k.unless(every(k.out.messages, func(m *message) bool {
			return len(m.parts) == 0 || m.count(thinkPart) < len(m.parts)
		}))
	}),
	on(`thinking kept intact`, func(k *check, _ []string) string {
		return k.unless(slices.EqualFunc(k.in.kinds(thinkPart), k.out.kinds(thinkPart), func(a, b *part) bool { return equal(a.raw, b.raw) }))
	}),
	on(`redacted_thinking kept.*`, func(k *check, _ []string) string {
		return k.unless(k.told || len(k.out.typed("redacted_thinking")) > 0)
	}),

	on(`reasoning_content '(.*)' kept`, func(k *check, a []string) string {
		return k.unless(slices.ContainsFunc(k.out.messages, func(m *message) bool { return m.raw.get("reasoning_content") == a[0] }))
	}),
	on(`reasoning (\S+) kept`, func(k *check, a []string) string { return k.unless(k.hasReasoning(a[0])) }),
	on(`if (\S+) removed then id (\S+) stripped`, func(k *check, a []string) string {
		named := slices.ContainsFunc(k.out.messages, func(m *message) bool { return m.raw.get("id") == a[1] })
		return k.unless(k.hasReasoning(a[0]) || !named)
	}),
	on(`if (\S+) removed then (\S+) and (\S+) removed`, func(k *check, a []string) string {
		return k.unless(len(k.calls(a[0])) > 0 || !k.hasReasoning(a[1]) && !k.hasReasoning(a[2]))
	}),
	on(`no (?:trailing reasoning item without successor|reasoning item followed by user message|reasoning \S+ without its successor)`, reasoningFollowed),
	on(`no reasoning (\S+) without encrypted_content`, func(k *check, a []string) string {
		return k.unless(every(k.out.typed("reasoning"), func(p *part) bool {
			return p.raw.get("id") != a[0] || isSet(p.raw.get("encrypted_content"))
		}))
	}),
	on(`following ids intact`, func(k *check, _ []string) string {
		return k.unless(slices.EqualFunc(k.in.messages, k.out.messages, func(a, b *message) bool {
			return equal(a.raw.get("id"), b.raw.get("id"))
		}))
	}),

	on(`(server_tool_use|code_execution_tool_result) (\S+) kept`, func(k *check, a []string) string {
		return k.unless(slices.ContainsFunc(k.out.typed(a[0]), func(p *part) bool {
			return p.raw.get("id") == a[1] || p.raw.get("tool_use_id") == a[1]
		}))
	}),
	on(`tool_search_output kept`, func(k *check, _ []string) string {
		return k.unless(slices.ContainsFunc(k.out.messages, func(m *message) bool { return m.raw.str("type") == "tool_search_output" }))
	}),
	on(`first functionCall of the turn has a thoughtSignature`, func(k *check, _ []string) string {
		return k.unless(len(k.out.calls) > 0 && isSet(k.out.calls[0].raw.get("thoughtSignature")))
	}),
	on(`second functionCall has no injected signature`, func(k *check, _ []string) string {
		return k.unless(len(k.out.calls) > 1 && !isSet(k.out.calls[1].raw.get("thoughtSignature")))
	}),

	on(`image kept`, func(k *check, _ []string) string { return k.unless(len(k.out.typed("image")) > 0) }),
	on(`no image with empty data`, func(k *check, _ []string) string {
		return k.unless(every(k.out.typed("image"), func(p *part) bool { return p.raw.sub("source").get("data") != "" }))
	}),
	on(`no input_image anywhere`, func(k *check, _ []string) string {
		return k.unless(!slices.Contains(allStrings(k.out.body), "input_image"))
	}).onlyFor("text-only model"),
	on(`citations kept`, func(k *check, _ []string) string { return k.unless(k.anyHas("citations", anyPart)) }),

	on(`cache_control on (?:'(.*)'|result (\S+)) kept`, func(k *check, a []string) string {
		return k.unless(k.anyHas("cache_control", func(p *part) bool {
			if a[1] != "" {
				return p.id == ident{a[1], true}
			}
			return p.isText && p.text == a[0]
		}))
	}),
	on(`cache breakpoint moved`, func(k *check, _ []string) string { return k.unless(k.anyHas("cache_control", anyPart)) }),
	on(`no cache_control on an empty text block`, func(k *check, _ []string) string {
		return k.unless(!k.anyHas("cache_control", func(p *part) bool { return p.kind == textPart && p.isText && p.text == "" }))
	}),
	on(`is_error, image and cache_control on result (\S+) kept`, func(k *check, a []string) string {
		id := ident{a[0], true}
		i := slices.IndexFunc(k.in.results, func(r *part) bool { return r.id == id })
		return k.unless(i >= 0 && slices.ContainsFunc(k.out.results, func(r *part) bool { return equal(r.raw, k.in.results[i].raw) }))
	}),
}

func anyPart(*part) bool { return true }

// anyHas tells whether a part of this sort carries a member that is set.
func (k *check) anyHas(member string, ok func(*part) bool) bool {
	for p := range k.out.parts() {
		if isSet(p.raw.get(member)) && ok(p) {
			return true
		}
	}
	return false
}

func (k *check) hasReasoning(id string) bool {
	return slices.ContainsFunc(k.out.typed("reasoning"), func(p *part) bool { return p.raw.get("id") == id })
}

// reasoningFollowed: behind reasoning items stands something the model made.
func reasoningFollowed(k *check, _ []string) string {
	pending := false
	for _, m := range k.out.messages {
		if m.raw.str("type") == "reasoning" {
			pending = true
			continue
		}
		if pending && (m.role == "user" || m.role == "tool" || isSystem(m.role)) {
			return k.out.outline()
		}
		pending = false
	}
	return k.unless(!pending)
}
