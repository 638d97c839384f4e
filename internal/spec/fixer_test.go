package spec

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// This file tests fixers that users write.

// TestOwnFixerOrigins: a message whose parts a caller's fixer made anew is taken for the one in its
// place, where it is known which messages the fixer removed, and else for a new one.
func TestOwnFixerOrigins(t *testing.T) {
	in := []preflight.Message{userMsg(says("q")), botMsg(says("a")), userMsg(says("r"))}
	for name, c := range map[string]struct {
		drop    int
		counted bool // the warning says what was removed
		want    [][]int
	}{
		"none removed":            {0, true, [][]int{{0}, {1}, {2}}},
		"one removed":             {1, true, [][]int{{1}, {2}}},
		"one removed, unreported": {1, false, [][]int{nil, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := preflight.NewPipeline(preflight.Fixer{
				Name: "shout",
				Fix: func(
					h messages, _ *preflight.Profile, _ preflight.Request,
				) (messages, []preflight.Warning) {
					if len(h) < len(in) ||
						strings.HasSuffix(h[0].Parts[0].(*preflight.Text).Text, "!") {
						return h, nil
					}
					var out []preflight.Message
					var said []preflight.Warning
					for i, m := range h {
						at := preflight.At(i)
						if i < c.drop {
							w := preflight.Warning{Code: "dropped", At: at}
							if c.counted {
								w.Removed = preflight.TallyOf(m)
							}
							said = append(said, w)
							continue
						}
						m.Parts = []preflight.Part{says(m.Parts[0].(*preflight.Text).Text + "!")}
						out = append(out, m)
						said = append(said, preflight.Warning{
							Code: "shouted", At: at,
							Removed: preflight.TallyOf(h[i]),
							Added:   preflight.TallyOf(m),
						})
					}
					return out, said
				},
			})
			require.NoError(t, err)
			res, err := msgtest.LeaveOpen(p, in, &preflight.Profile{}, nil)
			require.NoError(t, err)
			require.Equal(t, c.want, res.Origins)
		})
	}
}

// TestOwnFixer: a caller's fixer runs where it was put, its warnings count in the caller's history,
// a panic is an error, and one that never comes to rest is stopped.
func TestOwnFixer(t *testing.T) {
	own := func(fix func(h messages) (messages, []preflight.Warning)) *preflight.Pipeline {
		p, err := preflight.NewPipeline(append(preflight.Fixers.Defaults(), preflight.Fixer{
			Name: "own",
			Fix: func(
				h messages, _ *preflight.Profile, _ preflight.Request,
			) (messages, []preflight.Warning) {
				return fix(h)
			},
		})...)
		require.NoError(t, err)
		return p
	}
	in := []preflight.Message{userMsg(says(" ")), userMsg(says("q")), botMsg(says("a"))}

	dropLast := own(func(h []preflight.Message) ([]preflight.Message, []preflight.Warning) {
		last := len(h) - 1
		if h[last].Role != preflight.RoleAssistant {
			return h, nil
		}
		return h[:last], []preflight.Warning{
			{
				Code:    "mine",
				At:      preflight.At(last),
				Detail:  "dropped the answer",
				Removed: preflight.TallyOf(h[last]),
			},
		}
	})
	res, err := msgtest.LeaveOpen(dropLast, in, &anthropic, nil)
	require.NoError(t, err)
	require.Equal(t, []string{`user: "q"`}, lines(res.Messages))
	mine := res.Warnings[len(res.Warnings)-1]
	require.Equal(t, codes.Code("mine"), mine.Code)
	require.Equal(t, 2, mine.At.Message())
	require.Equal(t, preflight.TallyOf(in...), preflight.TallyOf(res.Messages...).Plus(res.Removed))

	res, err = msgtest.LeaveOpen(own(
		func([]preflight.Message) ([]preflight.Message, []preflight.Warning) { panic("no") }),
		in, &anthropic, nil)
	var failed *preflight.Error
	require.ErrorAs(t, err, &failed)
	require.Equal(t, "own", failed.Hook)
	require.True(t, sameArray(res.Messages, in))

	restless := own(func(h []preflight.Message) ([]preflight.Message, []preflight.Warning) {
		return append(h[:len(h):len(h)], userMsg(says("more"))), []preflight.Warning{
			{Code: "mine", Detail: "added a message"},
		}
	})
	res, err = msgtest.LeaveOpen(restless, in, &anthropic, nil)
	require.ErrorIs(t, err, preflight.ErrNoFixpoint)
	require.True(t, sameArray(res.Messages, in))
}

