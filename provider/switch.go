package provider

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file switches the rules of a profile on and off by their ids. Which fields a rule is made of
// follows from the problems that profiles name it for, and from the tags of the fields; see
// switch_fields.go.

// SwitchError says why a rule cannot be switched.
type SwitchError struct {
	Rule   string // the id
	Reason string // a sentence without a period
}

// Error names the rule and the reason.
func (e *SwitchError) Error() string {
	if e == nil {
		return "provider: a rule cannot be switched"
	}
	return fmt.Sprintf("provider: rule %q cannot be switched: %s", e.Rule, e.Reason)
}

// CheckSwitch returns nil if [Profile.Enforce] and [Profile.Lift] take the rule with the given id,
// and a *SwitchError with the reason if they do not: no field of a profile is about the rule, or
// one that no provider can do without, such as the pairing of calls and results.
func CheckSwitch(id string) error {
	if switches()[id].enforce != nil {
		return nil
	}
	reason := "no field of a profile expresses it"
	if _, ok := rule.ByID(id); !ok {
		reason = "there is no such rule"
	} else if fixed, ok := unswitched[id]; ok {
		reason = fixed
	}
	return &SwitchError{id, reason}
}

// Enforce sets the fields of the profile that the rule restricts, as in the profile of the provider
// whose rule it is, and makes a check report it. What the profile restricts further stays so. The
// error is that of [CheckSwitch], and the profile unchanged then.
func (p *Profile) Enforce(id string) error {
	if err := CheckSwitch(id); err != nil {
		return err
	}
	if p == nil {
		return nil
	}
	p.Rules = maps.Clone(p.Rules)
	if p.Rules == nil {
		p.Rules = map[problems.Problem]string{}
	}
	for _, part := range switches()[id].enforce {
		p.Rules[part.setting.problem] = id
		if part.donor == nil {
			part.setting.on(p)
		} else {
			part.setting.take(p, part.donor)
		}
	}
	return nil
}

// Lift clears the fields of the profile that the rule restricts, whatever provider they come from.
// The error is that of [CheckSwitch], and the profile unchanged then.
func (p *Profile) Lift(id string) error {
	if err := CheckSwitch(id); err != nil {
		return err
	}
	if p == nil {
		return nil
	}
	for _, s := range switches()[id].lift {
		s.free(p)
	}
	return nil
}

// ruleSwitch is what a rule restricts.
type ruleSwitch struct {
	enforce []switchPart // in the order of the fields
	lift    []*setting   // all that its problems depend on
}

// switchPart is a setting of a rule, and a profile that has it; nil where none has.
type switchPart struct {
	setting *setting
	donor   *Profile
}

// switches are the rules that can be switched.
var switches = sync.OnceValue(func() map[string]ruleSwitch {
	donors := map[string][]donor{}
	for _, d := range definitions {
		all := d.variants()
		for _, p := range all {
			for _, id := range slices.Compact(slices.Sorted(maps.Values(p.Rules))) {
				donors[id] = append(donors[id], donor{p, all[0]})
			}
		}
	}
	out := map[string]ruleSwitch{}
	for id, all := range donors {
		if _, fixed := unswitched[id]; !fixed {
			if s := switchOf(id, all); s.enforce != nil {
				out[id] = s
			}
		}
	}
	return out
})

// donor is a profile that has a rule, and that of the same provider and no particular model.
type donor struct{ profile, plain *Profile }

// switchOf returns the switch of a rule, without a part if it cannot be switched. Enforced, a rule
// restricts what it restricts in a profile that has it, and no more. Where no profile restricts
// anything by it, it waits for a server that refuses, and restricts by the first field of each of
// its problems.
func switchOf(id string, donors []donor) (out ruleSwitch) {
	slices.SortStableFunc(donors, func(a, b donor) int {
		return distance(a.profile, id) - distance(b.profile, id)
	})
	var waiting []switchPart
	for _, problem := range problemsOf(id, donors) {
		of := settingsOf(problem)
		out.lift = append(out.lift, of...)
		if p := shownBy(id, of, donors); p != nil {
			for _, s := range of {
				if s.holds(p) {
					out.enforce = append(out.enforce, switchPart{s, p})
				}
			}
		} else if k := slices.IndexFunc(of, func(s *setting) bool { return s.on != nil }); k >= 0 {
			waiting = append(waiting, switchPart{of[k], nil})
		}
	}
	if out.enforce == nil {
		out.enforce = waiting
	}
	return out
}

// problemsOf returns the problems that profiles name a rule for, in the order of the fields.
func problemsOf(id string, donors []donor) []problems.Problem {
	var out []problems.Problem
	all := settings()
	for k := range all {
		problem := all[k].problem
		if !slices.Contains(out, problem) && slices.ContainsFunc(donors, func(d donor) bool {
			return d.profile.Rules[problem] == id
		}) {
			out = append(out, problem)
		}
	}
	return out
}

// settingsOf returns the settings that a problem depends on.
func settingsOf(problem problems.Problem) []*setting {
	var out []*setting
	all := settings()
	for k := range all {
		if all[k].problem == problem {
			out = append(out, &all[k])
		}
	}
	return out
}

// shownBy returns the profile that shows what a rule restricts by some settings, nil if none does.
// A model that takes less of a list than the provider's others shows most; then what holds for all
// models of a provider; then what a model alone does not take.
func shownBy(id string, of []*setting, donors []donor) *Profile {
	var found *Profile
	best := 0
	for _, d := range donors {
		for _, s := range of {
			if d.profile.Rules[s.problem] != id || !s.holds(d.profile) {
				continue
			}
			shows := 1
			switch {
			case s.list && s.holds(d.plain) && s.narrows(d.plain, d.profile):
				shows = 4
			case !s.list && d.profile == d.plain:
				shows = 3
			case !s.holds(d.plain):
				shows = 2
			}
			if shows > best {
				found, best = d.profile, shows
			}
		}
	}
	return found
}

// narrows reports whether a profile takes less after it restricts as another one does.
func (s *setting) narrows(p, as *Profile) bool {
	narrowed := *p
	s.take(&narrowed, as)
	return !reflect.DeepEqual(narrowed, *p)
}

// distance is 0 for a profile of the provider whose rule it is.
func distance(p *Profile, id string) int {
	if r, _ := rule.ByID(id); r.Provider == p.Provider {
		return 0
	}
	return 1
}

// variants returns the profiles of a provider: that of no particular model, and what each row about
// models makes of it.
func (d *definition) variants() []*Profile {
	all := []*Profile{d.forModel("")}
	for _, r := range d.all {
		if h, _ := r.holds(d.names("")); h.named && !r.elsewhere {
			p := all[0].clone()
			held{compiled: r}.apply(p)
			all = append(all, p)
		}
	}
	return all
}
