package explain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// What an error text says about the place: paths into the request, in each provider's spelling, and
// ids.

// maxPlaces bounds the paths and the ids of one explanation.
const maxPlaces = 16

// roots are the fields of a request body that a path may begin with, and how we spell them.
var roots = map[string]string{
	"messages":           "messages",
	"message":            "messages", // message[2]
	"input":              "input",
	"contents":           "contents",
	"system":             "system",
	"tools":              "tools",
	"toolConfig":         "toolConfig",
	"system_instruction": "system_instruction",
	"systemInstruction":  "systemInstruction",
}

// tags are the names that Anthropic's and Mistral's validators put into a path to say which kind of
// block or message they took the value for. The request has no such field.
var tags = []string{
	"text", "image", "document", "search_result", "thinking", "redacted_thinking", "tool_use",
	"tool_result", "server_tool_use",
	"container_upload", "mcp_tool_use", "mcp_tool_result", "base64", "url", "custom", "assistant",
	"user", "tool", "system", dictTag,
}

// dictTag is pydantic's name for a message in a path, the only one with a hyphen.
const dictTag = "typed-dict"

// step is one element of a path: a field, or an index when name is empty.
type step struct {
	name  string
	index int
}

// paths finds the paths in s, in order and without repetitions. A path has at least one index.
func paths(s string) []string {
	var found []string
	for i := 0; i < len(s); {
		if !nameByte(s[i]) {
			i++
			continue
		}
		n := nameSize(s[i:])
		root, ok := roots[s[i:i+n]]
		if !ok || i > 0 && (s[i-1] == ']' || s[i-1] == '-') {
			i += n
			continue
		}
		steps, dotted, size := readSteps(s[i+n:])
		if path := render(root, steps, dotted); path != "" && !slices.Contains(found, path) {
			found = append(found, path)
		}
		i += n + size
	}
	return found
}

// readSteps reads the steps after a root: messages.3.content.1, messages.[1].content,
// messages[2].tool_calls[0].id, /messages/0/content, and "messages",2,"assistant". dotted reports
// that indices were between dots.
func readSteps(s string) (steps []step, dotted bool, size int) {
	rest, list := s, false
	for {
		t := strings.TrimLeft(rest, ".")
		switch {
		case strings.HasPrefix(t, "["):
			n := digits(t[1:])
			if n == 0 || !strings.HasPrefix(t[1+n:], "]") {
				return steps, dotted, len(s) - len(rest)
			}
			steps = append(steps, step{index: atoi(t[1 : 1+n])})
			rest = t[n+2:]
			continue
		case strings.HasPrefix(t, "/"), len(t) < len(rest):
			t = strings.TrimPrefix(t, "/")
		default:
			n := listSeparator(t)
			list = list || len(steps) == 0
			if n == 0 || !list {
				return steps, dotted, len(s) - len(rest)
			}
			t = t[n:]
		}
		if n := digits(t); n > 0 && (n == len(t) || !nameByte(t[n])) {
			steps = append(steps, step{index: atoi(t[:n])})
			dotted = true
			rest = t[n:]
		} else if n := nameSize(t); n > 0 && digits(t) == 0 {
			if strings.HasPrefix(t, dictTag) {
				n = len(dictTag)
			}
			steps = append(steps, step{name: t[:n]})
			rest = t[n:]
		} else {
			return steps, dotted, len(s) - len(rest)
		}
	}
}

// listSeparator returns the length of what separates two elements of a JSON or Python list of
// steps, quotes included.
func listSeparator(s string) int {
	t := strings.TrimLeft(s, `"'`)
	if len(s)-len(t) > 1 || !strings.HasPrefix(t, ",") {
		return 0
	}
	t = strings.TrimLeft(t[1:], " ")
	u := strings.TrimLeft(t, `"'`)
	if len(t)-len(u) == 0 && digits(u) == 0 || len(t)-len(u) > 1 {
		return 0
	}
	return len(s) - len(u)
}

