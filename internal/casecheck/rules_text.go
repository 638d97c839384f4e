package casecheck

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

var inQuotes = regexp.MustCompile(`'([^']*)'`)

// textRules are about texts: that they are still there, and what they may hold.
var textRules = []rule{
	on(`(?:system )?text '(.*)' kept(?: somewhere)?`, textKept),
	on(`(?:system )?text "(.*)" kept`, textKept),
	on(`information '(.*)' survives`, textKept),
	on(`text '(.*)' kept \(as result or as text\)`, keptAsText),
	on(`(?:text )?'(.*)' kept as text`, keptAsText),
	on(`its text '(.*)' kept`, keptAsText),
	on(`kept as text`, func(k *check, _ []string) string {
		return keptAsText(k, []string{k.firstQuoted()})
	}),
	on(`order (\S+<\S+) preserved`, orderPreserved),
	on(`concatenated assistant text is '(.*)'`, func(k *check, a []string) string {
		return k.unless(slices.ContainsFunc(k.out.messages, func(m *message) bool {
			var b strings.Builder
			for _, p := range only(m.parts, textPart) {
				b.WriteString(p.text)
			}
			return m.role == "assistant" && b.String() == a[0]
		}))
	}),
	on(`(?:no lone surrogate in output|output has no lone surrogate|output is valid UTF-8 JSON without lone surrogate escapes)`, noLoneSurrogate),
	on(`valid emoji kept`, func(k *check, _ []string) string {
		return k.unless(slices.ContainsFunc(k.out.texts, func(t string) bool { return strings.Contains(t, "\U0001f680") }))
	}),
	on(`no 'Historical context' text`, func(k *check, _ []string) string {
		return k.unless(!slices.ContainsFunc(k.out.texts, func(t string) bool { return strings.Contains(t, "Historical context") }))
	}),
	on(`no wall-clock in output`, func(k *check, _ []string) string {
		clock := wallClock.Find(k.o.Body)
		return unlessf(clock == nil, "found %s", clock)
	}),
	on(`no synthetic placeholder text(?: in assistant)?`, noPlaceholder),
}

var wallClock = regexp.MustCompile(`20\d\d-\d\d-\d\d|\d\d:\d\d:\d\d`)

// firstQuoted is the first text in quotes of the line being judged.
func (k *check) firstQuoted() string {
	if m := inQuotes.FindStringSubmatch(k.line); m != nil {
		return m[1]
	}
	return ""
}

func textKept(k *check, a []string) string { return k.unless(k.textKept(a[0])) }

func keptAsText(k *check, a []string) string {
	return k.unless(k.textKept(a[0]) || k.asText(a[0]))
}

// orderPreserved: ids and texts that are still there stand in this order.
func orderPreserved(k *check, a []string) string {
	lastPart, lastAt := -1, -1
	for name := range strings.SplitSeq(a[0], "<") {
		n, at, ok := k.locate(name)
		if !ok {
			continue
		}
		if n < lastPart || n == lastPart && at < lastAt {
			return k.out.outline()
		}
		lastPart, lastAt = n, at
	}
	return ""
}

// locate finds the first part with this id or with this word in its text, and
// where in that text it is.
func (k *check) locate(name string) (n, at int, ok bool) {
	for p := range k.out.parts() {
		switch {
		case p.id == ident{name, true}:
			return n, 0, true
		case p.kind == textPart && p.isText:
			if at := wordIndex(p.text, name); at >= 0 {
				return n, at, true
			}
		}
		n++
	}
	return 0, 0, false
}

// noLoneSurrogate looks at every string, and into arguments that hold JSON.
func noLoneSurrogate(k *check, _ []string) string {
	if !utf8.Valid(k.o.Body) {
		return "the output is not valid UTF-8"
	}
	all := allStrings(k.out.body)
	for _, c := range k.out.calls {
		if args, ok := parsed(c.args); ok {
			all = append(all, allStrings(args)...)
		}
	}
	i := slices.IndexFunc(all, hasSurrogate)
	if i < 0 {
		return ""
	}
	return "a lone surrogate in " + quoted(string(bytes.ToValidUTF8([]byte(all[i]), []byte("<surrogate>"))))
}

// noPlaceholder: the assistant says only what it said in the input.
func noPlaceholder(k *check, _ []string) string {
	said := map[string]bool{"": true}
	for _, t := range k.in.texts {
		said[strings.TrimSpace(t)] = true
	}
	for _, m := range k.out.messages {
		for _, p := range only(m.parts, textPart) {
			if m.role == "assistant" && !said[strings.TrimSpace(p.text)] {
				return "the assistant says " + quoted(p.text)
			}
		}
	}
	return ""
}
