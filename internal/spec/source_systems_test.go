package spec

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/internal/golden"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/stored"
)

// This file runs testdata/systems: what the systems that preflight succeeds do to a history, as
// golden files. testdata/systems/deviations.md lists where preflight differs, and why.

// systemRun is how a golden file is run: a preset, or single fixers, with the caller's options.
type systemRun struct {
	Run     string            `json:"run"` // persist, resume, interrupted, article or fixers
	Fixers  []string          `json:"fixers"`
	Older   stored.Older      `json:"older"`   // of the fixer truncate-older
	Profile string            `json:"profile"` // one of systemProfiles, or none
	Hook    string            `json:"hook"`    // one of systemHooks, or none
	Pending string            `json:"pending"` // the tool whose calls wait, or none
	Options preflight.Options `json:"options"`
	Persist stored.Options    `json:"persist"` // of persist
}

func TestSystems(t *testing.T) {
	paths, err := filepath.Glob("testdata/systems/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			runSystemFile(t, path)
		})
	}
}

func runSystemFile(t *testing.T, path string) {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	archive := golden.Parse(data)
	require.NotEmpty(t, archive.Comment, "a case says why it is there")
	var run systemRun
	require.NoError(t, json.Unmarshal(archive.Get("options.json"), &run))
	input, err := golden.Expand(archive.Get("input.json"))
	require.NoError(t, err)
	var compacted bytes.Buffer // a stored history has no white space between its tokens
	require.NoError(t, json.Compact(&compacted, input))
	var in []preflight.Message
	require.NoError(t, json.Unmarshal(compacted.Bytes(), &in))

	out := runSystem(t, in, run.step(t))
	warnings := ""
	for _, w := range out.Warnings {
		warnings += fmt.Sprintln(w.At, w.Code)
	}
	body := systemJSON(t, out.Messages)
	held := golden.Holds(string(archive.Get("holds")), systemJSON(t, in), body)
	require.NoError(t, held)
	tuna := strings.HasPrefix(filepath.Base(path), "tuna-")
	if tuna && run.Run == "resume" && run.Profile == "" && len(userTexts(in)) > 0 {
		requireResumable(t, in, out)
	}
	if *update {
		archive.Set("input.json", systemJSON(t, in))
		archive.Set("output.json", body)
		archive.Set("warnings", []byte(warnings))
		require.NoError(t, os.WriteFile(path, archive.Bytes(), 0o644))
		return
	}
	require.Empty(t, cmp.Diff(string(archive.Get("output.json")), string(body)))
	require.Empty(t, cmp.Diff(string(archive.Get("warnings")), warnings))
}

// requireResumable asserts what holds for any history that TunaCode cleans up: all user text is
// still there, in order, and the history can be sent to a strict provider once it is sanitized for
// it, without losing more.
func requireResumable(t testing.TB, in []preflight.Message, out preflight.Result) {
	t.Helper()
	require.Equal(t, userTexts(in), userTexts(out.Messages))
	profile := *provider.Portable()
	o := stored.FrameworkOptions()
	o.Trailing = preflight.TrailingKeep
	sent := runSystem(t, in, sanitizing(profile, o))
	profile.Prefill.Refused = false
	require.Empty(t, preflight.Check(sent.Messages, &profile, nil))
	left := userTexts(sent.Messages)
	if len(left) > 0 && left[0] == defaultPlaceholder {
		left = left[1:]
	}
	require.Equal(t, userTexts(in), left)
}

func userTexts(h []preflight.Message) []string {
	var users []preflight.Message
	for _, m := range h {
		if m.Role == preflight.RoleUser {
			users = append(users, m)
		}
	}
	return texts(users)
}

// systemJSON is a history as the golden files hold it.
func systemJSON(t *testing.T, h []preflight.Message) []byte {
	t.Helper()
	data, err := json.Marshal(slices.Concat([]preflight.Message{}, h))
	require.NoError(t, err)
	if len(h) == 0 {
		data = []byte("[]")
	}
	data, err = golden.Shrink(data)
	require.NoError(t, err)
	return golden.Layout(data)
}

// step is the run that the file asks for.
func (r *systemRun) step(t *testing.T) step {
	t.Helper()
	var profile *preflight.Profile
	if r.Profile != "" {
		require.Contains(t, systemProfiles, r.Profile)
		p := systemProfiles[r.Profile]()
		profile = &p
	}
	if r.Hook != "" {
		require.Contains(t, systemHooks, r.Hook)
		r.Options.Hooks = []preflight.Hook{systemHooks[r.Hook]}
	}
	if r.Pending != "" {
		r.Options.OpenCall = waitsIf(func(c *preflight.ToolCall) bool {
			return c.Name == r.Pending
		})
	}
	switch r.Run {
	case "persist":
		r.Persist.Options.Hooks = r.Options.Hooks
		return persisting(r.Persist)
	case "resume":
		return func(h []preflight.Message) (preflight.Result, error) {
			o := stored.FrameworkOptions()
			return stored.Resume(context.Background(), h, profile, &o)
		}
	case "interrupted":
		return interrupting(&r.Options)
	case "article":
		return sanitizing(*profile, r.Options)
	case "fixers":
		return applying(&r.Options, r.fixers(t)...)
	}
	t.Fatalf("unknown run %q", r.Run)
	return nil
}

