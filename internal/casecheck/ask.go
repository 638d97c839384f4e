package casecheck

import (
	"slices"
	"strings"
	"unicode"
)

// This file is about the questions that several rules ask of an outcome.

// input finds the calls of the input that a line names: by id, for Gemini (whose
// calls may have none) else by name.
func (k *check) input(id string) []*part {
	byID := where(k.in.calls, func(c *part) bool { return c.id == ident{id, true} })
	if len(byID) > 0 || k.c.Format != gemini {
		return byID
	}
	return where(k.in.calls, func(c *part) bool { return c.name.text == id })
}

// calls finds those calls in the output.
func (k *check) calls(id string) []*part {
	var out []*part
	for _, c := range k.input(id) {
		if c.became != nil {
			out = append(out, c.became)
		}
	}
	return out
}

// nth is the n-th call of the input, in the output; nil when it is gone.
func (k *check) nth(n int) *part {
	if n >= len(k.in.calls) {
		return nil
	}
	return k.in.calls[n].became
}

// answer tells whether an output call is answered by exactly this text or JSON.
func answer(c *part, want string) bool {
	return c != nil && slices.ContainsFunc(c.answers, func(r *part) bool { return r.holds(want) })
}

// anyAnswer tells whether one of these calls is answered so.
func anyAnswer(calls []*part, want string) bool {
	return slices.ContainsFunc(calls, func(c *part) bool { return answer(c, want) })
}

// holds tells whether a result is what a line says: its text, its JSON, or the
// value of one member of its payload.
func (r *part) holds(want string) bool {
	want = strings.TrimSpace(want)
	if strings.TrimSpace(r.text) == want {
		return true
	}
	if value, err := decode([]byte(want)); err == nil && isContainer(value) {
		inText, ok := parsed(r.text)
		if equal(r.payload, value) || ok && equal(inText, value) {
			return true
		}
	}
	members, ok := r.payload.(*object)
	return ok && slices.ContainsFunc(members.keys, func(key string) bool {
		s, ok := scalar(members.values[key])
		return ok && strings.TrimSpace(s) == want
	})
}

func isContainer(v any) bool {
	switch v.(type) {
	case *object, []any:
		return true
	}
	return false
}

// scalar is the text of a string or a whole number.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case number:
		return string(v), v.isInteger()
	}
	return "", false
}

// textKept tells whether a text still stands somewhere: as a text, as a line of
// one, or inside a longer one. A short text of the input found inside a longer one
// counts only when what surrounds it is made of other texts of the input, so that
// the "a" of a placeholder is not taken for the user's "a".
func (k *check) textKept(t string) bool {
	units := keep(k.in.texts, func(u string) bool { return strings.TrimSpace(u) != "" })
	trimmed := strings.TrimSpace(t)
	isUnit := slices.ContainsFunc(units, func(u string) bool { return u == t || strings.TrimSpace(u) == trimmed })
	return slices.ContainsFunc(k.out.texts, func(u string) bool {
		switch {
		case u == t, strings.TrimSpace(u) == trimmed, trimmed != "" && hasLine(u, trimmed):
			return true
		case !strings.Contains(u, t):
			return false
		case !isUnit || length(t) >= 6:
			return true
		}
		return madeOf(u, units)
	})
}

// keep lists the texts for which ok holds.
func keep(list []string, ok func(string) bool) []string {
	var out []string
	for _, s := range list {
		if ok(s) {
			out = append(out, s)
		}
	}
	return out
}

func hasLine(s, line string) bool {
	for l := range strings.SplitSeq(s, "\n") {
		if strings.TrimSpace(l) == line {
			return true
		}
	}
	return false
}

// madeOf tells whether nothing but punctuation is left of s without these texts.
func madeOf(s string, units []string) bool {
	longestFirst := slices.SortedStableFunc(slices.Values(units), func(a, b string) int { return length(b) - length(a) })
	for _, u := range longestFirst {
		s = strings.ReplaceAll(s, u, " ")
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// asText tells whether the words of t stand in a text part, whatever is around.
func (k *check) asText(t string) bool {
	for p := range k.out.parts() {
		if p.kind == textPart && p.isText && wordIndex(p.text, t) >= 0 {
			return true
		}
	}
	return false
}

// wordIndex finds t in s where no letter, digit or underscore touches it.
func wordIndex(s, t string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], t)
		if i < 0 {
			return -1
		}
		i += from
		if !endsInWord(s[:i]) && !startsWithWord(s[i+len(t):]) {
			return i
		}
		from = i + 1
		if from > len(s) {
			return -1
		}
	}
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

func endsInWord(s string) bool { return strings.TrimRightFunc(s, wordRune) != s }

func startsWithWord(s string) bool { return strings.TrimLeftFunc(s, wordRune) != s }

// follows tells whether the answer of a call stands directly behind it: on the
// OpenAI wires in the run of results, elsewhere in the next message.
func (k *check) follows(c *part) bool {
	if len(c.answers) == 0 {
		return false
	}
	at := c.answers[0].message
	switch k.c.Format {
	case chat:
		return every(k.out.messages[c.message+1:at], func(m *message) bool { return m.role == "tool" })
	case responses:
		return every(k.out.messages[c.message+1:at], func(m *message) bool {
			return len(m.parts) > 0 && m.count(textPart)+m.count(otherPart) == 0
		})
	}
	return at == c.message+1
}

