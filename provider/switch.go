package provider

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file switches the rules of a profile on and off by their ids. Which fields a rule is made of
// follows from the problems that profiles name it for, and from the table of switch_settings.go.

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
	if switches()[id] != nil {
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
	for _, part := range switches()[id] {
		p.Rules[part.setting.problem] = id
		if part.setting.on != nil {
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
	for _, part := range switches()[id] {
		part.setting.free(p)
	}
	return nil
}

// setting is what one problem depends on. A problem may have several.
type setting struct {
	problem problems.Problem
	on      func(p *Profile)        // restricts; nil where the restriction needs a value
	take    func(p, donor *Profile) // restricts as donor does
	free    func(p *Profile)        // restricts no longer
	holds   func(p *Profile) bool   // p restricts
}

// switchPart is a setting of a rule, and a profile that has it; nil where none has.
type switchPart struct {
	setting *setting
	donor   *Profile
}

// switches are the settings of each rule that can be switched.
var switches = sync.OnceValue(func() map[string][]switchPart {
	named := map[string][]problems.Problem{}
	donors := map[string][]*Profile{}
	for _, d := range definitions {
		for _, p := range d.variants() {
			for problem, id := range p.Rules {
				if !slices.Contains(named[id], problem) {
					named[id] = append(named[id], problem)
				}
				if k := len(donors[id]); k == 0 || donors[id][k-1] != p {
					donors[id] = append(donors[id], p)
				}
			}
		}
	}
	out := map[string][]switchPart{}
	for id, problems := range named {
		if _, fixed := unswitched[id]; !fixed {
			if parts := partsOf(id, problems, donors[id]); parts != nil {
				out[id] = parts
			}
		}
	}
	return out
})

// partsOf returns the settings of a rule, in the order of the table; nil if it cannot be switched.
func partsOf(id string, problems []problems.Problem, donors []*Profile) []switchPart {
	slices.SortStableFunc(donors, func(a, b *Profile) int {
		return distance(a, id) - distance(b, id)
	})
	var parts []switchPart
	for k := range settings {
		s := &settings[k]
		if !slices.Contains(problems, s.problem) {
			continue
		}
		part := switchPart{setting: s}
		for _, p := range donors {
			if p.Rules[s.problem] == id && s.holds(p) {
				part.donor = p
				break
			}
		}
		if part.donor != nil || s.on != nil {
			parts = append(parts, part)
		}
	}
	return parts
}

// distance is 0 for a profile of the provider whose rule it is.
func distance(p *Profile, id string) int {
	if r, _ := rule.ByID(id); r.Provider == p.Provider {
		return 0
	}
	return 1
}

// variants returns the profiles of a provider: that of no particular model, and those of its rows.
func (d *definition) variants() []*Profile {
	plain := d.forModel("")
	all := []*Profile{plain}
	for k := range d.models {
		p := d.profile()
		d.models[k].apply(&p)
		all = append(all, &p)
	}
	return all
}
