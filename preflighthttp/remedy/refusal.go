package remedy

import (
	"cmp"
	"net/http"
	"slices"
	"sync"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/explain"
)

// This file reads refusals: which answers are some, and what their text is about.

// Refusal is an answer that may refuse a request for its history.
type Refusal struct {
	explain.Explanation // what the text means, as far as that is known
	// Known is whether the catalogue has the text, for a rule about the history and with this
	// status. It is false for a guess.
	Known bool
	Text  string
}

// MayRefuse reports whether an answer with a status may refuse a request for its history. Servers
// of local models answer 500 where a chat template raises.
func MayRefuse(status int) bool { return refusalStatuses()[status] }

// refusalStatuses are the statuses under which the catalogue knows structural errors, beside 400.
var refusalStatuses = sync.OnceValue(func() map[int]bool {
	statuses := map[int]bool{http.StatusBadRequest: true}
	for _, r := range rule.All() {
		if r.Status != 0 {
			statuses[r.Status] = true
		}
	}
	return statuses
})

// Read returns the refusal that the body of an answer is.
func Read(status int, text string) *Refusal {
	r := &Refusal{Text: text}
	var ok bool
	r.Explanation, ok = explain.Text(text)
	r.Known = ok && r.Class == explain.ClassHistory && !r.Guess &&
		(status == http.StatusBadRequest || status == r.Rule.Status)
	return r
}

// Unquoted returns the meaning without what it quotes of the text, which quotes the request.
func (r *Refusal) Unquoted() *explain.Explanation {
	if r == nil {
		return nil
	}
	return unquoted(&r.Explanation)
}

func unquoted(e *explain.Explanation) *explain.Explanation {
	out := *e
	out.Text, out.IDs, out.Paths, out.Types = "", nil, nil, nil
	out.More = make([]explain.Explanation, len(e.More))
	for k := range e.More {
		out.More[k] = *unquoted(&e.More[k])
	}
	return &out
}

// meanings returns the rules that a refusal can be about, likeliest first; those of the provider
// that was asked come before those of its format, and before the others that share their words.
func meanings(e *explain.Explanation, provider string) []rule.Rule {
	all := append([]rule.Rule{e.Rule}, e.Also...)
	slices.SortStableFunc(all,
		func(a, b rule.Rule) int { return cmp.Compare(foreign(a, provider), foreign(b, provider)) })
	for _, more := range e.More {
		all = append(all, more.Rule)
	}
	return all
}

// foreign is 0 for a rule of a provider, 1 for one of its format, and 2 for another one.
func foreign(r rule.Rule, name string) int {
	if r.Provider == name {
		return 0
	}
	if p, ok := provider.ByName(name, ""); ok && r.Provider == p.Format {
		return 1
	}
	return 2
}
