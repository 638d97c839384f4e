package spec

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/stored"
	"github.com/go-preflight/preflight/wire"
)

// TestNilIsTheZeroValue: what is nil, or zero, is answered and does not panic.
func TestNilIsTheZeroValue(t *testing.T) {
	var profile *preflight.Profile
	ctx := context.Background()
	history := brokenHistory()
	for name, f := range map[string]func(){
		"Check":        func() { require.NotEmpty(t, preflight.Check(history, nil, nil)) },
		"Check of nil": func() { preflight.Check(nil, nil, nil) },
		"Pairs":        func() { require.NotEmpty(t, preflight.Pairs(history, nil)) },
		"Sanitize": func() {
			_, err := preflight.Sanitize(ctx, history, nil, nil)
			require.NoError(t, err)
		},
		"Fixer": func() {
			out, warnings := preflight.Fixer{}.Apply(history, nil, nil)
			require.Len(t, out, len(history))
			require.Empty(t, warnings)
		},
		"Pairs of nil parts": func() {
			nils := []preflight.Part{
				nil, (*preflight.Text)(nil), (*preflight.ToolCall)(nil), (*preflight.ToolResult)(nil),
				(*preflight.Reasoning)(nil), (*preflight.Media)(nil), (*preflight.Other)(nil),
			}
			for _, role := range []preflight.Role{preflight.RoleAssistant, preflight.RoleTool} {
				for _, p := range nils {
					nilParts := []preflight.Message{
						{Role: role, Parts: []preflight.Part{p}}, {Role: role, Parts: nils},
					}
					for _, profile := range provider.All() {
						preflight.Pairs(nilParts, profile)
						preflight.Check(nilParts, profile, nil)
					}
				}
			}
		},
		"PairToolCalls": func() { preflight.Fixers.PairToolCalls.Apply(history, nil, nil) },
		"RepairToolName": func() {
			require.Equal(t, "a_b", profile.RepairToolName("a_b"))
			profile.RepairToolName("a b\x00")
		},
		"Pipeline": func() {
			result, err := msgtest.LeaveOpen(new(preflight.Pipeline), history, nil, nil)
			require.NoError(t, err)
			require.NotEmpty(t, result.Open)
			var none *preflight.Pipeline
			_, err = msgtest.LeaveOpen(none, history, nil, nil)
			require.ErrorIs(t, err, preflight.ErrPipeline)
		},
		"wire.Request": func() {
			for _, r := range []*wire.Request{nil, {}} {
				_, err := r.Encode(history)
				require.ErrorIs(t, err, wire.ErrNotARequest)
				require.Empty(t, r.Path(preflight.Position{}))
			}
		},
		"wire.Sanitize": func() {
			_, err := wire.Sanitize(ctx, nil, nil)
			require.ErrorIs(t, err, wire.ErrNotARequest)
		},
		"wire.Check": func() {
			_, err := wire.Check(nil, nil)
			require.ErrorIs(t, err, wire.ErrNotARequest)
		},
		"wire.Decode": func() {
			_, err := wire.Decode(nil, nil)
			require.ErrorIs(t, err, wire.ErrNotARequest)
		},
		"wire.Convert": func() { _, err := wire.Convert(ctx, nil, "", nil); require.Error(t, err) },
	} {
		t.Run(name, func(t *testing.T) { require.NotPanics(t, f) })
	}
}

// TestWithoutContext: a nil context is context.Background to everything that takes one, and to the
// functions of the caller's that it is passed to.
func TestWithoutContext(t *testing.T) {
	calls := 0
	hook := preflight.Hook{Name: "counts", Message: func(
		ctx context.Context, m preflight.Message,
	) (preflight.Message, error) {
		require.NoError(t, ctx.Err())
		preflight.Target(ctx)
		calls++
		return m, nil
	}}
	options := &preflight.Options{Hooks: []preflight.Hook{hook}}
	hooked := &wire.Options{Provider: "anthropic", Options: *options}
	body := []byte(`{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"q"}]}`)
	history := []preflight.Message{userMsg(says("q")), botMsg(says("a"))}
	var none context.Context
	for name, f := range map[string]func() error{
		"Sanitize": func() error {
			_, err := preflight.Sanitize(none, history, nil, options)
			return err
		},
		"Pipeline.Sanitize": func() error {
			pipeline, _ := preflight.NewPipeline(preflight.Fixers.Defaults()...)
			_, err := pipeline.Sanitize(none, history, nil, options)
			return err
		},
		"Persist": func() error {
			_, err := stored.Persist(none, history, stored.Options{Options: *options})
			return err
		},
		"Resume": func() error {
			_, err := stored.Resume(none, history, nil, options)
			return err
		},
		"RepairInterrupted": func() error {
			_, err := stored.RepairInterrupted(none, history, options)
			return err
		},
		"wire.Sanitize": func() error {
			_, err := wire.Sanitize(none, body, hooked)
			return err
		},
		"wire.Sanitizer": func() error {
			_, err := new(wire.Sanitizer).Sanitize(none, body, hooked)
			return err
		},
		"wire.Convert": func() error {
			_, err := wire.Convert(none, body, "", &wire.Options{
				Provider: "openai-chat", Options: *options,
			})
			return err
		},
		"wire.Prepare": func() error {
			_, err := wire.Prepare(none, "anthropic", "claude-sonnet-4-5", history,
				&wire.RequestOptions{MaxTokens: 9, Options: *options})
			return err
		},
		"preflighthttp.Decision": func() error {
			transport := &preflighthttp.Transport{Options: *options}
			u, err := url.Parse("https://api.anthropic.com/v1/messages")
			require.NoError(t, err)
			d := transport.Judge(http.MethodPost, u, nil)
			require.True(t, d.Sanitize)
			_, _, err = d.Body(none, body)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			calls = 0
			require.NoError(t, f())
			require.Positive(t, calls, "nothing was called with the context")
		})
	}
	// a clean and a broken body, in reused memory: the fast path has a context of its own
	var s wire.Sanitizer
	broken := []byte(`{"model":"m","messages":[{"role":"user","content":[]}]}`)
	for _, body := range [][]byte{body, broken} {
		_, err := s.Sanitize(none, body, &wire.Options{Provider: "anthropic"})
		require.NotErrorIs(t, err, context.Canceled)
	}
}

