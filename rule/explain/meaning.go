package explain

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight/rule"
)

// Gateways, servers and newer versions say the same in other words. Where no text of the catalogue
// is found, this file reads what a refusal complains of: its words are turned into concepts, in
// whatever language and spelling, and a row of the table meanings that occurs in one sentence
// names the rule.
//
//	tool_calls[0] has no corresponding tool output  →  tool-call lacks tool-result
//	未找到 tool_call_id 对应的工具调用               →  not-found call-id
//
// Sentences about the declared tools, the settings, the length or the answer are passed over. Words
// that other software uses, too, count only where the text shows that a request was refused.

// The bounds of reading by meaning, in bytes.
const (
	maxMeaning  = 64 << 10 // of a text
	maxSentence = 600      // of one sentence
	maxApart    = 140      // between two concepts of one meaning
)

// evidence says how sure it is that a text tells of a request that a model's host refused.
type evidence uint8

const (
	noEvidence evidence = iota
	ofError             // an error, of whatever software
	ofRequest           // the status of a refusal, a place in a request, or a host of models
)

// meant returns the explanation of the first sentence whose meaning is known.
func meant(v *view) (Explanation, bool) {
	words := spoken(v.plain[:min(len(v.plain), maxMeaning)])
	events := readConcepts(words.text)
	if slices.ContainsFunc(events, func(e event) bool { return e.concept == "answer" }) {
		return Explanation{}, false
	}
	known := evidenceIn(v, words.text, events)
	for from := 0; len(events) > 0; {
		to := from + sentenceSize(words.text[from:])
		n := 0
		for n < len(events) && events[n].start < to {
			n++
		}
		in := events[:n]
		m := meaningOf(in, max(known, apiWords(words.text, in)))
		if m != nil && !aboutOthers(words.text, in) {
			start, end, _ := m.in(in)
			return words.explain(v, m, words.text[from:to], start, end)
		}
		from, events = to, events[n:]
	}
	return Explanation{}, false
}

// aboutOthers reports whether a sentence is not about the history.
func aboutOthers(text string, events []event) bool {
	software, history := false, false
	for _, e := range events {
		switch {
		case e.concept == "elsewhere":
			return true
		case e.concept == "software":
			software = true
		case slices.Contains(modelConcepts, e.concept), inRequest(text[e.start:]):
			history = true
		}
	}
	return software && !history
}

// evidenceIn returns the evidence of a whole text.
func evidenceIn(v *view, text string, events []event) evidence {
	known := noEvidence
	for _, e := range events {
		switch {
		case e.concept == "refusal" || inRequest(text[e.start:]):
			return ofRequest
		case e.concept == "error":
			known = ofError
		}
	}
	if named(v.folded[:min(len(v.folded), nearby)]) != 0 {
		return ofRequest
	}
	return known
}

// inRequest reports whether s begins with a path into a request.
func inRequest(s string) bool {
	root := s[:nameSize(s)]
	if root != "messages" && root != "input" && root != "contents" && root != "message" {
		return false
	}
	rest := strings.TrimLeft(s[len(root):], ".[")
	return len(rest) < len(s)-len(root) && (digits(rest) > 0 || strings.HasPrefix(rest, "n]"))
}

// apiWords returns the evidence that a sentence has in a word in the spelling of an API.
func apiWords(text string, events []event) evidence {
	for _, e := range events {
		word := text[e.start:e.end]
		if e.concept != "elsewhere" && (strings.Contains(word, "_") ||
			slices.Contains(camelWords, word)) {
			return ofError
		}
	}
	return noEvidence
}

// camelWords are words of APIs that have no underscore, in lower case.
var camelWords = []string{
	"tooluse", "toolresult", "tooluseid", "functioncall", "functionresponse", "userinputmessage",
	"assistantresponsemessage", "toolmessage", "aimessage", "thoughtsignature", "reasoningcontent",
}

// words is a text in lower case without quotes, and where its bytes are in view.plain.
type words struct {
	text string
	at   []int32
}

// spoken returns the words of a plain text, without the members of an error body that say nothing.
func spoken(plain string) words {
	var w words
	b := make([]byte, 0, len(plain))
	skip := bodyMembers().FindAllStringIndex(plain, -1)
	for i, r := range plain {
		for len(skip) > 0 && i >= skip[0][1] {
			skip = skip[1:]
		}
		if quoteMark(r) || len(skip) > 0 && i >= skip[0][0] {
			continue
		}
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		n := len(b)
		b = append(b, string(r)...)
		for range len(b) - n {
			w.at = append(w.at, int32(i))
		}
	}
	w.text = string(b)
	return w
}

// plainAt returns the place in view.plain of the byte i, which may be one past the last.
func (w words) plainAt(i int, v *view) int {
	if i < len(w.at) {
		return int(w.at[i])
	}
	return len(v.plain)
}

// bodyMembers are members of an error body beside its message, and the names of those that hold it.
var bodyMembers = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`["'“”](?:type|status|request_id|input|url)["'“”]` +
		`\s?:\s?(?:["'“”][^"'“”]{0,80}["'“”]|[0-9]+|null|None)|` +
		`["'“”](?:message|msg|detail|raw|cause|param)["'“”]\s?:|\bmessage: `)
})

