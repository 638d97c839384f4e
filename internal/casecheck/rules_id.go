package casecheck

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// idRules are about ids and tool names.
var idRules = []rule{
	on(`(2 distinct call ids)|ids (?:unique|distinct)|tool_use ids unique`, func(k *check, a []string) string {
		return k.unless(distinct(k.out.calls) && (a[0] == "" || len(k.out.calls) == 2))
	}),
	on(`tool_use ids unique in the message`, func(k *check, _ []string) string {
		return k.unless(every(k.out.messages, func(m *message) bool { return distinct(only(m.parts, callPart)) }))
	}),
	on(`item ids unique`, func(k *check, _ []string) string {
		seen := map[any]bool{}
		return k.unless(every(k.out.messages, func(m *message) bool {
			id := identOf(m.raw.get("id"))
			fresh := id.text == "" || !seen[id]
			seen[id] = true
			return fresh
		}))
	}),
	on(`stripped`, func(k *check, _ []string) string {
		return k.unless(every(k.out.messages, func(m *message) bool { return !isSet(m.raw.get("id")) }))
	}),
	on(`every (?:tool )?(?:id|tool_call_id) matches (\^.*\{9\}.*)`, idsMatch).onlyFor("mistral"),
	on(`every (?:tool )?(?:id|tool_call_id) matches (\^.*)`, idsMatch),
	on(`every id is 9 alphanumerics`, func(k *check, _ []string) string {
		return idsAre(k, `[a-zA-Z0-9]{9}`, 0)
	}).onlyFor("mistral"),
	on(`every tool_call_id length <= (\d+)`, func(k *check, a []string) string {
		n, _ := strconv.Atoi(a[0])
		return idsAre(k, `(?s).*`, n)
	}),
	on(`every tool name matches (\^.*)`, func(k *check, a []string) string {
		bad, found := firstBad(a[0], 0, names(k.out.calls))
		return unlessf(!found, "tool name %q", bad)
	}),
	on(`id (\S+) kept on the second call.*`, func(k *check, a []string) string {
		c := k.nth(1)
		return k.unless(c != nil && c.id == ident{a[0], true})
	}),
	on(`no (?:empty|null) tool_call_id|no tool message without tool_call_id|no tool_use with empty id`, func(k *check, _ []string) string {
		return k.unless(every(k.out.idents(), notBlank))
	}),
	on(`no (?:tool call|tool_use|function_call) with empty name`, func(k *check, _ []string) string {
		return k.unless(every(names(k.out.calls), notBlank))
	}),
}

func notBlank(id ident) bool { return id.string && strings.TrimSpace(id.text) != "" }

func names(calls []*part) []ident {
	var out []ident
	for _, c := range calls {
		out = append(out, c.name)
	}
	return out
}

// distinct tells whether no two of these calls have the same id.
func distinct(calls []*part) bool {
	seen := map[ident]bool{}
	return !slices.ContainsFunc(calls, func(c *part) bool {
		twice := seen[c.id]
		seen[c.id] = true
		return twice
	})
}

func idsMatch(k *check, a []string) string {
	if len(k.out.idents()) == 0 {
		return "no ids: " + k.out.outline()
	}
	return idsAre(k, a[0], 0)
}

func idsAre(k *check, pattern string, longest int) string {
	bad, found := firstBad(pattern, longest, k.out.idents())
	return unlessf(!found, "id %q", bad)
}

// firstBad is the first of these that breaks a pattern or a length, as text.
func firstBad(pattern string, longest int, list []ident) (string, bool) {
	legal, err := regexp.Compile(`\A(?:` + strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$") + `)\z`)
	if err != nil {
		return err.Error(), true
	}
	for _, id := range list {
		if !id.string || !legal.MatchString(id.text) || longest > 0 && length(id.text) > longest {
			return id.text, true
		}
	}
	return "", false
}
