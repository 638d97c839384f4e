// Package wire works on a provider's own request JSON: it reads a request body, repairs its message
// history with package preflight, and writes the body back.
//
//	out, err := wire.Sanitize(ctx, body, nil) // the provider is detected
//
//	{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"t1",…}]}]}
//	{"messages":[{"role":"user","content":"hi"}]}
//
// It is lossless: nothing is unmarshalled into structs and marshalled again. A body with nothing
// wrong comes back as the very same bytes; in one that has something wrong, every message that did
// not change keeps its bytes, and a changed one keeps its unknown fields, key order, white space,
// and the spelling of its numbers and escapes.
//
// Beside the history, which is the fixers' business, the package mends what only the wire shows:
// values of the wrong kind, fields a provider refuses, text that is not Unicode anywhere in the
// body, and what the rest of the request says about the history (tools that are not declared,
// thinking that cannot go on).
//
// # Formats
//
//	anthropic         Anthropic Messages
//	openai-chat       OpenAI Chat Completions
//	openai-responses  OpenAI Responses (input items)
//	gemini            Gemini generateContent
//	bedrock           Bedrock Converse
//	mistral           Mistral chat
//	cohere            Cohere v2 chat
//	ollama            Ollama /api/chat
//
// and, as dialects of openai-chat, azure, openrouter, deepseek, moonshot, qwen, minimax, glm, xai,
// groq, openai-compatible (any other host) and chat-template (llama.cpp, vLLM, LM Studio).
//
// A body is a whole request or a bare array of messages; of the latter, only what the messages show
// can be judged.
//
// # Memory
//
// A Result shares no memory with the input, unless it is the input, nor with what Sanitize keeps
// for the next body; its Elements are pieces of its Body. What hooks and the other functions in
// preflight.Options get to see may be kept: with such functions a body is decoded into memory of
// its own, a copy of the body and somewhat more.
//
// # Concurrency
//
// The functions are safe for concurrent use and keep nothing. A Request is for one goroutine at a
// time, and refers to the body it was decoded from.
package wire
