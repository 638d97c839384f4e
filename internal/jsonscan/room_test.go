package jsonscan

import (
	"bytes"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRoom: the texts of one source are right and stay so while memory of earlier sources is used
// again, whether the garbage collector took it or not.
func TestRoom(t *testing.T) {
	var doc Doc
	for round, size := range []int{2000, 2000, 10, 3000, 200_000, 5, 2000} {
		var src bytes.Buffer
		var want []string
		for k := range 300 {
			text := strconv.Itoa(round*1000+k) + "\n" + strings.Repeat("x", size%(k+1)+size/10)
			want = append(want, text)
			src.WriteString(map[bool]string{true: "[", false: ","}[k == 0])
			src.Write(AppendString(nil, text))
		}
		src.WriteString("]")
		require.NoError(t, doc.Parse(src.Bytes()))
		doc.ViewStrings()
		var got []string
		for v := doc.Root().First(); v.Exists(); v = v.Next() {
			got = append(got, v.Str())
			if len(got)%100 == 50 && round%2 == 1 {
				runtime.GC()
			}
		}
		require.Equal(t, want, got)
		doc.Release()
	}
}

// TestRoomIsCollected: the garbage collector may take the memory of texts that were dropped, all
// but the first block.
func TestRoomIsCollected(t *testing.T) {
	var doc Doc
	text := AppendString(nil, strings.Repeat("\n", 30_000))
	src := append(append([]byte("["), bytes.Repeat(append(text, ','), 40)...), "0]"...)
	require.NoError(t, doc.Parse(src))
	doc.ViewStrings()
	for v := doc.Root().First(); v.Exists(); v = v.Next() {
		_ = v.Str()
	}
	require.Greater(t, len(doc.room.later), 10)
	doc.Release()
	runtime.GC()
	for _, kept := range doc.room.later {
		require.Nil(t, kept.start.Value())
	}
	require.NotNil(t, doc.room.first)
}
