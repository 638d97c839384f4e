package preflight

import (
	"errors"

	"github.com/go-preflight/preflight/codes"
)

// This file is Options.FallbackToLastUser: what is left of a history that cannot be repaired.
//
//	system: "S"; user: "q"; assistant: …; user: "r"     becomes  system: "S"; user: "r"

// fallsBack reports whether an error is caused by the history itself, so that a smaller history may
// be valid.
func fallsBack(err error) bool {
	return errors.Is(err, ErrUnfixable) || errors.Is(err, ErrAmbiguous) ||
		errors.Is(err, ErrNoFixpoint)
}

// fallBack repairs only the leading system messages and the text and media of the last user message
// that has any. It returns cause if that fails too.
func (r *run) fallBack(history []Message, cause error) (Result, error) {
	kept, origins, parts := lastUser(history, !r.keepsNative)
	if kept == nil {
		return untouched(history), cause
	}
	smaller := *r.options
	smaller.Strict, smaller.FallbackToLastUser = false, false
	second := run{
		ctx: r.ctx, fixers: r.fixers, keepsNative: r.keepsNative, profile: r.profile,
		options: &smaller, fault: r.fault,
	}
	res, err := second.repair(kept)
	if stopped := r.stopped(); stopped != nil {
		return untouched(history), stopped
	}
	if err != nil {
		return untouched(history), cause
	}
	gone := TallyOf(history...).minus(TallyOf(kept...))
	warning := Warning{Code: codes.Fallback, At: At(0), Removed: gone,
		Detail: "kept only the system messages and the last user message, " +
			"since the history could not be repaired"}
	var u *Error
	if errors.As(cause, &u) && len(u.Violations) > 0 {
		warning.Rule = u.Violations[0].Rule
	}
	if res.Origins == nil {
		d := newDraft(kept, r.profile, r.options)
		_, res.Origins, res.PartOrigins = d.history()
		d.release()
	}
	toHistory := func(at *Position) { // makes a position in kept one in history
		i, j := at.Message(), at.Part()
		if i == len(kept)-1 && j >= 0 {
			j = parts[j]
		}
		if i >= 0 {
			*at = At(origins[i], j, at.Inner())
		}
	}
	for k := range res.Warnings {
		toHistory(&res.Warnings[k].At)
	}
	for _, list := range res.PartOrigins {
		for j := range list {
			toHistory(&list[j])
		}
	}
	for _, list := range res.Origins {
		for k := range list {
			list[k] = origins[list[k]]
		}
	}
	res.Warnings = append([]Warning{warning}, res.Warnings...)
	res.Changed, res.FirstChanged = true, firstChanged(res.Messages, history)
	res.Removed = res.Removed.Plus(gone)
	return res, nil
}

// lastUser returns the leading system messages and the last user message with content, reduced to
// its text and media, with their indices in history and the indices of the kept parts in the user
// message. kept is nil if there is no such user message. Its native JSON agrees with its parts if
// agree is set.
func lastUser(history []Message, agree bool) (kept []Message, origins, parts []int) {
	for i := range history {
		if roleOf(&history[i]) != RoleSystem {
			break
		}
		kept, origins = append(kept, history[i]), append(origins, i)
	}
	for i := len(history) - 1; i >= 0; i-- {
		if roleOf(&history[i]) != RoleUser {
			continue
		}
		n := history[i]
		n.Parts = nil
		var gone []nativeChange
		for j, p := range history[i].Parts {
			if says(p) {
				n.Parts, parts = append(n.Parts, p), append(parts, j)
			} else if !isNil(p) {
				gone = append(gone, removal(p))
			}
		}
		if n.Parts != nil {
			if agree {
				n.Native = changed(n.Native, gone, false)
			}
			return append(kept, n), append(origins, i), parts
		}
	}
	return nil, nil, nil
}

// says reports whether a part is user content: text that is not blank, or media.
func says(p Part) bool {
	if isNil(p) {
		return false
	}
	switch p := p.(type) {
	case *Text:
		return !p.isBlank()
	case *Media:
		return true
	}
	return false
}
