package preflighteino

import (
	"reflect"
	"strings"

	"github.com/cloudwego/eino/schema"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
)

// This file reads and writes the content of messages, which is a string, or one of three lists of
// parts: of what a user gives, of what a model makes, and of what both were before eino told them
// apart.

// readContent returns the parts of a message's content. A list replaces the string.
func readContent(m *schema.Message) []preflight.Part {
	var parts []preflight.Part
	switch {
	case len(m.UserInputMultiContent) > 0:
		for i := range m.UserInputMultiContent {
			parts = append(parts, readInput(&m.UserInputMultiContent[i]))
		}
	case len(m.AssistantGenMultiContent) > 0:
		for i := range m.AssistantGenMultiContent {
			parts = append(parts, readOutput(&m.AssistantGenMultiContent[i]))
		}
	case len(m.MultiContent) > 0:
		for i := range m.MultiContent {
			parts = append(parts, readOlder(&m.MultiContent[i]))
		}
	case m.Content != "":
		parts = []preflight.Part{&preflight.Text{Text: m.Content}}
	}
	return parts
}

// contentLen returns how many parts readContent makes.
func contentLen(m *schema.Message) int {
	for _, n := range []int{
		len(m.UserInputMultiContent), len(m.AssistantGenMultiContent), len(m.MultiContent),
	} {
		if n > 0 {
			return n
		}
	}
	return min(len(m.Content), 1)
}

func readInput(p *schema.MessageInputPart) preflight.Part {
	switch {
	case p.Type == schema.ChatMessagePartTypeText:
		return &preflight.Text{Text: p.Text}
	case p.Image != nil:
		return readMedia("image", &p.Image.MessagePartCommon, "")
	case p.Audio != nil:
		return readMedia("audio", &p.Audio.MessagePartCommon, "")
	case p.Video != nil:
		return readMedia("video", &p.Video.MessagePartCommon, "")
	case p.File != nil:
		return readMedia("document", &p.File.MessagePartCommon, p.File.Name)
	}
	return &preflight.Other{Kind: string(p.Type)}
}

func readOutput(p *schema.MessageOutputPart) preflight.Part {
	switch {
	case p.Type == schema.ChatMessagePartTypeText:
		return &preflight.Text{Text: p.Text}
	case p.Image != nil:
		return readMedia("image", &p.Image.MessagePartCommon, "")
	case p.Audio != nil:
		return readMedia("audio", &p.Audio.MessagePartCommon, "")
	case p.Video != nil:
		return readMedia("video", &p.Video.MessagePartCommon, "")
	}
	return &preflight.Other{Kind: string(p.Type)}
}

func readOlder(p *schema.ChatMessagePart) preflight.Part {
	switch {
	case p.Type == schema.ChatMessagePartTypeText:
		return &preflight.Text{Text: p.Text}
	case p.ImageURL != nil:
		return &preflight.Media{Kind: "image", MediaType: p.ImageURL.MIMEType, URL: p.ImageURL.URL}
	case p.AudioURL != nil:
		return &preflight.Media{Kind: "audio", MediaType: p.AudioURL.MIMEType, URL: p.AudioURL.URL}
	case p.VideoURL != nil:
		return &preflight.Media{Kind: "video", MediaType: p.VideoURL.MIMEType, URL: p.VideoURL.URL}
	case p.FileURL != nil:
		return &preflight.Media{
			Kind:      "document",
			MediaType: p.FileURL.MIMEType,
			URL:       p.FileURL.URL,
			Name:      p.FileURL.Name,
		}
	}
	return &preflight.Other{Kind: string(p.Type)}
}

func readMedia(kind string, c *schema.MessagePartCommon, name string) preflight.Part {
	m := &preflight.Media{Kind: kind, MediaType: c.MIMEType, Name: name}
	if c.URL != nil {
		m.URL = *c.URL
	}
	if c.Base64Data != nil {
		m.Data = *c.Base64Data
	}
	return m
}

// writeContent gives a message, a copy of the one it was made of, its content: a list where that
// one had a list, or where there is more than text; a string otherwise.
func writeContent(
	m *schema.Message,
	parts []preflight.Part,
	origin adapter.Origin[*schema.Message],
) error {
	had := *m
	m.Content = ""
	m.MultiContent = nil
	m.UserInputMultiContent = nil
	m.AssistantGenMultiContent = nil
	listed := len(had.MultiContent)+len(had.UserInputMultiContent)+
		len(had.AssistantGenMultiContent) > 0
	if listed {
		m.Content = had.Content // no one reads it beside a list
	}
	if text, ok := onlyText(parts); ok && (!listed || len(parts) == 0) {
		m.Content = text
		return nil
	}
	var err error
	switch {
	case len(had.MultiContent) > 0:
		m.MultiContent, err = writeParts(parts, origin,
			func(from *schema.Message) []schema.ChatMessagePart { return from.MultiContent },
			readOlder, newOlder)
	case len(had.AssistantGenMultiContent) > 0 || !listed && m.Role == schema.Assistant:
		m.AssistantGenMultiContent, err = writeParts(parts, origin,
			func(from *schema.Message) []schema.MessageOutputPart {
				return from.AssistantGenMultiContent
			}, readOutput, newOutput)
	default:
		m.UserInputMultiContent, err = writeParts(parts, origin,
			func(from *schema.Message) []schema.MessageInputPart {
				return from.UserInputMultiContent
			}, readInput, newInput)
	}
	return err
}