func (r *systemRun) fixers(t *testing.T) []preflight.Fixer {
	t.Helper()
	all := append(preflight.Fixers.Defaults(), preflight.Fixers.StripSystem,
		fixer.ClearMeta("run_id"), r.Older.Fixer())
	var out []preflight.Fixer
	for _, name := range r.Fixers {
		i := slices.IndexFunc(all, func(f preflight.Fixer) bool { return f.Name == name })
		require.GreaterOrEqual(t, i, 0, name)
		out = append(out, all[i])
	}
	return out
}

// systemProfiles are the providers that the systems assume.
var systemProfiles = map[string]func() preflight.Profile{
	"portable": func() preflight.Profile { return *provider.Portable() },
	"portable, prefill taken": func() preflight.Profile {
		p := *provider.Portable()
		p.Prefill.Refused = false
		return p
	},
	"openai-chat, nothing empty": func() preflight.Profile {
		p := *provider.OpenAIChat("")
		p.Content.RefuseEmptyText, p.Content.RefuseBlankText = true, true
		return p
	},
	"openai-chat, turns merged": func() preflight.Profile {
		p := *provider.OpenAIChat("")
		p.Turns.Neighbours = provider.NeighboursMerged
		return p
	},
}

// systemHooks do what the systems do and preflight leaves to its callers.
var systemHooks = map[string]preflight.Hook{
	"redact-content": redactContent(),
	"text-only": messageHook("text-only", func(m *preflight.Message) {
		m.Parts = slices.DeleteFunc(m.Parts, func(p preflight.Part) bool {
			_, ok := p.(*preflight.Text)
			return !ok
		})
	}),
	"trim": messageHook("trim", func(m *preflight.Message) {
		for _, p := range m.Parts {
			if t, ok := p.(*preflight.Text); ok {
				t.Text = strings.TrimSpace(t.Text)
			}
		}
	}),
	"join-texts": messageHook("join-texts", func(m *preflight.Message) {
		all := texts([]preflight.Message{*m})
		if len(all) == len(m.Parts) && len(all) > 1 {
			m.Parts = []preflight.Part{says(strings.Join(all, "\n\n"))}
		}
	}),
	"system-first": historyHook("system-first", func(h []preflight.Message) []preflight.Message {
		isSystem := func(m preflight.Message) bool { return m.Role == preflight.RoleSystem }
		others := slices.DeleteFunc(slices.Clone(h), isSystem)
		h = slices.DeleteFunc(h, func(m preflight.Message) bool { return !isSystem(m) })
		return append(h, others...)
	}),
	"max-messages": historyHook("max-messages", func(h []preflight.Message) []preflight.Message {
		for len(h) > 2 { // the oldest that is not a system message, else the oldest
			at := slices.IndexFunc(h, func(m preflight.Message) bool {
				return m.Role != preflight.RoleSystem
			})
			h = slices.Delete(h, max(at, 0), max(at, 0)+1)
		}
		return h
	}),
}

func historyHook(
	name string, edit func([]preflight.Message) []preflight.Message,
) preflight.Hook {
	return preflight.Hook{
		Name: name,
		History: func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
			return edit(h), nil
		},
	}
}

// redactContent replaces the member "content" of what tools returned.
func redactContent() preflight.Hook {
	return messageHook("redact-content", func(m *preflight.Message) {
		for _, p := range m.Parts {
			r, ok := p.(*preflight.ToolResult)
			if !ok {
				continue
			}
			doc, err := jsonscan.Parse(r.Output)
			if err != nil || !doc.Root().Has("content") {
				continue
			}
			edit := jsonscan.EditObject(doc.Root())
			edit.SetMember("content", []byte(`"[custom-redacted]"`))
			r.Output = edit.Bytes()
		}
	})
}

func persisting(options stored.Options) step {
	return func(h []preflight.Message) (preflight.Result, error) {
		return stored.Persist(context.Background(), h, options)
	}
}

func interrupting(options *preflight.Options) step {
	return func(h []preflight.Message) (preflight.Result, error) {
		return stored.RepairInterrupted(context.Background(), h, options)
	}
}

// applying runs single fixers, for cases that test one function of a system alone.
func applying(options *preflight.Options, fixers ...preflight.Fixer) step {
	return func(h []preflight.Message) (preflight.Result, error) {
		var res preflight.Result
		res.Messages = h
		for _, f := range fixers {
			var warnings []preflight.Warning
			res.Messages, warnings = f.Apply(res.Messages, nil, options)
			res.Warnings = append(res.Warnings, warnings...)
		}
		res.Changed = len(res.Warnings) > 0
		return res, nil
	}
}

func sanitizing(
	profile preflight.Profile,
	options preflight.Options,
) step {
	return func(h []preflight.Message) (preflight.Result, error) {
		return preflight.Sanitize(context.Background(), h, &profile, &options)
	}
}
