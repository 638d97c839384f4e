package casecheck

import (
	"regexp"
	"slices"
	"strings"
)

// callRules are about tool calls: which are there, answered, and with what
// arguments.
var callRules = []rule{
	on(`no dangling (?:call|functionCall|toolUse)`, noDangling),
	on(`every call answered in the next message`, noDangling),
	on(`first call not dangling`, func(k *check, _ []string) string { return nthAnswered(k, 0) }),
	on(`second call (?:\S+ )?not dangling`, func(k *check, _ []string) string { return nthAnswered(k, 1) }),
	on(`both calls answered`, func(k *check, _ []string) string {
		return k.unless(len(k.out.dangling()) == 0 && len(k.out.calls) == len(k.in.calls))
	}),
	on(`every call answered(?: once)?`, func(k *check, _ []string) string {
		return k.unless(k.allAnswered() && len(k.out.calls) == len(k.in.calls))
	}),
	on(`no dangling (?:call|functionCall|toolUse) (\S+)(?: \(or (kept when pending tail allowed|reported by Validate)\))?`, notDangling),

	on(`(?:call|toolUse) (\S+) kept`, func(k *check, a []string) string { return k.unless(len(k.calls(a[0])) > 0) }),
	on(`call (\S+) removed`, func(k *check, a []string) string { return k.unless(len(k.calls(a[0])) == 0) }),
	on(`call removed`, someCallRemoved),
	on(`removed with its result`, func(k *check, _ []string) string {
		return k.unless(!hasArgs(k.out.calls, inBraces.FindString(k.line)))
	}),
	on(`whole round removed|whole batch removed|both rounds removed`, func(k *check, _ []string) string {
		return k.unless(len(k.out.calls)+len(k.out.results) == 0)
	}),

	on(`call args (\{.*\}) kept`, func(k *check, a []string) string { return k.unless(hasArgs(k.out.calls, a[0])) }),
	on(`input of (\S+) is (\{.*\})`, func(k *check, a []string) string { return argsFound(k, hasArgs(k.calls(a[0]), a[1])) }),
	on(`wraps the raw string`, func(k *check, _ []string) string {
		return argsFound(k, slices.ContainsFunc(k.in.calls, func(c *part) bool {
			raw, ok := c.args.(string)
			return ok && slices.ContainsFunc(k.out.calls, func(o *part) bool { return wraps(o, raw) })
		}))
	}),
	on(`raw text '(.*)' recoverable from input`, func(k *check, a []string) string {
		return argsFound(k, slices.ContainsFunc(k.out.calls, func(c *part) bool { return mentions(allStrings(c.args), a[0]) }))
	}),
	on(`warning`, func(k *check, _ []string) string {
		return unlessf(mentions(k.warningStrings(), k.firstQuoted()), "no warning holds it")
	}),
	on(`every arguments string is valid JSON|arguments (?:are|stay) valid JSON`, argsAreJSON),
	on(`every tool_use has an object input|functionCall has an args object`, func(k *check, _ []string) string {
		return argsFound(k, every(k.out.calls, func(c *part) bool { _, ok := c.args.(*object); return ok }))
	}),
	on(`is left as is`, func(k *check, _ []string) string { // the call; what stands beside it is no part of it
		same := func(a, b *part) bool { return a.id == b.id && a.name == b.name && equal(a.args, b.args) }
		return argsFound(k, slices.EqualFunc(k.in.calls, k.out.calls, same))
	}),
	on(`tool name for (\S+) is '(.*)'`, func(k *check, a []string) string {
		calls := k.calls(a[0])
		return k.unless(len(calls) == 1 && calls[0].name == ident{a[1], true})
	}),
}

var inBraces = regexp.MustCompile(`(?s)\{.*?\}`)

func noDangling(k *check, _ []string) string { return k.unless(len(k.out.dangling()) == 0) }

func nthAnswered(k *check, n int) string {
	c := k.nth(n)
	return k.unless(c == nil || len(c.answers) > 0)
}

// notDangling: every call of this id is answered, or gone with its results. A call
// may stay open at the very end, or when told, where the line allows it.
func notDangling(k *check, a []string) string {
	id, or := a[0], a[1]
	calls := k.calls(id)
	if len(calls) == 0 {
		left := where(k.out.results, func(r *part) bool { return r.id == ident{id, true} && r.call == nil })
		return unlessf(len(left) == 0, "the call is gone, its result is left: %s", k.out.outline())
	}
	open := where(calls, func(c *part) bool { return len(c.answers) == 0 })
	switch {
	case len(open) == 0:
		return ""
	case strings.HasPrefix(or, "reported"):
		return told(k, nil)
	case or != "":
		return k.unless(every(open, func(c *part) bool { return c.message == len(k.out.messages)-1 }))
	}
	return k.out.outline()
}

// someCallRemoved is about the call the line names, else about any.
func someCallRemoved(k *check, _ []string) string {
	words := strings.Fields(k.line)
	named := where(k.in.calls, func(c *part) bool { return c.id.string && c.id.text != "" && slices.Contains(words, c.id.text) })
	return k.unless(slices.ContainsFunc(either(named, k.in.calls), func(c *part) bool { return c.became == nil }))
}

func argsFound(k *check, ok bool) string {
	if ok {
		return ""
	}
	return "the output is " + string(k.o.Body)
}

// wraps tells whether the arguments of a call hold a text inside a structure.
func wraps(c *part, text string) bool {
	args, ok := argsValue(c)
	return ok && isContainer(args) && slices.Contains(allStrings(args), text)
}

func mentions(texts []string, t string) bool {
	return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, t) })
}

func argsAreJSON(k *check, _ []string) string {
	for _, c := range k.out.calls {
		if k.c.Format != chat && c.typ != "function_call" {
			continue
		}
		if _, ok := parsed(c.args); !ok {
			return "the arguments of " + c.id.text + " are not a string of JSON"
		}
	}
	return ""
}
