package preflight_test

import (
	"context"
	"encoding/base64"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// Media of a kind or in a form that the provider does not take is a violation, and becomes a line
// of text; what it takes stays. Sources: the profiles' fields MediaKinds and NoMediaURLs, and for
// Bedrock https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageSource.html
// (bytes or s3Location).
func TestMediaThatIsNotTaken(t *testing.T) {
	address := &preflight.Media{Kind: "image", URL: "https://example.com/a.png"}
	inline := &preflight.Media{
		Kind: "image", MediaType: "image/png",
		Data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
	}
	byURL := &preflight.Media{
		Kind: "image", URL: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
	}
	video := &preflight.Media{Kind: "video", MediaType: "video/mp4", Data: "AAAA", Name: "a.mp4"}
	for _, c := range []struct {
		reason  string
		profile preflight.Profile
		media   *preflight.Media
		text    string // "" for media that stays
	}{
		{"an address where data is wanted", *provider.Bedrock(""), address,
			"[image: https://example.com/a.png]"},
		{"data", *provider.Bedrock(""), inline, ""},
		{"data in an address", *provider.Bedrock(""), byURL, ""},
		{"an address", *provider.Anthropic(""), address, ""},
		{"a kind it does not know", *provider.Anthropic(""), video, "[video: a.mp4]"},
		{"a kind it knows", *provider.Gemini(""), video, ""},
	} {
		t.Run(c.reason, func(t *testing.T) {
			h := []preflight.Message{
				userMsg(says("q"), c.media),
				botMsg(&preflight.ToolCall{
					ID:        "c1",
					Name:      "f",
					Input:     []byte(`{}`),
					Signature: "c2ln",
				}),
				userMsg(&preflight.ToolResult{
					CallID: "c1", Name: "f",
					Content: []preflight.Part{c.media},
				}),
			}
			found := preflight.Check(h, &c.profile)
			res, err := preflight.Sanitize(context.Background(), h, &c.profile, nil)
			require.NoError(t, err)
			if c.text == "" {
				require.Empty(t, found)
				require.Empty(t, res.Warnings)
				return
			}
			require.Len(t, found, 2)
			require.Len(t, res.Warnings, 2)
			for k, at := range []preflight.Position{
				{Message: 0, Part: 1, Inner: -1},
				{Message: 2, Part: 0, Inner: 0},
			} {
				require.Equal(t, rule.MediaRefused, found[k].Problem)
				require.Equal(t, at, found[k].At)
				require.Equal(t, codes.PartToText, res.Warnings[k].Code)
			}
			require.Equal(t, c.text, res.Messages[0].Parts[1].(*preflight.Text).Text)
			require.Equal(t, c.text,
				res.Messages[2].Parts[0].(*preflight.ToolResult).Content[0].(*preflight.Text).Text)
		})
	}
}

// TestMediaTypes: the first bytes of an image say its type. Sources: the formats' own
// specifications.
func TestMediaTypes(t *testing.T) {
	base64 := base64.StdEncoding.EncodeToString
	for _, c := range []struct {
		reason, kind, data string
		want               string // "" for a type that stays as it was declared
	}{
		{"JPEG", "image", base64([]byte("\xff\xd8\xff\xe0")), "image/jpeg"},
		{"JPEG, all there is of it", "image", base64([]byte("\xff\xd8\xff")), "image/jpeg"},
		{"PNG", "image", base64([]byte("\x89PNG\r\n\x1a\n")), "image/png"},
		{"GIF", "image", base64([]byte("GIF87a")), "image/gif"},
		{"GIF, the later version", "image", base64([]byte("GIF89a and more")), "image/gif"},
		{"WebP", "image", base64([]byte("RIFF\x01\x02\x03\x04WEBPVP8 ")), "image/webp"},
		{"WebP, all there is of it", "image", base64([]byte("RIFF\x01\x02\x03\x04WEBP")),
			"image/webp"},
		{"another RIFF file", "image", base64([]byte("RIFF\x01\x02\x03\x04WAVEfmt ")), ""},
		{"not quite", "image", base64([]byte("RIFX\x01\x02\x03\x04WEBP")), ""},
		{"cut off", "image", base64([]byte("RIFF\x01\x02\x03\x04WEB")), ""},
		{"too short", "image", "iVB", ""},
		{"not padded", "image", "iVBORw0KGgoAAAA", "image/png"},
		{"nothing known", "image", base64([]byte("hello, world")), ""},
		{"no image", "document", base64([]byte("GIF89a")), ""},
	} {
		t.Run(c.reason, func(t *testing.T) {
			profile := preflight.Profile{Media: provider.MediaRules{MatchType: true}}
			given := &preflight.Media{Kind: c.kind, MediaType: "image/bmp", Data: c.data}
			want, report := *given, []string(nil)
			if c.want != "" {
				want.MediaType, report = c.want, []string{"media-repaired 0.0 preflight/media-type"}
			}
			res, err := preflight.Sanitize(context.Background(), history(userMsg(given)), &profile,
				nil)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(history(userMsg(&want)), res.Messages))
			require.Equal(t, report, append([]string(nil), reported(res.Warnings)...))
			require.Equal(t, c.want != "",
				len(preflight.Check(history(userMsg(given)), &profile)) > 0)
			declared := preflight.Profile{}
			require.Empty(t, preflight.Check(history(userMsg(given)), &declared),
				"nobody asked for it")
		})
	}
}

