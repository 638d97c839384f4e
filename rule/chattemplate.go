package rule

// chatTemplate holds the rules of chat templates, as llama.cpp, vLLM, LM Studio and NIM apply them.
// llama.cpp answers 500 where a template raises, the others 400.
var chatTemplate = []Rule{
	{
		ID: "chat-template/alternation",
		Statement: "The templates of Llama 2, early Mistral, Gemma and Zephyr want user and " +
			"assistant in turns, the user first.",
		Error:  "Conversation roles must alternate user/assistant/user/assistant/...",
		Fix:    "Merge neighbours of one role, and let tool results become user text.",
		Status: 500,
		For: []Evidence{
			{
				Kind:   Stated,
				Source: "https://github.com/ollama/ollama/blob/HEAD/llama/compat/llama-ollama-compat.cpp",
			},
		},
		Cost: CostWords,
	},
	{
		ID: "chat-template/alternation-mistral3",
		Statement: "The templates of Mistral 3, Ministral and Devstral want strict turns after " +
			"the system message, tool calls and results excepted.",
		Error: "After the optional system message, conversation roles must alternate user " +
			"and assistant roles except for tool calls and results.",
		Fix: "Merge neighbours of one role, and put an assistant message after a run of " +
			"tool results that a user follows.",
		Status: 500,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-01",
				Source: "https://github.com/charmbracelet/crush/issues/279",
			},
			{
				Kind:   Reported,
				Source: "https://github.com/sterlp/eclipse-peon-ai/issues/75",
			},
			{
				Kind: Reported, Seen: "2026-06",
				Models: []string{"devstral-small-2*"},
				Source: "https://github.com/aliou/pi-neuralwatt/issues/12",
				Note:   "a user message after a tool message; GLM, Kimi and Qwen take it there",
			},
		},
		Cost:   CostWords,
		SeenAs: "chat-template/alternation",
	},
	{
		ID: "chat-template/arguments-json",
		Statement: "llama.cpp and vLLM parse the arguments of every call in the history, for " +
			"templates that want an object: text that was cut off, or is no JSON, fails each " +
			"request that has it.",
		Error: "Failed to parse tool call arguments as JSON: " +
			"[json.exception.parse_error.101] parse error at line 1, column 2",
		Fix:      "Make it the text of an object, with what was there preserved in it.",
		Severity: Varies,
		Status:   500,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/ggml-org/llama.cpp/issues/25510",
				Note:   "llama.cpp; the same text comes where the answer itself is cut off",
			},
			{
				Kind: Reported, Seen: "2026-04",
				Source: "https://github.com/OpenHands/OpenHands/issues/13949",
				Note:   "llama.cpp, in every later request of the session",
			},
			{
				Kind: Reported, Seen: "2026-07",
				Models: []string{"qwen3.6-35b-a3b"},
				Source: "https://github.com/vllm-project/vllm/issues/47761",
				Note:   "vLLM 0.23 to 0.25",
			},
		},
		Against: []Evidence{
			{
				Kind: Stated, Seen: "2026-07",
				Source: "https://github.com/vllm-project/vllm/pull/48922",
				Note:   "merged: later versions of vLLM go on without them",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID: "chat-template/arguments-mapping",
		Statement: "Some templates (Qwen3-Coder) iterate over the arguments of a call, so a " +
			"server that hands them over as a string fails.",
		Error: "Can only get item pairs from a mapping.",
		Fix: "Update the template or the server, so that it parses the arguments before " +
			"the template sees them.",
		Severity: Varies,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-11",
				Source: "https://github.com/QwenLM/Qwen3-Coder/issues/444",
			},
		},
		Coverage: Unseen,
		Reason:   "The body is right; the server hands the template a string.",
	},
	{
		ID: "chat-template/gpt-oss-both",
		Statement: "The gpt-oss template writes the content and the thinking of a message with " +
			"tool calls in one place, and fails where there are both.",
		Error:  "Cannot pass both content and thinking in an assistant message with tool calls!",
		Fix:    "Put the thinking into the content, in front of it.",
		Status: 500,
		Models: []string{"gpt-oss*"},
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-02",
				Source: "https://github.com/ggml-org/llama.cpp/pull/19702",
			},
		},
		Cost: CostPrefix,
		Sources: []string{
			"https://github.com/ggml-org/llama.cpp/issues/17040",
			"https://github.com/openclaw/openclaw/issues/6514",
		},
	},
	{
		ID: "chat-template/gpt-oss-channel-tags",
		Statement: "The gpt-oss template takes the analysis and the final answer of a message in " +
			"fields of their own, and fails where the content still has the model's channel tags.",
		Error: "You have passed a message containing <|channel|> tags in the content field. Instead of " +
			"doing this, you should pass analysis messages (the string between '<|message|>' and " +
			"'<|end|>') in the 'thinking' field, and final messages (the string between '<|message|>' " +
			"and '<|end|>') in the 'content' field.",
		Fix:    "Pass the analysis as thinking and the final answer as content, without tags.",
		Models: []string{"gpt-oss*"},
		For: []Evidence{
			{
				Kind: Reported, Seen: "2025-08",
				Source: "https://github.com/ggml-org/llama.cpp/issues/15242",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID: "chat-template/llamacpp-content",
		Statement: "For llama.cpp every message has content, save for an assistant message with " +
			"tool calls.",
		Error: "All non-assistant messages must contain 'content'",
		Fix:   "Set an empty string.",
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-05",
				Source: "https://github.com/defilantech/LLMKube/issues/556",
				Note:   "Devstral 24B",
			},
		},
		Cost: CostNothing,
	},
	{
		ID:        "chat-template/llamacpp-prefill-thinking",
		Statement: "With thinking on, llama.cpp refuses an assistant message at the end.",
		Error:     "Assistant response prefill is incompatible with enable_thinking.",
		Fix:       "Append a user turn, or switch thinking off in the template arguments.",
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-04",
				Models: []string{"qwen3*"},
				Source: "https://github.com/ggml-org/llama.cpp/issues/20861",
				Note:   "Qwen 3.5 and 3.6",
			},
			{
				Kind: Reported, Seen: "2026-04",
				Models: []string{"qwen3*"},
				Source: "https://github.com/mastra-ai/mastra/issues/15234",
			},
			{
				Kind: Reported, Seen: "2026-03",
				Models: []string{"gpt-oss*"},
				Source: "https://github.com/architehc/selfware/issues/77",
			},
		},
		Cost: CostWords,
	},
	{
		ID: "chat-template/llamacpp-two-assistants",
		Statement: "llama.cpp takes one assistant message at the end, as a prefill, and refuses " +
			"a second.",
		Error: "Cannot have 2 or more assistant messages at the end of the list.",
		Fix:   "Merge the trailing assistant messages.",
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026",
				Source: "https://github.com/ggml-org/llama.cpp/blob/HEAD/tools/server/server-common.cpp",
			},
		},
		Cost:   CostPrefix,
		SeenAs: "chat-template/alternation",
	},
	{
		ID: "chat-template/nim-control-chars",
		Statement: "NVIDIA NIM and some other hosts stumble over control characters when they " +
			"read the JSON.",
		Error: "Unterminated string starting at: line 1 column 13 (char 12)",
		Fix:   "Strip control characters other than tab and line ends.",
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-04",
				Source: "https://github.com/0ca/BoxPwnr/pull/227",
			},
		},
		Cost: CostLoss,
	},
	{
		ID: "chat-template/no-user-query",
		Statement: "The Qwen 3 templates look for a genuine user message and fail without one, " +
			"as after a compaction that removed them all.",
		Error: "No user query found in messages.",
		Fix:   "Insert a short user message after the instructions.",
		For: []Evidence{
			{
				Kind:   Stated,
				Source: "https://github.com/ollama/ollama/blob/HEAD/model/renderers/testdata/qwen38_chat_template.jinja",
			},
			{
				Kind:   Reported,
				Source: "https://github.com/diegosouzapw/OmniRoute/issues/4982",
			},
		},
		Cost: CostWords,
	},
	{
		ID: "chat-template/nul-truncation",
		Statement: "With a vision projector loaded, llama.cpp cuts the prompt at the first NUL " +
			"character and says nothing.",
		ErrorKind: Documented,
		Fix:       "Strip NUL from all text bound for the model.",
		Severity:  Degrades,
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-07",
				Source: "https://github.com/ggml-org/llama.cpp/issues/25543",
			},
		},
		Cost: CostLoss,
		Sources: []string{
			"https://github.com/aebrer/dreb/issues/352",
		},
	},
	{
		ID: "chat-template/role-developer",
		Statement: "The templates of most models know no role developer: they raise, or leave the " +
			"message out of the prompt. That of gpt-oss has the role, and newer servers map it.",
		Error:    "Unexpected message role.",
		Fix:      "Send the message as a system message.",
		Severity: Varies,
		For: []Evidence{
			{
				Kind: Reported, Models: []string{"qwen*"}, Seen: "2026-06",
				Source: "https://github.com/ogx-ai/ogx/issues/6069",
				Note:   "vLLM 0.22.1",
			},
			{
				Kind: Reported, Models: []string{"qwen*"}, Seen: "2026-03",
				Source: "https://github.com/ggml-org/llama.cpp/pull/20079",
				Note:   "permissive templates lost the message without a word",
			},
			{
				Kind: Stated, Seen: "2026-11",
				Source: "https://github.com/axolotl-ai-cloud/axolotl/tree/main/src/axolotl/utils/" +
					"chat_templates/templates",
				Note: "templates of EXAONE 4, Nemotron-H and others raise on it",
			},
		},
		Against: []Evidence{
			{
				Kind: Stated, Models: []string{"gpt-oss*"}, Seen: "2026-03",
				Source: "https://github.com/ggml-org/llama.cpp/pull/20215",
				Note:   "llama.cpp maps the role for all other models since then",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID: "chat-template/roles-supported",
		Statement: "The templates of Zephyr, early Mistral and LLaVA know user and assistant and " +
			"nothing else.",
		Error: "Only user and assistant roles are supported!",
		Fix:   "Turn system text and tool exchanges into text of those two.",
		For: []Evidence{
			{
				Kind:   Stated,
				Source: "https://github.com/ollama/ollama/blob/HEAD/template/index.json",
			},
			{
				Kind: Stated, Seen: "2026-08",
				Models: []string{"gemma3*", "llama2*", "llama3", "phi3*", "vicuna*"},
				Hosts:  []string{"ollama"},
				Source: "https://github.com/ollama/ollama/tree/main/template",
				Note: "Ollama's own templates of these and others refuse nothing: they leave calls " +
					"out, and results too, or show them without a role",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID: "chat-template/single-tool-call",
		Statement: "The Llama 3 templates have room for a single tool call in each assistant " +
			"message.",
		Error:  "This model only supports single tool-calls at once!",
		Fix:    "Take parallel calls apart: one call, its result, then the next.",
		Models: []string{"llama-3*"},
		For: []Evidence{
			{
				Kind:   Stated,
				Source: "https://github.com/ollama/ollama/blob/HEAD/template/index.json",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID:        "chat-template/system-first",
		Statement: "The Qwen 3.5 template takes a single system message, and only as the first.",
		Error:     "System message must be at the beginning.",
		Fix:       "Merge leading system messages into one and turn later ones into user text.",
		Status:    500,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/ZaxbyHub/opencode-swarm/issues/2749",
			},
			{
				Kind:   Stated,
				Source: "https://github.com/ollama/ollama/blob/HEAD/model/renderers/testdata/qwen38_chat_template.jinja",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID:        "chat-template/system-unsupported",
		Statement: "The Gemma 1 and 2 templates have no system role.",
		Error:     "System role not supported",
		Fix:       "Put the system text in front of the first user message.",
		For: []Evidence{
			{
				Kind:   Stated,
				Source: "https://github.com/ollama/ollama/blob/HEAD/llama/compat/llama-ollama-compat.cpp",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID: "chat-template/tool-without-call",
		Statement: "The templates of gpt-oss, MiniMax-M2 and others want a tool call before any " +
			"tool message.",
		Error: "Message has tool role, but there was no previous assistant message with a " +
			"tool call!",
		Fix: "Move the result to its call, and remove an orphan.",
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-04",
				Models: []string{"minimax-m2*"},
				Source: "https://github.com/osaurus-ai/osaurus/issues/891",
			},
			{
				Kind: Reported, Seen: "2026-01",
				Models: []string{"minimax-m2*"},
				Source: "https://github.com/AnkRoot/Augment-BYOK/issues/8",
			},
		},
		Cost: CostLoss,
	},
	{
		ID:        "chat-template/vllm-anthropic-blocks",
		Statement: "vLLM's Anthropic endpoint takes text, image, tool_use and tool_result blocks.",
		Error:     "Input should be 'text', 'image', 'tool_use' or 'tool_result'",
		Fix:       "Remove thinking and server-tool blocks before sending the history to vLLM.",
		Severity:  Varies,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-11",
				Source: "https://github.com/intel/llm-scaler/issues/341",
			},
		},
		Coverage: Unseen,
		Reason: "Newer versions take thinking blocks as well, and a body does not show the " +
			"version.",
	},
	{
		ID:        "chat-template/vllm-content-array",
		Statement: "Some servers take content as a string only.",
		Error:     "5006 … '/messages/0/content', 'array' not in 'string'",
		ErrorKind: Quoted,
		Fix:       "Join a list of text parts into one string.",
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Models: []string{"*deepseek-r1-distill-qwen-32b"},
				Hosts:  []string{"api.cloudflare.com"},
				Source: "https://github.com/decolua/9router/issues/4180",
			},
		},
		Against: []Evidence{
			{
				Kind: Reported, Seen: "2026-08",
				Models: []string{"*mistral-small-3.1-24b-instruct", "*llama-4-scout*", "*llama-3.3-70b*"},
				Hosts:  []string{"api.cloudflare.com"},
				Source: "https://github.com/diegosouzapw/OmniRoute/pull/12002",
				Note:   "texts in a list; a model for text alone refused them",
			},
		},
		Cost: CostPrefix,
	},
}
