package wire

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file is the front door: bodies in, bodies out.

// Options say what a body is and how to repair it. The zero value is useful, and so is a nil
// pointer.
type Options struct {
	// Provider is the wire format and profile: one of Providers, or one of Vendors, whose dialect
	// is that of the format that the body shows. "" detects it from the body.
	Provider string
	// Model overrides the model the body names; it narrows the profile.
	Model string
	// Portable asks for what every provider accepts, in the body's own format: see
	// preflight.Profile.Portable.
	Portable bool
	// Betas are the beta features that the request asks for outside of its body, as Anthropic's
	// header anthropic-beta does: some of them allow blocks that are refused without.
	Betas []string
	// Sanitize are the policies for the history. Its Request is read from the body.
	Sanitize preflight.Options
}

// Result is what Sanitize did.
type Result struct {
	// Body is the repaired body; the very input slice when nothing had to change.
	Body     []byte
	Provider string
	Model    string
	Changed  bool // Body differs from the input
	// Warnings holds one entry per change.
	Warnings []Warning
	// Elements are the elements of the repaired list of messages, and where they come from; nil
	// when the list is as it was, or was no array.
	Elements []Element
}

// Sanitize repairs a request body, or a bare array of messages, so that its provider accepts it.
// body is never written to; what need not change keeps its bytes.
//
// The error satisfies errors.Is with ErrNotARequest or ErrAmbiguousProvider when the body could not
// be read, or is one of preflight.Sanitize when the history cannot be repaired. The result then
// holds the input as it is. ctx is looked at between the fixers and handed to the hooks. The cost
// is linear in the body.
func Sanitize(ctx context.Context, body []byte, options *Options) (*Result, error) {
	// this function is inlined, so that the Result can stay on the caller's stack
	out := new(Result)
	err := pooled(ctx, body, options, out)
	return out, err
}

// repair is Sanitize without the short way for valid bodies, and into memory that anybody may keep.
func repair(ctx context.Context, body []byte, options *Options) (Result, error) {
	r, err := Decode(body, options)
	if err != nil {
		return Result{Body: body, Provider: options.Provider, Model: options.Model}, err
	}
	return r.repair(ctx, body, options)
}

// repair repairs what was decoded from body. r is of no use to anybody afterwards: what was read is
// let go before the new body is written, since together they would be more than anything else that
// is held at once.
func (r *Request) repair(ctx context.Context, body []byte, options *Options) (Result, error) {
	out := Result{Body: body, Provider: r.Provider, Model: r.Model}
	res, err := r.settle(ctx, &options.Sanitize)
	if err != nil {
		return out, err
	}
	encoded, err := r.encode(res.Messages)
	if err != nil {
		return out, err
	}
	warnings := r.warnings(res.Warnings, encoded.found)
	r.forget()
	repaired, err := r.write()
	if err != nil {
		return out, err
	}
	if !bytes.Equal(repaired, body) {
		if !r.readsAgain(repaired, options) {
			return out, &AmbiguousProviderError{Candidates: slices.Clone(vendors[options.Provider])}
		}
		out.Body, out.Changed = repaired, true
		out.Elements = r.elements(body, repaired, encoded.items)
	}
	out.Warnings = warnings
	return out, nil
}

// warnings are those of decoding, of the fixers, and of encoding.
func (r *Request) warnings(fixed []preflight.Warning, found []finding) []Warning {
	n := len(r.findings) + len(fixed) + len(found)
	if n == 0 {
		return nil
	}
	out := make([]Warning, 0, n)
	refused := make(map[string]bool, len(r.findings))
	for k := range r.findings {
		out = append(out, r.findings[k].warning())
		refused[r.findings[k].path] = true
	}
	for _, w := range fixed {
		out = append(out, Warning{w, r.Path(w.At)})
		if w.Code == codes.Merged {
			for _, f := range r.unjoined(w.At.Message, refused) {
				out = append(out, f.warning())
			}
		}
	}
	for k := range found {
		out = append(out, found[k].warning())
	}
	for k := range out {
		out[k].Path = r.outer(out[k].Path)
	}
	return out
}

