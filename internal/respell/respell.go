// Package respell replaces changed values in the JSON that they were read from.
package respell

import "github.com/go-preflight/preflight/internal/jsonscan"

// Change is a change of a value.
type Change struct {
	Old, Now string
	Raw      bool // both are JSON values, otherwise texts
}

// JSON returns raw with changed values, wherever it holds them, and whether it holds any. Raw
// values are found as values and, since some formats hold arguments as a string, as texts. It does
// not write to raw, and returns it when nothing changes. The cost is linear in raw.
func JSON(raw []byte, changes []Change) (out []byte, found bool) {
	doc, err := jsonscan.Parse(raw)
	if err != nil {
		return raw, false
	}
	m := mirror{texts: make(map[string]string), raws: make(map[string]string),
		lengths: make(map[int]bool), least: len(raw)}
	for _, c := range changes {
		m.texts[c.Old] = c.Now // some wire formats hold arguments as a string
		if c.Raw {
			m.raws[c.Old], m.lengths[len(c.Old)] = c.Now, true
		}
		m.least = min(m.least, len(c.Old))
	}
	var edits jsonscan.Edits
	m.value(doc.Root(), &edits)
	if edits.Len() == 0 {
		return raw, false
	}
	if out, err = edits.Apply(raw); err != nil {
		return raw, false // cannot happen: the edits are within raw and do not overlap
	}
	return out, true
}

// mirror replaces changed values in native JSON.
type mirror struct {
	texts, raws map[string]string
	lengths     map[int]bool // of raws
	least       int          // bytes of the shortest old value
}

// value collects the edits of v. The scanner's nesting limit bounds the depth.
func (m *mirror) value(v jsonscan.Value, edits *jsonscan.Edits) {
	if v.End()-v.Start() < m.least {
		return
	}
	if m.lengths[v.End()-v.Start()] {
		if now, ok := m.raws[string(v.Raw())]; ok {
			edits.Replace(v.Start(), v.End(), []byte(now))
			return
		}
	}
	switch v.Kind() {
	case jsonscan.String:
		if now, ok := m.texts[v.Str()]; ok {
			edits.Replace(v.Start(), v.End(), jsonscan.AppendString(nil, now))
		}
	case jsonscan.Array, jsonscan.Object:
		for c := v.First(); c.Exists(); c = c.Next() {
			m.value(c, edits)
		}
	}
}
