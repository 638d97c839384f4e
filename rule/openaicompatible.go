package rule

// openaiCompatible holds the rules of other hosts that speak the OpenAI Chat format.
var openaiCompatible = []Rule{
	{ID: "openai-compatible/extra-content",
		Statement: "Gemini's OpenAI format hangs its thought signature on the tool call as " +
			"extra_content, a field that other hosts refuse.",
		Error: "Additional properties are not allowed ('extra_content' was unexpected)",
		Fix:   "Strip the field for every host but Gemini.",
		For: []Evidence{{Kind: Stated, Seen: "2026",
			Source: "https://ai.google.dev/gemini-api/docs/thought-signatures",
			Note:   "OpenAI compatibility"}}, Coverage: Unseen,
		Reason: "Only the host can tell: for a Gemini model that it serves the field is the " +
			"signature, which has to come back."},
	{ID: "openai-compatible/reasoning-fields",
		Statement: "Strict hosts refuse reasoning fields on replayed assistant messages, the " +
			"very fields that DeepSeek and Kimi demand. Cerebras takes reasoning, but not " +
			"reasoning_content.",
		Error: "messages.2.assistant.reasoning_content: property " +
			"'messages.2.assistant.reasoning_content' is unsupported",
		Fix: "Rename the field where the host takes one of them, and strip it where a host " +
			"refuses all.",
		For: []Evidence{{Kind: Reported, Seen: "2026-09", Hosts: []string{"api.cerebras.ai"},
			Source: "https://github.com/NousResearch/hermes-agent/issues/34716",
			Note:   "as reasoning_content"}},
		Against: []Evidence{
			{Kind: Recorded, Seen: "2026-11",
				Source: "https://github.com/0xPlaygrounds/rig/blob/HEAD/tests/cassettes/doubleword/conformance/streaming_structured_after_tool.yaml",
				Note:   "98 recordings, on eight hosts"},
			{Kind: Recorded, Seen: "2026-11", Models: []string{"gpt-oss-120b"},
				Hosts:  []string{"api.cerebras.ai"},
				Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_cerebras/test_cerebras_thinking_part_survives_multiturn.yaml",
				Note:   "as reasoning"},
		}, Cost: CostLoss,
		Sources: []string{"https://github.com/gsd-build/gsd-2/issues/4647",
			"https://github.com/plmbr/notebook-intelligence/pull/371",
			"https://github.com/anomalyco/opencode/issues/11446",
			"https://github.com/can1357/oh-my-pi/issues/1157"}, Coverage: Unseen,
		Reason: "Eight hosts were recorded to accept the fields and some models need them back. " +
			"The profiles of hosts that refuse them rename or strip them, as that of Cerebras " +
			"does."},
	{ID: "openai-compatible/union-of-limits",
		Statement: "With an unknown gateway only the intersection is safe: ids of 40 and names " +
			"of 64 plain characters, and content that is a string with something in it.",
		ErrorKind: Inferred,
		Fix: "Rewrite ids and names to those limits; nine letters or digits if the gateway may " +
			"choose Mistral.", Severity: Advises,
		For: []Evidence{{Kind: Guessed, Seen: "2025-04",
			Source: "https://github.com/Portkey-AI/gateway/issues/1062"}},
		Against: []Evidence{{Kind: Recorded, Seen: "2026-11",
			Source: "https://github.com/social-growth-studio/req_llm/blob/HEAD/test/support/fixtures/groq/moonshotai_kimi_k2_instruct/multi_tool.json",
			Note:   "ids like functions.add:0"}}, Cost: CostPrefix, Coverage: Unseen,
		Reason: "It is advice for unknown hosts, of which many were recorded to accept more; the " +
			"portable profile follows it."},
}
