package remedy

import (
	"context"
	"encoding/base64"
	"image"
	_ "image/gif" // whose heads are read
	_ "image/jpeg"
	_ "image/png"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// This file is the remedies that read what the refusal says of single parts: their kind, their
// size, or what the server that made them can no longer read. Parts that it does not speak of stay.

// kindForms are the forms in which a refusal says that it does not know the kind of a block.
// Sources: Anthropic, anthropics/claude-code#28870; serde's, docs.rs/serde; pydantic's,
// docs.pydantic.dev/latest/errors/validation_errors; OpenAI, rule openai-chat/part-type.
var kindForms = sync.OnceValue(func() []*regexp.Regexp {
	const name = "[\"'`]" + `([A-Za-z][A-Za-z0-9_]{2,63})` + "[\"'`]"
	return []*regexp.Regexp{
		// Input tag 'tool_reference' found using 'type' does not match any of the expected tags
		regexp.MustCompile(`(?i)\binput tag ` + name + ` found using ["'\x60]{0,2}type`),
		// unknown variant `tool_reference`, expected one of `text`, `image`
		regexp.MustCompile(`(?i)\bunknown variant ` + name),
		// type=literal_error, input_value='tool_reference'
		regexp.MustCompile(`(?i)\bliteral_error["']?, ["']?input_value["']?[=:] ?` + name),
		// Invalid value: 'tool_reference'. Supported values are: 'input_text'
		regexp.MustCompile(`(?i)\binvalid value: ` + name + `\. supported values are`),
		// unsupported content type 'image_url'
		regexp.MustCompile(`(?i)\bunsupported (?:content|block|part|item) type:? ` + name),
	}
})

// unkindForm says that some kind of block is not known, and not which. The block that is on record
// is a reference to a tool: vllm-project/vllm#52489.
var unkindForm = regexp.MustCompile(`(?i)\bunexpected item type in content\b`)

// unkind is the block that unkindForm is on record for.
const unkind = "tool_reference"

// staleForm says that a provider can no longer read the result of a tool of its own. Sources:
// Advisor, anthropics/claude-code#49994.
var staleForm = regexp.MustCompile(
	`(?i)\b([a-z_]+)[ _]tool[ _]result(?:[\x60'"]?s?)? (?:block )?(?:content )?` +
		`(?:could|can) ?not be (?:processed|decrypted|verified)`)

// bytesForm and pixelsForm say how large an image may be. Sources: rules anthropic/image-size and
// anthropic/many-image-dimension.
var (
	bytesForm = regexp.MustCompile(
		`(?i)\bimage exceeds [0-9.]+ ?[KM]i?B maximum: (\d+) bytes > (\d+) bytes`)
	pixelsForm = regexp.MustCompile(`(?i)\bimage dimensions exceed max allowed size` +
		`(?: for many-image requests)?: (\d+) pixels`)
)

// fileForm says that the provider does not hold a file. Sources: the error of the Files APIs of
// OpenAI and of Anthropic.
var fileForm = regexp.MustCompile(`(?i)\bfile(?: with id| object)?:? ["'\x60]?` +
	`(file[-_][A-Za-z0-9_-]+)["'\x60]?,? (?:was |is |has )?` +
	`(?:not found|expired|been deleted|does not exist)|` +
	`\b(?:no such file(?: object)?|file not found): ["'\x60]?(file[-_][A-Za-z0-9_-]+)`)

// dropKind takes the blocks out whose kind the refusal names as unknown. A reference to a tool in a
// result becomes a line of text where the result would be empty, and media a description.
func dropKind(options *wire.Options, _ []byte, refusal string) bool {
	kinds := map[string]bool{}
	for _, form := range kindForms() {
		for _, m := range form.FindAllStringSubmatch(refusal, maxNamed) {
			kinds[m[1]] = true
		}
	}
	if unkindForm.MatchString(refusal) {
		kinds[unkind] = true
	}
	if len(kinds) == 0 {
		return false
	}
	return changeParts(options, "drop-kind", func(p preflight.Part) (preflight.Part, bool) {
		switch p := p.(type) {
		case *preflight.Other:
			return nil, !kinds[p.Kind]
		case *preflight.Media:
			return describedMedia(p), !kinds[p.Kind] && !kinds[p.Kind+"_url"] &&
				!kinds["input_"+p.Kind] &&
				(p.Kind != "document" || !kinds["file"] && !kinds["input_file"])
		}
		return p, true
	})
}

// dropServed takes out what the provider's own tools gave, with its call, where the refusal says
// that it can no longer be read.
func dropServed(options *wire.Options, _ []byte, refusal string) bool {
	m := staleForm.FindStringSubmatch(refusal)
	if m == nil {
		return false
	}
	variant := strings.ToLower(strings.ReplaceAll(m[1], " ", "_")) + "_tool_result"
	options.Options.Hooks = append(options.Options.Hooks, preflight.Hook{
		Name: "drop-served",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			gone := map[string]bool{}
			for _, p := range m.Parts {
				if r, ok := p.(*preflight.ToolResult); ok && r.Variant == variant {
					gone[r.CallID] = true
				}
			}
			if len(gone) > 0 {
				m.Parts = slices.DeleteFunc(m.Parts, func(p preflight.Part) bool {
					switch p := p.(type) {
					case *preflight.ToolResult:
						return gone[p.CallID] && p.Variant == variant
					case *preflight.ToolCall:
						return gone[p.ID] && p.ProviderExecuted
					}
					return false
				})
			}
			return m, nil
		},
	})
	return true
}

