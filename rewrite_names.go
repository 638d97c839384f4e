package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file gives tools and participants names that the provider accepts.

// rewriteNamesFixer rewrites tool names, and participants' names, that the provider refuses.
var rewriteNamesFixer = Fixer{
	Name:   "rewrite-names",
	Doc:    "rewrites tool names and participant names with refused characters or lengths",
	repair: rewriteNames,
	cures:  problemset.Of(problems.NamePattern, problems.ToolName, problems.NameLength, problems.ToolReserved),
}

func rewriteNames(d *draft) {
	for i := range d.nodes {
		d.rewriteParticipant(i)
		for j, p := range d.nodes[i].Parts {
			switch p := p.(type) {
			case *ToolCall:
				if problem := toolNameProblem(d.profile, p); problem != "" {
					d.replace(i, j, edited(p, func(c *ToolCall) {
						c.Name = d.profile.RepairToolName(c.Name)
					}), note{
						code: codes.NameRepaired, problem: problem, id: p.ID,
						detail: "changed a tool call's name to one the provider accepts",
					})
				}
			case *ToolResult:
				if p.Name != "" && !p.ProviderExecuted && !isHosts(p.Variant, p.Native) &&
					p.Name != d.profile.RepairToolName(p.Name) {
					d.replace(i, j, edited(p, func(r *ToolResult) {
						r.Name = d.profile.RepairToolName(r.Name)
					}), note{
						code: codes.NameRepaired, problem: problems.ToolName, id: p.CallID,
						detail: "added its call's name to a tool result",
					})
				}
			}
		}
	}
}

func (d *draft) rewriteParticipant(i int) {
	n := &d.nodes[i]
	if n.Name == "" || d.profile.IDs.Participant.Matches(n.Name) {
		return
	}
	d.warn(d.position(i, none), note{
		code: codes.NameRepaired, problem: problems.NamePattern,
		detail: "changed a participant's name to one the provider accepts",
	}, Tally{}, Tally{})
	d.touch(i).Name = d.profile.IDs.Participant.RepairName(n.Name)
}

// isHosts reports whether a call or result is of a tool that the provider has, not the caller, as
// its JSON says. The provider names such a tool and says what its arguments are.
func isHosts(variant string, native Native) bool {
	return variant != "" && variant != "custom" && len(native.JSON) > 0
}

// toolNameProblem returns the problem of the tool name of a call, or "".
func toolNameProblem(p *Profile, c *ToolCall) problems.Problem {
	switch {
	case c.ProviderExecuted || isHosts(c.Variant, c.Native):
		return ""
	case blank(c.Name) || !p.Tools.Name.FitsLength(c.Name):
		return problems.NameLength
	case !p.Tools.Name.FitsAlphabet(c.Name):
		return problems.ToolName
	case slices.Contains(p.Tools.Reserved, c.Name):
		return problems.ToolReserved
	}
	return ""
}

// participant checks a participant's name.
func (c *checker) participant(i int, m *Message) {
	if !c.profile.IDs.Participant.Matches(m.Name) {
		c.report(problems.NamePattern, i, none, "",
			"the participant's name has characters or a length that the provider refuses")
	}
}

const refusedToolName = "the tool's name has characters or a length that the provider refuses"

func (c *checker) toolName(i, j int, call *ToolCall) {
	if problem := toolNameProblem(c.profile, call); problem != "" {
		c.report(problem, i, j, call.ID, refusedToolName)
	}
}

// resultName checks the tool name of a result, if it has one.
func (c *checker) resultName(i, j int, r *ToolResult) {
	if r.Name != "" && !isHosts(r.Variant, r.Native) &&
		r.Name != c.profile.RepairToolName(r.Name) {
		c.report(problems.ToolName, i, j, r.CallID, refusedToolName)
	}
}
