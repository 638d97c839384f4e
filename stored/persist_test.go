package stored_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/stored"
)

// This file tests Persist and Resume, the presets for histories that are stored or continued.

// drawOptions draws the options of Persist.
func drawOptions(t *rapid.T) stored.Options {
	o := msgtest.Shortening(t)
	o.MaxBytes = rapid.SampledFrom([]int{0, 250, 600, 2000}).Draw(t, "max bytes")
	return o
}

func persistProfile() *preflight.Profile {
	p := provider.Anthropic("")
	return p
}

// opaque is everything that must not be changed: signatures, payloads, media, unknown parts, and
// values under encrypted keys.
func opaque(h []preflight.Message) []string {
	var out []string
	var add func(p preflight.Part)
	add = func(p preflight.Part) {
		switch p := p.(type) {
		case *preflight.Reasoning:
			if p != nil && p.Signed() {
				out = append(out, p.Text+"|"+p.Signature+"|"+p.Opaque)
			}
		case *preflight.Media:
			if p != nil {
				out = append(out, p.Data+p.URL+p.FileID)
			}
		case *preflight.Other:
			if p != nil {
				out = append(out, string(p.Native.JSON))
			}
		case *preflight.ToolResult:
			if p == nil {
				return
			}
			var members map[string]json.RawMessage
			if json.Unmarshal(p.Output, &members) == nil && members["encrypted_x"] != nil {
				out = append(out, string(members["encrypted_x"]))
			}
			for _, c := range p.Content {
				add(c)
			}
		}
	}
	for _, m := range h {
		for _, p := range m.Parts {
			add(p)
		}
	}
	return out
}

func TestPersistProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := grown(t, histgen.Any(persistProfile(), nil).Draw(t, "history"))
		options := drawOptions(t)
		before := dump(in)
		res, err := stored.Persist(context.Background(), in, options)
		if dump(in) != before {
			t.Fatalf("the input was written to")
		}
		if err != nil {
			if strings.Contains(err.Error(), "has no JSON form") {
				if _, bad := json.Marshal(sound(in)); bad == nil {
					t.Fatalf("%v", err)
				}
				return
			}
			var size *preflight.Error
			if !errors.As(err, &size) || !errors.Is(err, stored.ErrTooLarge) {
				t.Fatalf("%v", err)
			}
			if !sameArray(res.Messages, in) || res.Changed {
				t.Fatalf("on error the input has to come back")
			}
			tooLarge := sound(in[size.Message : size.Message+1])[0]
			all := slices.Clone(in)
			all[size.Message] = tooLarge
			if most := unshortenable(tooLarge, searched(all)); most < options.MaxBytes/2 {
				t.Fatalf("%v, although all but %d bytes may be shortened:\n%s", err, most, dump(in))
			}
			return
		}
		for i, m := range res.Messages {
			body, bad := m.MarshalJSON()
			if bad == nil && options.MaxBytes > 0 && len(body) > options.MaxBytes {
				t.Fatalf("messages[%d] takes %d bytes: %v", i, len(body), err)
			}
		}
		again, err := stored.Persist(context.Background(), res.Messages, options)
		if err != nil || again.Changed {
			t.Fatalf("again: %v %s\nin:\n%s\nout:\n%s", err, list(again.Warnings), dump(in),
				dump(res.Messages))
		}
		if diff := cmp.Diff(opaque(sound(in)), opaque(res.Messages)); diff != "" {
			t.Fatalf("what is opaque was touched: %s", diff)
		}
		if got := preflight.TallyOf(in...).Plus(res.Added); got !=
			preflight.TallyOf(res.Messages...).Plus(res.Removed) {
			t.Fatalf("the accounts do not balance: %+v, %+v\n%s", got,
				preflight.TallyOf(res.Messages...).Plus(res.Removed), list(res.Warnings))
		}
	})
}

// sound is a history without what every pipeline takes out first: parts that may not be in a
// tool result.
func sound(h []preflight.Message) []preflight.Message {
	out, _ := preflight.Fixer{}.Apply(h, nil, nil)
	return out
}

// searched are the results that the provider verifies, as the name of their call says.
func searched(h []preflight.Message) map[preflight.Part]bool {
	kept := make(map[preflight.Part]bool)
	for _, pair := range preflight.Pairs(h, &preflight.Profile{}) {
		call, ok := pair.Counterpart.(*preflight.ToolCall)
		if ok && call.ProviderExecuted && shorten.IsOpaque(call.Name) {
			kept[pair.Part] = true
		}
	}
	return kept
}

