package wire

import (
	"bytes"
	"fmt"
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
	if !r.mayChangeFormat(options) &&
		(options.Provider != "" && r.keepsMarks(repaired) || !r.showsForeign()) {
		return nil
	}
	var again Request
	if err := again.parse(repaired, options); err != nil {
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

// mayChangeFormat reports whether the options name a vendor that has another format with its
// messages in the same place.
func (r *Request) mayChangeFormat(options *Options) bool {
	k := 0
	for _, f := range vendorFormats[options.Provider] {
		if f.list == r.format.list {
			k++
		}
	}
	return k > 1
}

// keepsMarks reports whether the members of the repaired body beside the list are those of the
// given one and show its format: then no message makes it a mismatch.
func (r *Request) keepsMarks(repaired []byte) bool {
	return r.whole() && rootMarks(r.root).shows(familyOf(r.format)) &&
		bytes.HasPrefix(repaired, r.body[:r.list.Start()]) &&
		bytes.HasSuffix(repaired, r.body[r.list.End():])
}
