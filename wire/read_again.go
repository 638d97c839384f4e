package wire

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
)

// This file looks whether a repaired body is read in the format of the given one when it comes
// back. The repair may have removed all that showed the format.

// formatLost is the error for a body that is in another format without what has to be removed. If a
// vendor is named, the name of one of its dialects helps.
func formatLost(provider string) error {
	err := fmt.Errorf("%w: without what has to be removed, the body is in another format",
		preflight.ErrUnfixable)
	if dialects := vendors[provider]; len(dialects) > 0 {
		err = fmt.Errorf("%w; name one of %s", err, strings.Join(dialects, ", "))
	}
	return err
}

// readAgain returns an error if the repaired body is not read in the format of r.
func (r *Request) readAgain(repaired []byte, options *Options) error {
	vendor := r.isVendors(options)
	if !vendor && (options.Provider != "" && r.keepsMarks(repaired) || !r.showsForeign()) {
		return nil
	}
	again, err := Decode(repaired, options)
	if err != nil {
		return formatLost(options.Provider)
	}
	if again.format.name == r.format.name {
		return nil
	}
	report, err := Check(repaired, options)
	if err != nil || len(report.Violations) > 0 {
		return formatLost(options.Provider)
	}
	return nil
}

// keepsMarks reports whether the members of the repaired body beside the list are those of the
// given one and show its format: then no message makes it a mismatch.
func (r *Request) keepsMarks(repaired []byte) bool {
	return r.whole() && rootMarks(r.root).shows(familyOf(r.format)) &&
		bytes.HasPrefix(repaired, r.body[:r.list.Start()]) &&
		bytes.HasSuffix(repaired, r.body[r.list.End():])
}

// isVendors reports whether the options name a vendor with several formats, and the body alone
// tells which one it is in.
func (r *Request) isVendors(options *Options) bool {
	spoken, ok := vendorFormats[options.Provider]
	return ok && (r.format.name != spoken[0].name || r.showsOther(spoken[1:]))
}

// showsOther reports whether the body also shows one of some formats with the same list.
func (r *Request) showsOther(formats []*format) bool {
	return slices.ContainsFunc(formats, func(f *format) bool {
		return f.list == r.format.list && f.shows(r.root)
	})
}
