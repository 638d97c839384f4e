// Package claude is what the fakes of Anthropic and of Bedrock know of Claude: what the names of
// its models tell, and what it refuses of thinking.
package claude

import (
	"regexp"
	"strconv"
)

// Model is what the name of a model tells.
type Model struct {
	Family string // empty for a name that is not known
	major  int
	minor  int
}

var (
	familyFirst = regexp.MustCompile(
		`claude-(opus|sonnet|haiku|fable|mythos)-(\d{1,2})(?:[-.](\d{1,2}))?(?:\D|$)`)
	versionFirst = regexp.MustCompile(`claude-(\d)(?:[-.](\d))?-(opus|sonnet|haiku)`)
	oldest       = regexp.MustCompile(`claude-(?:instant|v?[12](?:\D|$))`)
)

// ModelOf reads a name, as Anthropic spells it or a host: "us.anthropic.claude-opus-4-6-v1".
func ModelOf(name string) Model {
	atoi := func(s string) int { n, _ := strconv.Atoi(s); return n }
	if m := familyFirst.FindStringSubmatch(name); m != nil {
		return Model{m[1], atoi(m[2]), atoi(m[3])}
	}
	if m := versionFirst.FindStringSubmatch(name); m != nil {
		return Model{m[3], atoi(m[1]), atoi(m[2])}
	}
	if oldest.MatchString(name) {
		return Model{"instant", 2, 0}
	}
	return Model{}
}

// AtLeast reports whether the model is of a version or a later one.
func (m Model) AtLeast(major, minor int) bool {
	return m.major > major || m.major == major && m.minor >= minor
}

// Prefills reports whether an assistant message may come last: up to 4.5.
func (m Model) Prefills() bool { return m.Family != "" && !m.AtLeast(4, 6) }

// Unasked returns the thinking mode of a request that says nothing about it. Up to 4.8 that is
// none, from 5 on it is adaptive, as it is taken to be of a model that is not known
// (https://platform.claude.com/docs/en/models/opus-5/migration-guide).
func (m Model) Unasked() string {
	if m.Family == "" || m.AtLeast(5, 0) || m.Family == "mythos" {
		return "adaptive"
	}
	return "disabled"
}

// Binds reports whether thinking is bound to what came before it: from 5.1 of Fable and Mythos and
// 5.5 of the others, and for models that are not known.
func (m Model) Binds() bool {
	switch m.Family {
	case "":
		return true
	case "fable", "mythos":
		return m.AtLeast(5, 1)
	}
	return m.AtLeast(5, 5)
}