// describeMedia describes the images that are larger than the refusal says an image may be, the one
// in the place that it names, and files that it says the provider does not hold.
func describeMedia(options *wire.Options, sent []byte, refusal string) bool {
	over := slices.Concat(overBytes(sent, refusal), overPixels(sent, refusal), unheldFiles(refusal))
	if len(over) == 0 {
		return false
	}
	return changeParts(options, "describe-media", func(p preflight.Part) (preflight.Part, bool) {
		m, ok := p.(*preflight.Media)
		if !ok {
			return p, true
		}
		return describedMedia(m), !slices.ContainsFunc(over,
			func(is func(*preflight.Media) bool) bool { return is(m) })
	})
}

// overBytes tells the images that have more bytes than the refusal says they may. Where it says how
// many the one has that it found, this tells whether it counts them encoded.
func overBytes(sent []byte, refusal string) []func(*preflight.Media) bool {
	m := bytesForm.FindStringSubmatch(refusal)
	if m == nil {
		return nil
	}
	found, limit := number(m[1]), number(m[2])
	if limit == 0 || found <= limit {
		return nil
	}
	size := func(m *preflight.Media) int { return len(imageData(m)) }
	doc, err := jsonscan.Parse(sent)
	if err == nil && !holdsText(doc.Root(), found) {
		size = func(m *preflight.Media) int {
			data := strings.TrimRight(imageData(m), "=")
			return base64.RawStdEncoding.DecodedLen(len(data))
		}
	}
	return []func(*preflight.Media) bool{
		func(m *preflight.Media) bool { return m.Kind == "image" && size(m) > limit },
	}
}

// overPixels tells the images with a side that is longer than the refusal says, and the one in the
// place that it names.
func overPixels(sent []byte, refusal string) []func(*preflight.Media) bool {
	m := pixelsForm.FindStringSubmatch(refusal)
	if m == nil || number(m[1]) == 0 {
		return nil
	}
	limit, named := number(m[1]), namedData(sent, refusal)
	return []func(*preflight.Media) bool{func(m *preflight.Media) bool {
		data := imageData(m)
		return m.Kind == "image" && data != "" && (data == named || largestSide(data) > limit)
	}}
}

// unheldFiles tells the files that the refusal says the provider does not hold.
func unheldFiles(refusal string) []func(*preflight.Media) bool {
	ids := map[string]bool{}
	for _, m := range fileForm.FindAllStringSubmatch(refusal, maxNamed) {
		ids[m[1]+m[2]] = true
	}
	if len(ids) == 0 {
		return nil
	}
	return []func(*preflight.Media) bool{
		func(m *preflight.Media) bool { return m.Data == "" && ids[m.FileID] },
	}
}

