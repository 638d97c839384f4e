package remedy

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// This file reads which member of the request a refusal names as one that it does not know.

// named is a member that a refusal names: the steps from the root of the body to the object, and
// the name of the member in it.
type named struct {
	steps []string // names and indices, as the text spells them
	name  string
}

// Bounds of what is read of a refusal.
const (
	maxNamedText = 64 << 10 // bytes
	maxNamed     = 64       // members
	maxSteps     = 16       // of a path
)

// The parts of the forms: a path into the history, a name in quotes, and how validators say that a
// member is not known.
const (
	pathForm = `((?:messages|input|contents|system)` +
		`(?:\.?\[\d+\]|[./]\d+|[./][A-Za-z_][A-Za-z0-9_-]*)+)`
	nameForm = "[\"'`\\[]([A-Za-z_][A-Za-z0-9_-]*)[\"'`\\]]"
	unknown  = `(?:extra inputs are not permitted|extra fields not permitted)`
)

// namedForms are the forms in which a refusal names a member that is not known. The first group is
// the path; where there is a second, it is the name of the member in the object at the path.
//
// Sources: OpenAI, openai/openai-python#2621 and Wei-Shaw/sub2api#6143; Anthropic,
// Wei-Shaw/sub2api#225 and anthropics/claude-code#4378; Gemini, flyun/chatAir#108; Groq, rule
// groq/unknown-property; Cerebras, QwenLM/qwen-code#11045; Bedrock, recorded by
// pydantic/pydantic-ai; pydantic's own texts, docs.pydantic.dev/latest/errors/validation_errors, as
// in 1Panel-dev/MaxKB#2912; serde's, docs.rs/serde.
var namedForms = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		// Unknown parameter: 'input[60].status'
		regexp.MustCompile(`(?i)\b(?:unknown|unrecognized|unsupported) parameter:? ["'\x60]` +
			pathForm + `["'\x60]`),
		// messages.0.content.0.text.cache_control: Extra inputs are not permitted
		regexp.MustCompile(`(?i)` + pathForm + `["'\x60]?:?\s+` + unknown),
		// Extra inputs are not permitted, field: 'messages[1].reasoning_content'
		regexp.MustCompile(`(?i)` + unknown + `,? field:? ["'\x60]` + pathForm + `["'\x60]`),
		// messages.2.assistant.x: property 'messages.2.assistant.x' is unsupported
		regexp.MustCompile(`(?i)\bproperty ["'\x60]` + pathForm +
			`["'\x60] is (?:unsupported|not supported)`),
		// Unknown name "id" at 'contents[1].parts[0]': Cannot find field.
		regexp.MustCompile(`(?i)\bunknown name ` + nameForm + ` at ["'\x60]` + pathForm +
			`["'\x60]`),
		// 'messages.2' : property 'reasoning' is unsupported
		regexp.MustCompile(`(?i)["'\x60]` + pathForm + `["'\x60] ?: property ` + nameForm +
			` is (?:unsupported|not supported)`),
		// #/messages/2/content/0: extraneous key [x] is not permitted
		regexp.MustCompile(`(?i)` + pathForm + `: extraneous key ` + nameForm),
		// messages[2]: unknown field `x`, expected one of
		regexp.MustCompile(`(?i)` + pathForm + `: unknown field ` + nameForm),
		// Additional properties are not allowed ('x' was unexpected) - 'messages.1'
		regexp.MustCompile(`(?i)additional properties are not allowed \(` + nameForm +
			` was unexpected\) - ["'\x60]` + pathForm + `["'\x60]`),
		// Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1
		regexp.MustCompile(`(?i)\binvalid ["'\x60]` + pathForm + `["'\x60]: empty array`),
	}
})

// locForm is the path of pydantic's errors and of zod's, a list.
var locForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`["'](?:loc|path)["']\s*:\s*[\[(]\s*(?:["']body["']\s*,\s*)?` +
		`(["'](?:messages|input|contents|system)["']` +
		`(?:\s*,\s*(?:["'][^"'\[\]{}]*["']|\d+))*)\s*,?\s*[\])]`)
})

