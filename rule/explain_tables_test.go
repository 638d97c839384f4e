package rule

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tables beside the catalogue name rules, and quote texts, that are there.
func TestExplainTables(t *testing.T) {
	texts := map[string][]string{}
	for _, r := range All() {
		texts[r.ID] = nil
		if r.Error != "" {
			texts[r.ID] = append(texts[r.ID], r.Error)
		}
	}
	for _, w := range wordings {
		require.Contains(t, texts, w.rule)
		require.NotContains(t, texts[w.rule], w.text)
		texts[w.rule] = append(texts[w.rule], w.text)
	}
	marks := strings.NewReplacer("‹", "", "›", "", "«", "", "»", "")
	for id, entries := range specimens {
		all := strings.Join(texts[id], "\n")
		for _, entry := range entries {
			require.NotEqual(t, entry, marks.Replace(entry), "%s: %s marks nothing", id, entry)
			require.Contains(t, strings.ToLower(all), strings.ToLower(marks.Replace(entry)), id)
		}
	}
	for _, id := range append(append([]string{wrapperRule}, commonplace...), rarer...) {
		require.NotEmpty(t, texts[id], id)
	}
}

// Every text has a part to be found by, and asks for no less than it should.
func TestExplainPatterns(t *testing.T) {
	l := compiled()
	n := len(wordings)
	for _, r := range All() {
		if r.Error != "" {
			n++
		}
	}
	require.Len(t, l.patterns, n)
	for _, p := range l.patterns {
		require.GreaterOrEqual(t, p.anchor, 0, p.rule.ID)
		require.GreaterOrEqual(t, len(p.parts[p.anchor].literal), anchorSize, p.rule.ID)
		require.GreaterOrEqual(t, p.core, 1, p.rule.ID)
		required := 0
		for _, part := range p.parts[:p.core] {
			required += len(part.literal)
		}
		require.GreaterOrEqual(t, required, 16, "%s is known by too little", p.rule.ID)
	}
}

func TestExplainHosts(t *testing.T) {
	require.LessOrEqual(t, len(hosts), 64, "a set of hosts is one word")
	for _, h := range hosts {
		require.NotEmpty(t, h.markers)
		for _, marker := range h.markers {
			require.Equal(t, fold(marker), marker, "a marker is compared with folded text")
		}
		for _, provider := range h.providers {
			require.NotNil(t, table(provider), provider)
		}
	}
}
