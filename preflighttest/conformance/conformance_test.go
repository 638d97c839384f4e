package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/redact"
)

// TestBuiltInFixersConform: under the profiles of the formats, and under one in four of the others,
// for each fixer different ones; with make soak, under all.
func TestBuiltInFixersConform(t *testing.T) {
	for k, f := range preflight.Fixers.Defaults() {
		scope := &Scope{}
		for i, p := range provider.All() {
			if p.Format == "" || (i+k)%4 == 0 || rapidseed.Soaks() {
				scope.Profiles = append(scope.Profiles, p)
			}
		}
		t.Run(f.Name, func(t *testing.T) { TestFixer(t, f, scope) })
	}
}

func TestDefaultPipelineConforms(t *testing.T) {
	p, err := preflight.NewPipeline(preflight.Fixers.Defaults()...)
	require.NoError(t, err)
	TestPipeline(t, p, nil)
}

func TestGoodFixerConforms(t *testing.T) {
	TestFixer(t, fixerOf(shout), nil)
	p, err := preflight.NewPipeline(append(preflight.Fixers.Defaults(), fixerOf(shout))...)
	require.NoError(t, err)
	TestPipeline(t, p, nil)
}

// TestIdleFixer: a fixer that changes no history is not taken for a tested one.
func TestIdleFixer(t *testing.T) {
	for text, want := range map[string]bool{"LOUD": false, "low": true} {
		changed, b := fixerBreach(fixerOf(shout), []preflight.Message{
			{Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Text{Text: text}}},
		}, provider.Portable(), &preflight.Options{})
		require.Nil(t, b)
		require.Equal(t, want, changed, text)
	}
}

// TestIdleHook: a hook that changes no history is not taken for a tested one, but one that refuses
// some is.
func TestIdleHook(t *testing.T) {
	const idle = "CONFORMANCE_IDLE"
	hide := preflight.HookFunc("hide", func(m preflight.Message) preflight.Message {
		return redact.Message(m, func(text string) string {
			return strings.ReplaceAll(text, "hunter2", "[secret]")
		})
	})
	if os.Getenv(idle) != "" {
		TestHook(t, hide, &Scope{Profiles: []*preflight.Profile{provider.Portable()}})
		return
	}
	again := exec.Command(os.Args[0], "-test.run", "^TestIdleHook$", "-rapid.checks=5")
	again.Env = append(os.Environ(), idle+"=1")
	out, err := again.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "give histories that it changes in Scope.Histories")
	secret := []preflight.Message{
		{Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Text{Text: "hunter2"}}},
	}
	TestHook(t, hide, &Scope{
		Profiles:  []*preflight.Profile{provider.Portable()},
		Histories: [][]preflight.Message{secret},
	})
	refuse := preflight.Hook{Name: "refuse", History: func(
		context.Context, []preflight.Message,
	) ([]preflight.Message, error) {
		return nil, errors.New("never")
	}}
	acted, b := hookBreach(refuse, secret, provider.Portable(), &preflight.Options{})
	require.Nil(t, b)
	require.True(t, acted)
}

// TestStopsAtFirstFault: a faulty hook is told once, and not for each profile.
func TestStopsAtFirstFault(t *testing.T) {
	const faulty = "CONFORMANCE_FAULTY"
	if os.Getenv(faulty) != "" {
		TestHook(t, preflight.Hook{Name: "panics", Message: func(
			context.Context, preflight.Message,
		) (preflight.Message, error) {
			panic("always")
		}}, nil)
		return
	}
	again := exec.Command(os.Args[0], "-test.run", "^TestStopsAtFirstFault$", "-rapid.nofailfile")
	again.Env = append(os.Environ(), faulty+"=1")
	out, err := again.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, 1, strings.Count(string(out), "    --- FAIL"), "%s", out)
	require.Contains(t, string(out), " more profiles were not tried")
}

func TestGoodHooksConform(t *testing.T) {
	redact := preflight.Hook{
		Name: "redact",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			for _, p := range m.Parts {
				if x, ok := p.(*preflight.Text); ok {
					x.Text = strings.ReplaceAll(x.Text, "list", "****")
				}
			}
			return m, nil
		},
	}
	refuse := preflight.Hook{
		Name: "refuse",
		History: func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
			if len(h) > 4 {
				return nil, errors.New("too long for this test")
			}
			return h, nil
		},
	}
	for _, h := range []preflight.Hook{redact, refuse} {
		t.Run(h.Name, func(t *testing.T) { TestHook(t, h, nil) })
	}
}

func fixerOf(
	fix func([]preflight.Message, *preflight.Profile) ([]preflight.Message, []preflight.Warning),
) preflight.Fixer {
	return preflight.Fixer{Name: "under-test", Fix: func(
		h []preflight.Message, p *preflight.Profile, _ preflight.Request,
	) ([]preflight.Message, []preflight.Warning) {
		return fix(h, p)
	}}
}