// changeParts makes options stricter by a hook that changes parts, those in results included:
// change returns the part to put in place of one, nil for none, and whether the one may stay as it
// is. The result is always true.
func changeParts(
	options *wire.Options, name string,
	change func(preflight.Part) (instead preflight.Part, stays bool),
) bool {
	replaced := func(parts []preflight.Part, emptied func() []preflight.Part) []preflight.Part {
		var out []preflight.Part
		for _, p := range parts {
			instead, stays := change(p)
			switch {
			case stays:
				out = append(out, p)
			case instead != nil:
				out = append(out, instead)
			}
		}
		if len(parts) > 0 && len(out) == 0 {
			return emptied()
		}
		return out
	}
	options.Options.Hooks = append(options.Options.Hooks, preflight.Hook{
		Name: name,
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			for _, p := range m.Parts {
				if r, ok := p.(*preflight.ToolResult); ok && !r.ProviderExecuted {
					r.Content = replaced(r.Content, func() []preflight.Part {
						return []preflight.Part{&preflight.Text{Text: kindsOf(r.Content)}}
					})
				}
			}
			m.Parts = replaced(m.Parts, func() []preflight.Part { return nil })
			if len(m.Parts) == 0 {
				return preflight.Message{}, nil
			}
			return m, nil
		},
	})
	return true
}

// kindsOf returns a line of text in place of parts that are nothing else: a tool that was referred
// to is named.
func kindsOf(parts []preflight.Part) string {
	var out []string
	for _, p := range parts {
		o, ok := p.(*preflight.Other)
		if !ok {
			continue
		}
		name := o.Kind
		if doc, err := jsonscan.Parse(o.Native.JSON); err == nil {
			if tool := doc.Root().Get("tool_name").Str(); allPlain([]string{tool}) && tool != "" {
				name += ": " + tool
			}
		}
		out = append(out, "["+name+"]")
	}
	return strings.Join(out, " ")
}

// describedMedia returns the line of text in place of media, as every repair writes it.
func describedMedia(m *preflight.Media) preflight.Part {
	history := []preflight.Message{{Role: preflight.RoleUser, Parts: []preflight.Part{m}}}
	out, _ := preflight.Fixers.DescribeMedia.Apply(history,
		&preflight.Profile{Media: provider.MediaRules{TextOnly: true}}, nil)
	return out[0].Parts[0]
}

// imageData returns the base64 data of media, from its address where that holds it.
func imageData(m *preflight.Media) string {
	if _, data, ok := strings.Cut(m.URL, ";base64,"); ok && m.Data == "" {
		return data
	}
	return m.Data
}

// holdsText reports whether a value holds a string of n bytes.
func holdsText(v jsonscan.Value, n int) bool {
	if v.Kind() == jsonscan.String {
		text := v.Str()
		if strings.HasPrefix(text, "data:") {
			_, text, _ = strings.Cut(text, ",")
		}
		return len(text) == n
	}
	if v.Kind() == jsonscan.Object || v.Kind() == jsonscan.Array {
		for c := v.First(); c.Exists(); c = c.Next() {
			if holdsText(c, n) {
				return true
			}
		}
	}
	return false
}

// placeForm is a place in the history that a refusal begins with.
var placeForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pathForm + `:`) })

// namedData returns the data of the image in the place that a refusal names.
func namedData(sent []byte, refusal string) string {
	m := placeForm().FindStringSubmatch(refusal)
	doc, err := jsonscan.Parse(sent)
	if m == nil || err != nil {
		return ""
	}
	steps := stepsOf(m[1])
	found, _ := locate(doc.Root(), named{steps, "data"})
	return found.object.Get("data").Str()
}

// largestSide returns the longer side of an image in pixels, 0 where its head does not tell.
func largestSide(data string) int {
	config, _, err := image.DecodeConfig(base64.NewDecoder(base64.StdEncoding,
		strings.NewReader(data)))
	if err != nil {
		return 0
	}
	return max(config.Width, config.Height)
}

// number returns the number that digits are, 0 for one that is too large.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}
