package wire_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/recorded"
	"github.com/go-preflight/preflight/rule/explain"
	"github.com/go-preflight/preflight/wire"
)

// recordedExceptions are accepted requests, and what follows from them, that are changed all the
// same, by their ids. None loses content.
var recordedExceptions = map[string]string{
	"66698c6ce8c0": "an id used again in another round is refused word for word elsewhere; the " +
		"ids are rewritten",
	"9afe62f664d7": "the same",
	"88fa4d3cb705": "the same",
	"3d3a86886df9": "the same",
	"49c98b95613c": "an answer of no words at all," +
		" which Mistral refuses to read again in so many words",
	"d7531a8aba33": "a search for tools that nobody answered is refused word for word " +
		"(openai/codex#31053)",
	"60c5523203d5": "the same",
	"64b1a02d1dd7": "an answer that was cut off while it reasoned is refused when it comes back " +
		"(continuedev/continue#8933); nobody sent this one",
	"2bc77c15642c": "the same",
	"d3aa2f9cb50e": "the same",
}

// providerOf is the profile that a transport chooses for a request. Copilot's endpoint is recorded
// as OpenAI's.
func providerOf(r *recorded.Request) string {
	if r.Host == "rig-copilot" && r.Provider == "openai-responses" {
		return "copilot-responses"
	}
	return r.Provider
}

// TestRecorded: what real providers accepted, and what follows from their own answers, comes back
// as the very bytes.
func TestRecorded(t *testing.T) {
	requests := recorded.Load(t, "..", recorded.Accepted, recorded.FollowUp)
	type tally struct{ all, changed int }
	tallies := map[string]*tally{}
	excepted := map[string]bool{}
	for _, r := range requests {
		if tallies[r.Provider] == nil {
			tallies[r.Provider] = &tally{}
		}
		tallies[r.Provider].all++
		options := &wire.Options{Provider: providerOf(&r), Model: modelOutside(&r)}
		result, err := wire.Sanitize(context.Background(), r.Body, options)
		if err == nil && !result.Changed {
			require.True(t, sameSlice(r.Body, result.Body), r.ID)
			continue
		}
		tallies[r.Provider].changed++
		if recordedExceptions[r.ID] != "" {
			excepted[r.ID] = true
			continue
		}
		t.Errorf("%s %s to %s (%s), %s: %v %v", r.Kind, r.ID, r.Host, r.Model, r.Source, err,
			rulesOf(result))
	}
	for _, provider := range wire.Providers() {
		if n := tallies[provider]; n != nil {
			t.Logf("%-18s %5d accepted requests and follow-ups, %d changed", provider, n.all,
				n.changed)
		}
	}
	t.Logf("%-18s %5d, %d of them excepted", "all", len(requests), len(excepted))
	require.LessOrEqual(t, len(recordedExceptions), 15)
	for id, reason := range recordedExceptions {
		require.True(t, excepted[id], "%s comes back as it is by now: it is no exception (%s)", id,
			reason)
	}
}

// modelOutside is the model of a request whose body does not name it.
func modelOutside(r *recorded.Request) string {
	if strings.Contains(string(r.Body), `"model":`) {
		return ""
	}
	return r.Model
}

// rulesOf are the rules that warnings name.
func rulesOf(result *wire.Result) []string {
	var rules []string
	for _, w := range result.Warnings {
		if !slices.Contains(rules, w.Rule) {
			rules = append(rules, w.Rule)
		}
	}
	return rules
}

// TestRecordedDetection: no recorded body is taken for one in another format, or of a host that it
// did not go to. The host of a Chat body shows seldom: openai-chat and openai-compatible, which ask
// least of a body, are right for all of them, and an error is, too, where the body holds nothing
// but words.
func TestRecordedDetection(t *testing.T) {
	found := map[string]int{}
	requests := recorded.Load(t, "..", recorded.Accepted, recorded.FollowUp, recorded.Refused)
	for _, r := range requests {
		got, err := wire.Detect(r.Body)
		if err != nil {
			require.ErrorIs(t, err, wire.ErrAmbiguousProvider, r.ID)
			require.NotContains(t, string(r.Body), `"tool_calls"`, r.ID)
			found["ambiguous"]++
			continue
		}
		takes := []string{r.Provider}
		if speaksChat(r.Provider) {
			takes = append(takes, "openai-chat", "openai-compatible") // by the model's name
		}
		if !slices.Contains(takes, got) {
			t.Errorf("%s to %s (%s) is taken for %s", r.ID, r.Host, r.Model, got)
		}
		found[got]++
	}
	t.Logf("of %d: %v", len(requests), found)
	require.Less(t, found["ambiguous"], len(requests)/100)
}

// refusedHistories are the refused requests whose history is at fault, and the provider or dialect
// whose rules repair them.
var refusedHistories = map[string]string{
	"1264576fa1f0": "deepseek",
	"835122397e5d": "gemini",
	"00be801566f4": "openai-chat",
	"efec0471d700": "openai-chat",
	"76be2fc41f2c": "openai-chat",
	"81c74d04f8be": "openai-chat",
	"6520a426cdda": "deepseek-responses",
	"1f81d0cd127d": "openai-responses",
	"4b0c5f7f1261": "bedrock",
	"f33f385d090a": "bedrock",
	"e0c0c2ec45fe": "bedrock",
	"dec55b61ddfa": "openai-compatible",
}

// refusedStill are refused requests whose history is at fault, and which nothing repairs: what the
// fault is.
var refusedStill = map[string]string{
	"9043948ed372": "audio by its address, in the place of a document",
	"1fc4eed56bb9": "audio in the place of a document",
}

// TestRecordedRefusals: where a real provider refused a history, it is repaired so that nothing is
// found in it any more. What was refused over something else is left alone, and no rule about
// histories is named for it.
func TestRecordedRefusals(t *testing.T) {
	requests := recorded.Load(t, "..", recorded.Refused)
	repaired := 0
	for _, r := range requests {
		provider, inHistory := refusedHistories[r.ID]
		if !inHistory {
			provider = r.Provider
		}
		options := &wire.Options{Provider: provider, Model: modelOutside(&r)}
		result, err := wire.Sanitize(context.Background(), r.Body, options)
		require.NoError(t, err, r.ID)
		switch {
		case inHistory:
			repaired++
			require.True(t, result.Changed, "%s: %s", r.ID, r.Error)
			report, err := wire.Check(result.Body, options)
			require.NoError(t, err)
			require.Empty(t, report.Violations, r.ID)
		case refusedStill[r.ID] != "":
			require.False(t, result.Changed, "%s is repaired by now: move it to refusedHistories",
				r.ID)
		default:
			require.False(t, result.Changed, "%s: %s %v", r.ID, r.Error, rulesOf(result))
			e, _ := explain.Text(string(r.Error))
			require.Empty(t, e.Rule.ID, "%s: %s", r.ID, r.Error)
		}
	}
	require.Equal(t, len(refusedHistories), repaired)
	t.Logf(
		"%d refused requests: %d over their history and repaired, %d not repaired,"+
			" the others over something else",
		len(requests),
		repaired,
		len(refusedStill),
	)
}
