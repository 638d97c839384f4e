package wire

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file verifies that a repaired body is still detected as its format. The repair may have
// removed all that showed it.

// formatLost returns the error for a body that is in another format without what has to be removed.
// If a vendor is named, the name of one of its dialects helps.
func formatLost(provider string) error {
	err := fmt.Errorf("%w: without what has to be removed, the body is in another format",
		preflight.ErrUnfixable)
	if dialects := vendors[provider]; len(dialects) > 0 {
		err = fmt.Errorf("%w; name one of %s", err, strings.Join(dialects, ", "))
	}
	return err
}

// readAgain returns an error if the repaired body is not read as one of r's provider the next time.
// A provider that was detected is named then, because the repair may have removed what showed it.
// of is the result of encode.
func (r *Request) readAgain(
	ctx context.Context, repaired []byte, of encoding, options *Options,
) error {
	told := *options
	if told.Provider == "" {
		told.Provider = r.Provider
	}
	// what the caller's functions return may be anything
	hooked := len(options.Options.Hooks)+len(options.Options.Fixers) > 0
	if !hooked && !r.mayChangeFormat(told.Provider) &&
		(options.provider() != "" && r.keepsMarks(repaired) || !r.showsForeign()) &&
		!r.startsStored(repaired, of) {
		return nil
	}
	var again Request
	if err := again.parse(repaired, &told); err == nil && again.Provider == r.Provider {
		return nil
	}
	told.Options.Hooks = nil
	other, err := Decode(repaired, &told)
	if err != nil || !other.isSettled(ctx, repaired, &told) {
		return formatLost(told.Provider)
	}
	return nil
}

// startsStored reports whether the list begins with another message than before, and that one shows
// a stored form.
func (r *Request) startsStored(repaired []byte, of encoding) bool {
	items := of.items
	if len(items) == 0 || items[0].from == 0 && items[0].raw == nil {
		return false
	}
	if items[0].raw == nil {
		v := r.list.First()
		for range items[0].from {
			v = v.Next()
		}
		return storedFormOf(v) != ""
	}
	if r.list.Kind() == jsonscan.Array && r.format.encodeFor == nil { // it is one element
		if of.start != nil {
			err := r.spare.Parse(bytes.Join(of.start, nil))
			return err == nil && storedFormOf(r.spare.Root()) != ""
		}
		at := r.firstElement(repaired)
		err := r.spare.Parse(repaired[at : at+sizeOf(items[0].raw)])
		return err == nil && storedFormOf(r.spare.Root()) != ""
	}
	err := r.spare.Parse(joined([][]byte{bytes.Join(items[0].raw, nil)}))
	return err == nil && storedFormOf(r.spare.Root().First()) != ""
}

// isSettled reports whether r, which was decoded from body, is valid and nothing is removed from it
// because of an option. It empties r.
func (r *Request) isSettled(ctx context.Context, body []byte, options *Options) bool {
	res, err := r.repairHistory(ctx, &options.Options)
	if err != nil {
		return false
	}
	encoded, err := r.encode(res.Messages)
	if err != nil || len(r.warnings(res.Warnings, encoded.found)) > 0 {
		return false
	}
	written, err := r.write()
	return err == nil && bytes.Equal(written, body)
}

// mayChangeFormat reports whether a provider is a vendor that has another format with its messages
// in the same place.
func (r *Request) mayChangeFormat(provider string) bool {
	k := 0
	for _, f := range vendorFormats[provider] {
		if f.list == r.format.list {
			k++
		}
	}
	return k > 1
}

// keepsMarks reports whether the members of the repaired body beside the list are those of the
// given one and show its format: then no message makes it a mismatch.
func (r *Request) keepsMarks(repaired []byte) bool {
	return r.whole() && rootMarks(r.root, r.list).shows(familyOf(r.format)) &&
		bytes.HasPrefix(repaired, r.body[:r.list.Start()]) &&
		bytes.HasSuffix(repaired, r.body[r.list.End():])
}