// TestMediaNames: which files and documents need a name, and what it is made of.
func TestMediaNames(t *testing.T) {
	file := func(name, mediaType string) *preflight.Media {
		return &preflight.Media{
			Kind: "document", MediaType: mediaType, Data: "JVBERi0=", Name: name,
		}
	}
	linked := func(name string) *preflight.Media {
		return &preflight.Media{Kind: "document", URL: "https://e/a.pdf", Name: name}
	}
	files := preflight.Profile{Media: provider.MediaRules{FileNeedsName: true}}
	documents := preflight.Profile{Media: provider.MediaRules{DocumentNeedsTitle: true}}
	short := preflight.Profile{
		Media: provider.MediaRules{
			Title: provider.Pattern{Alphabet: provider.NameChars, Min: 1, Max: 5},
		},
	}
	var cases []fixerCase
	for _, c := range []struct {
		name    string
		profile preflight.Profile
		in      *preflight.Media
		want    *preflight.Media // nil for one that stays
		rule    string
	}{
		{"a PDF file", files, file("", "application/pdf"), file("document.pdf", "application/pdf"),
			"file-name"},
		{"another file", files, file("", "text/plain"), file("document", "text/plain"),
			"file-name"},
		{"a file that has one", files, file("a", "text/plain"), nil, ""},
		{"an address needs none", files, linked(""), nil, ""},
		{"a document", documents, file("", "application/pdf"), file("document", "application/pdf"),
			"file-name"},
		{"a document at an address", documents, linked(""), linked("document"), "file-name"},
		{"a document that has one", documents, linked("a"), nil, ""},
		{"an image is no document", documents, image(), nil, ""},
		{"an image is no file", files,
			&preflight.Media{
				Kind: "image", MediaType: "image/png",
				Data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
			}, nil, ""},
		{"nobody asked for one", preflight.Profile{}, file("", "application/pdf"), nil, ""},
		{"a title that fits", short, linked("a b c"), nil, ""},
		{"a title that is too long", short, linked("abcdef"), linked("abcde"), "media-name"},
		{"cut at a space", short, linked("abcd efg"), linked("abcd"), "media-name"},
		{"refused characters become one space", short, linked("a__ _b"), linked("a b"),
			"media-name"},
		{"no title is none of its business", short, linked(""), nil, ""},
	} {
		row := fixerCase{name: c.name, profile: c.profile, in: history(userMsg(says("q"), c.in))}
		if c.want != nil {
			row.want = history(userMsg(says("q"), c.want))
			row.report = []string{"media-repaired 0.1 preflight/" + c.rule}
		}
		cases = append(cases, row)
	}
	runFixer(t, preflight.RepairMedia, cases)
}

