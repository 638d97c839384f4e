package rule

// anthropic holds the rules of Anthropic Messages, also through Vertex AI, Bedrock InvokeModel and
// Foundry.
var anthropic = []Rule{
	{
		ID:       "anthropic/alternation",
		Provider: "anthropic",
		Statement: "Until 2024 user and assistant had to take strict turns. The API has since " +
			"joined neighbours of one role by itself.",
		Error: `messages: roles must alternate between "user" and "assistant", but found ` +
			`multiple "user" roles in a row`,
		ErrorKind: Verbatim,
		Fix: "Merge the neighbours into one message, with tool results in front. Where a " +
			"host still asks for it, a profile with NeighboursMerged has preflight do so.",
		Severity: Varies,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2024",
				Source: "https://github.com/anthropics/anthropic-sdk-typescript/issues/565",
			},
		},
		Against: []Evidence{
			{
				Kind: Recorded, Seen: "2026-11",
				Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/cassettes/test_tool_search/test_cross_provider_capability_replay%5Bopenai-responses-gpt-5.4-anthropic-claude-sonnet-4-5%5D.yaml",
				Note:   "26 recordings, on claude-3-5 to claude-opus-4-8",
			},
			{
				Kind: Stated, Seen: "2026-11",
				Source: "https://github.com/anthropics/anthropic-sdk-go/blob/v1.84.0/message.go",
				Note:   "consecutive turns of one role are combined",
			},
		},
		Cost:     CostPrefix,
		Coverage: Accepted,
		Reason: "Recordings show 26 such requests accepted, by models from claude-3-5 to " +
			"claude-opus-4-8.",
	},
	{
		ID:       "anthropic/assistant-must-end-on-tool-use",
		Provider: "anthropic",
		Statement: "Text after a tool call was refused once, where the conversation starts with " +
			"the call, and one project reported that it is taken for a prefill. Measurements on " +
			"five models contradict it.",
		Error: "This model does not support assistant message prefill. The conversation must " +
			"end with a user message.",
		ErrorKind: Quoted,
		Fix:       "Put the calls last, where a host asks for it.",
		Severity:  Varies,
		Status:    400,
		For: []Evidence{
			{
				Kind: Recorded, Seen: "2026-05",
				Models: []string{"claude-haiku-4-5*"},
				Source: "https://github.com/anomalyco/opencode/blob/678c40589f4c75ff88c139ee824ddb840908a912/packages/llm/test/fixtures/recordings/anthropic-messages/rejects-malformed-assistant-tool-order-without-patch.json",
				Note:   "the assistant speaks first; for want of a result",
			},
		},
		Cost:     CostPrefix,
		Coverage: Accepted,
		Reason: "Five models from claude-haiku-4-5 to claude-fable-5 were measured to accept " +
			"text after a call.",
	},
	{
		ID:        "anthropic/cache-control-empty-text",
		Provider:  "anthropic",
		Statement: "A cache breakpoint cannot sit on a text block that has no text.",
		Error:     "messages.0.content.1.text: cache_control cannot be set for empty text blocks",
		ErrorKind: Verbatim,
		Fix: "Drop the block and keep the breakpoint. preflight hands the marker to the " +
			"nearest earlier block that can carry it.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-05",
				Source: "https://github.com/anthropics/claude-code/issues/55302",
			},
		},
		Cost:     CostNothing,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/cache-control-max4",
		Provider: "anthropic",
		Statement: "One request carries at most four cache breakpoints, counted over tools, " +
			"system and messages together.",
		Error:     "A maximum of 4 blocks with cache_control may be provided. Found 5.",
		ErrorKind: Verbatim,
		Fix: "Remove the surplus. preflight keeps those on tools and system, then the " +
			"latest ones in the messages.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/griffinmartin/opencode-claude-auth/issues/121",
			},
		},
		Cost: CostLoss,
		Sources: []string{
			"https://github.com/tghamm/Anthropic.SDK/issues/50",
			"https://github.com/Wei-Shaw/sub2api/issues/176",
		},
		Coverage: Repaired,
	},
	{
		ID:        "anthropic/cache-control-on-thinking",
		Provider:  "anthropic",
		Statement: "Thinking and redacted thinking blocks take no cache breakpoint.",
		Error:     "messages.N.content.0.thinking.cache_control: Extra inputs are not permitted",
		ErrorKind: Verbatim,
		Fix: "Move the marker to a block that may hold one. preflight gives it to an " +
			"eligible neighbour and leaves the thinking itself alone.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-04",
				Models: []string{"claude-opus-4-6*"},
				Source: "https://github.com/LeenHawk/gproxy/issues/67",
			},
			{
				Kind: Reported, Seen: "2026-01",
				Source: "https://github.com/Wei-Shaw/sub2api/issues/225",
			},
		},
		Cost:     CostNothing,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/cache-control-ttl-order",
		Provider: "anthropic",
		Statement: "Read in the order tools, system, messages, every one-hour breakpoint comes " +
			"before the first five-minute one.",
		Error: "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control " +
			"block",
		ErrorKind: Reconstructed,
		Fix: "Bring the lifetimes into order. preflight shortens the one-hour marker that " +
			"comes too late to five minutes.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-11",
				Source: "https://platform.claude.com/docs/en/build-with-claude/prompt-caching",
				Note:   "as cited in https://github.com/spring-projects/spring-ai/issues/4325",
			},
			{
				Kind: Reported, Seen: "2026-08",
				Source: "https://github.com/headroomlabs-ai/headroom/issues/2939",
			},
		},
		Cost:     CostNothing,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/compaction-empty",
		Provider: "anthropic",
		Statement: "The summary in a compaction block is a text or null, and never the empty " +
			"string.",
		ErrorKind: Documented,
		Fix:       "Send null where there is no summary. preflight makes an empty one null.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-11",
				Source: "https://github.com/anthropics/anthropic-sdk-go/blob/v1.84.0/betamessage.go",
				Note:   "BetaCompactionBlockParam: 'Empty string content is not allowed'",
			},
		},
		Cost:     CostNothing,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/container-id-required",
		Provider: "anthropic",
		Statement: "While a tool call made from inside code execution is open, the request has " +
			"to name the container of the earlier response.",
		Error: "container_id is required when there are pending tool uses generated by code " +
			"execution with tools.",
		ErrorKind: Verbatim,
		Fix: "Keep the container id of each response and send it as the top-level " +
			"`container` of the next request. preflight cannot supply it.",
		Severity: Rejects,
		Status:   400,

		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-08",
				Source: "https://github.com/anthropics/anthropic-sdk-python/issues/1801",
			},
			{
				Kind: Reported, Seen: "2026-07",
				Models: []string{"claude-opus-4-8"},
				Source: "https://github.com/anthropics/anthropic-sdk-typescript/issues/1114",
			},
		},
		Coverage: Unseen,
		Reason:   "The id is in the earlier response only, not in the history.",
	},
	{
		ID:        "anthropic/container-without-tool",
		Provider:  "anthropic",
		Statement: "A request may name a container only if it declares the code execution tool.",
		Error:     "Container identifier can only be provided when using the code execution tool",
		ErrorKind: Verbatim,
		Fix: "Leave the field out. preflight removes `container` when no such tool is " +
			"declared.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Models: []string{"claude-opus-5"},
				Source: "https://github.com/mdfranz/sparktea/blob/2940745978f26074f222064f446c5fd322d105a2/ISSUES.md",
			},
		},
		Cost:     CostNothing,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/context-edit-needs-thinking",
		Provider: "anthropic",
		Statement: "A request that asks for thinking to be cleared from its history has to have " +
			"thinking enabled or adaptive itself.",
		Error: "`clear_thinking_20251015` strategy requires `thinking` to be enabled or " +
			"adaptive",
		ErrorKind: Verbatim,
		Fix:       "Leave the edit out of a request that does not think. preflight removes it.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-11",
				Source: "https://github.com/PostHog/posthog/pull/73838",
			},
		},
		Cost: CostNothing,
		Sources: []string{
			"https://github.com/anthropics/claude-code/issues/11971",
		},
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/document-title-chars",
		Provider: "anthropic",
		Statement: "A document title is limited to letters, digits, white space, hyphens, and " +
			"round or square brackets: a rule of Bedrock Converse that was taken for Anthropic's.",
		Error: "The document file name can only contain alphanumeric characters, whitespace " +
			"characters, hyphens, parentheses, and square brackets.",
		ErrorKind: Verbatim,
		Fix: "Rename the document for Converse, where preflight does so. The Messages API " +
			"takes any title.",
		Severity: Varies,
		Status:   400,
		For: []Evidence{
			{
				Kind:   Reported,
				Source: "https://github.com/charmbracelet/fantasy/blob/HEAD/providers/anthropic/sanitize.go",
				Note:   "the words are those of Bedrock Converse",
			},
		},
		Against: []Evidence{
			{
				Kind: Recorded, Seen: "2026-11",
				Models: []string{"claude-haiku-4-5*"},
				Source: "https://github.com/crmne/ruby_llm/blob/HEAD/spec/fixtures/vcr_cassettes/chat_citations_with_anthropic_claude-haiku-4-5_cites_pdf_documents_with_page_numbers.yml",
				Note:   `"sample.pdf", 4 recordings`,
			},
		},
		Cost: CostWords,
		Sources: []string{
			"https://github.com/vercel/ai/issues/20365",
		},
		Coverage: Accepted,
		Reason: "Recordings show titles such as \"sample.pdf\" accepted four times, and the " +
			"text is Converse's.",
	},
	{
		ID:       "anthropic/empty-message-content",
		Provider: "anthropic",
		Statement: "A user message without content is refused. For assistant messages the API " +
			"has grown lenient, and older models still accept an empty one only at the very end.",
		Error: "messages.N: all messages must have non-empty content except for the optional " +
			"final assistant message",
		ErrorKind: Verbatim,
		Fix: "Take the empty message out. preflight removes it, then repairs what its " +
			"removal changes in pairing and roles.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-08",
				Source: "https://github.com/anthropics/claude-code/issues/6774",
			},
		},
		Cost: CostPrefix,
		Sources: []string{
			"https://github.com/anthropics/claude-code/issues/3196",
			"https://github.com/corespeed-io/zypher-agent/pull/122",
		},
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/empty-text-block",
		Provider: "anthropic",
		Statement: "A text block must hold text, whatever its role and place; system prompts and " +
			"tool results are no exception.",
		Error:     "messages: text content blocks must be non-empty",
		ErrorKind: Verbatim,
		Fix: "Drop the block. preflight removes it, and the message too when nothing is " +
			"left in it.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/anthropics/claude-code/issues/59812",
			},
		},
		Cost: CostPrefix,
		Sources: []string{
			"https://github.com/stackblitz/bolt.new/issues/7426",
			"https://github.com/HKUDS/nanobot/pull/949",
		},
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/extra-inputs",
		Provider: "anthropic",
		Statement: "The request schema is closed: a field it does not know, at any depth, fails " +
			"the whole body.",
		Error:     "messages.0.content.0.text.cache_control: Extra inputs are not permitted",
		ErrorKind: Verbatim,
		Fix: "Send only fields of the wire format. preflight strips what a store or " +
			"another SDK left behind, such as ids, timestamps and usage.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-08",
				Source: "https://github.com/earendil-works/pi/issues/7938",
			},
			{
				Kind: Reported, Seen: "2025-07",
				Source: "https://github.com/anthropics/claude-code/issues/4378",
			},
		},
		Cost:     CostLoss,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/first-role-user",
		Provider: "anthropic",
		Statement: "A conversation opened with a user message once. The API now serves a leading " +
			"assistant message, too.",
		Error:     `messages: first message must use the "user" role`,
		ErrorKind: Verbatim,
		Fix: "Open with a user turn, where a host asks for it: a profile with Turns.UserFirst " +
			"has preflight insert a short placeholder in front and keep the assistant message.",
		Severity: Varies,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-06",
				Source: "https://github.com/NousResearch/hermes-agent/issues/52160",
				Note:   "refused in words about tool calls without results, and cured by a user turn",
			},
		},
		Against: []Evidence{
			{
				Kind: Recorded, Seen: "2026-11",
				Models: []string{"claude-sonnet-4-5*"},
				Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_anthropic/test_anthropic_model_empty_message_on_history.yaml",
				Note:   "4 recordings, on claude-haiku-4-5 to claude-opus-4-8",
			},
			{
				Kind: Recorded, Seen: "2026-11",
				Models: []string{"claude-sonnet-4-6*"},
				Source: "https://github.com/0xPlaygrounds/rig/blob/HEAD/tests/cassettes/anthropic/empty_end_turn/raw_followup_empty_end_turn_normalizes_to_empty_text_choice.yaml",
			},
		},
		Cost:     CostWords,
		Coverage: Accepted,
		Reason: "Recordings show it accepted by claude-haiku-4-5, claude-sonnet-4-5, " +
			"claude-sonnet-4-6 and claude-opus-4-8.",
	},
	{
		ID:        "anthropic/image-in-assistant",
		Provider:  "anthropic",
		Statement: "Images, documents and container uploads are refused in an assistant message.",
		Error:     "messages.1.content: 'image' blocks are not permitted within assistant turns",
		ErrorKind: Verbatim,
		Fix: "Show them from the user's side. preflight moves the block into a user turn right " +
			"after the message.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-04",
				Source: "https://github.com/SEMOSS/Semoss/issues/2323",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/image-media-type-mismatch",
		Provider: "anthropic",
		Statement: "The declared media type of an image has to be what its bytes say it is. " +
			"Models up to claude-3 took others, too.",
		Error: "messages.34.content.0.tool_result.content.1.image.source.base64: The image " +
			"was specified using the image/png media type, but the image appears to be a " +
			"image/jpeg image",
		ErrorKind: Verbatim,
		Fix: "Declare the real type. preflight reads the first bytes and corrects the " +
			"field; the image data stays as it is.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-06",
				Models: []string{"claude-opus-4-8"},
				Source: "https://github.com/vybestack/llxprt-code/issues/2130",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:        "anthropic/image-size",
		Provider:  "anthropic",
		Statement: "An encoded image has a byte limit of its own, 5 MB in the error on record.",
		Error: "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: " +
			"6291456 bytes > 5242880 bytes",
		ErrorKind: Verbatim,
		Fix: "Scale the image down before it enters the history, or put a line of text in " +
			"its place.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/ding113/claude-code-hub",
				Note:   "error rule 'image exceeds.*maximum.*bytes'",
			},
		},
		Coverage: Unseen,
		Reason: "The limit differs between hosts and changes, and a smaller image cannot be " +
			"made without a codec.",
	},
	{
		ID:       "anthropic/image-undecodable",
		Provider: "anthropic",
		Statement: "Inline image data is base64 of a PNG, JPEG, GIF or WebP file, and an inline " +
			"PDF document a PDF file.",
		Error:     "Could not process image",
		ErrorKind: Verbatim,
		Fix:       "Replace what is no picture and no PDF file by a line of text that says so.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-10",
				Source: "https://github.com/anthropics/claude-code/issues/53228",
			},
		},
		Cost: CostLoss,
		Sources: []string{
			"https://github.com/anthropics/claude-code/issues/56016",
			"https://github.com/anthropics/claude-code/issues/66167",
			"https://github.com/anthropics/claude-code/issues/42399",
			"https://github.com/anthropics/claude-code/issues/5174",
		},
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/lone-surrogate",
		Provider: "anthropic",
		Statement: "A JSON string that escapes half of a surrogate pair makes the entire body " +
			"unreadable for the server.",
		Error: "The request body is not valid JSON: no low surrogate in string: line 1 " +
			"column 247871 (char 247870)",
		ErrorKind: Verbatim,
		Fix: "Replace the half character with U+FFFD. preflight does so in the raw bytes, " +
			"where a decoder would hide it; signed thinking that holds one is removed whole.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-05",
				Source: "https://github.com/anthropics/claude-code/issues/60394",
			},
		},
		Cost:     CostLoss,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/many-image-dimension",
		Provider: "anthropic",
		Statement: "With more than twenty images in a request, no side of any of them may exceed " +
			"2000 pixels. Long sessions get there unnoticed.",
		Error: "messages.21.content.94.image.source.base64.data: At least one of the image " +
			"dimensions exceed max allowed size for many-image requests: 2000 pixels",
		ErrorKind: Verbatim,
		Fix:       "Let the oldest images go until twenty are left, or scale them down.",
		Severity:  Rejects,
		Status:    400,

		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/lidge-jun/opencodex/blob/HEAD/devlog/_fin/260706_anthropic-many-image-400/000_plan.md",
			},
			{
				Kind: Reported, Seen: "2026-04",
				Source: "https://github.com/Gitlawb/openclaude/pull/520",
			},
		},
		Coverage: Unseen,
		Reason: "The limits are about pixels and image counts over the whole request, and " +
			"which image to give up is the caller's choice.",
	},
	{
		ID:       "anthropic/mcp-tool-pairing",
		Provider: "anthropic",
		Statement: "A call to an MCP tool and its result belong to the same assistant message, " +
			"in pairs.",
		ErrorKind: Documented,
		Fix: "Complete or remove the pair. preflight treats it as a provider-executed " +
			"call: half a pair is removed, unless it is an open call at the very end.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind:   Reported,
				Source: "https://github.com/GOFATgraphics/quantum-ai-chatbot/blob/cb091052406b7507fd55720d6477829c8d4409b1/api/lib/serverToolPairing.test.mjs",
			},
		},
		Cost:     CostLoss,
		Coverage: Repaired,
	},
	{
		ID:        "anthropic/messages-empty",
		Provider:  "anthropic",
		Statement: "A request without any message is refused.",
		Error:     "messages: at least one message is required",
		ErrorKind: Verbatim,
		Fix:       "Add a user message. For an empty list preflight returns an error.",
		Severity:  Rejects,
		Status:    400,

		For: []Evidence{
			{
				Kind: Reported, Seen: "2025-06",
				Source: "https://github.com/langchain-ai/langchain/pull/31696",
			},
		},
		Coverage: Refused,
		Reason: "There is nothing to repair: whatever the library put there would be its own " +
			"words.",
	},
	{
		ID:        "anthropic/messages-max",
		Provider:  "anthropic",
		Statement: "A single request takes no more than 100,000 messages.",
		ErrorKind: Documented,
		Fix: "Compact the history. Package compact shortens one without splitting a tool " +
			"pair.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind:   Stated,
				Source: "https://github.com/anthropics/anthropic-sdk-go/blob/v1.84.0/message.go",
				Note:   "'There is a limit of 100,000 messages in a single request.'",
			},
		},
		Coverage: Unseen,
		Reason:   "It is a limit on size, and what to forget is the caller's decision.",
	},
	{
		ID:       "anthropic/output-only-blocks",
		Provider: "anthropic",
		Statement: "Blocks of other providers are not part of the input schema, and neither are " +
			"some that a response may contain, at least not without their beta header.",
		Error: "messages.N.content.0: Input tag 'fallback' found using 'type' does not match " +
			"any of the expected tags",
		ErrorKind: Verbatim,
		Fix: "Leave out on replay what is output only, as preflight does, and write blocks " +
			"of other providers in this API's form: preflight converts them, or writes text that " +
			"names their type. Unknown types stay.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/AstrBotDevs/AstrBot/issues/4444",
				Note:   "`image_url`",
			},
		},
		Cost:     CostLoss,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/pause-turn",
		Provider: "anthropic",
		Statement: "A paused turn is resumed by sending its assistant message back as the last " +
			"one, exactly as it came.",
		ErrorKind: Documented,
		Fix: "Append nothing to it. preflight leaves an open server call at the end of the " +
			"conversation alone, and removes one that something follows.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind:   Stated,
				Source: "https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons",
			},
		},
		Cost:     CostLoss,
		Coverage: Repaired,
		SeenAs:   "anthropic/server-tool-result-missing",
	},
	{
		ID:       "anthropic/prefill-unsupported",
		Provider: "anthropic",
		Statement: "From Opus 4.6 on, models no longer continue an assistant message: the last " +
			"message must be the user's. Up to 4.5 they do, unless extended thinking is on.",
		Error: "This model does not support assistant message prefill. The conversation must " +
			"end with a user message.",
		ErrorKind: Verbatim,
		Fix: "Close with a user turn. preflight appends a short one, or removes the " +
			"trailing message if told to; tool calls in it are answered first.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/cortexkit/magic-context/issues/511",
			},
		},
		Cost: CostWords,
		Sources: []string{
			"https://github.com/smallmain/vscode-unify-chat-provider/issues/249",
			"https://github.com/ericc-ch/copilot-api/pull/261",
			"https://platform.claude.com/docs/en/api/errors#prefill-not-supported",
			"https://github.com/anthropics/anthropic-sdk-go/blob/v1.84.0/betamessage.go",
			"https://github.com/vybestack/llxprt-code/pull/3695",
		},
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/redacted-thinking-data",
		Provider: "anthropic",
		Statement: "The payload of a redacted thinking block has to come back as the API issued " +
			"it.",
		Error:     "messages.N.content.M: Invalid `data` in `redacted_thinking` block",
		ErrorKind: Quoted,
		Fix:       "Drop the thinking of that turn. preflight recognizes only an empty payload.",
		Severity:  Rejects,
		Status:    400,

		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-06",
				Source: "https://github.com/microsoft/vscode/pull/320196",
			},
		},
		Coverage: Unseen,
		Reason:   "The payload is encrypted and can be judged by the server alone.",
	},
	{
		ID:        "anthropic/request-too-large",
		Provider:  "anthropic",
		Statement: "A body of more than 32 MB is turned away before anything in it is read.",
		Error:     "Request exceeds the maximum allowed number of bytes.",
		ErrorKind: Quoted,
		Fix:       "Shed the oldest media first, or compact the history.",
		Severity:  Rejects,
		Status:    413,
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-09",
				Source: "https://platform.claude.com/docs/en/api/errors",
			},
		},
		Coverage: Unseen,
		Reason: "The limit is on the bytes of the whole body, and what to shed is the " +
			"caller's choice.",
	},
	{
		ID:       "anthropic/server-tool-id-pattern",
		Provider: "anthropic",
		Statement: "The id of a server tool call is `srvtoolu_` and then letters, " +
			"digits and underscores.",
		Error: "***.content.2.server_tool_use.id: String should match pattern " +
			"'^srvtoolu_[a-zA-Z0-9_]+$'",
		ErrorKind: Verbatim,
		Fix: "Give call and result a legal id, or carry their content on as text. " +
			"preflight changes both sides together.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-06",
				Source: "https://github.com/ding113/claude-code-hub/issues/470",
			},
		},
		Cost: CostPrefix,
		Sources: []string{
			"https://github.com/BerriAI/litellm/pull/31672",
		},
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/server-tool-mixed-turn",
		Provider: "anthropic",
		Statement: "When a message leaves a server tool call open beside client calls, the reply " +
			"may hold tool results alone, and the server tool must still be declared.",
		Error: "`web_search` tool use with id `srvtoolu_01HxbWnMRmbWyMfUtJKC45rA` was found " +
			"without a corresponding `web_search_tool_result` block",
		ErrorKind: Verbatim,
		Fix: "Reply with the results alone, and add other text in a later turn. preflight " +
			"removes the open server tool call and keeps the reply.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-09",
				Source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools",
			},
		},
		Cost:     CostLoss,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/server-tool-result-missing",
		Provider: "anthropic",
		Statement: "A server tool call needs its result in the same assistant message; only at " +
			"the very end of the conversation may it stay open.",
		Error: "messages.1: `web_search` tool use with id `srvtoolu_XXXX` was found without " +
			"a corresponding `web_search_tool_result` block",
		ErrorKind: Verbatim,
		Fix: "Bring call and result together. preflight rejoins a split message, then " +
			"removes a call whose result is nowhere.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-01",
				Source: "https://github.com/vercel/ai/issues/11445",
			},
		},
		Cost:     CostLoss,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/server-tool-result-orphan",
		Provider: "anthropic",
		Statement: "The result of a server tool must come after its call, inside one assistant " +
			"message.",
		Error: "messages.7.content.0: unexpected `tool_use_id` found in " +
			"`advisor_tool_result` blocks: srvtoolu_XXXX. Each `advisor_tool_result` block must " +
			"have a corresponding `server_tool_use` block before it.",
		ErrorKind: Verbatim,
		Fix:       "Move it after its call. preflight removes it when there is no such call.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-08",
				Source: "https://github.com/anthropics/claude-code/issues/64383",
			},
		},
		Cost: CostLoss,
		Sources: []string{
			"https://github.com/anthropics/claude-code/issues/80439",
			"https://github.com/anthropics/claude-code/issues/84783",
		},
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/system-role-after",
		Provider: "anthropic",
		Statement: "A mid-conversation system message follows a user message, or an " +
			"assistant turn whose last block is a server tool result.",
		Error: "messages.2: role 'system' must follow a 'user' message or an 'assistant' " +
			"message ending in a server tool result; the directive-only form (content: [] with " +
			"output_config) is accepted at any position",
		ErrorKind: Verbatim,
		Fix: "Move it to such a place. Where there is none, preflight turns it into user " +
			"text in place.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-10",
				Source: "https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/system-role-before",
		Provider: "anthropic",
		Statement: "What follows a system message in mid-conversation is an assistant message, " +
			"or nothing at all. Neighbouring system messages count as one.",
		Error: "messages.1: role 'system' must precede an 'assistant' message or end the " +
			"array; the directive-only form (content: [] with output_config) is accepted at any " +
			"position",
		ErrorKind: Verbatim,
		Fix: "Let the model answer next. preflight turns the message into a user message " +
			"in place.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/anthropics/claude-code/issues/73821",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/system-role-content",
		Provider: "anthropic",
		Statement: "A system message in mid-conversation needs at least one block, and takes " +
			"text, tool additions and tool removals only.",
		Error:     "messages.1: system content must contain at least one block",
		ErrorKind: Quoted,
		Fix: "Keep it to text. preflight removes an empty one, and turns one with other " +
			"content into a user message.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/langchain-ai/langchain/pull/40758",
				Note:   "the documentation names text and tool changes only",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/system-role-leading",
		Provider: "anthropic",
		Statement: "The opening instructions have a field of their own; a system message cannot " +
			"be the first of the list.",
		Error: "messages.0: use the top-level 'system' parameter for the initial system " +
			"prompt; the directive-only form (content: [] with output_config) is accepted at any " +
			"position",
		ErrorKind: Verbatim,
		Fix: "Send them as the top-level `system`. preflight moves leading system messages " +
			"there.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-08",
				Models: []string{"claude-opus-5"},
				Source: "https://github.com/diegosouzapw/OmniRoute/pull/10457",
			},
		},
		Cost:     CostNothing,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/system-role-unsupported-model",
		Provider: "anthropic",
		Statement: "Models older than Opus 4.8 and Sonnet 5 take no system message among the " +
			"others.",
		Error:     "role 'system' is not supported on this model",
		ErrorKind: Verbatim,
		Fix: "Say it as the user. preflight turns the message into user text in place, so " +
			"that the prefix before it stays the same.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://docs.rs/gproxy-transform/2.6.1/src/gproxy_transform/transform/common/claude_mid_conv_system.rs.html",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/thinking-binding-prefix",
		Provider: "anthropic",
		Statement: "Since August 2026 newer models tie a thinking block to all that preceded it: " +
			"system prompt, tools and messages. An edit anywhere before a kept block invalidates " +
			"it; cache markers and other thinking do not count.",
		Error: "messages.1.content.0: Invalid `signature` in `thinking` block. The block is " +
			"bound to a different conversation. Remove the block, or set " +
			"`thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\". That setting " +
			"requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` " +
			"header. The `system` prompt differs from the one this block was created with.",
		ErrorKind: Verbatim,
		Fix: "Keep the history append-only, or send " +
			"`thinking.block_binding.prefix_mismatch_behavior` as `drop_block` with its beta " +
			"header. After an edit of its own, preflight drops the thinking on models that bind " +
			"it.",
		Severity: Rejects,
		Status:   400,
		Models: []string{
			"claude-opus-5-5*",
			"claude-sonnet-5-5*",
			"claude-haiku-5-5*",
			"claude-fable-5-1*",
			"claude-mythos-5-1*",
		},
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/anomalyco/opencode/issues/48637",
			},
		},
		Sources: []string{
			"https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/fix-bound-to-a-different-conversation.md",
			"https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-thinking-block-binding.md",
			"https://docs.litellm.ai/docs/providers/anthropic_preserved_thinking",
			"https://github.com/anthropics/anthropic-sdk-go/blob/v1.84.0/betamessage.go",
		},
		Coverage: Unseen,
		Reason:   "Which prefix produced the block is known to the server only.",
	},
	{
		ID:        "anthropic/thinking-disabled-final",
		Provider:  "anthropic",
		Statement: "With thinking off, the last assistant message must not carry thinking blocks.",
		Error: "messages.1.content.0: When thinking is disabled, an `assistant` message in " +
			"the final position cannot contain `thinking`. To use thinking blocks, enable " +
			"`thinking` in your request.",
		ErrorKind: Verbatim,
		Fix: "Strip them or switch thinking on. preflight removes them when the request " +
			"has it off.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2025-11",
				Source: "https://github.com/tailcallhq/forgecode/issues/1853",
			},
		},
		Cost:     CostLoss,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/thinking-empty",
		Provider: "anthropic",
		Statement: "A thinking block without text is refused, unless a signature shows that the " +
			"text was withheld on purpose.",
		Error:     "messages.N.content.M.thinking: each thinking block must contain thinking",
		ErrorKind: Verbatim,
		Fix: "Drop the block. preflight removes one that has neither text nor signature " +
			"and keeps a signed one.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/eclipse-theia/theia/issues/18044",
				Note:   "a gateway had taken the text",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/thinking-final-block",
		Provider: "anthropic",
		Statement: "Thinking cannot be the last thing said: the closing block of the final " +
			"assistant message has to be of another kind.",
		Error:     "messages.N: The final block in an assistant message cannot be `thinking`.",
		ErrorKind: Verbatim,
		Fix: "Let something follow it. preflight appends a short user turn, or strips the " +
			"last message when told to.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-08",
				Models: []string{"claude-haiku-4-5*"},
				Source: "https://github.com/router-for-me/CLIProxyAPI/issues/5321",
			},
			{
				Kind: Reported, Seen: "2026-04",
				Source: "https://github.com/NousResearch/hermes-agent/pull/13010",
			},
		},
		Cost:     CostWords,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/thinking-modified",
		Provider: "anthropic",
		Statement: "The thinking of the latest assistant turn has to come back complete, in " +
			"order and to the byte.",
		Error: "messages.N.content.M: `thinking` or `redacted_thinking` blocks in the latest " +
			"assistant message cannot be modified. These blocks must remain as they were in the " +
			"original response.",
		ErrorKind: Verbatim,
		Fix: "Restore the stored blocks, or remove all thinking of that turn and switch it " +
			"off for the request. preflight never edits a thinking block itself.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-06",
				Source: "https://github.com/anthropics/claude-code/issues/63404",
			},
		},
		Sources: []string{
			"https://github.com/anthropics/claude-code/issues/19539",
			"https://github.com/anthropics/claude-code/issues/25361",
			"https://github.com/vybestack/llxprt-code/issues/1653",
		},
		Coverage: Unseen,
		Reason: "The original blocks are known only to the server; an edited copy looks like " +
			"any other.",
	},
	{
		ID:       "anthropic/thinking-must-lead",
		Provider: "anthropic",
		Statement: "With a thinking budget set, the assistant turn that made the latest tool " +
			"calls has to begin with its thinking block. Adaptive models do not ask for it.",
		Error: "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but " +
			"found `tool_use`. When `thinking` is enabled, a final `assistant` message must " +
			"start with a thinking block (preceeding the lastmost set of `tool_use` and " +
			"`tool_result` blocks). We recommend you include thinking blocks from previous " +
			"turns. To avoid this requirement, disable `thinking`. Please consult our " +
			"documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking",
		ErrorKind: Verbatim,
		Fix: "Put the stored block back in front. When it is lost, preflight switches " +
			"thinking off for this request; it never makes one up.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-01",
				Source: "https://github.com/anomalyco/opencode/issues/3077",
			},
		},
		Cost: CostLoss,
		Sources: []string{
			"https://github.com/mastra-ai/mastra/issues/7799",
			"https://github.com/Kilo-Org/kilocode/issues/5219",
			"https://github.com/deepset-ai/haystack-core-integrations/issues/2146",
		},
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/thinking-order-in-message",
		Provider: "anthropic",
		Statement: "With a thinking budget set, thinking comes first in its turn; a text block " +
			"ahead of it is refused. Messages of the assistant in a row are one turn. Other modes " +
			"accept it.",
		Error: "messages.1.content.0: If an assistant message contains any thinking blocks, " +
			"the first block must be `thinking` or `redacted_thinking`. Found `text`.",
		ErrorKind: Verbatim,
		Fix: "Restore the order in which the blocks arrived. preflight moves the thinking " +
			"to the front of its turn, unchanged.",
		Severity: Varies,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-01",
				Source: "https://github.com/anthropics/claude-code/issues/20705",
			},
			{
				Kind: Reported, Seen: "2025-10",
				Models: []string{"claude-sonnet-4-5*"},
				Source: "https://github.com/OpenHands/software-agent-sdk/issues/738",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/thinking-signature-invalid",
		Provider: "anthropic",
		Statement: "Each replayed thinking block is verified: a signature from another vendor, " +
			"gateway or account, or one put on foreign text, fails.",
		Error:     "messages.N.content.M: Invalid `signature` in `thinking` block",
		ErrorKind: Verbatim,
		Fix: "Replay thinking only to the provider that wrote it. preflight drops a " +
			"signature outside the base64 alphabet as foreign; a well-formed forgery passes.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/ding113/claude-code-hub/issues/518",
			},
		},
		Sources: []string{
			"https://github.com/lbjlaq/Antigravity-Manager/issues/498",
			"https://github.com/code-yeongyu/oh-my-openagent/issues/2775",
			"https://github.com/kaitranntt/ccs/issues/415",
		},
		Coverage: Unseen,
		Reason:   "Verification takes the provider's key.",
	},
	{
		ID:        "anthropic/thinking-signature-required",
		Provider:  "anthropic",
		Statement: "Thinking without a signature cannot be replayed.",
		Error:     "messages.N.content.M.thinking.signature: Field required",
		ErrorKind: Verbatim,
		Fix:       "Remove the block or carry it on as text. preflight drops unsigned thinking.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-01",
				Source: "https://github.com/lbjlaq/Antigravity-Manager/blob/HEAD/README.md",
			},
		},
		Cost:     CostLoss,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/tool-name-pattern",
		Provider: "anthropic",
		Statement: "A declared tool has a name of at most 128 letters, digits, underscores and " +
			"hyphens; until mid-2025 the limit was 64.",
		Error:     "tools.7.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
		ErrorKind: Verbatim,
		Fix: "Rename the tool. preflight rewrites the name in the declaration and in the " +
			"history alike, without collisions.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2025-08",
				Source: "https://github.com/apify/tester-mcp-client/issues/11",
			},
		},
		Cost: CostPrefix,
		Sources: []string{
			"https://github.com/aws/aws-sdk-js-v3/issues/7287",
		},
		Coverage: Repaired,
	},
	{
		ID:        "anthropic/tool-names-unique",
		Provider:  "anthropic",
		Statement: "No two declared tools share a name.",
		Error:     "tools: Tool names must be unique.",
		ErrorKind: Quoted,
		Fix:       "Keep one of them. preflight removes the later declaration.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-05",
				Source: "https://github.com/danny-avila/LibreChat/issues/13162",
			},
			{
				Kind: Reported, Seen: "2026-03",
				Source: "https://github.com/onyx-dot-app/onyx/issues/9229",
			},
		},
		Cost:     CostLoss,
		Coverage: Repaired,
	},
	{
		ID:        "anthropic/tool-result-duplicate",
		Provider:  "anthropic",
		Statement: "A tool call has one result; a second block with the same id is refused.",
		Error: "each tool_use must have a single result. Found multiple `tool_result` blocks " +
			"with id: toolu_XXXX",
		ErrorKind: Verbatim,
		Fix: "Decide on one. preflight drops an identical copy and resolves a different one " +
			"by policy; by default it merges them.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind:   Reported,
				Source: "https://github.com/can1357/oh-my-pi/blob/HEAD/packages/ai/test/duplicate-tool-results.test.ts",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:        "anthropic/tool-result-error-empty",
		Provider:  "anthropic",
		Statement: "A tool result marked as an error has to say something.",
		Error: "messages.N.content.M.tool_result: content cannot be empty if `is_error` is " +
			"true",
		ErrorKind: Quoted,
		Fix:       "Put a word in it. preflight fills in a short text.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2025-07",
				Source: "https://github.com/bytedance/trae-agent/issues/230",
			},
			{
				Kind: Reported, Seen: "2026-02",
				Source: "https://github.com/jlevy/markform/issues/153",
				Note:   "Claude Haiku 4.5 and Sonnet 4.5",
			},
			{
				Kind: Reported, Seen: "2026-06",
				Source: "https://github.com/can1357/oh-my-pi/pull/2250",
			},
		},
		Cost:     CostWords,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/tool-result-first",
		Provider: "anthropic",
		Statement: "In the turn that answers a call, results come ahead of everything else; text " +
			"can only follow them.",
		Error: "messages.N: `tool_use` ids were found without `tool_result` blocks " +
			"immediately after: toolu_XXXX. Each `tool_use` block must have a corresponding " +
			"`tool_result` block in the next message.",
		ErrorKind: Verbatim,
		Fix: "Reorder the turn. preflight brings the results to the front and keeps the " +
			"order of the rest.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-07",
				Source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:        "anthropic/tool-result-in-assistant",
		Provider:  "anthropic",
		Statement: "Tool results are the user's to give; an assistant message cannot hold one.",
		Error:     "messages.1: `tool_result` blocks can only be in `user` messages",
		ErrorKind: Verbatim,
		Fix:       "Hand it over. preflight moves the result into the user turn that follows.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Stated, Seen: "2025-11",
				Source: "https://github.com/patrickcarmichael/claude-docs/blob/HEAD/docs/ai-platforms/anthropic/formatted/388-handling-tool-use-and-tool-result-content-blocks.md",
				Note:   "a copy of the documentation",
			},
			{
				Kind: Reported, Seen: "2025-04",
				Source: "https://github.com/mark3labs/mcphost/pull/34",
				Note:   "results in a message that is not the user's",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/tool-result-missing",
		Provider: "anthropic",
		Statement: "Each tool call is answered by the unbroken run of results that opens the " +
			"user side after it. The run may span several user messages, any other block ends " +
			"it, and a call in the last message counts as unanswered.",
		Error: "messages.N: `tool_use` ids were found without `tool_result` blocks " +
			"immediately after: toolu_XXXX. Each `tool_use` block must have a corresponding " +
			"`tool_result` block in the next message.",
		ErrorKind: Verbatim,
		Fix: "Supply the answer or take the call back. preflight first looks for a " +
			"displaced result and moves it, then removes the dangling call or answers it with an " +
			"error result, by policy.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-03",
				Source: "https://github.com/vercel/ai/issues/13013",
				Note:   "the call is before a web search of its message",
			},
			{
				Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/anthropics/claude-code/issues/1237",
			},
		},
		Cost: CostLoss,
		Sources: []string{
			"https://github.com/anthropics/claude-code/issues/5989",
			"https://github.com/Kilo-Org/kilocode/issues/5163",
		},
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/tool-result-orphan",
		Provider: "anthropic",
		Statement: "A tool result is accepted only where the assistant turn directly before it " +
			"made that call.",
		Error: "messages.N.content.M: unexpected `tool_use_id` found in `tool_result` " +
			"blocks: toolu_XXXX. Each `tool_result` block must have a corresponding `tool_use` " +
			"block in the previous message.",
		ErrorKind: Verbatim,
		Fix: "Bring it to its call. preflight moves a displaced result, and removes a true " +
			"orphan or keeps it as text, by policy.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-08",
				Source: "https://github.com/anthropics/claude-code/issues/13460",
			},
		},
		Cost: CostLoss,
		Sources: []string{
			"https://github.com/router-for-me/CLIProxyAPI/issues/497",
			"https://github.com/tghamm/Anthropic.SDK/issues/184",
			"https://github.com/decocms/studio/issues/1803",
		},
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/tool-use-id-duplicate",
		Provider: "anthropic",
		Statement: "A tool call id occurs once in the whole request, however far apart the calls " +
			"are.",
		Error:     "messages: `tool_use` ids must be unique",
		ErrorKind: Verbatim,
		Fix:       "Rename the later one. preflight gives it and its result a new stable id.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/anthropics/claude-code/issues/20901",
			},
		},
		Against: []Evidence{
			{
				Kind: Recorded, Seen: "2026-08",
				Models: []string{"claude-sonnet-4-5*"},
				Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/cassettes/test_tool_search/test_cross_provider_capability_replay%5Bgoogle-gemini-3-flash-preview-anthropic-claude-sonnet-4-5%5D.yaml",
				Note:   "one id in two rounds",
			},
		},
		Cost: CostPrefix,
		Sources: []string{
			"https://github.com/anthropics/claude-code/issues/20508",
		},
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/tool-use-id-pattern",
		Provider: "anthropic",
		Statement: "A tool call id consists of letters, digits, underscores and hyphens, on the " +
			"call and on its result.",
		Error: "messages.1.content.1.tool_use.id: String should match pattern " +
			"'^[a-zA-Z0-9_-]+$'",
		ErrorKind: Verbatim,
		Fix: "Rewrite the id on both sides. preflight maps it to a stable legal one that " +
			"collides with no other.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-06",
				Source: "https://github.com/CommandCodeAI/command-code/issues/323",
			},
		},
		Cost: CostPrefix,
		Sources: []string{
			"https://github.com/BlockRunAI/ClawRouter/issues/17",
			"https://github.com/tailcallhq/forgecode/issues/1142",
			"https://github.com/RooCodeInc/Roo-Code/pull/10649",
			"https://github.com/HKUDS/nanobot/pull/4356",
		},
		Coverage: Repaired,
	},
	{
		ID:        "anthropic/tool-use-in-user",
		Provider:  "anthropic",
		Statement: "A tool call is the assistant's to make; a user message cannot hold one.",
		Error:     "messages.0: `tool_use` blocks can only be in `assistant` messages",
		ErrorKind: Verbatim,
		Fix: "Give it back to the assistant. preflight moves the call into an assistant " +
			"message and pairs it there.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind:   Reported,
				Source: "https://github.com/microsoft/agent-framework/issues/4328",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/tool-use-input-object",
		Provider: "anthropic",
		Statement: "The input of a tool call is a JSON object, and neither a string nor null nor " +
			"a list.",
		Error:     "messages.N.content.M.tool_use.input: Input should be a valid dictionary",
		ErrorKind: Quoted,
		Fix: "Make it one. preflight decodes an object that was encoded twice and wraps " +
			"anything else, so that what was there survives.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-03",
				Source: "https://github.com/lijunzh/koda/issues/501",
			},
			{
				Kind: Reported, Seen: "2025-10",
				Source: "https://github.com/prism-php/prism/issues/659",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/tool-use-name-length",
		Provider: "anthropic",
		Statement: "A tool call in the history has a name of 1 to 200 characters, whether or not " +
			"such a tool exists.",
		Error:     "messages.N.content.M.tool_use.name: String should have at most 200 characters",
		ErrorKind: Verbatim,
		Fix: "Shorten the name, or supply one. preflight does both and leaves the pair in " +
			"place.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-02",
				Source: "https://github.com/openclaw/openclaw/issues/7974",
			},
			{
				Kind: Reported, Seen: "2025-06",
				Source: "https://github.com/anthropics/claude-code/issues/2673",
			},
		},
		Cost:     CostWords,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/tools-required",
		Provider: "anthropic",
		Statement: "A history with tool blocks needs the tools declared, on Bedrock and at " +
			"converting gateways. Anthropic's own API has accepted it without since early 2025.",
		Error:     "Requests which include `tool_use` or `tool_result` blocks must define tools.",
		ErrorKind: Verbatim,
		Fix: "Declare them. For Bedrock, preflight adds a minimal declaration for every " +
			"tool name that occurs in the history.",
		Severity: Varies,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Hosts:  []string{"bedrock-runtime.*.amazonaws.com"},
				Source: "https://github.com/BerriAI/litellm/issues/6007",
			},
		},
		Against: []Evidence{
			{
				Kind: Recorded, Seen: "2026-11",
				Models: []string{"claude-sonnet-4-6*"},
				Hosts:  []string{"api.anthropic.com"},
				Source: "https://github.com/0xPlaygrounds/rig/blob/HEAD/tests/cassettes/anthropic/empty_end_turn/raw_followup_empty_end_turn_normalizes_to_empty_text_choice.yaml",
			},
			{
				Kind: Stated, Seen: "2025-02",
				Hosts:  []string{"api.anthropic.com"},
				Source: "https://github.com/anthropics/anthropic-sdk-python/issues/849",
				Note:   "the words of Anthropic's staff",
			},
		},
		Cost:     CostWords,
		Coverage: Accepted,
		Reason: "Recordings show it accepted twice, and Anthropic's staff says so; the " +
			"dialect of Bedrock repairs it.",
	},
	{
		ID:        "anthropic/trailing-whitespace",
		Provider:  "anthropic",
		Statement: "A prefill, where the model still takes one, cannot end in white space.",
		Error:     "messages: final assistant content cannot end with trailing whitespace",
		ErrorKind: Verbatim,
		Fix:       "Trim it. preflight cuts the end of that one text block and nothing else.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2025-12",
				Source: "https://github.com/tailcallhq/forgecode/issues/1872",
			},
		},
		Cost: CostNothing,
		Sources: []string{
			"https://github.com/anomalyco/opencode/issues/1295",
			"https://github.com/aaif-goose/goose/pull/5967",
			"https://github.com/tghamm/Anthropic.SDK/pull/137",
		},
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/web-search-encrypted-content",
		Provider: "anthropic",
		Statement: "Search results come with an encrypted blob that must be sent back untouched; " +
			"emptied, replaced or issued to another account, it is refused.",
		Error:     "messages.N.content.M: Invalid `encrypted_content` in `search_result` block",
		ErrorKind: Verbatim,
		Fix: "Keep the blob, or give up the block. preflight turns a search whose blob is " +
			"missing into text, call and result together.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/code-yeongyu/senpi/pull/150",
			},
		},
		Cost:     CostLoss,
		Coverage: Repaired,
	},
	{
		ID:       "anthropic/whitespace-text-block",
		Provider: "anthropic",
		Statement: "White space alone does not make a text block of the user's, nor an assistant " +
			"message, nor the only text of one that holds calls of server tools and no others. " +
			"Beside other content of an assistant message it is accepted: the API answers in " +
			"that form itself.",
		Error:     "messages: text content blocks must contain non-whitespace text",
		ErrorKind: Verbatim,
		Fix: "Treat it as empty. preflight drops the block, except beside other content of " +
			"an assistant message, and never pads an empty one with a space.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/LibreChat-AI/agents/pull/124",
				Note: "where the message has no other text; a table measured live, and the " +
					"answer of a web search whose only text is blank",
			},
			{
				Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/home-assistant/core/issues/175637",
				Note:   "in a user message",
			},
		},
		Cost: CostPrefix,
		Sources: []string{
			"https://github.com/anomalyco/opencode/pull/3194",
			"https://github.com/anomalyco/opencode/issues/31259",
			"https://github.com/nick1udwig/kibitz/issues/78",
			"https://github.com/simonw/llm-anthropic/blob/HEAD/tests/cassettes/test_anthropic/test_tools.yaml",
		},
		Coverage: Repaired,
	},
}
