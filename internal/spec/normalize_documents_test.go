package spec

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

func document(title string) *preflight.Media {
	return &preflight.Media{
		Kind: "document", MediaType: "application/pdf", Data: "JVBERi0=",
		Name: title,
	}
}

// normalizedParts is what the Bedrock profile makes of one user message of parts, and the codes of
// the warnings.
func normalizedParts(
	t *testing.T,
	parts ...preflight.Part,
) (out []preflight.Part, codes []codes.Code) {
	t.Helper()
	profile := provider.Bedrock("")
	res, err := preflight.Sanitize(context.Background(), []preflight.Message{userMsg(parts...)},
		profile, nil)
	require.NoError(t, err)
	require.Len(t, res.Messages, 1)
	require.Empty(t, preflight.Check(res.Messages, profile, nil))
	for _, w := range res.Warnings {
		codes = append(codes, w.Code)
	}
	return res.Messages[0].Parts, codes
}

func TestDocumentTitles(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, c := range []struct {
		reason   string
		in, want []string
	}{
		{"titles that differ stay", []string{"a", "b", "A"}, []string{"a", "b", "A"}},
		{"a second one is numbered", []string{"a", "a", "a"}, []string{"a", "a (2)", "a (3)"}},
		{"a number that is taken is passed over", []string{"a (2)", "a", "a"},
			[]string{"a (2)", "a", "a (3)"}},
		{"a number given away is taken", []string{"a", "a", "a (2)"},
			[]string{"a", "a (2)", "a (2) (2)"}},
		{"characters and spaces", []string{"my_file\t \t1.txt"}, []string{"my_file 1 txt"}},
		{"one space is no fault", []string{"a\tb c", " d_e"}, []string{"a b c", " d_e"}},
		{"no title", []string{"", ""}, []string{"document", "document (2)"}},
		{"the longest title", []string{long, long}, []string{long, long[:196] + " (2)"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			parts := []preflight.Part{says("q")}
			for _, title := range c.in {
				parts = append(parts, document(title))
			}
			out, _ := normalizedParts(t, parts...)
			var got []string
			for _, p := range out[1:] {
				got = append(got, p.(*preflight.Media).Name)
			}
			require.Empty(t, cmp.Diff(c.want, got))
		})
	}
}

// A title counts for the whole request, inside tool results too.
func TestDocumentTitlesInResults(t *testing.T) {
	profile := provider.Bedrock("")
	res, err := preflight.Sanitize(context.Background(),
		[]preflight.Message{
			userMsg(says("q"), document("a")),
			botMsg(&preflight.ToolCall{ID: "t", Name: "f", Input: []byte("{}")}),
			userMsg(&preflight.ToolResult{
				CallID:  "t",
				Content: []preflight.Part{document("a"), document("b")},
			}),
		}, profile, nil)
	require.NoError(t, err)
	content := res.Messages[2].Parts[0].(*preflight.ToolResult).Content
	require.Equal(t, "a (2)", content[0].(*preflight.Media).Name)
	require.Equal(t, "b", content[1].(*preflight.Media).Name)
	require.Len(t, res.Warnings, 1)
	require.Equal(t, "bedrock/document-name", res.Warnings[0].Rule)
}

func TestLoneDocument(t *testing.T) {
	out, got := normalizedParts(t, document("a"), &preflight.Text{Text: ""})
	require.Len(t, out, 2)
	require.NotEmpty(t, out[1].(*preflight.Text).Text)
	require.Equal(t, []codes.Code{codes.EmptyRemoved, codes.TextAdded}, got)
	_, got = normalizedParts(t, document("a"), &preflight.Text{Text: "q"})
	require.Empty(t, got)
}

// The oldest media beyond the number become text, and a breakpoint on one of them stays.
func TestMediaLimit(t *testing.T) {
	var parts []preflight.Part
	for k := range 7 {
		d := document("d" + strconv.Itoa(k))
		if k == 1 {
			d.Cache = []byte(`{"type":"ephemeral"}`)
		}
		parts = append(parts, d)
	}
	out, got := normalizedParts(t, parts...)
	require.Equal(t, []codes.Code{codes.MediaDescribed, codes.MediaDescribed}, got)
	require.Equal(t, "[document: d0]", out[0].(*preflight.Text).Text)
	require.NotNil(t, out[1].(*preflight.Text).Cache)
	require.Equal(t, "d2", out[2].(*preflight.Media).Name)
	require.Len(t, out, 7)
}

// Numbering thousands of documents of one title stays linear.
func TestManyTitles(t *testing.T) {
	profile := preflight.Profile{Media: provider.MediaRules{UniqueTitles: true}}
	history := []preflight.Message{userMsg()}
	for range 20000 {
		history[0].Parts = append(history[0].Parts, document("same"))
	}
	res, err := preflight.Sanitize(context.Background(), history, &profile, nil)
	require.NoError(t, err)
	require.Len(t, res.Warnings, 19999)
	require.Equal(t, "same (20000)", res.Messages[0].Parts[19999].(*preflight.Media).Name)
}

