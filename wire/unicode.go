package wire

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file makes every string of a body valid Unicode before anything else reads it: fields,
// keys and tools too, not only the text of messages. Signed values are left to the fixers, which
// remove damaged ones.
//
//	{"user_id":"\ud83d"}    becomes  {"user_id":"\ufffd"}

// repairText repairs the strings that no provider accepts, records each, and continues with the
// repaired body.
func (r *Request) repairText() error {
	t := textRepair{r: r}
	if r.whole() {
		t.walk(r.root, bodyPath{}, false)
	} else {
		t.walk(r.root, bodyPath{path: r.format.list}, true)
	}
	if t.edits.Len() == 0 {
		return nil
	}
	return r.rewrite(&t.edits)
}

type textRepair struct {
	r     *Request
	edits jsonscan.Edits
}

// walk repairs the strings in v. history tells that v is part of the history: only there NULs are
// removed.
func (t *textRepair) walk(v jsonscan.Value, at bodyPath, history bool) {
	switch v.Kind() {
	case jsonscan.String:
		t.repair(v, at.path)
	case jsonscan.Array:
		for k, e := range v.All() {
			if t.wrong(e, history) {
				t.walk(e, at.element(k), history)
			}
		}
	case jsonscan.Object:
		t.members(v, at, history)
	}
}

// members walks the names and values of an object's members.
func (t *textRepair) members(v jsonscan.Value, at bodyPath, history bool) {
	var opaque []string
	if t.r.format.opaque != nil {
		opaque = t.r.format.opaque(v)
	}
	system := ""
	if v == t.r.root {
		system = t.r.systemKey()
	}
	for k, m := range v.All() {
		inside := history || v == t.r.root &&
			(m.Key().StrIs(t.r.format.list) || system != "" && m.Key().StrIs(system))
		name, value := t.wrong(m.Key(), inside), t.wrong(m, inside)
		if !name && !value {
			continue
		}
		to := at.member(m, k)
		if name {
			t.repair(m.Key(), to.path)
		}
		if value && !(m.Kind() == jsonscan.String && slices.ContainsFunc(opaque, m.Key().StrIs)) {
			t.walk(m, to, inside)
		}
	}
}

// wrong reports whether there is anything to repair in v.
func (t *textRepair) wrong(v jsonscan.Value, history bool) bool {
	wrong := v.SubtreeFlags() & jsonscan.NeedsRepair
	return wrong != 0 && (history || wrong != jsonscan.HasNUL)
}

func (t *textRepair) repair(v jsonscan.Value, path string) {
	problem := problems.InvalidUnicode
	if v.Flags()&(jsonscan.HasLoneSurrogate|jsonscan.HasInvalidUTF8) == 0 {
		problem = problems.NUL
	}
	t.edits.Replace(v.Start(), v.End(), jsonscan.RepairString(nil, v.Raw()))
	t.r.note(finding{
		code: codes.TextRepaired, problem: problem, rule: t.r.ruleOf(problem), path: path,
		wrong: "the text holds NUL, a lone surrogate or invalid UTF-8",
		done:  "replaced characters that are not valid Unicode, or removed NUL",
	})
}

// ruleOf returns the provider's rule id for a problem.
func (r *Request) ruleOf(problem problems.Problem) string {
	if id, ok := r.Profile.Rules[problem]; ok {
		return id
	}
	return "preflight/" + string(problem)
}