// shout is a fixer that keeps every rule: it puts the text of user messages in capitals.
func shout(h []preflight.Message, _ *preflight.Profile) ([]preflight.Message, []preflight.Warning) {
	out, warnings := h, []preflight.Warning(nil)
	for i, m := range h {
		for j, p := range m.Parts {
			x, ok := p.(*preflight.Text)
			if !ok || m.Role != preflight.RoleUser || strings.ToUpper(x.Text) == x.Text {
				continue
			}
			if warnings == nil {
				out = slices.Clone(h)
			}
			if &out[i].Parts[0] == &h[i].Parts[0] {
				out[i].Parts = slices.Clone(m.Parts)
			}
			loud := *x
			loud.Text = strings.ToUpper(x.Text)
			out[i].Parts[j] = &loud
			warnings = append(warnings, preflight.Warning{
				Code:    "shouted",
				At:      preflight.At(i, j),
				Detail:  "put text in capitals",
				Removed: preflight.TallyOf(preflight.Message{Parts: []preflight.Part{x}}),
				Added:   preflight.TallyOf(preflight.Message{Parts: []preflight.Part{&loud}}),
			})
		}
	}
	return out, warnings
}

// firstBreach searches generated histories as the exported functions do, and returns the first
// breach.
func firstBreach(examine func([]preflight.Message, *preflight.Profile) *Breach) *Breach {
	for _, p := range provider.All() {
		generated := histgen.Any(p, nil)
		for seed := range 60 {
			if b := examine(histgen.Roomy(generated.Example(seed)), p); b != nil {
				return b
			}
		}
	}
	return nil
}

func warning(i int, detail string, removed, added []preflight.Part) []preflight.Warning {
	return []preflight.Warning{
		{
			Code:    "test",
			At:      preflight.At(i),
			Detail:  detail,
			Removed: preflight.TallyOf(preflight.Message{Parts: removed}),
			Added:   preflight.TallyOf(preflight.Message{Parts: added}),
		},
	}
}

func TestFaultyFixersAreCaught(t *testing.T) {
	type warnings = []preflight.Warning
	var runs atomic.Int64
	var lock sync.Mutex
	buffer := make([]preflight.Message, 0, 1<<12)
	mark := func(text string) preflight.Message {
		return preflight.Message{
			Role:  preflight.RoleUser,
			Parts: []preflight.Part{&preflight.Text{Text: text}},
		}
	}
	faulty := map[string]struct {
		rule string
		fix  func(messages) (messages, warnings)
	}{
		"edits a part in place": {RulePurity, func(h messages) (messages, warnings) {
			for _, m := range h {
				for _, p := range m.Parts {
					if x, ok := p.(*preflight.Text); ok {
						x.Text = "edited"
					}
				}
			}
			return h, nil
		}},
		"filters in place": {RulePurity, func(h messages) (messages, warnings) {
			return slices.DeleteFunc(h,
				func(m preflight.Message) bool { return m.Role == preflight.RoleSystem }), nil
		}},
		"appends into spare capacity": {RulePurity, func(h messages) (messages, warnings) {
			if len(h) == 0 || h[len(h)-1].Role == preflight.RoleUser {
				return h, nil
			}
			m := mark("go on")
			return append(h, m), warning(len(h)-1, "appended a user turn", nil, m.Parts)
		}},
		"counts its runs": {RuleDeterminism, func(h messages) (messages, warnings) {
			if len(h) == 0 {
				return h, nil
			}
			m := mark(fmt.Sprint("run ", runs.Add(1)))
			return append(slices.Clone(h), m), warning(0, "appended a counter", nil, m.Parts)
		}},
		"reuses a buffer": {RuleAliasing, func(h messages) (messages, warnings) {
			lock.Lock()
			defer lock.Unlock()
			return append(buffer[:0], h...), nil
		}},
		"adds something each time": {RuleIdempotence, func(h messages) (messages, warnings) {
			if len(h) == 0 {
				return h, nil
			}
			m := mark("again")
			return append(slices.Clone(h), m), warning(0, "appended a turn", nil, m.Parts)
		}},
		"changes in silence": {RuleWarnings, func(h messages) (messages, warnings) {
			return slices.DeleteFunc(slices.Clone(h),
				func(m preflight.Message) bool { return m.Role == preflight.RoleSystem }), nil
		}},
		"warns of nothing": {RuleWarnings, func(h messages) (messages, warnings) {
			if len(h) == 0 {
				return h, nil
			}
			return h, warning(0, "did nothing", nil, nil)
		}},
		"points nowhere": {RuleWarnings, func(h messages) (messages, warnings) {
			if len(h) == 0 || h[len(h)-1].Role == preflight.RoleUser {
				return h, nil
			}
			m := mark("go on")
			return append(slices.Clone(h), m), warning(len(h), "appended a user turn", nil,
				m.Parts)
		}},
		"keeps no accounts": {RuleWarnings, func(h messages) (messages, warnings) {
			if len(h) == 0 || h[len(h)-1].Role == preflight.RoleUser {
				return h, nil
			}
			return append(slices.Clone(h), mark("go on")), warning(len(h)-1,
				"appended a user turn", nil, nil)
		}},
		"drops tool results": {RuleOrphans, func(h messages) (messages, warnings) {
			var out []preflight.Message
			var warnings []preflight.Warning
			for i, m := range h {
				isResult := func(p preflight.Part) bool {
					r, ok := p.(*preflight.ToolResult)
					return ok && !r.ProviderExecuted
				}
				kept := slices.DeleteFunc(slices.Clone(m.Parts), isResult)
				if len(kept) < len(m.Parts) {
					warnings = append(warnings,
						warning(i, "dropped tool results", m.Parts, kept)...)
					if m.Parts = kept; len(kept) == 0 {
						continue
					}
				}
				out = append(out, m)
			}
			if warnings == nil {
				return h, nil
			}
			return out, warnings
		}},
		"panics on a role": {RuleTotality, func(h messages) (messages, warnings) {
			for _, m := range h {
				if m.Role == preflight.RoleTool {
					panic("no such role")
				}
			}
			return h, nil
		}},
	}
	for name, c := range faulty {
		t.Run(name, func(t *testing.T) {
			fix := func(h messages, _ *preflight.Profile) (messages, warnings) { return c.fix(h) }
			b := firstBreach(func(h []preflight.Message, p *preflight.Profile) *Breach {
				_, b := fixerBreach(fixerOf(fix), h, p, &preflight.Options{})
				return b
			})
			require.NotNil(t, b, "no generated history shows the fault")
			require.Equal(t, c.rule, b.Rule, b.Detail)
		})
	}
}

