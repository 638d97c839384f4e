package wire

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/members"
	"github.com/go-preflight/preflight/provider"
)

// This file converts a request to another provider: it decodes one format, repairs the history
// for the other's profile, and writes the other's format.

// Convert rewrites a request body, or a bare array of messages, for another provider. from is the
// format of the body, one of Providers or Vendors; "" detects it. The options are those of the
// target: Provider names its format ("" is that of Measured), and Model is named in the new body.
// The result passes Check for these options. Messages, system messages, declared tools, inline
// media, the limit on output tokens, temperature and top_p are converted; ids are rewritten on both
// sides of a pair where the target refuses them. Values that the target cannot read (signatures,
// provider-executed calls, file ids, unknown blocks, and fields and settings that only the source
// has) become text or are removed, with a warning for each. A result becomes text if its call is
// given only by a reference to what the source's server stores. A body that continues a history
// which only that server has is ErrHeldHistory.
//
// A body without a limit on output tokens gets none. Anthropic refuses requests without max_tokens,
// which Check does not look at: the caller sets it in the result, or a limit in body before.
//
// A body that is already in the target's format is repaired for the target. If from names another
// host than the target, references to what only that host stores are left out; ids, references and
// encrypted content of single items stay.
//
// Paths of warnings are those of the input. body is never modified. The error is as for Sanitize,
// or ErrEncode when a part has no form in the target's format; the result then holds the
// input.
func Convert(
	ctx context.Context, body []byte, from string, options *Options,
) (*Result, error) {
	to := Options{}
	if options != nil {
		to = *options
	}
	if to.Provider == "" && to.Measured != nil {
		to.Provider = to.Measured.Provider
	}
	out := &Result{Body: body, Provider: to.Provider, Model: to.Model}
	if to.Provider == "" {
		return out, fmt.Errorf("%w: name the provider to convert to", ErrNotARequest)
	}
	r, err := (&Request{leaves: true}).decodeBody(
		body, &Options{Provider: from}, (*jsonscan.Doc).AliasStrings,
	)
	if err != nil {
		return out, err
	}
	f, err := formatOf(to.Provider)
	same := err == nil && f.name == r.format.name
	elsewhere := !same || from != "" && f.provider() != r.Provider
	if held := r.heldBy(); held != "" && elsewhere {
		return out, &Error{Reason: ErrHeldHistory, Path: held}
	}
	if same {
		return r.sanitizeFor(ctx, body, from, &to, f.provider())
	}
	target, lost, err := r.target(to)
	if err != nil {
		return out, err
	}
	out.Provider = target.Provider
	fixers := append([]preflight.Fixer{
		r.heldResults(), handOffFrom(target.format.name, &r.Profile),
	}, preflight.Fixers.Defaults()...)
	pipeline, err := preflight.NewPipeline(fixers...)
	if err != nil {
		return out, err
	}
	pass := target.optionsFor(&to.Options)
	res, err := pipeline.Sanitize(ctx, r.Messages, &target.Profile, pass)
	if err != nil {
		return out, err
	}
	converted, err := target.encodeRepaired(res.Messages)
	if err != nil {
		return out, err
	}
	written, err := target.write()
	if err != nil {
		return out, err
	}
	if bytes.Equal(written, body) {
		return out, nil // what the source would refuse is right for the target
	}
	out.Body, out.Changed = written, true
	out.Warnings = r.lossesOf(lost, target.format)
	for k := range target.findings {
		out.Warnings = append(out.Warnings, target.findings[k].warning())
	}
	for _, w := range res.Warnings {
		out.Warnings = append(out.Warnings, Warning{w, r.Path(w.At)})
	}
	for k := range converted.found {
		out.Warnings = append(out.Warnings, converted.found[k].warning())
	}
	return out, nil
}

// lossesOf returns the warnings of what was repaired or left out when the source was read for a
// format, with the paths of the input. It leaves out settings that were added for the source.
func (r *Request) lossesOf(lost []finding, format *format) (warnings []Warning) {
	read := slices.DeleteFunc(r.findings, func(f finding) bool {
		return f.code == codes.SettingAdded
	})
	for _, list := range [][]finding{read, lost, r.lostFields(format)} {
		for k := range list {
			w := r.warningOf(&list[k])
			w.Path = r.wrappedPath(w.Path)
			warnings = append(warnings, w)
		}
	}
	return warnings
}

