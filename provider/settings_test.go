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

// TestSettings: a switch of rules reaches each field of a profile that restricts something. What it
// does not reach is no restriction by itself, or unset for the reason that the table has. So a new
// field is in the table of switch_fields.go, or has its reason here: otherwise nobody could learn,
// measure or probe what it restricts.
func TestSettings(t *testing.T) {
	var missing []string
	seen := map[string]bool{}
	eachField(reflect.TypeFor[Profile](), nil, "", func(path []int, name string) {
		seen[name] = true
		reached := slices.ContainsFunc(settings(), func(s setting) bool {
			return reaches(t, &s, path)
		})
		switch why := unset[name]; {
		case reached && why != "":
			missing = append(missing, name+" is reached; take it off the table of this test")
		case !reached && why == "":
			missing = append(missing, name+" is in no setting")
		}
	})
	require.Empty(t, missing, "switch_fields.go or the table of this test forgets a field")
	for name := range unset {
		require.True(t, seen[name], "%s is no field", name)
	}
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

// eachField visits the fields of a struct type, those of its structs included. A pattern is visited
// as a whole: its settings are about its parts.
func eachField(of reflect.Type, path []int, name string, visit func(path []int, name string)) {
	for k := range of.NumField() {
		f := of.Field(k)
		at, full := append(slices.Clone(path), k), f.Name
		if name != "" {
			full = name + "." + f.Name
		}
		if f.Type.Kind() == reflect.Struct && f.Type != reflect.TypeFor[Pattern]() {
			eachField(f.Type, at, full, visit)
			continue
		}
		visit(at, full)
	}
}

// reaches reports whether a setting sets or clears a field, of a profile that has it or one that
// has not.
func reaches(t *testing.T, s *setting, path []int) bool {
	field := func(p *Profile) reflect.Value { return reflect.ValueOf(p).Elem().FieldByIndex(path) }
	for _, value := range samples(t, reflect.TypeFor[Profile]().FieldByIndex(path).Type) {
		for _, start := range []reflect.Value{value, reflect.Zero(value.Type())} {
			for _, change := range []func(p *Profile){
				s.on,
				s.free,
				func(p *Profile) {
					var donor Profile
					if field(&donor).Set(value); s.take != nil {
						s.take(p, &donor)
					}
				},
			} {
				var p Profile
				if field(&p).Set(start); change != nil {
					change(&p)
				}
				if !reflect.DeepEqual(field(&p).Interface(), start.Interface()) {
					return true
				}
			}
		}
	}
	return false
}

// samples are values of a field's type that are not its zero value.
func samples(t *testing.T, of reflect.Type) []reflect.Value {
	if values, ok := enums[of]; ok {
		var out []reflect.Value
		for _, v := range values {
			out = append(out, reflect.ValueOf(v))
		}
		return out
	}
	v := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(4)
	case reflect.String:
		v.SetString("x")
	case reflect.Slice:
		v = reflect.MakeSlice(of, 1, 1)
	case reflect.Map:
		v = reflect.MakeMap(of)
		key := reflect.New(of.Key()).Elem()
		key.SetString("x")
		v.SetMapIndex(key, reflect.Zero(of.Elem()))
	default:
		if of == reflect.TypeFor[Pattern]() {
			return []reflect.Value{reflect.ValueOf(Pattern{Alphabet: WordChars, Min: 2, Max: 9})}
		}
		require.Fail(t, fmt.Sprintf("no sample of %s", of))
	}
	return []reflect.Value{v}
}

// enums are the values of the types that have few.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[SystemPlacement](): {
		SystemLeading, SystemMidway, SystemAfterUser, SystemRefused,
	},
	reflect.TypeFor[Neighbours](): {NeighboursJoined, NeighboursMerged},
	reflect.TypeFor[Replay]():     {ReplayOnCalls, ReplayFromCalls, ReplayInText},
}

// TestEnforceLeast: a rule that is switched on restricts what some profile restricts by it, and no
// more. What no profile restricts by default restricts one field for each of its problems.
func TestEnforceLeast(t *testing.T) {
	var profiles []*Profile
	for _, d := range definitions {
		profiles = append(profiles, d.variants()...)
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
