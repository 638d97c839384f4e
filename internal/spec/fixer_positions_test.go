package spec

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/provider"
)

// TestOwnFixerPositions: a part that a caller's fixer made keeps the position of the part that it
// replaced, although the fixer removed the one before it.
func TestOwnFixerPositions(t *testing.T) {
	in := []preflight.Message{
		userMsg(says("q")), botMsg(thinks("hm", ""), says("a"), says("b")), userMsg(says("r")),
	}
	blanks := preflight.Fixer{Name: "blanks", Fix: func(
		h messages, _ *preflight.Profile, _ preflight.Request,
	) (messages, []preflight.Warning) {
		if len(h) < 2 || len(h[1].Parts) < 3 {
			return h, nil
		}
		out := slices.Clone(h)
		out[1].Parts = []preflight.Part{says(""), h[1].Parts[2]}
		removed := preflight.TallyOf(preflight.Message{Parts: h[1].Parts[:1]})
		return out, []preflight.Warning{
			{Code: "dropped", At: preflight.At(1, 0), Removed: removed},
			{Code: "blanked", At: preflight.At(1, 1)},
		}
	}}
	p, err := preflight.NewPipeline(blanks, preflight.Fixers.DropEmpty)
	require.NoError(t, err)
	res, err := msgtest.LeaveOpen(p, in, provider.Portable(), nil)
	require.NoError(t, err)
	require.Equal(t, []string{
		"dropped messages[1].parts[0]", "blanked messages[1].parts[1]",
		"empty-part-removed messages[1].parts[1]",
	}, wherever(res.Warnings))
}

// wherever returns the codes and positions of warnings.
func wherever(warnings []preflight.Warning) (out []string) {
	for _, w := range warnings {
		out = append(out, string(w.Code)+" "+w.At.String())
	}
	return out
}

// TestOwnFixersPositions: what a caller's fixer says of the history it was given is translated to
// the caller's, whose messages and parts were moved before; a place that is none is the end of it.
func TestOwnFixersPositions(t *testing.T) {
	at := func(message, part, inner int) preflight.Position {
		return preflight.At(message, part, inner)
	}
	in := history(userMsg(nil, says("q")), botMsg(nil), userMsg(says("r"), nil, says("s")))
	for _, c := range []struct{ said, want preflight.Position }{
		{at(0, -1, -1), at(0, -1, -1)},
		{at(0, 0, -1), at(0, 1, -1)},
		{at(1, -1, -1), at(2, -1, -1)},
		{at(1, 0, -1), at(2, 0, -1)},
		{at(1, 1, -1), at(2, 2, -1)},
		{at(1, 1, 0), at(2, 2, 0)},
		{at(1, 1, 3), at(2, 2, 3)},
		{at(1, -1, 3), at(2, -1, -1)},
		{at(1, 2, -1), at(2, -1, -1)},
		{at(0, 1, 2), at(2, -1, -1)},
		{at(2, -1, -1), at(2, -1, -1)},
		{at(9, 9, 9), at(2, -1, -1)},
		{at(-1, -1, -1), at(-1, -1, -1)},
		{at(-1, 0, 0), at(-1, -1, -1)},
	} {
		own := preflight.Fixer{
			Name: "own",
			Fix: func(
				h messages, _ *preflight.Profile, _ preflight.Request,
			) (messages, []preflight.Warning) {
				return h[:1], []preflight.Warning{
					{At: c.said},
					{At: c.said, Code: "mine"},
					{At: c.said, Code: "mine", Rule: "a/b"},
				}
			},
		}
		out, warnings := own.Apply(in, nil, nil)
		require.Equal(t, []string{`user: "q"`}, lines(out))
		require.Len(t, warnings, 3+3, "three nil parts went before")
		for k, code := range []codes.Code{codes.Hook, "mine", "mine"} {
			require.Equal(t, code, warnings[3+k].Code)
			require.Equal(t, c.want, warnings[3+k].At, "%v", c.said)
		}
	}
}

// TestOwnFixerSharedParts: a part that is in several messages has the origins of all of them after
// an own fixer, apart from the one that the fixer reports as removed.
func TestOwnFixerSharedParts(t *testing.T) {
	same := says("same")
	in := history(userMsg(same), botMsg(says("a")), userMsg(same), botMsg(says("b")), userMsg(same))
	for _, removed := range []int{-1, 0, 2, 4} {
		own := preflight.Fixer{Name: "own", Fix: func(
			h messages, _ *preflight.Profile, _ preflight.Request,
		) (messages, []preflight.Warning) {
			if len(h[1].Parts) == 2 || len(h[0].Parts) == 2 {
				return h, nil
			}
			out := slices.Clone(h)
			for i := range out {
				if out[i].Role == preflight.RoleAssistant {
					out[i].Parts = append(slices.Clip(out[i].Parts), says("more"))
				}
			}
			added := preflight.TallyOf(botMsg(says("more")))
			warnings := []preflight.Warning{
				{At: preflight.At(1), Added: added},
				{At: preflight.At(3), Added: added},
			}
			if removed >= 0 {
				out = slices.Delete(out, removed, removed+1)
				warnings = append(warnings, preflight.Warning{
					At:      preflight.At(removed),
					Removed: preflight.TallyOf(userMsg(same)),
				})
			}
			return out, warnings
		}}
		res, err := preflight.Sanitize(context.Background(), in, &preflight.Profile{},
			&preflight.Options{Fixers: []preflight.Fixer{own}})
		require.NoError(t, err)
		want := [][]int{{0}, {1}, {2}, {3}, {4}}
		if removed >= 0 {
			want = slices.Delete(want, removed, removed+1)
		}
		require.Equal(t, want, res.Origins, "removed %d", removed)
	}
}