// onlyText returns the text of parts that are nothing else.
func onlyText(parts []preflight.Part) (string, bool) {
	texts := make([]string, len(parts))
	for i, p := range parts {
		t, ok := p.(*preflight.Text)
		if !ok {
			return "", false
		}
		texts[i] = t.Text
	}
	return strings.Join(texts, "\n"), true
}

// writeParts returns parts in a list of one of the three types: the caller's own values where they
// still say the same.
func writeParts[P any](
	parts []preflight.Part,
	origin adapter.Origin[*schema.Message],
	list func(*schema.Message) []P,
	read func(*P) preflight.Part,
	fresh func(p preflight.Part, was *P) (P, error),
) ([]P, error) {
	out := make([]P, 0, len(parts))
	for _, p := range parts {
		was := sourceOf(p, origin, list)
		if was != nil && reflect.DeepEqual(p, read(was)) {
			out = append(out, *was)
			continue
		}
		made, err := fresh(p, was)
		if err != nil {
			return nil, err
		}
		out = append(out, made)
	}
	return out, nil
}

// sourceOf returns the element of the list that a part was read from, nil if there is none.
func sourceOf[P any](
	p preflight.Part,
	origin adapter.Origin[*schema.Message],
	list func(*schema.Message) []P,
) *P {
	from, k := origin(p)
	if from == nil {
		return nil
	}
	if (*from).Role != schema.Tool && (*from).ReasoningContent != "" {
		k--
	}
	parts := list(*from)
	if k < 0 || k >= len(parts) {
		return nil
	}
	return &parts[k]
}

// common returns the data of a medium, in place of what was there.
func common(m *preflight.Media, was schema.MessagePartCommon) schema.MessagePartCommon {
	was.MIMEType, was.URL, was.Base64Data = m.MediaType, nil, nil
	if m.URL != "" {
		was.URL = &m.URL
	}
	if m.Data != "" {
		was.Base64Data = &m.Data
	}
	return was
}

func newInput(
	p preflight.Part,
	was *schema.MessageInputPart,
) (out schema.MessageInputPart, err error) {
	if was != nil {
		out = *was
	}
	if t, ok := p.(*preflight.Text); ok {
		return schema.MessageInputPart{
			Type:  schema.ChatMessagePartTypeText,
			Text:  t.Text,
			Extra: out.Extra,
		}, nil
	}
	m, ok := p.(*preflight.Media)
	if !ok || m.FileID != "" {
		return out, unfit("content of kind " + preflight.PartKind(p))
	}
	switch m.Kind {
	case "image":
		out.Type, out.Image = schema.ChatMessagePartTypeImageURL, copyOf(out.Image)
		out.Image.MessagePartCommon = common(m, out.Image.MessagePartCommon)
	case "audio":
		out.Type, out.Audio = schema.ChatMessagePartTypeAudioURL, copyOf(out.Audio)
		out.Audio.MessagePartCommon = common(m, out.Audio.MessagePartCommon)
	case "video":
		out.Type, out.Video = schema.ChatMessagePartTypeVideoURL, copyOf(out.Video)
		out.Video.MessagePartCommon = common(m, out.Video.MessagePartCommon)
	default:
		out.Type, out.File = schema.ChatMessagePartTypeFileURL, copyOf(out.File)
		out.File.MessagePartCommon, out.File.Name = common(m, out.File.MessagePartCommon), m.Name
	}
	return out, nil
}

func newOutput(
	p preflight.Part,
	was *schema.MessageOutputPart,
) (out schema.MessageOutputPart, err error) {
	if was != nil {
		out = *was
	}
	if t, ok := p.(*preflight.Text); ok {
		return schema.MessageOutputPart{
			Type:  schema.ChatMessagePartTypeText,
			Text:  t.Text,
			Extra: out.Extra,
		}, nil
	}
	m, ok := p.(*preflight.Media)
	if !ok || m.FileID != "" {
		return out, unfit("content of kind " + preflight.PartKind(p))
	}
	switch m.Kind {
	case "image":
		out.Type, out.Image = schema.ChatMessagePartTypeImageURL, copyOf(out.Image)
		out.Image.MessagePartCommon = common(m, out.Image.MessagePartCommon)
	case "audio":
		out.Type, out.Audio = schema.ChatMessagePartTypeAudioURL, copyOf(out.Audio)
		out.Audio.MessagePartCommon = common(m, out.Audio.MessagePartCommon)
	case "video":
		out.Type, out.Video = schema.ChatMessagePartTypeVideoURL, copyOf(out.Video)
		out.Video.MessagePartCommon = common(m, out.Video.MessagePartCommon)
	default:
		return out, unfit("a document that a model made")
	}
	return out, nil
}

// newOlder writes only text: lists of the older kind are no longer made.
func newOlder(p preflight.Part, _ *schema.ChatMessagePart) (schema.ChatMessagePart, error) {
	t, ok := p.(*preflight.Text)
	if !ok {
		return schema.ChatMessagePart{}, unfit(
			"content of kind " + preflight.PartKind(p) +
				" in MultiContent, which eino has replaced")
	}
	return schema.ChatMessagePart{Type: schema.ChatMessagePartTypeText, Text: t.Text}, nil
}

// copyOf returns a copy of what v points to, if to anything.
func copyOf[T any](v *T) *T {
	out := new(T)
	if v != nil {
		*out = *v
	}
	return out
}
