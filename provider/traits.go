package provider

// This file has the traits that models of several providers share. A trait of one provider's models
// is in that provider's file.

// refusesPrefill: the conversation may not end with an assistant turn.
func refusesPrefill(p *Profile) { p.Prefill.Refused = true }

// leadingSystem: system messages are accepted before the first turn only.
func leadingSystem(p *Profile) { p.System.Placement = SystemLeading }

// refusesSystem: system messages are refused.
func refusesSystem(p *Profile) { p.System.Placement, p.System.Directives = SystemRefused, nil }

// wantsUserFirst: the first turn is the user's.
func wantsUserFirst(p *Profile) { p.Turns.UserFirst = true }

// wantsTurns: consecutive messages of one role are refused.
func wantsTurns(p *Profile) { p.Turns.Neighbours = NeighboursMerged }

// refusesReasoning: reasoning is refused in the history.
func refusesReasoning(p *Profile) { p.Reasoning.Refused = true }

// replaysCalls: from the first tool call on, each assistant message carries its reasoning.
func replaysCalls(p *Profile) { p.Reasoning.Replay = ReplayFromCalls }

// readsText: the model reads text only.
func readsText(p *Profile) { p.Media.TextOnly = true }

// readsImages: the model reads images and documents, but no audio or video.
func readsImages(p *Profile) { p.Media.Kinds = []string{"image", "document"} }
