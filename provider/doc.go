// Package provider says, as data, what each LLM provider and model accepts in a request's message
// history. A [Profile] holds the rules of one provider; [Anthropic], [OpenAIChat], [ByName] and
// their like return one, narrowed to a model. Package preflight reads profiles and repairs what
// they do not accept.
//
// A profile is a plain value of the caller's. Where a server has rules of its own, take the profile
// nearest to it, change a field, and use it:
//
//	p := provider.OpenAICompatible("my-model")
//	p.Turns.UserFirst = true            // it refuses a leading assistant message
//	p.Media.Limits = []provider.MediaLimit{{Kind: "image", Most: 3}}
//	result, err := preflight.Sanitize(ctx, history, p, nil)
//
// What a server was seen to refuse and to accept can be kept in a file, as the ids of rules that are
// switched on and off: see [Measured] and [Profile.Enforce].
//
// Each provider has a file of its own, with its profile, its dialects, and its rows of the model
// table. Every restriction has evidence: [Profile.Rules] names the rule in package rule that each
// problem breaks, and each row of [Models] has a source and a date. What a provider accepts, or is
// not known to refuse, is not restricted.
package provider
