// Package casecheck runs the peer cases of testdata/cases/peers against a
// sanitizer and says, line by line, whether it did what the case asks.
//
// A case is a broken (or deliberately intact) history on a provider's wire and a
// list of assertions in a small English vocabulary, each a `must` line:
//
//	no dangling call c1
//	text 'Hello' kept
//	tool_use ids unique or every call answered in the next message
//
// [Load] reads the cases, [Case.Body] builds the request a case stands for,
// [Run] drives a fix over it and [Evaluate] judges the outcome. The package knows
// nothing of the library it judges: it reads wire JSON with its own decoder, pairs
// calls with results in its own way, and depends on the standard library only, so
// that a mistake in the library cannot hide behind the same mistake here.
//
// # How a line is read
//
// A line is first looked up whole in the table of rules. When no rule knows it, it
// is taken as alternatives joined by "or", and each of those as conditions joined
// by "and" (words inside quotes never count). What is left over is prose: meant
// for a reader, and reported as [Prose] rather than guessed at.
//
// A fix that refuses with an error satisfies the lines that ask for a warning or
// an error and the lines about the run itself; nothing came out, so every line
// about the output fails.
//
// Lines that hold only for another provider than the one the fix was told
// (nine-character ids for Mistral, say) are prose. So is a failing line of a case
// aimed at another target when the body came back semantically untouched: what is
// fine here cannot satisfy what only the other provider wants.
package casecheck
