package provider

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
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
// and a *SwitchError with the reason if they do not: no field of a profile is about the rule, or no
// provider can do without it, as without the pairing of calls and results.
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
// whose rule it is, and makes a check report it. What else the profile restricts stays restricted.
// The error is that of [CheckSwitch], and the profile unchanged then.
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

// switches are the rules that can be switched. Enforced, a rule restricts what it restricts in the
// profile that shows most, and no more. Where no profile restricts anything by it, it waits for a
// server that refuses, and restricts by the first field of each of its problems.
var switches = sync.OnceValue(func() map[string]ruleSwitch {
	var donors []donor
	for _, d := range definitions {
		donors = append(donors, d.variants()...)
	}
	out, waiting := map[string]ruleSwitch{}, map[string][]switchPart{}
	for _, of := range settingsByProblem() {
		for id, best := range bestDonors(of, donors) {
			s := out[id]
			s.lift = append(s.lift, of...)
			for _, k := range of {
				if best.shows > 0 && k.holds(best.profile) {
					s.enforce = append(s.enforce, switchPart{k, best.profile})
				}
			}
			k := slices.IndexFunc(of, func(s *setting) bool { return s.on != nil })
			if best.shows == 0 && k >= 0 {
				waiting[id] = append(waiting[id], switchPart{of[k], nil})
			}
			out[id] = s
		}
	}
	for id, s := range out {
		if s.enforce == nil {
			s.enforce = waiting[id]
		}
		if out[id] = s; s.enforce == nil || unswitched[id] != "" {
			delete(out, id)
		}
	}
	return out
})

// settingsByProblem returns the settings that each problem depends on, in the order of the fields.
func settingsByProblem() (out [][]*setting) {
	for k := range settings() {
		s := &settings()[k]
		of := slices.IndexFunc(out, func(o []*setting) bool { return o[0].problem == s.problem })
		if of < 0 {
			of, out = len(out), append(out, nil)
		}
		out[of] = append(out[of], s)
	}
	return out
}

// donor is a profile that may have a rule, and that of the same provider and no particular model.
type donor struct {
	profile, plain *Profile
	shows          int // how well; 0 for one that restricts nothing by it
}

// bestDonors returns, by the rules that profiles name for a problem of some settings, the profile
// that shows best what the rule restricts, with preference for one of its own provider.
func bestDonors(of []*setting, donors []donor) map[string]donor {
	out := map[string]donor{}
	for _, d := range donors {
		id := d.profile.Rules[of[0].problem]
		for _, s := range of {
			d.shows = max(d.shows, 2*d.shown(s))
		}
		if d.shows > 0 && strings.HasPrefix(id, d.profile.Provider+"/") {
			d.shows++
		}
		if best, ok := out[id]; !ok || d.shows > best.shows {
			out[id] = d
		}
	}
	delete(out, "")
	return out
}

// shown is how well a profile shows a restriction: most of all a model that takes less of a list than
// the provider's others; then what holds for all models; then what a model alone does not take.
func (d donor) shown(s *setting) int {
	narrowed := *d.plain
	switch {
	case !s.holds(d.profile):
		return 0
	case s.list && s.holds(d.plain):
		if s.take(&narrowed, d.profile); !reflect.DeepEqual(narrowed, *d.plain) {
			return 4
		}
	case !s.list && d.profile == d.plain:
		return 3
	case !s.holds(d.plain):
		return 2
	}
	return 1
}

// variants returns the profiles of a provider: that of no particular model, and what each row about
// models makes of it.
func (d *definition) variants() []donor {
	plain := d.forModel("")
	all := []donor{{profile: plain, plain: plain}}
	for _, r := range d.all {
		if h, _ := r.holds(d.names("")); h.named && !r.elsewhere {
			p := plain.clone()
			held{compiled: r}.apply(p)
			all = append(all, donor{profile: p, plain: plain})
		}
	}
	return all
}
