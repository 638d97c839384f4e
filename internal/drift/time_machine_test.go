package drift

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/members"
	"github.com/go-preflight/preflight/wire"
)

// This file is a time machine: it takes the members that the SDKs gained in half a year out of the
// rows, and sends what the newest SDKs can build through the library as it would be without them.

// then are the versions of the SDKs in May 2026.
var then = map[string]string{
	"github.com/anthropics/anthropic-sdk-go": "v1.46.0",
	"github.com/openai/openai-go/v3":         "v3.37.0",
	"google.golang.org/genai":                "v1.58.0",
}

// machine is what of an SDK is compared: the types at each place, by the prefix of their members.
type machine struct {
	format, module, dir string
	model               string // where the body names none
	form                form
	types               []placed
}

type placed struct {
	place  members.Place
	inside string
	name   string
}

// form writes the elements of a list in one format. ‹more› are further members of the object.
type form struct {
	body, user, said, call, result string
	tool                           string // a declaration, with ‹more›
}

func (f form) write(request string, tool string, elements ...string) string {
	return strings.NewReplacer("‹more›", request, "‹tool›", with(f.tool, tool),
		"‹list›", strings.Join(elements, ",")).Replace(f.body)
}

func with(element, more string) string { return strings.Replace(element, "‹more›", more, 1) }

var machines = []machine{
	{
		format: "anthropic", module: "github.com/anthropics/anthropic-sdk-go",
		form: form{
			body: `{"model":"claude-opus-5-5","max_tokens":9,"tools":[‹tool›],` +
				`"messages":[‹list›]‹more›}`,
			user: `{"role":"user","content":"q"‹more›}`, said: `{"role":"assistant","content":"a"}`,
			call: `{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f",` +
				`"input":{}‹more›}]}`,
			result: `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",` +
				`"content":"r"‹more›}]}`,
			tool: `{"name":"f","input_schema":{"type":"object"}‹more›}`,
		},
		types: []placed{
			{members.Request, "", "MessageNewParams"}, {members.Request, "", "BetaMessageNewParams"},
			{members.Message, "", "MessageParam"}, {members.Message, "", "BetaMessageParam"},
			{members.Call, "", "ToolUseBlockParam"}, {members.Call, "", "BetaToolUseBlockParam"},
			{members.Result, "", "ToolResultBlockParam"},
			{members.Result, "", "BetaToolResultBlockParam"},
			{members.Tool, "", "ToolParam"}, {members.Tool, "", "BetaToolParam"},
		},
	},
	{
		format: "openai-chat", module: "github.com/openai/openai-go/v3",
		form: form{
			body: `{"model":"gpt-5.4","tools":[‹tool›],"messages":[‹list›]‹more›}`,
			user: `{"role":"user","content":"q"‹more›}`, said: `{"role":"assistant","content":"a"}`,
			call: `{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}‹more›}]}`,
			result: `{"role":"tool","tool_call_id":"c1","content":"r"‹more›}`,
			tool:   `{"type":"function","function":{"name":"f"}‹more›}`,
		},
		types: []placed{
			{members.Request, "", "ChatCompletionNewParams"},
			{members.Message, "", "ChatCompletionUserMessageParam"},
			{members.Call, "", "ChatCompletionMessageFunctionToolCallParam"},
			{members.Result, "", "ChatCompletionToolMessageParam"},
			{members.Tool, "", "ChatCompletionFunctionToolParam"},
		},
	},
	{
		format: "openai-responses", module: "github.com/openai/openai-go/v3", dir: "responses",
		form: form{
			body:   `{"model":"gpt-6-astra","tools":[‹tool›],"input":[‹list›]‹more›}`,
			user:   `{"role":"user","content":"q"‹more›}`,
			said:   `{"role":"assistant","content":"a"}`,
			call:   `{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"‹more›}`,
			result: `{"type":"function_call_output","call_id":"c1","output":"r"‹more›}`,
			tool:   `{"type":"function","name":"f","parameters":{}‹more›}`,
		},
		types: []placed{
			{members.Request, "", "ResponseNewParams"},
			{members.Message, "", "EasyInputMessageParam"},
			{members.Call, "", "ResponseFunctionToolCallParam"},
			{members.Result, "", "ResponseInputItemFunctionCallOutputParam"},
			{members.Tool, "", "FunctionToolParam"},
		},
	},
	{
		format: "gemini", module: "google.golang.org/genai", model: "gemini-2.5-pro",
		form: form{
			body: `{"contents":[‹list›],"tools":[{"functionDeclarations":[{"name":"f"}]‹tool›}]` +
				`‹more›}`,
			user: `{"role":"user","parts":[{"text":"q"}]‹more›}`,
			said: `{"role":"model","parts":[{"text":"a"}]}`,
			call: `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}‹more›}}]}`,
			result: `{"role":"user","parts":[{"functionResponse":{"name":"f",` +
				`"response":{"output":"r"}‹more›}}]}`,
			tool: `‹more›`,
		},
		types: []placed{
			{members.Request, "", "GenerateContentConfig"}, {members.Message, "", "Content"},
			{members.Call, "functionCall.", "FunctionCall"},
			{members.Result, "functionResponse.", "FunctionResponse"},
			{members.Tool, "", "Tool"},
		},
	},
}