// outer is the place in the whole body of one in the request that it holds; a place in the body
// stays.
func (r *Request) outer(path string) string {
	if !r.wrapped || strings.HasPrefix(path, r.format.wrapper+".") {
		return path
	}
	return r.format.wrapper + "." + path
}

// settle repairs the history. Where that fails over something the request demands of it, and the
// format can do without, it tries again without; the fallback comes last.
func (r *Request) settle(ctx context.Context, policy *preflight.Options) (preflight.Result, error) {
	first := *r.policyFor(policy)
	first.FallbackToLastUser = false
	res, err := preflight.Sanitize(ctx, r.Messages, &r.Profile, &first)
	if err == nil && !r.homelessSystem(res.Messages) {
		return res, nil
	}
	if err == nil {
		r.Profile.System.Placement = provider.SystemRefused
		return preflight.Sanitize(ctx, r.Messages, &r.Profile, r.policyFor(policy))
	}
	relented := r.whole() && r.format.relent != nil && r.format.relent(r, err)
	if !relented && !policy.FallbackToLastUser {
		return res, err
	}
	return preflight.Sanitize(ctx, r.Messages, &r.Profile, r.policyFor(policy))
}

// homelessSystem reports whether the repair left a system message at the start of a bare list,
// which has no field to move it to.
func (r *Request) homelessSystem(messages []preflight.Message) bool {
	return !r.whole() && r.format.system != "" && r.Profile.System.Placement != provider.SystemRefused && r.leadsWithSystem(messages)
}

// Report is what Check found.
type Report struct {
	Provider string
	Model    string
	// in the order of the messages, what is wrong beside them first; nil when the body is sound
	Violations []Violation
}

// Check reports what is wrong with a request body, and changes nothing. The error is as by Sanitize
// for a body that cannot be read, or a *preflight.HookError when Options.Sanitize.Pending panics.
// Of Options.Sanitize it goes by what preflight.CheckWith goes by.
func Check(body []byte, options *Options) (*Report, error) {
	if options == nil {
		options = &Options{}
	}
	r, err := Decode(body, options)
	if err != nil {
		return nil, err
	}
	report := &Report{Provider: r.Provider, Model: r.Model}
	for k := range r.findings {
		report.Violations = append(report.Violations, r.findings[k].violation())
	}
	policy, fault := contained(&options.Sanitize)
	found := preflight.CheckWith(r.Messages, &r.Profile, r.policyFor(policy))
	if *fault != nil {
		return nil, *fault
	}
	for _, v := range found {
		report.Violations = append(report.Violations, Violation{v, r.Path(v.At)})
	}
	written, err := r.encode(r.Messages)
	if err != nil && len(report.Violations) == 0 { // a part in the wrong place has no form there, and was found above
		return nil, err
	}
	for k := range written.found {
		report.Violations = append(report.Violations, written.found[k].violation())
	}
	for k := range report.Violations {
		report.Violations[k].Path = r.outer(report.Violations[k].Path)
	}
	slices.SortStableFunc(report.Violations, func(a, b Violation) int { return cmp.Compare(a.At.Message, b.At.Message) })
	return report, nil
}

// contained are policies whose Pending does not panic: the first panic is put into fault.
func contained(policy *preflight.Options) (safe *preflight.Options, fault *error) {
	fault = new(error)
	pending := policy.Pending
	if pending == nil {
		return policy, fault
	}
	contained := *policy
	contained.Pending = func(c *preflight.ToolCall) (waits bool) {
		defer func() {
			if p := recover(); p != nil && *fault == nil {
				// the value may quote a message
				err := fmt.Errorf("the function panicked with a value of type %T", p)
				*fault = &preflight.HookError{Hook: "Options.Pending", Message: -1, Err: err}
			}
		}()
		return pending(c)
	}
	return &contained, fault
}
