package wire_test

import (
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// This file makes up request bodies: mostly plausible, with everything in them that goes wrong in
// the wild, in every style of white space.

// The JSON that a generator draws, before it is written in some style.
type (
	object  []field
	field   struct{ key, value any } // key is a literal too, so that it can be spelled with escapes
	array   []any
	literal string
)

func str(s string) literal { return literal(strconv.Quote(s)) }

func obj(pairs ...any) object {
	var o object
	for k := 0; k < len(pairs); k += 2 {
		o = append(o, field{str(pairs[k].(string)), pairs[k+1]})
	}
	return o
}

// style is the white space of a document.
type style struct {
	name                            string
	indent                          string // "" for one line
	newline                         string
	afterColon, afterComma, padding string
}

var styles = []style{
	{name: "compact"},
	{name: "python", afterColon: " ", afterComma: " "},
	{name: "pretty", indent: "  ", newline: "\n", afterColon: " "},
	{name: "windows", indent: "\t", newline: "\r\n", afterColon: " "},
	{name: "odd", afterColon: "  ", afterComma: " \n ", padding: " "},
}

func write(v any, s style) []byte {
	var b strings.Builder
	s.write(&b, v, 0)
	return []byte(b.String())
}

func (s style) write(b *strings.Builder, v any, depth int) {
	switch v := v.(type) {
	case literal:
		b.WriteString(string(v))
	case string:
		b.WriteString(v)
	case array:
		s.list(b, '[', ']', len(v), depth, func(k int) { s.write(b, v[k], depth+1) })
	case object:
		s.list(b, '{', '}', len(v), depth, func(k int) {
			s.write(b, v[k].key, depth+1)
			b.WriteString(s.padding + ":" + s.afterColon)
			s.write(b, v[k].value, depth+1)
		})
	}
}

func (s style) list(b *strings.Builder, open, end byte, n, depth int, element func(int)) {
	b.WriteByte(open)
	for k := range n {
		if k > 0 {
			b.WriteString(s.padding + "," + s.afterComma)
		}
		if s.indent != "" {
			b.WriteString(s.newline + strings.Repeat(s.indent, depth+1))
		} else {
			b.WriteString(s.padding)
		}
		element(k)
	}
	if s.indent != "" && n > 0 {
		b.WriteString(s.newline + strings.Repeat(s.indent, depth))
	} else {
		b.WriteString(s.padding)
	}
	b.WriteByte(end)
}

var texts = []string{
	`"hello"`, `"two words"`, `""`, `"  "`, `"\u0068i\/"`, `"<b>&\u2028"`, `"half \ud83d emoji"`,
	`"\ud83d\ude00"`, `"nul\u0000"`,
	`"trailing "`, `"\n"`, `"No result provided"`, "\"\xff bytes\"", `"{\"a\":1}"`,
}

var scalars = []string{
	`null`,
	`7`,
	`1.0`,
	`true`,
	`12345678901234567890.10`,
	`"x"`,
	`[]`,
	`{}`,
	`{"a":[1,{"b":null}]}`,
	`["s",null]`,
}

var ids = []string{
	`"toolu_1"`,
	`"toolu_2"`,
	`"call_1"`,
	`"srvtoolu_1"`,
	`"mcptoolu_1"`,
	`"a b"`,
	`""`,
	`" toolu_1"`,
	`null`,
	`7`,
	`"functions.f:0"`,
	`"call_1|fc_9"`,
	`"cccccccccccccccccccccccccccccccccccccccccccc"`,
	`"\ud83d"`,
}

var names = []string{`"f"`, `"get_weather"`, `"a.b"`, `""`, `"web_search"`, `null`, `"f\u0000"`}

var inputs = []string{`{}`, `{"q":1.0}`, `null`, `"{\"a\":1}"`, `[1]`, `"cut {"`, `{"s":"\ud83d"}`,
	`7`}

// gen draws one body.
type gen struct{ t *rapid.T }

func (g gen) of(from []string, label string) literal {
	return literal(rapid.SampledFrom(from).Draw(g.t, label))
}

// one reports true once in n draws.
func (g gen) one(n int, label string) bool { return rapid.IntRange(0, n-1).Draw(g.t, label) == n-1 }

// spoil changes a drawn object now and then: a member gone, doubled, of another kind, or unknown.
func (g gen) spoil(o object) object {
	if !g.one(8, "spoil") {
		return o
	}
	k := rapid.IntRange(0, len(o)-1).Draw(g.t, "member")
	switch rapid.IntRange(0, 4).Draw(g.t, "how") {
	case 0:
		return append(o[:k:k], o[k+1:]...)
	case 1:
		o[k].value = g.of(scalars, "scalar")
	case 2:
		return append(o, field{o[k].key, g.of(scalars, "scalar")})
	case 3:
		return append(o, field{str("x_unknown"), g.of(scalars, "scalar")})
	case 4:
		return append(
			o,
			field{
				g.of([]string{`"index"`, `"id"`, `"cache_control"`, `"\ud83d"`, `"t\u0079pe"`},
					"key"),
				g.of(scalars, "scalar"),
			},
		)
	}
	return o
}

func (g gen) list(most int, label string, element func() any) array {
	out := array{}
	for range rapid.IntRange(0, most).Draw(g.t, label) {
		if g.one(25, "stray") {
			out = append(out, g.of(scalars, "scalar"))
		} else {
			out = append(out, element())
		}
	}
	return out
}

var caches = []string{
	`{"type":"ephemeral"}`,
	`{"type":"ephemeral","ttl":"1h"}`,
	`null`,
	`{"ttl":"5m","type":"ephemeral"}`,
}

func (g gen) cached(o object) object {
	if g.one(8, "cached") {
		o = append(o, field{str("cache_control"), g.of(caches, "cache")})
	}
	return g.spoil(o)
}

// foreignBlock draws a block of any format, which may be another one's; nil for most.
func (g gen) foreignBlock() any {
	if !g.one(12, "foreign") {
		return nil
	}
	return g.of(foreignBlocks, "foreign")
}

// bareForeignBlock is foreignBlock without blocks that have a type. They would show another one of
// the formats that the name "bedrock" covers; TestForeignBlocks puts them into bodies that say
// which it is.
func (g gen) bareForeignBlock() any {
	foreign := g.foreignBlock()
	if s, ok := foreign.(literal); ok && strings.Contains(string(s), `"type":`) {
		return nil
	}
	return foreign
}

// around puts unknown members at both ends of a body.
func (g gen) around(o object) object {
	if g.one(3, "around") {
		o = append(
			object{{literal(`"x"`), literal(`1e2`)}, {literal(`"x"`), g.of(scalars, "scalar")}},
			append(o, field{g.of(texts, "key"), g.of(texts, "text")})...)
	}
	return o
}

// body draws the bytes of a body for a provider.
func body(provider string) *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		g := gen{t}
		s := rapid.SampledFrom(styles).Draw(t, "style")
		switch spoken(provider) {
		case "anthropic":
			return write(g.anthropic(), s)
		case "bedrock":
			return write(g.converse(), s)
		case "openai-responses":
			return write(g.responses(), s)
		case "gemini":
			return write(g.generateContent(), s)
		case "ollama":
			return write(g.ollama(), s)
		case "gemini-interactions":
			return write(g.interaction(), s)
		}
		if provider == "openai-chat" {
			return write(g.chat(), s)
		}
		return write(g.near(), s)
	})
}
