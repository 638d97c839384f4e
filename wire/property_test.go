package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/wire"
)

// fataler is what a test, a rapid test and a fuzz test have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// requireGuarantees holds Sanitize to what it promises about any input, and returns what came out,
// nil on error.
func requireGuarantees(t fataler, in []byte, options *wire.Options) []byte {
	t.Helper()
	kept := bytes.Clone(in)
	report, checkErr := wire.Check(in, options)
	result, err := wire.Sanitize(context.Background(), in, options)
	if !bytes.Equal(in, kept) {
		t.Fatalf("the input was written to\n was %s\n is  %s", kept, in)
	}
	if (checkErr != nil) != (err != nil && isNoRequest(err)) {
		t.Fatalf("Check says %v, Sanitize says %v\n in %s", checkErr, err, in)
	}
	if err != nil {
		if !sameSlice(result.Body, in) || result.Changed || len(result.Warnings) > 0 {
			t.Fatalf("the input did not come back with the error %v", err)
		}
		if !isNoRequest(err) && !errors.Is(err, preflight.ErrEmptyHistory) &&
			!errors.Is(err, preflight.ErrUnfixable) {
			t.Fatalf("untyped error %v\n in %s", err, in)
		}
		return nil
	}
	out := result.Body
	if result.Changed != (len(result.Warnings) > 0) || result.Changed == sameSlice(in, out) {
		t.Fatalf("changed %v, %d warnings %v\n in  %s\n out %s", result.Changed,
			len(result.Warnings), result.Warnings, in, out)
	}
	asks := len(options.Options.Fixers) > 0 // for more than validity
	if !asks && result.Changed != (len(report.Violations) > 0) {
		t.Fatalf("Check found %v, Sanitize did %v\n in  %s\n out %s", report.Violations,
			result.Warnings, in, out)
	}
	if !json.Valid(out) {
		t.Fatalf("the output is not JSON\n in  %s\n out %s", in, out)
	}
	told := *options
	if options.Provider == "" && result.Changed {
		told.Provider = result.Provider // what showed it may have been repaired
	}
	requireFixedPoint(t, in, out, &told)
	read, err := wire.Check(out, options)
	if err == nil && read.Provider == result.Provider {
		requireFixedPoint(t, in, out, options)
	}
	third, err := wire.Sanitize(context.Background(), kept, options)
	if err != nil || !bytes.Equal(third.Body, out) ||
		cmp.Diff(result.Warnings, third.Warnings) != "" {
		t.Fatalf("two runs differ\n in  %s\n out %s\n 2nd %s", in, out, third.Body)
	}
	requireElements(t, in, result)
	requireLongWay(t, in, options, result)
	r, err := wire.Decode(in, options)
	if err != nil {
		t.Fatalf("%v from Decode alone\n in %s", err, in)
	}
	for _, w := range result.Warnings {
		if w.Path == "" || w.Code == "" || w.Detail == "" {
			t.Fatalf("a warning lacks words: %+v\n in %s", w, in)
		}
		requirePlace(t, r, w.At, w.Path, in)
	}
	for _, v := range report.Violations {
		if v.Path == "" || v.Rule == "" || v.Detail == "" {
			t.Fatalf("a violation lacks words: %+v\n in %s", v, in)
		}
		requirePlace(t, r, v.At, v.Path, in)
	}
	return out
}

// requireFixedPoint holds the output for in to be valid, and to come back from Sanitize as it is.
func requireFixedPoint(t fataler, in, out []byte, options *wire.Options) {
	t.Helper()
	again, err := wire.Check(out, options)
	if err != nil {
		t.Fatalf("the output is no request: %v\n in  %s\n out %s", err, in, out)
	}
	if len(again.Violations) > 0 {
		t.Fatalf("the output breaks rules: %v\n in  %s\n out %s", again.Violations, in, out)
	}
	second, err := wire.Sanitize(context.Background(), out, options)
	if err != nil || second.Changed || len(second.Warnings) > 0 || !sameSlice(second.Body, out) {
		t.Fatalf("the output is no fixed point: %v %v\n in  %s\n out %s\n 2nd %s", err,
			second.Warnings, in, out, second.Body)
	}
}

// requirePlace holds a position and a path to each other: the path leads to the position, or into
// what is there. What is beside the messages has no position.
func requirePlace(t fataler, r *wire.Request, at preflight.Position, path string, in []byte) {
	t.Helper()
	if at == (preflight.At(-1)) {
		return
	}
	known := at.Message() >= 0 && at.Message() <= len(r.Messages) &&
		at.Part() >= -1 && at.Inner() >= -1 &&
		(at.Part() >= 0 || at.Inner() < 0)
	if !known || !strings.HasPrefix(path, r.Path(at)) {
		t.Fatalf("%+v is at %s, not at %s\n in %s", at, r.Path(at), path, in)
	}
}