// TestMediaInResults: inside a tool result media is mended and emptied like any other, with one
// warning for the result.
func TestMediaInResults(t *testing.T) {
	q, call := userMsg(says("q")), botMsg(calls("a"))
	takes := preflight.Profile{
		Media: provider.MediaRules{InResult: true, MatchType: true, Kinds: []string{"image"}},
	}
	of := func(parts ...preflight.Part) []preflight.Message {
		return history(q, call, toolMsg(&preflight.ToolResult{CallID: "a", Content: parts}))
	}
	picture := func(mediaType, data string) *preflight.Media {
		return &preflight.Media{Kind: "image", MediaType: mediaType, Data: data}
	}
	wrong := picture("image/jpeg", "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ")
	right := picture("image/png", "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ")
	empty := picture("image/png", "")
	runFixer(t, preflight.RepairMedia, []fixerCase{
		{
			name: "the types of all", profile: takes,
			in:     of(says("1"), right, wrong, wrong),
			want:   of(says("1"), right, right, right),
			report: []string{"media-repaired 2.0 preflight/media-type of a"},
		},
		{
			name: "empty media goes", profile: takes,
			in:     of(empty, says("1")),
			want:   of(says("1")),
			report: []string{"media-removed 2.0 preflight/media-empty of a"},
		},
		{
			name: "both", profile: takes,
			in:     of(right, wrong, empty),
			want:   of(right, right),
			report: []string{"media-repaired 2.0 preflight/media-type of a"},
		},
		{name: "media that is fine", profile: takes, in: of(says("1"), right)},
	})
	refused := of(&preflight.Media{Kind: "video", Data: "AAAA"}, wrong)
	out, warnings := preflight.RepairMedia.Apply(refused, &takes, nil)
	require.Equal(t, []string{"media-repaired 2.0 preflight/media-type of a"}, reported(warnings),
		"media that is refused is the business of DescribeMedia")
	require.Empty(t,
		cmp.Diff(of(refused[2].Parts[0].(*preflight.ToolResult).Content[0], right), out))
}

// TestEmptyMedia: what has lost its data goes; a document that only its JSON describes may be one
// that nobody here knows.
func TestEmptyMedia(t *testing.T) {
	native := preflight.Carried{Native: preflight.Native{Format: "x", JSON: []byte(`{"x":1}`)}}
	gone := []string{"media-removed 0.1 preflight/media-empty"}
	q := says("q")
	with := func(m *preflight.Media) []preflight.Message { return history(userMsg(q, m)) }
	runFixer(t, preflight.RepairMedia, []fixerCase{
		{
			name:   "an image without data",
			in:     with(&preflight.Media{Kind: "image", MediaType: "image/png"}),
			want:   history(userMsg(q)),
			report: gone,
		},
		{
			name:   "whatever its JSON says",
			in:     with(&preflight.Media{Kind: "image", Carried: native}),
			want:   history(userMsg(q)),
			report: gone,
		},
		{
			name:   "a document",
			in:     with(&preflight.Media{Kind: "document", Name: "a"}),
			want:   history(userMsg(q)),
			report: gone,
		},
		{
			name: "one in a form of its own",
			in:   with(&preflight.Media{Kind: "document", Carried: native}),
		},
		{name: "an address", in: with(&preflight.Media{Kind: "image", URL: "u"})},
		{name: "a file id", in: with(&preflight.Media{Kind: "image", FileID: "f"})},
		{name: "data", in: with(&preflight.Media{Kind: "image", Data: "AAAA"})},
	})
}

