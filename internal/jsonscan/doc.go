// Package jsonscan reads JSON without copying it and edits it without rewriting it.
//
// A [Doc] is the result of one strict pass over the source bytes: a flat tape with one small node
// per value and per object key, which holds its byte offsets. A [Value] is a handle to a node.
// Changes are collected as replacements of byte ranges ([Edits], [ObjectEdit]) and written
// together, so that all other bytes (key order, white space, the spelling of numbers and escapes,
// unknown members) stay as they were.
//
//	d, err := jsonscan.Parse([]byte(`{"n": 1.0, "s": "x"}`))
//	o := jsonscan.EditObject(d.Root())
//	o.SetMember("s", []byte(`"y"`))
//	o.Bytes() // {"n": 1.0, "s": "y"}
//
// # Strictness
//
// The grammar is RFC 8259 to the letter: no comments, no trailing commas, no leading zeros, no byte
// order mark, no raw control characters in strings, nothing after the value. Three things that the
// grammar leaves open are accepted and flagged ([Flags]), because they are what a sanitizer is
// there to repair: invalid UTF-8 inside strings, escaped surrogates without their partner
// ([Repair]), and objects that have a name twice ([Value.DeleteRepeated]). Of two members of one
// name the last one counts.
//
// # Limits
//
// Nesting deeper than [MaxDepth] and sources of 4 GiB or more are refused with a [SyntaxError].
// Nothing recurses, and parsing is linear in the source whatever the input is.
//
// # Ownership and concurrency
//
// A Doc keeps a reference to the source; it must not be modified while the Doc or any Value of it
// is in use. The tape takes 16 bytes per value and key. Values stay valid until the next Parse of
// the same Doc. A parsed Doc may be read from several goroutines at once; Parse, [Edits] and
// [ObjectEdit] are for one goroutine at a time.
package jsonscan
