package rule

// mistral holds the rules of Mistral, hosted and self-hosted.
var mistral = []Rule{
	{
		ID: "mistral/assistant-empty",
		Statement: "An assistant message has content or tool calls. The hosted API checks it; " +
			"the open validator checks it up to version 3 only.",
		Error: "Assistant message must have either content or tool_calls, but not none.",
		Fix:   "Remove the empty message.",
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-08",
				Source: "https://github.com/mistralai/mistral-common/blob/bc022b91/src/mistral_common/protocol/instruct/validator.py",
				Note:   "older: '... either content or tool_calls, but not both.'",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID: "mistral/call-result-count",
		Statement: "Before the assistant speaks again there are as many tool messages as there " +
			"were tool calls; from tokenizer version 13 on their ids are compared as well.",
		Error: "Not the same number of function calls and responses",
		Fix:   "Move displaced results to their calls; remove a dangling call or answer it.",
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-10",
				Source: "https://github.com/mistralai/mistral-common/blob/bc022b91/src/mistral_common/protocol/instruct/validator.py",
			},
		},
		Cost: CostLoss,
	},
	{
		ID: "mistral/content-chunk-types",
		Statement: "What a message may hold depends on its role and on the tokenizer version: " +
			"before version 15, for one, images are the user's alone. The API takes images in results.",
		Error: "Unexpected content chunk types in tool message: ['ImageURLChunk']",
		Fix: "Move images to a user message, and drop thinking from messages that are not " +
			"the assistant's.",
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-07",
				Source: "https://github.com/mistralai/mistral-common/blob/bc022b91/src/mistral_common/protocol/instruct/validator.py",
			},
		},
		Cost: CostLoss,
		Sources: []string{ // the API takes an image in a tool message
			"https://github.com/crmne/ruby_llm/blob/162a7aa1/spec/fixtures/vcr_cassettes/chat_content_object_support_mistral_mistral-small-latest_preserves_content_objects_returned_from_tools.yml",
		},
	},
	{
		ID: "mistral/conversations-pending",
		Statement: "In the Conversations API the results of all open function calls come before " +
			"any other input.",
		Error: "Cannot append other inputs while function results are still missing. Provide " +
			"function results first for: ['rXo8OuL9G']",
		Fix: "Send the missing function results first.",
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-11",
				Source: "https://github.com/SnarfNL/HA_MistralAI/issues/21",
			},
		},
		Coverage: Unseen,
		Reason:   "The rule concerns the Conversations API, whose history the server holds.",
	},
	{
		ID:        "mistral/duplicate-result-id",
		Statement: "Neither two results nor two calls of one turn share an id.",
		Error:     "Duplicate tool call id abcDEF123 in tool results",
		Fix:       "Drop an identical result, and rename a call that is a different one.",
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-07",
				Source: "https://github.com/mistralai/mistral-common/blob/bc022b91/src/mistral_common/protocol/instruct/validator.py",
				Note:   "also 'Duplicate tool call id X in assistant message'",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID: "mistral/function-name",
		Statement: "A function name has at most 64 letters, digits, underscores and hyphens, in " +
			"declarations, calls and results.",
		Error: "Function name was a.b but must be a-z, A-Z, 0-9, or contain underscores and " +
			"dashes, with a maximum length of 64.",
		Fix: "Rename it everywhere by one mapping.",
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-07",
				Source: "https://github.com/mistralai/mistral-common/blob/bc022b91/src/mistral_common/protocol/instruct/validator.py",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID: "mistral/last-role",
		Statement: "The last message is the user's or a tool's, or an assistant message marked " +
			"as a prefix.",
		Error: "Expected last role User or Tool (or Assistant with prefix True) for serving " +
			"but got assistant",
		Fix: "Append a user turn, or set the prefix mark when the text is meant to be " +
			"continued.",
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-10",
				Source: "https://github.com/mistralai/mistral-common/blob/bc022b91/src/mistral_common/protocol/instruct/validator.py",
				Note: "newer text: '... (or Assistant with prefix or " +
					"continue_final_message set to True) ...'",
			},
		},
		Cost: CostWords,
	},
	{
		ID:        "mistral/media-disabled",
		Statement: "Audio is for the models named Voxtral, which read no images.",
		Error:     "Audio input is not enabled for this model",
		Fix:       "Replace the media by a line of text that describes it.",
		For: []Evidence{
			{
				Kind: Recorded, Seen: "2026-08",
				Models: []string{"ministral*", "mistral-large*", "mistral-medium*", "mistral-small*"},
				Source: "https://github.com/maruel/genai/blob/HEAD/providers/mistral/testdata/TestClient/Scoreboard/ministral-14b-2512/GenStreamMultiModal-Audio-aac-Inline.yaml",
			},
			{
				Kind: Recorded, Seen: "2026-08",
				Models: []string{"voxtral*"},
				Source: "https://github.com/maruel/genai/blob/HEAD/providers/mistral/testdata/TestClient/Scoreboard/voxtral-small-latest/GenStreamMultiModal-Image-jpg-Inline.yaml",
			},
		},
		Cost: CostLoss,
	},
	{
		ID: "mistral/messages-empty",
		Statement: "A conversation has a message, and if it has only one, it is the user's or " +
			"the system's.",
		Error: "Conversation must have at least one message",
		Fix:   "Add a user message; out of nothing a sanitizer can only return an error.",
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-07",
				Source: "https://github.com/mistralai/mistral-common/blob/bc022b91/src/mistral_common/protocol/instruct/validator.py",
				Note: "also 'Conversation must start with a user message or system " +
					"message'",
			},
		},
		Coverage: Refused,
		Reason:   "Nothing can be made of a history without messages.",
	},
	{
		ID: "mistral/order-after-tool",
		Statement: "After a tool message older and self-hosted versions expect the assistant, " +
			"while the hosted API by now lets the user speak.",
		Error:    "Unexpected role 'user' after role 'tool'",
		Fix:      "Put a short assistant message between the two where the host needs it.",
		Severity: Varies,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-04",
				Models: []string{"mistral-medium*", "devstral-medium*"},
				Source: "https://github.com/zed-industries/zed/issues/37021",
			},
			{
				Kind: Reported, Seen: "2026-04",
				Hosts:  []string{"vllm"},
				Source: "https://github.com/mistralai/mistral-vibe/issues/578",
			},
			{
				Kind: Reported, Seen: "2026-05",
				Hosts:  []string{"integrate.api.nvidia.com"},
				Source: "https://github.com/NousResearch/hermes-agent/issues/20154",
			},
		},
		Against: []Evidence{
			{
				Kind: Recorded, Seen: "2026-08",
				Models: []string{"ministral-3b*", "mistral-small*"},
				Source: "https://github.com/0xPlaygrounds/rig/blob/HEAD/tests/cassettes/mistral/history_roundtrip_matrix/streaming_ministral_3b_normalized_parallel_tool.yaml",
				Note:   "11 recordings",
			},
		},
		Cost: CostWords,
		Sources: []string{
			"https://github.com/mistralai/mistral-common/blob/bc022b91/src/mistral_common/protocol/instruct/validator.py",
		},
		Coverage: Unseen,
		Reason: "Mistral was recorded to accept it, so no turn is invented; the profile for " +
			"chat templates of self-hosted models is the strict one.",
	},
	{
		ID:        "mistral/order-system",
		Statement: "In the open validator a system message cannot follow the assistant or a tool.",
		Error:     "Unexpected role 'system' after role 'assistant'",
		Fix:       "Let the user say it: its text joins the user turn that follows.",
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-07",
				Source: "https://github.com/mistralai/mistral-common/blob/bc022b91/src/mistral_common/protocol/instruct/validator.py",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID:        "mistral/order-tool-after-user",
		Statement: "A tool message cannot follow a user or system message.",
		Error:     "Unexpected role 'tool' after role 'user'",
		Fix:       "Move the result to its call, and remove an orphan.",
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-07",
				Source: "https://github.com/mistralai/mistral-common/blob/bc022b91/src/mistral_common/protocol/instruct/validator.py",
			},
		},
		Cost: CostLoss,
	},
	{
		ID:        "mistral/prefix-not-last",
		Statement: "Only the last message can be marked as a prefix.",
		Error:     "Assistant message with prefix True must be last message",
		Fix:       "Clear the mark on the others.",
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-07",
				Source: "https://github.com/mistralai/mistral-common/blob/bc022b91/src/mistral_common/protocol/instruct/validator.py",
			},
		},
		Cost: CostNothing,
	},
	{
		ID:        "mistral/system-null",
		Statement: "A system message cannot have null content.",
		Error:     "System prompt must have content",
		Fix:       "Remove the message.",
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-07",
				Source: "https://github.com/mistralai/mistral-common/blob/bc022b91/src/mistral_common/protocol/instruct/validator.py",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID: "mistral/tool-call-id",
		Statement: "A tool call id is nine letters or digits for the open validator and its " +
			"hosts; the hosted API has been seen to take others.",
		Error:    "Tool call id was call_abc123 but must be a-z, A-Z, 0-9, with a length of 9.",
		Fix:      "Map every id to nine stable characters, on both sides, without collisions.",
		Severity: Varies,
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-07",
				Source: "https://github.com/mistralai/mistral-common/blob/bc022b91/src/mistral_common/protocol/instruct/validator.py",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID: "mistral/unexpected-result-id",
		Statement: "From tokenizer version 13 on a tool message has to answer one of the open " +
			"calls.",
		Error: "Unexpected tool call id Wr0ngId99 in tool results",
		Fix:   "Remove the orphan, or keep it as user text.",
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-10",
				Source: "https://github.com/mistralai/mistral-common/blob/bc022b91/src/mistral_common/protocol/instruct/validator.py",
			},
		},
		Cost: CostLoss,
	},
	{
		ID:        "mistral/unknown-fields",
		Statement: "Message fields that the hosted API does not know are refused, with status 422.",
		Error: `{"detail":[{"type":"extra_forbidden","loc":["body","messages",2,"assistant",` +
			`"reasoning_content"],"msg":"Extra inputs are not permitted"}]}`,
		Fix:    "Strip what other hosts add, reasoning_content above all.",
		Status: 422,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026",
				Source: "https://github.com/BerriAI/litellm/issues/30835",
			},
		},
		Cost: CostLoss,
	},
}
