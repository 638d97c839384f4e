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

// reasoning is the type of elements with reasoning, which eino has since v0.9. The type that is
// known here has no field for it, so that it counts as signed, and stays as it is.
const reasoning schema.ChatMessagePartType = "reasoning"

// signed stands for the signature of such reasoning.
const signed = "eino"

// readContent returns the parts of a message's content. A list replaces the string.
func readContent(m *schema.Message) []preflight.Part {
	var parts []preflight.Part
	for k := range contentLen(m) {
		p, ok := elementAt(m, k)
		if !ok {
			return []preflight.Part{&preflight.Text{Text: m.Content}}
		}
		parts = append(parts, readElement(&p))
	}
	return parts
}

// contentLen returns how many parts readContent makes.
func contentLen(m *schema.Message) int {
	for _, n := range []int{len(inputs(m)), len(outputs(m)), len(older(m))} {
		if n > 0 {
			return n
		}
	}
	return min(len(m.Content), 1)
}

// inputs, outputs and older return the list that is the content of m, nil if another one is.
func inputs(m *schema.Message) []schema.MessageInputPart { return m.UserInputMultiContent }

func outputs(m *schema.Message) []schema.MessageOutputPart {
	if len(m.UserInputMultiContent) > 0 {
		return nil
	}
	return m.AssistantGenMultiContent
}

func older(m *schema.Message) []schema.ChatMessagePart {
	if len(m.UserInputMultiContent)+len(m.AssistantGenMultiContent) > 0 {
		return nil
	}
	return m.MultiContent
}

// elementAt returns element k of a message's list as what a user gives, whose type can hold those
// of the others.
func elementAt(m *schema.Message, k int) (e schema.MessageInputPart, ok bool) {
	switch {
	case k < 0:
		return e, false
	case k < len(inputs(m)):
		return inputs(m)[k], true
	case k < len(outputs(m)):
		p := outputs(m)[k]
		e = schema.MessageInputPart{
			Type: p.Type, Text: p.Text, Extra: p.Extra,
			Audio: (*schema.MessageInputAudio)(p.Audio),
			Video: (*schema.MessageInputVideo)(p.Video),
		}
		if p.Image != nil {
			e.Image = &schema.MessageInputImage{MessagePartCommon: p.Image.MessagePartCommon}
		}
		return e, true
	case k < len(older(m)):
		return ofOlder(&older(m)[k]), true
	}
	return e, false
}

// ofOlder returns an element of the older list as what a user gives.
func ofOlder(p *schema.ChatMessagePart) schema.MessageInputPart {
	e := schema.MessageInputPart{Type: p.Type, Text: p.Text}
	common := func(url, uri, mime string, extra map[string]any) schema.MessagePartCommon {
		if url == "" {
			url = uri // one of them has the address
		}
		return schema.MessagePartCommon{URL: &url, MIMEType: mime, Extra: extra}
	}
	if m := p.ImageURL; m != nil {
		e.Image = &schema.MessageInputImage{
			MessagePartCommon: common(m.URL, m.URI, m.MIMEType, m.Extra), Detail: m.Detail,
		}
	}
	if m := p.AudioURL; m != nil {
		e.Audio = &schema.MessageInputAudio{
			MessagePartCommon: common(m.URL, m.URI, m.MIMEType, m.Extra),
		}
	}
	if m := p.VideoURL; m != nil {
		e.Video = &schema.MessageInputVideo{
			MessagePartCommon: common(m.URL, m.URI, m.MIMEType, m.Extra),
		}
	}
	if m := p.FileURL; m != nil {
		e.File = &schema.MessageInputFile{
			MessagePartCommon: common(m.URL, m.URI, m.MIMEType, m.Extra), Name: m.Name,
		}
	}
	return e
}

