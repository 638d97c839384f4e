package histgen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// Valid generates histories that the provider of a profile accepts as they are: several rounds of
// tool use, parallel calls, signed and redacted thinking, provider-executed tools, media, system
// messages, cache breakpoints, unknown parts. Of the options the Request counts; nil options are
// the zero value.
func Valid(p *preflight.Profile, o *preflight.Options) *rapid.Generator[[]preflight.Message] {
	return made(p, o, false)
}

// Waiting generates histories that the provider of a profile would accept if they held the results
// of the calls that wait, by their Awaiting: in the last assistant turn with calls, which now and
// then the user speaks after.
func Waiting(p *preflight.Profile, o *preflight.Options) *rapid.Generator[[]preflight.Message] {
	return made(p, o, true)
}

func made(
	p *preflight.Profile, o *preflight.Options, waits bool,
) *rapid.Generator[[]preflight.Message] {
	return rapid.Custom(func(t *rapid.T) []preflight.Message {
		m := maker{t: t, p: p, mode: modeOf(o), waits: waits,
			ids: oneOf(t, "ids", "toolu_%02d", "call_%02d", "Ab-%02d_x")}
		return m.make()
	})
}

// maker makes one history, front to back.
type maker struct {
	t       *rapid.T
	p       *preflight.Profile
	mode    provider.Thinking
	h       []preflight.Message
	tags    int
	ids     string // the format of call ids
	calls   int    // calls so far, for ids that are unique
	inTurn  int    // calls so far in this turn, for ids that start again with each turn
	waits   bool   // the calls of the last exchange wait
	closing bool   // the last exchange: its assistant turn stays open
}

// modeOf returns the thinking mode of the request that a history is made for.
func modeOf(o *preflight.Options) provider.Thinking {
	if o == nil {
		return provider.ThinkingUnknown
	}
	return o.Request.Thinking
}

func (m *maker) make() []preflight.Message {
	m.leadingSystem()
	if !m.p.Turns.UserFirst && m.p.Provider != "" && chance(m.t, 8, "the assistant first") {
		m.answer()
	}
	for range pick(m.t, 4, "exchanges") {
		m.userTurn()
		m.toolRounds()
		if m.p.Pairing.ServedLater && !m.p.Tools.NoServerTools &&
			chance(m.t, 6, "served later") {
			m.servedAnswer()
		} else {
			m.answer()
		}
		m.midwaySystem()
	}
	m.closing = true
	ends := []func(){m.userTurn, m.endOnResults}
	if !m.p.Tools.NoServerTools {
		ends = append(ends, m.endPaused, m.endMixed)
	}
	if !m.p.Prefill.Refused {
		ends = append(ends, func() { m.userTurn(); m.toolRounds(); m.answer() })
	}
	if m.waits {
		ends = []func(){m.endWaiting}
	}
	ends[pick(m.t, len(ends), "ending")]()
	m.markCache()
	return m.h
}

// markCache puts cache breakpoints on a few parts: no more than the provider takes, none on
// reasoning or empty text, and long-lived ones first.
func (m *maker) markCache() {
	left := m.p.Cache.Limit
	if left == 0 {
		left = 6
	}
	marker := json.RawMessage(`{"type":"ephemeral","ttl":"1h"}`)
	for i := range m.h {
		for j, p := range m.h[i].Parts {
			if text, ok := p.(*preflight.Text); ok && text.Text == "" {
				continue
			}
			media, ok := p.(*preflight.Media)
			if ok && m.p.Cache.NoDocument && media.Kind == "document" &&
				media.MediaType != "application/pdf" {
				continue
			}
			if _, ok := p.(*preflight.Reasoning); ok || left <= 0 || !chance(m.t, 10, "cache") {
				continue
			}
			if chance(m.t, 2, "short-lived") {
				marker = json.RawMessage(`{"type":"ephemeral"}`)
			}
			m.h[i].Parts[j] = withCache(p, marker)
			left--
		}
	}
}

func (m *maker) carried(kind string) preflight.Carried {
	m.tags++
	return tagged(kind + strconv.Itoa(m.tags))
}

var words = []string{
	"list the files", "ok", "What now?", "naïve – “quotes”", "{\"json\": 1}", "日本語 👍🏽",
	"No result, sorry", " leading space", "line\nline",
}

