package provider

import (
	"slices"

	"github.com/go-preflight/preflight/rule/problems"
)

// Profile says what one provider, and family of models, accepts. It is a plain value: copy one,
// change a field, use it. The zero Profile accepts any order of turns and still pairs tool calls.
//
// A field that is set restricts what is accepted, unless its comment says otherwise. The evidence
// for a restriction is the rule that Rules has for the problem.
type Profile struct {
	Provider string // "anthropic", "openai-chat", "deepseek-anthropic"…
	Format   string // the wire format, where Provider is a dialect of it; "" for the format itself
	Model    string // the model the profile was narrowed to, "" for none

	Roles     []Role // role spellings that are accepted; others are mapped to the neutral roles
	AnyRole   bool   // roles of an unknown meaning are accepted: chat templates have roles of their own
	System    SystemRules
	Turns     TurnRules
	Prefill   PrefillRules
	Pairing   PairingRules
	IDs       IDRules
	Tools     ToolRules
	Content   ContentRules
	Reasoning ReasoningRules
	Media     MediaRules
	Items     ItemRules
	Cache     CacheRules

	// Rules gives each problem the id of the provider rule it breaks. A problem without an entry
	// has a neutral id.
	Rules map[problems.Problem]string
}

// RuleID returns the id of the provider rule that a problem breaks: that of Rules, or else a
// neutral one, "preflight/" and the problem. It is "" for no problem.
func (p *Profile) RuleID(problem problems.Problem) string {
	if problem == "" {
		return ""
	}
	if id, ok := p.Rules[problem]; ok {
		return id
	}
	return "preflight/" + string(problem)
}

// RepairToolName returns the name that a tool has in a repaired history: the given name when the
// profile accepts it. It depends on the name alone, so that declarations and calls can be renamed
// apart and still agree. A nil profile is Portable.
func (p *Profile) RepairToolName(name string) string {
	if p == nil {
		p = Portable()
	}
	repaired := p.Tools.Name.RepairName(name)
	if slices.Contains(p.Tools.Reserved, repaired) {
		return p.Tools.Name.tagged(name)
	}
	return repaired
}