// TestMediaMoves: media leaves the places that may not hold it, in order, for one user turn behind
// the results that follow.
func TestMediaMoves(t *testing.T) {
	users := preflight.Profile{
		Media: provider.MediaRules{Roles: []preflight.Role{preflight.RoleUser}},
	}
	q, a := userMsg(says("q")), botMsg(says("a"))
	named := func(name string) *preflight.Media {
		return &preflight.Media{Kind: "image", URL: "https://e/" + name}
	}
	one, two, three := named("1"), named("2"), named("3")
	result := func(id string, parts ...preflight.Part) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: id, Content: parts}
	}
	see := says("(see the media in the next user message)")
	unknown := &preflight.Other{Kind: "document"}
	runFixer(t, preflight.RepairMedia, []fixerCase{
		{
			name: "out of several results, behind all of them", profile: users,
			in: history(q, botMsg(calls("a"), calls("b")),
				toolMsg(result("a", one, says("x"), two)), toolMsg(result("b", three)), a),
			want: history(q, botMsg(calls("a"), calls("b")),
				toolMsg(result("a", says("x"), see)), toolMsg(result("b", see)),
				userMsg(one, two, three), a),
			report: []string{
				"media-moved 2.0 preflight/media-in-result of a",
				"media-moved 3.0 preflight/media-in-result of b",
			},
		},
		{
			name: "each turn's behind its own results", profile: users,
			in: history(q, botMsg(calls("a")), toolMsg(result("a", one)), botMsg(calls("b")),
				toolMsg(result("b", two))),
			want: history(q, botMsg(calls("a")), toolMsg(result("a", see)), userMsg(one),
				botMsg(calls("b")), toolMsg(result("b", see)), userMsg(two)),
			report: []string{
				"media-moved 2.0 preflight/media-in-result of a",
				"media-moved 4.0 preflight/media-in-result of b",
			},
		},
		{
			name: "the assistant's, behind the results of its calls", profile: users,
			in: history(q, botMsg(says("a"), one, calls("a")), toolMsg(answers("a", "x")), a),
			want: history(q, botMsg(says("a"), calls("a")), toolMsg(answers("a", "x")),
				userMsg(one), a),
			report: []string{"media-moved 1.1 preflight/media-role"},
		},
		{
			name: "media in a form that nobody knows, too", profile: users,
			in:     history(sysMsg(says("s"), unknown), q),
			want:   history(sysMsg(says("s")), userMsg(unknown), q),
			report: []string{"media-moved 0.1 preflight/media-role"},
		},
		{
			name: "a part of another kind stays", profile: users,
			in: history(sysMsg(says("s"), &preflight.Other{Kind: "new"}), q),
		},
		{
			name: "a result that holds none stays", profile: users,
			in: history(q, botMsg(calls("a")), toolMsg(answers("a", "x"))),
		},
		{
			name:    "where any role may hold it",
			profile: preflight.Profile{Media: provider.MediaRules{InResult: true}},
			in:      history(sysMsg(one), q, botMsg(two, calls("a")), toolMsg(result("a", three))),
		},
	})
}

// TestDescribeMedia: a line of text stands where the model takes no media, with what the media
// carried.
func TestDescribeMedia(t *testing.T) {
	images := preflight.Profile{
		Media: provider.MediaRules{Kinds: []string{"image"}, InResult: true},
	}
	carried := preflight.Carried{
		Meta:  preflight.Metadata{"mine": []byte(`1`)},
		Cache: []byte(`{"type":"ephemeral"}`),
	}
	video := &preflight.Media{Carried: carried, Kind: "video", URL: "https://e/a.mp4"}
	line := &preflight.Text{Carried: carried, Text: "[video: https://e/a.mp4]"}
	result := func(parts ...preflight.Part) preflight.Message {
		return toolMsg(&preflight.ToolResult{CallID: "a", Content: parts})
	}
	q, call := userMsg(says("q")), botMsg(calls("a"))
	runFixer(t, preflight.DescribeMedia, []fixerCase{
		{
			name: "a kind that is refused", profile: images,
			in:     history(userMsg(says("q"), video, image())),
			want:   history(userMsg(says("q"), line, image())),
			report: []string{"part-to-text 0.1 preflight/media-refused"},
		},
		{
			name: "in a result", profile: images,
			in:     history(q, call, result(says("1"), image(), video)),
			want:   history(q, call, result(says("1"), image(), says("[video: https://e/a.mp4]"))),
			report: []string{"part-to-text 2.0 preflight/media-refused of a"},
		},
		{
			name:    "any kind, of a model that reads text",
			profile: preflight.Profile{Media: provider.MediaRules{TextOnly: true}},
			in:      history(userMsg(image())),
			want:    history(userMsg(says("[image: https://example.com/a.png]"))),
			report:  []string{"part-to-text 0.0 preflight/media-refused"},
		},
		{
			name: "a kind that nobody named is not judged", profile: images,
			in: history(userMsg(&preflight.Media{URL: "u"})),
		},
		{
			name:    "a file id is no address",
			profile: preflight.Profile{Media: provider.MediaRules{NoURLs: true}},
			in:      history(userMsg(&preflight.Media{Kind: "image", FileID: "f"})),
		},
		{
			name:    "data beside an address",
			profile: preflight.Profile{Media: provider.MediaRules{NoURLs: true}},
			in: history(userMsg(&preflight.Media{
				Kind: "image", Data: "AAAA", URL: "https://e/a.png",
			})),
		},
		{name: "any kind may come", in: history(userMsg(video))},
	})
}
