package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/wire"
)

// shadowed are values of fields that a later field of the same name replaces.
var shadowed = []string{
	`1`, `null`, `"` + canary + `"`, `[{"role":"user","role":7}]`, `{"` + canary + `":[]}`,
}

// withShadowed is body with a field before some of its fields, of the same name, the number of
// them, and how many of the names are no valid text. Bit k of picks is for field k.
func withShadowed(body []byte, picks uint64, escaped bool) (out []byte, n, invalid int) {
	doc, err := jsonscan.Parse(body)
	if err != nil {
		return body, 0, 0
	}
	var edits jsonscan.Edits
	k := 0
	var walk func(v jsonscan.Value)
	walk = func(v jsonscan.Value) {
		for m := v.First(); m.Exists(); m = m.Next() {
			if name := m.Key(); name.Exists() {
				if picks>>(k%64)&1 == 1 {
					spelled := string(name.Raw())
					if escaped && len(spelled) > 2 && spelled[1] < 0x80 && spelled[1] != '\\' {
						spelled = fmt.Sprintf(`"\u%04x%s`, spelled[1], spelled[2:])
					}
					field := spelled + ":" + shadowed[k%len(shadowed)] + ","
					edits.Replace(name.Start(), name.Start(), []byte(field))
					n++
					if name.Flags()&jsonscan.NeedsRepair != 0 {
						invalid++
					}
				}
				k++
			}
			walk(m)
		}
	}
	walk(doc.Root())
	out, err = edits.Apply(body)
	if err != nil {
		panic(err)
	}
	return out, n, invalid
}

// requireLastFields: fields that later ones replace change nothing of what is done about a body,
// and each has a violation and a warning of its own that do not quote it.
func requireLastFields(t fataler, in []byte, options *wire.Options, picks uint64, escaped bool) {
	t.Helper()
	if duplicates(t, in, options) > 0 {
		return // they replace others, too
	}
	plain, err := wire.Sanitize(context.Background(), in, options)
	shadow, n, invalid := withShadowed(in, picks, escaped)
	result, shadowErr := wire.Sanitize(context.Background(), shadow, options)
	if (err != nil) != (shadowErr != nil) {
		t.Fatalf("%v, without duplicates %v\n in %s", shadowErr, err, shadow)
	}
	if err != nil {
		return
	}
	if found := duplicates(t, shadow, options); found != n {
		t.Fatalf("Check found %d of %d\n in %s", found, n, shadow)
	}
	removed := slices.DeleteFunc(slices.Clone(result.Warnings), func(w wire.Warning) bool {
		return w.Code != codes.DuplicateFieldRemoved
	})
	// a name that is no valid text is repaired, with a warning, before fields are compared
	if len(removed) != n || len(result.Warnings) != n+invalid+len(plain.Warnings) {
		t.Fatalf("%d fields, warnings %v, without %v\n in %s",
			n, result.Warnings, plain.Warnings, shadow)
	}
	for _, w := range removed {
		if strings.Contains(w.String(), canary) {
			t.Fatalf("a warning quotes the body: %s\n in %s", w, shadow)
		}
	}
	if got, want := compact(t, result.Body), compact(t, plain.Body); got != want {
		t.Fatalf("duplicates make a difference\n in   %s\n out  %s\n want %s", shadow, got, want)
	}
	requireGuarantees(t, shadow, options)
}

// duplicates is the number of duplicate fields that Check finds.
func duplicates(t fataler, body []byte, options *wire.Options) int {
	t.Helper()
	report, err := wire.Check(body, options)
	if err != nil {
		return 0
	}
	return len(slices.DeleteFunc(report.Violations, func(v wire.Violation) bool {
		return v.Rule != "preflight/duplicate-field"
	}))
}

func compact(t fataler, body []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, body); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return out.String()
}

// TestDuplicateFieldsAnywhere doubles fields at every place of the bodies of every provider.
func TestDuplicateFieldsAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		provider := rapid.SampledFrom(wire.Providers()).Draw(t, "provider")
		in := []byte(samples[provider])
		if rapid.Bool().Draw(t, "drawn") || len(in) == 0 {
			in = body(provider).Draw(t, "body")
		}
		requireLastFields(t, in, &wire.Options{Provider: provider},
			rapid.Uint64().Draw(t, "picks"), rapid.Bool().Draw(t, "escaped"))
	})
}

// FuzzDuplicateFields doubles fields of any body.
func FuzzDuplicateFields(f *testing.F) {
	for k, provider := range wire.Providers() {
		f.Add([]byte(samples[provider]), uint8(k), uint64(0x5A5A), k%2 == 0)
		f.Add(body(provider).Example(k), uint8(k), uint64(1)<<k, k%2 == 1)
	}
	f.Fuzz(func(t *testing.T, in []byte, format uint8, picks uint64, escaped bool) {
		providers := wire.Providers()
		options := &wire.Options{Provider: providers[int(format)%len(providers)]}
		requireLastFields(t, in, options, picks, escaped)
	})
}

// TestManyDuplicateFields: an object may have any number of fields, of one name, of two, of names
// that begin alike, and of many.
func TestManyDuplicateFields(t *testing.T) {
	const n = 20_000
	for name, field := range map[string]func(k int) string{
		"one name":      func(int) string { return "a" },
		"two names":     func(k int) string { return []string{"a", "b"}[k%2] },
		"each twice":    func(k int) string { return fmt.Sprint("name", k%(n/2)) },
		"one beginning": func(k int) string { return fmt.Sprintf("12345678%08d12345678", k/2) },
		"escaped":       func(k int) string { return fmt.Sprintf(`\u0061%d`, k/3) },
	} {
		t.Run(name, func(t *testing.T) {
			var members strings.Builder
			names := map[string]bool{}
			for k := range n {
				fmt.Fprintf(&members, `"%s":%d,`, field(k), k)
				names[field(k)] = true
			}
			in := []byte(`{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{` +
				strings.TrimSuffix(members.String(), ",") + `}}]},{"role":"user","content":[` +
				`{"type":"tool_result","tool_use_id":"t1","content":"r"}]}]}`)
			result, err := wire.Sanitize(
				context.Background(), in, &wire.Options{Provider: "anthropic"},
			)
			require.NoError(t, err)
			require.Len(t, result.Warnings, n-len(names))
			for _, w := range result.Warnings {
				require.Equal(t, codes.DuplicateFieldRemoved, w.Code)
				require.Equal(t, codes.Lossy, w.Class())
			}
			doc, err := jsonscan.Parse(result.Body)
			require.NoError(t, err)
			input := doc.Root().Get("messages").At(1).Get("content").At(0).Get("input")
			require.Equal(t, len(names), input.Len())
			require.Equal(t, fmt.Sprint(n-1), string(input.At(input.Len()-1).Raw()))
		})
	}
}