func every[T any](list []T, ok func(T) bool) bool {
	return !slices.ContainsFunc(list, func(x T) bool { return !ok(x) })
}

// synthetic lists the results that the input does not hold.
func (k *check) synthetic() []*part {
	var known []string
	for _, r := range k.in.results {
		known = append(known, r.text)
	}
	return where(k.out.results, func(r *part) bool {
		i := slices.Index(known, r.text)
		if i >= 0 {
			known = slices.Delete(known, i, i+1)
		}
		return i < 0
	})
}

// syntheticFollow tells whether every one of those stands directly behind the call
// it answers.
func (k *check) syntheticFollow() bool {
	return every(k.synthetic(), func(r *part) bool { return r.call != nil && k.follows(r.call) })
}

// inOrder tells whether the results of each message with calls come in the order
// of those calls, and all of them answer one.
func (k *check) inOrder() bool {
	last := map[int]int{}
	return every(k.out.results, func(r *part) bool {
		if r.call == nil || r.call.order < last[r.call.message] {
			return false
		}
		last[r.call.message] = r.call.order
		return true
	})
}

// resultsFirst tells whether in every user turn the results come before the rest.
func (k *check) resultsFirst() bool {
	return every(k.out.messages, func(m *message) bool {
		seen := false
		for _, p := range m.parts {
			switch p.kind {
			case resultPart:
				if seen {
					return false
				}
			case textPart, otherPart:
				seen = seen || m.role != "assistant"
			}
		}
		return true
	})
}

// allAnswered tells whether every call has its result and no result is left over.
func (k *check) allAnswered() bool {
	return len(k.out.dangling()) == 0 && len(k.out.results) == len(k.out.calls)
}

// parts walks over all parts of a view.
func (v *view) parts() func(yield func(*part) bool) {
	return func(yield func(*part) bool) {
		for _, m := range v.messages {
			for _, p := range m.parts {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// typed lists the parts whose wire type is one of these.
func (v *view) typed(types ...string) []*part {
	var out []*part
	for p := range v.parts() {
		if slices.Contains(types, p.raw.str("type")) {
			out = append(out, p)
		}
	}
	return out
}

// kinds lists the parts of one kind.
func (v *view) kinds(k kind) []*part {
	var out []*part
	for p := range v.parts() {
		if p.kind == k {
			out = append(out, p)
		}
	}
	return out
}

// idents lists the ids of calls and results.
func (v *view) idents() []ident {
	var ids []ident
	for _, p := range slices.Concat(v.calls, v.results) {
		ids = append(ids, p.id)
	}
	return ids
}

// last is the last message, nil when there is none.
func (v *view) last() *message {
	if len(v.messages) == 0 {
		return nil
	}
	return v.messages[len(v.messages)-1]
}

// emptyTexts tells whether some text is empty, or with blank made of white space.
// Next to tool calls a Chat message may have a content of "".
func (k *check) emptyTexts(blank bool) bool {
	empty := func(v any) bool {
		s, ok := v.(string)
		return ok && (s == "" || blank && strings.TrimSpace(s) == "")
	}
	for _, m := range k.out.messages {
		_, bare := m.raw.get("content").(string)
		legal := k.c.Format == chat && m.role == "assistant" && m.count(callPart) > 0 && bare
		for _, p := range m.parts {
			if p.kind == textPart && p.isText && empty(p.text) && !legal {
				return true
			}
			if p.kind == resultPart && slices.ContainsFunc(nestedTexts(p.payload), empty) {
				return true
			}
		}
	}
	return false
}

// nestedTexts lists the texts of the parts of a result payload.
func nestedTexts(payload any) []any {
	list, _ := payload.([]any)
	var texts []any
	for _, x := range list {
		b, _ := x.(*object)
		switch b.get("type") {
		case nil, "text", "input_text", "output_text":
			if b.has("text") {
				texts = append(texts, b.get("text"))
			}
		}
	}
	return texts
}

// emptyMessages tells whether some message says nothing at all.
func (k *check) emptyMessages() bool {
	return slices.ContainsFunc(k.out.messages, func(m *message) bool {
		switch {
		case k.c.Format == responses && itemType(m.raw) != "message" && itemType(m.raw) != "":
			return false
		case (m.role == "tool" || m.role == "function") && len(m.parts) > 0:
			return false
		}
		return every(m.parts, k.saysNothing)
	})
}

func (k *check) saysNothing(p *part) bool {
	switch p.kind {
	case textPart:
		return strings.TrimSpace(p.text) == ""
	case thinkPart:
		return k.c.Format == anthropic && !isSet(p.raw.get("thinking")) && !isSet(p.raw.get("signature")) && !isSet(p.raw.get("data"))
	}
	return false
}

// argsValue is the value of a call's arguments, read when they are a string.
func argsValue(c *part) (any, bool) {
	if _, ok := c.args.(string); ok {
		return parsed(c.args)
	}
	return c.args, true
}

// hasArgs tells whether one of these calls has these arguments.
func hasArgs(calls []*part, want string) bool {
	value, err := decode([]byte(want))
	return err == nil && slices.ContainsFunc(calls, func(c *part) bool {
		args, ok := argsValue(c)
		return ok && equal(args, value)
	})
}

// warningStrings lists every string in the warnings.
func (k *check) warningStrings() []string {
	var out []string
	for _, w := range k.o.Warnings {
		v, err := decode(w)
		if err == nil {
			out = append(out, allStrings(v)...)
		}
	}
	return out
}