func (m *maker) words() string { return rapid.SampledFrom(words).Draw(m.t, "words") }

func (m *maker) text(kind string) *preflight.Text {
	text := &preflight.Text{Carried: m.carried(kind), Text: m.words()}
	if chance(m.t, 12, "native") {
		text.Native = preflight.Native{
			Format: "test",
			JSON: json.RawMessage(
				`{"type":"text","text":` + strconv.Quote("x") + `,"extra":1.0}`),
		}
	}
	if !m.p.Content.RefuseEmptyText && !m.p.Content.RefuseBlankText &&
		len(m.p.Content.NeedsText) == 0 && chance(m.t, 10, "empty text") {
		text.Text = oneOf(m.t, "empty", "", " ")
	}
	return text
}

func (m *maker) add(role preflight.Role, parts ...preflight.Part) {
	msg := preflight.Message{Role: role, Parts: parts}
	if chance(m.t, 10, "message metadata") {
		msg.Meta = preflight.Metadata{"openai": json.RawMessage(`{"k":[1,2.50]}`)}
	}
	if role == preflight.RoleUser && chance(m.t, 10, "name") {
		msg.Name = "ann-1"
	}
	m.h = append(m.h, msg)
}

func (m *maker) leadingSystem() {
	if m.p.System.Placement == provider.SystemRefused {
		return
	}
	most := 3
	if m.p.System.Single {
		most = 2
	}
	for range pick(m.t, most, "system messages") {
		m.add(preflight.RoleSystem, m.text("s"))
	}
}

// midwaySystem puts a system message after an answer where any place will do; where it has to
// follow a user turn, toolRounds does it.
func (m *maker) midwaySystem() {
	if m.p.System.Placement == provider.SystemAnywhere && chance(m.t, 5, "system midway") {
		m.add(preflight.RoleSystem, m.text("s"))
	}
}

// userTurn adds what a user says: one message, or several where neighbours of one role are allowed.
func (m *maker) userTurn() {
	messages := 1
	if m.p.Turns.Neighbours != provider.NeighboursMerged {
		messages += pick(m.t, 2, "more user messages")
	}
	for range messages {
		m.add(preflight.RoleUser, m.userParts()...)
	}
	if m.p.System.Placement == provider.SystemMidway && chance(m.t, 5, "system after user") {
		m.add(preflight.RoleSystem, m.text("s"))
	}
}

func (m *maker) userParts() []preflight.Part {
	parts := []preflight.Part{m.text("u")}
	for range pick(m.t, 3, "more user parts") {
		switch pick(m.t, 3, "user part") {
		case 0:
			parts = append(parts, m.text("u"))
		case 1:
			parts = append(parts, m.media())
		default:
			parts = append(parts, &preflight.Other{
				Carried: m.carried("o"),
				Kind:    oneOf(m.t, "kind", "container_upload", "search_result", "x-unknown"),
			})
		}
	}
	return parts
}

// pixel is a PNG of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9" +
	"awAAAABJRU5ErkJggg=="

func (m *maker) media() *preflight.Media {
	x := &preflight.Media{Carried: m.carried("m")}
	kind := pick(m.t, 4, "media")
	if kind == 1 && m.p.Media.NoURLs ||
		kind > 1 && len(m.p.Media.Kinds) > 0 && !slices.Contains(m.p.Media.Kinds, "document") {
		kind = 0
	}
	if kind == 3 && m.p.Media.NoFiles {
		kind = 2
	}
	switch kind {
	case 0:
		x.Kind, x.MediaType, x.Data = "image", "image/png", pixel
	case 1:
		x.Kind, x.URL = "image", "https://example.com/a.jpg"
	case 2:
		x.Kind = "document"
		x.MediaType = "application/pdf"
		x.Data = "JVBERi0xLjQKJSVFT0YK"
		x.Name = fmt.Sprintf("Report %d (final)", m.tags)
	default:
		x.Kind, x.FileID, x.Name = "document", "file_1", fmt.Sprintf("Notes %d", m.tags)
	}
	if m.p.Media.UniqueTitles && x.Kind == "document" {
		x.Name += " " + strconv.Itoa(m.tags)
	}
	return x
}
