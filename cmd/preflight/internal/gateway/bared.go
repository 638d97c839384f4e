package gateway

import (
	"crypto/hmac"
	rand2 "crypto/rand"
	"crypto/sha256"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/members"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/rule"
)

// This file makes a body bare: each string, number and key that somebody chose is replaced by one
// of the same kind and length, equal ones by equal ones. What is left is the format: its members,
// types and roles, the model, and the settings of the request.

// words are the members of the formats, and the values by which their parts differ, beside those of
// packages members and rule.
const words = `
args arguments audio blob bytes cachePoint cache_control call_id code content content_block data
default description detail document effort encrypted_content error fileData fileUri file_data
file_id file_url filename format function functionCall functionResponse id image image_url index
inlineData input inputSchema input_audio input_schema input_text is_error json logprobs mediaType
media_type mimeType mode model modelId name native object output output_text parameters parts
phase properties reasoning reasoningContent reasoningText reasoning_content redactedContent
refusal response result results role s3Location schema signature source status strict summary text
thinking thought thoughtSignature title toolResult toolSpec toolUse toolUseId tool_call_id
tool_calls tool_name tool_use_id ttl type uri url usage value video budget_tokens
functionDeclarations thinkingConfig any auto none required ephemeral 5m 1h base64 success enabled
disabled adaptive high low medium minimal completed in_progress incomplete failed searching png
jpeg gif webp pdf txt md html csv doc docx xls xlsx user assistant system developer tool model
human ai bot function web_search web_fetch code_execution bash computer
str_replace_based_edit_tool memory memory_20250818 tool_search nova_grounding web_search_result
file uploaded open_page find_in_page search exec_command image/png image/jpeg image/gif image/webp
application/pdf text/plain application/json`

// schemaWords are the members and types of a JSON Schema.
const schemaWords = `
type properties required items additionalProperties enum description title default anyOf allOf
oneOf not $ref $defs definitions format minimum maximum minLength maxLength minItems maxItems
pattern nullable const strict object array string number integer boolean null OBJECT ARRAY STRING
NUMBER INTEGER BOOLEAN NULL`

var vocabulary, schema = sync.OnceValue(func() map[string]bool {
	all := set(words)
	for _, row := range members.Rows() {
		for _, name := range strings.Split(row.Name, ".") {
			all[name] = true
		}
	}
	for _, b := range rule.BlockTypes() {
		all[b.Kind] = true
	}
	return all
}), sync.OnceValue(func() map[string]bool { return set(schemaWords) })

func set(words string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(words) {
		all[w] = true
	}
	return all
}

var (
	// telling are the members whose values say what kind of thing something is, where they are
	// known.
	telling = set(`role type kind status format media_type mimeType mediaType mode ttl phase effort
		detail name thinkingLevel reasoning_effort service_tier truncation`)
	// chosen are the members that hold what a tool, its user or its author made.
	chosen = set("arguments args input json metadata response partialArgs structuredContent")
	// schemas are the members that hold a JSON Schema.
	schemas = set(`input_schema inputSchema parameters schema response_schema responseSchema
		json_schema parametersJsonSchema responseJsonSchema output_schema`)
	// dated is a type with the date of its version.
	dated = regexp.MustCompile(`^([a-z_]+)_20[0-9]{6}$`)
	// prefixes are how ids, addresses and data begin whose rest somebody made.
	prefixes = regexp.MustCompile(`^(?:(?:srv)?toolu_|tooluse_|call_|fc_|msg_|rs_|resp_|ws_|ctc_|` +
		`mcpl?_|mcpr_|file-|file_|cmp_|https?://|gs://|s3://|` +
		`data:(?:image/[a-z]{3,4}|application/pdf);base64,)?` +
		`(?:iVBORw0KGgo[A-Za-z0-9+/]{33}|/9j/|R0lGOD|UklGR|JVBERi0)?`)
)

// barer makes bodies bare. What it replaces something by depends on a secret of its own, which is
// forgotten with it.
type barer struct{ secret []byte }

// deepest is how deep JSON in texts is looked into.
const deepest = 4

// bare returns a body without what somebody chose; nil if it is no JSON.
func bare(body []byte) []byte {
	b := barer{make([]byte, 32)}
	_, _ = rand2.Read(b.secret) // it never fails
	doc, err := jsonscan.Parse(body)
	if err != nil {
		return nil
	}
	return b.value(nil, doc.Root(), place{top: true})
}

// place is where a value is.
type place struct {
	key    string
	top    bool // the request itself
	chosen bool // below a member of which all was chosen
	schema bool
	depth  int // of JSON in texts
}

// in returns the place of a member of v.
func (at place) in(key string, v jsonscan.Value) place {
	next := place{key: key, chosen: at.chosen, schema: at.schema, depth: at.depth}
	switch {
	case at.chosen:
	case at.schema:
		next.schema = at.key != "properties" || v.Kind() == jsonscan.Object
	case schemas[key]:
		next.schema = true
	case chosen[key]: // "input" is also the list of messages of a request
		next.chosen = key != "input" || !at.top
	case !vocabulary()[key]:
		next.chosen = true
	}
	return next
}