// unshortenable is what a message takes with every text and result gone, but for the kept ones.
func unshortenable(m preflight.Message, kept map[preflight.Part]bool) int {
	bare := m
	bare.Parts = nil
	for _, p := range m.Parts {
		if kept[p] {
			bare.Parts = append(bare.Parts, p)
			continue
		}
		switch p := p.(type) {
		case *preflight.Text:
			bare.Parts = append(bare.Parts, &preflight.Text{Carried: p.Carried, Text: "..."})
		case *preflight.ToolResult:
			c := *p
			c.Content = nil
			for _, nested := range p.Content {
				if t, ok := nested.(*preflight.Text); ok {
					nested = &preflight.Text{Carried: t.Carried, Text: "..."}
				}
				c.Content = append(c.Content, nested)
			}
			if !p.ProviderExecuted &&
				len(opaque([]preflight.Message{{Parts: []preflight.Part{p}}})) == 0 {
				c.Output = nil
			}
			bare.Parts = append(bare.Parts, &c)
		default:
			if p != nil {
				bare.Parts = append(bare.Parts, p)
			}
		}
	}
	body, _ := bare.MarshalJSON()
	return len(body)
}

func TestResumeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := histgen.Any(persistProfile(), nil).Draw(t, "history")
		var profile *preflight.Profile
		if rapid.Bool().Draw(t, "with a profile") {
			profile = persistProfile()
		}
		framework := stored.FrameworkOptions()
		options := rapid.SampledFrom([]*preflight.Options{nil, &framework}).Draw(t, "options")
		before := dump(in)
		res, err := stored.Resume(context.Background(), in, profile, options)
		if err != nil {
			t.Fatalf("%v\n%s", err, dump(in))
		}
		if dump(in) != before {
			t.Fatalf("the input was written to")
		}
		again, err := stored.Resume(context.Background(), res.Messages, profile, options)
		if err != nil || again.Changed {
			t.Fatalf("again: %v %s\nin:\n%s\nout:\n%s", err, list(again.Warnings), dump(in),
				dump(res.Messages))
		}
		if got := preflight.TallyOf(in...).Plus(res.Added); got !=
			preflight.TallyOf(res.Messages...).Plus(res.Removed) {
			t.Fatalf("the accounts do not balance: %+v, %+v", got,
				preflight.TallyOf(res.Messages...))
		}
		for _, m := range res.Messages {
			if m.Role == preflight.RoleSystem && options != nil {
				t.Fatalf("a system message is left")
			}
		}
	})
}

func answered(id string, output string) preflight.Message {
	return toolMsg(&preflight.ToolResult{CallID: id, Output: json.RawMessage(output)})
}

func TestPersistTakesAnyShape(t *testing.T) {
	for reason, in := range map[string][]preflight.Message{
		"nothing":           nil,
		"an open call":      {user("go"), call("c1")},
		"equal neighbours":  {user("a"), user("b")},
		"an assistant only": {call("c1")},
		"an orphan":         {result("c9", "late")},
	} {
		t.Run(reason, func(t *testing.T) {
			out := runSystem(t, in, persisting(stored.PersistOptions()))
			require.False(t, out.Changed)
			require.True(t, sameArray(out.Messages, in))
		})
	}
}

func TestPresetsReportErrors(t *testing.T) {
	in := []preflight.Message{user("go")}
	bad := &preflight.Options{Hooks: []preflight.Hook{{Name: "nothing"}}}
	_, err := stored.Persist(context.Background(), in, stored.Options{Options: *bad})
	require.ErrorIs(t, err, preflight.ErrPipeline)
	failing := &preflight.Options{
		Hooks: []preflight.Hook{
			{
				Name: "boom",
				Message: func(context.Context, preflight.Message) (preflight.Message, error) {
					panic("boom")
				},
			},
		},
	}
	for _, run := range []msgtest.Step{
		persisting(stored.Options{Options: *failing}), interrupting(failing),
	} {
		res, err := run(in)
		require.ErrorIs(t, err, preflight.ErrHook)
		require.True(t, sameArray(res.Messages, in))
	}
}

