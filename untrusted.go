package preflight

import (
	"net/url"
	"strings"

	"github.com/go-preflight/preflight/codes"
)

// This file removes what a stranger may not say, from a history that comes from a browser or
// another client: see Options.Untrusted.

// dropUntrusted leaves text of users and of the assistant, and media that users bring along. All
// else goes unless Options.Vouch knows it. It runs once, before the fixers: what they insert, and
// what they make of parts that were vouched for, is not asked about.
func (d *draft) dropUntrusted() {
	for i := range d.nodes {
		role := d.role(i)
		for j, p := range d.nodes[i].Parts {
			if d.policy.trusts(p, role) {
				continue
			}
			d.drop(i, j, note{
				code: codes.PartRemoved, id: partID(p),
				detail: "removed what an untrusted message may not hold",
			})
		}
	}
	d.commit()
}

// trusts reports whether a part may stay in a message of this role, whoever wrote it.
func (o *Options) trusts(p Part, r Role) bool {
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
	return o.Vouch != nil && o.Vouch(clonePart(p))
}

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
