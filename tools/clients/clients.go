//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-preflight/preflight/preflighttest"
)

// client is one agent: how it is installed, configured and run, and where it keeps its sessions.
type client struct {
	name     string   // as in session.Clients, and for -only
	title    string   // in the table
	npm      []string // packages, each with its version
	program  string   // in node_modules/.bin
	version  string
	provider string // the fake that it talks to

	// setup writes the configuration of a home folder.
	setup func(*home) error
	// login, unless nil, are the arguments with which the client stores the address of its
	// provider.
	login func(*home) []string
	// env is what the environment has besides HOME.
	env func(*home) []string
	// start and resume are the arguments with which the client answers one prompt.
	start, resume func(h *home, prompt string) []string
	// shell is the call of the client's tool that runs a command.
	shell func(command string) preflighttest.Call
	// agent is the call that lets a subagent answer a prompt, nil where there is none.
	agent func(prompt string) preflighttest.Call
	// sessions is the pattern of the session files, below the home folder.
	sessions string
	// form is how the session's file is taken apart: "lines", "messages" or "rows".
	form string
	// ready, unless "", is what the terminal shows of a resumed session when the prompt can be
	// typed: the client resumes no session without a terminal.
	ready string
}

// home is one home folder of a client, with the project that it works in.
type home struct {
	dir     string // HOME
	project string
	url     string // of the fake provider
}

