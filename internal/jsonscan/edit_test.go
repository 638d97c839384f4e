package jsonscan

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestEdits(t *testing.T) {
	const src = "0123456789"
	type r struct {
		start, end int
		with       string
	}
	tests := []struct {
		reason string
		edits  []r
		want   string
		err    string
	}{
		{"nothing", nil, src, ""},
		{"replace", []r{{2, 4, "ab"}}, "01ab456789", ""},
		{"grow and shrink", []r{{0, 1, "abc"}, {5, 9, ""}}, "abc12349", ""},
		{"insert at both ends", []r{{0, 0, "<"}, {10, 10, ">"}}, "<0123456789>", ""},
		{
			"insertions at one place keep the call order",
			[]r{{5, 5, "a"}, {5, 5, "b"}, {5, 5, "c"}},
			"01234abc56789",
			"",
		},
		{
			"so they do when sorted",
			[]r{{5, 5, "a"}, {5, 5, "b"}, {1, 2, ""}, {5, 5, "c"}},
			"0234abc56789",
			"",
		},
		{
			"insertion goes before a replacement at its place",
			[]r{{5, 6, "x"}, {5, 5, "a"}},
			"01234ax6789",
			"",
		},
		{
			"insertion goes after a replacement that ends there",
			[]r{{5, 5, "a"}, {4, 5, "x"}},
			"0123xa56789",
			"",
		},
		{"touching replacements", []r{{4, 6, "y"}, {2, 4, "x"}}, "01xy6789", ""},
		{"all replaced", []r{{0, 10, "z"}}, "z", ""},
		{"overlap", []r{{2, 5, ""}, {4, 6, ""}}, "", "edit of [4, 6) overlaps one that ends at 5"},
		{
			"same range twice",
			[]r{{2, 5, "a"}, {2, 5, "a"}},
			"",
			"edit of [2, 5) overlaps one that ends at 5",
		},
		{
			"insertion into a replacement",
			[]r{{2, 5, ""}, {3, 3, "a"}},
			"",
			"edit of [3, 3) overlaps one that ends at 5",
		},
		{
			"after the end",
			[]r{{9, 11, ""}},
			"",
			"edit of [9, 11) is out of range of a source of 10 bytes",
		},
		{
			"before the start",
			[]r{{-1, 1, ""}},
			"",
			"edit of [-1, 1) is out of range of a source of 10 bytes",
		},
		{
			"backwards",
			[]r{{5, 4, ""}},
			"",
			"edit of [5, 4) is out of range of a source of 10 bytes",
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			var e Edits
			for _, x := range tt.edits {
				e.Replace(x.start, x.end, []byte(x.with))
			}
			require.Equal(t, len(tt.edits), e.Len())
			for range 2 { // Apply uses nothing up
				got, err := e.Apply([]byte(src))
				if tt.err != "" {
					require.ErrorContains(t, err, tt.err)
					require.Nil(t, got)
					continue
				}
				require.NoError(t, err)
				require.Equal(t, tt.want, string(got))
			}
			e.Reset()
			require.Zero(t, e.Len())
			got, err := e.Apply([]byte(src))
			require.NoError(t, err)
			require.Equal(t, src, string(got))
		})
	}
}

func TestEditsAllocateOnlyTheResult(t *testing.T) {
	src := make([]byte, 1000)
	var e Edits
	collect := func() {
		e.Reset()
		for i := range 100 {
			e.Replace(10*i, 10*i+5, src[:7])
		}
	}
	collect()
	require.LessOrEqual(t, testing.AllocsPerRun(10, func() {
		collect()
		if _, err := e.Apply(src); err != nil {
			t.Fatal(err)
		}
	}), 1.0)
}

// applySlowly is what Edits.Apply should do, written down offset by offset.
func applySlowly(src []byte, edits []edit) (out []byte, ok bool) {
	covered := make([]bool, len(src)+1) // covered[i]: some edit replaces the byte at i
	for _, x := range edits {
		if x.start < 0 || x.end < x.start || x.end > len(src) {
			return nil, false
		}
		for i := x.start; i < x.end; i++ {
			if covered[i] {
				return nil, false
			}
			covered[i] = true
		}
	}
	starts := make(map[int]bool)
	for _, x := range edits {
		starts[x.start] = starts[x.start] || x.start < x.end
	}
	for i := 0; i <= len(src); i++ {
		for _, x := range edits {
			if x.start == i && x.end == i {
				if covered[i] && !starts[i] {
					return nil, false // inside of a replacement
				}
				out = append(out, x.with...)
			}
		}
		for _, x := range edits {
			if x.start == i && x.end > i {
				out = append(out, x.with...)
			}
		}
		if i < len(src) && !covered[i] {
			out = append(out, src[i])
		}
	}
	return out, true
}

func editsProperty(t *rapid.T) {
	src := rapid.SliceOfN(rapid.ByteRange('a', 'z'), 0, 20).Draw(t, "src")
	drawn := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) edit {
		start := rapid.IntRange(-1, len(src)+1).Draw(t, "start")
		return edit{
			start: start,
			end:   start + rapid.IntRange(-1, 4).Draw(t, "length"),
			with:  []byte(rapid.StringMatching("[A-Z]{0,3}").Draw(t, "with")),
		}
	}), 0, 8).Draw(t, "edits")
	// Most random edits clash; leave those out half of the time, to get far into Apply.
	edits := drawn
	if rapid.Bool().Draw(t, "only valid") {
		edits = nil
		for _, x := range drawn {
			if _, ok := applySlowly(src, append(edits[:len(edits):len(edits)], x)); ok {
				edits = append(edits, x)
			}
		}
	}
	var e Edits
	for _, x := range edits {
		if cut := rapid.IntRange(-1, len(x.with)).Draw(t, "cut"); cut < 0 {
			e.Replace(x.start, x.end, x.with)
		} else {
			e.ReplaceAll(x.start, x.end, [][]byte{x.with[:cut], x.with[cut:]})
		}
	}
	want, ok := applySlowly(src, edits)
	got, err := e.Apply(src)
	require.Equal(t, ok, err == nil, "%v", err)
	require.Equal(t, string(want), string(got))
	pieces, err := e.Pieces(src, 0, len(src))
	require.Equal(t, ok, err == nil, "%v", err)
	require.Equal(t, string(want), string(bytes.Join(pieces, nil)))
	if ok && len(edits) > 0 {
		from, to := len(src), 0
		for _, x := range edits {
			from, to = min(from, x.start), max(to, x.end)
		}
		inner, err := e.Pieces(src, from, to)
		require.NoError(t, err)
		require.Equal(t, string(want[from:len(want)-(len(src)-to)]), string(bytes.Join(inner, nil)))
		_, err = e.Pieces(src, from+1, len(src))
		require.Error(t, err)
	}
	for i := range src {
		touched := slices.ContainsFunc(edits,
			func(x edit) bool { return x.start <= i && i < x.end })
		if ok && !touched {
			require.Equal(t, src[i], got[e.Moved(i)])
		}
	}
}

func TestEditsProperty(t *testing.T) { rapid.Check(t, editsProperty) }

func FuzzEdits(f *testing.F) { f.Fuzz(rapid.MakeFuzz(editsProperty)) }
