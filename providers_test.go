package preflight_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// TestWhatAnthropicRefuses holds Check with the profile to its rules, one at a time, and to the
// limits they name.
func TestWhatAnthropicRefuses(t *testing.T) {
	q, a := userMsg(says("q")), botMsg(says("a"))
	lead := []preflight.Message{q}
	turn := func(in ...preflight.Message) []preflight.Message { return append(lead[:1:1], in...) }
	pair := func(c *preflight.ToolCall) []preflight.Message {
		return turn(botMsg(c),
			userMsg(answers(c.ID, "1")))
	}
	named := func(n int) *preflight.ToolCall {
		c := calls("a")
		c.Name = strings.Repeat("n",
			n)
		return c
	}
	served := func(id string) []preflight.Message {
		return turn(botMsg(ran(id), finds(id, `[]`),
			says("x")), q)
	}
	older := *provider.Anthropic("claude-3-opus")
	refuses(t, *provider.Anthropic(""), []refusal{
		{"nothing", turn(), nil},
		{"no message", nil, []string{"anthropic/messages-empty messages[0]"}},
		{
			"system messages alone",
			history(sysMsg(says("s"))),
			[]string{"anthropic/messages-empty messages[0]"},
		},
		{"the assistant first", append(history(a), lead...), nil},
		{
			"neighbours, whose calls are one turn's",
			turn(
				botMsg(calls("a")),
				botMsg(calls("b")),
				userMsg(answers("a", "1"), answers("b", "2")),
			),
			nil,
		},
		{
			"roles of others",
			turn(a, decoded("anthropic", preflight.Message{Role: "tool", Parts: q.Parts})),
			[]string{
				"preflight/role-unknown messages[2]",
				"preflight/text-misplaced messages[2].parts[0]",
			},
		},
		{"a system message midway", turn(a, q, sysMsg(says("s")), a, q), nil},
		{"one of settings", turn(a, q, sysMsg(&preflight.Other{Kind: "output_config"}), a, q), nil},
		{"a final assistant turn", turn(a), []string{"anthropic/prefill-unsupported messages[1]"}},
		{"text after a call", turn(botMsg(calls("a"), says("x")), userMsg(answers("a", "1"))), nil},
		{
			"a message without content",
			turn(botMsg(), q),
			[]string{"anthropic/empty-message-content messages[1]"},
		},
		{
			"empty text",
			turn(botMsg(says("x"), says("")), q),
			[]string{"anthropic/empty-text-block messages[1].parts[1]"},
		},
		{
			"blank text of the user",
			turn(a, userMsg(says("x"), says(" "))),
			[]string{"anthropic/whitespace-text-block messages[2].parts[1]"},
		},
		{
			"blank text of the assistant beside other content",
			turn(botMsg(says(" "), says("x"), says("\n")), q),
			nil,
		},
		{
			"and alone",
			turn(botMsg(says(" "), says("\n")), q),
			[]string{
				"anthropic/whitespace-text-block messages[1].parts[0]",
				"anthropic/whitespace-text-block messages[1].parts[1]",
			},
		},
		{
			"kinds that are output only",
			turn(
				botMsg(
					says("x"),
					&preflight.Other{Kind: "fallback"},
					&preflight.Other{Kind: "container_upload"},
				),
				userMsg(&preflight.Other{Kind: "container_upload"}),
			),
			[]string{
				"anthropic/output-only-blocks messages[1].parts[1]",
				"anthropic/output-only-blocks messages[1].parts[2]",
			},
		},
		{"ids in an alphabet", pair(calls("toolu_-Z9")), nil},
		{
			"and in no other",
			pair(calls("a.b")),
			[]string{
				"anthropic/tool-use-id-pattern messages[1].parts[0]",
				"anthropic/tool-use-id-pattern messages[2].parts[0]",
			},
		},
		{"an id of one character", pair(calls("a")), nil},
		{
			"no id",
			pair(calls("")),
			[]string{
				"anthropic/tool-use-id-pattern messages[1].parts[0]",
				"anthropic/tool-use-id-pattern messages[2].parts[0]",
			},
		},
		{"ids of its own tools", served("srvtoolu_a"), nil},
		{
			"which say more than that",
			served("srvtoolu_"),
			[]string{"anthropic/server-tool-id-pattern messages[1].parts[0]"},
		},
		{
			"in a smaller alphabet",
			served("srvtoolu_a-b"),
			[]string{"anthropic/server-tool-id-pattern messages[1].parts[0]"},
		},
		{
			"an id again",
			append(pair(calls("a")), pair(calls("a"))[1:]...),
			[]string{"anthropic/tool-use-id-duplicate messages[3].parts[0]"},
		},
		{
			"the shortest name and the longest",
			append(
				pair(named(1)),
				turn(botMsg(renamed("b", 200)), userMsg(answers("b", "1")))[1:]...),
			nil,
		},
		{
			"a longer one",
			pair(named(201)),
			[]string{"anthropic/tool-use-name-length messages[1].parts[0]"},
		},
		{"none", pair(named(0)), []string{"anthropic/tool-use-name-length messages[1].parts[0]"}},
		{
			"arguments that are no object",
			pair(callsWith("a", `[]`)),
			[]string{"anthropic/tool-use-input-object messages[1].parts[0]"},
		},
		{
			"an error without a word",
			turn(botMsg(calls("a")), userMsg(&preflight.ToolResult{CallID: "a", IsError: true})),
			[]string{"anthropic/tool-result-error-empty messages[2].parts[0]"},
		},
		{
			"a result without one",
			turn(botMsg(calls("a")), userMsg(&preflight.ToolResult{CallID: "a"})),
			nil,
		},
		{
			"reasoning without a signature",
			turn(botMsg(thinks("hm", ""), says("x")), q),
			[]string{"anthropic/thinking-signature-required messages[1].parts[0]"},
		},
		{
			"or somebody else",
			turn(botMsg(thinks("hm", "a.b"), says("x")), q),
			[]string{"anthropic/thinking-signature-invalid messages[1].parts[0]"},
		},
		{
			"a search that was emptied",
			turn(
				botMsg(
					searches("srvtoolu_a"),
					finds("srvtoolu_a", `[{"type":"web_search_result","encrypted_content":""}]`),
					says("x"),
				),
				q,
			),
			[]string{"anthropic/web-search-encrypted-content messages[1].parts[1]"},
		},
		{
			"media of the assistant's",
			turn(botMsg(says("x"), image()), q),
			[]string{"anthropic/image-in-assistant messages[1].parts[1]"},
		},
		{
			"media in a result",
			turn(
				botMsg(calls("a")),
				userMsg(&preflight.ToolResult{CallID: "a", Content: []preflight.Part{image()}}),
			),
			nil,
		},
		{
			"media of a kind it does not take",
			turn(a, userMsg(&preflight.Media{Kind: "audio", Data: "AAAA"})),
			[]string{"preflight/media-refused messages[2].parts[0]"},
		},
		{
			"an image that is another",
			turn(
				a,
				userMsg(
					&preflight.Media{
						Kind:      "image",
						MediaType: "image/jpeg",
						Data:      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
					},
				),
			),
			[]string{"anthropic/image-media-type-mismatch messages[2].parts[0]"},
		},
		{"titles", turn(a, userMsg(titled("a"), titled("a_b.pdf"))), nil},
		{
			"four breakpoints",
			turn(a, userMsg(hourly("1"), hourly("2"), hourly("3"), hourly("4"))),
			nil,
		},
		{
			"five",
			turn(a, userMsg(hourly("1"), hourly("2"), hourly("3"), hourly("4"), hourly("5"))),
			[]string{"anthropic/cache-control-max4 messages[2].parts[4]"},
		},
		{
			"a long-lived one after a short-lived one",
			turn(a, userMsg(cached(&preflight.Text{Text: "1"}), hourly("2"))),
			[]string{"anthropic/cache-control-ttl-order messages[2].parts[1]"},
		},
	})
	refuses(t, older, []refusal{
		{
			"white space at the end of what the model goes on from",
			turn(botMsg(says("a "))),
			[]string{"anthropic/trailing-whitespace messages[1]"},
		},
		{"no white space", turn(a), nil},
		{
			"a system message midway",
			turn(a, q, sysMsg(says("s")), a, q),
			[]string{"anthropic/system-role-unsupported-model messages[3]"},
		},
		{
			"an image that is another",
			turn(
				a,
				userMsg(
					&preflight.Media{
						Kind:      "image",
						MediaType: "image/jpeg",
						Data:      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
					},
				),
			),
			nil,
		},
	})
}

