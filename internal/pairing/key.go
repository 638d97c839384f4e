package pairing

import (
	"strings"
	"unicode"

	"github.com/go-preflight/preflight/pairs"
	"github.com/go-preflight/preflight/provider"
)

// This file computes the keys that calls and results are matched by.

// key says in what a call and a result have to agree. Both always agree in the variant.
type key struct {
	respelled bool // in the normalized ids, not in the ids themselves
	named     bool // in the names too, if the provider matches by name
}

// The keys.
var (
	sameID         = key{}
	sameIDAndName  = key{named: true}
	respelled      = key{respelled: true}
	respelledNamed = key{respelled: true, named: true}
)

// reason returns the evidence of a match of result r by a key. That neither has an id is no
// evidence: such results are matched by name, or else by position.
func (m *Matching) reason(r int, k key) pairs.Reason {
	switch {
	case blank(m.Results[r].ID) && m.byName():
		return pairs.ByName
	case blank(m.Results[r].ID):
		return pairs.ByPosition
	case k.respelled:
		return pairs.ByNormalizedID
	}
	return pairs.ByID
}

// of returns an id in the spelling that the key compares.
func (k key) of(id string) string {
	if k.respelled {
		return normalizeID(id)
	}
	return id
}

// callKey and resultKey return what the key compares, as one string.
func (m *Matching) callKey(c int, k key) string {
	call := &m.Calls[c]
	return typed(m.withName(k, k.of(call.ID), call.Name), call.Variant)
}

func (m *Matching) resultKey(r int, k key) string {
	result := &m.Results[r]
	return typed(m.withName(k, k.of(result.ID), result.Name), result.Variant)
}

// CallKey returns a string that is equal for two calls if a result of the one can be taken for a
// result of the other.
func (m *Matching) CallKey(c int) string { return m.callKey(c, sameIDAndName) }

func typed(id, variant string) string {
	if variant == "" {
		return id
	}
	return id + "\x00" + variant
}

// withName returns id, together with the name if that is compared too.
func (m *Matching) withName(k key, id, name string) string {
	if !m.comparesNames(k, id) {
		return id
	}
	return id + "\x00" + name
}

// comparesNames reports whether names are compared in addition to an id. A blank id alone is no
// evidence.
func (m *Matching) comparesNames(k key, id string) bool {
	return m.byName() && (k.named || blank(id))
}

// byName reports whether names count in addition to ids.
func (m *Matching) byName() bool { return m.Rules.ByName && !m.Rules.Server }

// anywhere reports whether the provider accepts a result anywhere after its call.
func (m *Matching) anywhere() bool {
	return m.Rules.Results == provider.ResultsAnywhere && !m.Rules.Server
}

// sameType reports whether result r can answer call c at all.
func (m *Matching) sameType(c, r int) bool { return m.Calls[c].Variant == m.Results[r].Variant }

// blank reports whether s holds nothing but white space.
func blank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) }) < 0
}

// namesCall reports whether an id names a call. Neither a blank id does, nor one without letters
// and digits, nor a composite id without the call's part, nor what a language prints for a missing
// value. Where this asks too much, the steps ask for blank: two ids "null" are still one id, and
// match, but "null" and another id are no evidence against a match.
func namesCall(id string) bool {
	if call, _, composite := strings.Cut(id, "|"); composite && blank(call) {
		return false
	}
	for _, missing := range [...]string{"null", "<nil>", "None", "undefined"} {
		if strings.EqualFold(strings.TrimSpace(id), missing) {
			return false
		}
	}
	return strings.ContainsFunc(id, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	})
}

// normalizeID returns the letters and digits of an id, in lower case, so that ids that differ in
// padding, punctuation or case become equal. Of a composite id (call|item) it uses the call's part.
// An id without letters and digits is only trimmed.
func normalizeID(id string) string {
	id = callPart(id)
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

// callPart returns the part of a composite id (call|item) that is the call's. It returns any other
// id unchanged.
func callPart(id string) string {
	if call, _, composite := strings.Cut(id, "|"); composite && !blank(call) {
		return call
	}
	return id
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

// normalizedHash returns a hash that is equal for ids with equal normalized forms, never 0. It does
// not allocate the normalized form.
func normalizedHash(id string) uint64 {
	id = callPart(id)
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
	return hash | 1
}

// fromSignificant returns id from the first byte on that normalizeID keeps.
func fromSignificant(id string) string {
	for k := range len(id) {
		if c := lower(id[k]); 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c > 0x7F {
			return id[k:]
		}
	}
	return ""
}

// lower returns the lower case of a letter, and any other byte as it is.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

// callHash and resultHash return the normalized hashes of the ids of calls and results. Each is
// computed once.
func (m *Matching) callHash(c int) uint64 {
	call := &m.Calls[c]
	if call.hash == 0 {
		call.hash = normalizedHash(call.ID)
	}
	return call.hash
}

func (m *Matching) resultHash(r int) uint64 {
	result := &m.Results[r]
	if result.hash == 0 {
		result.hash = normalizedHash(result.ID)
	}
	return result.hash
}
