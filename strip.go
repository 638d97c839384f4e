package preflight

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/rule"
)

// This file removes content that no provider needs: control characters, ephemeral metadata and,
// when asked, system messages.

// stripControlsFixer removes control characters other than tab and line ends from texts, where the
// profile refuses them. Signed reasoning is never edited.
var stripControlsFixer = Fixer{
	Name:   "strip-controls",
	Doc:    "removes control characters other than tab and line ends from texts",
	repair: stripControls,
	cures:  problems(rule.Control),
}

func stripControls(d *draft) {
	if !d.profile.Content.RefuseControls {
		return
	}
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			if holdsControl(p) {
				d.replace(i, j, withoutControls(p), note{
					code: codes.TextRepaired, problem: rule.Control, id: partID(p),
					detail: "removed control characters",
				})
			}
		}
	}
}

// isControl reports whether r is a control character other than tab, line end and NUL, which
// repair-unicode removes.
func isControl(r rune) bool {
	return 0 < r && r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
}

// holdsControl reports whether a part holds a control character in a text that may be edited.
func holdsControl(p Part) bool {
	switch p := p.(type) {
	case *Text:
		return strings.IndexFunc(p.Text, isControl) >= 0
	case *Reasoning:
		return !p.Signed() && strings.IndexFunc(p.Text, isControl) >= 0
	case *ToolResult:
		for _, c := range p.Content {
			if t, ok := c.(*Text); ok && holdsControl(t) {
				return true
			}
		}
	}
	return false
}

func withoutControls(p Part) Part {
	switch p := p.(type) {
	case *Text:
		return edited(p, func(t *Text) { t.Text = plainText(t.Text) })
	case *Reasoning:
		return edited(p, func(r *Reasoning) { r.Text = plainText(r.Text) })
	case *ToolResult:
		content := make([]Part, len(p.Content))
		for k, c := range p.Content {
			if content[k] = c; holdsControl(c) {
				content[k] = withoutControls(c)
			}
		}
		return edited(p, func(r *ToolResult) { r.Content = content })
	}
	return p
}

func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return -1
		}
		return r
	}, s)
}

// stripEphemeralFixer removes OpenAI's item ids and encrypted reasoning, which belong to one
// response, from the metadata of messages, parts and the parts of tool results, under the names
// openai and azure. It removes all ids, so that no item refers to one that was removed. Metadata
// objects that are empty afterwards, or were before, are removed; all other bytes are kept. It
// works only with Options.StripEphemeral, since a request that continues a stored response needs
// the ids; with Options.KeepEncrypted it removes only the ids.
var stripEphemeralFixer = Fixer{
	Name:   "strip-ephemeral",
	Doc:    "removes per-response OpenAI metadata (itemId, reasoningEncryptedContent)",
	repair: stripEphemeral,
}

// clearBindingsFixer removes the metadata named by Options.ClearMeta, which binds a message to one
// run, such as a run id. A name is the name of a Metadata entry, or "entry.field" for one member of
// the object in that entry. Objects that are empty afterwards, or were before, are removed.
var clearBindingsFixer = Fixer{
	Name:   "clear-bindings",
	Doc:    "removes metadata that binds messages to one run (when asked)",
	repair: clearBindings,
}

// The providers and fields to strip. Source: cloudflare/agents, sanitizeMessageForPersistence.
var (
	ephemeralProviders = []string{"openai", "azure"}
	ephemeralIDs       = []string{"itemId"}
	ephemeralFields    = []string{"itemId", "reasoningEncryptedContent"}
)

func stripEphemeral(d *draft) {
	if !d.policy.StripEphemeral {
		return
	}
	fields := ephemeralFields
	if d.policy.KeepEncrypted {
		fields = ephemeralIDs
	}
	d.eachMeta(func(meta Metadata) (Metadata, bool) {
		changed := false
		for _, provider := range ephemeralProviders {
			var here bool
			meta, here = withoutFields(meta, changed, provider, fields)
			changed = changed || here
		}
		return meta, changed
	}, note{code: codes.MetadataStripped, detail: "removed per-response provider metadata"})
}

