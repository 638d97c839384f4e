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
//	{"messages":[{"role":"user","content":"Build it."},{"role":"user","content":"Stop."}]}
//
// Only requests of known endpoints are looked at: [Endpoints] lists them, Transport.Endpoints adds
// others, such as a local server. A body with nothing wrong is sent as the bytes it came in.
//
// # What is never touched
//
// Requests that are signed over their body (AWS SigV4, HTTP message signatures, digests), encoded
// (Content-Encoding), larger than Transport.MaxBody, or no JSON request of the endpoint's format go
// out byte for byte as they came, and the report says why. Sign after the repair, not before:
// Middleware is for SDKs that sign, such as those for Bedrock.
//
// # Repair and resend
//
// With Transport.Remedies set, a refusal whose text package rule recognises (a status 400, or the
// one the rule is known by) is answered by a harder repair of the same request, once: see
// [Remedies]. Every other response is returned as it came, streams included; nothing is read of
// them.
//
// # What it is not
//
// It is not a security boundary: what is never touched passes hooks by, too. It does not retry,
// does not log, and does not repair what the caller stores: the caller's next request has the same
// fault and is repaired again, unless the caller keeps what WithRepaired tells.
//
// # Concurrency
//
// A Transport is safe for concurrent use, and its fields must not change once it is used. It keeps
// nothing between requests.
//
// # Performance
//
// The body of a request that is looked at is held in memory, and the cost is linear in it. Other
// requests are passed on as they are.
package preflighthttp
