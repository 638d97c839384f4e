// Package explain says what a provider's error text means: the rule of package rule that the
// request broke, the places and ids that the text names, or, where the history is not the cause,
// what is.
//
//	e, ok := explain.Error(err) // err from any SDK
//	if ok && e.Class == explain.ClassHistory {
//		log.Print(e.Rule.ID, e.Paths, e.Rule.Fix)
//	}
//
// It only reads texts, of any length and origin: a bare sentence, an error body, a line of a log.
// It depends on the standard library alone, and its functions may be called concurrently.
package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/rule"
)

// Explanation is the meaning of a provider's error text: its class, the rule that it cites, and
// the parts of the request that it names.
type Explanation struct {
	// Class says whether the message history is the cause, and if not, what is.
	Class Class `json:"class"`

	// Advice says in a sentence what to do when the history is not the cause. It is empty for
	// ClassHistory, where Rule.Fix says it.
	Advice string `json:"advice,omitempty"`

	// Rule is the rule that the text most likely cites. It is the zero Rule
	// unless Class is ClassHistory.
	Rule rule.Rule `json:"rule,omitzero"`

	// Owner is the provider whose words these are, also where another service
	// relayed them. It is empty where several providers have them, or none is
	// known to, and the surroundings name none: then Rule is one of several.
	Owner string `json:"owner,omitempty"`

	// Also lists the other rules that the same words can mean, likeliest
	// first: providers copy each other's texts, and some have one text for two
	// mistakes.
	Also []rule.Rule `json:"also,omitempty"`

	// Via names the services that relayed the text, where they left a
	// mark: azure, bedrock, copilot, litellm, openrouter, vercel-ai-sdk,
	// vertex.
	Via []string `json:"via,omitempty"`

	// Guess says that the words are not on record, and that Rule was chosen by what they say. It is
	// a hint for a reader; nothing should be changed for it unseen.
	Guess bool `json:"guess,omitempty"`

	// Text is the part of the text that was recognised, without escapes.
	Text string `json:"text"`

	// Paths lists the places in the request that the text names, as in
	// "messages[3].content[1]", counted from 0.
	Paths []string `json:"paths,omitempty"`

	// IDs lists the ids of tool calls or items that the text names.
	IDs []string `json:"ids,omitempty"`

	// Types lists the types of content that the text names, of which the
	// provider has none and the formats named do: blocks of another provider.
	Types []rule.BlockType `json:"types,omitempty"`

	// More holds what else was recognised: a body may report several errors,
	// and a log hold several bodies. These have no More of their own.
	More []Explanation `json:"more,omitempty"`
}

// maxMatches bounds the occurrences that one text is explained by.
const maxMatches = 256

// Text recognises a provider's error text and returns the rule of the
// catalogue that it cites, or the class of its cause when that is not the
// history. It takes the bare sentence as well as an error body, an SDK's error string or a
// line of a log, relayed, escaped, wrapped and coloured as it may be.
//
//	e, ok := explain.Text(text)
//	switch {
//	case !ok:
//		fmt.Println("unknown")
//	case e.Class == explain.ClassHistory:
//		fmt.Println(e.Rule.ID, e.Paths, e.Rule.Fix)
//	default:
//		fmt.Println("not the history:", e.Class, e.Advice)
//	}
//
// ok is false when the text is unknown. A text whose cause is not the
// request's structure (a rate limit, a key, the length
// of the context) has a [Class] and no rule. Where several rules have the
// text, the longest agreement wins, then the provider that the surroundings
// name. A rule anywhere in the text comes before a class. See [Error]
// for the errors of SDKs.
//
// The cost is linear in the text, whatever it holds, and only its first 16 MiB
// are looked at.
func Text(errorText string) (e Explanation, ok bool) {
	v := newView(errorText)
	found := compiled().search(v, maxMatches)
	var all, other []Explanation
	for _, group := range groups(v, found) {
		if e := explain(v, group); e.Class == ClassHistory {
			all = include(all, e)
		} else {
			other = append(other, e)
		}
	}
	all = unwrap(all)
	if len(all) > 0 && all[0].Rule.ID == wrapperRule {
		e := ofClass(v, ClassUnspecific)
		e.Text = all[0].Text
		all, other = nil, append(other, e)
	}
	if len(all) == 0 {
		if len(other) == 0 || vagueClass(other[0]) {
			if e, ok := meant(v); ok {
				return e, true
			}
		}
		if class, ok := classify(v); ok && (len(other) == 0 || other[0].Class == ClassUnspecific) {
			other = append([]Explanation{ofClass(v, class)}, other...)
		}
		if len(other) > 0 {
			return other[0], true
		}
	}
	if len(all) == 0 {
		return Explanation{}, false
	}
	for k := range all {
		all[k].Types = foreignTypes(&all[k])
	}
	e = all[0]
	e.More = all[1:len(all):len(all)]
	if len(e.More) == 0 {
		e.More = nil
	}
	return e, true
}

// vagueClass reports whether an explanation says too little to pass over the meaning of the text:
// it names no cause, or is the name of an SDK's error.
func vagueClass(e Explanation) bool {
	word, _, _ := strings.Cut(e.Text, ":")
	return e.Class == ClassUnspecific || e.Class == ClassServer && strings.HasSuffix(word, "Error")
}

// candidate is a match with what its surroundings say.
type candidate struct {
	match
	preferred bool
}

