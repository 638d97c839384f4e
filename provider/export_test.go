package provider

import "github.com/go-preflight/preflight/rule/problems"

// Switched returns the problems that the settings of switch_settings.go are about.
func Switched() []problems.Problem {
	var out []problems.Problem
	for _, s := range settings {
		out = append(out, s.problem)
	}
	return out
}
