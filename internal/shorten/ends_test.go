package shorten

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// This file tests what stays of a text of which the beginning and the end are kept.

func TestTruncateKeepsBothEnds(t *testing.T) {
	long := strings.Repeat("a", 5000) + strings.Repeat("z", 5000)
	a, z := func(n int) string { return long[:n] }, func(n int) string { return long[10000-n:] }
	const of10000 = "… [truncated, original length: 10000] …"
	spaces := func(s string, n int) int { return strings.LastIndexByte(s[:n], ' ') }
	for _, c := range []struct {
		reason, in string
		limit      int
		cutter     Cutter
		want       string
	}{
		{"half of the room each", long, 499, Cutter{}, a(230) + of10000 + z(230)},
		{"the odd unit is the beginning's", long, 500, Cutter{}, a(231) + of10000 + z(230)},
		{"what fits stays", a(500), 500, Cutter{}, a(500)},
		{"a limit of the marker keeps the marker", long, 39, Cutter{}, of10000},
		{"one unit more is the beginning's", long, 40, Cutter{}, "a" + of10000},
		{"a smaller limit keeps an ellipsis between", long, 10, Cutter{}, "aaaaa…zzzz"},
		{"one unit is an ellipsis", long, 1, Cutter{}, "…"},
		{"UTF-16 units", strings.Repeat("😀", 100), 60, Cutter{},
			strings.Repeat("😀", 6) + "… [truncated, original length: 200] …" +
				strings.Repeat("😀", 5)},
		{"no character is split at the end", strings.Repeat("x", 40) + "👩\u200d👩\u200d👧", 8,
			Cutter{}, "xxxx…"},
		{"what the beginning cannot use is the end's", "👩\u200d👩\u200d👧" + strings.Repeat("x", 40),
			8, Cutter{}, "…xxxxxxx"},
		{"a plugged boundary decides for both", "one two three four", 14,
			Cutter{Boundary: spaces}, "one… four"},
		{"one that knows none", long, 10, Cutter{Boundary: func(string, int) int { return 0 }},
			"…"},
		{"one that answers too much", "ééééééééé", 8,
			Cutter{Boundary: func(string, int) int { return 1 << 30 }}, "éééé…ééé"},
		{"a shorter cut of a cut text takes from both", a(90) + of10000 + z(90), 139, Cutter{},
			a(50) + of10000 + z(50)},
		{"the beginning gets what the end has not", a(90) + of10000 + z(5), 99, Cutter{},
			a(55) + of10000 + z(5)},
		{"and the end what the beginning has not", a(5) + of10000 + z(90), 99, Cutter{},
			a(5) + of10000 + z(55)},
		{"a text whose end is lost keeps the form without it",
			a(90) + "… [truncated, original length: 10000]", 87, Cutter{},
			a(50) + "… [truncated, original length: 10000]"},
		{"and one whose end is not wanted loses it", a(90) + of10000 + z(90), 87,
			Cutter{HeadOnly: true}, a(50) + "… [truncated, original length: 10000]"},
		{"of several markers, the one in the middle is ours",
			a(20) + "… [truncated, original length: 9999] …" + a(60) + of10000 + z(90) +
				"… [truncated, original length: 9998]", 119, Cutter{},
			a(20) + "… [truncated, origin" + of10000 + z(4) +
				"… [truncated, original length: 9998]"},
		{"a marker that claims no more than is there is text",
			a(40) + "… [truncated, original length: 119] …" + z(42), 58, Cutter{},
			a(11) + "… [truncated, original length: 119] …" + z(10)},
		{"so is one with other words after it",
			a(40) + "… [truncated, original length: 10000] or so" + z(50), 57, Cutter{},
			a(10) + "… [truncated, original length: 133] …" + z(10)},
		{"or digits without an end", a(40) + "… [truncated, original length: 10000" + z(50), 57,
			Cutter{}, a(10) + "… [truncated, original length: 126] …" + z(10)},
		{"or more digits than a number has",
			a(40) + "… [truncated, original length: " + strings.Repeat("9", 40) + "] …" + z(50), 57,
			Cutter{}, a(10) + "… [truncated, original length: 164] …" + z(10)},
	} {
		t.Run(c.reason, func(t *testing.T) {
			c.cutter.Limit = c.limit
			if c.cutter.Boundary == nil {
				c.cutter.Boundary = GraphemeBoundary
			}
			got, _ := c.cutter.Text(c.in)
			require.Equal(t, c.want, got)
		})
	}
}

// TestTruncateKeepsTheEnds: the limit is used up to the size of a character, both ends keep about
// the same, and a cut in two steps keeps the beginning and the end of the original.
func TestTruncateKeepsTheEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawText(t)
		s := strings.Repeat(strings.Join(list, ""), rapid.IntRange(1, 10).Draw(t, "times"))
		limit := rapid.IntRange(60, 300).Draw(t, "limit")
		cut, long := newCutter(limit).Split(s)
		if !long {
			return
		}
		const widest = 30 // of a character, in units
		short := s[:cut.Head] + cut.Marker + s[cut.Tail:]
		if n := lengthOf(short); n > limit || n < limit-widest {
			t.Fatalf("%q has %d units, the limit is %d", short, n, limit)
		}
		head, tail := lengthOf(s[:cut.Head]), lengthOf(s[cut.Tail:])
		if tail > head+2*widest || head > tail+2*widest {
			t.Fatalf("%q keeps %d and %d", short, head, tail)
		}
		again, _ := newCutter(max(limit/2, 50)).Text(short)
		if before, after, marked := strings.Cut(again, cut.Marker); !marked ||
			!strings.HasPrefix(s, before) || !strings.HasSuffix(s, after) {
			t.Fatalf("%q of %q has another beginning or end", again, s)
		}
	})
}

// TestTruncateLongCharacters: a character that is longer than any limit is found, and skipped,
// without reading it again for each of its bytes.
func TestTruncateLongCharacters(t *testing.T) {
	calls := 0
	c := newCutter(100)
	c.Boundary = func(s string, n int) int {
		calls++
		return GraphemeBoundary(s, n)
	}
	s := strings.Repeat("b", 1000) + "a" + strings.Repeat("\u0301", 1000)
	short, _ := c.Text(s)
	require.Equal(t, strings.Repeat("b", 31)+"… [truncated, original length: 2001] …", short)
	require.Less(t, calls, 30)
}
