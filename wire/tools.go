package wire

import (
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file holds what the formats share about the tools that a request declares.

// declaredTools collects repairs of the tools that a request declares, and their effect on the
// breakpoints after them.
type declaredTools struct {
	r       *Request
	excess  int    // cache breakpoints that must still be removed
	markers int    // cache breakpoints that are kept
	short   bool   // one of those is short-lived
	items   []item // the new list, once it has changed
	changed bool
}

// changes notes that tool k changes. The first time, the tools before it are listed as unchanged.
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
		code: codes.ToolRemoved, rule: "anthropic/tool-names-unique", path: path, at: nowhere,
		wrong: "a tool of this name is declared already",
		done:  "removed a second declaration of a tool",
	}
}

func toolRenamed(path, rule string) finding {
	return finding{
		code: codes.ToolRenamed, rule: rule, path: path, at: nowhere,
		wrong: "the tool's name has characters or a length that the provider refuses",
		done:  "changed a declared tool's name to one the provider accepts",
	}
}

// renameChoice renames the chosen tool as the declared tools are renamed. keys is the path to its
// name.
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

// usedTools lists the names of tools that a history uses, in order of first use: the
// provider-executed tools or the caller's.
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