// render spells a path our way: messages[3].content[1]. It returns "" for one that has no index,
// which says nothing.
func render(root string, steps []step, dotted bool) string {
	if dotted {
		steps = fields(steps)
	}
	var b strings.Builder
	b.WriteString(root)
	indexed := false
	for i, s := range steps {
		switch {
		case s.name == "":
			indexed = true
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case i == 0 && !indexed && root == "messages" || s.name == "member":
			return ""
		default:
			b.WriteString("." + s.name)
		}
	}
	if !indexed {
		return ""
	}
	return b.String()
}

// fields returns the steps of a dotted path that are in the request: without the tags after an
// index or after source, and with AWS lists, whose elements are numbered from 1 and
// marked with member, numbered from 0.
func fields(steps []step) []step {
	var kept []step
	for i, s := range steps {
		switch {
		case s.name == "member" && i > 0 && steps[i-1].name == "":
			kept[len(kept)-1].index = max(0, kept[len(kept)-1].index-1)
		case i > 0 && tag(s.name) && (steps[i-1].name == "" || steps[i-1].name == "source"):
		default:
			kept = append(kept, s)
		}
	}
	return kept
}

func tag(name string) bool {
	return slices.Contains(tags, name) || strings.HasSuffix(name, "_tool_result")
}

// pathBefore returns the path, or the bare root of one, that ends s but for a colon, quotes and the
// like.
func pathBefore(s string) string {
	s = strings.TrimRight(s, " :'\"`*(")
	i := len(s)
	for i > 0 && len(s)-i < 160 && pathByte(s[i-1]) {
		i--
	}
	token := strings.TrimLeft(s[i:], ".*/")
	name := token[:nameSize(token)]
	if _, ok := roots[name]; !ok || name == "message" {
		return ""
	}
	return token
}

// phrases are the places that a text gives in words, with their paths and what is added to the
// number.
var phrases = sync.OnceValue(func() []struct {
	form  *regexp.Regexp
	root  string
	shift int
} {
	return []struct {
		form  *regexp.Regexp
		root  string
		shift int
	}{
		{regexp.MustCompile(`message at (?:position|index) ([0-9]{1,9})\b`), "messages", 0},
		{regexp.MustCompile(`message index ([0-9]{1,9})\b`), "messages", 0},
		// AI Studio counts from 1, Vertex AI from 0.
		{regexp.MustCompile(`function call .{1,140}, position ([0-9]{1,9})\b`), "contents", -1},
		{regexp.MustCompile(`in the ([0-9]{1,9})\. content block`), "contents", 0},
	}
})

// parameter finds the path beside the message in an error body: OpenAI's param, and the loc of
// FastAPI services.
var parameter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`["']?\bparam["']?\s?[:=]\s?["']([^"']{1,` +
		`200})["']|["']loc["']\s?:\s?[\[(]([^\])]{1,200})[\])]`)
})

// locate lists the paths of one match: in the text itself, in words, and only then beside it.
func locate(v *view, from, to int) []string {
	text := v.plain[from:to]
	found := paths(text)
	for _, p := range phrases() {
		for _, at := range p.form.FindAllStringSubmatch(text, maxPlaces) {
			if n := atoi(at[1]) + p.shift; n >= 0 {
				found = appendNew(found, p.root+"["+strconv.Itoa(n)+"]")
			}
		}
	}
	if len(found) > 0 {
		return found
	}
	const beside = 600
	around := v.plain[max(0, from-beside):min(len(v.plain), to+beside)]
	if m := parameter().FindStringSubmatch(around); m != nil {
		found = paths(m[1] + m[2])
	}
	return found
}

