package anthropic

import (
	"regexp"
	"strconv"
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

func modelOf(name string) model {
	atoi := func(s string) int { n, _ := strconv.Atoi(s); return n }
	if m := familyFirst.FindStringSubmatch(name); m != nil {
		return model{m[1], atoi(m[2]), atoi(m[3])}
	}
	if m := versionFirst.FindStringSubmatch(name); m != nil {
		return model{m[3], atoi(m[1]), atoi(m[2])}
	}
	if oldest.MatchString(name) {
		return model{"instant", 2, 0}
	}
	return model{}
}

func (m model) atLeast(major, minor int) bool {
	return m.major > major || m.major == major && m.minor >= minor
}

// prefills reports whether an assistant message may come last: up to 4.5.
func (m model) prefills() bool { return m.family != "" && !m.atLeast(4, 6) }

// takesSystem reports whether system messages may be in the conversation:
// from Opus 4.8 and version 5 of the others, and in models that are not known.
func (m model) takesSystem() bool {
	return m.family == "" || m.atLeast(5, 0) || m.family == "opus" && m.atLeast(4, 8)
}

// unasked is the thinking mode of a request that says nothing about it. Up to
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