// embeds is no part, although the compiler takes it for one. It cannot be compared.
type embeds struct {
	*preflight.Text
	list []int
}

// TestNilPartsAnywhere: a part that is nil, of any type and in any message, is no part.
func TestNilPartsAnywhere(t *testing.T) {
	nils := []preflight.Part{
		(*preflight.ToolResult)(nil), (*preflight.ToolCall)(nil), (*preflight.Text)(nil), nil,
		(*preflight.Reasoning)(nil), (*preflight.Media)(nil), (*preflight.Other)(nil),
	}
	open := &preflight.ToolCall{
		ID: "srvtoolu_2", Name: "web_search", Input: []byte(`{}`), ProviderExecuted: true,
	}
	h := append(brokenHistory(), userMsg(says("q")), botMsg(thinks("hm", "c2ln"), open, says("x")),
		userMsg(says("r")), botMsg(thinks("hm", "c2ln"), says("y")), userMsg(says("s")))
	holed := history()
	for i := range h {
		holed = append(holed, preflight.Message{Role: h[i].Role, Parts: slices.Concat(nils, h[i].Parts)})
	}
	for _, profile := range append(provider.All(), provider.Anthropic("claude-opus-5-5")) {
		for _, thinking := range []provider.Thinking{
			provider.ThinkingUnknown, provider.ThinkingOff, provider.ThinkingBudget,
		} {
			for _, options := range []*preflight.Options{
				{}, {RepairedBefore: true}, {Dangling: preflight.DanglingAnswer},
			} {
				options.Request.Thinking = thinking
				if _, err := preflight.Sanitize(t.Context(), h, profile, options); err != nil {
					continue
				}
				res, err := preflight.Sanitize(t.Context(), holed, profile, options)
				require.NoError(t, err, profile.Provider)
				require.Empty(t, preflight.Check(res.Messages, profile, options), profile.Provider)
			}
		}
	}
}

// TestPartsOfOtherTypes: a value that embeds a part is removed as a nil part is, also if a hook or
// an own fixer gets or returns it, and does not panic.
func TestPartsOfOtherTypes(t *testing.T) {
	other := func(p preflight.Part) preflight.Message {
		return userMsg(says("a"), p, says("b"))
	}
	for _, p := range []preflight.Part{
		embeds{&preflight.Text{Text: "x"}, []int{1}}, embeds{}, &embeds{},
	} {
		hook := func(_ context.Context, h []preflight.Message) ([]preflight.Message, error) {
			return append(h, botMsg(says("c")), other(p)), nil
		}
		own := preflight.Fixer{Name: "own", Fix: func(
			h []preflight.Message, _ *preflight.Profile, _ preflight.Request,
		) ([]preflight.Message, []preflight.Warning) {
			if len(h) > 1 {
				return h, nil
			}
			return []preflight.Message{h[0], botMsg(says("c"), p)}, []preflight.Warning{{
				At: preflight.At(1),
			}}
		}}
		res, err := preflight.Sanitize(context.Background(), history(other(p)),
			&preflight.Profile{}, &preflight.Options{
				Fixers: []preflight.Fixer{own},
				Hooks:  []preflight.Hook{{Name: "1", History: hook}, {Name: "2", History: hook}},
			})
		require.NoError(t, err)
		require.Equal(t, []string{
			`user: "a" | "b"`, `assistant: "c"`, `assistant: "c"`, `user: "a" | "b"`,
			`assistant: "c"`, `user: "a" | "b"`,
		}, lines(res.Messages))
		require.Nil(t, preflight.CarriedBy(p))
		require.Equal(t, preflight.Tally{}, preflight.TallyOf(preflight.Message{
			Parts: []preflight.Part{p},
		}))
	}
}
