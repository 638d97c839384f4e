package provider

import (
	"strings"

	"github.com/go-preflight/preflight/internal/glob"
	"github.com/go-preflight/preflight/internal/modelname"
)

// This file is the model table: which models differ from their provider's profile, and how the name
// of a model is matched.

// Model is a row of the model table: models that differ from their provider's profile.
type Model struct {
	Provider string // the provider, as in Profile.Provider
	Pattern  string // the names of the models, in lower case with "-" for "."; * is any characters
	Source   string // where the difference is known from
	Date     string // the month it was last seen to hold, as "2026-11"
}

// Models returns the model table in a fresh slice. Of a provider's rows, the first whose pattern
// matches a model's name counts.
func Models() []Model {
	var out []Model
	for _, d := range definitions {
		for _, r := range d.models {
			out = append(out, Model{d.name, r.pattern, r.source, r.date})
		}
	}
	return out
}

// row says what the models of a provider whose names match a pattern do differently.
type row struct {
	// pattern is matched with the bare name of a model, or with the name as given when the pattern
	// has a slash. * is any characters.
	pattern string
	traits  traits
	source  string
	date    string // year and month
}

// trait is a difference between models of a provider: it changes the provider's profile.
type trait func(p *Profile)

// traits are applied in order.
type traits []trait

// apply narrows the profile to the models of the row.
func (r *row) apply(p *Profile) {
	for _, t := range r.traits {
		t(p)
	}
}

// matchingRow returns the first row that matches the name of a model, nil when there is none.
// Prefixes that gateways put before the name ("anthropic/", "us.anthropic.", "models/") are
// ignored.
func matchingRow(rows []row, model string) *row {
	bare, given := modelname.Bare(model), strings.ToLower(strings.TrimSpace(model))
	if bare == "" {
		return nil
	}
	for k := range rows {
		name := bare
		if strings.Contains(rows[k].pattern, "/") {
			name = given
		}
		if glob.Match(rows[k].pattern, name) {
			return &rows[k]
		}
	}
	return nil
}
