package gemini

import (
	"regexp"
	"strconv"
	"strings"
)

// What the names of models tell.

// model is what the name of a model tells.
type model struct {
	known        bool
	major, minor int
	lite, image  bool
}

var nameForm = regexp.MustCompile(`gemini-(\d{1,2})(?:\.(\d{1,2}))?(?:-|$)`)

func modelOf(name string) model {
	if strings.HasSuffix(name, "gemini-pro") || strings.HasSuffix(name, "gemini-pro-vision") {
		return model{known: true, major: 1}
	}
	m := nameForm.FindStringSubmatch(name)
	if m == nil {
		return model{}
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	return model{
		true, major, minor, strings.Contains(name, "-lite"), strings.Contains(name, "-image"),
	}
}

// first reports whether the model is of the first generation, which wanted
// user and model in turns.
func (m model) first() bool { return m.known && m.major == 1 && m.minor == 0 }

// second reports whether the model is one of 2, which accept a call without a
// response.
func (m model) second() bool { return m.known && m.major == 2 }

// between reports whether the model is one of 3, from one minor version to
// another: what the others refuse is not on record.
func (m model) between(first, last int) bool {
	return m.known && m.major == 3 && first <= m.minor && m.minor <= last
}

// prefills reports whether the model continues a turn of its own. The lite
// one of 3.5 does not, and none from 3.6 on
// (https://github.com/LibreChat-AI/agents/pull/323).
func (m model) prefills() bool { return !m.between(6, 8) && !(m.between(5, 5) && m.lite) }

// functions reports whether the model takes the role "function", which 3.5
// was the first to refuse.
func (m model) functions() bool { return !m.between(5, 8) }

// signs reports whether the model requires its signatures on function calls.
func (m model) signs() bool {
	return m.known && (m.major == 3 || m.major == 4) && !m.image
}
