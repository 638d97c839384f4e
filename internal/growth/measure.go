package main

import (
	"fmt"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// A cause is why the output of a step is no extension of the output before.
type cause int

const (
	late      cause = iota // what came now belongs before what was sent
	loopEnded              // thinking is off: reasoning is refused until its turn is over
	newFault               // what was accepted breaks a rule since the last message came
	takenBack              // the last message made an earlier repair needless
	causes
)

func (c cause) String() string {
	return [causes]string{
		"a late result, or another late part, that belongs before what was sent",
		"reasoning of a tool loop, refused while it runs with thinking off, accepted afterwards",
		"what the provider accepted before breaks a rule since the last message came",
		"the last message made an earlier repair needless",
	}[c]
}

// figures are what sessions add up to.
type figures struct {
	sessions, steps, refused int
	broken                   [causes]int // steps
	perfect                  int         // steps that also a perfect repairer breaks
	unforced                 int         // steps that the perfect repairer does not break
	silent                   int         // steps without a warning or FirstChanged
	sent, lost, lostPerfect  int         // bytes
	example                  [causes]string
}

func (f *figures) add(g figures) {
	f.sessions += g.sessions
	f.steps += g.steps
	f.refused += g.refused
	for c := range g.broken {
		f.broken[c] += g.broken[c]
		if f.example[c] == "" {
			f.example[c] = g.example[c]
		}
	}
	f.perfect += g.perfect
	f.unforced += g.unforced
	f.silent += g.silent
	f.sent += g.sent
	f.lost += g.lost
	f.lostPerfect += g.lostPerfect
}

func (f *figures) all() (n int) {
	for _, k := range f.broken {
		n += k
	}
	return n
}

// grow measures one session of a subject.
func (s subject) grow(h []preflight.Message) (f figures) {
	f.sessions = 1
	last, err := s.perfect().send(h)
	if err != nil {
		return f
	}
	var before, beforePerfect *sent
	at := 0
	for _, k := range steps(h) {
		s := s.at(k, len(h))
		if s.switched && k > len(h)/2 && at <= len(h)/2 {
			before, beforePerfect = nil, nil // the provider drops its cache when the mode changes
		}
		now, err := s.send(h[:k:k])
		if err != nil {
			continue
		}
		f.steps++
		if s.refused(h[:k:k]) {
			f.refused++
		}
		perfect, err := s.perfect().send(known(last.whole, h, k))
		forced := false
		if err == nil {
			if beforePerfect != nil {
				n := shared(beforePerfect.blocks, perfect.blocks)
				forced = n < len(beforePerfect.blocks)
				f.lostPerfect += size(beforePerfect.blocks[n:])
			}
			beforePerfect = perfect
		}
		if forced {
			f.perfect++
		}
		if before != nil {
			f.sent += size(now.blocks)
			if n := shared(before.blocks, now.blocks); n < len(before.blocks) {
				c := s.why(before, now, at, n)
				f.broken[c]++
				f.lost += size(before.blocks[n:])
				if !forced {
					f.unforced++
				}
				if !told(before, now, n) {
					f.silent++
				}
				if f.example[c] == "" && !forced {
					f.example[c] = show(h[:k], at, before, now)
				}
			}
		}
		before, at = now, k
	}
	return f
}

// perfect returns the subject of the perfect repairer: he works on messages, whose origins are
// known.
func (s subject) perfect() subject {
	s.body = false
	return s
}

// why returns the cause of a break at block n: before was sent when at messages were there.
func (s subject) why(before, now *sent, at, n int) cause {
	for i := range now.whole.PartOrigins {
		for j := range now.whole.PartOrigins[i] {
			if m := now.whole.PartOrigins[i][j].Message(); m >= at && n >= 0 {
				return late
			}
			n--
		}
	}
	gone, came := false, false
	for w := range before.warned {
		off := w.code == codes.ReasoningRemoved && !now.warned[w]
		if off && (s.thinking == provider.ThinkingOff || s.body) {
			return loopEnded
		}
		gone = gone || !now.warned[w]
	}
	for w := range now.warned {
		came = came || !before.warned[w]
	}
	if came || !gone {
		return newFault
	}
	return takenBack
}

// told reports whether one of two results says that, and from where on, it is not what was given.
func told(before, now *sent, n int) bool {
	for _, s := range []*sent{before, now} {
		if len(s.warned) == 0 || s.first < 0 {
			continue
		}
		blocks := 0
		for _, m := range s.messages[:min(s.first, len(s.messages))] {
			blocks += len(m.Parts)
		}
		if blocks <= n {
			return true
		}
	}
	return false
}

func show(h []preflight.Message, at int, before, now *sent) string {
	var b strings.Builder
	for i, m := range h {
		if i == at {
			b.WriteString("  -- sent --\n")
		}
		for _, block := range blocksOf([]preflight.Message{m}) {
			fmt.Fprintf(&b, "  %d %.90s\n", i, block)
		}
	}
	for name, s := range map[string]*sent{"before": before, "now": now} {
		fmt.Fprintf(&b, " %s: %v\n", name, s.warned)
		for _, block := range s.blocks {
			fmt.Fprintf(&b, "    %.90s\n", block)
		}
	}
	return b.String()
}
