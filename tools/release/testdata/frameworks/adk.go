// An agent on google.golang.org/adk that ends in the middle of parallel calls: PROVIDER URL FILE
// PROMPT.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"net/http"
	"os"

	"github.com/glebarez/sqlite"
	"google.golang.org/adk/agent"
	"google.golang.org/adk/agent/llmagent"
	"google.golang.org/adk/model"
	"google.golang.org/adk/model/gemini"
	"google.golang.org/adk/runner"
	"google.golang.org/adk/session/database"
	"google.golang.org/adk/tool"
	"google.golang.org/adk/tool/functiontool"
	"google.golang.org/genai"

	preflightadk "github.com/go-preflight/preflight/adapter/adk" // preflight
	"github.com/go-preflight/preflight/wire"                     // preflight
)

func main() {
	name, url, file, prompt := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	ctx := context.Background()
	var llm model.LLM = chat{url}
	var err error
	if name == "gemini" {
		llm, err = gemini.NewModel(ctx, "gemini-3-pro-preview", &genai.ClientConfig{
			Backend: genai.BackendGeminiAPI, APIKey: "none",
			HTTPOptions: genai.HTTPOptions{BaseURL: url},
		})
		check(err)
	}
	llm = preflightadk.Model(llm, &wire.Options{Provider: name}, nil) // preflight

	config := llmagent.Config{Name: "builder", Model: llm}
	for _, name := range []string{"read", "stop"} {
		made, err := functiontool.New(functiontool.Config{Name: name},
			func(agent.ToolContext, struct{}) (map[string]any, error) {
				if name == "stop" {
					os.Exit(3) // the process dies
				}
				return map[string]any{"output": "port=8080"}, nil
			})
		check(err)
		config.Tools = append(config.Tools, tool.Tool(made))
	}
	root, err := llmagent.New(config)
	check(err)
	sessions, err := database.NewSessionService(sqlite.Open(file))
	check(err)
	check(database.AutoMigrate(sessions))
	r, err := runner.New(runner.Config{
		AppName: "app", Agent: root, SessionService: sessions, AutoCreateSession: true,
	})
	check(err)
	message := genai.NewContentFromText(prompt, genai.RoleUser)
	for event, err := range r.Run(ctx, "user", "session", message, agent.RunConfig{}) {
		check(err)
		for _, p := range event.Content.Parts {
			fmt.Print(p.Text)
		}
	}
}

// chat is a model of another provider than Google: it sends contents to a Chat Completions API.
type chat struct{ url string }

func (chat) Name() string { return "gpt-4o" }

type (
	function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	call struct {
		ID       string   `json:"id"`
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	chatMessage struct {
		Role       string `json:"role"`
		Content    string `json:"content"`
		ToolCalls  []call `json:"tool_calls,omitempty"`
		ToolCallID string `json:"tool_call_id,omitempty"`
	}
)

// messages are those of a content.
func messages(c *genai.Content) (out []chatMessage) {
	m := chatMessage{Role: "user"}
	if c.Role == genai.RoleModel {
		m.Role = "assistant"
	}
	for _, p := range c.Parts {
		m.Content += p.Text
		if f := p.FunctionCall; f != nil {
			m.ToolCalls = append(m.ToolCalls, call{f.ID, "function", function{f.Name, "{}"}})
		}
		if r := p.FunctionResponse; r != nil {
			output, err := json.Marshal(r.Response)
			check(err)
			out = append(out,
				chatMessage{Role: "tool", Content: string(output), ToolCallID: r.ID})
		}
	}
	if m.Content != "" || len(m.ToolCalls) > 0 {
		out = append(out, m)
	}
	return out
}

// GenerateContent implements model.LLM.
func (m chat) GenerateContent(
	_ context.Context, request *model.LLMRequest, _ bool,
) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) { yield(m.send(request)) }
}

func (m chat) send(request *model.LLMRequest) (*model.LLMResponse, error) {
	var all []chatMessage
	for _, c := range request.Contents {
		all = append(all, messages(c)...)
	}
	body, err := json.Marshal(map[string]any{"model": m.Name(), "messages": all})
	if err != nil {
		return nil, err
	}
	response, err := http.Post(m.url+"/v1/chat/completions", "application/json",
		bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, errors.New(string(raw))
	}
	var answer struct {
		Choices []struct{ Message chatMessage }
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, err
	}
	return &model.LLMResponse{
		Content: genai.NewContentFromText(answer.Choices[0].Message.Content, genai.RoleModel),
	}, nil
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