// TestWhatOpenAIChatRefuses does the same for OpenAI's Chat Completions.
func TestWhatOpenAIChatRefuses(t *testing.T) {
	q, a := userMsg(says("q")), botMsg(says("a"))
	pair := func(c *preflight.ToolCall) []preflight.Message {
		return history(botMsg(c), toolMsg(answers(c.ID, "1")))
	}
	id := func(n int) *preflight.ToolCall { return calls(strings.Repeat("i", n)) }
	by := func(name string) []preflight.Message {
		return history(preflight.Message{Role: "user", Name: name, Parts: q.Parts})
	}
	file := func(name string) preflight.Part {
		return &preflight.Media{
			Kind:      "document",
			MediaType: "application/pdf",
			Data:      "JVBERi0=",
			Name:      name,
		}
	}
	refuses(t, *provider.OpenAIChat(""), []refusal{
		{
			"nothing",
			history(sysMsg(says("s")), a, a, q, q, sysMsg(says("s")), botMsg(says("x "))),
			nil,
		},
		{"no message", nil, []string{"openai-chat/messages-empty messages[0]"}},
		{
			"roles by another name that it knows",
			history(
				preflight.Message{Role: "developer", Parts: q.Parts},
				q,
				botMsg(calls("a")),
				preflight.Message{Role: "function", Parts: []preflight.Part{answers("a", "1")}},
			),
			nil,
		},
		{
			"or does not",
			history(preflight.Message{Role: "human", Parts: q.Parts}),
			[]string{"openai-chat/role-unknown messages[0]"},
		},
		{
			"two results in a message",
			history(botMsg(calls("a"), calls("b")),
				decoded("openai-chat", toolMsg(answers("a", "1"), answers("b", "2")))),
			[]string{"preflight/result-misplaced messages[1].parts[1]"},
		},
		{"the shortest name and the longest", append(by("n"), by(strings.Repeat("n", 64))...), nil},
		{
			"a longer one, or in another alphabet",
			append(by(strings.Repeat("n", 65)), by("n n")...),
			[]string{
				"openai-chat/message-name-pattern messages[0]",
				"openai-chat/message-name-pattern messages[1]",
			},
		},
		{
			"messages without content",
			history(sysMsg(), q, botMsg()),
			[]string{
				"openai-chat/content-null messages[0]",
				"openai-chat/content-null messages[2]",
			},
		},
		{"empty text", history(userMsg(says(""), says(" "))), nil},
		{"the shortest id and the longest", append(pair(id(1)), pair(id(40))...), nil},
		{
			"a longer one",
			pair(id(41)),
			[]string{
				"openai-chat/tool-call-id-length messages[0].parts[0]",
				"openai-chat/tool-call-id-length messages[1].parts[0]",
			},
		},
		{
			"none",
			pair(id(0)),
			[]string{
				"openai-chat/tool-call-id-length messages[0].parts[0]",
				"openai-chat/tool-call-id-length messages[1].parts[0]",
			},
		},
		{"an id again in another turn", append(pair(id(1)), pair(id(1))...), nil},
		{
			"in the same",
			history(botMsg(id(1), id(1)), toolMsg(answers("i", "1")), toolMsg(answers("i", "2"))),
			[]string{"openai-chat/tool-call-id-duplicate messages[0].parts[1]"},
		},
		{
			"the shortest and the longest name of a tool",
			append(pair(renamed("a", 1)), pair(renamed("b", 64))...),
			nil,
		},
		{
			"a longer one",
			pair(renamed("a", 65)),
			[]string{"openai-chat/function-name-pattern messages[0].parts[0]"},
		},
		{
			"arguments that are no object, since OpenAI takes what it cut off itself",
			pair(callsWith("a", `[]`)),
			nil,
		},
		{
			"a result without content",
			history(botMsg(calls("a")), toolMsg(&preflight.ToolResult{CallID: "a"})),
			[]string{"openai-chat/content-null messages[1].parts[0]"},
		},
		{
			"tools that only other providers have",
			history(botMsg(ran("s"), finds("s", `[]`))),
			[]string{
				"preflight/server-refused messages[0].parts[0]",
				"preflight/server-refused messages[0].parts[1]",
			},
		},
		{
			"media of the assistant's",
			history(botMsg(says("x"), image()), userMsg(image())),
			[]string{"openai-chat/tool-message-image messages[0].parts[1]"},
		},
		{
			"media in a result",
			history(
				botMsg(calls("a")),
				toolMsg(&preflight.ToolResult{CallID: "a", Content: []preflight.Part{image()}}),
			),
			[]string{"openai-chat/tool-message-image messages[1].parts[0].content[0]"},
		},
		{
			"media of a kind it does not take",
			history(
				userMsg(
					&preflight.Media{Kind: "hologram", Data: "AAAA"},
					&preflight.Media{Kind: "audio", Data: "AAAA"},
				),
			),
			[]string{"openai-chat/part-type messages[0].parts[0]"},
		},
		{
			"a file without its name",
			history(userMsg(file(""), file("a"))),
			[]string{"openai-chat/file-needs-filename messages[0].parts[0]"},
		},
	})
}