func TestFaultyHooksAreCaught(t *testing.T) {
	var runs atomic.Int64
	faulty := map[string]struct {
		rule string
		hook preflight.Hook
	}{
		"drops tool messages": {RuleOrphans, preflight.Hook{
			Name: "h",
			Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
				if m.Role == preflight.RoleTool {
					return preflight.Message{}, nil
				}
				return m, nil
			},
		}},
		"adds something each time": {RuleIdempotence, preflight.Hook{
			Name: "h",
			History: func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
				return append(h, preflight.Message{
					Role:  preflight.RoleUser,
					Parts: []preflight.Part{&preflight.Text{Text: "remember the rules"}},
				}), nil
			},
		}},
		"counts its runs": {RuleDeterminism, preflight.Hook{
			Name: "h",
			Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
				m.Parts = append(m.Parts, &preflight.Text{Text: fmt.Sprint("run ", runs.Add(1))})
				return m, nil
			},
		}},
		"panics": {RuleTotality, preflight.Hook{
			Name: "h",
			Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
				return m, errors.New(m.Parts[0].(*preflight.Text).Text)
			},
		}},
	}
	for name, c := range faulty {
		t.Run(name, func(t *testing.T) {
			b := firstBreach(func(h []preflight.Message, p *preflight.Profile) *Breach {
				_, b := hookBreach(c.hook, h, p, &preflight.Options{})
				return b
			})
			require.NotNil(t, b, "no generated history shows the fault")
			require.Equal(t, c.rule, b.Rule, b.Detail)
		})
	}
}

// A pipeline keeps its promises with any steps, so a faulty step is what its rules are tried
// on.
func TestFaultyRunsAreCaught(t *testing.T) {
	leave := func(h []preflight.Message) outcome { return outcome{messages: slices.Clip(h)} }
	roomy := func(h []preflight.Message) outcome { return outcome{messages: h} }
	half := func(h []preflight.Message) outcome {
		if len(h) == 0 {
			return outcome{messages: h}
		}
		return outcome{messages: h[: len(h)-1 : len(h)-1], err: errors.New("gave up")}
	}
	for name, c := range map[string]struct {
		rule string
		run  step
	}{
		"leaves what is broken":         {RuleValidity, leave},
		"gives back less with an error": {RuleValidity, half},
		"leaves room in the input":      {RuleAliasing, roomy},
	} {
		t.Run(name, func(t *testing.T) {
			b := firstBreach(func(h []preflight.Message, p *preflight.Profile) *Breach {
				return sanitizeBreach(c.run, h, p, &preflight.Options{})
			})
			require.NotNil(t, b, "no generated history shows the fault")
			require.Equal(t, c.rule, b.Rule, b.Detail)
		})
	}
}
