package preflightadk_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/glebarez/sqlite"
	"google.golang.org/adk/agent"
	"google.golang.org/adk/agent/llmagent"
	"google.golang.org/adk/model"
	"google.golang.org/adk/model/gemini"
	"google.golang.org/adk/plugin"
	"google.golang.org/adk/runner"
	"google.golang.org/adk/session"
	"google.golang.org/adk/session/database"
	"google.golang.org/adk/tool"
	"google.golang.org/adk/tool/functiontool"
	"google.golang.org/genai"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/go-preflight/preflight"
	preflightadk "github.com/go-preflight/preflight/adapter/adk"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// This file drives runners of ADK against a strict fake of the Gemini API, through the ways in
// which sessions break.

const (
	modelName = "gemini-3-pro-preview"
	refusal   = "number of function response parts is equal to the number of function call parts"
)

var answering = &wire.Options{Options: preflight.Options{Dangling: preflight.DanglingAnswer}}

// call is a call of a fake's reply.
func call(name string) preflighttest.Call { return preflighttest.Call{Name: name, Arguments: "{}"} }

// newModel is a model that sends to the fake.
func newModel(t *testing.T, server *preflighttest.Server, name string) model.LLM {
	t.Helper()
	m, err := gemini.NewModel(context.Background(), name, &genai.ClientConfig{
		Backend: genai.BackendGeminiAPI, APIKey: "none",
		HTTPOptions: genai.HTTPOptions{BaseURL: server.URL},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

type empty struct{}

// newTool is a tool that calls f.
func newTool(t *testing.T, config functiontool.Config, f func() (map[string]any, error)) tool.Tool {
	t.Helper()
	made, err := functiontool.New(config,
		func(agent.ToolContext, empty) (map[string]any, error) { return f() })
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// works is the function of a tool that always works.
func works() (map[string]any, error) { return map[string]any{"output": "ok"}, nil }

// newAgent is an agent of the model.
func newAgent(t *testing.T, config llmagent.Config) agent.Agent {
	t.Helper()
	made, err := llmagent.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// stored are sessions in a file.
func stored(t *testing.T, file string) session.Service {
	t.Helper()
	service, err := database.NewSessionService(sqlite.Open(file), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatal(err)
	}
	if err := database.AutoMigrate(service); err != nil {
		t.Fatal(err)
	}
	return service
}

// newRunner is a runner of the agent, with plugins.
func newRunner(
	t *testing.T, root agent.Agent, sessions session.Service, plugins ...*plugin.Plugin,
) *runner.Runner {
	t.Helper()
	made, err := runner.New(runner.Config{
		AppName: "app", Agent: root, SessionService: sessions, AutoCreateSession: true,
		PluginConfig: runner.PluginConfig{Plugins: plugins},
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// newPlugin is a plugin that repairs, and the codes of its warnings.
func newPlugin(t *testing.T, config preflightadk.Config) (*plugin.Plugin, *[]string) {
	t.Helper()
	var reported []string
	config.Report = func(_ context.Context, warnings []wire.Warning, err error) {
		if err != nil {
			t.Error(err)
		}
		reported = append(reported, clienttest.Codes(warnings)...)
	}
	made, err := preflightadk.Plugin(config)
	if err != nil {
		t.Fatal(err)
	}
	return made, &reported
}

// run gives the runner a message, and returns the text of the answer and the events.
func run(
	ctx context.Context, r *runner.Runner, mode agent.StreamingMode, message *genai.Content,
) (text string, events []*session.Event, err error) {
	config := agent.RunConfig{StreamingMode: mode}
	for e, err := range r.Run(ctx, "user", "session", message, config) {
		if err != nil {
			return text, events, err
		}
		events = append(events, e)
		if e.Content != nil && !e.Partial {
			for _, p := range e.Content.Parts {
				text += p.Text
			}
		}
	}
	return text, events, nil
}

func say(text string) *genai.Content { return genai.NewContentFromText(text, genai.RoleUser) }

// TestStoppedCalls: the user stops parallel calls, the process ends, and another resumes the
// session from its store. It is refused without the plugin, and goes on with it; what is repaired
// once is kept in the session.
func TestStoppedCalls(t *testing.T) {
	for name, mode := range map[string]agent.StreamingMode{
		"whole": agent.StreamingModeNone, "streamed": agent.StreamingModeSSE,
	} {
		for _, keep := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				server := preflighttest.New(t, "gemini", nil)
				server.Script(
					preflighttest.Reply{
						Text: "Both.", Calls: []preflighttest.Call{call("fast"), call("slow")},
					},
					preflighttest.Reply{Text: "You stopped me."},
					preflighttest.Reply{Calls: []preflighttest.Call{call("fast")}},
					preflighttest.Reply{Text: "Done."},
				)
				ctx, stop := context.WithCancel(context.Background())
				root := newAgent(t, llmagent.Config{
					Name: "builder", Model: newModel(t, server, modelName),
					Tools: []tool.Tool{
						newTool(t, functiontool.Config{Name: "fast"}, works),
						newTool(t, functiontool.Config{Name: "slow"},
							func() (map[string]any, error) { stop(); return nil, ctx.Err() }),
					},
				})
				file := filepath.Join(t.TempDir(), "sessions.db")
				if _, _, err := run(ctx, newRunner(t, root, stored(t, file)), mode,
					say("Build it.")); err == nil {
					t.Fatal("the run was not stopped")
				}

				ctx = context.Background()
				_, _, err := run(ctx, newRunner(t, root, stored(t, file)), mode, say("Why?"))
				if err == nil || !strings.Contains(err.Error(), refusal) {
					t.Fatalf("without preflight: %v", err)
				}

				sessions := stored(t, file)
				config := preflightadk.Config{Options: answering}
				want := []string{"dangling-answered", "dangling-answered"}
				if keep {
					config.Keep = sessions
				} else {
					want = slices.Repeat(want, 3) // in each of the requests
				}
				repair, codes := newPlugin(t, config)
				r := newRunner(t, root, sessions, repair)
				before := len(server.Refused())
				for _, turn := range []struct{ ask, answer string }{
					{"Go on.", "You stopped me."}, {"Again.", "Done."},
				} {
					text, _, err := run(ctx, r, mode, say(turn.ask))
					if err != nil || text != turn.answer {
						t.Fatalf("with preflight: %q, %v", text, err)
					}
				}
				if len(server.Refused()) != before {
					t.Error(server.Refused())
				}
				if !slices.Equal(*codes, want) {
					t.Errorf("reported %v, want %v", *codes, want)
				}
			})
		}
	}
}
