package wire

import (
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file tells the formats apart, by evidence that is data: what only one of them has.

// signs are what shows that a body is in a format. Structure decides; the model's name is asked only when there is none of
// it, because gateways serve every model in every format.
type signs struct {
	members []string // of the body
	roles   []string
	fields  []string // of a message
	blocks  []sign   // parts of a message's content
	items   []string // types of elements of the list that are no messages
	bare    []string // members of a block that has no type
	plain   []string // such members that show the format only where the body names no model in the usual way
	tools   []string // members of a declared tool
	models  []string // prefixes of model names
}

// sign is a type of block, and a member that it has to have; "" for none.
type sign struct{ kind, member string }

// foreign are members that hold the history in the place of messages, by which the request bodies of formats are known that
// this version does not speak.
var foreign = []struct{ member, provider string }{
	{"chat_history", "cohere v1"},
}

// Detect names the provider whose format body is in: a whole request, or an array of messages. The error is an
// *AmbiguousProviderError when nothing in it tells, or things contradict each other; otherwise it satisfies errors.Is with
// ErrNotARequest, and is an *UnknownProviderError when the format is a known one that this version does not speak.
func Detect(body []byte) (string, error) {
	doc, err := jsonscan.Parse(body)
	if err != nil {
		return "", syntaxError(err)
	}
	f, err := detect(doc.Root())
	if err != nil {
		return "", err
	}
	return f.provider(), nil
}

func detect(root jsonscan.Value) (*format, error) {
	if root.Kind() != jsonscan.Object && root.Kind() != jsonscan.Array {
		return nil, &ShapeError{Want: "a request body, or an array of messages"}
	}
	for _, k := range foreign {
		if root.Has(k.member) && !root.Has("messages") {
			return nil, &UnknownProviderError{Provider: k.provider}
		}
	}
	var shown, named []*format
	model := modelName(root.Get("model").Str())
	listed := false
	for _, f := range formats {
		if f.near {
			continue
		}
		list := root
		if root.Kind() == jsonscan.Object {
			list = root.Get(f.list)
		}
		if list.Kind() != jsonscan.Array && !(f.plain && list.Kind() == jsonscan.String) || f.list != "messages" && root.Has("messages") {
			continue
		}
		listed = true
		own := root.Kind() == jsonscan.Object && f.list != "messages" // no other format keeps its messages there
		if own || f.signs.inBody(root, list) || f.signs.inList(list) || f.signs.inBareBlocks(root, list) {
			shown = append(shown, f)
		}
		if f.signs.inModel(model) {
			named = append(named, f)
		}
	}
	if !listed {
		return nil, &ShapeError{Path: formats[0].list, Want: "an array of messages"}
	}
	switch {
	case len(shown) == 1:
		return nearest(shown[0], root), nil
	case len(shown) == 0 && len(named) == 1:
		return nearest(named[0], root), nil
	case len(shown)+len(named) == 0 && showsNear(root) != nil:
		return showsNear(root), nil
	}
	if len(shown) == 0 {
		shown = formats
	}
	return nil, &AmbiguousProviderError{Candidates: namesOf(shown)}
}

// nearest is the format or dialect that a body shows which shows f: one that is close to f, or f itself.
func nearest(f *format, root jsonscan.Value) *format {
	if f.name != openAIChat {
		return f
	}
	if near := showsNear(root); near != nil {
		return near
	}
	return f
}

// showsNear is the one format or dialect close to openai-chat that a body shows, nil when it shows none, or several. Members
// come first; a model counts only by the name that its maker serves it under, which gateways put something before.
func showsNear(root jsonscan.Value) *format {
	list := root
	if root.Kind() == jsonscan.Object {
		list = root.Get("messages")
	}
	model := strings.ToLower(root.Get("model").Str())
	var shown, named []*format
	for _, some := range [][]*format{formats, dialects} {
		for _, f := range some {
			if !f.near && (f.dialect == "" || f.name != openAIChat) {
				continue
			}
			if f.signs.inBody(root, list) || f.signs.inList(list) {
				shown = append(shown, f)
			}
			if f.signs.inModel(model) {
				named = append(named, f)
			}
		}
	}
	switch {
	case len(shown) == 1:
		return shown[0]
	case len(shown) == 0 && len(named) == 1:
		return named[0]
	}
	return nil
}

// namesOf are the names by which formats are asked for.
func namesOf(some []*format) []string {
	names := make([]string, len(some))
	for k, f := range some {
		names[k] = f.provider()
	}
	return names
}

func (s *signs) inBody(root, list jsonscan.Value) bool {
	for _, key := range s.members {
		if v := root.Get(key); v.Exists() && !(isBareList(v) && !holdsTyped(list)) {
			return true
		}
	}
	for t := root.Get("tools").First(); t.Exists(); t = t.Next() {
		for _, key := range s.tools {
			if t.Has(key) {
				return true
			}
		}
	}
	return false
}

func (s *signs) inList(list jsonscan.Value) bool {
	for m := list.First(); m.Exists(); m = m.Next() {
		if s.inMessage(m) {
			return true
		}
	}
	return false
}

func (s *signs) inMessage(m jsonscan.Value) bool {
	role := m.Get("role")
	for _, r := range s.roles {
		if role.StrIs(r) {
			return true
		}
	}
	for _, key := range s.fields {
		if m.Has(key) {
			return true
		}
	}
	for _, kind := range s.items {
		if m.Get("type").StrIs(kind) {
			return true
		}
	}
	content := m.Get("content")
	if content.Kind() != jsonscan.Array {
		return false
	}
	for b := content.First(); b.Exists(); b = b.Next() {
		kind := b.Get("type")
		for _, want := range s.blocks {
			if kind.StrIs(want.kind) && (want.member == "" || b.Has(want.member)) {
				return true
			}
		}
	}
	return false
}

func (s *signs) inModel(name string) bool {
	for _, prefix := range s.models {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// modelName is a model's own name: lower case, without what gateways and clouds put before it.
func modelName(name string) string {
	name = strings.ToLower(name)
	name = name[strings.LastIndexByte(name, '/')+1:]
	if k := strings.LastIndex(name, "anthropic."); k >= 0 {
		name = name[k+len("anthropic."):]
	}
	return name
}

// inBareBlocks looks for blocks without a type, in messages none of which has one.
func (s *signs) inBareBlocks(root, list jsonscan.Value) bool {
	if len(s.bare) == 0 || holdsTyped(list) {
		return false
	}
	var plain []string
	if !root.Has("model") {
		plain = s.plain
	}
	for m := list.First(); m.Exists(); m = m.Next() {
		content := m.Get("content")
		if content.Kind() != jsonscan.Array {
			continue
		}
		for b := content.First(); b.Exists(); b = b.Next() {
			if hasAny(b, s.bare) || hasAny(b, plain) {
				return true
			}
		}
	}
	return false
}

// hasAny reports whether an object has one of the members.
func hasAny(object jsonscan.Value, members []string) bool {
	for _, key := range members {
		if object.Has(key) {
			return true
		}
	}
	return false
}

// holdsTyped reports whether the messages of a list hold blocks that have a type.
func holdsTyped(list jsonscan.Value) bool {
	for m := list.First(); m.Exists(); m = m.Next() {
		content := m.Get("content")
		if content.Kind() != jsonscan.Array {
			continue
		}
		for b := content.First(); b.Exists(); b = b.Next() {
			if b.Has("type") {
				return true
			}
		}
	}
	return false
}

// isBareList reports whether v is a list of objects without a type.
func isBareList(v jsonscan.Value) bool {
	return v.Kind() == jsonscan.Array && v.First().Kind() == jsonscan.Object && !v.First().Has("type")
}