// requireLongWay holds the short way that Sanitize takes to the long way, in which nothing is in
// memory that is used again: an OpenCall that decides nothing changes nothing but which of them
// is taken. It also holds what a Sanitizer and Check returned to that, after the Sanitizer was used
// for another body and the first one was written over.
func requireLongWay(t fataler, in []byte, options *wire.Options, result *wire.Result) {
	t.Helper()
	if options.Options.OpenCall != nil {
		return
	}
	long := *options
	long.Options.OpenCall = func(*preflight.ToolCall) preflight.Part { return nil }
	want, err := wire.Sanitize(context.Background(), in, &long)
	if err != nil || sameSlice(want.Body, in) != sameSlice(result.Body, in) ||
		!reflect.DeepEqual(want, result) {
		t.Fatalf(
			"the short way says %s %v\nthe long way  %s %v, %v\nin %s",
			result.Body, result.Warnings, want.Body, want.Warnings, err, in,
		)
	}
	var s wire.Sanitizer
	read := bytes.Clone(in)
	kept, err := s.Sanitize(context.Background(), read, options)
	if err != nil {
		t.Fatalf("%v from a Sanitizer of one's own\nin %s", err, in)
	}
	found, err := wire.Check(read, options)
	wantFound, longErr := wire.Check(in, &long)
	if err != nil || longErr != nil {
		t.Fatalf("%v, %v from Check\nin %s", err, longErr, in)
	}
	_, _ = s.Sanitize(context.Background(), overwriting(), options)
	for k := range read {
		read[k] = '#'
	}
	if !kept.Changed {
		kept.Body = in
	}
	if !reflect.DeepEqual(want, kept) {
		t.Fatalf("the result shares memory with its input or the Sanitizer: %s\nin %s",
			cmp.Diff(want, kept), in)
	}
	if !reflect.DeepEqual(wantFound, found) {
		t.Fatalf("what Check found shares memory with its input: %s\nin %s",
			cmp.Diff(wantFound, found), in)
	}
}

// overwriting is a body of every format that fills the memory which a Sanitizer has for decoded
// texts and for parts.
var overwriting = sync.OnceValue(func() []byte {
	text := `"\n` + strings.Repeat("#", 60) + `"`
	list := func(message string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(message+",", 20), ",") + "]"
	}
	chat := list(`{"role":"user","content":` + text + `}`)
	return []byte(
		`{"messages":` + chat + `,"input":` + chat + `,"contents":` + list(
			`{"role":"user","parts":[{"text":`+text+`}]}`,
		) + `}`,
	)
})

func isNoRequest(err error) bool {
	return errors.Is(err, wire.ErrNotARequest) || errors.Is(err, wire.ErrAmbiguousProvider)
}

// sameSlice reports whether a and b are the same bytes in memory.
func sameSlice(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func TestGuarantees(t *testing.T) {
	for _, provider := range wire.Providers() {
		t.Run(provider, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				options := &wire.Options{Provider: provider}
				if rapid.IntRange(0, 3).Draw(t, "answer") == 0 {
					options.Options.Dangling = preflight.DanglingAnswer
				}
				if rapid.IntRange(0, 3).Draw(t, "orphan text") == 0 {
					options.Options.Orphans = preflight.OrphanText
				}
				options.Model = rapid.SampledFrom([]string{
					"", "", "claude-opus-4-8", "claude-opus-5-5", "o1-mini",
					"meta.llama3-1-70b-instruct-v1:0", "us.deepseek.r1-v1:0", "gpt-5.4",
					"gemini-2.5-pro",
				}).
					Draw(t, "model")
				requireGuarantees(t, body(provider).Draw(t, "body"), options)
			})
		})
	}
}

// TestPortable holds what Options.Portable asks for to the same guarantees: of each format and of
// hosts with rules of their own.
func TestPortable(t *testing.T) {
	for _, provider := range []string{
		"anthropic", "openai-chat", "openai-responses", "gemini", "bedrock", "mistral", "cohere",
		"ollama", "deepseek", "chat-template",
	} {
		t.Run(provider, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				requireGuarantees(t, body(provider).Draw(t, "body"),
					&wire.Options{Provider: provider, Portable: true})
			})
		})
	}
}

