package anthropic

import (
	"regexp"
	"strconv"
	"strings"
)

// What the names of models tell.

// model is what the name of a model tells.
type model struct {
	family string // empty for a name that is not known
	major  int
	minor  int
}

var (
	familyFirst = regexp.MustCompile(
		`claude-(opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?:[-.](\d{1,2}))?(?:\D|$)`)
	versionFirst = regexp.MustCompile(`claude-(\d)(?:[-.](\d))?-(opus|sonnet|haiku)`)
	oldest       = regexp.MustCompile(`claude-(?:instant|v?[12](?:\D|$))`)
)

// vendors are how the names of models begin that others serve in the format. A name with a slash is
// a gateway's.
var vendors = regexp.MustCompile(`(?i)/|^(deepseek|kimi|moonshot|glm|minimax|abab|qwen|qwq|mimo|` +
	`step-|doubao|ernie|hunyuan|longcat|gpt-|o[134]|gemini|gemma|grok|mistral|llama|nemotron|granite)`)

// ofVendor reports whether a model is taken for another vendor's. One that the fake does not know
// is taken for one of Claude's, unless lenient.
func ofVendor(name string, lenient bool) bool {
	return vendors.MatchString(name) || lenient && name != "" && !strings.Contains(name, "claude")
}

func modelOf(name string) model {
	atoi := func(s string) int { n, _ := strconv.Atoi(s); return n }
	if m := familyFirst.FindStringSubmatch(name); m != nil {
		return model{family: m[1], major: atoi(m[2]), minor: atoi(m[3])}
	}
	if m := versionFirst.FindStringSubmatch(name); m != nil {
		return model{family: m[3], major: atoi(m[1]), minor: atoi(m[2])}
	}
	if oldest.MatchString(name) {
		return model{family: "instant", major: 2}
	}
	return model{}
}

func (m model) atLeast(major, minor int) bool {
	return m.major > major || m.major == major && m.minor >= minor
}

// prefills reports whether an assistant message may come last: up to 4.5.
func (m model) prefills() bool { return m.family != "" && !m.atLeast(4, 6) }

// takesSystem reports whether system messages may be in the conversation: from Opus 4.8 and version
// 5 of the others, and in a request that names no model, or one of another vendor.
func (a *request) takesSystem() bool {
	m := a.model
	return m.family == "" && (a.unnamed || a.vendor) || m.atLeast(5, 0) ||
		m.family == "opus" && m.atLeast(4, 8)
}

// unasked returns the thinking mode of a request that says nothing about it. Up to
// 4.8 that is none, from 5 on it is adaptive, as it is taken to be of a model
// that is not known (https://platform.claude.com/docs/en/models/opus-5/migration-guide).
func (m model) unasked() string {
	if m.family == "" || m.atLeast(5, 0) || m.family == "mythos" {
		return "adaptive"
	}
	return "disabled"
}

// binds reports whether thinking is bound to what came before it: from 5.1 of
// Fable and Mythos and 5.5 of the others, and for models that are not known.
func (m model) binds() bool {
	switch m.family {
	case "":
		return true
	case "fable", "mythos":
		return m.atLeast(5, 1)
	}
	return m.atLeast(5, 5)
}
