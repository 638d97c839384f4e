// Package respell replaces changed values in the JSON that they were read from.
package respell

import "github.com/go-preflight/preflight/internal/jsonscan"

// Change is a change of a value.
type Change struct {
	Old, Now string
	Raw      bool // both are JSON values, otherwise texts
	Cut      bool // the value is removed, as often as there is such a change
	// Key limits the change to this member of the object, a name, which other changes do not reach.
	Key string
}

// JSON returns raw with changed values, wherever it holds them, and for each change whether it
// holds the old value. Raw values are found as values and, since some formats hold arguments as a
// string, as texts. Words of a format, names and ids keep their spelling; a value that is removed
// from an object leaves an empty text or null. JSON does not write to raw, and returns it when
// nothing changes. The cost is linear in raw.
func JSON(raw []byte, changes []Change) (out []byte, found []bool) {
	found = make([]bool, len(changes))
	doc, err := jsonscan.Parse(raw)
	if err != nil {
		return raw, found
	}
	m := mirror{
		texts: make(map[string]string), raws: make(map[string]string),
		cuts: make(map[string]int), textCuts: make(map[string]int),
		lengths: make(map[int]bool), hit: make(map[string]bool),
		least: len(raw),
	}
	var edits jsonscan.Edits
	for k, c := range changes {
		switch v := doc.Root().Get(c.Key); {
		case c.Key != "":
			if found[k] = v.StrIs(c.Old) || !v.Exists(); v.StrIs(c.Old) {
				edits.Replace(v.Start(), v.End(), jsonscan.AppendString(nil, c.Now))
			}
			continue
		case c.Cut && c.Raw:
			m.cuts[c.Old]++
		case c.Cut:
			m.textCuts[c.Old]++
		default:
			m.texts[c.Old] = c.Now // some wire formats hold arguments as a string
			if c.Raw {
				m.raws[c.Old] = c.Now
			}
		}
		if c.Raw {
			m.lengths[len(c.Old)] = true
		}
		m.least = min(m.least, len(c.Old))
	}
	m.value(doc.Root(), &edits)
	if edits.Len() == 0 {
		return raw, found
	}
	if out, err = edits.Apply(raw); err != nil {
		return raw, found // cannot happen: the edits are within raw and do not overlap
	}
	for k, c := range changes {
		switch {
		case c.Key != "":
		case c.Cut && c.Raw:
			found[k] = m.cuts[c.Old] == 0
		case c.Cut:
			found[k] = m.textCuts[c.Old] == 0
		default:
			found[k] = m.hit[c.Old]
		}
	}
	return out, found
}

// mirror replaces changed values in native JSON.
type mirror struct {
	texts, raws    map[string]string
	cuts, textCuts map[string]int  // how often a value is still to be removed
	lengths        map[int]bool    // of raws and cuts
	hit            map[string]bool // old values that were found
	least          int             // bytes of the shortest old value
}

// value collects the edits of v. The scanner's nesting limit bounds the depth.
func (m *mirror) value(v jsonscan.Value, edits *jsonscan.Edits) {
	if v.End()-v.Start() < m.least {
		return
	}
	if m.lengths[v.End()-v.Start()] {
		if now, ok := m.raws[string(v.Raw())]; ok {
			m.hit[string(v.Raw())] = true
			edits.Replace(v.Start(), v.End(), []byte(now))
			return
		}
	}
	switch v.Kind() {
	case jsonscan.String:
		if now, ok := m.texts[v.Str()]; ok {
			m.hit[v.Str()] = true
			edits.Replace(v.Start(), v.End(), jsonscan.AppendString(nil, now))
		}
	case jsonscan.Array:
		m.elements(v, edits)
	case jsonscan.Object:
		for c := v.First(); c.Exists(); c = c.Next() {
			switch {
			case c.Kind() == jsonscan.String && formatKeys[c.Key().Str()]:
			case !m.cut(c):
				m.value(c, edits)
			case c.Kind() == jsonscan.String:
				edits.Replace(c.Start(), c.End(), []byte(`""`))
			default:
				edits.Replace(c.Start(), c.End(), []byte("null"))
			}
		}
	}
}

// cut reports whether v is to be removed, and counts it.
func (m *mirror) cut(v jsonscan.Value) bool {
	if len(m.textCuts) > 0 && v.Kind() == jsonscan.String && m.textCuts[v.Str()] > 0 {
		m.textCuts[v.Str()]--
		return true
	}
	if !m.lengths[v.End()-v.Start()] || m.cuts[string(v.Raw())] == 0 {
		return false
	}
	m.cuts[string(v.Raw())]--
	return true
}

// elements collects the edits of an array, each removed element with a comma.
func (m *mirror) elements(v jsonscan.Value, edits *jsonscan.Edits) {
	kept, from, to := -1, -1, -1 // the end of the last kept element; a run of removed ones after it
	for c := v.First(); c.Exists(); c = c.Next() {
		if m.cut(c) {
			if from < 0 {
				from = c.Start()
			}
			to = c.End()
			continue
		}
		if from >= 0 {
			edits.Replace(from, c.Start(), nil)
		}
		m.value(c, edits)
		kept, from = c.End(), -1
	}
	switch {
	case from < 0:
	case kept < 0:
		edits.Replace(from, to, nil)
	default:
		edits.Replace(kept, to, nil)
	}
}