// TestPresetsCountRounds: a round that finds something, and one that finds nothing more; hooks take
// a round after them.
func TestPresetsCountRounds(t *testing.T) {
	in := history(sysMsg(says("s")), userMsg(says("q")), botMsg(says("a")))
	in[1].Meta = preflight.Metadata{"run_id": json.RawMessage(`"1"`)}
	same := preflight.Hook{
		Name: "same",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			return m, nil
		},
	}
	drop := preflight.Hook{
		Name: "drop",
		History: func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
			return h[1:], nil
		},
	}
	strip := preflight.Options{Fixers: []preflight.Fixer{preflight.Fixers.StripSystem}}
	with := func(o preflight.Options, hooks ...preflight.Hook) *preflight.Options {
		o.Hooks = hooks
		return &o
	}
	for name, c := range map[string]struct {
		options *preflight.Options
		left    int
		rounds  int
	}{
		"nothing to do":             {&preflight.Options{}, 3, 1},
		"a hook with nothing to do": {with(preflight.Options{}, same), 3, 2},
		"system messages":           {&strip, 2, 2},
		"and a hook":                {with(strip, drop), 1, 3},
	} {
		t.Run(name, func(t *testing.T) {
			rounds := 0
			options := *c.options
			options.Fixers = append(slices.Clip(options.Fixers), preflight.Fixer{
				Name: "count",
				Fix: func(
					h []preflight.Message, _ *preflight.Profile, _ preflight.Request,
				) ([]preflight.Message, []preflight.Warning) {
					rounds++
					return h, nil
				},
			})
			resume := func(h []preflight.Message) (preflight.Result, error) {
				return stored.Resume(context.Background(), h, nil, &options)
			}
			for _, run := range []msgtest.Step{
				persisting(stored.Options{Options: options}), resume,
			} {
				rounds = 0
				res, err := run(in)
				require.NoError(t, err)
				require.Len(t, res.Messages, c.left)
				require.Equal(t, c.rounds, rounds)
				require.Equal(t, c.left < len(in), res.Changed)
			}
		})
	}
}

// TestResumeTakesAnEmptyHistory: with a profile or without, and one that nothing is left of only
// without.
func TestResumeTakesAnEmptyHistory(t *testing.T) {
	for _, p := range []*preflight.Profile{nil, provider.Anthropic("")} {
		for _, in := range [][]preflight.Message{nil, make([]preflight.Message, 0, 4)} {
			res, err := stored.Resume(context.Background(), in, p, nil)
			require.NoError(t, err)
			require.Empty(t, res.Messages)
			require.Zero(t, cap(res.Messages))
			require.Equal(t, -1, res.FirstChanged)
			require.False(t, res.Changed)
		}
	}
	options := stored.FrameworkOptions()
	res, err := stored.Resume(context.Background(),
		history(sysMsg(says("s")), userMsg(says(" "))), nil, &options)
	require.NoError(t, err)
	require.Empty(t, res.Messages)
	require.Equal(t, 0, res.FirstChanged)
	require.Equal(t,
		[]string{
			"system-removed  messages[0] -1 text -1 byte",
			"empty-part-removed preflight/blank-text messages[1].parts[0] -1 text -1 byte",
		}, wholly(res.Warnings))
}

// TestHooksRunAfterTheFixers: a hook sees what they left, once for each message.
func TestHooksRunAfterTheFixers(t *testing.T) {
	meta := preflight.Metadata{"openai": json.RawMessage(`{"itemId":"i"}`)}
	in := []preflight.Message{
		botMsg(&preflight.ToolCall{
			ID:      "c1",
			Name:    "myTool",
			Input:   json.RawMessage(`{}`),
			Carried: preflight.Carried{Meta: meta},
		}),
		toolMsg(&preflight.ToolResult{
			CallID: "c1",
			Output: json.RawMessage(`{"content":"sensitive"}`),
		}),
	}
	o := stored.PersistOptions()
	seen, stripped := 0, true
	o.Options.Hooks = []preflight.Hook{
		{
			Name: "count",
			Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
				seen++
				for _, p := range m.Parts {
					stripped = stripped && preflight.CarriedBy(p).Meta == nil
					if r, ok := p.(*preflight.ToolResult); ok {
						r.Output = json.RawMessage(`{"content":"[redacted]"}`)
					}
				}
				return m, nil
			},
		},
	}
	out, err := stored.Persist(context.Background(), in, o)
	require.NoError(t, err)
	require.True(t, stripped, "the hook sees what the built-in steps left")
	require.Equal(t, len(in), seen, "once per message per run")
	require.Equal(t, "[redacted]",
		get(t, msgtest.Only[*preflight.ToolResult](t, out.Messages).Output, "content").Str())
}

// TestOptionsFromJSON: options travel as JSON, and unknown members are errors.
func TestOptionsFromJSON(t *testing.T) {
	given := stored.PersistOptions()
	given.ClearMeta, given.Options.Strict = []string{"run_id"}, true
	text, err := json.Marshal(given)
	require.NoError(t, err)
	require.Equal(t, `{"strip_ephemeral":true,"clear_meta":["run_id"],"max_string":500,`+
		`"head_only":true,"max_bytes":1800000,"options":{"strict":true}}`, string(text))
	var back stored.Options
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, given, back)
	for _, text := range []string{`{"max_sting":5}`, `{"options":{"max_string":5}}`, `[]`} {
		require.Error(t, json.Unmarshal([]byte(text), &back))
		require.Equal(t, given, back, "unchanged after an error")
	}
}
