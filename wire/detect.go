package wire

import (
	"errors"
	"iter"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file detects the format of a body, by members and values that only one format has.

// signs tell that a body is in a format. Structure decides; the model's name counts only without
// any, because gateways serve every model in every format.
type signs struct {
	members    []string // of the body
	roles      []string
	fields     []string    // of a message
	otherRoles []string    // roles that no message with one of these fields has
	blocks     []blockSign // parts of a message's content
	items      []string    // types of elements of the list that are no messages
	bare       []string    // members of a block that has no type
	// members of such a block that show the format only where the body names no model
	plain []string
	tools []string // members of a declared tool
	// patterns of the names under which the format's own provider serves its models, in lower case
	models []string
}

// blockSign is a type of block, and a member that the block must have, "" for none.
type blockSign struct{ kind, member string }

// unsupportedFormats are the members that hold the history in formats that this version does not
// read.
var unsupportedFormats = []struct{ member, provider string }{
	{"chat_history", "cohere v1"},
}

// Detect names the provider in whose format a whole request, or an array of messages, is. The error
// is ErrAmbiguousProvider when the body shows no format or several; otherwise it satisfies
// errors.Is with ErrNotARequest, and with ErrUnknownProvider for a known format that this
// version does not read.
func Detect(body []byte) (string, error) {
	var r Request
	if err := r.parse(body, &noOptions); err != nil {
		return "", err
	}
	return r.Provider, nil
}

func detect(root jsonscan.Value) (*format, error) {
	if root.Kind() != jsonscan.Object && root.Kind() != jsonscan.Array {
		return nil, wrongShape("", "a request body, or an array of messages")
	}
	for _, k := range unsupportedFormats {
		if root.Has(k.member) && !root.Has("messages") {
			return nil, unknownProvider(k.provider)
		}
	}
	if isInteraction(root) {
		f, err := formatOf(interactions)
		if err != nil {
			return nil, err
		}
		return withoutMismatch(f, root)
	}
	shown, named, listed := signsOf(root)
	if !listed {
		return nil, wrongShape(formats[0].list, "an array of messages")
	}
	switch {
	case len(shown) == 1:
		return withoutMismatch(chatHostOr(shown[0], root), root)
	case len(shown) == 0 && isChat(root, len(named) > 0):
		f, _ := formatOf(openAIChat)
		return withoutMismatch(chatHostOr(f, root), root)
	case len(shown) == 0 && len(named) == 1:
		return withoutMismatch(chatHostOr(named[0], root), root)
	case len(shown)+len(named) == 0 && detectChatHost(root) != nil:
		return withoutMismatch(detectChatHost(root), root)
	}
	if len(shown) == 0 {
		if _, err := withoutMismatch(formats[0], root); err != nil {
			return nil, err
		}
		for _, f := range formats {
			if f.holdsHistory(root) {
				shown = append(shown, f)
			}
		}
	}
	return nil, ambiguousProvider(namesOf(shown)...)
}

// signsOf returns the formats that a body shows, and those whose models it names. listed reports
// whether it holds a history of some format.
func signsOf(root jsonscan.Value) (shown, named []*format, listed bool) {
	model := root.Get("model").Str()
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
		own := root.Kind() == jsonscan.Object && f.list != "messages" && f.name != interactions
		if own || f.signs.inBody(root, list) || f.signs.inList(list) ||
			f.signs.inBareBlocks(root, list) {
			shown = append(shown, f)
		}
		if f.signs.inModel(model) {
			named = append(named, f)
		}
	}
	return shown, named, listed
}

