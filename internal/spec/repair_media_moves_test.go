package spec

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// This file tests media that may not stay where they are.

// TestMediaInResults: inside a tool result media is repaired and emptied like any other, with one
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
	runFixer(t, preflight.Fixers.RepairMedia, []fixerCase{
		{
			name: "the types of all", profile: takes,
			in:     of(says("1"), right, wrong, wrong),
			want:   of(says("1"), right, right, right),
			report: []string{"media-repaired 2.0 preflight/media-type of a"},
		},
		{
			name: "empty media is removed", profile: takes,
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
	out, warnings := preflight.Fixers.RepairMedia.Apply(refused, &takes, nil)
	require.Equal(t, []string{"media-repaired 2.0 preflight/media-type of a"}, reported(warnings),
		"media that is refused is the business of DescribeMedia")
	require.Empty(t,
		cmp.Diff(of(refused[2].Parts[0].(*preflight.ToolResult).Content[0], right), out))
}

// TestEmptyMedia: media without its data is removed; a document that only its JSON describes may be
// one of an unknown form.
func TestEmptyMedia(t *testing.T) {
	native := preflight.Carried{Native: preflight.Native{Format: "x", JSON: []byte(`{"x":1}`)}}
	gone := []string{"media-removed 0.1 preflight/media-empty"}
	q := says("q")
	with := func(m *preflight.Media) []preflight.Message { return history(userMsg(q, m)) }
	runFixer(t, preflight.Fixers.RepairMedia, []fixerCase{
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

// TestMediaMoves: media leaves the places that may not hold it, in order, for one user turn after
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
	image, both := says("(the next image is from the result of tool f)"),
		says("(the next 2 media are from the result of tool f)")
	unknown := &preflight.Other{Kind: "document"}
	runFixer(t, preflight.Fixers.RepairMedia, []fixerCase{
		{
			name: "out of several results, after all of them", profile: users,
			in: history(q, botMsg(calls("a"), calls("b")),
				toolMsg(result("a", one, says("x"), two)), toolMsg(result("b", three)), a),
			want: history(q, botMsg(calls("a"), calls("b")),
				toolMsg(result("a", says("x"), see)), toolMsg(result("b", see)),
				userMsg(both, one, two, image, three), a),
			report: []string{
				"media-moved 2.0 preflight/media-in-result of a",
				"media-moved 3.0 preflight/media-in-result of b",
			},
		},
		{
			name: "each turn's after its own results", profile: users,
			in: history(q, botMsg(calls("a")), toolMsg(result("a", one)), botMsg(calls("b")),
				toolMsg(result("b", two))),
			want: history(q, botMsg(calls("a")), toolMsg(result("a", see)), userMsg(image, one),
				botMsg(calls("b")), toolMsg(result("b", see)), userMsg(image, two)),
			report: []string{
				"media-moved 2.0 preflight/media-in-result of a",
				"media-moved 4.0 preflight/media-in-result of b",
			},
		},
		{
			name: "the assistant's, after the results of its calls", profile: users,
			in: history(q, botMsg(says("a"), one, calls("a")), toolMsg(answers("a", "x")), a),
			want: history(q, botMsg(says("a"), calls("a")), toolMsg(answers("a", "x")),
				userMsg(says("(the next image is from a message of role assistant)"), one), a),
			report: []string{"media-moved 1.1 preflight/media-role"},
		},
		{
			name: "media in a form that is unknown, too", profile: users,
			in: history(sysMsg(says("s"), unknown), q),
			want: history(sysMsg(says("s")),
				userMsg(says("(the next file is from a message of role system)"), unknown), q),
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

// TestDescribeMedia: a line of text replaces media that the model refuses, with what the media
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
	runFixer(t, preflight.Fixers.DescribeMedia, []fixerCase{
		{
			name: "a kind that is refused", profile: images,
			in:     history(userMsg(says("q"), video, image())),
			want:   history(userMsg(says("q"), line, image())),
			report: []string{"media-described 0.1 preflight/media-refused"},
		},
		{
			name: "in a result", profile: images,
			in:     history(q, call, result(says("1"), image(), video)),
			want:   history(q, call, result(says("1"), image(), says("[video: https://e/a.mp4]"))),
			report: []string{"media-described 2.0 preflight/media-refused of a"},
		},
		{
			name:    "any kind, of a model that reads text",
			profile: preflight.Profile{Media: provider.MediaRules{TextOnly: true}},
			in:      history(userMsg(image())),
			want:    history(userMsg(says("[image: https://example.com/a.png]"))),
			report:  []string{"media-described 0.0 preflight/media-refused"},
		},
		{
			name: "what has no kind is a document, unless its type tells", profile: images,
			in: history(userMsg(&preflight.Media{URL: "u"},
				&preflight.Media{MediaType: "image/png", URL: "v"})),
			want: history(userMsg(says("[media: u]"),
				&preflight.Media{MediaType: "image/png", URL: "v"})),
			report: []string{"media-described 0.0 preflight/media-refused"},
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