func clearBindings(d *draft) {
	if len(d.policy.ClearMeta) == 0 {
		return
	}
	d.eachMeta(func(meta Metadata) (Metadata, bool) {
		changed := false
		for _, name := range d.policy.ClearMeta {
			var here bool
			meta, here = without(meta, changed, name)
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
			d.nodes[i].Meta = meta
		}
		for j, p := range d.nodes[i].Parts {
			if c := strippedPart(p, strip); c != nil {
				n.id = partID(p)
				d.replace(i, j, c, n)
				n.id = ""
			}
		}
	}
}

// strippedPart returns p with its metadata and that of the parts in it stripped, or nil when
// nothing changes.
func strippedPart(p Part, strip func(Metadata) (Metadata, bool)) Part {
	if isNil(p) {
		return nil
	}
	var content []Part
	if r, ok := p.(*ToolResult); ok {
		for k, nested := range r.Content {
			if nestable(nested) {
				if c := strippedPart(nested, strip); c != nil {
					if content == nil {
						content = append([]Part(nil), r.Content...)
					}
					content[k] = c
				}
			}
		}
	}
	meta, changed := stripped(p.carried().Meta, strip)
	if !changed && content == nil {
		return nil
	}
	c := copyPart(p)
	c.carried().Meta = meta
	if r, ok := c.(*ToolResult); ok && content != nil {
		r.Content = content
	}
	return c
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

// without returns meta without the entry called name, or without the field of an entry for a name
// of the form "entry.field". It may write to meta when owned is true.
func without(meta Metadata, owned bool, name string) (Metadata, bool) {
	_, changed := meta[name]
	if changed {
		if !owned {
			meta = maps.Clone(meta)
		}
		delete(meta, name)
	}
	if entry, field, ok := strings.Cut(name, "."); ok {
		left, here := withoutFields(meta, owned || changed, entry, []string{field})
		return left, changed || here
	}
	return meta, changed
}

// withoutFields returns meta without the given members of the object under name, and without the
// object if it becomes empty. It may write to meta when owned is true.
func withoutFields(meta Metadata, owned bool, name string, fields []string) (Metadata, bool) {
	raw, ok := meta[name]
	if !ok {
		return meta, false
	}
	left, changed := lessFields(raw, fields)
	if !changed {
		return meta, false
	}
	if !owned {
		meta = maps.Clone(meta)
	}
	if left == nil {
		delete(meta, name)
	} else {
		meta[name] = left
	}
	return meta, true
}

// lessFields returns the object raw without the given members. It returns nil and true when no
// member is left, also for an object that was empty before.
func lessFields(raw json.RawMessage, fields []string) (left json.RawMessage, changed bool) {
	doc, err := jsonscan.Parse(raw)
	if err != nil || doc.Root().Kind() != jsonscan.Object {
		return raw, false
	}
	edit, members := jsonscan.EditObject(doc.Root()), 0
	for m := doc.Root().First(); m.Exists(); m = m.Next() {
		members++
		for _, field := range fields {
			if m.Key().StrIs(field) {
				edit.DeleteMember(field)
				members--
				break
			}
		}
	}
	if members == 0 {
		return nil, true
	}
	return edit.Bytes(), edit.Changed()
}

// stripSystemFixer removes every system message when Options.StripSystem is set, for frameworks
// that add their own system message to a resumed session.
var stripSystemFixer = Fixer{
	Name:   "strip-system",
	Doc:    "removes system messages (when asked)",
	repair: stripSystem,
}

func stripSystem(d *draft) {
	if !d.policy.StripSystem {
		return
	}
	for i := range d.nodes {
		if d.role(i) == RoleSystem {
			d.dropMessage(i, note{code: codes.SystemRemoved, detail: "removed a system message"})
		}
	}
	d.commit()
}

// controls checks that a text holds no control characters.
func (c *checker) controls(i, j int, part Part) {
	if c.profile.Content.RefuseControls && holdsControl(part) {
		c.report(rule.Control, i, j, partID(part), "the text holds control characters")
	}
}