// withoutMismatch returns f, or an error when the body is a stored form of the format, or is
// refused for the format where it is named.
func withoutMismatch(f *format, root jsonscan.Value) (*format, error) {
	r := Request{format: f, Provider: f.provider(), root: f.open(root), list: root}
	if r.whole() {
		r.list = r.root.Get(f.list)
	}
	err := r.mismatch()
	if other := (*Error)(nil); errors.As(err, &other) && other.Reason == ErrOtherFormat {
		return nil, ambiguousProvider(f.provider(), other.Providers[1])
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// isChat reports whether a body that shows no format can only be in OpenAI's Chat format or one
// like it. named reports that some format's own provider serves the body's model.
//
// Anthropic and Bedrock take no system message in the list. Gateways, which use the Chat format,
// put a vendor before the model's name (anthropic/claude-…). A request to Anthropic limits its
// output tokens, and one to Bedrock does not name its model in the body.
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

// hasVendor reports whether a model's name starts with a vendor, as at gateways.
func hasVendor(model string) bool {
	vendor, name, found := strings.Cut(model, "/")
	return found && vendor != "" && name != "" && vendor != "models" && vendor != "publishers"
}

// chatHostOr returns the Chat host that a body in format f shows, an unknown one where the model is
// no model of OpenAI's, or f itself.
func chatHostOr(f *format, root jsonscan.Value) *format {
	if f.name != openAIChat {
		return f
	}
	if near := detectChatHost(root); near != nil {
		return near
	}
	if model := root.Get("model").Str(); model != "" && !isOpenAIs(f, model) {
		if other, err := formatOf("openai-compatible"); err == nil {
			return other // without the rules that are OpenAI's alone
		}
	}
	return f
}

// isOpenAIs reports whether OpenAI serves a model under this name. It does not serve those whose
// weights it has published.
func isOpenAIs(chat *format, model string) bool {
	tuned, _, _ := strings.Cut(strings.TrimPrefix(model, "ft:"), ":")
	if len(tuned) == len(model) {
		tuned = model
	} else if !strings.HasPrefix(model, "ft:") {
		return false
	}
	return chat.signs.inModel(tuned) && !strings.HasPrefix(tuned, "gpt-oss")
}

// detectChatHost finds the one Chat dialect, or format like Chat, that a body shows, nil for none
// or several. Members come first. A model counts only under the name that its own provider uses:
// resellers write most names differently.
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

// namesOf returns the names by which formats are asked for.
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
		if hasAny(t, s.tools) {
			return true
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
	if oneOf(m.Get("role"), s.roles...) || hasAny(m, s.fields) || oneOf(m.Get("type"), s.items...) {
		return true
	}
	for b := first(m.Get("content")); b.Exists(); b = b.Next() {
		kind := b.Get("type")
		for _, want := range s.blocks {
			if kind.StrIs(want.kind) && (want.member == "" || b.Has(want.member)) {
				return true
			}
		}
	}
	return false
}

// inModel reports whether a model's name is one that the format's own provider uses.
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

// matchesPattern reports whether s matches a pattern: a * at the end matches any characters, and #
// one digit.
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

// inBareBlocks looks for blocks without a type, in a list without typed blocks.
func (s *signs) inBareBlocks(root, list jsonscan.Value) bool {
	if len(s.bare) == 0 || hasTypedBlocks(list) {
		return false
	}
	var plain []string
	if !root.Has("model") {
		plain = s.plain
	}
	for b := range blocksOf(list) {
		if hasAny(b, s.bare) || hasAny(b, plain) {
			return true
		}
	}
	return false
}

// blocksOf ranges over the blocks in the content of the messages of a list.
func blocksOf(list jsonscan.Value) iter.Seq[jsonscan.Value] {
	return func(yield func(jsonscan.Value) bool) {
		for m := list.First(); m.Exists(); m = m.Next() {
			for b := first(m.Get("content")); b.Exists(); b = b.Next() {
				if !yield(b) {
					return
				}
			}
		}
	}
}

// first returns the first element of a list, Absent of anything else.
func first(list jsonscan.Value) jsonscan.Value {
	if list.Kind() != jsonscan.Array {
		return jsonscan.Value{}
	}
	return list.First()
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

// hasTypedBlocks reports whether messages of a list hold blocks with a type.
func hasTypedBlocks(list jsonscan.Value) bool {
	for b := range blocksOf(list) {
		if b.Has("type") {
			return true
		}
	}
	return false
}

// isUntypedList reports whether v is a list of objects without a type.
func isUntypedList(v jsonscan.Value) bool {
	return v.Kind() == jsonscan.Array && v.First().Kind() == jsonscan.Object &&
		!v.First().Has("type")
}
