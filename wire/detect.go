package wire

import (
	"errors"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file detects the format of a body, by members and values that only one format has.

// signs are what shows that a body is in a format. Structure decides; the model's name is asked
// only when there is none of it, because gateways serve every model in every format.
type signs struct {
	members    []string // of the body
	roles      []string
	fields     []string    // of a message
	otherRoles []string    // roles that no message with one of these fields has
	blocks     []blockSign // parts of a message's content
	items      []string    // types of elements of the list that are no messages
	bare       []string    // members of a block that has no type
	// such members that show the format only where the body names no model in the usual way
	plain []string
	tools []string // members of a declared tool
	// patterns of the names under which the format's own provider serves its models, in lower case
	models []string
}

// sign is a type of block, and a member that it has to have; "" for none.
type blockSign struct{ kind, member string }

// foreign are members that hold the history in the place of messages, by which the request bodies
// of formats are known that this version does not speak.
var unsupportedFormats = []struct{ member, provider string }{
	{"chat_history", "cohere v1"},
}

// Detect names the provider whose format body is in: a whole request, or an array of messages. The
// error is an *AmbiguousProviderError when nothing in it tells, or things contradict each other;
// otherwise it satisfies errors.Is with ErrNotARequest, and is an *UnknownProviderError when the
// format is a known one that this version does not speak.
func Detect(body []byte) (string, error) {
	var r Request
	if err := r.parse(body, &noOptions); err != nil {
		return "", err
	}
	return r.Provider, nil
}

func detect(root jsonscan.Value) (*format, error) {
	if root.Kind() != jsonscan.Object && root.Kind() != jsonscan.Array {
		return nil, &ShapeError{Want: "a request body, or an array of messages"}
	}
	for _, k := range unsupportedFormats {
		if root.Has(k.member) && !root.Has("messages") {
			return nil, &UnknownProviderError{Provider: k.provider}
		}
	}
	var shown, named []*format
	model := root.Get("model").Str()
	listed := false
	for _, f := range formats {
		if f.chatLike || !f.holdsHistory(root) || f.list != "messages" && root.Has("messages") {
			continue
		}
		list := root
		if root.Kind() == jsonscan.Object {
			list = f.open(root).Get(f.list)
		}
		listed = true
		// no other format keeps its messages there
		own := root.Kind() == jsonscan.Object && f.list != "messages"
		if own || f.signs.inBody(root, list) || f.signs.inList(list) ||
			f.signs.inBareBlocks(root, list) {
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
		return withoutStoredForm(chatHostOr(shown[0], root), root)
	case len(shown) == 0 && isChat(root, len(named) > 0):
		return withoutStoredForm(chatHostOr(formats[slices.IndexFunc(formats, func(f *format) bool {
			return f.name == openAIChat
		})], root), root)
	case len(shown) == 0 && len(named) == 1:
		return withoutStoredForm(chatHostOr(named[0], root), root)
	case len(shown)+len(named) == 0 && detectChatHost(root) != nil:
		return withoutStoredForm(detectChatHost(root), root)
	}
	if len(shown) == 0 {
		if _, err := withoutStoredForm(formats[0], root); err != nil {
			return nil, err
		}
		for _, f := range formats {
			if f.holdsHistory(root) {
				shown = append(shown, f)
			}
		}
	}
	return nil, &AmbiguousProviderError{Candidates: namesOf(shown)}
}

// settled is the format that a body shows, unless what the body holds is a stored form of it.
func withoutStoredForm(f *format, root jsonscan.Value) (*format, error) {
	r := Request{format: f, Provider: f.provider(), root: f.open(root), list: root}
	if r.whole() {
		r.list = r.root.Get(f.list)
	}
	var stored *StoredFormError
	if errors.As(r.mismatch(), &stored) {
		return nil, stored
	}
	return f, nil
}

// isChat reports whether a body in which no format shows can only be one of OpenAI's Chat format
// and those near it. named says that a format's own provider serves the model that the body names.
//
// Anthropic and Bedrock take no system message among the others. A vendor before the model's name
// (anthropic/claude-…) is what gateways want, which speak this format. A request to Anthropic says
// how long its answer may be, and one to Bedrock does not name its model in the body.
func isChat(root jsonscan.Value, named bool) bool {
	list := root
	if root.Kind() == jsonscan.Object {
		list = root.Get("messages")
	}
	first := list.First()
	if first.Get("role").StrIs("system") {
		return true
	}
	model := root.Get("model").Str()
	switch {
	case hasVendor(model):
		return true
	case model == "", first.Kind() != jsonscan.Object, isUntypedList(first.Get("content")):
		return false
	}
	return !named && !root.Has("max_tokens")
}

// hasVendor reports whether something stands before a model's own name, as gateways have it.
func hasVendor(model string) bool {
	vendor, name, found := strings.Cut(model, "/")
	return found && vendor != "" && name != "" && vendor != "models" && vendor != "publishers"
}

// nearest is the format or dialect that a body shows which shows f: one that is close to f, or f
// itself.
func chatHostOr(f *format, root jsonscan.Value) *format {
	if f.name != openAIChat {
		return f
	}
	if near := detectChatHost(root); near != nil {
		return near
	}
	return f
}

// detectChatHost is the one format or dialect close to openai-chat that a body shows, nil when it shows
// none, or several. Members come first; a model counts only by a name that its maker alone serves
// it under: resellers write most of them otherwise.
func detectChatHost(root jsonscan.Value) *format {
	list := root
	if root.Kind() == jsonscan.Object {
		list = root.Get("messages")
	}
	model := root.Get("model").Str()
	var shown, named []*format
	for _, some := range [][]*format{formats, dialects} {
		for _, f := range some {
			if !f.chatLike && (f.dialect == "" || f.name != openAIChat) {
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
		v := valueAt(root, key)
		if v.Exists() && !(isUntypedList(v) && !hasTypedBlocks(list)) &&
			!(key == "system" && v.Kind() == jsonscan.Array && v.Len() == 0) {
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
	found := false
	for m := list.First(); m.Exists(); m = m.Next() {
		if len(s.otherRoles) > 0 && oneOf(m.Get("role"), s.otherRoles...) && hasAny(m, s.fields) {
			return false
		}
		if !found && s.inMessage(m) {
			found = true
		}
		if found && len(s.otherRoles) == 0 {
			return true
		}
	}
	return found
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

// inModel reports whether a model is one that the format's own provider serves, by its name there.
func (s *signs) inModel(name string) bool {
	name = strings.ToLower(strings.TrimPrefix(name, "models/"))
	if k := strings.LastIndex(name, "anthropic."); k >= 0 { // as Bedrock has it
		name, _, _ = strings.Cut(name[k+len("anthropic."):], ":")
	}
	if strings.ContainsAny(name, "/:") {
		return false
	}
	for _, pattern := range s.models {
		if matchesPattern(pattern, name) {
			return true
		}
	}
	return false
}

// fits reports whether s follows a pattern in which * at the end stands for any characters, and #
// anywhere for one digit.
func matchesPattern(pattern, s string) bool {
	for k := range len(pattern) {
		switch c := pattern[k]; {
		case c == '*':
			return true
		case k >= len(s), c == '#' && (s[k] < '0' || s[k] > '9'), c != '#' && c != s[k]:
			return false
		}
	}
	return len(pattern) == len(s)
}

// inBareBlocks looks for blocks without a type, in messages none of which has one.
func (s *signs) inBareBlocks(root, list jsonscan.Value) bool {
	if len(s.bare) == 0 || hasTypedBlocks(list) {
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

// hasTypedBlocks reports whether the messages of a list hold blocks that have a type.
func hasTypedBlocks(list jsonscan.Value) bool {
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

// isUntypedList reports whether v is a list of objects without a type.
func isUntypedList(v jsonscan.Value) bool {
	return v.Kind() == jsonscan.Array && v.First().Kind() == jsonscan.Object &&
		!v.First().Has("type")
}