// value appends a value to out.
func (b *barer) value(out []byte, v jsonscan.Value, at place) []byte {
	switch v.Kind() {
	case jsonscan.Object:
		out = append(out, '{')
		for m := v.First(); m.Exists(); m = m.Next() {
			if out[len(out)-1] != '{' {
				out = append(out, ',')
			}
			key := m.Key().Str()
			keeps := vocabulary()[key] && !at.chosen
			if at.schema {
				keeps = schema()[key] && at.key != "properties" && at.key != "$defs"
			}
			if keeps {
				out = append(out, m.Key().Raw()...)
			} else {
				out = b.text(out, m.Key().Raw())
			}
			out = append(out, ':')
			out = b.value(out, m, at.in(key, m))
		}
		return append(out, '}')
	case jsonscan.Array:
		out = append(out, '[')
		for k, e := range v.All() {
			if k > 0 {
				out = append(out, ',')
			}
			inner := at
			inner.top = false
			out = b.value(out, e, inner)
		}
		return append(out, ']')
	case jsonscan.String:
		return b.string(out, v, at)
	case jsonscan.Number:
		if at.chosen {
			return b.text(out, v.Raw())
		}
	}
	return append(out, v.Raw()...)
}

// string appends a string: as it is where it belongs to the format, else another one.
func (b *barer) string(out []byte, v jsonscan.Value, at place) []byte {
	s := v.Str()
	switch {
	case at.schema:
		if at.key == "type" && schema()[s] {
			return append(out, v.Raw()...)
		}
	case at.chosen:
	case at.key == "model", at.key == "modelId", telling[at.key] && isKnown(s),
		s == pairing.DanglingText, strings.TrimSpace(s) == "":
		return append(out, v.Raw()...)
	case pairing.TextWorth(s, false, [2]string{}).IsPlaceholder():
		return append(out, `"No result provided"`...) // as nobody's words would be none
	}
	if at.depth < deepest && strings.ContainsAny(s[:min(len(s), 1)], `{["`) {
		if inner, err := jsonscan.Parse([]byte(s)); err == nil {
			text := b.value(nil, inner.Root(), place{chosen: true, depth: at.depth + 1})
			return jsonscan.AppendString(out, string(text))
		}
	}
	return b.text(out, v.Raw())
}

func isKnown(s string) bool {
	m := dated.FindStringSubmatch(s)
	return vocabulary()[s] || m != nil && vocabulary()[m[1]]
}

// text appends a string or a number, as it is written, with other letters and digits. How it begins
// is kept where that tells what it is.
func (b *barer) text(out, raw []byte) []byte {
	h := hmac.New(sha256.New, b.secret)
	h.Write(raw)
	random := rand.New(rand.NewChaCha8([32]byte(h.Sum(nil))))
	begin := 0
	if raw[0] == '"' {
		begin = 1 + len(prefixes.Find(raw[1:]))
	}
	out = append(out, raw[:begin]...)
	for k := begin; k < len(raw); {
		n := 1
		switch c := raw[k]; {
		case c == '\\' && raw[k+1] == 'u':
			n = 6
			out = append(out, escaped(raw[k:k+6])...)
		case c == '\\':
			n = 2
			out = append(out, raw[k:k+2]...)
		case 'a' <= c && c <= 'z' && raw[0] == '"':
			out = append(out, 'a'+(c-'a'+1+byte(random.IntN(25)))%26) // never itself
		case 'A' <= c && c <= 'Z' && raw[0] == '"':
			out = append(out, 'A'+(c-'A'+1+byte(random.IntN(25)))%26)
		case '0' <= c && c <= '9':
			out = append(out, '1'+(c-'0'+byte(random.IntN(8)))%9) // no zero may lead
		case c < utf8.RuneSelf:
			out = append(out, c)
		default:
			_, n = utf8.DecodeRune(raw[k:])
			out = append(out, likeRune(raw[k:k+n], random)...)
		}
		k += n
	}
	return out
}

// escaped is another escape of six bytes. Control characters and halves of pairs, which are faults,
// stay what they are.
func escaped(raw []byte) string {
	hex := strings.ToLower(string(raw[2:]))
	switch {
	case hex < "0020", "007f" <= hex && hex < "00a0":
		return string(raw)
	case "d800" <= hex && hex < "dc00":
		return `\ud83d`
	case "dc00" <= hex && hex < "e000":
		return `\ude00`
	}
	return `\u4e2d`
}

// likeRune is another character of as many bytes. White space, and bytes that are no character,
// stay.
func likeRune(raw []byte, random *rand.Rand) []byte {
	r, n := utf8.DecodeRune(raw)
	if r == utf8.RuneError || strings.TrimSpace(string(r)) == "" || slices.Contains(invisible, r) {
		return raw
	}
	first := []rune{0, 0, 0xE0, 0x4E00, 0x1F600}[n]
	return utf8.AppendRune(nil, first+rune(random.IntN(16)))
}

// invisible are characters that count as blank, or as a fault.
var invisible = []rune{0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD, 0xFFFE, 0xFFFF}
