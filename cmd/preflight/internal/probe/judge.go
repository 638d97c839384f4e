package probe

import (
	"slices"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/explain"
	"github.com/go-preflight/preflight/rule/problems"
	"github.com/go-preflight/preflight/wire"
)

// This file decides what a refusal says about a rule.

// judge decides about a body that was refused, by what became of its repaired form.
func (r *run) judge(p *probed, f *Finding, control answer) {
	named := candidates(f.Text)
	f.Known = len(named) > 0
	switch {
	case control.Fault != "":
		f.Why = "the repaired request got no answer: " + control.Fault
	case !control.accepted():
		f.Why = "the repaired request is refused, too"
		if f.Known && named[0] != p.rule.ID {
			f.As = named[0]
		}
	case p.rule.SeenAs != "" && slices.Contains(named, p.rule.SeenAs):
		f.Verdict, f.As = Refused, p.rule.SeenAs
	case slices.Contains(named, p.rule.ID):
		f.Verdict = Refused
		if own := ofBase(named, r.base); own != "" && own != p.rule.ID &&
			!ofProvider(p.rule, r.base) {
			f.As = own // hosts share words, and this rule is the base's own
		}
	case p.alone && ofProvider(p.rule, r.base) && !(f.Known && breaks(p.body, named[0])):
		f.Verdict = Refused // whatever the text says: the repaired form is accepted
		if f.Known {
			f.named = named[0]
		}
	case f.Known && ofProvider(p.rule, r.base) && ofBase(named, r.base) == "":
		f.Verdict = Refused // the words are another provider's, and only resemble these
	case f.Known:
		f.As = named[0]
		if sharesProblem(p.rule.ID, f.As) {
			f.Verdict = Refused
			break
		}
		f.Why = "the text is about another rule"
	case p.alone:
		f.Verdict = Refused
	default:
		f.Why = "the text is not known, and the body breaks more than this rule"
	}
}

// candidates returns the rules that a text can mean, likeliest first.
func candidates(text string) []string {
	e, ok := explain.Text(text)
	if !ok || e.Class != explain.ClassHistory {
		return nil
	}
	ids := []string{e.Rule.ID}
	for _, r := range e.Also {
		ids = append(ids, r.ID)
	}
	for _, m := range e.More {
		if m.Class == explain.ClassHistory {
			ids = append(ids, m.Rule.ID)
		}
	}
	return ids
}

// ofProvider reports whether a rule is the base's: its own, its format's, that of any host of the
// format, or one that it is known to share.
func ofProvider(r rule.Rule, base *provider.Profile) bool {
	if r.Provider == base.Provider || r.Provider == base.Format ||
		r.Provider == "openai-compatible" && base.Format == "openai-chat" {
		return true
	}
	for _, id := range base.Rules {
		if id == r.ID {
			return true
		}
	}
	return false
}

// ofBase returns the first rule that is the base's, or its format's.
func ofBase(ids []string, base *provider.Profile) string {
	for _, id := range ids {
		if r, ok := rule.ByID(id); ok && ofProvider(r, base) {
			return id
		}
	}
	return ""
}

// sharesProblem reports whether a profile has two rules for the same problem.
func sharesProblem(a, b string) bool {
	about := map[problems.Problem]int{}
	for _, p := range provider.All() {
		for problem, id := range p.Rules {
			if id == a {
				about[problem] |= 1
			}
			if id == b {
				about[problem] |= 2
			}
		}
	}
	for _, both := range about {
		if both == 3 {
			return true
		}
	}
	return false
}

// breaks reports whether a check finds a rule broken in a body.
func breaks(body []byte, id string) bool {
	r, _ := rule.ByID(id)
	found, err := wire.Check(body, enforcing(r.Provider, id))
	return err == nil && slices.ContainsFunc(found.Violations,
		func(v wire.Violation) bool { return v.Rule == id })
}

// repairs reports whether the base's own rules change a body.
func repairs(base *provider.Profile, model string, body []byte) bool {
	found, err := wire.Check(body, &wire.Options{Provider: base.Provider, Model: model})
	return err == nil && len(found.Violations) > 0
}
