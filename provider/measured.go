package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/glob"
	"github.com/go-preflight/preflight/internal/modelname"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file is measured profiles: what asking a server has shown, as a file of rule ids.

// MeasuredVersion is the version of the files that this version of the package reads.
const MeasuredVersion = 1

// Measured is a profile that was measured: that of a provider, with rules switched on and off by
// their ids. It is what preflight probe writes, and can be read in a review. As JSON it is decoded
// strictly: a member or a rule that is not known is a *MeasuredError.
//
// A Measured must not change once it is used; its methods may be called concurrently.
type Measured struct {
	Version int `json:"version"` // MeasuredVersion

	// Provider is the base, as in Profile.Provider. Requests are read and written in its format.
	Provider string `json:"provider"`

	// Model is the model that was asked; * is any characters. Requests that name another one follow
	// the base alone. "" is every model.
	Model string `json:"model,omitempty"`

	// Against is what was asked: the address of a server, without a key, or a file.
	Against string `json:"against,omitempty"`

	// Date is when, as in RFC 3339.
	Date string `json:"date,omitempty"`

	// Enforced are the ids of the rules that were seen to be enforced; see Profile.Enforce.
	Enforced []string `json:"enforced"`

	// Lifted are the ids of the rules that were seen not to be; see Profile.Lift.
	Lifted []string `json:"lifted"`

	// Refused are the ids of further rules that were seen to be enforced, Accepted of those seen
	// not to be: no field of a profile expresses them, or the base has them already. Refused
	// changes nothing, and is kept for comparison. A request body that breaks only rules of
	// Accepted and Lifted is left as it is by package wire, whatever repairs the base has.
	Refused  []string `json:"refused,omitempty"`
	Accepted []string `json:"accepted,omitempty"`
}

// MeasuredError says what is wrong with a measured profile.
type MeasuredError struct {
	Member string // the member, as "enforced[2]"; "" for the whole
	Err    error  // a *SwitchError, or what encoding/json says
}

// Error names the member and the fault.
func (e *MeasuredError) Error() string {
	if e == nil || e.Err == nil {
		return "provider: wrong measured profile"
	}
	text := "provider: measured profile: "
	if e.Member != "" {
		text += e.Member + ": "
	}
	return text + strings.TrimPrefix(e.Err.Error(), "provider: ")
}

// Unwrap returns the fault.
func (e *MeasuredError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// ReadMeasured reads a measured profile from its JSON. The error is a *MeasuredError.
func ReadMeasured(data []byte) (*Measured, error) {
	m := new(Measured)
	if err := m.UnmarshalJSON(data); err != nil {
		return nil, err
	}
	return m, nil
}

// UnmarshalJSON reads a measured profile. Unlike encoding/json by itself, it refuses members that
// are not known or spelled in another case, members that come twice, and what Check finds. The
// error is a *MeasuredError, and m is unchanged then.
func (m *Measured) UnmarshalJSON(data []byte) error {
	if err := knownMembers(data); err != nil {
		return err
	}
	type plain Measured
	var read plain
	if err := json.Unmarshal(data, &read); err != nil {
		return &MeasuredError{Err: err}
	}
	if err := (*Measured)(&read).Check(); err != nil {
		return err
	}
	if m == nil {
		return &MeasuredError{Err: errors.New("it is read into nil")}
	}
	*m = Measured(read)
	return nil
}

// measuredMembers are the members of the JSON.
var measuredMembers = []string{
	"version", "provider", "model", "against", "date", "enforced", "lifted", "refused", "accepted",
}

// knownMembers returns an error if data is not an object, or one with members that are not known.
func knownMembers(data []byte) error {
	var object map[string]json.RawMessage
	err := json.Unmarshal(data, &object)
	if err == nil && object == nil {
		err = errors.New("it is no JSON object")
	}
	if err != nil {
		return &MeasuredError{Err: err}
	}
	d := json.NewDecoder(bytes.NewReader(data))
	for _, _ = d.Token(); d.More(); {
		t, _ := d.Token()
		name, value := t.(string), json.RawMessage(nil)
		if !slices.Contains(measuredMembers, name) {
			return &MeasuredError{name, errors.New("there is no such member")}
		}
		if _, first := object[name]; !first {
			return &MeasuredError{name, errors.New("it is there twice")}
		}
		delete(object, name)
		_ = d.Decode(&value) // it is valid
	}
	return nil
}

// Check returns a *MeasuredError if the version or the provider is not known, if a rule cannot be
// switched, or if one is both on and off. A nil m has nothing wrong. Rules of Refused and Accepted
// need not be known: they change nothing.
func (m *Measured) Check() error {
	if m == nil {
		return nil
	}
	if m.Version != MeasuredVersion {
		return &MeasuredError{"version",
			fmt.Errorf("this version reads %d, not %d", MeasuredVersion, m.Version)}
	}
	if _, ok := ByName(m.Provider, ""); !ok {
		return &MeasuredError{"provider", fmt.Errorf("there is no provider %q", m.Provider)}
	}
	for k, id := range m.Enforced {
		if err := CheckSwitch(id); err != nil {
			return &MeasuredError{fmt.Sprintf("enforced[%d]", k), err}
		}
	}
	for k, id := range m.Lifted {
		err := CheckSwitch(id)
		if err == nil && slices.Contains(m.Enforced, id) {
			err = fmt.Errorf("rule %q is enforced, too", id)
		}
		if err != nil {
			return &MeasuredError{fmt.Sprintf("lifted[%d]", k), err}
		}
	}
	return nil
}

// Covers reports whether the profile was measured with a model of this name, with or without what
// gateways put before it. It is true for "". A nil m covers none.
func (m *Measured) Covers(model string) bool {
	if m == nil {
		return false
	}
	bare := modelname.Bare(model)
	return m.Model == "" || bare == "" || glob.Match(modelname.Bare(m.Model), bare)
}

// Profile returns the profile for a model: the base for that model, with the rules switched if the
// model is covered. Where one rule is lifted and another that includes it enforced, it is enforced.
// It is a fresh profile; nil if m is, or the provider is not known. Rules that cannot be switched
// are left out.
func (m *Measured) Profile(model string) *Profile {
	if m == nil {
		return nil
	}
	p, ok := ByName(m.Provider, model)
	if !ok {
		return nil
	}
	m.Apply(p)
	return p
}

// Apply switches the rules in p, if p.Model is covered. Use Profile for the base that was measured.
func (m *Measured) Apply(p *Profile) {
	if p == nil || !m.Covers(p.Model) {
		return
	}
	for _, id := range m.Lifted {
		_ = p.Lift(id) // Check tells
	}
	m.leaveOpen(p)
	for _, id := range m.Enforced {
		_ = p.Enforce(id)
	}
}

// leaveOpen lets calls be without a result where the server was seen to accept that, and results
// without a call where it accepts both.
func (m *Measured) leaveOpen(p *Profile) {
	if !slices.Contains(m.Accepted, p.Rules[problems.Dangling]) {
		return
	}
	p.Pairing.UnansweredTurns = true
	if slices.Contains(m.Accepted, p.Rules[problems.Orphan]) {
		p.Pairing.Unpaired = true
	}
}
