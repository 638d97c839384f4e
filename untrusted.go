package preflight

import (
	"net/url"
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/metafields"
)

// This file removes what a stranger may not say, from a history that comes from a browser or
// another client: see Options.Untrusted.

// dropUntrusted leaves text of users and of the assistant, and media that users bring along, without
// further members. All else goes unless Options.Vouch knows it. It runs once, before the fixers: what
// they insert, and what they make of parts that were vouched for, is not asked about.
func (d *draft) dropUntrusted() {
	for i := range d.nodes {
		role := d.role(i)
		for j, p := range d.nodes[i].Parts {
			if d.policy.plain(p, role) || d.policy.vouches(p) {
				continue
			}
			d.drop(i, j, note{
				code: codes.PartRemoved, id: partID(p),
				detail: "removed what an untrusted message may not hold",
			})
		}
	}
	d.commit()
	for i := range d.nodes {
		plain := true
		for j, p := range d.nodes[i].Parts {
			if d.policy.plain(p, d.role(i)) {
				d.barePart(i, j)
			} else {
				plain = false
			}
		}
		if plain { // the members of another message may be those of what was vouched for
			d.bareMessage(i)
		}
	}
}

// bareNote is the warning for members that go from what stays.
var bareNote = note{
	code: codes.FieldRemoved, detail: "removed what an untrusted message says beside its content",
}

// The members that hold the content of messages, texts and media, in any format.
var (
	messageMembers = metafields.Members{
		"role": true, "content": true, "parts": true, "type": true,
		"tool_calls": true, "tool_call_id": true, "tool_name": true, "images": true,
	}
	contentMembers = metafields.Members{
		"type": true, "text": true, "role": true, "content": true, "parts": true,
		"source": true, "media_type": true, "mime_type": true, "mimeType": true, "data": true,
		"url": true, "image_url": true, "detail": true, "image": true, "document": true,
		"audio": true, "video": true, "bytes": true, "format": true, "name": true, "title": true,
		"input_audio": true, "file": true, "filename": true, "file_data": true, "file_url": true,
		"inlineData": true, "inline_data": true, "fileData": true, "file_uri": true, "fileUri": true,
		"document_url": true, "images": true,
	}
)

// bareMessage removes what a message says beside its role and its parts: a participant's name, an
// id, metadata and unknown members.
func (d *draft) bareMessage(i int) {
	m := &d.nodes[i].Message
	known := m.Native.JSON == nil || metafields.HasOnly(m.Native.JSON, messageMembers, false)
	if m.ID == "" && m.Name == "" && len(m.Meta) == 0 && known {
		return
	}
	d.warn(d.position(i, none), bareNote, Tally{}, Tally{})
	n := d.touch(i)
	n.ID, n.Name, n.Meta = "", "", nil
	if !known {
		n.Native = Native{}
	}
}

// barePart removes what a text or a medium has beside its content: metadata, cache breakpoints and
// unknown members.
func (d *draft) barePart(i, j int) {
	p := d.nodes[i].Parts[j]
	c := p.carried()
	known := c.Native.JSON == nil || metafields.HasOnly(c.Native.JSON, contentMembers, true)
	if len(c.Meta) == 0 && c.Cache == nil && known || d.policy.vouches(p) {
		return
	}
	bare := CopyPart(p)
	left := bare.carried()
	left.Meta, left.Cache = nil, nil
	if !known {
		left.Native = Native{}
	}
	d.replace(i, j, bare, bareNote)
}

// plain reports whether a part may stay in a message of this role, whoever wrote it.
func (o *Options) plain(p Part, r Role) bool {
	switch p := p.(type) {
	case *Text:
		if r == RoleUser || r == RoleAssistant {
			return true
		}
	case *Media:
		inline := p.URL == "" && p.Data != "" // without both, its source may hold other addresses
		if r == RoleUser && p.FileID == "" && (inline || p.URL != "" && o.trustsURL(p.URL)) {
			return true
		}
	}
	return false
}

// vouches reports whether the server's own store has a part.
func (o *Options) vouches(p Part) bool { return o.Vouch != nil && o.Vouch(clonePart(p)) }

// trustsURL reports whether the provider may be sent to an address. A data: URL is no address.
func (o *Options) trustsURL(address string) bool {
	if scheme, _, ok := strings.Cut(address, ":"); ok && strings.EqualFold(scheme, "data") {
		return true
	}
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	if o.AllowURL != nil {
		return o.AllowURL(u)
	}
	return u.Scheme == "https" && u.Host != "" && u.User == nil
}
