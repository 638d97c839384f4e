// Command genkit is a small agent on firebase/genkit/go, with preflight as a model middleware. It
// runs offline, against fake providers:
//
//	go run -C examples/agents/genkit .
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/compat_oai"

	"github.com/go-preflight/preflight"
	preflightgenkit "github.com/go-preflight/preflight/adapter/genkit"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// agent is a session with Genkit, whose deploy tool waits for a person.
type agent struct {
	w        io.Writer
	g        *genkit.Genkit
	tools    []ai.ToolRef
	messages []*ai.Message
}

type empty struct{}

// newAgent is an agent with a model for each of the servers, by the name of the provider.
func newAgent(
	ctx context.Context, w io.Writer, servers map[string]*preflighttest.Server,
) *agent {
	a := &agent{w: w, g: genkit.Init(ctx)}
	for name, server := range servers {
		p := &compat_oai.OpenAICompatible{
			Provider: name, APIKey: "none", BaseURL: server.URL + "/v1",
		}
		p.Init(ctx)
		supports := &ai.ModelSupports{Multiturn: true, Tools: true, SystemRole: true}
		genkit.RegisterAction(a.g,
			p.DefineModel(name, "model", ai.ModelOptions{Label: name, Supports: supports}))
	}
	a.tools = []ai.ToolRef{
		genkit.DefineTool(a.g, "read_config", "Reads the configuration.",
			func(*ai.ToolContext, empty) (string, error) { return "port=8080", nil }),
		genkit.DefineTool(a.g, "deploy", "Deploys.",
			func(ctx *ai.ToolContext, _ empty) (string, error) {
				return "", ctx.Interrupt(&ai.InterruptOptions{})
			}),
	}
	return a
}

// turn generates an answer of a provider's model; repairs is whether preflight is in front of it.
func (a *agent) turn(ctx context.Context, provider, text string, repairs bool) error {
	fmt.Fprintln(a.w, "user:", text)
	options := []ai.GenerateOption{
		ai.WithModelName(provider + "/model"), ai.WithTools(a.tools...),
		ai.WithMessages(a.messages...), ai.WithPrompt(text),
	}
	if repairs {
		// This is all there is to it.
		own := &wire.Options{
			Provider: provider, Options: preflight.Options{Dangling: preflight.DanglingAnswer},
		}
		options = append(options, ai.WithMiddleware(preflightgenkit.Middleware(own,
			func(_ context.Context, warnings []wire.Warning, _ error) {
				for _, warning := range warnings {
					fmt.Fprintf(a.w, "preflight: %s: %s\n", warning.Path, warning.Detail)
				}
			})))
	}
	response, err := genkit.Generate(ctx, a.g, options...)
	if err != nil {
		return err
	}
	a.messages = response.History()
	for _, p := range response.Interrupts() {
		fmt.Fprintln(a.w, "model calls", p.ToolRequest.Name, "(which waits for you)")
	}
	if text := response.Text(); text != "" {
		fmt.Fprintln(a.w, "model:", text)
	}
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
	both := []preflighttest.Call{
		{Name: "read_config", Arguments: "{}"}, {Name: "deploy", Arguments: "{}"},
	}
	servers := make(map[string]*preflighttest.Server)
	for _, name := range []string{"openai-chat", "mistral"} {
		server, err := preflighttest.Start(name, nil)
		if err != nil {
			return err
		}
		defer server.Close()
		servers[name] = server
	}
	first, second := servers["openai-chat"], servers["mistral"]
	first.Script(preflighttest.Reply{Calls: both}, preflighttest.Reply{Text: "I wait for you."},
		preflighttest.Reply{Calls: both})
	second.Script(preflighttest.Reply{Text: "You have not let me deploy."})
	ctx := context.Background()
	a := newAgent(ctx, w, servers)

	fmt.Fprintln(w, "== A tool beside another waits for the user, and the process ends.")
	if err := a.turn(ctx, "openai-chat", "Deploy it.", true); err != nil {
		return err
	}
	if err := a.restart(); err != nil {
		return err
	}
	if err := a.turn(ctx, "openai-chat", "Are you there?", false); err == nil {
		return fmt.Errorf("the session was accepted as it is")
	}
	refusal, _, _ := strings.Cut(first.Refused()[0].Refusal.Message, ".")
	fmt.Fprintln(w, "without preflight, the provider:", refusal)

	fmt.Fprintln(w, "\n== Another process resumes the session.")
	if err := a.turn(ctx, "openai-chat", "Where were we?", true); err != nil {
		return err
	}
	if err := a.turn(ctx, "openai-chat", "Then deploy it.", true); err != nil {
		return err
	}

	fmt.Fprintln(w, "\n== The user picks another provider.")
	if err := a.turn(ctx, "mistral", "What are you doing?", true); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d refused, the one without preflight\n",
		len(first.Refused())+len(second.Refused()))
	return nil
}

func main() {
	if err := play(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "genkit:", err)
		os.Exit(1)
	}
}
