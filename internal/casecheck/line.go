package casecheck

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// This file is about lines: what a must line says, taken apart, and its verdict.

// Verdict is what became of a must line.
type Verdict uint8

const (
	Prose Verdict = iota // for a reader: no program decided it
	Pass                 // it holds
	Fail                 // it does not hold
)

// String is the verdict in lower case.
func (v Verdict) String() string { return [...]string{"prose", "pass", "fail"}[v] }

// Line is a must line with its verdict.
type Line struct {
	Must    string
	Verdict Verdict
	Why     string // what was found, for a line that fails
}

// Evaluate judges an outcome by every line of its case.
func Evaluate(c Case, o Outcome) []Line {
	k := newCheck(c, o)
	lines := make([]Line, len(c.Must))
	for i, must := range c.Must {
		k.line = must
		verdict, why := k.parse(must).eval(k)
		if verdict == Fail && k.exempt() {
			verdict = Prose
		}
		if verdict != Fail {
			why = ""
		}
		lines[i] = Line{must, verdict, why}
	}
	return lines
}

// Prose lists the lines of the case that are, in whole or in part, for a reader.
func (c Case) Prose() []string {
	k := newCheck(c, Outcome{Body: c.Body()})
	var prose []string
	for _, must := range c.Must {
		k.line = must
		if hasProse(k.parse(must)) {
			prose = append(prose, must)
		}
	}
	return prose
}

// check is one case with its outcome, ready to be asked.
type check struct {
	c       Case
	o       Outcome
	in, out *view
	output  bool   // a body came out and can be read
	broken  bool   // the run panicked, or what came out is not JSON
	told    bool   // the caller was told: a warning, or an error with a text
	line    string // the line being judged
}

func newCheck(c Case, o Outcome) *check {
	k := &check{c: c, o: o, broken: o.Panicked}
	k.told = len(o.Warnings) > 0 || o.Refused && strings.TrimSpace(o.Err) != ""
	input, _ := decode(c.Body())
	k.in = newView(c.Format, input)
	var body any
	if !o.Refused && !o.Panicked {
		var err error
		body, err = decode(o.Body)
		k.output, k.broken = err == nil, err != nil
	}
	k.out = newView(c.Format, body)
	align(k.in, k.out)
	return k
}

// exempt tells whether a failing line cannot be held against the fix: the case is
// aimed at another provider, and for this one the body was left alone.
func (k *check) exempt() bool {
	switch k.c.Target {
	case "mistral", "anthropic", "deepseek thinking", "text-only model":
		_, isObject := k.out.body.(*object)
		return isObject && k.c.provider() != k.c.Target && k.same()
	}
	return false
}

// same tells whether the body came back semantically as it went in.
func (k *check) same() bool { return k.output && equal(k.in.body, k.out.body) }

// sameBytes tells whether the very bytes came back.
func (k *check) sameBytes() bool { return bytes.Equal(k.c.Body(), k.o.Body) }

// An expr is a line taken apart: a leaf, anyOf, allOf or prose.
type expr interface {
	eval(k *check) (Verdict, string)
}

// leaf is a part of a line that a rule knows, with what its pattern captured.
type leaf struct {
	rule *rule
	args []string
}

func (l leaf) eval(k *check) (Verdict, string) {
	if why := l.rule.find(k, l.args); why != "" {
		return Fail, why
	}
	return Pass, ""
}

// nothing is a part of a line about an output that does not exist.
type nothing struct{}

func (nothing) eval(k *check) (Verdict, string) {
	if k.o.Err != "" {
		return Fail, "nothing came out: " + k.o.Err
	}
	return Fail, "nothing readable came out"
}

// prose is a part of a line that is for a reader.
type prose struct{}

func (prose) eval(*check) (Verdict, string) { return Prose, "" }

// anyOf are alternatives: one that holds is enough.
type anyOf []expr

func (e anyOf) eval(k *check) (Verdict, string) {
	verdict, whys := Fail, []string{}
	for _, x := range e {
		v, why := x.eval(k)
		switch v {
		case Pass:
			return Pass, ""
		case Prose:
			verdict = Prose
		}
		whys = append(whys, why)
	}
	return verdict, strings.Join(whys, "; and ")
}

// allOf are conditions: one that does not hold decides.
type allOf []expr

func (e allOf) eval(k *check) (Verdict, string) {
	verdict := Pass
	for _, x := range e {
		v, why := x.eval(k)
		switch v {
		case Fail:
			return Fail, why
		case Prose:
			verdict = Prose
		}
	}
	return verdict, ""
}

