package explain

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
)

// The tables beside the catalogue name rules, and quote texts, that are there.
func TestTables(t *testing.T) {
	texts := map[string][]string{}
	for _, r := range rule.All() {
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
	for _, id := range slices.Concat([]string{wrapperRule}, commonplace, rarer, generic) {
		require.NotEmpty(t, texts[id], id)
	}
}

// Every text has a part to be found by, and asks for no less than it should.
func TestPatterns(t *testing.T) {
	l := compiled()
	n := len(wordings) + len(classTexts)
	for _, r := range rule.All() {
		if r.Error != "" {
			n++
		}
	}
	require.Len(t, l.patterns, n)
	for _, p := range l.patterns {
		require.GreaterOrEqual(t, p.anchor, 0)
		require.GreaterOrEqual(t, len(p.parts[p.anchor].literal), anchorSize)
		require.GreaterOrEqual(t, p.core, 1)
		required := 0
		for _, part := range p.parts[:p.core] {
			required += len(part.literal)
		}
		if p.rule != nil {
			require.GreaterOrEqual(t, required, 16, "the Error of %s has too few characters to be "+
				"known by: numbers and names in it do not count", p.rule.ID)
		} else {
			require.True(t, required >= 16 || p.weak, "%s has too few characters to be known by",
				p.parts[0].literal)
		}
	}
}

// The meanings have concepts, and name rules, that are there, and phrases as they are compared.
func TestMeaningTables(t *testing.T) {
	names := map[string]bool{}
	for _, c := range concepts {
		require.False(t, names[c.name], c.name)
		names[c.name] = true
		for _, p := range strings.Split(c.phrases, "|") {
			require.NotEmpty(t, p, c.name)
			require.Equal(t, spoken(p).text+strings.Repeat("*", strings.Count(p, "*")), p, c.name)
		}
	}
	for _, m := range meanings {
		require.NotEmpty(t, m.rules)
		for _, c := range slices.Concat(m.concepts...) {
			require.True(t, names[c], c)
		}
		for _, id := range m.rules {
			_, ok := rule.ByID(id)
			require.True(t, ok, id)
		}
	}
}

func TestHosts(t *testing.T) {
	require.LessOrEqual(t, len(hosts), 64, "a set of hosts is one word")
	for _, h := range hosts {
		require.NotEmpty(t, h.markers)
		for _, marker := range h.markers {
			require.Equal(t, fold(marker), marker, "a marker is compared with folded text")
		}
		for _, provider := range h.providers {
			require.NotEmpty(t, rule.ForProvider(provider), provider)
		}
	}
}

// Every text of a class is known by itself, and by nothing else.
func TestClassTexts(t *testing.T) {
	for _, c := range classTexts {
		text := unmarked.Replace(c.text)
		e, ok := Text(text)
		require.True(t, ok, text)
		require.Equal(t, c.class, e.Class, text)
		require.Empty(t, e.Rule.ID, text)
		require.NotEmpty(t, e.Advice, text)
	}
	for class := range advice {
		require.True(t,
			slices.ContainsFunc(classTexts, func(c classText) bool { return c.class == class }),
			class)
	}
	for _, m := range marks {
		require.Equal(t, fold(m.word), m.word, "a mark is compared with folded text")
		require.NotEmpty(t, advice[m.class])
	}
}

// TestVerdict: what an answer says of reasoning that was dropped for its beginning is explained
// like the refusal of it.
func TestVerdict(t *testing.T) {
	for text, id := range map[string]string{
		`{"type":"message","input_transformations":[{"type":"thinking_dropped",` +
			`"path":"messages.1.content.0","reason":"prefix_binding_mismatch"}]}`: "anthropic/thinking-binding-prefix",
		`{"input_transformations":[{"id":"rs_1","action":"removed","reason":"prefix_mismatch",` +
			`"type":"reasoning"}]}`: "openai-responses/reasoning-binding-prefix",
	} {
		e, ok := Text(text)
		require.True(t, ok, text)
		require.Equal(t, id, e.Rule.ID)
	}
}
