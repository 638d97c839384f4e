package rule

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/glob"
)

// When says in which histories a rule is applied.
type When string

// The answers of [Rule.When].
const (
	// in every history
	ByDefault When = "by default"
	// in turns that another repair changes anyway
	Nearby When = "near other repairs"
	// once the provider has refused
	AfterRefusal When = "after a refusal"
)

// When derives from the evidence of both sides when the rule is applied to a model of a host, so
// that no profile decides by taste. Both may be "", for one that nothing is known about.
//
// A rule is applied by default where the shape was refused and never accepted. Where both are on
// record, for that model or one that may be it, the newer side decides if the repair loses nothing
// and adds no words; otherwise the rule waits for a refusal. A model that no refusal names is
// refused like the others only as long as no model of that host accepts.
func (r Rule) When(host, model string) When {
	if len(r.Models) > 0 && !anyModel(r.Models, model) {
		return AfterRefusal
	}
	refused := without(onHost(r.For, host), func(e Evidence) bool { return e.Kind == Guessed })
	accepted := onHost(r.Against, host)
	if len(refused) == 0 {
		return AfterRefusal
	}
	if named := naming(refused, model); len(named) > 0 {
		refused, accepted = named, concerning(accepted, model)
	} else if unnamed := concerning(refused, model); len(unnamed) > 0 {
		refused = unnamed
	} else if len(accepted) > 0 {
		return AfterRefusal
	}
	switch cheap := r.Cost == CostNothing || r.Cost == CostPrefix; {
	case len(accepted) == 0:
		return ByDefault
	case !cheap:
		return AfterRefusal
	case newest(refused) >= newest(accepted):
		return ByDefault
	}
	return Nearby
}

// onHost returns the evidence of a host, and that of the provider as a whole.
func onHost(all []Evidence, host string) []Evidence {
	return without(all, func(e Evidence) bool {
		return len(e.Hosts) > 0 && !glob.Any(e.Hosts, host)
	})
}

// naming returns the evidence that names a model.
func naming(all []Evidence, model string) []Evidence {
	return without(all, func(e Evidence) bool { return !anyModel(e.Models, model) })
}

// concerning returns the evidence that names a model or none.
func concerning(all []Evidence, model string) []Evidence {
	return without(all, func(e Evidence) bool {
		return len(e.Models) > 0 && !anyModel(e.Models, model)
	})
}

// without returns a copy of the evidence without that for which drop is true.
func without(all []Evidence, drop func(e Evidence) bool) []Evidence {
	return slices.DeleteFunc(slices.Clone(all), drop)
}

// newest is the latest date of some evidence. The texts of dates are ordered as the dates are.
func newest(all []Evidence) (seen string) {
	for _, e := range all {
		seen = max(seen, e.Seen)
	}
	return seen
}

// spelling writes the names of models as profiles do: gemini-3.6 as gemini-3-6.
var spelling = strings.NewReplacer(".", "-", ":", "-", "_", "-")

// anyModel reports whether one of the patterns matches a model.
func anyModel(patterns []string, model string) bool {
	model = spelling.Replace(strings.ToLower(model))
	return slices.ContainsFunc(patterns, func(p string) bool {
		return glob.Match(spelling.Replace(p), model)
	})
}