func readElement(p *schema.MessageInputPart) preflight.Part {
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
	case p.Type == reasoning:
		return &preflight.Reasoning{Signature: signed}
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

// writeContent gives a message, a copy of from if that is not nil, its content: a list where from
// had a list, or where there is more than text; a string otherwise. A list is of the kind that from
// had, or, for another role or content that it cannot hold, of the role's. Text alone in a list of
// an assistant or a tool becomes a string, because the models of eino-ext for OpenAI refuse such a
// list of a tool, and leave out the calls beside one of an assistant.
func writeContent(
	m, from *schema.Message,
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
	text, ok := onlyText(parts)
	if ok && (!listed || len(parts) == 0 || m.Role != schema.User && !hasExtra(parts, origin)) {
		m.Content = text
		return nil
	}
	var err error
	if len(older(&had)) > 0 {
		if m.MultiContent, err = writeParts(parts, origin, older, newOlder); err == nil {
			return nil
		}
		m.MultiContent = nil
	}
	given := m.Role != schema.Assistant
	if from != nil && from.Role == m.Role {
		given = len(inputs(&had)) > 0 || given && len(outputs(&had)) == 0
	}
	if given {
		m.UserInputMultiContent, err = writeParts(parts, origin, inputs, newInput)
	} else {
		m.AssistantGenMultiContent, err = writeParts(parts, origin, outputs, newOutput)
	}
	return err
}

// hasExtra reports whether elements that parts were read from have data of their own.
func hasExtra(parts []preflight.Part, origin adapter.Origin[*schema.Message]) bool {
	for _, p := range parts {
		from, k := sourceOf(p, origin)
		if from == nil {
			continue
		}
		if e, ok := elementAt(from, k); ok && len(e.Extra) > 0 {
			return true
		}
	}
	return false
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
	fresh func(e schema.MessageInputPart, was P) (P, error),
) ([]P, error) {
	out := make([]P, 0, len(parts))
	for _, p := range parts {
		from, k := sourceOf(p, origin)
		var e schema.MessageInputPart
		var was P
		if from != nil {
			var same bool
			e, same = elementAt(from, k)
			same = same && reflect.DeepEqual(p, readElement(&e))
			if own := list(from); k >= 0 && k < len(own) {
				if was = own[k]; same {
					out = append(out, was)
					continue
				}
			}
		}
		e, err := newElement(p, e)
		if err != nil {
			return nil, err
		}
		made, err := fresh(e, was)
		if err != nil {
			return nil, err
		}
		out = append(out, made)
	}
	return out, nil
}

// sourceOf returns the message that a part was read from, and its index in the content of that.
func sourceOf(p preflight.Part, origin adapter.Origin[*schema.Message]) (*schema.Message, int) {
	from, k := origin(p)
	if from == nil {
		return nil, -1
	}
	if (*from).Role != schema.Tool && (*from).ReasoningContent != "" {
		k--
	}
	return *from, k
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

// newElement returns an element for a part, with what is left of the one that it was read from.
func newElement(
	p preflight.Part,
	out schema.MessageInputPart,
) (schema.MessageInputPart, error) {
	if t, ok := p.(*preflight.Text); ok {
		out.Type, out.Text = schema.ChatMessagePartTypeText, t.Text
		out.Image, out.Audio, out.Video, out.File = nil, nil, nil, nil
		return out, nil
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

func newInput(e, _ schema.MessageInputPart) (schema.MessageInputPart, error) { return e, nil }

func newOutput(
	e schema.MessageInputPart,
	out schema.MessageOutputPart,
) (schema.MessageOutputPart, error) {
	out.Type, out.Text, out.Extra = e.Type, e.Text, e.Extra
	out.Image = nil
	out.Audio, out.Video = (*schema.MessageOutputAudio)(e.Audio), (*schema.MessageOutputVideo)(e.Video)
	if e.Image != nil {
		out.Image = &schema.MessageOutputImage{MessagePartCommon: e.Image.MessagePartCommon}
	}
	if e.File != nil {
		return out, unfit("a document that a model made")
	}
	return out, nil
}

// newOlder makes only text: lists of the older kind are no longer made.
func newOlder(
	e schema.MessageInputPart,
	_ schema.ChatMessagePart,
) (schema.ChatMessagePart, error) {
	if e.Type != schema.ChatMessagePartTypeText {
		return schema.ChatMessagePart{}, unfit("content that is no text in MultiContent")
	}
	return schema.ChatMessagePart{Type: e.Type, Text: e.Text}, nil
}

// copyOf returns a copy of what v points to, if to anything.
func copyOf[T any](v *T) *T {
	out := new(T)
	if v != nil {
		*out = *v
	}
	return out
}
