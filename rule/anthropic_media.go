package rule

// anthropicMedia holds the rules of images and documents in Anthropic Messages.
var anthropicMedia = []Rule{
	{ID: "anthropic/document-title-chars",
		Statement: "A document title is limited to letters, digits, white space, hyphens, and " +
			"round or square brackets: a rule of Bedrock Converse that was taken for Anthropic's.",
		Error: "The document file name can only contain alphanumeric characters, whitespace " +
			"characters, hyphens, parentheses, and square brackets.",
		Fix: "Rename the document for Converse, where preflight does so. The Messages API takes " +
			"any title.", Severity: Varies,
		For: []Evidence{{Kind: Reported,
			Source: "https://github.com/charmbracelet/fantasy/blob/HEAD/providers/anthropic/sanitize.go",
			Note:   "the words are those of Bedrock Converse"}},
		Against: []Evidence{{Kind: Recorded, Seen: "2026-11",
			Models: []string{"claude-haiku-4-5*"},
			Source: "https://github.com/crmne/ruby_llm/blob/HEAD/spec/fixtures/vcr_cassettes/chat_citations_with_anthropic_claude-haiku-4-5_cites_pdf_documents_with_page_numbers.yml",
			Note:   `"sample.pdf", 4 recordings`}}, Cost: CostWords,
		Sources: []string{"https://github.com/vercel/ai/issues/20365"}, Coverage: Accepted,
		Reason: `Recordings show titles such as "sample.pdf" accepted four times, and the text ` +
			"is Converse's."},
	{ID: "anthropic/image-in-assistant",
		Statement: "Images, documents and container uploads are refused in an assistant message.",
		Error:     "messages.1.content: 'image' blocks are not permitted within assistant turns",
		Fix: "Show them from the user's side. preflight moves the block into a user turn right " +
			"after the message.",
		For: []Evidence{{Kind: Reported, Seen: "2026-04",
			Source: "https://github.com/SEMOSS/Semoss/issues/2323"}}, Cost: CostPrefix},
	{ID: "anthropic/image-media-type-mismatch",
		Statement: "The declared media type of an image has to be what its bytes say it is. " +
			"Models up to claude-3 took others, too.",
		Error: "messages.34.content.0.tool_result.content.1.image.source.base64: The image was " +
			"specified using the image/png media type, but the image appears to be a image/jpeg " +
			"image",
		Fix: "Declare the real type. preflight reads the first bytes and corrects the field; the " +
			"image data stays as it is.",
		For: []Evidence{{Kind: Reported, Seen: "2026-06", Models: []string{"claude-opus-4-8"},
			Source: "https://github.com/vybestack/llxprt-code/issues/2130"}},
		Cost: CostPrefix,
		// cassettes of its instrumentation of Anthropic, with an image to claude-3
		Sources: []string{"https://github.com/Arize-ai/openinference"}},
	{ID: "anthropic/image-size",
		Statement: "An encoded image has a byte limit of its own, 5 MB in the error on record.",
		Error: "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 " +
			"bytes > 5242880 bytes",
		Fix: "Scale the image down before it enters the history, or put a line of text in its " +
			"place.",
		For: []Evidence{{Kind: Reported, Seen: "2026-09",
			Source: "https://github.com/ding113/claude-code-hub",
			Note:   "error rule 'image exceeds.*maximum.*bytes'"}}, Coverage: Unseen,
		Reason: "The limit differs between hosts and changes, and a smaller image cannot be made " +
			"without a codec."},
	{ID: "anthropic/image-undecodable",
		Statement: "Inline image data is base64 of a PNG, JPEG, GIF or WebP file, and an inline " +
			"PDF document a PDF file.",
		Error: "Could not process image",
		Fix:   "Replace what is no picture and no PDF file by a line of text that says so.",
		For: []Evidence{{Kind: Reported, Seen: "2026-10",
			Source: "https://github.com/anthropics/claude-code/issues/53228"}}, Cost: CostLoss,
		Sources: []string{"https://github.com/anthropics/claude-code/issues/56016",
			"https://github.com/anthropics/claude-code/issues/66167",
			"https://github.com/anthropics/claude-code/issues/42399",
			"https://github.com/anthropics/claude-code/issues/5174"}},
	{ID: "anthropic/many-image-dimension",
		Statement: "With more than twenty images in a request, no side of any of them may exceed " +
			"2000 pixels. Long sessions get there unnoticed.",
		Error: "messages.21.content.94.image.source.base64.data: At least one of the image " +
			"dimensions exceed max allowed size for many-image requests: 2000 pixels",
		Fix: "Let the oldest images go until twenty are left, or scale them down.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/lidge-jun/opencodex/blob/HEAD/devlog/_fin/260706_anthropic-many-image-400/000_plan.md"},
			{Kind: Reported, Seen: "2026-04",
				Source: "https://github.com/Gitlawb/openclaude/pull/520"},
		}, Coverage: Unseen,
		Reason: "The limits are about pixels and image counts over the whole request, and which " +
			"image to give up is the caller's choice."},
}