// refusal is a history, and the rules it breaks with their places.
type refusal struct {
	name string
	in   []preflight.Message
	want []string
}

func refuses(t *testing.T, profile preflight.Profile, refusals []refusal) {
	t.Helper()
	for _, c := range refusals {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, v := range preflight.Check(c.in, &profile) {
				got = append(got, v.Rule+" "+v.At.String())
			}
			require.Equal(t, c.want, got)
		})
	}
}

// ran is a call of a provider's tool that hides nothing.
func ran(id string) *preflight.ToolCall {
	return &preflight.ToolCall{
		ID:               id,
		Name:             "code_execution",
		Input:            json.RawMessage(`{}`),
		ProviderExecuted: true,
	}
}

// renamed is a call of a tool with a name of n characters.
func renamed(id string, n int) *preflight.ToolCall {
	c := calls(id)
	c.Name = strings.Repeat("n", n)
	return c
}

func titled(name string) preflight.Part {
	return &preflight.Media{Kind: "document", URL: "https://example.com/a.pdf", Name: name}
}

// TestRolesInOtherSpellings: what others call a role is known, in any case and with white space
// around it, and nothing else is: an unknown role is ambiguous.
func TestRolesInOtherSpellings(t *testing.T) {
	roles := map[preflight.Role]preflight.Role{
		"system": "system", "developer": "system", "user": "user", "human": "user",
		"assistant": "assistant", "ai": "assistant", "model": "assistant", "bot": "assistant",
		"tool": "tool", "function": "tool",
	}
	content := map[preflight.Role]preflight.Part{"tool": answers("a", "1")}
	for spelling, want := range roles {
		for _, s := range []preflight.Role{spelling,
			preflight.Role(" " + strings.ToUpper(string(spelling)) + "\n")} {
			part := content[want]
			if part == nil {
				part = says("x")
			}
			in := history(
				botMsg(calls("a")),
				preflight.Message{Role: s, Parts: []preflight.Part{part}},
			)
			if want != preflight.RoleTool {
				in = in[1:]
			}
			res, err := preflight.Sanitize(
				t.Context(),
				in,
				&preflight.Profile{},
				&preflight.Options{Strict: true},
			)
			require.NoError(t, err, "%q", s)
			require.Equal(t, want, res.Messages[len(res.Messages)-1].Role, "%q", s)
			require.Equal(t, s != want, res.Changed, "%q", s)
		}
	}
	for _, s := range []preflight.Role{"narrator", "", "users"} {
		in := history(preflight.Message{Role: s, Parts: []preflight.Part{says("x")}})
		_, err := preflight.Sanitize(
			t.Context(),
			in,
			&preflight.Profile{},
			&preflight.Options{Strict: true},
		)
		require.ErrorIs(t, err, preflight.ErrAmbiguous, "%q", s)
		res, err := preflight.Sanitize(t.Context(), in, &preflight.Profile{}, nil)
		require.NoError(t, err)
		require.Equal(t, preflight.RoleUser, res.Messages[0].Role, "%q", s)
	}
}

