package wire

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/builtin"
	"github.com/go-preflight/preflight/internal/contain"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file reports what is wrong with a body, and changes nothing.

// Report is the result of Check.
type Report struct {
	Provider string // the format or dialect: one of Providers
	Model    string // the model that the profile was made for
	// Violations are in the order of the messages, those outside of them first; nil for a valid
	// body.
	Violations []Violation
	// Left are the problems that are left alone because of a member (Member): its meaning is not
	// known, or it says that this is no problem here. With Options.Measured they are also those
	// that the server was seen to accept. Nil when there are none.
	Left []Violation
}

// Check reports what is wrong with a request body, and changes nothing. Of Options.Options it uses
// the same fields as preflight.Check. The error is as for Sanitize if the body cannot be read
// or is ErrHeldHistory, or preflight.ErrHook if Options.Options.OpenCall panics.
func Check(body []byte, options *Options) (*Report, error) {
	if options == nil {
		options = &Options{}
	}
	if !hasCallbacks(&options.Options) {
		report, err := check(body, options, (*jsonscan.Doc).ShareStrings)
		if err == nil {
			return report, nil
		} // errors may refer to the history, so they are made again in memory of their own
	}
	return check(body, options, (*jsonscan.Doc).AliasStrings)
}

// check is Check. mode selects the memory of the strings, none of which is in the report.
func check(body []byte, options *Options, mode func(*jsonscan.Doc)) (*Report, error) {
	r, err := new(Request).decodeBody(body, options, mode)
	if err != nil {
		return nil, err
	}
	report := &Report{Provider: r.Provider, Model: strings.Clone(r.Model)}
	for k := range r.findings {
		report.Violations = append(report.Violations, r.violationOf(&r.findings[k]))
	}
	if err := r.lost(); err != nil {
		return nil, err
	}
	guarded, fault := recoverOpenCall(&options.Options)
	found, left := checkAndLeft(r.Messages, &r.Profile, r.optionsFor(guarded))
	if *fault != nil {
		return nil, *fault
	}
	for _, v := range found {
		report.Violations = append(report.Violations, Violation{v, r.Path(v.At)})
	}
	report.Left = r.leftOf(left)
	written, err := r.encode(r.Messages)
	// a misplaced part cannot be encoded, but is a violation already
	if err != nil && len(report.Violations) == 0 {
		return nil, err
	}
	for k := range written.found {
		report.Violations = append(report.Violations, r.violationOf(&written.found[k]))
	}
	for k := range report.Violations {
		report.Violations[k].Path = r.wrappedPath(report.Violations[k].Path)
	}
	r.leaveAccepted(report)
	for _, list := range [][]Violation{report.Violations, report.Left} {
		for k := range list {
			list[k].own()
		}
	}
	slices.SortStableFunc(report.Violations, func(a, b Violation) int {
		return cmp.Compare(a.At.Message(), b.At.Message())
	})
	return report, nil
}

// checkAndLeft returns what preflight.Check finds, and the problems that are left because of a
// member.
func checkAndLeft(
	history []preflight.Message, profile *preflight.Profile, options *preflight.Options,
) ([]preflight.Violation, []preflight.Violation) {
	check := builtin.Check.(func([]preflight.Message, *preflight.Profile, *preflight.Options) (
		[]preflight.Violation, []preflight.Violation))
	return check(history, profile, options)
}

// recoverOpenCall returns options whose OpenCall does not panic. The first panic is stored in
// fault.
func recoverOpenCall(options *preflight.Options) (safe *preflight.Options, fault *error) {
	fault = new(error)
	open := options.OpenCall
	if open == nil {
		return options, fault
	}
	recovered := *options
	recovered.OpenCall = func(c *preflight.ToolCall) (part preflight.Part) {
		defer func() {
			if p := recover(); p != nil && *fault == nil {
				*fault = contain.Error("Options.OpenCall", "function", p)
			}
		}()
		return open(c)
	}
	return &recovered, fault
}