// typed are the members of a struct, and whether a number or a boolean is their value.
func (s sources) typed(t *testing.T, name string) map[string]bool {
	out := map[string]bool{}
	s.fields(t, name, func(_ string, typ ast.Expr, tag reflect.StructTag) {
		key, _, _ := strings.Cut(tag.Get("json"), ",")
		if key == "" || key == "-" {
			return
		}
		written := types.ExprString(typ)
		out[key] = slices.ContainsFunc([]string{"int32", "int64", "float32", "float64", "bool"},
			func(scalar string) bool {
				return written == scalar || written == "*"+scalar ||
					written == "param.Opt["+scalar+"]"
			})
	})
	return out
}

// TestTimeMachine: every body that is legal with a member that the SDKs gained since comes back
// unchanged from a library that does not know the member.
func TestTimeMachine(t *testing.T) {
	bodies, gained := 0, 0
	for _, m := range machines {
		t.Run(m.format, func(t *testing.T) {
			now, before := sourcesOf(t, m.module, m.dir),
				sourcesAt(t, m.module+"@"+then[m.module], m.dir)
			fresh := map[placed]bool{}
			for _, p := range m.types {
				had := map[string]bool{}
				if _, ok := before[p.name]; ok {
					had = before.typed(t, p.name)
				}
				for member, scalar := range now.typed(t, p.name) {
					if _, ok := had[member]; !ok && !slices.Contains(notSent, member) {
						fresh[placed{p.place, p.inside, member}] = scalar
					}
				}
			}
			for p, scalar := range fresh {
				restore := members.Forget(m.format, p.place, p.inside+p.name)
				if _, known := members.Of(m.format, p.place, p.inside+p.name); known {
					restore()
					continue // a row of all formats has it
				}
				gained++
				for _, body := range m.form.legal(p.place, p.name, scalar) {
					bodies++
					result, err := wire.Sanitize(t.Context(), []byte(body),
						&wire.Options{Provider: m.format, Model: m.model})
					if err != nil || string(result.Body) != body {
						t.Errorf("%s %s%s: %v\n in  %s\n out %s\n %v", p.place, p.inside, p.name, err, body,
							result.Body, result.Warnings)
					}
				}
				restore()
			}
		})
	}
	require.Greater(t, gained, 20)
	t.Logf("%d members, %d bodies, 0 changed", gained, bodies)
}

// legal are bodies that are right if the member says what it may say.
func (f form) legal(place members.Place, name string, scalar bool) (bodies []string) {
	values := []string{`"x_1"`, `{"type":"x","id":"x_1"}`, `["x_1"]`}
	if scalar {
		values = []string{`1`, `true`}
	}
	user, call, result := with(f.user, ""), with(f.call, ""), with(f.result, "")
	for _, value := range values {
		more := fmt.Sprintf(`,%q:%s`, name, value)
		add := func(request, tool string, elements ...string) {
			bodies = append(bodies, f.write(request, tool, elements...))
		}
		switch place {
		case members.Request:
			add(more, "", user)
			add(more, "", user, call, result, f.said, user)
			if !scalar { // the server may hold the rest, or no answer may be wanted
				add(more, "", result, f.said, user)
				add(more, "", result)
				add(more, "", user, f.said)
				add(more, "", user, call)
				add(more, "")
			}
		case members.Message:
			add("", "", with(f.user, more))
			add("", "", user, call, result, f.said, with(f.user, more))
		case members.Call:
			add("", "", user, with(f.call, more), result, f.said, user)
			if value != `1` { // it may stay open
				add("", "", user, with(f.call, more), user)
				add("", "", user, with(f.call, more))
				add("", "", user, with(f.call, more), user, f.said, user)
			}
		case members.Result:
			add("", "", user, call, with(f.result, more), f.said, user)
			if value != `1` && !scalar {
				add("", "", user, f.said, with(f.result, more), f.said, user)
			}
		case members.Tool:
			add("", more, user)
			add("", more, user, call, result, f.said, user)
		}
	}
	return bodies
}
