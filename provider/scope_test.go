package provider

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/glob"
	"github.com/go-preflight/preflight/internal/modelname"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file holds the scope of each row to its evidence, in both directions. Evidence covers the
// models that it names; that of a rule which names none is about all models of the API; several
// members of a family that refuse cover the family; and an acceptance takes its model out.

// wider are the restrictions whose rows cover models that no evidence names, and why.
var wider = map[string]string{
	"bedrock media-type": "the model checks the type, and the report names one of Anthropic's; the " +
		"repair corrects a declaration",
	"chat-template media-refused": "the template of the row has no form for media; the rule is " +
		"about the format",
}

// TestScopeWider: a row restricts no more models than its evidence covers.
func TestScopeWider(t *testing.T) {
	found := map[string]string{}
	for _, m := range Models() {
		plain, ok := ByName(m.Provider, "")
		require.True(t, ok)
		p, _ := ByName(m.Provider, strings.ReplaceAll(m.Pattern, "*", ""))
		for _, r := range restrictions {
			if !r.holds(p) || r.holds(plain) {
				continue
			}
			if id := p.Rules[r.problem]; !coversRow(id, m.Pattern) {
				found[m.Provider+" "+string(r.problem)] = m.Pattern + ", by " + id
			}
		}
	}
	requireExcused(t, found, wider)
}

// coversRow reports whether the evidence of a rule covers the models of a pattern.
func coversRow(id, pattern string) bool {
	r, ok := rule.ByID(id)
	if !ok {
		return false
	}
	named, everyModel := r.Models, false
	for _, e := range r.For {
		if e.Kind != rule.Guessed {
			named = append(named, e.Models...)
			everyModel = everyModel || len(e.Models) == 0 && len(r.Models) == 0
		}
	}
	if everyModel || slices.ContainsFunc(named, func(n string) bool { return namesRow(n, pattern) }) {
		return true
	}
	members := map[string]bool{}
	for _, n := range named {
		if name := bareName(n); glob.Match(pattern, name) {
			members[name] = true
		}
	}
	return len(members) > 1
}

// dated is what follows the name of a model in the name of one of its versions.
var dated = regexp.MustCompile(`^(-v?\d+)*$`)

// namesRow reports whether a pattern of evidence names the models of a row: it is as wide, or names
// a dated version of the one model.
func namesRow(named, row string) bool {
	name, wanted := bareName(named), strings.Trim(row, "*-")
	rest, dates := strings.CutPrefix(name, wanted)
	switch {
	case dates && dated.MatchString(rest):
		return true
	case strings.HasPrefix(named, "*"):
		return strings.Contains(wanted, name)
	}
	return strings.HasPrefix(wanted, name) && strings.HasSuffix(named, "*")
}

// bareName returns a pattern of evidence as rows spell names, without its stars.
func bareName(pattern string) string {
	name := modelname.Bare(strings.ReplaceAll(pattern, "*", ""))
	return strings.Trim(strings.NewReplacer(":", "-").Replace(name), "-")
}

// narrower are the rules that a model does not have although evidence names it, and why.
var narrower = map[string]string{
	"bedrock/starts-with-user": "claude-opus-4 alone of its family was seen to refuse, once; a newer " +
		"model of it was recorded to accept, and the repair costs words",
	"bedrock/reasoning-signature": "Nova refuses the reasoning itself",
	"deepseek/successive-roles":   "the report is of the first reasoner; the name is that of others now",
	"groq/unknown-property":       "the member is the format's, and no field of a profile",
	"mistral/media-disabled":      "the models that read images have the kinds that they read",
	"openai-chat/part-type":       "the type is the format's, and no field of a profile",
	"openai-responses/file-type":  "the type is the format's, and no field of a profile",
	"bedrock/media-unsupported":   "the kinds of media are a list of what is accepted",
	"openai-responses/reasoning-needs-following": "the provider that holds items has it; what it " +
		"holds is in the request",
}

// TestScopeNarrower: a model that refused, as evidence says, has the restriction, unless that does
// not stand or there is a reason.
func TestScopeNarrower(t *testing.T) {
	found := map[string]string{}
	for _, plain := range All() {
		for id, of := range restrictionsOf(plain.Provider) {
			r, _ := rule.ByID(id)
			if r.Coverage == rule.Unseen || r.Coverage == rule.Accepted {
				continue
			}
			for _, e := range r.For {
				if e.Kind == rule.Guessed || !isOn(e, r.Provider, plain.Provider) {
					continue
				}
				for _, m := range e.Models {
					p, _ := ByName(plain.Provider, oneOf(m))
					restricts := slices.ContainsFunc(of, func(k setting) bool {
						return k.holds(p) && p.Rules[k.problem] == id
					})
					if !restricts && stands(r, p) {
						found[id] = fmt.Sprintf("%s %s", plain.Provider, m)
					}
				}
			}
		}
	}
	requireExcused(t, found, narrower)
}

// oneOf returns a name that a pattern of evidence matches. The vendor alone is no model.
func oneOf(pattern string) string {
	name := strings.ReplaceAll(pattern, "*", "")
	if strings.HasSuffix(name, ".") || name == "moonshot" {
		name += map[string]string{
			"writer.": "palmyra-x5", "cohere.": "command-r", "moonshot": "ai.kimi-k2-thinking",
			"mistral.": "mistral-large", "openai.": "gpt-5.6", "qwen.": "qwen3", "minimax.": "minimax-m2",
			"ai21.": "jamba",
		}[name]
	}
	return name
}

