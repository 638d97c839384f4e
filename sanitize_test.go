package preflight_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/golden"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
	"github.com/go-preflight/preflight/wire"
)

// This file is the contract of Sanitize in short, and tests what fixers declare about themselves.
// The tests of all that preflight promises are in internal/spec; its README.md says where.

func TestMain(m *testing.M) { rapidseed.Main(m, 40) }

// aborted is a session in which the user stopped a tool: the call has no result.
func aborted() []preflight.Message {
	return []preflight.Message{
		{Role: "user", Parts: []preflight.Part{&preflight.Text{Text: "What is the weather?"}}},
		{Role: "assistant", Parts: []preflight.Part{
			&preflight.Text{Text: "I look it up."},
			&preflight.ToolCall{ID: "toolu_1", Name: "weather", Input: json.RawMessage(`{}`)},
		}},
		{Role: "user", Parts: []preflight.Part{&preflight.Text{Text: "Never mind."}}},
	}
}

func TestSanitizeRepairs(t *testing.T) {
	in := aborted()
	res, err := preflight.Sanitize(context.Background(), in, provider.Anthropic("claude-sonnet-4-5"),
		nil)
	require.NoError(t, err)
	want := aborted()
	want[1].Parts = want[1].Parts[:1]
	require.Empty(t, cmp.Diff(want, res.Messages))
	require.Empty(t, cmp.Diff(aborted(), in), "the input is never written to")
	require.True(t, res.Changed)
	require.Len(t, res.Warnings, 1)
	require.Equal(t, codes.DanglingRemoved, res.Warnings[0].Code)
	require.Equal(t, codes.Lossy, res.Warnings[0].Class())
	require.Equal(t, preflight.At(1, 1), res.Warnings[0].At)
}

func TestSanitizeAnswersOnRequest(t *testing.T) {
	res, err := preflight.Sanitize(context.Background(), aborted(), provider.Anthropic(""),
		&preflight.Options{Dangling: preflight.DanglingAnswer})
	require.NoError(t, err)
	answer := res.Messages[2].Parts[0].(*preflight.ToolResult)
	require.Equal(t, "toolu_1", answer.CallID)
	require.True(t, answer.IsError)
}

func TestSanitizeLeavesValidHistoriesAlone(t *testing.T) {
	in := aborted()[:1]
	res, err := preflight.Sanitize(context.Background(), in, provider.Anthropic(""), nil)
	require.NoError(t, err)
	require.False(t, res.Changed)
	require.Empty(t, res.Warnings)
	require.Same(t, &in[0], &res.Messages[0], "the very slice that was given")
}

func TestSanitizeRefuses(t *testing.T) {
	_, err := preflight.Sanitize(context.Background(), nil, provider.Anthropic(""), nil)
	require.ErrorIs(t, err, preflight.ErrEmptyHistory)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	in := aborted()
	res, err := preflight.Sanitize(ctx, in, provider.Anthropic(""), nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Same(t, &in[0], &res.Messages[0], "on error the input comes back")
}

// TestFixersCureWhatTheyDeclare: a fixer changes a history only if Check finds one of the problems
// that the fixer declares, so that the pipeline may skip it otherwise.
func TestFixersCureWhatTheyDeclare(t *testing.T) {
	for _, profile := range everyProfile() {
		t.Run(profile.Provider+" "+profile.Model, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				options := &preflight.Options{
					Request: preflight.Request{Thinking: rapid.SampledFrom([]provider.Thinking{
						"", provider.ThinkingOff, provider.ThinkingBudget, provider.ThinkingAdaptive,
					}).Draw(t, "thinking")},
					Dangling: rapid.SampledFrom([]preflight.Dangling{
						preflight.DanglingRemove, preflight.DanglingAnswer,
					}).Draw(t, "dangling"),
					Orphans: rapid.SampledFrom([]preflight.Orphans{
						preflight.OrphanRemove, preflight.OrphanText,
					}).Draw(t, "orphans"),
					Duplicates: rapid.SampledFrom([]preflight.Duplicates{
						preflight.DuplicateMerge, preflight.DuplicateFirst, preflight.DuplicateLast,
					}).Draw(t, "duplicates"),
					KeepWaiting: rapid.Bool().Draw(t, "keep waiting"),
				}
				in := histgen.Any(profile, options).Draw(t, "history")
				// nil parts hide the rest of a history from Check
				sound, _ := preflight.Fixer{}.Apply(in, profile, options)
				found := preflight.Check(sound, profile, options)
				for _, f := range preflight.Fixers.Defaults() {
					if preflight.AlwaysRuns(f) {
						continue
					}
					_, warnings := f.Apply(sound, profile, options)
					if len(warnings) == 0 {
						continue
					}
					cured := slices.ContainsFunc(found, func(v preflight.Violation) bool {
						return preflight.Cures(f, v.Problem)
					})
					if !cured {
						t.Fatalf("%s has %q, but Check found %v", f.Name, warnings[0].Detail, found)
					}
				}
			})
		})
	}
}