// TestApplyChangesNothing: what has nothing to repair comes back as it is, clipped, whoever looked
// at it.
func TestApplyChangesNothing(t *testing.T) {
	idle := preflight.Fixer{
		Name: "idle",
		Fix: func(
			h messages, _ *preflight.Profile, _ preflight.Request,
		) (messages, []preflight.Warning) {
			return h, nil
		},
	}
	for _, f := range []preflight.Fixer{idle, preflight.Fixers.DropEmpty, preflight.Fixers.MergeRoles} {
		for n := range 3 {
			in := history(userMsg(says("q")), botMsg(says("a")), userMsg(says("r")))[:n]
			out, warnings := f.Apply(in, nil, nil)
			require.Empty(t, warnings)
			require.True(t, sameArray(out, in))
			require.Equal(t, n, cap(out), "an append must not reach the caller's array")
		}
		out, warnings := f.Apply(nil, nil, nil)
		require.Empty(t, out)
		require.Empty(t, warnings)
	}
}

// TestOwnFixersMoveAnything: messages and parts that a caller's fixer kept are known again wherever
// it put them, so that the origins, and what later fixers say of them, are those of the caller's.
func TestOwnFixersMoveAnything(t *testing.T) {
	in := history(sysMsg(says("s")), userMsg(says("q"), says("")), botMsg(says("a"), says("b")),
		userMsg(says("r")))
	own := preflight.Fixer{
		Name: "own",
		Fix: func(
			h messages, _ *preflight.Profile, _ preflight.Request,
		) (messages, []preflight.Warning) {
			if len(h) == 3 {
				return h, nil
			}
			return history(userMsg(says("made"), h[3].Parts[0], h[1].Parts[0], h[1].Parts[1]),
					botMsg(says("made too")), userMsg(h[2].Parts[1])), []preflight.Warning{
					{
						Code: "mine", Detail: "sorted it",
						At: preflight.At(2, 1),
					},
				}
		},
	}
	p, err := preflight.NewPipeline(own, preflight.Fixers.DropEmpty)
	require.NoError(t, err)
	res, err := msgtest.LeaveOpen(p, in,
		&preflight.Profile{Content: provider.ContentRules{RefuseEmptyText: true}}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{`user: "made" | "r" | "q"`, `assistant: "made too"`, `user: "b"`},
		lines(res.Messages))
	require.Equal(t, [][]int{{1, 3}, nil, {2}}, res.Origins)
	require.Equal(t,
		[]string{
			"mine  messages[2].parts[1]",
			"empty-part-removed preflight/empty-text messages[1].parts[1] -1 text",
		}, wholly(res.Warnings))
	require.Equal(t, 0, res.FirstChanged)
}

// TestOwnFixersCopy: a copy is the same message as long as it says the same, however often its JSON
// was copied.
func TestOwnFixersCopy(t *testing.T) {
	in := history(userMsg(says("q")), botMsg(says("a")), userMsg(says("r")))
	in[0].Meta = preflight.Metadata{"k": json.RawMessage(`1`)}
	in[0].Native = preflight.Native{Format: "x", JSON: json.RawMessage(`{"a":1}`)}
	for changed := range in {
		own := preflight.Fixer{
			Name: "own",
			Fix: func(
				h messages, _ *preflight.Profile, _ preflight.Request,
			) (messages, []preflight.Warning) {
				if h[changed].Name == "n" {
					return h, nil
				}
				out := slices.Clone(h)
				for i := range out {
					out[i].Parts = slices.Clone(h[i].Parts)
				}
				out[0].Meta = preflight.Metadata{"k": json.RawMessage(`1`)}
				out[0].Native.JSON = json.RawMessage(`{"a":1}`)
				out[changed].Name = "n"
				return out, []preflight.Warning{
					{Code: "mine", At: preflight.At(changed)},
				}
			},
		}
		p, err := preflight.NewPipeline(own)
		require.NoError(t, err)
		res, err := msgtest.LeaveOpen(p, in, nil, nil)
		require.NoError(t, err)
		require.Equal(t, changed, res.FirstChanged)
		require.Equal(t, [][]int{{0}, {1}, {2}}, res.Origins)
		require.Len(t, res.Warnings, 1)
	}
}

