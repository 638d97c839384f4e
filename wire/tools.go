package wire

import (
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file holds what the formats share about the tools that a request declares.

// declaredTools is the work on the tools that an Anthropic request declares, and what they mean for
// what stands behind them.
type declaredTools struct {
	r       *Request
	excess  int  // cache breakpoints that still have to go
	markers int  // cache breakpoints that stay
	short   bool // one of them is short-lived
	items   []item
	changed bool
}

// changes notes that tool k does not stay as it is; those before it do, up to the first of which it
// is said.
func (d *declaredTools) changes(k int) {
	if d.changed {
		return
	}
	d.changed = true
	for i := range k {
		d.items = append(d.items, item{from: i})
	}
}

// declares notes that the body declares a tool of this name.
func (r *Request) declares(name string) {
	if r.declared == nil {
		r.declared = make(map[string]bool)
	}
	r.declared[name] = true
}

func toolRemoved(path string) finding {
	return finding{
		code: CodeToolRemoved, rule: "anthropic/tool-names-unique", path: path, at: nowhere,
		wrong: "a tool of this name is declared already",
		done:  "removed a second declaration of a tool",
	}
}

func toolRenamed(path, rule string) finding {
	return finding{
		code: CodeToolRenamed, rule: rule, path: path, at: nowhere,
		wrong: "the tool's name has characters or a length that the provider refuses",
		done:  "gave a declared tool a name that the provider accepts",
	}
}

// renameChoice makes the choice of a tool follow the tools' new names.
func (r *Request) renameChoice(rule string, keys ...string) {
	v := r.root
	for _, key := range keys {
		v = v.Get(key)
	}
	if v.Kind() != jsonscan.String || r.Profile.RepairToolName(v.Str()) == v.Str() {
		return
	}
	name := quoted(r.Profile.RepairToolName(v.Str()))
	r.replace(v, name)
	r.note(toolRenamed(strings.Join(keys, "."), rule))
}

// usedTools are the names of the tools that a history uses, those of the caller or those that the
// provider runs, in order of first use.
func usedTools(messages []preflight.Message, served bool) []string {
	var names []string
	seen := make(map[string]bool)
	for i := range messages {
		for _, p := range messages[i].Parts {
			if c, ok := p.(*preflight.ToolCall); ok && c.ProviderExecuted == served &&
				c.Name != "" && !seen[c.Name] {
				seen[c.Name] = true
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// replace records that v becomes the JSON value raw.
func (r *Request) replace(v jsonscan.Value, raw []byte) {
	r.changes = append(r.changes, func(e *jsonscan.Edits, _ *jsonscan.ObjectEdit) {
		e.Replace(v.Start(), v.End(), raw)
	})
}

// replaceElements records that the elements of list become items.
func (r *Request) replaceElements(list jsonscan.Value, items []item) {
	r.changes = append(r.changes, func(e *jsonscan.Edits, _ *jsonscan.ObjectEdit) {
		splice(e, list, r.body, items)
	})
}