// sanitizeFor repairs a body that is already in the target format, for another host or model, and
// sets the model's name. From a host that is named to another one, what only the first one's server
// has is not carried.
func (r *Request) sanitizeFor(
	ctx context.Context, body []byte, from string, options *Options, host string,
) (*Result, error) {
	carried, lost := body, []Warning(nil)
	if from != "" && host != r.Provider {
		var err error
		if carried, lost, err = r.withoutServerState(body); err != nil {
			return &Result{Body: body, Provider: host, Model: options.Model}, err
		}
	}
	out, err := Sanitize(ctx, carried, options)
	if err != nil {
		out.Body, out.Changed = body, false
		return out, err
	}
	if len(lost) > 0 {
		out.Warnings, out.Changed = append(lost, out.Warnings...), true
	}
	member := shapeOf(r.format.name).model
	if options.Model == "" || member == "" || !r.whole() {
		return out, err
	}
	doc, err := jsonscan.Parse(out.Body)
	if err != nil {
		return out, err
	}
	top := jsonscan.EditObject(doc.Root())
	top.SetMember(member, quoted(options.Model))
	if top.Changed() {
		out.Body, out.Changed = top.Bytes(), true
	}
	return out, nil
}

// target returns an empty request in the target format, with the model, the tools, and the limit on
// output tokens, temperature and top_p where both formats have them. lost are the members of r's
// body that have no place in it.
func (r *Request) target(to Options) (*Request, []finding, error) {
	to.Options = preflight.Options{}
	f, err := formatOf(to.Provider)
	if err != nil {
		return nil, nil, err
	}
	if !r.whole() {
		t, err := Decode([]byte("[]"), &to)
		if err == nil && t.format.system != "" {
			t.Profile.System.Placement = provider.SystemRefused // a bare list has no member for it
		}
		return t, nil, err
	}
	var b bodyBuilder
	shape, source := shapeOf(f.name), shapeOf(r.format.name)
	if to.Model != "" && shape.model != "" {
		b.set(shape.model, quoted(to.Model))
	}
	carried := map[string]bool{
		r.format.list: true, r.systemKey(): r.readsSystem(), source.model: true, source.tools: true,
	}
	shape.settings[0] = f.limitMember()
	if r.format.name == openAIChat && !r.root.Has(source.settings[0]) {
		source.settings[0] = olderLimit
	}
	if source.olderTools(r.root).Exists() {
		carried[source.older] = true
	}
	for k, path := range source.settings {
		if r.format.name == gemini {
			path = spelledAt(r.root, path)
		}
		if v := valueAt(r.root, path); path != "" && shape.settings[k] != "" && v.Exists() {
			b.set(shape.settings[k], v.Raw())
			carried[path] = true
		}
	}
	tools, left := source.read(r.root)
	for k := range tools {
		tools[k].schema = ofObject(tools[k].jsonSchema())
	}
	if len(tools) > 0 {
		b.set(shape.tools, shape.write(tools))
	}
	b.set(f.list, []byte("[]"))
	t, err := Decode(b.bytes(), &to)
	lost := r.lostSettings(carried)
	for _, path := range left {
		lost = append(lost, notCarried(path))
	}
	return t, lost, err
}

// lostSettings lists the members of the body, or of its settings objects, that are not converted.
func (r *Request) lostSettings(carried map[string]bool) []finding {
	var out []finding
	root := bodyPath{}
	for k, v := range r.root.All() {
		at := root.member(v, k)
		path := at.path
		switch {
		case carried[path]:
		case v.Kind() == jsonscan.Object && nests(carried, path):
			for n, w := range v.All() {
				if inner := path + step(w, n); !carried[inner] {
					out = append(out, notCarried(inner))
				}
			}
		default:
			out = append(out, notCarried(path))
		}
	}
	return out
}

func notCarried(path string) finding {
	return finding{
		code: codes.NotCarried, path: path,
		wrong: "the other format has no such setting",
		done:  "left out a setting that is not carried over",
	}
}

// nests reports whether a carried path leads into the member key.
func nests(carried map[string]bool, key string) bool {
	for path := range carried {
		if strings.HasPrefix(path, key+".") {
			return true
		}
	}
	return false
}

// spelledAt returns a path as a body of Gemini spells it: in camelCase or in snake_case.
func spelledAt(v jsonscan.Value, path string) string {
	var spelled []string
	for key := range strings.SplitSeq(path, ".") {
		key = keyOf(v, key, members.Snake(key))
		spelled, v = append(spelled, key), v.Get(key)
	}
	return strings.Join(spelled, ".")
}

// valueAt returns the value at a path of at most a few steps.
func valueAt(v jsonscan.Value, path string) jsonscan.Value {
	for path != "" && v.Exists() {
		var key string
		key, path, _ = strings.Cut(path, ".")
		v = v.Get(key)
	}
	return v
}
