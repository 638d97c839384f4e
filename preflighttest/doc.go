// Package preflighttest fakes LLM providers for tests: HTTP servers that are stricter about a
// message history than the real ones, refuse a bad request with the provider's own status, error
// and words, and answer a good one as scripted, streamed or not.
//
// It is for any Go program that talks to an LLM, with or without preflight, through an SDK or by
// hand: point the client's base URL at the server.
//
//	server := preflighttest.New(t, "anthropic", nil)
//	weather := preflighttest.Call{Name: "weather", Arguments: `{"city":"Oslo"}`}
//	server.Script(
//		preflighttest.Reply{Calls: []preflighttest.Call{weather}},
//		preflighttest.Reply{Text: "It rains."},
//	)
//	client := anthropic.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"))
//	// … run the agent, abort it, resume it …
//	if refused := server.Refused(); len(refused) > 0 {
//		t.Error(refused[0].Refusal)
//	}
//
// A preflighthttp.Transport does not know the server's host: give it an endpoint that names the
// format, Endpoints: []preflighthttp.Endpoint{{Provider: "anthropic"}}.
//
// There are fakes of the providers that [Providers] lists, each at the paths of the real API and
// with its stream format. [Violations] judges a body without a server. For fixers and hooks of your
// own, see package [github.com/go-preflight/preflight/preflighttest/conformance].
//
// # Strictness
//
// A fake refuses what the catalogue of package rule says that the provider refuses, with the text
// on record there. Where versions, hosts or modes of a provider differ, the zero [Options] take the
// stricter side, and [Options.Lenient] the other. A model that the fake does not know is judged by
// the strictest rules of the models that the provider serves today; a request that names none, by
// those that all of them have. Beyond the rules, the fake checks the types of the fields it
// reads, and refuses bodies that JSON decoders disagree about, such as one that has a name twice.
// Such a [Violation] names no rule, and its words are in the manner of the provider rather than on
// record.
//
// What a provider signs or encrypts, the fake does too: a signature holds a hash of the thinking
// and of everything before it, so a thinking block that was edited, or that is kept although its
// prefix was changed, is refused as the current models refuse it. Signatures that no fake has
// issued are taken as they are.
//
// # Memory
//
// With [Options.Remember] the fake keeps conversations, as the provider does: requests send what is
// new, and are judged with what came before. [Server.Forget] lets them expire, and
// [Server.Conversation] is what the model was told.
//
// # Providers
//
//	anthropic         /v1/messages
//	openai-chat       /v1/chat/completions
//	openai-responses  /v1/responses
//	gemini            /v1beta/models/MODEL:generateContent and :streamGenerateContent; streams
//	                  are sent as with alt=sse
//	bedrock           /model/MODEL/converse and converse-stream, in the binary framing of AWS
//	                  event streams
//	mistral           /v1/chat/completions
//	cohere            /v2/chat
//	ollama            /api/chat, streamed as lines of JSON unless the request says otherwise
//	gemini-interactions
//	                  /v1beta/interactions; it remembers what it has answered and stored, so that
//	                  a request can continue it
//
// Hosts of OpenAI's formats with rules of their own can be named as well: in Chat cerebras,
// deepseek, glm, groq, minimax, moonshot, nvidia, openrouter, qwen, volcengine and xai, and in
// Responses azure-responses, copilot-responses, deepseek-responses, openrouter-responses and
// xai-responses. Such a fake knows the host's own rules and what all hosts of the format were
// seen to refuse, so it accepts some of what OpenAI itself refuses.
//
// A Gemini model that is named publishers/google/models/…, in the path or in [Options], is served
// as Vertex AI does, with its own rules and words. The signature of a Gemini call is bound to the
// call and not to what came before, since nothing is known of a refusal for that. Claude's rules on
// thinking hold through Bedrock too, for models whose name says that they are Claude's.
//
// # What it does not check
//
// Credentials and limits of use, the schema of fields without a rule, token counts, whether
// remote files exist, and whether arguments match a tool's schema. Without Options.Remember,
// also whether a stored response exists: a signature holds what its answer was bound to, so that
// it can be judged without memory. The tests of this package list the rules that a fake cannot
// see (notFromTheBody), each with the reason.
//
// # Faults
//
// [Fault] breaks an answer: an error status, a cut or dropped stream, a delay that the test ends by
// closing a channel. There are no clocks and no randomness here: the same requests get the same
// answers, ids included.
//
// # Independence
//
// The checks are written from the catalogue alone and share no code with preflight's Check, fixers
// and codecs, so that each can test the other. Nor does the fake of one provider use that of
// another. The package depends on the standard library and on package rule.
package preflighttest
