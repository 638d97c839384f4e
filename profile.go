package preflight

import (
	"github.com/go-preflight/preflight/provider"
)

// This file is how fixers and Check read a profile. None of them asks for a provider's name.

// Profile says what a provider accepts; package provider has one for each provider and model.
type Profile = provider.Profile

// portable is what a nil profile stands for. Nobody writes to it.
var portable = provider.Portable()

// orPortable returns p, or the portable profile for nil.
func orPortable(p *Profile) *Profile {
	if p == nil {
		return portable
	}
	return p
}
