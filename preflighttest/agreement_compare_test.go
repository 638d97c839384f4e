package preflighttest_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/problems"
	"github.com/go-preflight/preflight/wire"
)

func agree(t *rapid.T, provider string, body []byte) {
	if difference := disagreement(t, provider, body); difference != "" {
		t.Fatalf("%s in\n%s", difference, body)
	}
}

// disagreement says what the check and the fake make of the body, if that is not the same.
func disagreement(t require.TestingT, provider string, body []byte) string {
	report, err := wire.Check(body, &wire.Options{Provider: provider})
	if err != nil {
		if len(faults(t, provider, body)) == 0 {
			return fmt.Sprintf("wire cannot read a body that the fake accepts: %v", err)
		}
		return ""
	}
	checked, others := map[string]bool{}, false
	further := false // of two results of one call, Check may take the later one for its answer
	for _, v := range report.Violations {
		if r, _ := rule.ByID(v.Rule); (r.Provider == formatName(provider) ||
			r.Provider == provider) && r.Status != 0 &&
			seen(v.Rule) {
			checked[v.Rule] = true
		} else {
			// a rule of preflight's own or of other hosts, or a guess at what only the provider
			// knows
			others = true
			further = further || v.Problem == problems.DuplicateResult
		}
	}
	found := slices.Sorted(maps.Keys(checked))
	refused, later := heardOf(t, provider, body, checked)
	if slices.Equal(found, []string{"anthropic/tool-use-name-length"}) && len(refused) == 0 &&
		bytes.Contains(body, []byte(`"name":" "`)) {
		// on purpose: Check takes a tool's name of white space alone for none, and the API counts
		// characters
		return ""
	}
	switch {
	case len(found) == 0 && len(refused) > 0 && !others && (len(refused) > 1 || refused[0] != ""):
		return fmt.Sprintf("the fake alone finds %q", refused)
	case len(found) > 0 && len(refused) == 0 && !further:
		all, err := preflighttest.Violations(fakeOf(provider), body)
		require.NoError(t, err)
		if len(all) == 0 && len(faults(t, provider, asRead(t, provider, body))) == 0 {
			return fmt.Sprintf("Check alone finds %q", found)
		}
	case len(found) == 1 && len(refused) == 1 && !others && !later && refused[0] != "" &&
		found[0] != refused[0] && !sameFault[found[0]+" "+refused[0]]:
		return fmt.Sprintf("Check finds %q, the fake %q", found, refused)
	}
	return ""
}

// asRead is the body in the form that preflight judges: values in shapes that
// nobody was seen to refuse are in the usual ones, such as the role of a
// message that has none, and there is no NUL, which goes whatever the host is.
func asRead(t require.TestingT, provider string, body []byte) []byte {
	request, err := wire.Decode(body, &wire.Options{Provider: provider})
	require.NoError(t, err)
	read, err := request.Encode(request.Messages)
	if err != nil {
		read = body // of a part in a place that has no form for it
	}
	return bytes.ReplaceAll(read, []byte(`\u0000`), nil)
}

// ofOthers are types of blocks that belong to a format, and to which one.
const ofOthers = `^(input_text|output_text|input_image|input_file|function_call|` +
	`function_call_output|reasoning|image_url|document_url)$`

// unheard are the rules about a type or a member that the provider does not
// know, "" for those of no rule, with what finds its name in the words of the
// fake. Types that preflight knows are heard of: it has to see where they do
// not belong.
var unheard = map[string]struct{ name, heard *regexp.Regexp }{
	"": {regexp.MustCompile(`^Invalid value: '(.*?)'`),
		regexp.MustCompile(
			`^(message|reasoning|item_reference|function|custom|.*_call|.*_call_output)$`)},
	"anthropic/output-only-blocks": {regexp.MustCompile(`Input tag '(.*)' found`),
		regexp.MustCompile(`_use$|tool_result$|thinking$|` +
			`^(search_result|text|image|document|fallback|container_upload)$|` + ofOthers)},
	"openai-chat/part-type": {regexp.MustCompile(`Invalid value: '(.*?)'`),
		regexp.MustCompile(ofOthers + `|_use$|tool_result$|thinking$`)},
	"anthropic/extra-inputs": {},
	"gemini/extra-field":     {},
	"openai-responses/assistant-input-text": {regexp.MustCompile(`Invalid value: '(.*?)'`),
		regexp.MustCompile(`^(input_.*|output_.*|refusal|text|image_url)$`)},
	"openai-responses/unknown-item-field": {},
}