// restrictionsOf returns the restrictions of a provider's profiles by their rules.
func restrictionsOf(name string) map[string][]setting {
	models := []string{""}
	for _, m := range Models() {
		if m.Provider == name {
			models = append(models, strings.ReplaceAll(m.Pattern, "*", ""))
		}
	}
	out, seen := map[string][]setting{}, map[string]bool{}
	for _, m := range models {
		p, _ := ByName(name, m)
		for _, r := range restrictions {
			if id := p.Rules[r.problem]; id != "" && !seen[id+string(r.problem)+r.field] {
				seen[id+string(r.problem)+r.field] = true
				out[id] = append(out[id], r)
			}
		}
	}
	return out
}

// isOn reports whether evidence for a rule of one provider is from the host of another one.
func isOn(e rule.Evidence, of, name string) bool {
	if len(e.Hosts) == 0 {
		return of == name
	}
	return hostOf[name] != "" && slices.ContainsFunc(e.Hosts, func(h string) bool {
		return glob.Match(h, hostOf[name])
	})
}

// requireExcused compares what was found with what has a reason.
func requireExcused(t *testing.T, found, excused map[string]string) {
	t.Helper()
	for name, what := range found {
		if excused[name] == "" {
			t.Errorf("%s: %s", name, what)
		}
	}
	for name := range excused {
		if found[name] == "" {
			t.Errorf("%s agrees with its evidence; it needs no reason", name)
		}
	}
}

// TestScopeAccepted: what a profile restricts stands on evidence; and where both sides speak, what
// stands is restricted. Rules that the history does not show are for the remedies alone.
func TestScopeAccepted(t *testing.T) {
	found := map[string]string{}
	all := All()
	for _, m := range Models() {
		p, _ := ByName(m.Provider, oneOf(m.Pattern))
		all = append(all, p)
	}
	for _, p := range all {
		restricts := map[problems.Problem]bool{}
		for _, r := range restrictions {
			restricts[r.problem] = restricts[r.problem] || r.holds(p)
		}
		for problem, set := range restricts {
			r, ok := rule.ByID(p.Rules[problem])
			if ok && r.Coverage != rule.Unseen && set != stands(r, p) && (set || len(r.Against) > 0) {
				found[r.ID] = fmt.Sprintf("%s %s restricts it: %t", p.Provider, p.Model, set)
			}
		}
	}
	requireExcused(t, found, map[string]string{
		"gemini/empty-part-data": "the report names no model, and one model of Vertex AI was recorded " +
			"to accept: it is taken out, and the others keep the rule",
	})
}

// stands reports whether evidence bears a rule for the model of a profile: it was refused and not
// accepted, or refused last where the repair loses nothing. A model that no refusal names is refused
// like the others only as long as no model of the host accepts.
func stands(r rule.Rule, p *Profile) bool {
	refused, accepted := seen(r.For, p), seen(r.Against, p)
	var last, against string
	switch {
	case len(r.Models) > 0 && !names(r.Models, p.Model):
		return false
	case refused["named"] != "":
		last, against = refused["named"], max(accepted["named"], accepted["all"])
	default:
		against = max(accepted["named"], accepted["all"], accepted["others"])
		if last = refused["all"]; last == "" && against == "" {
			last = refused["others"]
		}
	}
	cheap := r.Cost == rule.CostNothing || r.Cost == rule.CostPrefix
	return last != "" && (against == "" || cheap && last >= against)
}

// seen returns when evidence of a profile's host was seen last, by whether it names the model, other
// models, or none, which is all. Evidence without a date is older than any other.
func seen(all []rule.Evidence, p *Profile) map[string]string {
	last := map[string]string{}
	for _, e := range all {
		about := "others"
		if len(e.Models) == 0 {
			about = "all"
		} else if names(e.Models, p.Model) {
			about = "named"
		}
		if e.Kind != rule.Guessed && (len(e.Hosts) == 0 || glob.Any(e.Hosts, hostOf[p.Provider])) {
			last[about] = max(last[about], e.Seen, "0")
		}
	}
	return last
}

// names reports whether one of the patterns of evidence matches a model.
func names(patterns []string, model string) bool {
	spelled := strings.NewReplacer(".", "-", ":", "-", "_", "-").Replace
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		return glob.Match(spelled(pattern), spelled(model))
	})
}

// hostOf is the host that a profile is for, where its rules have evidence of several hosts.
var hostOf = map[string]string{
	"anthropic":        "api.anthropic.com",
	"openai-chat":      "api.openai.com",
	"openai-responses": "api.openai.com",
	"azure":            "acme.openai.azure.com",
	"azure-responses":  "acme.openai.azure.com",
	"gemini":           "generativelanguage.googleapis.com",
	"vertex-gemini":    "us-central1-aiplatform.googleapis.com",
	"bedrock":          "bedrock-runtime.us-east-1.amazonaws.com",
	"mistral":          "api.mistral.ai",
	"groq":             "api.groq.com",
	"cohere":           "api.cohere.com",
	"deepseek":         "api.deepseek.com",
	"minimax":          "api.minimax.io",
	"cerebras":         "api.cerebras.ai",
	"qwen":             "dashscope-intl.aliyuncs.com",
}
