package rule

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhen(t *testing.T) {
	for _, c := range []struct {
		name        string
		rule        Rule
		host, model string
		want        When
	}{
		{"unsourced", Rule{}, "", "m", AfterRefusal},
		{"inferred alone", Rule{For: []Evidence{{Kind: Guessed}}}, "", "m", AfterRefusal},
		{"refused, never accepted", Rule{For: []Evidence{{Kind: Stated}}}, "", "m", ByDefault},
		{"refused on one model, accepted by none",
			Rule{For: []Evidence{{Kind: Recorded, Models: []string{"a"}}}}, "", "b", ByDefault},
		{"refused on one model, accepted by another",
			Rule{
				For:     []Evidence{{Kind: Recorded, Models: []string{"a*"}}},
				Against: []Evidence{{Kind: Recorded, Models: []string{"b"}}},
			}, "", "a-1", ByDefault},
		{"accepted by that model",
			Rule{
				For:     []Evidence{{Kind: Recorded, Models: []string{"a*"}}},
				Against: []Evidence{{Kind: Recorded, Models: []string{"b"}}},
			}, "", "b", AfterRefusal},
		{"an unknown model where one accepts",
			Rule{
				For:     []Evidence{{Kind: Recorded, Models: []string{"a*"}}},
				Against: []Evidence{{Kind: Recorded, Models: []string{"b"}}},
			}, "", "", AfterRefusal},
		{"another model than the statement speaks of",
			Rule{Models: []string{"a*"}, For: []Evidence{{Kind: Stated}}}, "", "b", AfterRefusal},
		{"refused by another host",
			Rule{For: []Evidence{{Kind: Stated, Hosts: []string{"h"}}}}, "i", "m", AfterRefusal},
		{"accepted by another host",
			Rule{
				For:     []Evidence{{Kind: Stated}},
				Against: []Evidence{{Kind: Stated, Hosts: []string{"h"}}},
			}, "i", "m", ByDefault},
		{"the refusal is newer, and the repair costs nothing",
			Rule{
				For:     []Evidence{{Kind: Reported, Seen: "2026-09"}},
				Against: []Evidence{{Kind: Reported, Seen: "2026-08"}}, Cost: CostNothing,
			}, "", "m", ByDefault},
		{"the refusal is newer, and the repair costs a loss",
			Rule{
				For:     []Evidence{{Kind: Reported, Seen: "2026-09"}},
				Against: []Evidence{{Kind: Reported, Seen: "2026-08"}}, Cost: CostLoss,
			}, "", "m", AfterRefusal},
		{"the acceptance is newer, and nothing is lost",
			Rule{
				For:     []Evidence{{Kind: Reported, Seen: "2024"}},
				Against: []Evidence{{Kind: Reported, Seen: "2026-08"}}, Cost: CostPrefix,
			}, "", "m", Nearby},
		{"the acceptance is newer, and words are added",
			Rule{
				For:     []Evidence{{Kind: Reported, Seen: "2024"}},
				Against: []Evidence{{Kind: Reported, Seen: "2026-08"}}, Cost: CostWords,
			}, "", "m", AfterRefusal},
	} {
		require.Equal(t, c.want, c.rule.When(c.host, c.model), c.name)
	}
}
