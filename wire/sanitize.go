package wire

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/builtin"
	"github.com/go-preflight/preflight/provider"
)

// This file is the entry point: Sanitize repairs a body. A body is parsed, decoded and checked; an
// invalid one is repaired by the fixers and encoded.

// Options say in which format a body is and how to repair it. nil and the zero value detect the
// provider and use the default options. They are plain data, and can be stored as JSON, unless
// Options holds functions.
type Options struct {
	// Provider selects the format and the profile: one of Providers, or one of Vendors, where the
	// body decides which of the vendor's formats it is in. "" detects it from the body. A repair
	// may remove what the provider was detected by: to sanitize the result again, name
	// Result.Provider.
	Provider string `json:"provider,omitempty"`
	// Model narrows the profile. "" takes the model that the body names. An unknown or misspelt one
	// is no error: see package provider.
	Model string `json:"model,omitempty"`
	// Portable repairs the history so that every provider accepts it, in the body's own format:
	// see preflight.Profile.Portable.
	Portable bool `json:"portable,omitempty"`
	// Measured is a profile as preflight probe measures it. It switches rules of the profile on and
	// off. Without a Provider, it also names the provider. It has no effect on bodies in another
	// format or for a model that it does not cover.
	Measured *provider.Measured `json:"measured,omitempty"`
	// Betas are the beta features that the request's headers ask for, such as Anthropic's
	// anthropic-beta. Some of them allow blocks that are refused otherwise.
	Betas []string `json:"betas,omitempty"`
	// Options say how to repair the history. Their Request is read from the body.
	Options preflight.Options `json:"options,omitzero"`
}

// provider returns the provider that the options name, "" for none.
func (o *Options) provider() string {
	if o.Provider == "" && o.Measured != nil {
		return o.Measured.Provider
	}
	return o.Provider
}

// Result is the repaired body and what was changed in it.
type Result struct {
	Body     []byte    // the repaired body; the input slice when nothing had to change
	Provider string    // the format or dialect: one of Providers
	Model    string    // the model that the profile was made for
	Changed  bool      // Body differs from the input
	Warnings []Warning // one for each change
	// Left are the problems that were left alone because of a member of the request, of a call, a
	// result or an item (Member): its meaning is not known, or it says that this is no problem
	// here. With Options.Measured, if the server was seen to accept all problems of the body, they
	// are in Left, too.
	Left []Violation
	// Renamed maps the names of renamed tools in Body to the names that they were declared with.
	// The model's calls have the names of Body: see ReturnNames. It is nil if no tool was renamed.
	Renamed map[string]string
	// Elements are the elements of the repaired list of messages, and their sources; nil when the
	// list did not change or was no array.
	Elements []Element
}

// Sanitize repairs a request body, or a bare array of messages, so that its provider accepts it.
// body is never modified; what needs no repair keeps its bytes. The cost is linear in the body.
//
// ctx is checked between fixers and passed to the hooks. The error satisfies errors.Is with
// ErrNotARequest or ErrAmbiguousProvider if the body cannot be read; otherwise it is an error of
// preflight.Sanitize, when the history cannot be repaired. The result then holds the input
// unchanged.
func Sanitize(ctx context.Context, body []byte, options *Options) (*Result, error) {
	// inlined, so that the Result can stay on the caller's stack
	out := new(Result)
	err := sanitizePooled(ctx, body, options, out)
	return out, err
}

// repair is Sanitize without the fast path. It decodes into memory of its own, which callbacks may
// keep.
func repair(ctx context.Context, body []byte, options *Options) (Result, error) {
	r, err := Decode(body, options)
	if err != nil {
		return Result{Body: body, Provider: options.provider(), Model: options.Model}, err
	}
	return r.repair(ctx, body, options)
}

