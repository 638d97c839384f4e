package provider

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule/problems"
)

// TestSettings: each field of a profile has a tag, or a special setting, or a reason why no switch of
// rules reaches it. Otherwise nobody could learn, measure or probe what a new field restricts.
func TestSettings(t *testing.T) {
	tagged := map[string]bool{}
	for _, s := range settings() {
		tagged[s.field] = true
	}
	seen := map[string]bool{}
	eachField(reflect.TypeFor[Profile](), field{}, func(f field, _ reflect.StructTag) {
		seen[f.name] = true
		reached := tagged[f.name] || slices.Contains(bySpecial, f.name)
		require.NotEqual(t, reached, unset[f.name] != "", "%s: a tag, or a reason in unset", f.name)
	})
	for name := range unset {
		require.True(t, seen[name], "%s is no field", name)
	}
}

// bySpecial are the fields of special settings.
var bySpecial = []string{
	"Roles", "AnyRole", "System.Placement", "System.Single", "Turns.Neighbours",
	"Items.IDs",
}

// unset are the fields that no setting reaches, and why.
var unset = map[string]string{
	"Provider": isName, "Format": isName, "Model": isName, "Rules": isName,
	"Reasoning.Default": isName,

	"System.Directives":           permits,
	"Prefill.MarkAccepted":        permits,
	"Pairing.ResultIDOptional":    permits,
	"Pairing.UnansweredTurns":     permits,
	"Pairing.Unpaired":            permits,
	"Pairing.FurtherResults":      permits,
	"Pairing.ServedLater":         permits,
	"Pairing.ServedOpen":          permits,
	"Tools.FreeResultNames":       permits,
	"Content.BlankBeside":         permits,
	"Content.NoBlankBesideServed": "it narrows what BlankBeside permits",
	"Items.FollowReasoning":       "what the provider holds is in the request",
	"Reasoning.Dropped":           permits,
	"Reasoning.Bound":             "only the server can tell which prefix made the reasoning",
	"Tools.StandInFirst":          "it says where CallSignature's stand-in may be",

	"Pairing.ResultRole":          layout,
	"Pairing.AsGiven":             layout,
	"Pairing.Results":             layout,
	"Pairing.OneResultPerMessage": layout,
	"Pairing.ByName":              layout,
	"Pairing.Typed":               layout,
	"Pairing.Unanswerable":        layout,
	"Content.SingleKinds":         layout,
	"Media.TypedKinds":            layout,
	"Items.OnePartPerMessage":     layout,
	"Items.Held":                  layout,
	"Items.RequireID":             layout,
	"Items.ReferenceKind":         layout,
}

// Why no setting reaches a field.
const (
	isName  = "it names or describes, and restricts nothing"
	permits = "it permits: without it, more is refused"
	layout  = "it is how the format is laid out, on every host that speaks it"
)

// TestEnforceLeast: a rule that is switched on restricts what some profile restricts by it, and no
// more. What no profile restricts by default restricts one field for each of its problems.
func TestEnforceLeast(t *testing.T) {
	var profiles []*Profile
	for _, d := range definitions {
		for _, donor := range d.variants() {
			profiles = append(profiles, donor.profile)
		}
	}
	for id := range switches() {
		shown := func(s setting) bool {
			return slices.ContainsFunc(profiles, func(p *Profile) bool {
				return p.Rules[s.problem] == id && s.holds(p)
			})
		}
		waits := !slices.ContainsFunc(settings(), shown)
		lenient := Profile{AnyRole: true, Media: MediaRules{InResult: true}}
		p := lenient
		require.NoError(t, p.Enforce(id))
		restricted := map[problems.Problem]int{}
		for _, s := range settings() {
			if !s.holds(&p) || s.holds(&lenient) {
				continue
			}
			restricted[s.problem]++
			switch {
			case p.Rules[s.problem] != id: // another problem of the same field
			case waits:
				require.Equal(t, 1, restricted[s.problem], "%s restricts %s", id, s.field)
			default:
				require.True(t, shown(s), "%s restricts %s, for %s", id, s.field, s.problem)
			}
		}
		require.NotEmpty(t, restricted, id)
	}
}

// TestTags: the tags of a profile's fields name problems that there are.
func TestTags(t *testing.T) {
	source, err := os.ReadFile("../rule/problems/problems.go")
	require.NoError(t, err)
	for _, s := range settings() {
		require.Contains(t, string(source), fmt.Sprintf("Problem = %q\n", s.problem), s.field)
	}
}
