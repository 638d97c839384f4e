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
// That is for package preflight. Packages wire and preflighthttp take the ids of rules that a
// server was seen to lift or to enforce: see [Measured] and [Profile.Enforce].
//
// Each provider has a file of its own, with rows: a row is one restriction, and says for which
// models and hosts it holds. Every restriction has evidence: [Profile.Rules] names the rule in
// package rule that each problem breaks. What a provider accepts, or is not known to refuse, is not
// restricted. An unknown or misspelt model is no error: it gets what holds for all models of its
// host and, if its name begins like those of a family, for new models of that family. An unknown
// host gets its format's.
package provider