// TestTally counts one of everything, in the places where it counts.
func TestTally(t *testing.T) {
	everything := botMsg(
		says(
			"text",
		),
		&preflight.Reasoning{Text: "hm", Opaque: "blob", Signature: "not counted"},
		callsWith("a", `{"n":1}`),
		&preflight.ToolResult{
			CallID: "a",
			Output: json.RawMessage(`[1,2]`),
			Content: []preflight.Part{
				says("in"),
				&preflight.Media{Kind: "image", Data: "QUJD"},
				&preflight.ToolResult{
					Output:  json.RawMessage(`3`),
					Content: []preflight.Part{says("too deep")},
				},
			},
		},
		&preflight.Media{
			Kind: "image",
			URL:  "data:image/png;base64,QUJDRA==",
		},
		&preflight.Media{Kind: "image", URL: "https://example.com/;base64,QUJD"},
		&preflight.Media{Kind: "image", URL: "data:text/plain,abc"},
		&preflight.Other{
			Kind:    "x",
			Carried: preflight.Carried{Native: preflight.Native{JSON: json.RawMessage(`{}`)}},
		},
		nil,
		(*preflight.Text)(nil),
		(*preflight.ToolResult)(nil),
		(*preflight.Other)(nil),
	)
	want := preflight.Tally{
		Texts:      2,
		Reasonings: 1,
		Calls:      1,
		Results:    2,
		Media:      4,
		Others:     1,
		Bytes:      4 + 6 + 7 + 5 + 2 + 4 + 1 + 8 + 2,
	}
	got := preflight.TallyOf(everything)
	require.Equal(t, want, got)
	require.Equal(
		t,
		preflight.Tally{
			Texts:      4,
			Reasonings: 2,
			Calls:      2,
			Results:    4,
			Media:      8,
			Others:     2,
			Bytes:      2 * want.Bytes,
		},
		got.Plus(got),
	)
	require.Equal(t, got, got.Plus(got).Minus(got))
	require.True(t, got.Minus(got).IsZero())
	require.False(t, got.IsZero())
	require.Equal(
		t,
		"[texts=2 reasonings=1 calls=1 results=2 media=4 others=1 bytes=39]",
		got.LogValue().String(),
	)
	require.Equal(t, "[calls=-1]", preflight.Tally{Calls: -1}.LogValue().String())
}

