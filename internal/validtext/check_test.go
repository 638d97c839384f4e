package validtext

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestCheck: Check agrees with the standard library on texts of all sizes and scripts.
func TestCheck(t *testing.T) {
	pieces := []string{
		"a", "some words of a text ", strings.Repeat("x", 70), "\u00e9", "\u65e5\u672c", "\U0001F600",
		"\xe6", "\xf0\x9f", "\xc0\x80", "\xed\xa0\x80", "\x00", "\x7f",
	}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "pieces"), "")
		require.Equal(t, check(s), Check(s))
	})
}

// FuzzCheck is TestCheck for any bytes.
func FuzzCheck(f *testing.F) {
	f.Add("0123456789abcdef", 3)
	f.Add("0123456789abcde\x00", 10)
	f.Add("0123456789abcde\u00e9 and some more", 20)
	f.Add("\u65e5\u672c\u8a9e\xe6", 30)
	f.Fuzz(func(t *testing.T, s string, repeat int) {
		s = strings.Repeat(s, max(0, repeat%64)) + s
		require.Equal(t, check(s), Check(s))
	})
}

func BenchmarkCheck(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"ascii", strings.Repeat("a text of some words\n", 50)},
		{"mixed", strings.Repeat(strings.Repeat("a text of some words\n", 19)+"\u2014 more ", 3)},
		{"cjk", strings.Repeat("\u65e5\u672c\u8a9e", 120)},
		{"short", "a short text of a few words"},
	} {
		for _, pass := range []struct {
			name  string
			check func(string) Fault
		}{
			{"Check", Check}, {"standard", check},
		} {
			b.Run(c.name+"/"+pass.name, func(b *testing.B) {
				b.SetBytes(int64(len(c.text)))
				for b.Loop() {
					if pass.check(c.text) != None {
						b.Fatal("it is valid")
					}
				}
			})
		}
	}
}
