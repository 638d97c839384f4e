package provider

import "github.com/go-preflight/preflight/rule/problems"

// Setting is what makes a profile refuse something, for tests outside this package.
type Setting struct {
	Field   string // "" for more than one
	Problem problems.Problem
	Holds   func(p *Profile) bool
}

// Settings returns the settings that rules are switched by.
func Settings() []Setting {
	var out []Setting
	for _, s := range settings() {
		out = append(out, Setting{s.field, s.problem, s.holds})
	}
	return out
}