// TestNormalizeDocumentsRules: each rule by itself, where it applies and where not.
func TestNormalizeDocumentsRules(t *testing.T) {
	two := preflight.Profile{
		Media: provider.MediaRules{Limits: []provider.MediaLimit{{Kind: "image", Most: 2}}},
	}
	none := preflight.Profile{
		Media: provider.MediaRules{Limits: []provider.MediaLimit{{Kind: "image"}}},
	}
	titles := preflight.Profile{Media: provider.MediaRules{UniqueTitles: true, InResult: true}}
	text := preflight.Profile{
		Content: provider.ContentRules{RefuseBlankText: true},
		Media:   provider.MediaRules{DocumentNeedsText: true},
	}
	limited := func(most int) preflight.Profile {
		return preflight.Profile{
			Media: provider.MediaRules{UniqueTitles: true, Title: provider.Pattern{Max: most}},
		}
	}
	carried := preflight.Carried{
		Meta:  preflight.Metadata{"mine": []byte(`1`)},
		Cache: []byte(`{"type":"ephemeral"}`),
	}
	first := &preflight.Media{Carried: carried, Kind: "image", URL: "u"}
	line := &preflight.Text{Carried: carried, Text: "[image: u]"}
	result := func(parts ...preflight.Part) preflight.Message {
		return toolMsg(&preflight.ToolResult{CallID: "a", Content: parts})
	}
	call, see := botMsg(calls("a")), says("(see the attached document)")
	named := func(title string) preflight.Message { return userMsg(document(title)) }
	twice := []string{"media-repaired 1.0 preflight/media-name-twice"}
	runFixer(t, preflight.Fixers.NormalizeDocuments, []fixerCase{
		{
			name: "the oldest of too many become text", profile: two,
			in:     history(userMsg(says("q"), first, document("d"), image(), image())),
			want:   history(userMsg(says("q"), line, document("d"), image(), image())),
			report: []string{"media-described 0.1 preflight/media-limit"},
		},
		{
			name: "none at all", profile: none,
			in:   history(userMsg(first, image(), says("q"))),
			want: history(userMsg(line, says("[image: https://example.com/a.png]"), says("q"))),
			report: []string{
				"media-described 0.0 preflight/media-limit",
				"media-described 0.1 preflight/media-limit",
			},
		},
		{
			name: "as many as there may be", profile: two,
			in: history(userMsg(image(), image(), document("d"), document("e")),
				userMsg(image())),
		},
		{
			name: "titles count through the history", profile: titles,
			in:     history(named("a"), named("a")),
			want:   history(named("a"), named("a (2)")),
			report: twice,
		},
		{
			name: "and in results", profile: titles,
			in: history(named("a"), call,
				result(says("1"), document("b"), document("a"), document("a"))),
			want: history(named("a"), call,
				result(says("1"), document("b"), document("a (2)"), document("a (3)"))),
			report: []string{"media-repaired 2.0 preflight/media-name-twice of a"},
		},
		{
			name: "of documents that have one", profile: titles,
			in: history(named(""), named(""),
				userMsg(&preflight.Media{Kind: "image", URL: "u", Name: "a"},
					&preflight.Media{Kind: "image", URL: "v", Name: "a"})),
		},
		{name: "titles that need not differ", in: history(named("a"), named("a"))},
		{
			name:    "a number has room",
			profile: limited(5),
			in:      history(named("a"), named("a")),
			want:    history(named("a"), named("a (2)")),
			report:  twice,
		},
		{
			name:    "a title makes room for it",
			profile: limited(6),
			in:      history(named("abcdef"), named("abcdef")),
			want:    history(named("abcdef"), named("ab (2)")),
			report:  twice,
		},
		{
			name:    "never half a character",
			profile: limited(9),
			in:      history(named("éééé"), named("éééé")),
			want:    history(named("éééé"), named("éé (2)")),
			report:  twice,
		},
		{
			name:    "nor a space at its end",
			profile: limited(8),
			in:      history(named("abc def"), named("abc def")),
			want:    history(named("abc def"), named("abc (2)")),
			report:  twice,
		},
		{
			name: "a document alone", profile: text,
			in:     history(userMsg(says("q")), userMsg(image(), document("a"))),
			want:   history(userMsg(says("q")), userMsg(image(), document("a"), see)),
			report: []string{"text-added 1 preflight/document-alone"},
		},
		{
			name: "beside a text that is going to be removed", profile: text, alone: true,
			in:     history(userMsg(document("a"), says(" "))),
			want:   history(userMsg(document("a"), says(" "), see)),
			report: []string{"text-added 0 preflight/document-alone"},
		},
		{
			name: "a document with a text, wherever", profile: text,
			in: history(userMsg(says("q"), document("a")), userMsg(document("b"), says("q"))),
		},
		{name: "an image alone", profile: text, in: history(userMsg(image()))},
		{name: "not asked for", in: history(userMsg(document("a")))},
	})
}
