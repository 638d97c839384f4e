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
	tools   []string // members of a declared tool
	models  []string // prefixes of model names
}

// sign is a type of block, and a member that it has to have; "" for none.
type sign struct{ kind, member string }

// foreign are members by which the request bodies of formats are known that this version does not speak: those that hold
// the history in the place of messages, and those that stand beside them.
var foreign = []struct {
	member, provider string
	instead          bool
}{
	{"contents", "gemini", true},
	{"input", "openai-responses", true},
	{"toolConfig", "bedrock", false},
	{"inferenceConfig", "bedrock", false},
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
	return f.name, nil
}

func detect(root jsonscan.Value) (*format, error) {
	if root.Kind() != jsonscan.Object && root.Kind() != jsonscan.Array {
		return nil, &ShapeError{Want: "a request body, or an array of messages"}
	}
	for _, k := range foreign {
		if root.Has(k.member) && !(k.instead && root.Has("messages")) {
			return nil, &UnknownProviderError{Provider: k.provider}
		}
	}
	var shown, named []*format
	model := modelName(root.Get("model").Str())
	listed := false
	for _, f := range formats {
		list := root
		if root.Kind() == jsonscan.Object {
			list = root.Get(f.list)
		}
		if list.Kind() != jsonscan.Array {
			continue
		}
		listed = true
		if f.signs.inBody(root) || f.signs.inList(list) {
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
		return shown[0], nil
	case len(shown) == 0 && len(named) == 1:
		return named[0], nil
	case isBedrock(root.Get("messages")):
		return nil, &UnknownProviderError{Provider: "bedrock"}
	}
	return nil, &AmbiguousProviderError{Candidates: namesOf(shown)}
}

// namesOf are the names of the formats, of all when there are none.
func namesOf(some []*format) []string {
	if len(some) == 0 {
		return Providers()
	}
	names := make([]string, len(some))
	for k, f := range some {
		names[k] = f.name
	}
	return names
}

func (s *signs) inBody(root jsonscan.Value) bool {
	for _, key := range s.members {
		if root.Has(key) {
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
		if name != "" && strings.HasPrefix(name, prefix) {
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

// isBedrock reports whether messages hold Bedrock's blocks, which have no type but a member of their own name.
func isBedrock(list jsonscan.Value) bool {
	for m := list.First(); m.Exists(); m = m.Next() {
		for b := m.Get("content").First(); b.Exists(); b = b.Next() {
			if b.Has("toolUse") || b.Has("toolResult") || b.Has("reasoningContent") {
				return true
			}
		}
	}
	return false
}
