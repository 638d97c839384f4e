package spec

import (
	"context"
	"encoding/base64"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file tests media that a provider refuses: kinds, types and names.

// TestRefusedMedia: media of a kind or in a form that the provider refuses is a violation, and
// becomes a line of text; other media stays. Sources: the profiles' fields MediaKinds and
// NoMediaURLs, and for Bedrock
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageSource.html (bytes or
// s3Location).
func TestRefusedMedia(t *testing.T) {
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
		{"data of a kind that is not named", *provider.Bedrock(""),
			&preflight.Media{Kind: "image", MediaType: "x", Data: "AAAA"}, "[image omitted]"},
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
			found := preflight.Check(h, &c.profile, nil)
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
				preflight.At(0, 1),
				preflight.At(2, 0, 0),
			} {
				require.Equal(t, problems.MediaRefused, found[k].Problem)
				require.Equal(t, at, found[k].At)
				require.Equal(t, codes.MediaDescribed, res.Warnings[k].Code)
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
				len(preflight.Check(history(userMsg(given)), &profile, nil)) > 0)
			declared := preflight.Profile{}
			require.Empty(t, preflight.Check(history(userMsg(given)), &declared, nil),
				"not asked for")
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
		{"not asked for", preflight.Profile{}, file("", "application/pdf"), nil, ""},
		{"a title that fits", short, linked("a b c"), nil, ""},
		{"a title that is too long", short, linked("abcdef"), linked("abcde"), "media-name"},
		{"cut at a space", short, linked("abcd efg"), linked("abcd"), "media-name"},
		{"refused characters become one space", short, linked("a.. .b"), linked("a b"),
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
	runFixer(t, preflight.Fixers.RepairMedia, cases)
}

func TestRepairMedia(t *testing.T) {
	const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
	picture := func(mediaType, data string) *preflight.Media {
		return &preflight.Media{Kind: "image", MediaType: mediaType, Data: data}
	}
	users := preflight.Profile{
		Media: provider.MediaRules{Roles: []preflight.Role{preflight.RoleUser}, InResult: true},
	}
	result := func(content ...preflight.Part) preflight.Message {
		return toolMsg(&preflight.ToolResult{CallID: "a", Content: content})
	}
	runFixer(t, preflight.Fixers.RepairMedia, []fixerCase{
		{
			name:    "the type is what the bytes say",
			profile: preflight.Profile{Media: provider.MediaRules{MatchType: true}},
			in:      history(userMsg(picture("image/jpeg", png))),
			want:    history(userMsg(picture("image/png", png))),
			codes:   warned(codes.MediaRepaired),
		},
		{
			name:    "a WebP file is known by its twelfth byte",
			profile: preflight.Profile{Media: provider.MediaRules{MatchType: true}},
			in:      history(userMsg(picture("image/png", "UklGRiQAAABXRUJQVlA4IA=="))),
			want:    history(userMsg(picture("image/webp", "UklGRiQAAABXRUJQVlA4IA=="))),
			codes:   warned(codes.MediaRepaired),
		},
		{
			name:    "another RIFF file is no WebP",
			profile: preflight.Profile{Media: provider.MediaRules{MatchType: true}},
			in:      history(userMsg(picture("image/png", "UklGRiQAAABXQVZFZm10IA=="))),
		},
		{
			name:  "media without data or address is removed",
			in:    history(userMsg(says("q"), picture("image/png", ""))),
			want:  history(userMsg(says("q"))),
			codes: warned(codes.MediaRemoved),
		},
		{
			name: "the assistant's moves to a user turn after it", profile: users,
			in: history(userMsg(says("q")), botMsg(says("a"), image())),
			want: history(userMsg(says("q")), botMsg(says("a")),
				userMsg(says("(the next image is from a message of role assistant)"), image())),
			codes: warned(codes.MediaMoved),
		},
		{
			name: "out of a result, after the results, which says so",
			in:   history(userMsg(says("q")), botMsg(calls("a")), result(says("see"), image())),
			want: history(userMsg(says("q")), botMsg(calls("a")),
				result(says("see"), says("(see the media in the next user message)")),
				userMsg(says("(the next image is from the result of tool f)"), image())),
			codes: warned(codes.MediaMoved),
		},
		{
			name: "a title in letters the provider takes",
			profile: preflight.Profile{
				Media: provider.MediaRules{Title: provider.Pattern{Alphabet: provider.NameChars}},
			},
			in: history(userMsg(&preflight.Media{
				Kind: "document", Data: "JVBERi0=", Name: "a#b.pdf",
			})),
			want: history(userMsg(&preflight.Media{
				Kind: "document", Data: "JVBERi0=", Name: "a b pdf",
			})),
			codes: warned(codes.MediaRepaired),
		},
		{
			name: "of which nothing is left",
			profile: preflight.Profile{
				Media: provider.MediaRules{
					Title: provider.Pattern{Alphabet: provider.NameChars, Min: 1},
				},
			},
			in: history(userMsg(&preflight.Media{
				Kind: "document", Data: "JVBERi0=", Name: "./.",
			})),
			want: history(userMsg(&preflight.Media{
				Kind: "document", Data: "JVBERi0=", Name: "document",
			})),
			codes: warned(codes.MediaRepaired),
		},
		{
			name: "media where it is allowed", profile: users,
			in: history(userMsg(image()), botMsg(calls("a")), result(image())),
		},
	})
}

// Media that is empty and of a kind that the model does not take is described, whatever else there
// is to repair: otherwise a later message would change what was sent before.
func TestEmptyRefusedMedia(t *testing.T) {
	h := history(userMsg(says("q")), botMsg(calls("a")),
		toolMsg(&preflight.ToolResult{CallID: "a", Content: []preflight.Part{
			says("r"), &preflight.Media{Kind: "document"},
		}}),
		botMsg(says("d")), userMsg(says("q")))
	p := provider.Cohere("command-a-03-2025")
	sent, err := preflight.Sanitize(context.Background(), h, p, nil)
	require.NoError(t, err)
	again, err := preflight.Sanitize(context.Background(),
		append(h, botMsg(calls("b"))), p, nil)
	require.NoError(t, err)
	require.Equal(t, sent.Messages, again.Messages)
	require.Equal(t, codes.MediaDescribed, sent.Warnings[0].Code)
}