// TestOwnFixersKeepOrigins: a message that a caller's own fixer made anew, in a history of the same
// length, still comes from the message in its place.
func TestOwnFixersKeepOrigins(t *testing.T) {
	shout := preflight.Fixer{
		Name: "shout",
		Fix: func(
			in messages, _ *preflight.Profile, _ preflight.Request,
		) (messages, []preflight.Warning) {
			out, warnings := slices.Clone(in), []preflight.Warning(nil)
			for i, m := range in {
				if text := m.Parts[0].(*preflight.Text).Text; text != strings.ToUpper(text) {
					out[i].Parts = []preflight.Part{says(strings.ToUpper(text))}
					warnings = append(warnings, preflight.Warning{
						Code: codes.Hook,
						At:   preflight.At(i),
					})
				}
			}
			return out, warnings
		},
	}
	p, err := preflight.NewPipeline(shout)
	require.NoError(t, err)
	in := history(userMsg(says("Q")), botMsg(says("a")), userMsg(says("b")))
	res, err := msgtest.LeaveOpen(p, in, nil, nil)
	require.NoError(t, err)
	require.Equal(t, []string{`user: "Q"`, `assistant: "A"`, `user: "B"`}, lines(res.Messages))
	require.Equal(t, [][]int{{0}, {1}, {2}}, res.Origins)
}

// TestOwnFixersChangeAnything: a change of any field of a message, of the same size or not, is
// taken over.
func TestOwnFixersChangeAnything(t *testing.T) {
	native := func(s string) preflight.Native {
		return preflight.Native{Format: "x", JSON: json.RawMessage(s)}
	}
	for name, change := range map[string]func(*preflight.Message){
		"role": func(m *preflight.Message) { m.Role = preflight.RoleAssistant },
		"id":   func(m *preflight.Message) { m.ID = "n" },
		"name": func(m *preflight.Message) { m.Name = "n" },
		"metadata": func(m *preflight.Message) {
			m.Meta = preflight.Metadata{"k": json.RawMessage(`2`)}
		},
		"a key": func(m *preflight.Message) {
			m.Meta = preflight.Metadata{"l": json.RawMessage(`1`)}
		},
		"no metadata":    func(m *preflight.Message) { m.Meta = nil },
		"native JSON":    func(m *preflight.Message) { m.Native = native(`{"a":2}`) },
		"no native JSON": func(m *preflight.Message) { m.Native = preflight.Native{} },
		"parts":          func(m *preflight.Message) { m.Parts = []preflight.Part{says("r")} },
		"fewer parts":    func(m *preflight.Message) { m.Parts = m.Parts[:1] },
	} {
		t.Run(name, func(t *testing.T) {
			in := history(userMsg(says("q"), says("p")))
			in[0].ID = "m"
			in[0].Name = "o"
			in[0].Meta = preflight.Metadata{"k": json.RawMessage(`1`)}
			in[0].Native = native(`{"a":1}`)
			want := slices.Clone(in)
			change(&want[0])
			own := preflight.Fixer{
				Name: "own",
				Fix: func(
					messages, *preflight.Profile, preflight.Request,
				) (messages, []preflight.Warning) {
					return want, []preflight.Warning{{Code: codes.Hook}}
				},
			}
			out, warnings := own.Apply(in, nil, nil)
			require.Len(t, warnings, 1)
			require.Empty(t, cmp.Diff(want, out))
		})
	}
}

// TestOwnFixersMayReturnNil: what a caller's fixer returns is made well formed before the next
// fixer sees it, in a pipeline and alone.
func TestOwnFixersMayReturnNil(t *testing.T) {
	bare := userMsg(nil, (*preflight.Text)(nil), says("q"))
	nested := toolMsg(&preflight.ToolResult{
		CallID:  "a",
		Content: []preflight.Part{nil, (*preflight.Text)(nil), says("r")},
	})
	own := preflight.Fixer{
		Name: "own",
		Fix: func(
			h messages, _ *preflight.Profile, _ preflight.Request,
		) (messages, []preflight.Warning) {
			if len(h) > 1 {
				return h, nil
			}
			return history(bare, botMsg(calls("a"), nil), nested), []preflight.Warning{
				{Code: codes.Hook},
			}
		},
	}
	want := []string{`user: "q"`, `assistant: call a`, `tool: result a "r"`}
	out, warnings := own.Apply(history(userMsg(says("q"))), nil, nil)
	require.Equal(t, want, lines(out))
	require.Len(t, warnings, 5)
	fixers := preflight.Fixers.Defaults()
	for k := range fixers {
		pipeline, err := preflight.NewPipeline(slices.Insert(slices.Clone(fixers), k, own,
			wire.HandOff("anthropic"))...)
		require.NoError(t, err)
		res, err := msgtest.LeaveOpen(pipeline, history(userMsg(says("q"))), nil, nil)
		require.NoError(t, err)
		require.Equal(t, want, lines(res.Messages), "before %s", fixers[k].Name)
	}
}
