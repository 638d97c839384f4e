package casecheck

import (
	"slices"
	"strings"
)

// resultRules are about tool results: that none is an orphan, what they say, whom
// they answer, how many there are and where they stand.
var resultRules = []rule{
	on(`no orphan (?:tool_result|tool result|output|functionResponse|toolResult)`, noOrphan),
	on(`no orphan (?:tool_result|output|functionResponse|toolResult) (\S+)(?: before its call)?`, notOrphan),
	on(`no (?:result|output|tool_result) before its call`, noOrphan),
	on(`no custom_tool_call_output c1 without custom_tool_call`, func(k *check, _ []string) string {
		return k.unless(!slices.ContainsFunc(k.out.orphans(), isCustomOutput))
	}),

	on(`(?:result|response) (?:'(.*)'|(\{.*\})) kept for the first call`, func(k *check, a []string) string {
		return k.unless(answer(k.nth(0), a[0]+a[1]))
	}),
	on(`(?:result|response) (\S+) is '(.*)'(?: preferred)?`, resultIs),
	on(`(?:result|response) (\S+) is (\{.*\})`, resultIs),
	on(`result is '(.*)'`, func(k *check, a []string) string {
		return k.unless(len(k.out.calls) == 1 && answer(k.out.calls[0], a[0]))
	}),
	on(`result ([^'\s]\S*) kept`, func(k *check, a []string) string {
		return k.unless(slices.ContainsFunc(k.calls(a[0]), func(c *part) bool { return len(c.answers) > 0 }))
	}),
	on(`content set`, func(k *check, _ []string) string {
		return k.unless(every(k.out.results, func(r *part) bool { return r.payload != nil }))
	}),
	on(`result (\S+) not empty`, func(k *check, a []string) string {
		return k.unless(slices.ContainsFunc(k.calls(a[0]), func(c *part) bool {
			return len(c.answers) > 0 && !isEmpty(c.answers[0].payload)
		}))
	}),
	on(`result '(.*)' for (\S+) kept`, func(k *check, a []string) string { return k.unless(anyAnswer(k.calls(a[1]), a[0])) }),
	on(`result (?:text )?'(.*)' kept`, func(k *check, a []string) string { return k.unless(k.resultKept(a[0])) }),
	on(`results ([\d,]+) kept`, func(k *check, a []string) string {
		return k.unless(every(strings.Split(a[0], ","), k.resultKept))
	}),
	on(`2 tool messages kept`, func(k *check, _ []string) string {
		return k.unless(len(where(k.out.results, func(r *part) bool { return r.call != nil })) == 2)
	}),

	on(`result '(.*)' answers (?:the call|(\S+)(?: \(only candidate\))?)`, func(k *check, a []string) string {
		calls := k.calls(a[1])
		if a[1] == "" {
			calls = []*part{k.nth(0)}
		}
		return k.unless(anyAnswer(calls, a[0]))
	}),
	on(`'(.*)' answers the (first|second) call`, func(k *check, a []string) string { return nthAnsweredBy(k, a[1], a[0]) }),
	on(`(first|second) call answered by '(.*)'`, func(k *check, a []string) string { return nthAnsweredBy(k, a[0], a[1]) }),
	on(`'(.*)' answers (\{.*\})`, func(k *check, a []string) string { return argsAnsweredBy(k, a[1], a[0]) }),
	on(`call (\{.*\}) answered by '(.*)'`, func(k *check, a []string) string { return argsAnsweredBy(k, a[0], a[1]) }),
	on(`(f|g) (?:answered )?by '([^']*)'`, func(k *check, a []string) string { return nameAnsweredBy(k, a[0], a[1]) }),
	on(`text '(.*)' paired with (\S+)`, func(k *check, a []string) string { return nameAnsweredBy(k, a[1], a[0]) }),

	on(`exactly one (?:result|output|response) (?:for the call|per call)`, func(k *check, _ []string) string {
		return k.unless(len(k.out.calls) > 0 && k.allAnswered())
	}),
	on(`exactly one (?:result|output|response) for (\S+)`, exactlyOne),
	on(`each remaining call has exactly one result`, func(k *check, _ []string) string { return k.unless(k.allAnswered()) }),
	on(`number of functionResponses equals number of functionCalls|2 functionCalls and 2 functionResponses, or 1 and 1`, func(k *check, _ []string) string {
		return k.unless(len(k.out.calls) > 0 && k.allAnswered())
	}),
	on(`at most one result`, func(k *check, _ []string) string { return k.unless(len(k.out.results) <= 1) }),

	on(`(?:result|response) (\S+) immediately follows its call`, func(k *check, a []string) string {
		calls := k.calls(a[0])
		return k.unless(len(calls) > 0 && every(calls, k.follows))
	}),
	on(`each response immediately follows its call`, func(k *check, _ []string) string {
		return k.unless(len(k.out.calls) > 0 && every(k.out.calls, k.follows))
	}),
	on(`any synthetic result for (\S+) is in the message after \S+ call`, func(k *check, a []string) string {
		return k.unless(every(k.calls(a[0]), k.follows))
	}),
	on(`(?:any )?synthetic (?:result|output) directly after its(?: own)? call`, func(k *check, _ []string) string {
		return k.unless(k.syntheticFollow())
	}),
	on(`synthetic tool_result before that text if synthesized`, func(k *check, _ []string) string {
		return k.unless(k.syntheticFollow() && k.resultsFirst())
	}),
	on(`(?:both|all)(?: \d+)? results in the message right after the call(, in call order \(or unanswered calls removed\))?`, func(k *check, a []string) string {
		return k.unless(len(k.out.calls) > 0 && every(k.out.calls, k.follows) && (a[0] == "" || k.inOrder()))
	}),
	on(`both results contiguous after the call`, func(k *check, _ []string) string {
		return k.unless(len(k.out.results) == 2 && every(k.out.calls, k.follows))
	}),
	on(`re(?:sults|sponses) in call order(?: [\d,]+)?`, func(k *check, _ []string) string {
		return k.unless(len(k.out.results) > 0 && k.inOrder())
	}),
	on(`responses merged into one user turn`, func(k *check, _ []string) string {
		return k.unless(len(k.out.results) > 0 && every(k.out.results, func(r *part) bool { return r.message == k.out.results[0].message }))
	}),

	on(`no synthetic (?:result|response)`, func(k *check, _ []string) string { return k.unless(len(k.synthetic()) == 0) }),
	on(`synthetic result is marked as error`, func(k *check, _ []string) string {
		return k.unless(every(k.synthetic(), func(r *part) bool { return r.raw.get("is_error") == true }))
	}),
	on(`synthetic output type matches call type \(custom_tool_call_output\)`, func(k *check, _ []string) string {
		return k.unless(every(k.out.results, isCustomOutput))
	}),
	on(`no tool_result for (\S+) synthesized`, noResultFor),
	on(`server_tool_use (\S+) removed or paired, never answered by a client tool_result`, noResultFor),
	on(`result id equals its call id|ids of call and result byte-equal`, func(k *check, _ []string) string {
		return k.unless(len(k.out.calls) > 0 && len(k.out.dangling())+len(k.out.orphans()) == 0)
	}),
}

