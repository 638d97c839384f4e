package compact

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/cut"
	"github.com/go-preflight/preflight/internal/unread"
)

// This file clears old tool results.

// keepResults is how many of the last tool results are never cleared.
const keepResults = 3

// hotResults is the part of the budget that they may take, except for the last one: an eighth.
const hotResults = 8

// clearedBytes is the size of a tool result that is not worth clearing.
const clearedBytes = 200

// clear shortens the tool results before the last ones to the lines that hold what later messages
// used. Errors stay, and what the provider verifies.
func (b *base) clear() {
	used := make(map[string]bool) // words that messages after here use
	// of the last results
	left, room := keepResults, (b.limits.Budget-b.fixed)/hotResults
	cleared, cloned := b.messages, false
	end := 0 // the model has not seen the results of the last exchange yet
	if len(b.cuts) > 0 {
		end = b.cuts[len(b.cuts)-1]
	}
	kept, most := 0, b.limits.Budget-b.fixed
	for i := len(b.messages) - 1; i >= 0; i-- {
		if i < end && most > 0 && kept > most {
			break // what is before here is compacted, whatever its results cost
		}
		m := b.messages[i]
		changed := false
		for j := len(m.Parts) - 1; j >= 0; j-- {
			p, ok := m.Parts[j].(*preflight.ToolResult)
			if !ok {
				usePart(used, m.Parts[j])
				continue
			}
			if p == nil || p.ProviderExecuted || b.pinned[i] || p.IsError && i < end {
				continue
			}
			room -= b.limits.count(alone(m, p))
			if left--; i >= end || left >= 0 && (room >= 0 || left == keepResults-1) {
				continue
			}
			short, ok := clearedResult(p, used)
			if mark := b.off.mark(p); mark != "" {
				short, ok = distilled(p, mark, offloadEdge), true
			}
			if !ok {
				continue
			}
			if !changed {
				m.Parts, changed = slices.Clone(m.Parts), true
			}
			m.Parts[j] = short
		}
		if changed && b.limits.count(m) < b.limits.count(cleared[i]) {
			if !cloned {
				cleared, cloned = slices.Clone(cleared), true
			}
			cleared[i] = m
			b.edited = min(b.edited, i)
			b.changed[i] = "cleared old tool results, but for the lines that later messages use"
		}
		if !b.pinned[i] {
			kept = plus(kept, b.limits.count(cleared[i]))
		}
	}
	b.messages = cleared
	b.weigh()
}

// alone returns m with one part of it.
func alone(m preflight.Message, p preflight.Part) preflight.Message {
	if len(m.Parts) > 1 {
		m.Parts, m.Native = []preflight.Part{p}, preflight.Native{}
	}
	return m
}

// usePart notes the words of a text or call.
func usePart(used map[string]bool, p preflight.Part) {
	switch p := p.(type) {
	case *preflight.Text:
		if p != nil {
			use(used, unread.Text(p.Text, p.Native.JSON))
		}
	case *preflight.ToolCall:
		if p != nil {
			use(used, string(p.Input))
		}
	}
}

// use notes the words of a text that cannot be guessed.
func use(used map[string]bool, text string) {
	for _, w := range strings.FieldsFunc(text, notInIdentifier) {
		if len(w) > 3 && specific(w, true) {
			used[strings.Trim(w, ".:-/")] = true
		}
	}
}

func notInIdentifier(r rune) bool { return strings.ContainsRune(" \t\r\n,;\"'`()[]{}<>=|", r) }

// clearedResult returns a result with the lines that hold a word of used, and how many it left out.
func clearedResult(r *preflight.ToolResult, used map[string]bool) (*preflight.ToolResult, bool) {
	text := contentText(r)
	if len(text) <= clearedBytes {
		return nil, false
	}
	all := strings.Split(text, "\n")
	errors, unlike, _ := cut.Telling(all)
	var lines []string
	missing := 0
	for k, line := range all {
		words := strings.FieldsFunc(line, notInIdentifier)
		hit := errors[k] || unlike[k] || slices.ContainsFunc(words, func(w string) bool {
			return used[strings.Trim(w, ".:-/")]
		})
		if !hit && storedMark(line) == "" || len(line) > cut.Bytes {
			missing++
			continue
		}
		if missing > 0 {
			line = gap(missing) + " " + line
		}
		lines, missing = append(lines, line), 0
	}
	if missing > 0 && len(lines) == 0 {
		lines = append(lines, fmt.Sprintf("[%d lines omitted]", missing))
	} else if missing > 0 {
		lines = append(lines, gap(missing))
	}
	c := *r
	c.Output = nil
	c.Content = []preflight.Part{&preflight.Text{Text: strings.Join(lines, "\n")}}
	return &c, true
}
