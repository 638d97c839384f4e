package preflight

import "github.com/go-preflight/preflight/internal/jsonscan"

// This file strips provider metadata that belongs to one response and must not be replayed.

// StripEphemeral removes OpenAI's per-response item ids and encrypted reasoning from the metadata of messages and parts,
// under the names openai and azure. Metadata that this empties disappears; everything else stays byte for byte. It works
// only when Options.StripEphemeral asks for it, since a request that continues a stored response needs them.
var StripEphemeral = Fixer{
	Name:   "strip-ephemeral",
	Doc:    "removes per-response OpenAI metadata (itemId, reasoningEncryptedContent)",
	repair: stripEphemeral,
}

// ephemeralProviders and ephemeralFields say what is stripped. Source: cloudflare/agents, sanitizeMessageForPersistence.
var (
	ephemeralProviders = []string{"openai", "azure"}
	ephemeralFields    = []string{"itemId", "reasoningEncryptedContent"}
)

func stripEphemeral(d *draft) {
	if !d.policy.StripEphemeral {
		return
	}
	n := note{code: CodeMetadataStripped, detail: "removed per-response provider metadata"}
	for i := range d.nodes {
		if meta, changed := withoutEphemeral(d.nodes[i].Meta); changed {
			d.warn(d.position(i, none), n, Tally{}, Tally{})
			d.nodes[i].Meta = meta
		}
		for j, p := range d.nodes[i].Parts {
			if isNil(p) {
				continue
			}
			if meta, changed := withoutEphemeral(p.carried().Meta); changed {
				c := copyPart(p)
				c.carried().Meta = meta
				d.replace(i, j, c, n)
			}
		}
	}
}

// withoutEphemeral returns meta without the ephemeral fields, nil when nothing is left.
func withoutEphemeral(meta Metadata) (Metadata, bool) {
	var out Metadata
	for _, provider := range ephemeralProviders {
		raw, ok := meta[provider]
		if !ok {
			continue
		}
		doc, err := jsonscan.Parse(raw)
		if err != nil || doc.Root().Kind() != jsonscan.Object {
			continue
		}
		edit, left := jsonscan.EditObject(doc.Root()), doc.Root().Len()
		for _, field := range ephemeralFields {
			if doc.Root().Has(field) {
				edit.DeleteMember(field)
				left--
			}
		}
		if !edit.Changed() && left > 0 {
			continue
		}
		if out == nil {
			out = make(Metadata, len(meta))
			for k, v := range meta {
				out[k] = v
			}
		}
		if left > 0 {
			out[provider] = edit.Bytes()
		} else {
			delete(out, provider)
		}
	}
	if out == nil {
		return meta, false
	}
	if len(out) == 0 {
		out = nil
	}
	return out, true
}