// docs/warnings.md has an anchor for every code.
func TestWarningsAreDocumented(t *testing.T) {
	docs, err := os.ReadFile("docs/warnings.md")
	require.NoError(t, err)
	for file, prefix := range map[string]string{"codes/codes.go": "", "wire/warning.go": "Code"} {
		for _, code := range constants(t, file, prefix) {
			require.Contains(
				t,
				string(docs),
				`<a id="`+code+`"></a>`+"`"+code+"`",
				"docs/warnings.md lacks the code %q of %s",
				code,
				file,
			)
		}
	}
}

// The doc comment of DefaultFixers lists them, in order.
func TestDefaultFixersAreDocumented(t *testing.T) {
	source, err := os.ReadFile("pipeline.go")
	require.NoError(t, err)
	var want, got []string
	for _, f := range preflight.DefaultFixers() {
		want = append(want, f.Name)
		require.NotEmpty(t, f.Doc, f.Name)
	}
	for _, line := range regexp.MustCompile(`(?m)^//\t([a-z-]+)  `).FindAllStringSubmatch(string(source), -1) {
		got = append(got, line[1])
	}
	require.Equal(t, want, got)
}

// constants returns the values of the string constants of a file whose names start with prefix.
func constants(t *testing.T, file, prefix string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	var out []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, prefix) || len(spec.Values) != 1 {
			return true
		}
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok {
			value, err := strconv.Unquote(lit.Value)
			require.NoError(t, err)
			out = append(out, value)
		}
		return true
	})
	require.NotEmpty(t, out)
	return out
}
