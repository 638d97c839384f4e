package wire

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/members"
)

// This file removes what a stranger's body refers to: see preflight.Options.Untrusted.

// dropStored removes the members by which a body continues what the provider stores. Whoever writes
// them could continue the conversation of another user.
func (r *Request) dropStored() {
	removed := func(f finding) bool { return f.code == codes.ContainerRemoved }
	for _, name := range r.storedMembers() {
		if name == "container" && slices.ContainsFunc(r.findings, removed) {
			continue
		}
		r.note(untied(name))
		r.deleteMember(name)
		r.untied = true
	}
	if !r.untied {
		return
	}
	r.readState()
	if r.format.mayBeUnlisted {
		r.readStorage()
	}
}

// storedMembers returns the names of the members that name what the provider stores, and of those
// that no row has, whatever they hold: strangers may send what a new server takes for such a name.
func (r *Request) storedMembers() (names []string) {
	for _, m := range r.root.All() {
		name := m.Key().Str()
		row, known := members.Of(r.format.name, members.Request, name)
		if hasValue(m) && (!known || row.Has(members.State)) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// untied returns the finding of a member that names what the provider stores.
func untied(path string) finding {
	return finding{
		code: codes.FieldRemoved, rule: ruleShape, path: path,
		done: "removed references to what the provider holds from an untrusted request",
	}
}

// withoutNested returns the body without the members inside others that name what the provider
// stores, and the findings; nil if it has none.
func (r *Request) withoutNested() ([]byte, []finding) {
	var edits jsonscan.Edits
	var found []finding
	for _, m := range r.root.All() {
		outer := m.Key().Str()
		whole, nests := members.Nesting[outer]
		if !nests || m.Kind() != jsonscan.Object {
			continue
		}
		found = append(found, r.cutNested(&edits, m, outer, outer, whole)...)
		for _, inner := range m.All() {
			name := inner.Key().Str()
			row, _ := members.OfNested(r.format.name, outer, name)
			if !whole && inner.Kind() == jsonscan.Object && !row.Has(members.State) {
				found = append(found, r.cutNested(&edits, inner, outer, outer+"."+name, false)...)
			}
		}
	}
	found = append(found, r.freshContainers(&edits)...)
	if len(found) == 0 {
		return nil, nil
	}
	body, err := edits.Apply(r.body)
	if err != nil {
		return nil, nil
	}
	return body, found
}

// cutNested removes the members of an object that name what the provider stores, and those that no
// row has if unknown is set.
func (r *Request) cutNested(
	edits *jsonscan.Edits, object jsonscan.Value, outer, path string, unknown bool,
) (found []finding) {
	edited := jsonscan.EditObject(object)
	for _, m := range object.All() {
		name := m.Key().Str()
		row, known := members.OfNested(r.format.name, outer, name)
		if hasValue(m) && (row.Has(members.State) || unknown && !known) {
			edited.DeleteMember(name)
			found = append(found, untied(path+"."+name))
		}
	}
	edited.AppendTo(edits)
	return found
}

// containers are the members of tools that may name a container of the provider, or files for it,
// and what stands for a new one.
var containers = []struct{ tool, member, fresh string }{
	{"code_interpreter", "container", `{"type":"auto"}`},
	{"shell", "environment", `{"type":"container_auto"}`},
}

// freshContainers gives tools that name a container one of their own.
func (r *Request) freshContainers(edits *jsonscan.Edits) (found []finding) {
	for k, tool := range r.root.Get("tools").All() {
		for _, c := range containers {
			v := tool.Get(c.member)
			if !tool.Get("type").StrIs(c.tool) || v.Kind() != jsonscan.String &&
				!hasValue(v.Get("container_id")) && !hasValue(v.Get("id")) &&
				!hasValue(v.Get("file_ids")) {
				continue
			}
			edits.Replace(v.Start(), v.End(), []byte(c.fresh))
			found = append(found, untied(indexed("tools", k)+"."+c.member))
		}
	}
	return found
}
