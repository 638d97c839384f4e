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
// A transport of your own calls [Policy.Begin] for a request that it repaired, and sends Result.
// Then it calls Accepted, or, if the answer is a refusal, Refused with what [Read] makes of it. If
// Refused returns a second attempt, it sends that, and calls Answered.
package remedy
