// Package fixer has an Editor for the fixers that you write, and the built-in fixers that take
// arguments: ClearMeta and Truncate. The others are the fields of [preflight.Fixers]. A pipeline of
// your own takes them all:
//
//	pipeline, err := preflight.NewPipeline(preflight.Fixers.PairToolCalls, mine)
//
// ClearMeta and Truncate, like preflight.Fixers.StripEphemeral and StripSystem, remove and shorten
// what a caller no longer wants, whatever the provider accepts. Add them to Options.Fixers, or to a
// pipeline:
//
//	options := &preflight.Options{Fixers: []preflight.Fixer{
//		preflight.Fixers.StripSystem, fixer.ClearMeta("run_id"),
//		fixer.Truncate{MaxString: 2000}.Fixer(),
//	}}
package fixer

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/builtin"
)

// ClearMeta returns the fixer clear-meta, which removes metadata of these names from messages,
// parts and the parts of results. A name is a key, or a key and one field of its object: "run_id",
// "openai.responseId". Objects that are empty afterwards, or were before, are removed. A name that
// occurs nowhere has no effect.
func ClearMeta(names ...string) preflight.Fixer {
	return builtin.ClearMeta.(func([]string) preflight.Fixer)(names)
}

// Truncate says how to shorten what tools returned that the provider runs. The zero value changes
// nothing. Results of the caller's own tools are shortened by stored.Older.
type Truncate struct {
	// MaxString is the greatest length of a string, in UTF-16 code units and including the marker;
	// 0 is no limit.
	MaxString int
	// HeadOnly keeps only the beginning of a longer string, as Cloudflare's Agents SDK does,
	// instead of its beginning and its end.
	HeadOnly bool
	// Inputs applies the limit to the inputs of the calls, too. By default they are kept: a model
	// takes its own earlier arguments as examples, and was observed to copy the marker into new
	// calls, and so into the files and messages that it writes.
	Inputs bool
	// Boundary returns the greatest byte offset of at most n at which s may be cut, or 0. A result
	// above n or inside a rune is corrected downwards. By default a text is not cut inside a
	// grapheme cluster of Unicode's UAX #29. The rules for the functions of preflight.Options
	// apply.
	Boundary func(s string, n int) int
}

// Fixer returns the fixer truncate-provider-executed, which shortens every string longer than
// MaxString in the results of provider-executed tools and, with Inputs, in their inputs. Between
// the beginning and the end of a shortened string is the marker "… [truncated, original length: N]
// …", with HeadOnly at the end "… [truncated, original length: N]". Truncating again changes
// nothing. Keys, order, numbers, short strings and the spelling of the kept parts of a long string
// stay the same, byte for byte.
//
// It never changes web_search and web_fetch payloads, whose encrypted parts the provider verifies;
// values under a key that names them encrypted, redacted or a signature; base64; and the inputs of
// calls that are still running.
func (t Truncate) Fixer() preflight.Fixer {
	made := builtin.Truncate.(func(int, bool, bool, func(string, int) int) preflight.Fixer)
	return made(t.MaxString, t.HeadOnly, t.Inputs, t.Boundary)
}
