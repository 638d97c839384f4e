package rule

// interactionsSDK has the types of the API: which members are required, and what each holds.
const interactionsSDK = "https://pkg.go.dev/google.golang.org/genai@v1.77.0/interactions"

// interactions holds the rules of Google's Interactions API for Gemini models. Few refusals of it
// are on record.
var interactions = []Rule{
	{ID: "gemini-interactions/required-members",
		Statement: "A function call has an id, a name and arguments, which are a JSON object; a " +
			"function result has the id of its call, and a result.", ErrorKind: Documented,
		Fix:  "Give a call without an id one, and write its arguments as an object.",
		For:  []Evidence{{Kind: Stated, Seen: "2026-11", Source: interactionsSDK}},
		Cost: CostPrefix},
	{ID: "gemini-interactions/result-media",
		Statement: "Models up to Gemini 2.5 take the result of a function as text, not as a list " +
			"of contents.",
		Error: "Multimodal function responses are not supported for this model", ErrorKind: Quoted,
		Fix:    "Write the texts as one, and move media after the results.",
		Models: []string{"gemini-2*"},
		For: []Evidence{{Kind: Reported, Seen: "2026-07", Models: []string{"gemini-2.5*"},
			Source: "https://github.com/allenhutchison/obsidian-gemini/blob/HEAD/src/api/providers/gemini/interactions-mapper.ts",
			Note:   "a comment on the form of results that 2.5 and 3 take"}}, Cost: CostPrefix},
	{ID: "gemini-interactions/result-missing",
		Statement: "Each function call of the model has a function result before the model goes " +
			"on.", ErrorKind: Documented,
		Fix: "Move the result to its call; answer the call with an error result, or remove it.",
		For: []Evidence{{Kind: Stated, Seen: "2026-11",
			Source: "https://ai.google.dev/gemini-api/docs/interactions/function-calling",
			Note:   "the function is run and its result sent with the id of the call"}},
		Cost: CostLoss},
	{ID: "gemini-interactions/result-orphan",
		Statement: "The call_id of a function result is the id of a call in the steps before it, " +
			"or in the interaction that the request continues.", ErrorKind: Documented,
		Fix: "Give the result the id of its call, or remove it.",
		For: []Evidence{{Kind: Stated, Seen: "2026-11", Source: interactionsSDK}}, Cost: CostLoss},
	{ID: "gemini-interactions/roles",
		Statement: "A step is the user's or the model's, and the role of a turn is user or " +
			"model. The system instruction is a text beside the input.", ErrorKind: Documented,
		Fix: "Move leading system messages to system_instruction, and write later ones as the " +
			"user's.",
		For: []Evidence{{Kind: Stated, Seen: "2026-11",
			Source: "https://ai.google.dev/api/interactions-api",
			Note:   "role: must be user for input or model for model output"}}, Cost: CostPrefix},
	{ID: "gemini-interactions/thought-signature-missing",
		Statement: "In a request that replays its history, Gemini 3 refuses a function call of " +
			"the open turn without a signed thought before it.", ErrorKind: Inferred,
		Fix: "Send the thought steps back as they came, with their signatures.", Severity: Varies,
		Models: []string{"gemini-3*"},
		For: []Evidence{
			{Kind: Reported, Seen: "2026-07", Models: []string{"gemini-3.6-flash"},
				Source: "https://github.com/allenhutchison/obsidian-gemini/pull/1269",
				Note:   "the signature of a streamed thought was lost"},
			{Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/AidenAI-IO/aiden-firmware/pull/699",
				Note:   "unsigned replayed calls are rejected outright"},
			{Kind: Reported, Seen: "2026-06",
				Models: []string{"gemini-2.5-flash", "gemini-3.5-flash"},
				Source: "https://github.com/googleapis/js-genai/issues/1735",
				Note:   "a thought with a summary and an empty signature, which the API had sent"},
		},
		Against: []Evidence{{Kind: Reported, Seen: "2026-07",
			Models: []string{"gemini-2.5-flash", "gemini-3.5-flash"},
			Source: "https://github.com/googleapis/js-genai/issues/1735",
			Note:   "the same request, after a change of the API"}}, Cost: CostLoss,
		Coverage: Unseen,
		Reason:   "Only the provider can sign a thought, and no stand-in for a signature is known."},
}