// repair repairs the history that was decoded from body. It empties r: the messages are released
// before the new body is written, because both together would be the largest use of memory.
func (r *Request) repair(ctx context.Context, body []byte, options *Options) (Result, error) {
	out := Result{Body: body, Provider: r.Provider, Model: r.Model}
	if options.Options.Untrusted && r.whole() {
		if cut, found := r.withoutNested(); cut != nil {
			again, err := Decode(cut, options)
			if err != nil {
				return out, err
			}
			again.findings = append(found, again.findings...)
			return again.repair(ctx, body, options)
		}
		r.dropStored()
	}
	if err := r.lost(); err != nil {
		return out, err
	}
	res, err := r.repairHistory(ctx, &options.Options)
	if r.measured != nil && r.acceptedAnyway(err, &options.Options) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	encoded, err := r.encodeRepaired(res.Messages)
	if err != nil {
		return out, err
	}
	warnings, left := r.warnings(res.Warnings, encoded.found), r.leftOf(res.Left)
	if r.measured != nil && r.acceptsAll(warnings, &options.Options) {
		out.Left = slices.Concat(left, leftOfRepairs(warnings))
		return out, nil
	}
	r.dropMessages()
	repaired, err := r.write()
	if err != nil {
		return out, err
	}
	if !bytes.Equal(repaired, body) {
		out.Renamed = r.namesToReturn(repaired)
		if err := r.readAgain(ctx, repaired, encoded, options); err != nil {
			return out, err
		}
		out.Body, out.Changed = repaired, true
		out.Elements = r.elements(body, repaired, encoded.items)
	}
	out.Warnings, out.Left = warnings, left
	return out, nil
}

// warnings returns those of decoding, of the fixers, and of encoding.
func (r *Request) warnings(fixed []preflight.Warning, found []finding) []Warning {
	n := len(r.findings) + len(fixed) + len(found)
	if n == 0 {
		return nil
	}
	out := make([]Warning, 0, n)
	var room pathRoom
	var buffer [128]byte
	refused := r.refusedPaths()
	for k := range r.findings {
		out = append(out, r.warningOf(&r.findings[k]))
	}
	r.announceUnbound(out, fixed)
	for _, w := range fixed {
		path := room.keep(r.appendPath(buffer[:0], w.At))
		out = append(out, Warning{w, r.removed.original(path)})
		if w.Code == codes.Merged {
			for _, f := range r.lostInJoin(w.At.Message(), refused) {
				out = append(out, r.warningOf(&f))
			}
		}
	}
	for k := range found {
		out = append(out, r.warningOf(&found[k]))
	}
	for k := range out {
		out[k].Path = r.wrappedPath(out[k].Path)
	}
	return out
}

// refusedPaths returns the paths of the fields that decoding removed or replaced.
func (r *Request) refusedPaths() map[string]bool {
	if len(r.findings) == 0 {
		return nil
	}
	refused := make(map[string]bool, len(r.findings))
	for k := range r.findings {
		// of these two, there is still a field at the path
		if code := r.findings[k].code; code != codes.DuplicateFieldRemoved &&
			code != codes.TextRepaired {
			refused[r.findings[k].path] = true
		}
	}
	return refused
}

// wrappedPath returns a path of the request as a path of the whole body, which may wrap it.
func (r *Request) wrappedPath(path string) string {
	if !r.wrapped || path == r.format.wrapper || strings.HasPrefix(path, r.format.wrapper+".") {
		return path
	}
	return r.format.wrapper + "." + path
}

// repairHistory repairs the history. If it fails because of a setting that the format can change,
// it changes that and tries again. The caller's fallback comes last.
func (r *Request) repairHistory(
	ctx context.Context, options *preflight.Options,
) (preflight.Result, error) {
	// SanitizeOnly leaves the native JSON of changed parts as it was: here messages are only
	// encoded, and found by their native JSON
	sanitize := builtin.SanitizeOnly.(func(
		context.Context, []preflight.Message, *preflight.Profile, *preflight.Options,
	) (preflight.Result, error))
	first := r.optionsFor(options)
	first.FallbackToLastUser = false
	res, err := sanitize(ctx, r.Messages, &r.Profile, first)
	if err == nil && !r.leadingSystemLeft(res.Messages) {
		return res, nil
	}
	if err == nil {
		r.Profile.System.Placement = provider.SystemRefused
		return sanitize(ctx, r.Messages, &r.Profile, r.optionsFor(options))
	}
	relaxed := r.whole() && r.format.relaxRequest != nil && r.format.relaxRequest(r, err)
	if !relaxed && !options.FallbackToLastUser {
		return res, err
	}
	return sanitize(ctx, r.Messages, &r.Profile, r.optionsFor(options))
}

// leadingSystemLeft reports whether the repair left a system message at the start of a bare list,
// which has no system member, in a format that takes such messages only there.
func (r *Request) leadingSystemLeft(messages []preflight.Message) bool {
	return !r.whole() && r.format.system != "" && !r.format.systemBeside &&
		r.Profile.System.Placement != provider.SystemRefused && r.leadsWithSystem(messages)
}
