package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/metafields"
)

// This file removes metadata that belongs to one response or one run.

// stripEphemeralFixer removes OpenAI's item ids and encrypted reasoning, which belong to one
// response, from the metadata of messages, parts and the parts of tool results, under the names
// openai and azure. It removes all ids, so that no item refers to one that was removed. Metadata
// objects that are empty afterwards, or were before, are removed; all other bytes are kept. It is
// not in the default pipeline, since a request that continues a stored response needs the ids.
var stripEphemeralFixer = Fixer{
	Name:   "strip-ephemeral",
	repair: stripEphemeral,
	always: true,
	first:  true,
}

// clearMeta returns the fixer that removes the metadata of these names, which binds a message to
// one run, such as a run id. See fixer.ClearMeta.
func clearMeta(names []string) Fixer {
	names = slices.Clone(names)
	f := Fixer{
		Name:   "clear-meta",
		repair: func(d *draft) { d.clearMeta(names) },
		always: len(names) > 0,
		first:  true,
	}
	return f
}

// The providers and fields to strip. Source: cloudflare/agents, sanitizeMessageForPersistence.
var (
	ephemeralProviders = []string{"openai", "azure"}
	ephemeralFields    = []string{"itemId", "reasoningEncryptedContent"}
)

func stripEphemeral(d *draft) {
	d.eachMeta(func(meta Metadata) (Metadata, bool) {
		changed := false
		for _, provider := range ephemeralProviders {
			var here bool
			meta, here = metafields.WithoutFields(meta, changed, provider, ephemeralFields)
			changed = changed || here
		}
		return meta, changed
	}, note{code: codes.MetadataStripped, detail: "removed per-response provider metadata"})
}

func (d *draft) clearMeta(names []string) {
	d.eachMeta(func(meta Metadata) (Metadata, bool) {
		changed := false
		for _, name := range names {
			var here bool
			meta, here = metafields.Without(meta, changed, name)
			changed = changed || here
		}
		return meta, changed
	}, note{code: codes.BindingCleared, detail: "removed metadata that binds to one run"})
}

// eachMeta calls strip with the metadata of every message and part. strip returns the metadata to
// keep, and whether it changed.
func (d *draft) eachMeta(strip func(Metadata) (Metadata, bool), n note) {
	for i := range d.nodes {
		if meta, changed := stripped(d.nodes[i].Meta, strip); changed {
			d.warn(d.position(i, none), n, Tally{}, Tally{})
			d.change(i).Meta = meta
		}
		for j, p := range d.nodes[i].Parts {
			if c := strippedPart(p, strip); c != p {
				n.id = partID(p)
				d.replace(i, j, c, n)
				n.id = ""
			}
		}
	}
}

// strippedPart returns p with its metadata and that of the parts in it stripped, or p itself when
// nothing changes.
func strippedPart(p Part, strip func(Metadata) (Metadata, bool)) Part {
	if isNil(p) {
		return p
	}
	out := p
	if r, ok := p.(*ToolResult); ok {
		out = withContent(r, func(c Part) Part {
			if nestable(c) {
				return strippedPart(c, strip)
			}
			return c
		})
	}
	if meta, changed := stripped(p.carried().Meta, strip); changed {
		if out == p {
			out = CopyPart(p)
		}
		out.carried().Meta = meta
	}
	return out
}

func stripped(meta Metadata, strip func(Metadata) (Metadata, bool)) (Metadata, bool) {
	if len(meta) == 0 {
		return meta, false
	}
	left, changed := strip(meta)
	if len(left) == 0 && changed {
		left = nil
	}
	return left, changed
}
