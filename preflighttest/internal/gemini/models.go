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
	strictest    bool // it is not known, and judged by the rules of all
	major, minor int
	lite, image  bool
}

var nameForm = regexp.MustCompile(`gemini-(\d{1,2})(?:\.(\d{1,2}))?(?:-|$)`)

// modelOf reads a name. One that the fake does not know, a later generation's included, is judged
// by the strictest rules unless lenient. No name at all, and one that Google points at another
// model now and then, are judged by the rules that every model has.
func modelOf(name string, lenient bool) model {
	m := namedOf(name)
	if name = name[strings.LastIndexByte(name, '/')+1:]; name != "" && !m.known {
		m.strictest = !lenient && !strings.HasSuffix(name, "-latest")
	}
	return m
}

func namedOf(name string) model {
	if strings.HasSuffix(name, "gemini-pro") || strings.HasSuffix(name, "gemini-pro-vision") {
		return model{known: true, major: 1}
	}
	m := nameForm.FindStringSubmatch(name)
	if m == nil {
		return model{}
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	if major > 4 || major == 3 && minor > 8 {
		return model{}
	}
	return model{
		known: true, major: major, minor: minor,
		lite: strings.Contains(name, "-lite"), image: strings.Contains(name, "-image"),
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
func (m model) prefills() bool {
	return !m.strictest && !m.between(6, 8) && !(m.between(5, 5) && m.lite)
}

// functions reports whether the model takes the role "function", which 3.5
// was the first to refuse.
func (m model) functions() bool { return !m.strictest && !m.between(5, 8) }

// ownIDs reports whether the calls of a turn need ids of their own.
func (m model) ownIDs() bool { return m.strictest || m.between(0, 99) }

// signs reports whether the model requires its signatures on function calls.
func (m model) signs() bool {
	return m.strictest || m.known && (m.major == 3 || m.major == 4) && !m.image
}
