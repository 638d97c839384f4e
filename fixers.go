package preflight

import (
	"reflect"

	"github.com/go-preflight/preflight/internal/builtin"
	"github.com/go-preflight/preflight/internal/respell"
)

// This file lists the built-in fixers, and the groups that the default pipeline runs them in.

// Fixers are the built-in fixers, in the order of the default pipeline. This order loses least:
// what is repaired by its position comes first, before other repairs move it. A pipeline of your
// own takes these fixers and yours:
//
//	pipeline, err := preflight.NewPipeline(preflight.Fixers.PairToolCalls, mine)
//
// A fixer of the default pipeline changes only what the profile says that the provider refuses. It
// repairs one concern and leaves the others to their fixers; Apply runs it alone. The order decides
// how much of a history stays, and where, but not whether the result is valid.
var Fixers = struct {
	// Defaults returns the fixers of the default pipeline, in order. The slice is fresh; extend it
	// and hand it to NewPipeline.
	Defaults func() []Fixer

	// Text, since the later groups compare ids, names and texts.

	// RepairUnicode replaces unpaired surrogates and invalid UTF-8 by U+FFFD, and removes NUL.
	RepairUnicode Fixer

	// StripControls removes control characters other than tabs and line ends from texts.
	StripControls Fixer

	// Roles, since they tell where a call has to be answered.

	// PlaceRoles maps aliases of roles, keeps system messages where the provider takes them, and
	// moves parts into messages of a role that may hold them.
	PlaceRoles Fixer

	// RepairReasoning removes reasoning that is empty, unsigned, or signed by another provider.
	RepairReasoning Fixer

	// FlattenEmptied turns provider-executed results whose encrypted payload was emptied into
	// text, with their calls.
	FlattenEmptied Fixer

	// Pairs, while ids and positions are still those of the caller.

	// PairToolCalls gives every tool call exactly one result, in the place where the provider
	// looks for it, and every result a call. Displaced results move to their calls. Further
	// results of a call are joined to its result or removed (Options.Duplicates); where the
	// assistant has responded to that result, the call is repeated for the further one. Calls
	// without a result are removed or answered (Options.Dangling and OpenCall), and results
	// without a call are removed or become text (Options.Orphans). Calls that wait are answered
	// with a placeholder, or stay open with Options.KeepWaiting. Pairs shows which result belongs
	// to which call.
	PairToolCalls Fixer

	// Content, of parts, messages and turns.

	// ErrorToText says in words that a tool result is an error, where it cannot be marked as one.
	ErrorToText Fixer

	// RepairArguments makes the arguments of tool calls JSON objects, with what was there in them.
	RepairArguments Fixer

	// RewriteIDs rewrites tool call ids that the provider refuses or that occur twice, on both
	// sides of a pair.
	RewriteIDs Fixer

	// RewriteNames rewrites names of tools and participants that the provider refuses.
	RewriteNames Fixer

	// FlattenTools turns tool calls and results into text where the model knows no tools.
	FlattenTools Fixer

	// DescribeMedia puts a line of text in the place of media that the model does not take.
	DescribeMedia Fixer

	// RepairMedia corrects types and names of media, removes media without data, and moves media
	// to where the provider takes it.
	RepairMedia Fixer

	// DropEmpty removes empty and blank text parts, and messages without content. Unknown parts,
	// media, reasoning and tool parts count as content. An error result without content gets a
	// text.
	DropEmpty Fixer

	// NormalizeItems removes ids of items of the Responses format that are refused, and reasoning
	// without the item that it led to.
	NormalizeItems Fixer

	// MergeRoles joins neighbouring messages of one role where the profile wants them joined: all
	// of them (TurnRules.Neighbours), those of a turn with calls (TurnRules.CallsAfterUser), or
	// only the tool results of a turn (PairingRules.Results), while text stays in its message.
	// Parts keep their order and content. The fields of the first message are kept; the warning
	// reports a lost name of the second. Where no text may come after a tool result
	// (TurnRules.NoTextAfterResults), the text and the parts after it become a message of their
	// own. In a pipeline, user messages that a repair brought together or changed are joined, too,
	// where the provider reads neighbours as one turn.
	MergeRoles Fixer

	// SplitCalls takes parallel tool calls apart: one call, its result, then the next.
	SplitCalls Fixer

	// EnforceAlternation inserts a user turn with the text Options.Placeholder where the profile
	// requires one: before a leading assistant message, or into a history that is empty or holds
	// only system messages. It inserts no other turn, never removes one, and does nothing where
	// the provider holds the beginning of the history. Other fixers do what else alternation
	// takes: MergeRoles joins neighbours of one role, BridgeResults inserts an assistant turn
	// between tool results and a user turn, and EndConversation handles a final assistant turn.
	EnforceAlternation Fixer

	// BridgeResults inserts an assistant turn with the text Options.Bridge between tool results
	// and a user turn, where the provider wants one.
	BridgeResults Fixer

	// NormalizeDocuments keeps media within the number that the provider takes, gives documents
	// unique titles, and adds the text that they need.
	NormalizeDocuments Fixer

	// OrderCalls moves the text of an assistant message before its tool calls.
	OrderCalls Fixer

	// The end, when nothing else moves any more.

	// EndConversation applies Options.Trailing to a final assistant turn that the model refuses.
	EndConversation Fixer

	// NormalizeReasoning removes or reorders reasoning where the thinking mode of the request
	// demands it.
	NormalizeReasoning Fixer

	// SplitChannels splits text with channel tags of gpt-oss into reasoning and text.
	SplitChannels Fixer

	// FillReasoning gives assistant messages the reasoning that the provider wants back, if only
	// empty.
	FillReasoning Fixer

	// SignCalls removes signatures of other providers, and gives calls of the open turn a stand-in
	// where they need one.
	SignCalls Fixer

	// NormalizeCache keeps prompt-cache breakpoints on parts that may have one, and within their
	// number.
	NormalizeCache Fixer

	// Not of the default pipeline.

	// DropEmptyReasoning removes reasoning without text, signature, payload and metadata.
	// stored.Persist uses it; it is not one of Defaults.
	DropEmptyReasoning Fixer

	// StripEphemeral removes provider metadata that belongs to one response and must not be sent
	// again: OpenAI's item ids and encrypted reasoning, of messages, parts and the parts of
	// results. Stateless requests (store: false) send the reasoning again: for them, use
	// ClearMeta("openai.itemId", "azure.itemId") instead.
	StripEphemeral Fixer

	// StripSystem removes system messages, for a history that is resumed by a framework that adds
	// its own. Tool results in one stay, in a message of the role that results have.
	StripSystem Fixer
}{
	RepairUnicode:      repairUnicodeFixer,
	StripControls:      stripControlsFixer,
	PlaceRoles:         placeRolesFixer,
	RepairReasoning:    repairReasoningFixer,
	FlattenEmptied:     flattenEmptiedFixer,
	PairToolCalls:      pairToolCallsFixer,
	ErrorToText:        errorToTextFixer,
	RepairArguments:    repairArgumentsFixer,
	RewriteIDs:         rewriteIDsFixer,
	RewriteNames:       rewriteNamesFixer,
	FlattenTools:       flattenToolsFixer,
	DescribeMedia:      describeMediaFixer,
	RepairMedia:        repairMediaFixer,
	DropEmpty:          dropEmptyFixer,
	NormalizeItems:     normalizeItemsFixer,
	MergeRoles:         mergeRolesFixer,
	SplitCalls:         splitCallsFixer,
	EnforceAlternation: enforceAlternationFixer,
	BridgeResults:      bridgeResultsFixer,
	NormalizeDocuments: normalizeDocumentsFixer,
	OrderCalls:         orderCallsFixer,
	EndConversation:    endConversationFixer,
	NormalizeReasoning: normalizeReasoningFixer,
	SplitChannels:      splitChannelsFixer,
	FillReasoning:      fillReasoningFixer,
	SignCalls:          signCallsFixer,
	NormalizeCache:     normalizeCacheFixer,
	DropEmptyReasoning: dropEmptyReasoningFixer,
	StripEphemeral:     stripEphemeralFixer,
	StripSystem:        stripSystemFixer,
}

