// Command agents plays a session that starts with one agent and ends with another: a tool is
// stopped, a call waits for approval, its result arrives late, the program is restarted, the window
// is trimmed, and the provider changes. The agents are in packages claude (anthropic-sdk-go) and
// gpt (openai-go); examples/loop is one without an SDK. It runs offline, against fake providers
// that are stricter than the real ones:
//
//	go run -C examples/agents .
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"

	"github.com/go-preflight/preflight/examples/agents/claude"
	"github.com/go-preflight/preflight/examples/agents/gpt"
	"github.com/go-preflight/preflight/preflighttest"
)

// Agent is what the agents have in common.
type Agent interface {
	Run(ctx context.Context, prompt string) (string, error)
	Answer(id, output string, err error)
	Trim(n int)
	Save(file string) error
	Load(file string) error
	Request() ([]byte, error)
	Continue(ctx context.Context, request []byte) error
}

// setup is what an agent is made with.
type setup struct {
	url      string
	tools    map[string]func(context.Context, json.RawMessage) (string, error)
	approval func(tool, id string) bool
}

// kinds are the agents, by name, and the fakes that they talk to.
var kinds = map[string]struct {
	provider string
	open     func(setup) Agent
}{
	"claude": {"anthropic", openClaude},
	"gpt":    {"openai-chat", openGPT},
}

func openClaude(s setup) Agent {
	params := anthropic.MessageNewParams{
		Model: "claude-sonnet-4-5", MaxTokens: 4096,
		Thinking: anthropic.ThinkingConfigParamOfEnabled(1024),
		System:   []anthropic.TextBlockParam{{Text: "You are terse."}},
	}
	for name := range s.tools {
		params.Tools = append(params.Tools, anthropic.ToolUnionParamOfTool(
			anthropic.ToolInputSchemaParam{}, name))
	}
	return &claude.Agent{
		Client: anthropic.NewClient(anthropicoption.WithBaseURL(s.url),
			anthropicoption.WithAPIKey("none")),
		Params: params, Tools: s.tools, Approval: s.approval,
	}
}

func openGPT(s setup) Agent {
	params := openai.ChatCompletionNewParams{
		Model: "gpt-5.4",
		Messages: []openai.ChatCompletionMessageParamUnion{
			openai.SystemMessage("You are terse."),
		},
	}
	for name := range s.tools {
		params.Tools = append(params.Tools,
			openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{Name: name}))
	}
	return &gpt.Agent{
		Client: gpt.NewClient(openaioption.WithBaseURL(s.url+"/v1"),
			openaioption.WithAPIKey("none")),
		Params: params, Tools: s.tools, Approval: s.approval,
	}
}

// play runs a session that starts with one agent and ends with another, and tells on w what
// happens.
func play(w io.Writer, from, to string) error {
	first, err := preflighttest.Start(kinds[from].provider, nil)
	if err != nil {
		return err
	}
	defer first.Close()
	second, err := preflighttest.Start(kinds[to].provider, nil)
	if err != nil {
		return err
	}
	defer second.Close()
	read := func(files ...string) (calls []preflighttest.Call) {
		for _, file := range files {
			arguments := fmt.Sprintf(`{"file":%q}`, file)
			calls = append(calls, preflighttest.Call{Name: "read", Arguments: arguments})
		}
		return calls
	}
	first.Script(
		preflighttest.Reply{Reasoning: "Both.", Text: "Reading.", Calls: read("a", "b")},
		preflighttest.Reply{Text: "You stopped me."},
		preflighttest.Reply{Reasoning: "It is.", Calls: []preflighttest.Call{{Name: "delete"}}},
		preflighttest.Reply{Text: "I wait for your approval."},
		preflighttest.Reply{Text: "It is deleted."},
		preflighttest.Reply{Reasoning: "That one.", Calls: read("c")},
		preflighttest.Reply{Text: "We were deleting."},
		preflighttest.Reply{Text: "Still here."},
	)
	second.Script(
		preflighttest.Reply{Reasoning: "The last.", Calls: read("d")},
		preflighttest.Reply{Text: "Done."},
	)

	ctx, stop := context.WithCancel(context.Background())
	runs, waiting := 0, ""
	at := setup{
		url: first.URL,
		tools: map[string]func(context.Context, json.RawMessage) (string, error){
			"read": func(context.Context, json.RawMessage) (string, error) {
				if runs++; runs == 2 {
					stop()
				}
				return "port=8080", nil
			},
			"delete": func(context.Context, json.RawMessage) (string, error) { return "ok", nil },
		},
		approval: func(tool, id string) bool {
			if tool == "delete" {
				waiting = id
			}
			return tool == "delete"
		},
	}

	// The user stops the agent while its second tool runs.
	agent := kinds[from].open(at)
	if _, err := agent.Run(ctx, "Read both files."); !errors.Is(err, context.Canceled) {
		return errors.Join(errors.New("the agent was not stopped"), err)
	}
	fmt.Fprintln(w, "stopped")

	// It goes on, and wants to do what a person has to approve. The approved call has its result
	// three turns later.
	ctx = context.Background()
	if err := say(ctx, w, agent, "Go on.", "Delete it.", "What are you doing?"); err != nil {
		return err
	}
	agent.Answer(waiting, "deleted", nil)
	if err := say(ctx, w, agent, "I have approved it."); err != nil {
		return err
	}

	// The program ends, and another one resumes the session.
	dir, err := os.MkdirTemp("", "agents")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "session.json")
	if err := agent.Save(file); err != nil {
		return err
	}
	agent = kinds[from].open(at)
	if err := agent.Load(file); err != nil {
		return err
	}
	if err := say(ctx, w, agent, "Where were we?"); err != nil {
		return err
	}

	// The window is trimmed: the last call is dropped, and its result is not.
	agent.Trim(2)
	if err := say(ctx, w, agent, "And now?"); err != nil {
		return err
	}

	// The user picks another provider.
	request, err := agent.Request()
	if err != nil {
		return err
	}
	at.url = second.URL
	agent = kinds[to].open(at)
	if err := agent.Continue(ctx, request); err != nil {
		return err
	}
	if err := say(ctx, w, agent, "Read the last file."); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d requests, %d refused\n", len(first.Requests())+len(second.Requests()),
		len(first.Refused())+len(second.Refused()))
	return nil
}

// say runs the agent with each of the prompts.
func say(ctx context.Context, w io.Writer, agent Agent, prompts ...string) error {
	for _, prompt := range prompts {
		answer, err := agent.Run(ctx, prompt)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "user: %s\nmodel: %s\n", prompt, answer)
	}
	return nil
}

func main() {
	if err := play(os.Stdout, "claude", "gpt"); err != nil {
		fmt.Fprintln(os.Stderr, "agents:", err)
		os.Exit(1)
	}
}
