package wire

import (
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file takes Converse blocks apart that are of several kinds: a block has one member that
// names its kind. What else it has is not known, and left alone.

// ruleBlockUnion is the rule that a block is of one kind.
const ruleBlockUnion = "bedrock/block-union"

// The kinds of blocks, in messages and in tool results.
var (
	blockKinds = []string{
		"text", "image", "document", "video", "audio", "toolUse", "toolResult", "guardContent",
		"cachePoint", "reasoningContent", "citationsContent", "searchResult", "toolAddition",
		"toolRemoval",
	}
	resultBlockKinds = []string{"text", "json", "image", "document", "video", "searchResult"}
)

// kindIn reports whether a member of a block is the block's kind. One that is null is none.
func kindIn(m jsonscan.Value, nested bool) bool {
	kinds := blockKinds
	if nested {
		kinds = resultBlockKinds
	}
	return m.Kind() != jsonscan.Null && slices.Contains(kinds, m.Key().Str())
}

// isUnion reports whether a block is of several kinds.
func isUnion(v jsonscan.Value, nested bool) bool {
	n := 0
	if v.Kind() != jsonscan.Object || v.Len() < 2 {
		return false
	}
	for m := v.First(); m.Exists(); m = m.Next() {
		if kindIn(m, nested) {
			n++
		}
	}
	return n > 1
}

// separate reads a block of several kinds as a block of each. The first has the members that are no
// kind, and the last the cache point.
func (d *decoder) separate(v jsonscan.Value, nested bool) []preflight.Part {
	d.repaired(v, "", ruleBlockUnion, "the block is of several kinds",
		"split a block of several kinds into one for each")
	var parts []preflight.Part
	var point []byte
	first := jsonscan.EditObject(v)
	for m := v.First(); m.Exists(); m = m.Next() {
		key := m.Key().Str()
		switch {
		case !kindIn(m, nested):
			continue
		case key == "cachePoint":
			if m.Kind() == jsonscan.Object {
				point = wrapped(key, m.Raw())
			}
		default:
			c := d.nativeOnly(v)
			c.Native.JSON = wrapped(key, m.Raw())
			parts = append(parts, d.blockOf(key, v, c, nested))
			if len(parts) == 1 {
				continue
			}
		}
		first.DeleteMember(key)
	}
	if c := preflight.CarriedBy(parts[0]); len(c.Native.JSON) > 0 {
		c.Native.JSON = first.Bytes()
	}
	if point != nil {
		*cacheOf(parts[len(parts)-1]) = point
	}
	return parts
}
