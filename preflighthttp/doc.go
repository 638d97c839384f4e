// Package preflighthttp puts preflight into any HTTP client: a Transport repairs the message
// history of LLM requests on their way out, whatever SDK made them.
//
//	client := &http.Client{Transport: &preflighthttp.Transport{
//		Report: func(ctx context.Context, r *preflighthttp.Report) {
//			slog.InfoContext(ctx, "llm request", "preflight", r)
//		},
//	}}
//
// A request of an aborted session, before and after:
//
//	POST https://api.anthropic.com/v1/messages
//	{"messages":[{"role":"user","content":"Build it."},
//	             {"role":"assistant","content":[{"type":"tool_use","id":"toolu_1",…}]},
//	             {"role":"user","content":"Stop."}]}
//
//	{"messages":[{"role":"user","content":[{"type":"text","text":"Build it."},
//	                                       {"type":"text","text":"Stop."}]}]}
//
// Only requests to known endpoints are repaired: [Endpoints] lists them, and Transport.Endpoints
// adds your own, such as a gateway or a local server:
//
//	transport.Endpoints = []preflighthttp.Endpoint{
//		{Host: "llm.example.com", Provider: "openai-compatible"},
//		{Host: "localhost:8000", Provider: "vllm"},
//	}
//
// Endpoint{} matches all hosts. A request to an unknown host, at a path of a known API, is reported
// with the reason UnknownHost, and the host is logged once; Transport.Unknown changes that. A valid
// body is sent as the same bytes.
//
// # What is never touched
//
// These are sent unchanged, and Report.Skipped has the reason: requests whose body is signed (AWS
// SigV4, HTTP message signatures, digests), encoded (Content-Encoding), larger than
// Transport.MaxBody, or no JSON request in the endpoint's format. An SDK that signs its requests,
// such as those for Bedrock, has to sign after the repair: see Middleware.
//
// # Hooks that remove secrets
//
// If the options have hooks, or Untrusted, a request that they cannot be applied to is not sent:
//
//   - one that is passed on unchanged for a reason above
//   - one whose history cannot be repaired
//   - one for a model at an unknown host
//
// It fails with an *Error, which wraps ErrHooksNotRun or says why the history cannot be repaired.
// Transport.Unfixable changes that: Refuse answers it, and SendUnchanged sends it past the hooks.
// DryRun and endpoints with Skip send everything. Hooks do not see requests at other paths than
// those of known APIs or of Transport.Endpoints, other methods than POST, and what is outside of
// the messages: URLs, headers, declared tools, metadata.
//
// # Repair and resend
//
// With Transport.Remedies set, a request that the provider refuses is repaired more strongly and
// sent once more, if package rule recognizes the text of the refusal, or if the text names a member
// that the provider does not know: see package remedy. Every other refusal is returned unchanged.
//
// # Names of tools
//
// A tool whose name the provider refuses is sent under another one. The calls in the answer get the
// declared name back: in whole answers and in streams, as they come. Everything else of an answer
// stays as it is, and answers to all other requests are not looked at.
//
// # What it is not
//
// Without Remedies it sends nothing twice. It logs nothing but unknown hosts and providers. It does
// not repair the history that the caller keeps: the next request has the same fault and is repaired
// again, unless the caller keeps what WithRepaired reports.
//
// # Concurrency
//
// A Transport is safe for concurrent use, and its fields must not change once it is used. It keeps
// nothing between requests, except in Learned, where it is set. The process keeps the
// names of unknown hosts that were logged.
//
// # Performance
//
// The body of a request to an endpoint is read into memory, and the cost is linear in it. All other
// requests are passed on unread.
package preflighthttp
