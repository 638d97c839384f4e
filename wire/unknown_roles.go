package wire

import (
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file finds the tool's messages among those of an unknown role: a message with the id of a
// call is its result, whatever its role is called.
//
//	{"role":"ToolMessage","tool_call_id":"call_1","content":"42"}
//	{"role":"tool","tool_call_id":"call_1","content":"42"}

// callMembers are the members in which the message of a tool has the id of its call. The first one
// is on tools' messages only.
var callMembers = []string{
	"tool_call_id", "tool_use_id", "toolCallId", "toolUseId", "call_id", "callId", "id",
}

// answers returns the member of a message that names the call it answers; "" if the role is known,
// and if it names none. A call counts if it is before the message. An id that is a tool's by its
// name needs no call where roles of an unknown meaning are refused.
func (d *decoder) answers(v jsonscan.Value, role preflight.Role) string {
	if _, known := role.Neutral(); known || role == "" || holdsCall(v.Get("tool_calls")) {
		return ""
	}
	for k, key := range callMembers {
		id := v.Get(key)
		if id.Kind() != jsonscan.String || strings.TrimSpace(id.Str()) == "" {
			continue
		}
		if d.isCalled(calledBy{id: id.Str()}) || k == 0 && !d.r.Profile.AnyRole {
			return key
		}
	}
	return ""
}

// namesCalled reports whether a message of an unknown role has the name of a called tool in the
// member that only tools' messages have. Calls may have no id there.
func (d *decoder) namesCalled(v jsonscan.Value, role preflight.Role) bool {
	name := v.Get("tool_name")
	if _, known := role.Neutral(); known || name.Kind() != jsonscan.String || name.StrIs("") {
		return false
	}
	return d.isCalled(calledBy{name: name.Str()})
}

// calledName returns the name that a result has of a called tool, "" for none.
func (d *decoder) calledName(v jsonscan.Value) string {
	for _, key := range []string{"name", "tool_name", "toolName"} {
		if name := v.Get(key); name.Kind() == jsonscan.String && d.isCalled(calledBy{name: name.Str()}) {
			return name.Str()
		}
	}
	return ""
}

// calledBy is the id of a call, or the name of its tool.
type calledBy struct{ id, name string }

// isCalled reports whether a message before the one being read has such a call.
func (d *decoder) isCalled(by calledBy) bool {
	if d.called == nil {
		d.called = make(map[calledBy]bool)
	}
	for ; d.calledTo < len(d.r.Messages); d.calledTo++ {
		for _, p := range d.r.Messages[d.calledTo].Parts {
			if c, ok := p.(*preflight.ToolCall); ok && !c.ProviderExecuted {
				d.called[calledBy{id: c.ID}], d.called[calledBy{name: c.Name}] = true, true
			}
		}
	}
	return d.called[by]
}

// withMember returns the JSON of a message with the member key under another name.
func withMember(v jsonscan.Value, key, name string) []byte {
	message := jsonscan.EditObject(v)
	message.SetMember(name, v.Get(key).Raw())
	message.DeleteMember(key)
	return message.Bytes()
}
