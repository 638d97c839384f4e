package wire

import (
	"errors"
	"slices"

	"github.com/go-preflight/preflight"
)

// This file believes a measured profile about rules that cannot be switched: where a server was
// seen to accept what a rule is about, a body that breaks only such rules is left alone.

// accepts reports whether the server was seen to accept what breaks a rule.
func (r *Request) accepts(id string) bool {
	m := r.measured
	if m == nil || id == "" || slices.Contains(m.Enforced, id) || !m.Covers(r.Model) {
		return false
	}
	if !slices.Contains(m.Accepted, id) && !slices.Contains(m.Lifted, id) {
		return false
	}
	f, err := formatOf(m.Provider)
	return err == nil && f.name == r.format.name
}

// acceptsAll reports whether all repairs are of what the server accepts. A repair without a rule is
// made beside one with a rule, if no option asked for it.
func (r *Request) acceptsAll(repairs []Warning, options *preflight.Options) bool {
	asked := asks(options)
	known := false
	for k := range repairs {
		switch rule := repairs[k].Rule; {
		case r.accepts(rule):
			known = true
		case rule != "" || asked:
			return false
		}
	}
	return known
}

// asks reports whether the caller asks for changes whatever the server accepts.
func asks(options *preflight.Options) bool {
	return len(options.Hooks) > 0 || len(options.Fixers) > 0 || options.Untrusted
}

// acceptedAnyway reports whether a history that cannot be repaired is one that the server accepts,
// and is wanted unchanged.
func (r *Request) acceptedAnyway(err error, options *preflight.Options) bool {
	var failed *preflight.Error
	if asks(options) || !errors.As(err, &failed) || len(failed.Violations) == 0 {
		return false
	}
	return !slices.ContainsFunc(failed.Violations, func(v preflight.Violation) bool {
		return !r.accepts(v.Rule)
	})
}

// leftOfRepairs returns the problems of repairs that are not made.
func leftOfRepairs(repairs []Warning) (left []Violation) {
	for _, w := range repairs {
		if w.Rule != "" {
			left = append(left, Violation{preflight.Violation{
				Rule: w.Rule, At: w.At, ToolCallID: w.ToolCallID, Detail: w.Detail,
			}, w.Path})
		}
	}
	return left
}

// leaveAccepted moves the violations of a report that the server accepts to what is left.
func (r *Request) leaveAccepted(report *Report) {
	if r.measured == nil {
		return
	}
	report.Violations = slices.DeleteFunc(report.Violations, func(v Violation) bool {
		if !r.accepts(v.Rule) {
			return false
		}
		report.Left = append(report.Left, v)
		return true
	})
	if len(report.Violations) == 0 {
		report.Violations = nil
	}
}