// heardOf is faults without those about a type or a member that neither the fake
// nor the check has ever heard of, and without those about what holds it; later
// says that there are any. preflight leaves such a type or member alone: a later
// version of the API may have it, and a body is not to lose what an older
// preflight does not know.
func heardOf(
	t require.TestingT,
	provider string,
	body []byte,
	checked map[string]bool,
) (refused []string, later bool) {
	violations, err := preflighttest.Violations(fakeOf(provider), body)
	require.NoError(t, err)
	var unheard []string // the paths
	for _, v := range violations {
		if isUnheard(v) && !checked[v.Rule] {
			unheard = append(unheard, v.Path)
		}
	}
	rules := map[string]bool{}
	for _, v := range violations {
		if seen(v.Rule) && !slices.ContainsFunc(unheard,
			func(path string) bool { return strings.HasPrefix(path, v.Path) }) {
			rules[v.Rule] = true
		}
	}
	return slices.Sorted(maps.Keys(rules)), len(unheard) > 0
}

// isUnheard reports whether a violation is that of a rule about types or members
// that the provider does not know, and nobody has heard of.
func isUnheard(v preflighttest.Violation) bool {
	of, unknown := unheard[v.Rule]
	if !unknown || v.Rule == "" && !strings.HasSuffix(v.Path, ".type") {
		return false
	}
	if of.name == nil {
		return true
	}
	m := of.name.FindStringSubmatch(v.Message)
	return m != nil && !of.heard.MatchString(m[1])
}

// sameFault are pairs of rules, as the check and the fake report them, that
// say the same about one body.
var sameFault = map[string]bool{
	// arguments that are JSON, and no object
	"ollama/arguments-invalid-json ollama/arguments-object": true,
	// Of two responses to one call, the API's words are about the number of those in the content
	// after the calls, and about the place of those in further contents. Check names the one that
	// it does not take for the answer, which may be the first.
	"gemini/function-response-placement gemini/function-response-count": true,
	"gemini/function-response-count gemini/function-response-placement": true,
	// likewise, of calls without ids: what it answers is told by its name
	"gemini/function-response-count gemini/function-response-name": true,
	// the first generation, which words it otherwise
	"gemini/ends-with-model-turn gemini/alternation-old": true,
	// a model turn without calls in front
	"gemini/function-call-turn-placement gemini/alternation-old": true,
	// reasoning alone, on hosts that word it otherwise
	"openai-chat/content-null xai/content-element":        true,
	"openai-chat/content-null volcengine/content-missing": true,
	"openai-chat/content-null qwen/content-missing":       true,
	"deepseek/assistant-empty openai-chat/content-null":   true,
	// one code for every fault of structure
	"openai-chat/tool-call-id-duplicate glm/messages-invalid": true,
	// likewise, where the host has words of its own
	"openai-chat/tool-call-id-duplicate moonshot/tool-call-id-not-found": true,
	"openai-chat/tool-call-id-duplicate qwen/tool-result-orphan":         true,
	"openai-chat/tool-call-id-duplicate minimax/tool-result-order":       true,
	"openai-chat/role-missing deepseek/role-developer":                   true,
	// a part that is not an object, where every content is to be a string
	"groq/tool-fields openai-chat/content-type": true,
	// a result without content
	"groq/tool-fields openai-chat/content-null": true,
	// a role that is an empty string
	"openai-chat/role-missing openai-chat/role-unknown": true,
	// a result comes again, further on
	"openai-chat/tool-call-id-duplicate openai-chat/tool-result-orphan": true,
	"anthropic/tool-result-duplicate anthropic/tool-result-orphan":      true, // likewise
	"deepseek/tool-call-id-duplicate deepseek/tool-result-orphan":       true,
	// a name that is not there
	"openai-responses/name-pattern openai-responses/required-item-fields": true,
	// an output after a message, where the host no longer looks for it
	"openai-responses/tool-output-orphan openai-responses/tool-output-missing": true,
	// thinking without text and signature
	"anthropic/thinking-empty anthropic/thinking-signature-required": true,
}

// requireRefused: the check and the fake find something in the body, and
// nothing in what is made of it.
func requireRefused(t *testing.T, provider string, body []byte) {
	t.Helper()
	report, err := wire.Check(body, &wire.Options{Provider: provider})
	require.NoError(t, err)
	require.NotEmpty(t, report.Violations, "%s", body)
	require.NotEmpty(t, faults(t, provider, body), "%s", body)
	result, err := wire.Sanitize(context.Background(), body, &wire.Options{Provider: provider})
	require.NoError(t, err)
	require.Empty(t, faults(t, provider, result.Body), "%s", result.Body)
}
