// Command fantasy is a small agent on charm.land/fantasy, with preflight in its providers. It runs
// offline, against fake providers:
//
//	go run -C examples/agents/fantasy .
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"charm.land/fantasy"
	"charm.land/fantasy/providers/anthropic"
	"charm.land/fantasy/providers/openaicompat"

	"github.com/go-preflight/preflight"
	preflightfantasy "github.com/go-preflight/preflight/adapter/fantasy"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// agent is a client of fantasy, which stores the messages of its session.
type agent struct {
	w        io.Writer
	messages []fantasy.Message
}

type empty struct{}

// turn has a model answer, until the agent is stopped at a call of deploy. What was called until
// then is stored.
func (a *agent) turn(m fantasy.LanguageModel, text string) error {
	fmt.Fprintln(a.w, "user:", text)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var tools []fantasy.AgentTool
	for _, name := range []string{"read_config", "deploy"} {
		tools = append(tools, fantasy.NewAgentTool(name, "",
			func(ctx context.Context, _ empty, _ fantasy.ToolCall) (fantasy.ToolResponse, error) {
				if name == "deploy" {
					stop()
				}
				return fantasy.NewTextResponse("port=8080"), ctx.Err()
			}))
	}
	history := a.messages
	user := fantasy.NewUserMessage(text)
	said := fantasy.Message{Role: fantasy.MessageRoleAssistant}
	result, err := fantasy.NewAgent(m, fantasy.WithTools(tools...)).Stream(ctx,
		fantasy.AgentStreamCall{
			Prompt: text, Messages: history,
			OnToolCall: func(c fantasy.ToolCallContent) error {
				fmt.Fprintln(a.w, "model calls", c.ToolName)
				said.Content = append(said.Content, fantasy.ToolCallPart{
					ToolCallID: c.ToolCallID, ToolName: c.ToolName, Input: c.Input,
				})
				return nil
			},
		})
	if ctx.Err() != nil {
		fmt.Fprintln(a.w, "(stopped)")
		a.messages = append(a.messages, user, said)
		return nil
	}
	if err != nil {
		return err
	}
	a.messages = append(a.messages, user)
	for _, step := range result.Steps {
		a.messages = append(a.messages, step.Messages...)
	}
	fmt.Fprintln(a.w, "model:", result.Response.Content.Text())
	return nil
}

// restart stores the session in a file, and reads it again.
func (a *agent) restart() error {
	stored, err := json.Marshal(a.messages)
	if err != nil {
		return err
	}
	a.messages = nil
	return json.Unmarshal(stored, &a.messages)
}

// play plays the story and tells it on w.
func play(w io.Writer) error {
	stop := []preflighttest.Call{
		{Name: "read_config", Arguments: "{}"}, {Name: "deploy", Arguments: "{}"},
	}
	claude, err := preflighttest.Start("anthropic", nil)
	if err != nil {
		return err
	}
	defer claude.Close()
	claude.Script(preflighttest.Reply{Calls: stop}, preflighttest.Reply{Text: "You stopped me."},
		preflighttest.Reply{Calls: stop})
	gpt, err := preflighttest.Start("openai-chat", nil)
	if err != nil {
		return err
	}
	defer gpt.Close()
	gpt.Script(preflighttest.Reply{Text: "You were deploying."})

	ctx := context.Background()
	own, err := anthropic.New(anthropic.WithAPIKey("none"), anthropic.WithBaseURL(claude.URL))
	if err != nil {
		return err
	}
	other, err := openaicompat.New(openaicompat.WithAPIKey("none"),
		openaicompat.WithBaseURL(gpt.URL+"/v1"))
	if err != nil {
		return err
	}
	plain, err := own.LanguageModel(ctx, "claude-sonnet-4-5")
	if err != nil {
		return err
	}

	// This is all there is to it.
	options := &wire.Options{Options: preflight.Options{Dangling: preflight.DanglingAnswer}}
	report := func(_ context.Context, warnings []wire.Warning, _ error) {
		for _, warning := range warnings {
			fmt.Fprintf(w, "preflight: %s: %s\n", warning.Path, warning.Detail)
		}
	}
	first, err := preflightfantasy.Provider(own, options, report).LanguageModel(ctx,
		"claude-sonnet-4-5")
	if err != nil {
		return err
	}
	second, err := preflightfantasy.Provider(other, options, report).LanguageModel(ctx,
		"gpt-4o")
	if err != nil {
		return err
	}

	a := &agent{w: w}
	fmt.Fprintln(w, "== The user stops parallel calls, and the process ends.")
	if err := a.turn(first, "Deploy it."); err != nil {
		return err
	}
	if err := a.restart(); err != nil {
		return err
	}
	if err := a.turn(plain, "Are you there?"); err == nil {
		return fmt.Errorf("the session was accepted as it is")
	}
	refusal, _, _ := strings.Cut(claude.Refused()[0].Refusal.Message, " immediately")
	fmt.Fprintln(w, "without preflight, the provider:", refusal)

	fmt.Fprintln(w, "\n== Another process resumes the session, and is stopped again.")
	if err := a.turn(first, "Where were we?"); err != nil {
		return err
	}
	if err := a.turn(first, "Then deploy it."); err != nil {
		return err
	}

	fmt.Fprintln(w, "\n== The user picks another provider.")
	if err := a.turn(second, "What were you doing?"); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d refused, the one without preflight\n",
		len(claude.Refused())+len(gpt.Refused()))
	return nil
}

func main() {
	if err := play(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "fantasy:", err)
		os.Exit(1)
	}
}
