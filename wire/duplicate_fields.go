package wire

import (
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file removes fields that an object has twice, in the whole body: in messages and blocks, and
// in arguments, outputs and schemas of tools. Readers differ on them: most take the last one, some
// the first, and servers that decode into structures or maps of a fixed type refuse them. The last
// one stays.
//
//	"input":{"a":1,"a":2}    becomes  "input":{"a":2}

// ambiguous are the faults of a body that are repaired before anything else reads it.
const ambiguous = jsonscan.NeedsRepair | jsonscan.HasRepeatedName

const ruleDuplicateField = "preflight/duplicate-field"

// removeDuplicates removes duplicate fields, records each, and continues with the repaired body.
func (r *Request) removeDuplicates() error {
	root := r.doc.Root()
	if root.SubtreeFlags()&jsonscan.HasRepeatedName == 0 {
		return nil
	}
	d := duplicates{r: r}
	if r.whole() {
		d.walk(root, bodyPath{})
	} else {
		d.walk(root, bodyPath{path: r.format.list})
	}
	for k := range r.findings {
		r.findings[k].early = true
	}
	return r.rewrite(&d.edits)
}

// removedFields are the duplicates that were removed, by the path of their object: their indices
// among its members, ascending. Nothing is written of objects whose members have no path.
type removedFields map[string][]int

// original takes a path in the body without duplicates and returns that in the body that came,
// where members may have other indices.
func (gone removedFields) original(path string) string {
	for from := 0; gone != nil; {
		start := strings.Index(path[from:], "[#")
		if start < 0 {
			break
		}
		start += from
		length := strings.IndexByte(path[start:], ']')
		if length < 0 {
			break
		}
		k, err := strconv.Atoi(path[start+2 : start+length])
		if err != nil {
			break
		}
		for _, removed := range gone[path[:start]] {
			if removed <= k {
				k++
			}
		}
		step := ordinal(k)
		path = path[:start] + step + path[start+length+1:]
		from = start + len(step)
	}
	return path
}

// warningOf returns the warning about a finding.
func (r *Request) warningOf(f *finding) Warning {
	w := f.warning()
	if !f.early {
		w.Path = r.removed.original(w.Path)
	}
	return w
}

// violationOf returns the violation that a finding is.
func (r *Request) violationOf(f *finding) Violation {
	v := f.violation()
	if !f.early {
		v.Path = r.removed.original(v.Path)
	}
	return v
}

// rewrite continues with the edited body.
func (r *Request) rewrite(edits *jsonscan.Edits) error {
	body, err := edits.Apply(r.body)
	if err != nil {
		return err
	}
	if err := r.doc.Parse(body); err != nil {
		return syntaxError(err)
	}
	r.body, r.root = body, r.format.open(r.doc.Root())
	return r.findList()
}

type duplicates struct {
	r     *Request
	edits jsonscan.Edits
}

// walk removes the duplicate fields of the objects in v.
func (d *duplicates) walk(v jsonscan.Value, at bodyPath) {
	if v.SubtreeFlags()&jsonscan.HasRepeatedName == 0 {
		return
	}
	removed := map[jsonscan.Value]bool{}
	v.DeleteRepeated(&d.edits, func(m jsonscan.Value, k int) {
		removed[m] = true
		if at.ends != ended {
			if d.r.removed == nil {
				d.r.removed = removedFields{}
			}
			d.r.removed[at.path] = append(d.r.removed[at.path], k)
		}
		d.r.note(finding{
			code: codes.DuplicateFieldRemoved, rule: ruleDuplicateField,
			path:  at.member(m, k).path,
			wrong: "a later field of the object has the same name",
			done:  "removed a duplicate field; the later one stays",
		})
	})
	for k, e := range v.All() {
		switch {
		case removed[e] || e.SubtreeFlags()&jsonscan.HasRepeatedName == 0:
		case v.Kind() == jsonscan.Object:
			d.walk(e, at.member(e, k))
		default:
			d.walk(e, at.element(k))
		}
	}
}

// unrepeated is raw without duplicate fields; what is no JSON is returned as it is.
func unrepeated(raw []byte) []byte {
	v := valueOf(raw)
	if !v.Exists() {
		return raw
	}
	return jsonscan.Unrepeated(v)
}