// extent widens a match to what belongs to it in plain text: the path before it and the rest of its
// sentence.
func extent(v *view, m match) (from, to int) {
	from, to = v.offset(m.start), v.end(m.end)
	if m.lead && from > 0 { // the word before, which the pattern leaves open
		from = 1 + strings.LastIndexByte(strings.TrimRight(v.plain[:from], " "), ' ')
	}
	before := v.plain[:from]
	if path := pathBefore(before); path != "" {
		from = max(0, strings.LastIndex(before, path))
	} else {
		for from > 0 && strings.IndexByte("`'[(<*", v.plain[from-1]) >= 0 {
			from--
		}
	}
	if m.open {
		to += quoted(v.plain[to:])
	}
	const rest = 400
	limit := min(len(v.plain), to+rest)
	for to < limit && !sentenceBreak(v.plain[to:]) {
		to++
	}
	if to < len(v.plain) && strings.IndexByte(".`'!?", v.plain[to]) >= 0 {
		to++
	}
	return from, to
}

// quoted returns the length of the quoted word that s begins with, or 0.
func quoted(s string) int {
	t := strings.TrimLeft(s, " ")
	if t == "" || strings.IndexByte("\"'`", t[0]) < 0 {
		return 0
	}
	n := strings.IndexByte(t[1:min(len(t), valueReach)], t[0])
	if n <= 0 {
		return 0
	}
	return len(s) - len(t) + n + 2
}

// sentenceBreak reports whether the sentence, or the string that holds it, ends where s begins.
func sentenceBreak(s string) bool {
	switch {
	case s[0] == '}', s[0] == '\'' && len(s) > 1 && strings.IndexByte(",}", s[1]) >= 0:
		return true
	case s[0] == '"':
		return len(s) == 1 || s[1] != '.' && !strings.HasPrefix(s[1:], " at '")
	}
	if s[0] == '.' || s[0] == ';' || s[0] == '!' {
		return len(s) == 1 || strings.IndexByte(" \"'}", s[1]) >= 0
	}
	return strings.HasPrefix(s, " * ") ||
		strings.HasPrefix(s, " at ") && len(s) > 4 && nameByte(s[4]) &&
			strings.Contains(s[:min(len(s), 80)], "(")
}

// idsAt lists the ids that begin at plain[at:], of which there may be several: a, b and c.
func idsAt(plain string, at int) []string {
	var found []string
	s := strings.TrimLeft(plain[at:], "['\"`")
	for len(found) < maxPlaces {
		n := 0
		for n < len(s) && idByte(s[n]) {
			n++
		}
		id := strings.TrimRight(s[:n], ".:|")
		if !telling(id, len(found) > 0) || n < len(s) && s[n] == '[' {
			return found
		}
		found = append(found, id)
		s = strings.TrimLeft(s[n:], "'\"`")
		if t, ok := strings.CutPrefix(s, ","); ok {
			s = strings.TrimLeft(t, " '\"`")
		} else if t, ok := strings.CutPrefix(s, " and "); ok {
			s = strings.TrimLeft(t, " '\"`")
		} else {
			return found
		}
	}
	return found
}

// telling reports whether id is one, and not a placeholder or, after another id, the next word.
func telling(id string, further bool) bool {
	if id == "" || len(id) > 512 || strings.Contains(id, "XXXX") {
		return false
	}
	return !further || strings.ContainsAny(id, "0123456789_-")
}

func idByte(c byte) bool {
	return nameByte(c) || strings.IndexByte("-.:|+/=@", c) >= 0
}

func pathByte(c byte) bool {
	return nameByte(c) || strings.IndexByte("-.[]/", c) >= 0
}

func nameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

func nameSize(s string) int {
	n := 0
	for n < len(s) && nameByte(s[n]) {
		n++
	}
	return n
}

// digits returns the number of digits that s begins with, or 0 when they are too many for an index.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	if n > 9 {
		return 0
	}
	return n
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// appendNew appends the strings that are not yet there, up to the limit of places.
func appendNew(to []string, more ...string) []string {
	for _, s := range more {
		if len(to) < maxPlaces && !slices.Contains(to, s) {
			to = append(to, s)
		}
	}
	return to
}