// sentenceSize returns the length of the sentence that s begins with.
func sentenceSize(s string) int {
	for i, r := range s {
		if i >= maxSentence {
			return i
		}
		next := i + 1
		switch r {
		case '.', ';', '!', '?':
			if next == len(s) || s[next] == ' ' || s[next] == ',' || s[next] == '}' {
				return next
			}
		case '{', '}':
			return next
		case '。', '；', '！':
			return i + len(string(r))
		}
	}
	return len(s)
}

// event is one concept in a text.
type event struct {
	concept    string
	start, end int
}

// readConcepts finds the concepts of a text, in order and without overlaps. Of phrases that begin
// at one place the longest counts.
func readConcepts(text string) []event {
	index := vocabulary()
	var events []event
	for i := 0; i < len(text); i++ {
		var best event
		for _, p := range index[text[i]] {
			end := i + len(p.text)
			if end > best.end && strings.HasPrefix(text[i:], p.text) && p.bounded(text, i, end) {
				best = event{p.concept, i, end}
			}
		}
		if best.end > 0 {
			events = append(events, best)
			i = best.end - 1
		}
	}
	return events
}

// phrase is one way to say a concept.
type phrase struct {
	concept, text string
	open          bool // more letters may follow
}

// vocabulary holds the phrases of all concepts by their first byte.
var vocabulary = sync.OnceValue(func() (index [256][]phrase) {
	for _, c := range concepts {
		for _, p := range strings.Split(c.phrases, "|") {
			text, open := strings.CutSuffix(p, "*")
			index[text[0]] = append(index[text[0]], phrase{c.name, text, open})
		}
	}
	return index
})

// bounded reports whether the phrase at s[start:end] is not part of a longer word.
func (p phrase) bounded(s string, start, end int) bool {
	if p.text[0] >= 0x80 {
		return true
	}
	if start > 0 && nameByte(s[start-1]) && nameByte(p.text[0]) {
		return false
	}
	return p.open || end == len(s) || !nameByte(s[end]) || !nameByte(p.text[len(p.text)-1])
}

// meaningOf returns the first meaning that the concepts of a sentence have, with what is known of
// the text.
func meaningOf(events []event, known evidence) *meaning {
	if known == noEvidence {
		return nil
	}
	for i := range meanings {
		m := &meanings[i]
		if known == ofError && !m.ofModels() {
			continue
		}
		if _, _, ok := m.in(events); ok {
			return m
		}
	}
	return nil
}

// ofModels reports whether m has a concept that only requests for models know.
func (m *meaning) ofModels() bool {
	for _, alternatives := range m.concepts {
		if !slices.ContainsFunc(alternatives, func(c string) bool {
			return !slices.Contains(modelConcepts, c)
		}) {
			return true
		}
	}
	return false
}

// in reports whether the concepts of m occur in events in their order, none far from the next.
func (m *meaning) in(events []event) (start, end int, ok bool) {
	for i, first := range events {
		if !slices.Contains(m.concepts[0], first.concept) {
			continue
		}
		start, end = first.start, first.end
		next := i + 1
		for _, want := range m.concepts[1:] {
			for next < len(events) && !slices.Contains(want, events[next].concept) {
				next++
			}
			if next == len(events) || events[next].start-end > maxApart {
				next = -1
				break
			}
			end = events[next].end
			next++
		}
		if next >= 0 {
			return start, end, true
		}
	}
	return 0, 0, false
}

// explain makes the explanation of a meaning that a sentence has at text[start:end].
func (w words) explain(v *view, m *meaning, sentence string, start, end int) (Explanation, bool) {
	from, to := w.plainAt(start, v), w.plainAt(end, v)
	around := named(v.folded[:min(len(v.folded), maxMeaning)])
	r, ok := rule.ByID(m.ruleFor(sentence, around))
	if !ok {
		return Explanation{}, false
	}
	owner := ""
	if around.prefers(r.Provider) {
		owner = r.Provider
	}
	return Explanation{
		Class: ClassHistory, Rule: r, Owner: owner, Guess: true, Via: around.relays(),
		Text:  strings.ToValidUTF8(strings.TrimSpace(v.plain[from:to]), "\uFFFD"),
		Paths: appendNew(nil, locate(v, from, to)...),
	}, true
}

// ruleFor returns the rule of the provider that the surroundings name, or else of the format whose
// members a sentence names, or else the first. It returns "" where the surroundings name a format
// that has no such rule.
func (m *meaning) ruleFor(sentence string, around surroundings) string {
	for _, id := range m.rules {
		if provider, _, _ := strings.Cut(id, "/"); around.prefers(provider) {
			return id
		}
	}
	for _, f := range []struct{ root, rules string }{
		{"input[", "openai-responses/"}, {"input.", "openai-responses/"},
		{"/input/", "openai-responses/"}, {"contents[", "gemini/"},
	} {
		i := slices.IndexFunc(m.rules,
			func(id string) bool { return strings.HasPrefix(id, f.rules) })
		if i >= 0 && strings.Contains(sentence, f.root) {
			return m.rules[i]
		}
	}
	for _, format := range []string{"anthropic", "gemini", "bedrock"} {
		if around.prefers(format) && !around.prefers("openai-chat") {
			return ""
		}
	}
	return m.rules[0]
}