// keysForm is the list of names in zod's errors.
var keysForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`["']keys["']\s*:\s*\[([^\[\]{}]*)\]`)
})

// unknownLoc are the words by which an error with a list for a path says that a member is unknown.
var unknownLoc = []string{
	"extra_forbidden", "extra inputs are not permitted", "extra fields not permitted",
}

// namedIn returns the members that a refusal names as unknown, each once, in the order of the
// forms.
func namedIn(text string) []named {
	text = unescaped(text)
	var found []named
	seen := map[string]bool{}
	add := func(n named) {
		key := strings.Join(n.steps, "/") + "/" + n.name
		if len(n.steps) > 0 && len(n.steps) <= maxSteps && len(found) < maxNamed && !seen[key] {
			seen[key] = true
			found = append(found, n)
		}
	}
	for _, form := range namedForms() {
		for _, m := range form.FindAllStringSubmatch(text, maxNamed) {
			switch {
			case len(m) == 2:
				add(whole(stepsOf(m[1])))
			case isPath(m[1]):
				add(named{stepsOf(m[1]), m[2]})
			default:
				add(named{stepsOf(m[2]), m[1]})
			}
		}
	}
	for _, at := range locForm().FindAllStringSubmatchIndex(text, maxNamed) {
		steps := listed(text[at[2]:at[3]])
		around := strings.ToLower(objectAround(text, at[0], at[1]))
		for _, words := range unknownLoc {
			if strings.Contains(around, words) {
				add(whole(steps))
				break
			}
		}
		if strings.Contains(around, "unrecognized_keys") {
			if keys := keysForm().FindStringSubmatch(objectAround(text, at[0], at[1])); keys != nil {
				for _, key := range listed(keys[1]) {
					add(named{steps, key})
				}
			}
		}
	}
	return found
}

// whole returns the member at the end of a path.
func whole(steps []string) named {
	if len(steps) < 2 {
		return named{}
	}
	return named{steps[:len(steps)-1], steps[len(steps)-1]}
}

// isPath reports whether what a form found is a path and no name.
func isPath(s string) bool { return strings.ContainsAny(s, ".[/") }

// stepsOf splits a path: messages.2.x, messages[2].x, messages/2/x.
func stepsOf(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]/", r) })
}

// listed returns the elements of a list, without their quotes.
func listed(list string) []string {
	var out []string
	for s := range strings.SplitSeq(list, ",") {
		out = append(out, strings.Trim(s, " \t\n\"'"))
	}
	return out
}

// objectAround returns the text of the object that has text[from:to], as far as it has no objects
// of its own.
func objectAround(text string, from, to int) string {
	start := strings.LastIndexByte(text[:from], '{') + 1
	if end := strings.IndexByte(text[to:], '}'); end >= 0 {
		return text[start : to+end]
	}
	return text[start:]
}

// unescaped returns the beginning of a text without the escapes that bodies in bodies and in pages
// have.
func unescaped(text string) string {
	text = text[:min(len(text), maxNamedText)]
	for range 3 { // relays quote what relays quoted
		plain := escapes.Replace(text)
		if plain == text {
			break
		}
		text = plain
	}
	return text
}

var escapes = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\'`, `'`, `\/`, `/`, `\n`, "\n",
	`\t`, "\t",
	`\u0027`, `'`, `\u0022`, `"`, `\u0060`, "`", `\u003c`, `<`, `\u003e`, `>`, `\u0026`, `&`,
	`&quot;`, `"`, `&#34;`, `"`, `&#39;`, `'`, `&#x27;`, `'`, `&apos;`, `'`, `&#96;`, "`",
	`&#x60;`, "`", `&lt;`, `<`, `&gt;`, `>`, `&amp;`, `&`)

// indexOf returns the index that is a step of a path; ok is false if the step is a name.
func indexOf(step string) (index int, ok bool) {
	index, err := strconv.Atoi(step)
	return index, err == nil && index >= 0
}