func hasProse(e expr) bool {
	var inner []expr
	switch e := e.(type) {
	case prose:
		return true
	case anyOf:
		inner = e
	case allOf:
		inner = e
	}
	for _, x := range inner {
		if hasProse(x) {
			return true
		}
	}
	return false
}

// parse takes a line apart: whole, else at "or", else at "and".
func (k *check) parse(line string) expr {
	if e := k.known(line); e != nil {
		return e
	}
	alternatives := splitOutsideQuotes(line, " or ")
	if len(alternatives) == 1 {
		return k.conditions(line)
	}
	var e anyOf
	for _, a := range alternatives {
		e = append(e, k.conditions(a))
	}
	return e
}

func (k *check) conditions(text string) expr {
	if e := k.known(text); e != nil {
		return e
	}
	parts := splitOutsideQuotes(text, " and ")
	if len(parts) == 1 {
		return k.leftOver()
	}
	var e allOf
	for _, p := range parts {
		if x := k.known(p); x != nil {
			e = append(e, x)
		} else {
			e = append(e, k.leftOver())
		}
	}
	return e
}

func (k *check) leftOver() expr {
	if k.output {
		return prose{}
	}
	return nothing{}
}

// otherwise: the request declares neither a stored response nor an option, so what
// stands behind the word is what counts; a tail left pending is fine as well.
var otherwise = regexp.MustCompile(`\A(?:with KeepPendingTail: (unchanged)|with previous_response_id/stored option: output \S+ kept); otherwise (.*)\z`)

// known reads a text that a rule knows as a whole; nil when none does.
func (k *check) known(text string) expr {
	if m := otherwise.FindStringSubmatch(text); m != nil && k.output {
		if m[1] == "" {
			return k.parse(m[2])
		}
		return anyOf{k.known(m[1]), k.parse(m[2])}
	}
	if l := lookUp(runRules, text); l != nil {
		return *l
	}
	if !k.output {
		return k.knownWithoutOutput(text)
	}
	l := lookUp(bodyRules, text)
	switch {
	case l == nil:
		return nil
	case l.rule.only != "" && l.rule.only != k.c.provider():
		return prose{}
	}
	return *l
}

var quotedText = regexp.MustCompile(`\A(?s:(?:system )?text '.*' kept|.*; otherwise .*)\z`)

// knownWithoutOutput lets the alternatives of a line speak when nothing came out:
// one of them may ask for an error.
func (k *check) knownWithoutOutput(text string) expr {
	joined := strings.Contains(text, " or ") || strings.Contains(text, " and ")
	if joined && !quotedText.MatchString(text) {
		return nil
	}
	return nothing{}
}

// splitOutsideQuotes cuts a line at a word that stands outside quotes, which is
// where an even number of quote marks follows. A comma before the word goes too.
func splitOutsideQuotes(s, word string) []string {
	var parts []string
	start := 0
	for i := 0; i+len(word) <= len(s); {
		if s[i:i+len(word)] != word || quoteMarks(s[i+len(word):])%2 != 0 {
			i++
			continue
		}
		part := s[start:i]
		if word == " or " {
			part = strings.TrimSuffix(part, ",")
		}
		parts = append(parts, part)
		i += len(word)
		start = i
	}
	return append(parts, s[start:])
}

func quoteMarks(s string) int { return strings.Count(s, "'") + strings.Count(s, `"`) }

// rule is one kind of assertion.
type rule struct {
	pattern *regexp.Regexp
	find    finding
	only    string // the provider it holds for; empty means any
}

// finding looks at the outcome; it returns what speaks against the assertion, ""
// when it holds. args is what the pattern captured, from its first group on.
type finding func(k *check, args []string) string

// on makes a rule for the lines that match a pattern as a whole.
func on(pattern string, find finding) rule {
	return rule{pattern: regexp.MustCompile(`\A(?s:` + pattern + `)\z`), find: find}
}

// onlyFor limits a rule to one provider.
func (r rule) onlyFor(provider string) rule {
	r.only = provider
	return r
}

func lookUp(rules []rule, text string) *leaf {
	for i := range rules {
		if m := rules[i].pattern.FindStringSubmatch(text); m != nil {
			return &leaf{&rules[i], m[1:]}
		}
	}
	return nil
}

// unless says what was found when an assertion does not hold: an outline of the
// output.
func (k *check) unless(ok bool) string {
	if ok {
		return ""
	}
	return k.out.outline()
}

// unlessf is unless with a text of its own.
func unlessf(ok bool, format string, args ...any) string {
	if ok {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// length is the length of a text in characters.
func length(s string) int { return utf8.RuneCountInString(s) }
