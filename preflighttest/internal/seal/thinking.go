package seal

import (
	"fmt"
	"strconv"

	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// What is sealed into the signature of a thinking block, and into the data of redacted
// thinking: the block itself, its place among the thinking of its turn, and everything
// that came before. Cache breakpoints and earlier thinking are left out of the
// comparison, as the provider leaves them out.

// Bound is what the thinking of a request can be bound to.
type Bound struct {
	system, tools string
	chain         []string       // hashes of the first 0, 1, 2… blocks that are not thinking
	trail         []byte         // four digits of the hash of each of the first of these blocks
	paths         []string       // where these blocks are
	before        map[string]int // the number of these blocks before a thinking block, by its path
}

// trail is the number of blocks whose hashes a signature holds one by
// one, so that signatures do not grow with the conversation. A difference
// further on is found too, but said to be there.
const trail = 256

// NewBound is bound to the prompt and the tools, as hashes, and to no block yet.
func NewBound(system, tools string) *Bound {
	return &Bound{system: system, tools: tools, chain: []string{""}, before: map[string]int{}}
}

// Add binds what comes after to a block.
func (b *Bound) Add(path, hash string) {
	b.chain = append(b.chain, read.Digest(b.chain[len(b.chain)-1]+hash))
	b.paths = append(b.paths, path)
	if len(b.paths) <= trail {
		b.trail = append(b.trail, hash[:4]...)
	}
}

// Thought notes where thinking is.
func (b *Bound) Thought(path string) { b.before[path] = len(b.paths) }

// Seal signs thinking of an answer to the request: the nth of so many in its turn.
func (b *Bound) Seal(kind, text string, nth, of int) string {
	return Of(kind, read.Digest(text), strconv.Itoa(nth), strconv.Itoa(of), b.system, b.tools,
		b.chain[len(b.chain)-1], string(b.trail))
}

// Thinking is what a sealed block holds.
type Thinking struct {
	Kind, text, Nth, Of, system, tools, chain, trail string
}

// OpenThinking reads a signature or redacted data. ours is false for what
// the fakes did not issue, and intact for a seal that is as it was.
func OpenThinking(opaque string) (s Thinking, ours, intact bool) {
	f, ours := Open(opaque)
	if len(f) != 8 {
		return s, ours, false
	}
	return Thinking{f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]}, ours, true
}

// Genuine reports whether thinking is as it was issued, apart from what it is
// bound to.
func (s Thinking) Genuine(kind, thinking string) bool {
	return s.Kind == kind && s.text == read.Digest(thinking)
}

// Misplaced returns the index of the first thinking of a turn that is not where it was issued, or
// after which some is missing, and -1 if all is there in order. A turn that was paused holds
// several answers, each of which numbers its thinking from 0.
func Misplaced(turn []Thinking) int {
	want := 0
	for i, s := range turn {
		if s.Nth != strconv.Itoa(want) {
			return i
		}
		if want++; strconv.Itoa(want) == s.Of {
			want = 0
		}
	}
	if want != 0 {
		return len(turn) - 1
	}
	return -1
}

// Differs names the first thing before the block at path that is not as it
// was when the block was made, in the provider's words. It is empty when
// nothing differs.
func (s Thinking) Differs(now *Bound, path string) string {
	n := now.before[path]
	switch {
	case s.system != now.system:
		return "The `system` prompt differs from the one this block was created with."
	case s.tools != now.tools:
		return "The `tools` list differs from the one this block was created with."
	case s.chain == now.chain[n]:
		return ""
	}
	known := min(4*n, len(s.trail), len(now.trail))
	at := 0
	for 4*at+4 <= known && s.trail[4*at:4*at+4] == string(now.trail[4*at:4*at+4]) {
		at++
	}
	first := "messages.0.content.0"
	if at = min(at, len(now.paths)-1); at >= 0 {
		first = now.paths[at]
	}
	return fmt.Sprintf("Content before this block differs from when it was created, first at `%s`.",
		first)
}
