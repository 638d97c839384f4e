// Package fixer has the built-in fixers, each a [preflight.Fixer], and an Editor for those that you
// write. A pipeline of your own takes both:
//
//	pipeline, err := preflight.NewPipeline(fixer.PairToolCalls, mine, fixer.MergeRoles)
//
// A fixer of Defaults changes only what the profile says that the provider refuses. It repairs one
// concern and leaves the others to their fixers; its Fix runs it alone.
//
// StripEphemeral, StripSystem, ClearMeta and Truncate remove and shorten what a caller no longer
// wants, whatever the provider accepts. Add them to Options.Fixers, or to a pipeline:
//
//	options := &preflight.Options{Fixers: []preflight.Fixer{
//		fixer.StripSystem, fixer.ClearMeta("run_id"), fixer.Truncate{MaxString: 2000}.Fixer(),
//	}}
package fixer

import (
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/builtin"
)

// Defaults returns the fixers of the default pipeline in the order that loses least: repair by
// position first, while the positions are still evidence. The slice is fresh; extend it and hand it
// to preflight.NewPipeline. They are in five groups. The order of the groups decides how much of a
// history stays and where; the order within a group hardly matters, and neither decides whether the
// result is valid.
//
// Text, since the later groups compare ids, names and texts:
//
//	repair-unicode              unpaired surrogates, invalid UTF-8, NUL
//	strip-controls              control characters
//
// Roles, since they tell where a call has to be answered:
//
//	place-roles                 role aliases, system messages, parts in the wrong role
//	repair-reasoning            unsigned, foreign and empty reasoning
//	flatten-emptied             server-tool results whose encrypted payload is gone
//
// Pairs, while ids and positions are still those of the caller:
//
//	pair-tool-calls             one result for every call, a call for every result
//
// Content, of parts, messages and turns:
//
//	error-to-text               error results become text where they cannot be marked
//	repair-arguments            arguments become a JSON object
//	rewrite-ids                 call ids the provider accepts, unique
//	rewrite-names               tool and participant names
//	flatten-tools               tool exchanges become text where the model knows no tools
//	describe-media              media that the model does not take becomes text
//	repair-media                media types, names, places
//	drop-empty                  empty text and messages
//	normalize-items             ids of items, and the reasoning they depend on
//	merge-roles                 one message for neighbours of one role
//	split-calls                 one tool call for each message
//	enforce-alternation         a user turn first
//	bridge-results              an assistant turn between tool results and a user turn
//	normalize-documents         titles and number of documents, and the text they need
//	order-calls                 text before tool calls
//
// The end, when nothing else moves any more:
//
//	end-conversation            how the conversation ends
//	normalize-reasoning         reasoning and the thinking mode
//	split-channels              reasoning and text where text has channel tags
//	fill-reasoning              the reasoning that the provider wants back
//	sign-calls                  the signatures of the open turn's calls
//	normalize-cache             prompt-cache breakpoints
func Defaults() []preflight.Fixer {
	return slices.Clone(builtin.Fixers.([]preflight.Fixer)[:builtin.Defaults])
}

// named returns the built-in fixer of a name.
func named(name string) preflight.Fixer {
	for _, f := range builtin.Fixers.([]preflight.Fixer) {
		if f.Name == name {
			return f
		}
	}
	panic("no fixer is named " + name)
}

// RepairUnicode replaces unpaired surrogates and invalid UTF-8 by U+FFFD, and removes NUL.
var RepairUnicode preflight.Fixer = named("repair-unicode")

// StripControls removes control characters other than tabs and line ends from texts.
var StripControls preflight.Fixer = named("strip-controls")

// PlaceRoles maps aliases of roles, keeps system messages where the provider takes them, and moves
// parts into messages of a role that may hold them.
var PlaceRoles preflight.Fixer = named("place-roles")

// RepairReasoning removes reasoning that is empty, unsigned, or signed by another provider.
var RepairReasoning preflight.Fixer = named("repair-reasoning")

// FlattenEmptied turns provider-executed results whose encrypted payload was emptied into text,
// with their calls.
var FlattenEmptied preflight.Fixer = named("flatten-emptied")

// PairToolCalls gives every tool call exactly one result, in the place where the provider looks for
// it, and every result a call.
//
// Displaced results move to their calls. Further results of a call are joined to its result or
// removed (Options.Duplicates); where the assistant has responded to that result, the call is
// repeated for the further one. Calls without a result are removed or answered (Options.Dangling and
// OpenCall), and results without a call are removed or become text (Options.Orphans). Calls that
// wait are answered with a placeholder, or stay open with Options.KeepWaiting. preflight.Pairs shows
// which result belongs to which call.
var PairToolCalls preflight.Fixer = named("pair-tool-calls")