// groups are the steps of the default pipeline, in order. A new fixer goes into the group that has
// its reason. Validity does not depend on the order of the groups either, since the pipeline runs
// to a fixpoint: what depends on it is how much of a history stays, and where. Any order of a
// group's fixers yields a valid history, and almost always the same one. TestOrder holds all that.
var groups = []struct {
	name    string
	because string // why its fixers run before those of the next group
}{
	{"text", "the later groups compare ids, names and texts, which are in their final spelling now"},
	{"roles", "the place in which a call has to be answered depends on the roles around it"},
	{"pairs", "ids and positions tell which result answers a call, and the next group changes them"},
	{"content", "the last turn and the number of breakpoints are known once nothing else is moved"},
	{"end", ""},
}

// defaultFixers is Fixers.Defaults.
func defaultFixers() []Fixer {
	var out []Fixer
	for _, g := range groups {
		for _, f := range builtIn() {
			if f.group == g.name {
				out = append(out, *f)
			}
		}
	}
	return out
}

// builtIn returns all fixers of Fixers, in order.
func builtIn() (out []*Fixer) {
	all := reflect.ValueOf(&Fixers).Elem()
	for k := range all.NumField() {
		if f, ok := all.Field(k).Addr().Interface().(*Fixer); ok {
			out = append(out, f)
		}
	}
	return out
}

func init() {
	Fixers.Defaults = defaultFixers // a use of Fixers, which is not initialized by one
	for _, f := range defaultPipeline.fixers {
		allChecks = append(allChecks, f.checks...)
	}
	for _, some := range allChecks {
		if some.on != nil {
			conditions = append(conditions, some.on)
		}
	}
	builtin.ClearMeta, builtin.Truncate = clearMeta, truncate
	builtin.Check = checkAndLeft
	only := &Pipeline{fixers: defaultPipeline.fixers, keepsNative: true}
	builtin.SanitizeOnly = only.Sanitize
	builtin.Agreed = func(before, p Part) (Part, []respell.Change) {
		now, change := agreed(before, p)
		return now, change.values
	}
}
