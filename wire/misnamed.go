package wire

import (
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file reads what a call or a result has in a member of another format:
//
//	{"role":"tool","toolCallId":"call_1","output":"42"}
//	{"role":"tool","tool_call_id":"call_1","content":"42"}

// inputMembers and outputMembers are the members in which calls have their arguments, and results
// what the tool returned.
var (
	inputMembers  = []string{"arguments", "input", "args", "parameters"}
	outputMembers = []string{"content", "output", "result", "response"}
)

const (
	wrongMember = "the value is in a member of another format"
	doneMember  = "wrote a value in the member that the provider reads"
)

// misnamed returns the first of some members that has a value, if the member key has none. The
// decoder notes it. It returns "" if key has a value, or none of them has.
func (d *decoder) misnamed(v jsonscan.Value, key, rule string, names []string) string {
	if hasValue(v.Get(key)) {
		return ""
	}
	name := firstWithValue(v, names)
	if name != "" {
		d.repaired(v, key, rule, wrongMember, doneMember)
	}
	return name
}

// firstWithValue returns the first of some members that has a value, "" for none.
func firstWithValue(v jsonscan.Value, names []string) string {
	for _, name := range names {
		if hasValue(v.Get(name)) {
			return name
		}
	}
	return ""
}

// misnamedInput reads the arguments of a call that has them in another member than "input".
func (d *decoder) misnamedInput(v jsonscan.Value, c *preflight.ToolCall) {
	if hasValue(v.Get("input")) {
		return // in most cases
	}
	if name := d.misnamed(v, "input", d.r.ruleOf(problems.Arguments), inputMembers); name != "" {
		c.Input, c.Native.JSON = argumentsOf(v.Get(name)), withoutMember(c.Native.JSON, name)
	}
}

// callID reads the id of the call that a result answers, which is in the member key or in one that
// has it in another format.
func (d *decoder) callID(v jsonscan.Value, key string, r *preflight.ToolResult) {
	r.CallID = d.text(v, key)
	if strings.TrimSpace(r.CallID) != "" {
		return
	}
	if name := d.idMember(v); name != "" {
		d.repaired(v, key, d.r.ruleOf(problems.Orphan), wrongMember, doneMember)
		r.CallID, r.Native.JSON = v.Get(name).Str(), withoutMember(r.Native.JSON, name)
	}
}

// idMember returns the member in which a result has the id of its call; "" for none. An id in the
// member "id" may be the result's own: it counts if a call before the result has it.
func (d *decoder) idMember(v jsonscan.Value) string {
	for _, name := range callMembers {
		id := v.Get(name)
		if id.Kind() == jsonscan.String && strings.TrimSpace(id.Str()) != "" &&
			(name != "id" || d.isCalled(calledBy{id: id.Str()})) {
			return name
		}
	}
	return ""
}

// withoutMember returns an object in JSON without one of its members.
func withoutMember(object []byte, name string) []byte {
	o := jsonscan.EditObject(valueOf(object))
	o.DeleteMember(name)
	return o.Bytes()
}
