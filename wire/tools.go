package wire

import (
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file holds what the formats share about the tools that a request declares.

// listRepair is a list of the body under repair, whose elements are gone through in order. Nothing
// is collected before one changes.
type listRepair struct {
	items   []item // the new list
	changed bool
}

// keep leaves element k as it is.
func (l *listRepair) keep(k int) {
	if l.changed {
		l.items = append(l.items, item{from: k})
	}
}

// remove removes element k.
func (l *listRepair) remove(k int) {
	if l.changed {
		return
	}
	l.changed = true
	for i := range k {
		l.keep(i)
	}
}

// replace replaces element k.
func (l *listRepair) replace(k int, raw [][]byte) {
	l.remove(k)
	l.items = append(l.items, item{from: k, raw: raw})
}

// declares notes that the body declares a tool of this name.
func (r *Request) declares(name string) {
	if r.declared == nil {
		r.declared = make(map[string]bool)
	}
	r.declared[name] = true
}

func toolRemoved(path, rule string) finding {
	return finding{
		code: codes.ToolRemoved, rule: rule, path: path,
		wrong: "a tool of this name is declared already",
		done:  "removed a second declaration of a tool",
	}
}

func toolRenamed(path, rule string) finding {
	return finding{
		code: codes.ToolRenamed, rule: rule, path: path,
		wrong: "the tool's name has characters or a length that the provider refuses",
		done:  "changed a declared tool's name to one the provider accepts",
	}
}

// renameTool gives a declared or allowed tool a name that the provider accepts. rule is the one
// about names, "" for that of the profile, and path is where the name is.
func (r *Request) renameTool(name jsonscan.Value, rule string, path func() string) {
	fixed := r.Profile.RepairToolName(name.Str())
	if name.Kind() != jsonscan.String || fixed == name.Str() {
		return
	}
	r.replace(name, quoted(fixed))
	r.renames(name.Str(), fixed)
	if rule == "" {
		rule = r.ruleOf(problems.ToolName)
	}
	r.note(toolRenamed(path(), rule))
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

// deleteMember records that the body loses a member.
func (r *Request) deleteMember(name string) {
	r.changes = append(r.changes, func(_ *jsonscan.Edits, top *jsonscan.ObjectEdit) {
		top.DeleteMember(name)
	})
}

// repairList records the repair of a list.
func (r *Request) repairList(list jsonscan.Value, l listRepair) {
	if l.changed {
		r.changes = append(r.changes, func(e *jsonscan.Edits, _ *jsonscan.ObjectEdit) {
			splice(e, list, r.body, l.items)
		})
	}
}