// TestDecodeEncode: the same messages, encoded again, give the very same body when nothing is wrong
// with it.
func TestDecodeEncode(t *testing.T) {
	for _, provider := range wire.Providers() {
		t.Run(provider, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				options := &wire.Options{Provider: provider}
				in := body(provider).Draw(t, "body")
				result, err := wire.Sanitize(context.Background(), in, options)
				if err != nil {
					return // nothing to encode
				}
				r, err := wire.Decode(result.Body, options)
				require.NoError(t, err)
				out, err := r.Encode(r.Messages)
				require.NoError(t, err)
				if !sameSlice(out, result.Body) {
					t.Fatalf("not identical\n in  %s\n out %s", result.Body, out)
				}
			})
		})
	}
}

// TestHooksCannotBreakTheWire: whatever a hook does to texts, parts and messages, what comes out is
// sound.
func TestHooksCannotBreakTheWire(t *testing.T) {
	for _, provider := range wire.Providers() {
		t.Run(provider, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				in := body(provider).Draw(t, "body")
				plan := rapid.SliceOfN(rapid.IntRange(0, 9), 8, 8).Draw(t, "plan")
				k := 0
				options := &wire.Options{Provider: provider}
				options.Options.Hooks = []preflight.Hook{
					{
						Name: "wild",
						Message: func(
							_ context.Context, m preflight.Message,
						) (preflight.Message, error) {
							k++
							return wild(m, plan[k%len(plan)]), nil
						},
					},
				}
				result, err := wire.Sanitize(context.Background(), in, options)
				if err != nil {
					return
				}
				if !json.Valid(result.Body) {
					t.Fatalf("the output is not JSON\n in  %s\n out %s", in, result.Body)
				}
				plain := &wire.Options{Provider: provider}
				again, err := wire.Sanitize(context.Background(), result.Body, plain)
				if err != nil || again.Changed {
					t.Fatalf("the output is no fixed point: %v %v\n in  %s\n out %s\n 2nd %s", err,
						again.Warnings, in, result.Body, again.Body)
				}
			})
		})
	}
}

// wild does one of several things to a message.
func wild(m preflight.Message, what int) preflight.Message {
	switch what {
	case 0:
		return preflight.Message{}
	case 1:
		m.Parts = append(m.Parts, &preflight.Text{Text: "added \xff"})
	case 2:
		m.Parts = m.Parts[:len(m.Parts)/2]
	case 3:
		m.Role = preflight.RoleAssistant
	case 4:
		m.Native = preflight.Native{}
	case 5:
		for _, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.Text:
				p.Text += " <edited>"
			case *preflight.ToolCall:
				p.Input = json.RawMessage(`{"edited":"\ud83d"}`)
			case *preflight.ToolResult:
				p.Content = append(p.Content, &preflight.Text{Text: "edited"})
			}
		}
	case 6:
		m.Parts = append(m.Parts, m.Parts...)
	case 7:
		m.Native = preflight.Native{}
		forget(m.Parts)
	case 8:
		m.Meta, m.ID, m.Name = nil, "", ""
	}
	return m
}

// forget takes the JSON off parts that they were decoded from, as if they had just been made.
func forget(parts []preflight.Part) {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Text:
			p.Native, p.Meta = preflight.Native{}, nil
		case *preflight.Reasoning:
			p.Native, p.Meta = preflight.Native{}, nil
		case *preflight.ToolCall:
			p.Native, p.Meta = preflight.Native{}, nil
		case *preflight.ToolResult:
			p.Native, p.Meta = preflight.Native{}, nil
			forget(p.Content)
		case *preflight.Media:
			p.Native, p.Meta = preflight.Native{}, nil
		}
	}
}

// TestHistories writes made-up histories into an empty body, and holds that body to the guarantees.
func TestHistories(t *testing.T) {
	for _, provider := range wire.Providers() {
		t.Run(provider, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				options := &wire.Options{Provider: provider}
				r, err := wire.Decode([]byte(`{"messages":[],"input":[],"contents":[]}`), options)
				require.NoError(t, err)
				require.Equal(t, provider, r.Profile.Provider)
				in, err := r.Encode(histgen.Any(&r.Profile,
					&preflight.Options{Request: r.State}).Draw(t, "history"))
				if errors.Is(err, wire.ErrEncode) {
					return
				}
				require.NoError(t, err)
				requireGuarantees(t, in, options)
			})
		})
	}
}

// TestForeignGuarantees: the name of any provider or vendor, and a body in any format.
func TestForeignGuarantees(t *testing.T) {
	names := slices.Concat(wire.Providers(), wire.Vendors())
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				in := body(rapid.SampledFrom(wire.Providers()).Draw(t, "format")).Draw(t, "body")
				requireGuarantees(t, in, &wire.Options{Provider: name})
			})
		})
	}
}
