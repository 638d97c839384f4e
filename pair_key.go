package preflight

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/idtable"
)

// This file computes the keys that calls and results are matched by.

// spelling is the form of an id in which two ids are compared.
type spelling bool

// The spellings.
const (
	exactID      spelling = false
	normalizedID spelling = true
)

// of returns id in the spelling.
func (s spelling) of(id string) string {
	if s == normalizedID {
		return normalizeID(id)
	}
	return id
}

// normalizeID returns the letters and digits of an id, in lower case, so that ids that differ in
// padding, punctuation or case become equal. Of a composite id (call|item) it uses the call's part.
// An id without letters and digits is only trimmed.
func normalizeID(id string) string {
	if k := strings.IndexByte(id, '|'); k > 0 {
		id = id[:k]
	}
	if isNormalized(id) {
		return id
	}
	loose := strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + ('a' - 'A')
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r > 0x7F:
			return r
		}
		return -1
	}, id)
	if loose == "" {
		return strings.TrimSpace(id)
	}
	return strings.ToLower(loose)
}

// isNormalized reports whether normalizeID would return id unchanged.
func isNormalized(id string) bool {
	for k := 0; k < len(id); k++ {
		if c := id[k]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return id != ""
}

// normalizedHash returns a hash that is equal for ids with equal normalized forms. It does not
// allocate the normalized form.
func normalizedHash(id string) uint64 {
	if k := strings.IndexByte(id, '|'); k > 0 {
		id = id[:k]
	}
	hash := uint64(14695981039346656037) // FNV-1a
	for k := 0; k < len(id); k++ {
		c := id[k]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' {
			hash = (hash ^ uint64(c)) * 1099511628211
		}
	}
	return hash
}

// seek records the keys of results, so that sought finds the calls that have them, and returns the
// results for which there may be such calls. It is cheap if few results are left, however many
// calls there are. The records are valid until the next call of seek.
func (p *pairing) seek(results []int, key spelling) []int {
	p.latest.Reset()
	if key == normalizedID {
		p.noteHashes(results)
		for c := range p.calls {
			p.markCall(c)
		}
		results = p.markedResults(results)
	}
	for _, r := range results {
		if s, known := p.latest.Of(p.resultKey(r, key)); !known {
			s.First, s.Last = none, none
		}
	}
	return results
}

// noteHashes records the normalized hashes of the ids of results.
func (p *pairing) noteHashes(results []int) {
	if p.hashes == nil {
		p.hashes = make(map[uint64]bool)
	}
	clear(p.hashes)
	for _, r := range results {
		p.hashes[normalizedHash(p.results[r].result.CallID)] = false
	}
}

// markCall marks the normalized hash of the id of call c, and reports whether a result has it.
func (p *pairing) markCall(c int) bool {
	hash := normalizedHash(p.calls[c].call.ID)
	_, known := p.hashes[hash]
	if known {
		p.hashes[hash] = true
	}
	return known
}

// markedResults returns the results with a marked hash.
func (p *pairing) markedResults(results []int) []int {
	return slices.DeleteFunc(results, func(r int) bool {
		return !p.hashes[normalizedHash(p.results[r].result.CallID)]
	})
}

// sought returns the slot of the key of call c, or nil if no result has that key.
func (p *pairing) sought(c int, key spelling) *idtable.Slot {
	if key == normalizedID && !p.hashes[normalizedHash(p.calls[c].call.ID)] {
		return nil
	}
	return p.latest.Known(p.callKey(c, key))
}

// callKey and resultKey return the keys that calls and results are matched by.
func (p *pairing) callKey(c int, key spelling) string {
	call := p.calls[c].call
	return p.typed(p.nameKey(key.of(call.ID), call.Name), call.Variant)
}

func (p *pairing) resultKey(r int, key spelling) string {
	result := p.results[r].result
	return p.typed(p.nameKey(key.of(result.CallID), result.Name), result.Variant)
}

func (p *pairing) typed(id, variant string) string {
	if variant = p.variant(variant); variant == "" {
		return id
	}
	return id + "\x00" + variant
}

// nameKey returns id, combined with the name if the name is compared too.
func (p *pairing) nameKey(id, name string) string {
	if !p.comparesNames(id) {
		return id
	}
	return id + "\x00" + name
}

// comparesNames reports whether names are compared in addition to an id: if they have to agree, or
// the id is blank.
func (p *pairing) comparesNames(id string) bool { return p.byName() && (p.names || blank(id)) }

// sameType reports whether result r can answer call c at all.
func (p *pairing) sameType(c, r int) bool {
	return p.variant(p.calls[c].call.Variant) == p.variant(p.results[r].result.Variant)
}
