package openaichat

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The fakes of hosts that speak OpenAI's Chat format, by the names of their
// profiles. What they refuse is what the public reports in the sources of their
// rules say, and what every host of the format was seen to refuse.

// ofOpenAI are rules that OpenAI alone was seen to apply.
var ofOpenAI = []string{
	"openai-chat/unknown-parameter", "openai-chat/tools-max", "openai-chat/part-type",
	"openai-chat/tool-call-id-length", "openai-chat/function-name-pattern",
	"openai-chat/message-name-pattern", "openai-chat/string-max",
	"openai-chat/file-needs-filename", "openai-chat/system-role-unsupported",
	"openai-chat/tool-message-image", "openai-chat/image-undecodable",
	"openai-chat/tools-reasoning-effort", "openai-chat/tool-call-id-duplicate",
	"openai-chat/empty-tool-calls", "openai-chat/tool-result-missing",
}

// host is a host: what it has of its own beside the common checks.
type host struct {
	name string

	// ids says that calls and results have ids, which differ in a turn.
	ids bool

	// words are the rules of its own by those of the format that they take the place of: the
	// common check is made under the host's rule, in the host's words. A rule that is not there is
	// not checked, where it is "".
	words map[string]string

	// shape are the checks that the host makes before the common ones, and own those after them.
	shape, own []fake.Check
}

// Hosts are the fakes of the hosts, each in a file of its own.
var Hosts = []*fake.Format{
	cerebras.format(), deepSeek.format(), &geminiHost, glm.format(), groq.format(),
	miniMax.format(), moonshot.format(), nvidia.format(), openRouter.format(), qwen.format(),
	volcengine.format(), xai.format(),
}

// format returns the format with the host's checks.
func (h *host) format() *fake.Format {
	f := Format
	f.Name, f.Checks = h.name, slices.Clone(h.shape)
	for _, c := range checks {
		if !slices.Contains(ofOpenAI, c.Rule) {
			f.Checks = h.add(f.Checks, c)
		}
	}
	pairs := []fake.Check{
		{Rule: "openai-chat/tool-call-id-length", Find: spacesAsIDs},
		{Rule: "openai-chat/tool-result-missing", Find: fewerResults},
		{Rule: "openai-chat/tool-call-id-duplicate", Find: furtherResults},
	}
	if h.ids {
		pairs = []fake.Check{
			{Rule: "openai-chat/tool-call-id-length", Find: blankIDs},
			{Rule: "openai-chat/tool-call-id-duplicate", Find: duplicate},
			{Rule: "openai-chat/tool-result-missing", Find: missing},
		}
	}
	f.Checks = h.add(f.Checks, fake.Check{
		Rule: "openai-chat/function-name-pattern", Find: namelessFunctions,
	})
	f.Checks = append(f.Checks, fake.Check{Rule: "openai-chat/image-undecodable", Find: broken})
	for _, c := range pairs {
		f.Checks = h.add(f.Checks, c)
	}
	f.Checks = append(f.Checks, h.own...)
	for k, c := range f.Checks {
		if !aboutTools.MatchString(c.Rule) {
			continue
		}
		f.Checks[k].Find = func(r *fake.Request, found fake.Found) {
			unknown := unknownTools(r)
			c.Find(r, func(path string, fill ...string) {
				in := func(tool string) bool { return strings.HasPrefix(path, tool) }
				if !slices.ContainsFunc(unknown, in) {
					found(path, fill...)
				}
			})
		}
	}
	return &f
}

// aboutTools matches the rules that depend on kinds of tools.
var aboutTools = regexp.MustCompile(`^$|name|arguments|parameters`)

// unknownTools returns the paths of the tools and calls of a kind that nothing is known of: nobody
// can say what a host makes of them.
func unknownTools(r *fake.Request) (paths []string) {
	note := func(v any, path string) {
		if hasUnknownType(v, "function", "custom") {
			paths = append(paths, path)
		}
	}
	for i, t := range read.Array(r.Root["tools"]) {
		note(t, fmt.Sprintf("tools[%d]", i))
	}
	for _, m := range messagesOf(r) {
		for _, c := range m.calls {
			note(c.object, c.path)
		}
	}
	return paths
}

// hasUnknownType reports whether an object has a type that is not known.
func hasUnknownType(v any, known ...string) bool {
	kind, ok := read.Object(v)["type"].(string)
	return ok && !slices.Contains(known, kind)
}

// add appends a common check, under the host's own rule where it has one.
func (h *host) add(checks []fake.Check, c fake.Check) []fake.Check {
	own, there := h.words[c.Rule]
	switch {
	case !there:
		return append(checks, c)
	case own == "":
		return checks
	}
	find := c.Find
	c.Rule, c.Text = own, ""
	c.Find = func(r *fake.Request, found fake.Found) {
		find(r, func(path string, _ ...string) { found(path) })
	}
	return append(checks, c)
}
