// Package remedy decides what happens after a provider refused a request: what the refusal means,
// which stronger repair answers it, and what is learned from that for the next request. It sends
// nothing: package preflighthttp does, once a Transport has Remedies:
//
//	&preflighthttp.Transport{
//		Remedies: remedy.All(),
//		Learned:  new(remedy.Learned),
//	}
//
// A refusal, and the members of the request before and after:
//
//	messages.1.content.0.text.cache_control: Extra inputs are not permitted
//
//	{"type":"text","text":"Build it.","cache_control":{"type":"ephemeral"}}
//	{"type":"text","text":"Build it."}
//
// Another transport calls [Policy.Begin] for a request that it repaired, sends Result, and calls
// Accepted, or with what [Read] makes of the answer Refused. If that returns a second attempt, it
// sends this too, and tells Answered how it went.
package remedy