func isCustomOutput(r *part) bool { return r.typ == "custom_tool_call_output" }

func noOrphan(k *check, _ []string) string { return k.unless(len(k.out.orphans()) == 0) }

// notOrphan: no orphan has this id, nor the payload of such a result under an id
// that is new.
func notOrphan(k *check, a []string) string {
	id := ident{a[0], true}
	known, payloads := map[ident]bool{}, map[string]bool{}
	for _, r := range k.in.results {
		known[r.id] = true
		if r.id == id && r.text != "" {
			payloads[r.text] = true
		}
	}
	return k.unless(!slices.ContainsFunc(k.out.orphans(), func(r *part) bool {
		return r.id == id || payloads[r.text] && !known[r.id]
	}))
}

func resultIs(k *check, a []string) string { return k.unless(anyAnswer(k.calls(a[0]), a[1])) }

// resultKept tells whether a result that answers a call says this.
func (k *check) resultKept(text string) bool {
	return slices.ContainsFunc(k.out.results, func(r *part) bool { return r.call != nil && r.holds(text) })
}

func nthAnsweredBy(k *check, which, text string) string {
	n := 0
	if which == "second" {
		n = 1
	}
	return k.unless(answer(k.nth(n), text))
}

func argsAnsweredBy(k *check, args, text string) string {
	want, err := decode([]byte(args))
	return k.unless(err == nil && slices.ContainsFunc(k.in.calls, func(c *part) bool {
		have, ok := argsValue(c)
		return ok && equal(have, want) && answer(c.became, text)
	}))
}

func nameAnsweredBy(k *check, name, text string) string {
	return k.unless(slices.ContainsFunc(k.in.calls, func(c *part) bool {
		return c.name == ident{name, true} && answer(c.became, text)
	}))
}

// exactlyOne: each call of this id has one answer, and as many results as calls
// carry its id (for Gemini without ids: its name).
func exactlyOne(k *check, a []string) string {
	calls := k.calls(a[0])
	ids, names := map[ident]bool{{a[0], true}: true}, map[ident]bool{}
	hasID := false
	for _, c := range calls {
		ids[c.id], names[c.name] = true, true
		hasID = hasID || c.id.text != ""
	}
	results := where(k.out.results, func(r *part) bool {
		if k.c.Format == gemini && !hasID {
			return names[r.name]
		}
		return ids[r.id]
	})
	once := every(calls, func(c *part) bool { return len(c.answers) == 1 })
	return k.unless(len(calls) > 0 && len(results) == len(calls) && once)
}

func noResultFor(k *check, a []string) string {
	return k.unless(!slices.ContainsFunc(k.out.results, func(r *part) bool { return r.id == ident{a[0], true} }))
}
