// Command anyllm is a small agent on mozilla-ai/any-llm-go, with preflight around its providers. It
// runs offline, against fake providers:
//
//	go run -C examples/agents ./anyllm
package main

import (
	"context"
	"fmt"
	"io"

	anyllm "github.com/mozilla-ai/any-llm-go"
	"github.com/mozilla-ai/any-llm-go/providers/anthropic"
	"github.com/mozilla-ai/any-llm-go/providers/openai"

	preflightanyllm "github.com/go-preflight/preflight/adapter/anyllm"
	"github.com/go-preflight/preflight/examples/agents/internal/story"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// agent is an agent loop: a history, and a tool that the user stops.
type agent struct {
	w       io.Writer
	history []anyllm.Message
}

// turn has a provider answer. At a call of deploy the agent is stopped.
func (a *agent) turn(p anyllm.Provider, model, text string) error {
	fmt.Fprintln(a.w, "user:", text)
	a.history = append(a.history, anyllm.Message{Role: anyllm.RoleUser, Content: text})
	for {
		ctx := preflightanyllm.Keep(context.Background(), &a.history)
		completion, err := p.Completion(ctx,
			anyllm.CompletionParams{Model: model, Messages: a.history})
		if err != nil {
			return err
		}
		answer := completion.Choices[0].Message
		a.history = append(a.history, answer)
		if text := answer.ContentString(); text != "" {
			fmt.Fprintln(a.w, "model:", text)
		}
		if len(answer.ToolCalls) == 0 {
			return nil
		}
		for _, call := range answer.ToolCalls {
			fmt.Fprintln(a.w, "model calls", call.Function.Name)
			if call.Function.Name == "deploy" {
				fmt.Fprintln(a.w, "(stopped)")
				return nil
			}
			output, err := story.RunTool(ctx, call.Function.Name)
			if err != nil {
				return err
			}
			a.history = append(a.history, anyllm.Message{
				Role: anyllm.RoleTool, ToolCallID: call.ID, Content: output,
			})
		}
	}
}

// play plays the story and tells it on w.
func play(w io.Writer) error {
	both := []preflighttest.Call{
		{Name: "read_config", Arguments: "{}"}, {Name: "deploy", Arguments: "{}"},
	}
	claude, err := preflighttest.Start("anthropic", nil)
	if err != nil {
		return err
	}
	defer claude.Close()
	claude.Script(preflighttest.Reply{Calls: both}, preflighttest.Reply{Text: "You stopped me."},
		preflighttest.Reply{Calls: both})
	gpt, err := preflighttest.Start("openai-chat", nil)
	if err != nil {
		return err
	}
	defer gpt.Close()
	gpt.Script(preflighttest.Reply{Text: "You were deploying."})

	own, err := anthropic.New(anyllm.WithAPIKey("none"), anyllm.WithBaseURL(claude.URL))
	if err != nil {
		return err
	}
	other, err := openai.New(anyllm.WithAPIKey("none"), anyllm.WithBaseURL(gpt.URL+"/v1"))
	if err != nil {
		return err
	}

	// This is all there is to it.
	report := func(_ context.Context, warnings []wire.Warning, _ error) { story.Tell(w, warnings) }
	first := preflightanyllm.Provider(own, story.Options(), report)
	second := preflightanyllm.Provider(other, story.Options(), report)

	a := &agent{w: w}
	fmt.Fprintln(w, "== The user stops parallel calls, and the process ends.")
	if err := a.turn(first, "claude-sonnet-4-5", "Deploy it."); err != nil {
		return err
	}
	if err := story.Restart(&a.history); err != nil {
		return err
	}
	before := a.history
	if err := a.turn(own, "claude-sonnet-4-5", "Are you there?"); err == nil {
		return fmt.Errorf("the session was accepted as it is")
	}
	a.history = before
	fmt.Fprintln(w, "without preflight, the provider:",
		story.ShortIDs(claude.Refused()[0].Refusal.Message))

	fmt.Fprintln(w, "\n== Another process resumes the session, and is stopped again.")
	if err := a.turn(first, "claude-sonnet-4-5", "Where were we?"); err != nil {
		return err
	}
	if err := a.turn(first, "claude-sonnet-4-5", "Then deploy it."); err != nil {
		return err
	}

	fmt.Fprintln(w, "\n== The user picks another provider.")
	if err := a.turn(second, "gpt-4o", "What were you doing?"); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d refused, the one without preflight\n",
		len(claude.Refused())+len(gpt.Refused()))
	return nil
}

func main() { story.Main("anyllm", play) }
