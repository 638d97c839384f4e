// Package wire repairs the request JSON of LLM providers: it decodes a request body into messages,
// repairs them with package preflight, and encodes them back into the body.
//
//	out, err := wire.Sanitize(ctx, body, nil) // the provider is detected
//
// A call without a result is removed, for example:
//
//	{"messages":[{"role":"user","content":"hi"},
//	 {"role":"assistant","content":[{"type":"tool_use","id":"t1",…}]}]}
//
//	{"messages":[{"role":"user","content":"hi"}]}
//
// The package is lossless: it never unmarshals a message into a struct and marshals it back. A
// valid body is returned as the same bytes. In any other, an unchanged message keeps its bytes, and
// a changed one keeps its unknown fields, key order, white space, and the spelling of its numbers
// and escapes.
//
// The history is repaired by the fixers of package preflight. This package also repairs what only
// the wire format shows: values of the wrong kind, fields that a provider refuses, invalid Unicode
// anywhere in the body, and settings that contradict the history (no tools declared where the host
// wants them, thinking that cannot continue). Settings that contradict each other, such as a
// thinking budget above max_tokens, are left as they are.
//
// A body takes one way through the package: parse, decode, check, and, unless it is valid, repair,
// encode.
//
// # Histories of your own
//
// Prepare repairs a history of preflight.Message values and writes the request for it,
// DecodeResponse reads what the model said, to be appended to the history. examples/loop is an
// agent on these two and net/http. [Options] are for a body that exists, [RequestOptions] for one
// that Prepare or Encode writes.
//
// # Formats
//
//	anthropic            Anthropic Messages
//	openai-chat          OpenAI Chat Completions
//	openai-responses     OpenAI Responses (input items)
//	gemini               Gemini generateContent
//	bedrock              Bedrock Converse
//	mistral              Mistral chat
//	cohere               Cohere v2 chat
//	ollama               Ollama /api/chat
//	gemini-interactions  Gemini Interactions
//
// and dialects of these. Hosts of openai-chat have their own name, such as azure, openrouter or
// groq; openai-compatible is any other host, and chat-template a server of open models (llama.cpp,
// vLLM, LM Studio). Dialects of the other formats are named after host and format, such as
// deepseek-anthropic. [Providers] lists all names.
//
// A body is a whole request or a bare array of messages. A bare array is checked only by its
// messages, as if the rest of the request were unknown.
//
// # Memory
//
// The Body of a Result is the input itself or newly allocated, and its Elements are pieces of its
// Body. Otherwise a Result shares no memory with the input, nor with memory that Sanitize reuses.
// Hooks and the other functions in preflight.Options may keep the messages that they get: for them
// a body is decoded into memory of its own, which takes somewhat more than a copy of the body.
//
// # Concurrency
//
// The functions are safe for concurrent use. A Request and a Sanitizer are for one goroutine at a
// time.
package wire
