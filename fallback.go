package preflight

import (
	"errors"
	"slices"

	"github.com/go-preflight/preflight/codes"
)

// This file is the fallback of Options.FallbackToLastUser.

// fallsBack reports whether an error is caused by the history itself, so that a smaller history may
// be valid.
func fallsBack(err error) bool {
	return errors.Is(err, ErrUnfixable) || errors.Is(err, ErrAmbiguous) ||
		errors.Is(err, ErrNoFixpoint)
}

// fallBack repairs only the leading system messages and the text and media of the last user message
// that has any. It returns cause if that fails too.
func (r *run) fallBack(history []Message, cause error) (Result, error) {
	untouched := Result{Messages: slices.Clip(history), FirstChanged: none}
	kept, origins, parts := lastUser(history)
	if kept == nil {
		return untouched, cause
	}
	smaller := *r.options
	smaller.Strict, smaller.FallbackToLastUser = false, false
	second := run{
		ctx: r.ctx, fixers: r.fixers, certify: r.certify, profile: r.profile, options: &smaller,
	}
	res, err := second.repair(kept)
	if err != nil {
		return untouched, cause
	}
	gone := TallyOf(history...).minus(TallyOf(kept...))
	warning := Warning{Code: codes.Fallback, At: Position{0, none, none}, Removed: gone,
		Detail: "kept only the system messages and the last user message, " +
			"since the history could not be repaired"}
	var u *Error
	if errors.As(cause, &u) && len(u.Violations) > 0 {
		warning.Rule = u.Violations[0].Rule
	}
	for k := range res.Warnings {
		at := &res.Warnings[k].At
		if at.Message == len(kept)-1 && at.Part >= 0 {
			at.Part = parts[at.Part]
		}
		at.Message = origins[at.Message]
	}
	if res.Origins == nil {
		res.Origins = make([][]int, len(res.Messages))
		for k := range res.Origins {
			res.Origins[k] = []int{k}
		}
	}
	for _, list := range res.Origins {
		for k := range list {
			list[k] = origins[list[k]]
		}
	}
	res.Warnings = append([]Warning{warning}, res.Warnings...)
	res.Changed, res.FirstChanged = true, 0
	res.Removed = res.Removed.Plus(gone)
	return res, nil
}

// lastUser returns the leading system messages and the last user message with content, reduced to
// its text and media, with their indices in history and the indices of the kept parts in the user
// message. kept is nil if there is no such user message.
func lastUser(history []Message) (kept []Message, origins, parts []int) {
	for i := range history {
		if r, _ := roleOf(history[i].Role); r != RoleSystem {
			break
		}
		kept, origins = append(kept, history[i]), append(origins, i)
	}
	for i := len(history) - 1; i >= 0; i-- {
		if r, _ := roleOf(history[i].Role); r != RoleUser {
			continue
		}
		m := history[i]
		m.Parts = nil
		for j, p := range history[i].Parts {
			if says(p) {
				m.Parts, parts = append(m.Parts, p), append(parts, j)
			}
		}
		if m.Parts != nil {
			return append(kept, m), append(origins, i), parts
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
		return !blank(p.Text)
	case *Media:
		return true
	}
	return false
}
