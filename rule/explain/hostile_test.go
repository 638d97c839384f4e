package explain_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/explain"
)

// hostile are texts made to be slow, deep or malformed; shorter ones with -short, since the race
// detector is too slow for the time that TestHostile allows.
func hostile() map[string]string {
	size := 1 << 20
	if testing.Short() {
		size = 1 << 15
	}
	long := func(s string) string { return strings.Repeat(s, size/len(s)) }
	return map[string]string{
		"empty":             "",
		"white space":       long(" \n\t"),
		"one letter":        long("a"),
		"backslashes":       long(`\`),
		"escapes":           long(`\u0041\n\"`),
		"half an escape":    `\u00`,
		"entities":          long("&quot;&am"),
		"invalid UTF-8":     long("\xff\xc0\x80"),
		"NUL":               long("\x00"),
		"escape characters": long("\x1b["),
		"open sequences":    long("\x1b]0;"),
		"deep JSON":         strings.Repeat(`{"a":[`, size/6) + `"x"`,
		"beginnings":        long("Invalid 'messages[1"),
		"gaps":              long("Item 'fc_1' of type "),
		"values":            long("Function name was "),
		"ids": long("tool_use ids were found without tool_result blocks immediately " +
			"after: toolu_"),
		"weak texts": long("Unknown parameter: "),
		"paths":      long("messages.1.content."),
		"texts": long("messages.1: `tool_use` blocks can only be in `assistant` " +
			"messages. "),
		"one list of ids": "Expected toolResult blocks at messages.2.content for the following " +
			"Ids: " + long("tooluse_a1, "),
		"one number":         "messages." + long("1") + ": text content blocks must be non-empty",
		"brackets":           long("messages[[[1].["),
		"after the haystack": long("x y ") + "messages.1: text content blocks must be non-empty",
	}
}

func TestHostile(t *testing.T) {
	for name, text := range hostile() {
		start := time.Now()
		e, ok := explain.Text(text)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		for _, e := range append(e.More, e) {
			require.LessOrEqual(t, len(e.Paths), 16, name)
			require.LessOrEqual(t, len(e.IDs), 16, name)
			require.LessOrEqual(t, len(e.Text), 1<<14, name)
		}
		switch name {
		case "texts":
			require.Equal(t, "anthropic/tool-use-in-user", e.Rule.ID)
		case "one list of ids":
			require.Equal(t, "bedrock/tool-result-missing", e.Rule.ID)
			require.Equal(t, []string{"tooluse_a1"}, e.IDs)
		case "one number", "after the haystack":
			require.Equal(t, "anthropic/empty-text-block", e.Rule.ID)
		case "weak texts", "ids":
		default:
			require.False(t, ok, "%s is taken for %s", name, e.Rule.ID)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, r := range rule.All() {
		f.Add(r.Error)
	}
	for _, w := range wrappers {
		f.Add(w.wrap("messages.1.content.0: unexpected `tool_use_id` found in `tool_result` " +
			"blocks: toolu_1."))
	}
	f.Add("text: ")
	f.Add("529 overloaded")
	f.Fuzz(func(t *testing.T, text string) {
		e, ok := explain.Text(text)
		if again, _ := explain.Text(text); !cmp.Equal(e, again) {
			t.Fatal("not deterministic")
		}
		if !ok {
			return
		}
		if e.Class != explain.ClassHistory {
			if e.Rule.ID != "" || e.Also != nil || e.Advice == "" {
				t.Fatalf("class %q with the rule %q and the advice %q", e.Class, e.Rule.ID, e.Advice)
			}
			return
		}
		seen := map[string]bool{}
		for _, r := range append(e.Also, e.Rule) {
			if _, known := rule.ByID(r.ID); !known || seen[r.ID] {
				t.Fatalf("candidate %q", r.ID)
			}
			seen[r.ID] = true
		}
		if _, err := json.Marshal(e); err != nil {
			t.Fatal(err)
		}
	})
}