// TestCuresAreReported: each problem that a fixer cures is reported by Check for a generated
// history of some profile, and the fixer alone makes it less. So a new fixer is not taken for right
// because no history ever reaches it.
func TestCuresAreReported(t *testing.T) {
	missing := map[string]bool{} // fixer and problem
	for _, f := range preflight.Fixers.Defaults() {
		for _, problem := range everyProblem(t) {
			if preflight.Cures(f, problem) {
				missing[f.Name+" "+string(problem)] = true
			}
		}
	}
	require.NotEmpty(t, missing)
	profiles := append(provider.All(), everyProfile()...)
	for _, m := range provider.Models() {
		p, _ := provider.ByName(m.Provider, strings.ReplaceAll(m.Pattern, "*", ""))
		profiles = append(profiles, p)
	}
	notHeld := *provider.OpenAIResponses("gpt-5.4")
	notHeld.Items.Held = false // as in a request that stores nothing
	profiles = append(profiles, &notHeld)
	for seed := 0; seed < 60 && len(missing) > len(unreached); seed++ {
		for k, profile := range profiles {
			from := profile // every second history was made for another provider
			if seed%2 == 1 {
				from = profiles[(k+seed)%len(profiles)]
			}
			options := &preflight.Options{Request: preflight.Request{Thinking: []provider.Thinking{
				"", provider.ThinkingOff, provider.ThinkingBudget, provider.ThinkingAdaptive,
			}[seed%4]}}
			history := histgen.Corrupt(from, options).Example(seed)
			if seed%3 == 2 {
				history = append(history, msgtest.Planted[(seed/3+k)%len(msgtest.Planted)]()...)
			}
			history, _ = preflight.Fixer{}.Apply(history, profile, options)
			found := countProblems(history, profile, options)
			for _, f := range preflight.Fixers.Defaults() {
				var after map[problems.Problem]int
				for problem, n := range found {
					name := f.Name + " " + string(problem)
					if !missing[name] {
						continue
					}
					if after == nil {
						repaired, _ := f.Apply(history, profile, options)
						after = countProblems(repaired, profile, options)
					}
					if after[problem] < n {
						delete(missing, name)
					}
				}
			}
		}
	}
	for name := range missing {
		if unreached[name] == "" {
			t.Errorf("%s: no generated history breaks this, or the fixer does not mend it: add a "+
				"message that breaks it to Planted in package msgtest, and a row of a provider", name)
		}
	}
	for name := range unreached {
		require.True(t, missing[name], "%s is reached; it needs no reason", name)
	}
}

// unreached are the cures that no such history shows, and why.
var unreached = map[string]string{
	"repair-media media-refused":    movesIt,
	"repair-media media-unreadable": movesIt,
}

const movesIt = "it moves media, which describe-media then makes text"

func countProblems(
	history []preflight.Message, profile *preflight.Profile, options *preflight.Options,
) map[problems.Problem]int {
	found := map[problems.Problem]int{}
	for _, v := range preflight.Check(history, profile, options) {
		found[v.Problem]++
	}
	return found
}

// everyProblem returns the problems that the source of package problems declares.
func everyProblem(t *testing.T) (all []problems.Problem) {
	source, err := os.ReadFile("rule/problems/problems.go")
	require.NoError(t, err)
	declared := regexp.MustCompile(`(?m)^\s*\w+\s+Problem\s*= "(.*?)"`)
	for _, m := range declared.FindAllStringSubmatch(string(source), -1) {
		all = append(all, problems.Problem(m[1]))
	}
	return all
}

// everyProfile returns the profiles of all providers whose messages hold several parts, of models
// with rules of their own, and the portable one. Where each part is a message, a result in the
// wrong one is moved by two fixers.
func everyProfile() []*preflight.Profile {
	out := append(provider.All(), provider.Portable(), &preflight.Profile{})
	for _, m := range [][2]string{
		{"anthropic", "claude-sonnet-4-5"}, {"anthropic", "claude-opus-4-6"},
		{"anthropic", "claude-opus-5-5"}, {"bedrock", "anthropic.claude-sonnet-4-5"},
		{"bedrock", "amazon.nova-pro"}, {"bedrock", "meta.llama3-1"}, {"bedrock", "us.deepseek.r1"},
		{"gemini", "gemini-1.0-pro"}, {"gemini", "gemini-2.5-pro"}, {"gemini", "gemini-3-pro"},
		{"openai-chat", "gpt-5"}, {"openai-chat", "o1-mini"}, {"openai-responses", "gpt-5"},
		{"chat-template", "llama-3.1"}, {"chat-template", "gpt-oss"}, {"chat-template", "mistral"},
		{"chat-template", "gemma-2"}, {"moonshot", "kimi-k2-turbo"},
	} {
		p, _ := provider.ByName(m[0], m[1])
		out = append(out, p)
	}
	return slices.DeleteFunc(out, func(p *preflight.Profile) bool { return p.Items.OnePartPerMessage })
}