// ErrorToText says in words that a tool result is an error, where it cannot be marked as one.
var ErrorToText preflight.Fixer = named("error-to-text")

// RepairArguments makes the arguments of tool calls JSON objects, with what was there in them.
var RepairArguments preflight.Fixer = named("repair-arguments")

// RewriteIDs rewrites tool call ids that the provider refuses or that occur twice, on both sides of
// a pair.
var RewriteIDs preflight.Fixer = named("rewrite-ids")

// RewriteNames rewrites names of tools and participants that the provider refuses.
var RewriteNames preflight.Fixer = named("rewrite-names")

// FlattenTools turns tool calls and results into text where the model knows no tools.
var FlattenTools preflight.Fixer = named("flatten-tools")

// DescribeMedia puts a line of text in the place of media that the model does not take.
var DescribeMedia preflight.Fixer = named("describe-media")

// RepairMedia corrects types and names of media, removes media without data, and moves media to
// where the provider takes it.
var RepairMedia preflight.Fixer = named("repair-media")

// DropEmpty removes empty and blank text parts, and messages without content. Unknown parts, media,
// reasoning and tool parts count as content. An error result without content gets a text.
var DropEmpty preflight.Fixer = named("drop-empty")

// NormalizeItems removes ids of items of the Responses format that are refused, and reasoning
// without the item that it led to.
var NormalizeItems preflight.Fixer = named("normalize-items")

// MergeRoles joins neighbouring messages of one role where the profile wants them joined: all of
// them (TurnRules.Neighbours), those of a turn with calls (TurnRules.CallsAfterUser), or only the
// tool results of a turn (PairingRules.Results), while text stays in its message. Parts keep their
// order and content. The fields of the first message are kept; the warning reports a lost name of
// the second. Where no text may come after a tool result (TurnRules.NoTextAfterResults), the text
// and the parts after it become a message of their own.
//
// In a pipeline, user messages that a repair brought together or changed are joined, too, where the
// provider reads neighbours as one turn.
var MergeRoles preflight.Fixer = named("merge-roles")

// SplitCalls takes parallel tool calls apart: one call, its result, then the next.
var SplitCalls preflight.Fixer = named("split-calls")

// EnforceAlternation inserts a user turn with the text Options.Placeholder where the profile
// requires one: before a leading assistant message, or into a history that is empty or holds only
// system messages. It inserts no other turn, never removes one, and does nothing where the provider
// holds the beginning of the history.
//
// Other fixers do what else alternation takes: MergeRoles joins neighbours of one role,
// BridgeResults inserts an assistant turn between tool results and a user turn, and EndConversation
// handles a final assistant turn.
var EnforceAlternation preflight.Fixer = named("enforce-alternation")

// BridgeResults inserts an assistant turn with the text Options.Bridge between tool results and a
// user turn, where the provider wants one.
var BridgeResults preflight.Fixer = named("bridge-results")

// NormalizeDocuments keeps media within the number that the provider takes, gives documents unique
// titles, and adds the text that they need.
var NormalizeDocuments preflight.Fixer = named("normalize-documents")

// OrderCalls moves the text of an assistant message before its tool calls.
var OrderCalls preflight.Fixer = named("order-calls")

// EndConversation applies Options.Trailing to a final assistant turn that the model refuses.
var EndConversation preflight.Fixer = named("end-conversation")

// NormalizeReasoning removes or reorders reasoning where the thinking mode of the request demands
// it.
var NormalizeReasoning preflight.Fixer = named("normalize-reasoning")

// SplitChannels makes reasoning and text of text with channel tags of gpt-oss.
var SplitChannels preflight.Fixer = named("split-channels")

// FillReasoning gives assistant messages the reasoning that the provider wants back, if only empty.
var FillReasoning preflight.Fixer = named("fill-reasoning")

// SignCalls removes signatures of other providers, and gives calls of the open turn a stand-in
// where they need one.
var SignCalls preflight.Fixer = named("sign-calls")

// NormalizeCache keeps prompt-cache breakpoints on parts that may have one, and within their
// number.
var NormalizeCache preflight.Fixer = named("normalize-cache")

// DropEmptyReasoning removes reasoning without text, signature, payload and metadata. stored.Persist
// uses it; it is not one of Defaults.
var DropEmptyReasoning preflight.Fixer = named("drop-empty-reasoning")