func (h *home) write(name, text string) error {
	file := filepath.Join(h.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// shellCall returns a call of a tool whose command is in the member with the given name.
func shellCall(tool, member, more string) func(string) preflighttest.Call {
	return func(command string) preflighttest.Call {
		return preflighttest.Call{
			Name: tool, Arguments: fmt.Sprintf(`{%q:%q%s}`, member, command, more),
		}
	}
}

// agentCall returns a call of a tool that lets a subagent answer the prompt in the member of that
// name. more are the other members.
func agentCall(tool, more string) func(string) preflighttest.Call {
	return func(prompt string) preflighttest.Call {
		return preflighttest.Call{
			Name: tool, Arguments: fmt.Sprintf(`{"prompt":%q,%s}`, prompt, more),
		}
	}
}

// args puts the prompt after fixed arguments.
func args(fixed ...string) func(*home, string) []string {
	return func(_ *home, prompt string) []string {
		return append(fixed[:len(fixed):len(fixed)], prompt)
	}
}

const (
	claudeModel = "claude-sonnet-4-5"
	openaiModel = "gpt-4o"
)

// openaiProvider is the environment of clients that take any server with OpenAI's API.
func openaiProvider(h *home) []string {
	return []string{
		"OPENAI_API_KEY=none", "OPENAI_BASE_URL=" + h.url + "/v1", "OPENAI_MODEL=" + openaiModel,
	}
}

// opencodeLike is the configuration of opencode and of Kilo, which is built on it.
func opencodeLike(file string) func(*home) error {
	return func(h *home) error {
		return h.write(file, fmt.Sprintf(`{"provider":{"anthropic":{"options":{"baseURL":"%s/v1",`+
			`"apiKey":"none"},"models":{%q:{"options":{"thinking":{"type":"enabled",`+
			`"budgetTokens":4000}}}}}},"model":"anthropic/%s","small_model":"anthropic/%s",`+
			`"permission":"allow","autoupdate":false,"share":"disabled"}`,
			h.url, claudeModel, claudeModel, claudeModel))
	}
}

// clients are the agents that are measured. Crush is not among them: its npm package downloads a
// program from another host than the registry.
var clients = []*client{
	{
		name: "claude-code", title: "Claude Code", version: "2.1.332",
		npm: []string{"@anthropic-ai/claude-code@2.1.332"}, program: "claude",
		provider: "anthropic",
		env: func(h *home) []string {
			return []string{
				"ANTHROPIC_BASE_URL=" + h.url, "ANTHROPIC_API_KEY=none", "IS_SANDBOX=1",
				"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
			}
		},
		start: args("--dangerously-skip-permissions", "--model", claudeModel, "-p"),
		resume: args("--dangerously-skip-permissions", "--model", claudeModel, "--continue",
			"-p"),
		shell:    shellCall("Bash", "command", `,"description":"Run a command"`),
		agent:    agentCall("Agent", `"description":"Look","subagent_type":"general-purpose"`),
		sessions: ".claude/projects/*/*.jsonl", form: "lines",
	},
	{
		name: "codex", title: "Codex", version: "0.171.0",
		npm: []string{"@openai/codex@0.171.0"}, program: "codex", provider: "openai-responses",
		setup: func(h *home) error {
			return h.write(".codex/config.toml", fmt.Sprintf("model = \"gpt-5.1-codex\"\n"+
				"model_provider = \"fake\"\n[model_providers.fake]\nname = \"fake\"\n"+
				"base_url = \"%s/v1\"\nwire_api = \"responses\"\nenv_key = \"FAKE_KEY\"\n", h.url))
		},
		env: func(*home) []string { return []string{"FAKE_KEY=none"} },
		start: args("exec", "--skip-git-repo-check",
			"--dangerously-bypass-approvals-and-sandbox"),
		resume: args("exec", "--skip-git-repo-check",
			"--dangerously-bypass-approvals-and-sandbox", "resume", "--last"),
		shell:    shellCall("exec_command", "cmd", `,"yield_time_ms":30000`),
		sessions: ".codex/sessions/*/*/*/*.jsonl", form: "lines",
	},
	{
		name: "gemini-cli", title: "Gemini CLI", version: "0.61.0",
		npm: []string{"@google/gemini-cli@0.61.0"}, program: "gemini", provider: "gemini",
		setup: func(h *home) error {
			return h.write(".gemini/settings.json", `{"security":{"auth":{"selectedType":`+
				`"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false},`+
				`"general":{"disableAutoUpdate":true}}`)
		},
		env: func(h *home) []string {
			return []string{
				"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=" + h.url,
				"GEMINI_CLI_TRUST_WORKSPACE=true",
			}
		},
		start:    args("--yolo", "-m", "gemini-2.5-pro", "-p"),
		resume:   args("--yolo", "-m", "gemini-2.5-pro", "--resume", "latest", "-p"),
		shell:    shellCall("run_shell_command", "command", `,"description":"Run a command"`),
		agent:    agentCall("invoke_agent", `"agent_name":"generalist"`),
		sessions: ".gemini/tmp/*/chats/*.jsonl", form: "lines",
	},
	{
		name: "qwen-code", title: "Qwen Code", version: "0.24.4",
		npm: []string{"@qwen-code/qwen-code@0.24.4"}, program: "qwen", provider: "openai-chat",
		setup: func(h *home) error {
			return h.write(".qwen/settings.json", `{"security":{"auth":{"selectedType":"openai"}},`+
				`"privacy":{"usageStatisticsEnabled":false},"general":{"disableAutoUpdate":true}}`)
		},
		env:    openaiProvider,
		start:  args("--yolo", "-p"),
		resume: args("--yolo", "--continue", "-p"),
		shell: shellCall("run_shell_command", "command",
			`,"description":"Run a command","is_background":false`),
		agent:    agentCall("agent", `"description":"Look","subagent_type":"general-purpose"`),
		sessions: ".qwen/projects/*/chats/*.jsonl", form: "lines",
	},
	{
		name: "opencode", title: "opencode", version: "1.18.33",
		npm: []string{"opencode-ai@1.18.33"}, program: "opencode", provider: "anthropic",
		setup: opencodeLike(".config/opencode/opencode.json"),
		env: func(*home) []string {
			return []string{"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1"}
		},
		start:    args("run"),
		resume:   args("run", "--continue"),
		shell:    shellCall("bash", "command", `,"description":"Run a command"`),
		agent:    agentCall("task", `"description":"Look","subagent_type":"general"`),
		sessions: ".local/share/opencode/opencode.db", form: "rows",
	},
	{
		name: "kilo", title: "Kilo", version: "7.7.9",
		// its usual package looks for a program of its own version, which the registry does not
		// have
		npm:     []string{"@kilocode/cli-linux-x64@7.7.9"},
		program: "../@kilocode/cli-linux-x64/bin/kilo", provider: "anthropic",
		setup: opencodeLike(".config/kilo/kilo.json"),
		env: func(*home) []string {
			return []string{"KILO_DISABLE_MODELS_FETCH=1", "KILO_DISABLE_AUTOUPDATE=1"}
		},
		start:    args("run", "--auto"),
		resume:   args("run", "--auto", "--continue"),
		shell:    shellCall("bash", "command", `,"description":"Run a command"`),
		agent:    agentCall("task", `"description":"Look","subagent_type":"general"`),
		sessions: ".local/share/kilo/kilo.db", form: "rows",
	},
	{
		name: "pi", title: "pi", version: "1.6.0",
		npm:     []string{"@earendil-works/pi-coding-agent@1.6.0", "node@22.23.3"},
		program: "pi", provider: "anthropic",
		setup: func(h *home) error {
			return h.write(".pi/agent/models.json", fmt.Sprintf(`{"providers":{"fake":{"baseUrl":%q,`+
				`"api":"anthropic-messages","apiKey":"none","models":[{"id":%q,"name":"m",`+
				`"reasoning":true,"input":["text"],"contextWindow":200000,"maxTokens":8000,`+
				`"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0}}]}}}`, h.url, claudeModel))
		},
		env:      func(*home) []string { return []string{"PI_OFFLINE=1"} },
		start:    args("--provider", "fake", "--model", claudeModel, "-p"),
		resume:   args("--provider", "fake", "--model", claudeModel, "-c", "-p"),
		shell:    shellCall("bash", "command", ""),
		sessions: ".pi/agent/sessions/*/*.jsonl", form: "lines",
	},
	{
		name: "copilot-cli", title: "Copilot CLI", version: "1.0.102",
		npm: []string{"@github/copilot@1.0.102"}, program: "copilot", provider: "anthropic",
		env: func(h *home) []string {
			return []string{
				"COPILOT_PROVIDER_BASE_URL=" + h.url, "COPILOT_PROVIDER_TYPE=anthropic",
				"COPILOT_PROVIDER_API_KEY=none", "COPILOT_MODEL=claude-sonnet-4.5",
				"COPILOT_AUTO_UPDATE=false", "COPILOT_OFFLINE=true",
			}
		},
		start:  args("--allow-all-tools", "-p"),
		resume: args("--allow-all-tools", "--continue", "-p"),
		shell: shellCall("bash", "command",
			`,"description":"Run a command","mode":"sync","initial_wait":30`),
		agent: agentCall("task", `"description":"Look","name":"look","agent_type":"task",`+
			`"mode":"sync"`),
		sessions: ".copilot/session-state/*/events.jsonl", form: "lines",
	},
	{
		name: "cline-cli", title: "Cline CLI", version: "3.0.65",
		npm: []string{"cline@3.0.65"}, program: "cline", provider: "openai-chat",
		login: func(h *home) []string {
			return []string{"auth", "-p", "openai-compatible", "-k", "none", "-m", openaiModel,
				"-b", h.url + "/v1"}
		},
		env:   openaiProvider,
		start: args("-P", "openai-compatible", "-k", "none", "-m", openaiModel),
		resume: func(h *home, _ string) []string {
			return []string{"-P", "openai-compatible", "-k", "none", "-m", openaiModel, "--id",
				h.sessionID()}
		},
		ready: "Ask anything",
		shell: func(command string) preflighttest.Call {
			return preflighttest.Call{Name: "run_commands",
				Arguments: fmt.Sprintf(`{"commands":[%q]}`, command)}
		},
		sessions: ".cline/data/sessions/*/*.messages.json", form: "messages",
	},
}

// sessionID is the id of the newest session of Cline, which its folder is named after.
func (h *home) sessionID() string {
	files, _ := filepath.Glob(filepath.Join(h.dir, ".cline/data/sessions/*"))
	if len(files) == 0 {
		return ""
	}
	return filepath.Base(files[len(files)-1])
}
