package wire

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file makes every string of a body valid Unicode, before anything else reads it: fields, keys and tools, not only the
// text of messages. What the provider signed is left to the fixers, which remove it when it is damaged.

// repairText repairs the strings of the body that no provider would take, records each, and goes on with the repaired body.
func (r *Request) repairText() error {
	t := textRepair{r: r}
	name := ""
	if !r.whole() {
		name = r.format.list
	}
	t.walk(r.root, jsonscan.Value{}, name, !r.whole())
	if t.edits.Len() == 0 {
		return nil
	}
	body, err := t.edits.Apply(nil, r.body)
	if err != nil {
		return err
	}
	if err := r.doc.Parse(body); err != nil {
		return syntaxError(err)
	}
	r.body, r.root = body, r.format.open(r.doc.Root())
	return r.findList()
}

type textRepair struct {
	r     *Request
	edits jsonscan.Edits
}

// walk repairs the strings in v, a value in parent, that stands at path. history says that it belongs to the history: only
// there NULs are taken out.
func (t *textRepair) walk(v, parent jsonscan.Value, path string, history bool) {
	wrong := v.SubtreeFlags() & jsonscan.NeedsRepair
	root := parent == jsonscan.Value{}
	if wrong == 0 || !history && !root && wrong == jsonscan.HasNUL {
		return
	}
	switch v.Kind() {
	case jsonscan.String:
		if sealed := t.r.format.sealed; sealed == nil || !sealed(parent, v) {
			t.repair(v, path)
		}
	case jsonscan.Array:
		k := 0
		for e := v.First(); e.Exists(); e = e.Next() {
			t.walk(e, v, indexed(path, k), history)
			k++
		}
	case jsonscan.Object:
		for m := v.First(); m.Exists(); m = m.Next() {
			at := join(path, m.Key().Str())
			inside := history || root && t.r.holdsHistory(m.Key())
			t.walk(m.Key(), v, at, inside)
			t.walk(m, v, at, inside)
		}
	}
}

// holdsHistory reports whether a member of the body is part of the history.
func (r *Request) holdsHistory(key jsonscan.Value) bool {
	return key.StrIs(r.format.list) || r.format.system != "" && key.StrIs(r.systemKey())
}

func (t *textRepair) repair(v jsonscan.Value, path string) {
	problem := preflight.ProblemInvalidUnicode
	if v.Flags()&(jsonscan.HasLoneSurrogate|jsonscan.HasInvalidUTF8) == 0 {
		problem = preflight.ProblemNUL
	}
	t.edits.Replace(v.Start(), v.End(), jsonscan.RepairString(nil, v.Raw()))
	t.r.note(finding{
		code: preflight.CodeTextRepaired, problem: problem, rule: t.r.ruleOf(problem), path: path, at: nowhere,
		wrong: "the text holds NUL, a lone surrogate or invalid UTF-8",
		done:  "replaced characters that are not valid Unicode, or removed NUL",
	})
}

// ruleOf is the id under which the request's provider knows a problem.
func (r *Request) ruleOf(problem preflight.Problem) string {
	if id, ok := r.Profile.Rules[problem]; ok {
		return id
	}
	return "preflight/" + string(problem)
}