// TestFixersWithoutCures: the default fixers run only if Check found something.
// checkedElsewhere are the problems for which TestCuresAreChecked does not hold, and why.
var checkedElsewhere = map[problems.Problem]string{
	problems.Arguments:      "the scan for invalid Unicode finds it, too",
	problems.InvalidUnicode: "package wire mends it when it decodes",
	problems.NUL:            "package wire mends it when it decodes",
}

// TestCuresAreChecked: each problem that a fixer cures is found in its golden file by the checks of
// such a fixer alone, so that no fixer can be left out of Check.
func TestCuresAreChecked(t *testing.T) {
	files, err := filepath.Glob("testdata/problems/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		problem := problems.Problem(strings.TrimSuffix(filepath.Base(file), ".txtar"))
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		archive := golden.Parse(data)
		var options wire.Options
		require.NoError(t, json.Unmarshal(archive.Get("options.json"), &options),
			"the file options.json of %s", file)
		request, err := wire.Decode(archive.Get("input.json"), &options)
		require.NoError(t, err, file)
		opts := options.Options
		opts.Request = request.State
		cured, found := false, false
		for _, f := range preflight.Fixers.Defaults() {
			if preflight.AlwaysRuns(f) || !preflight.Cures(f, problem) {
				continue
			}
			cured = true
			found = found || slices.Contains(
				preflight.FoundBy(f, request.Messages, &request.Profile, &opts), problem)
		}
		if cured {
			require.Equal(t, checkedElsewhere[problem] == "", found,
				"%s: a fixer that cures it has to find it", problem)
		}
	}
}

func TestFixersWithoutCures(t *testing.T) {
	for _, f := range preflight.Fixers.Defaults() {
		require.False(t, preflight.AlwaysRuns(f), f.Name)
	}
	require.True(t, preflight.AlwaysRuns(preflight.Fixers.StripSystem))
}

// TestOrder: every order of the fixers makes every history valid that the default order does.
// Within a group, it is almost always the same history.
func TestOrder(t *testing.T) {
	names, groups := preflight.Groups()
	require.Equal(t, []string{"text", "roles", "pairs", "content", "end"}, names)
	require.Equal(t, len(preflight.Fixers.Defaults()), len(slices.Concat(groups...)))
	histories := brokenHistories(t)
	random := rand.New(rand.NewPCG(1, 2))
	shuffled := func(fixers []preflight.Fixer) []preflight.Fixer {
		out := slices.Clone(fixers)
		random.Shuffle(len(out), func(a, b int) { out[a], out[b] = out[b], out[a] })
		return out
	}

	within, runs := 0, 0 // other results of other orders within the groups
	for g := range groups {
		for k := 1; k < len(groups[g]); k++ {
			order := slices.Clone(groups)
			order[g] = slices.Clone(groups[g])
			order[g][k-1], order[g][k] = order[g][k], order[g][k-1]
			within += othersOf(t, slices.Concat(order...), histories)
			runs += len(histories)
		}
	}
	for range 10 {
		var order []preflight.Fixer
		for g := range groups {
			order = append(order, shuffled(groups[g])...)
		}
		within += othersOf(t, order, histories)
		runs += len(histories)
	}
	require.Less(t, within*100, runs, "the order within a group decides what comes out")

	for range 10 {
		othersOf(t, shuffled(slices.Concat(groups...)), histories)
	}
}

// broken is a history that the default pipeline repairs, and what it makes of it.
type broken struct {
	profile *preflight.Profile
	history []preflight.Message
	want    []preflight.Message
}

// brokenHistories returns histories for every profile.
func brokenHistories(t *testing.T) (out []broken) {
	for _, profile := range everyProfile() {
		drawn := histgen.Corrupt(profile, nil)
		for seed := range 8 {
			history := drawn.Example(seed)
			res, err := preflight.Sanitize(t.Context(), history, profile, nil)
			if err == nil && res.Changed {
				out = append(out, broken{profile, history, res.Messages})
			}
		}
	}
	require.Greater(t, len(out), 100)
	return out
}

// othersOf repairs the histories with the fixers in this order, which must not fail, and returns
// how many become other histories than with the default order.
func othersOf(t *testing.T, order []preflight.Fixer, histories []broken) (others int) {
	pipeline, err := preflight.NewPipeline(order...)
	require.NoError(t, err)
	for _, h := range histories {
		res, err := pipeline.Sanitize(t.Context(), h.history, h.profile, nil)
		require.NoError(t, err)
		if !reflect.DeepEqual(h.want, res.Messages) {
			others++
		}
	}
	return others
}
