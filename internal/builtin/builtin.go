// Package builtin carries what package preflight does not export to the packages of this module
// that need it: package fixer has those with arguments, package wire reports what was left, package
// stored shortens parts. Package preflight sets the variables when it is initialized, and package
// wire DecodeShared. This package is below them and cannot name their types.
package builtin

var (
	// ClearMeta and Truncate make the configured fixers of those names: a
	// func(names []string) preflight.Fixer and a
	// func(maxString int, headOnly, inputs bool, boundary func(string, int) int) preflight.Fixer.
	ClearMeta, Truncate any
	// Check is preflight.Check that also lists what is left: a
	// func([]preflight.Message, *preflight.Profile, *preflight.Options)
	// ([]preflight.Violation, []preflight.Violation).
	Check any
	// Agreed makes the native JSON of a part agree with a change of it, and lists the values that
	// changed: a func(before, p preflight.Part) (preflight.Part, []respell.Change).
	Agreed any
	// SanitizeOnly is preflight.Sanitize that leaves the native JSON of messages, for those that
	// are not given to the caller: a func(context.Context, []preflight.Message, *preflight.Profile,
	// *preflight.Options) (preflight.Result, error).
	SanitizeOnly any
	// DecodeShared is wire.Decode of a body that stays as it is for as long as the request and its
	// messages, whose texts are in its memory or unread (package unread). No function of a caller
	// may get the messages, and nobody may edit them in place, since Encode does not look for that:
	// a func([]byte, *wire.Options) (*wire.Request, error).
	DecodeShared any
)