// groups sorts the matches into one group per error, the best match leading each. Matches of one
// error overlap.
func groups(v *view, found []match) [][]candidate {
	all := make([]candidate, len(found))
	for i, m := range found {
		all[i] = candidate{m, m.rule != nil && near(v, m.start, m.end).prefers(m.rule.Provider)}
	}
	slices.SortStableFunc(all, bySize)
	var sorted [][]candidate
	for len(all) > 0 {
		best := all[0]
		var group, rest []candidate
		for _, c := range all {
			if c.start < best.end && best.start < c.end {
				group = append(group, c)
			} else {
				rest = append(rest, c)
			}
		}
		sorted = append(sorted, likely(group))
		all = rest
	}
	return sorted
}

// bySize orders candidates by how much of their text was found, then by what is known about the
// rule, and last by the order of the catalogue.
func bySize(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.size, a.size), first(a.full, b.full),
		first(a.preferred, b.preferred), first(!a.rarer, !b.rarer),
		first(a.verbatim(), b.verbatim()), cmp.Compare(a.order, b.order),
		cmp.Compare(a.start, b.start))
}

// first orders true before false.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// likely keeps of a group, which is sorted by size, those that may be meant, each rule once. A rule
// of the provider that the surroundings name leads, unless it fits much less of the text than
// another.
func likely(group []candidate) []candidate {
	largest := group[0]
	var kept []candidate
	for _, c := range group {
		fits := c.size == largest.size && (c.full || !largest.full)
		if !fits && !(c.preferred && (c.full || !largest.full)) {
			continue
		}
		if !slices.ContainsFunc(kept,
			func(k candidate) bool { return k.rule == c.rule && k.class == c.class }) {
			kept = append(kept, c)
		}
	}
	slices.SortStableFunc(kept, func(a, b candidate) int {
		return first(a.preferred && 2*a.size >= largest.size,
			b.preferred && 2*b.size >= largest.size)
	})
	return kept
}

// explain makes one explanation of a group.
func explain(v *view, group []candidate) Explanation {
	best := group[0]
	from, to := extent(v, best.match)
	class := best.class
	if best.rule != nil && slices.Contains(generic, best.rule.ID) {
		if other, ok := aboutField(fieldNear(v, from, to)); ok {
			class = other
		}
	}
	if class != ClassHistory {
		e := ofClass(v, class)
		e.Text = strings.ToValidUTF8(strings.TrimSpace(v.plain[from:to]), "\uFFFD")
		return e
	}
	e := Explanation{
		Class: ClassHistory,
		Rule:  entry(best.rule),
		Via:   near(v, best.start, best.end).relays(),
		Text:  strings.ToValidUTF8(strings.TrimSpace(v.plain[from:to]), "\uFFFD"),
		Paths: appendNew(nil, locate(v, from, to)...),
	}
	for _, c := range group[1:] {
		if c.rule != nil {
			e.Also = append(e.Also, entry(c.rule))
		}
	}
	if best.preferred || !slices.ContainsFunc(e.Also,
		func(r rule.Rule) bool { return r.Provider != e.Rule.Provider }) {
		e.Owner = e.Rule.Provider
	}
	for _, at := range best.ids {
		e.IDs = appendNew(e.IDs, idsAt(v.plain, v.offset(at))...)
	}
	return e
}

// entry returns the caller's own copy of a rule.
func entry(r *rule.Rule) rule.Rule {
	own, _ := rule.ByID(r.ID)
	return own
}

// ofClass makes an explanation of a text that is not about the history.
func ofClass(v *view, class Class) Explanation {
	return Explanation{
		Class:  class,
		Advice: advice[class],
		Via:    near(v, 0, len(v.folded)).relays(),
	}
}

// include adds e to all, or its places to the explanation that is already there for the same rule.
func include(all []Explanation, e Explanation) []Explanation {
	for i := range all {
		if known := &all[i]; known.Rule.ID == e.Rule.ID {
			known.Paths = appendNew(known.Paths, e.Paths...)
			known.IDs = appendNew(known.IDs, e.IDs...)
			known.Via = appendNew(known.Via, e.Via...)
			return all
		}
	}
	return append(all, e)
}

// unwrap drops the explanation of a wrapper when there is one of what it wraps.
func unwrap(all []Explanation) []Explanation {
	if len(all) == 1 {
		return all
	}
	return slices.DeleteFunc(all, func(e Explanation) bool { return e.Rule.ID == wrapperRule })
}

// surroundings is a set of hosts, by their place in the table.
type surroundings uint64

// nearby is the size in bytes of the stretches of folded text whose surroundings are one.
const nearby = 4096

// near tells which hosts the text around text[start:end] names.
func near(v *view, start, end int) surroundings {
	var s surroundings
	for n := start / nearby; n <= end/nearby; n++ {
		s |= v.hostsIn(n)
	}
	return s
}

// hostsIn finds the hosts in the n-th stretch of the text and the two beside it, once.
func (v *view) hostsIn(n int) surroundings {
	if s, ok := v.hosts[n]; ok {
		return s
	}
	s := named(v.folded[max(0, (n-1)*nearby):min(len(v.folded), (n+2)*nearby)])
	if v.hosts == nil {
		v.hosts = map[int]surroundings{}
	}
	v.hosts[n] = s
	return s
}

// named finds the hosts that a folded text names.
func named(text string) surroundings {
	var s surroundings
	for i, h := range hosts {
		if slices.ContainsFunc(h.markers,
			func(marker string) bool { return strings.Contains(text, marker) }) {
			s |= 1 << i
		}
	}
	return s
}

func (s surroundings) prefers(provider string) bool {
	for i, h := range hosts {
		if s&(1<<i) != 0 && slices.Contains(h.providers, provider) {
			return true
		}
	}
	return false
}

// relays names the hosts that pass on what others say.
func (s surroundings) relays() []string {
	var names []string
	for i, h := range hosts {
		if s&(1<<i) != 0 && h.name != "" {
			names = append(names, h.name)
		}
	}
	return names
}
