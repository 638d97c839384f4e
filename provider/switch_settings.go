package provider

import (
	"maps"
	"slices"

	"github.com/go-preflight/preflight/rule/problems"
)

// This file is the table of switch.go: which fields of a profile make which problem.

// unswitched are the rules whose problem a profile has a field for, and that cannot be switched all
// the same.
var unswitched = map[string]string{
	"anthropic/messages-empty":     emptyList,
	"mistral/messages-empty":       emptyList,
	"openai-chat/messages-empty":   emptyList,
	"openai-responses/input-empty": emptyList,

	"mistral/system-null":             "empty messages are refused for all roles or for none",
	"openai-chat/role-unknown":        knownRole,
	"gemini/role-invalid":             knownRole,
	"moonshot/tool-call-id-not-found": paired,
	"groq/tool-fields":                paired,
	"anthropic/tool-result-missing":   paired,
	"mistral/duplicate-result-id":     paired,
	"deepseek/tool-result-missing":    paired,
	"cohere/tool-result-missing":      paired,

	"anthropic/cache-control-max4":          byRequest,
	"deepseek/reasoning-content-missing":    byRequest,
	"anthropic/thinking-signature-invalid":  byServer,
	"gemini/thought-signature-corrupt":      byServer,
	"openai-responses/item-needs-reasoning": byServer,

	"anthropic/server-tool-id-pattern":      byFormat,
	"openai-chat/arguments-not-json":        byFormat,
	"openai-chat/part-type":                 byFormat,
	"openai-responses/assistant-input-text": byFormat,
	"openai-responses/required-item-fields": byFormat,
	"openai-responses/unknown-item-field":   byFormat,
	"gemini/empty-part-data":                byFormat,
	"gemini/extra-field":                    byFormat,
	"gemini/function-response-object":       byFormat,
	"gemini/system-in-contents":             byFormat,
	"groq/unknown-property":                 byFormat,
}

// Why rules cannot be switched.
const (
	emptyList = "a history without messages is refused in any case"
	knownRole = "a role whose meaning is known is spelled as the provider spells it in any case"
	paired    = "calls and results are paired in any case"
	byRequest = "it depends on other members of the request"
	byServer  = "only the server that made the history can tell"
	byFormat  = "it is part of how the format is read and written"
)

// flag is the setting of a field that restricts when it is true.
func flag(problem problems.Problem, field func(p *Profile) *bool) setting {
	return setting{
		problem: problem,
		on:      func(p *Profile) { *field(p) = true },
		free:    func(p *Profile) { *field(p) = false },
		holds:   func(p *Profile) bool { return *field(p) },
	}
}

// list is the setting of a field that restricts what it lists.
func list[E comparable](problem problems.Problem, field func(p *Profile) *[]E) setting {
	return setting{
		problem: problem,
		take: func(p, donor *Profile) {
			all := slices.Clone(*field(p))
			for _, e := range *field(donor) {
				if !slices.Contains(all, e) {
					all = append(all, e)
				}
			}
			*field(p) = all
		},
		free:  func(p *Profile) { *field(p) = nil },
		holds: func(p *Profile) bool { return len(*field(p)) > 0 },
	}
}

// permit is the setting of a field that lists what is accepted, where an empty one is anything.
func permit[E comparable](problem problems.Problem, field func(p *Profile) *[]E) setting {
	return setting{
		problem: problem,
		take: func(p, donor *Profile) {
			both := slices.Clone(*field(donor))
			if len(*field(p)) > 0 {
				both = slices.DeleteFunc(both, func(e E) bool { return !slices.Contains(*field(p), e) })
			}
			if len(both) > 0 {
				*field(p) = both
			}
		},
		free:  func(p *Profile) { *field(p) = nil },
		holds: func(p *Profile) bool { return len(*field(p)) > 0 },
	}
}

// letters is the setting of the alphabet and the prefix of a pattern.
func letters(problem problems.Problem, field func(p *Profile) *Pattern) setting {
	return setting{
		problem: problem,
		take: func(p, donor *Profile) {
			f, d := field(p), *field(donor)
			f.Prefix = d.Prefix
			if f.Alphabet == AnyChars || f.Alphabet.covers(d.Alphabet) {
				f.Alphabet = d.Alphabet
			}
		},
		free: func(p *Profile) { f := field(p); f.Prefix, f.Alphabet = "", AnyChars },
		holds: func(p *Profile) bool {
			f := field(p)
			return f.Prefix != "" || f.Alphabet != AnyChars
		},
	}
}

// length is the setting of the length of a pattern. That there is an id or a name at all is no
// matter of length.
func length(problem problems.Problem, field func(p *Profile) *Pattern) setting {
	return setting{
		problem: problem,
		take: func(p, donor *Profile) {
			f, d := field(p), *field(donor)
			f.Min, f.Max = max(f.Min, d.Min), least(f.Max, d.Max)
			if f.Min > f.Max && f.Max > 0 {
				f.Min = d.Min
			}
		},
		free:  func(p *Profile) { f := field(p); f.Min, f.Max = min(f.Min, 1), 0 },
		holds: func(p *Profile) bool { f := field(p); return f.Max > 0 },
	}
}

// least is the smaller of two limits, where 0 is none.
func least(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// covers reports whether an alphabet has all ASCII characters of another.
func (a Alphabet) covers(b Alphabet) bool {
	for r := rune(0); r < 128; r++ {
		if b.Has(r) && !a.Has(r) {
			return false
		}
	}
	return true
}

// places orders the placements of system messages by how much they accept.
var places = []SystemPlacement{
	SystemAnywhere, SystemAfterUser, SystemMidway, SystemLeading, SystemRefused,
}

// place is the setting of where system messages may be: a profile restricts from one placement on,
// and is freed to another.
func place(problem problems.Problem, from, free SystemPlacement) setting {
	rank := func(s SystemPlacement) int { return slices.Index(places, s) }
	return setting{
		problem: problem,
		take: func(p, donor *Profile) {
			if rank(donor.System.Placement) > rank(p.System.Placement) {
				p.System.Placement = donor.System.Placement
			}
			p.System.Single = p.System.Single || donor.System.Single
		},
		free: func(p *Profile) {
			if rank(p.System.Placement) >= rank(from) {
				p.System.Placement, p.System.Single = free, false
			}
		},
		holds: func(p *Profile) bool { return rank(p.System.Placement) >= rank(from) },
	}
}

// one is the setting of a field with a value that restricts; the zero value does not.
func one[E comparable](problem problems.Problem, field func(p *Profile) *E, values ...E) setting {
	holds := func(p *Profile) bool {
		var zero E
		return *field(p) != zero && (len(values) == 0 || slices.Contains(values, *field(p)))
	}
	return setting{
		problem: problem,
		take:    func(p, donor *Profile) { *field(p) = *field(donor) },
		free: func(p *Profile) {
			if holds(p) {
				var zero E
				*field(p) = zero
			}
		},
		holds: holds,
	}
}

// settings is the table.
var settings = []setting{
	flag(problems.Control, func(p *Profile) *bool { return &p.Content.RefuseControls }),
	flag(problems.NoMessages, func(p *Profile) *bool { return &p.Turns.Required }),
	knownRoles,
	letters(problems.NamePattern, func(p *Profile) *Pattern { return &p.IDs.Participant }),
	length(problems.NamePattern, func(p *Profile) *Pattern { return &p.IDs.Participant }),
	firstTurn,
	neighbours,
	flag(problems.CallTurn, func(p *Profile) *bool { return &p.Turns.CallsAfterUser }),
	flag(problems.TextAfterResult, func(p *Profile) *bool { return &p.Turns.NoTextAfterResults }),
	flag(problems.Bridge, func(p *Profile) *bool { return &p.Turns.BridgeResults }),
	flag(problems.BridgeDocument, func(p *Profile) *bool { return &p.Turns.BridgeDocuments }),
	flag(problems.CallNotLast, func(p *Profile) *bool { return &p.Turns.TextBeforeCalls }),
	flag(problems.CallBeforeServed, func(p *Profile) *bool { return &p.Turns.ServedBeforeCalls }),

	place(problems.SystemRefused, SystemRefused, SystemLeading),
	place(problems.SystemLate, SystemLeading, SystemAnywhere),
	place(problems.SystemAfter, SystemAfterUser, SystemAnywhere),
	place(problems.SystemBefore, SystemMidway, SystemAfterUser),

	flag(problems.TrailingTurn, func(p *Profile) *bool { return &p.Prefill.Refused }),
	flag(problems.TrailingSpace, func(p *Profile) *bool { return &p.Prefill.Trim }),

	flag(problems.ParallelCalls, func(p *Profile) *bool { return &p.Pairing.OneCallPerMessage }),
	flag(problems.ToolsRefused, func(p *Profile) *bool { return &p.Tools.NoTools }),
	flag(problems.ServerRefused, func(p *Profile) *bool { return &p.Tools.NoServerTools }),
	flag(problems.ErrorFlag, func(p *Profile) *bool { return &p.Tools.NoErrorFlag }),
	flag(problems.Arguments, func(p *Profile) *bool { return &p.Tools.ObjectArguments }),
	flag(problems.OpaqueEmpty, func(p *Profile) *bool { return &p.Tools.EncryptedResults }),
	list(problems.ToolReserved, func(p *Profile) *[]string { return &p.Tools.Reserved }),
	one(problems.CallUnsigned, func(p *Profile) *string { return &p.Tools.CallSignature }),
	length(problems.NameLength, func(p *Profile) *Pattern { return &p.Tools.Name }),
	letters(problems.ToolName, func(p *Profile) *Pattern { return &p.Tools.Name }),

	letters(problems.IDPattern, func(p *Profile) *Pattern { return &p.IDs.Call }),
	length(problems.IDLength, func(p *Profile) *Pattern { return &p.IDs.Call }),
	letters(problems.ServerID, func(p *Profile) *Pattern { return &p.IDs.ServerCall }),
	length(problems.ServerID, func(p *Profile) *Pattern { return &p.IDs.ServerCall }),
	one(problems.IDDuplicate, func(p *Profile) *Scope { return &p.IDs.Unique }),

	flag(problems.EmptyMessage, func(p *Profile) *bool { return &p.Content.RefuseEmptyMessage }),
	list(problems.EmptyMessage, func(p *Profile) *[]Role { return &p.Content.NeedsText }),
	list(problems.EmptyMessage, func(p *Profile) *[]BareContent { return &p.Content.BareCalls }),
	flag(problems.EmptyText, func(p *Profile) *bool { return &p.Content.RefuseEmptyText }),
	flag(problems.BlankText, func(p *Profile) *bool { return &p.Content.RefuseBlankText }),
	flag(problems.ErrorEmpty, func(p *Profile) *bool { return &p.Content.ErrorNeedsText }),
	flag(problems.ErrorContent, func(p *Profile) *bool { return &p.Content.ErrorTextOnly }),
	flag(problems.ResultEmpty, func(p *Profile) *bool { return &p.Content.ResultNeedsText }),
	flag(problems.ChannelTags, func(p *Profile) *bool { return &p.Content.RefuseChannelTags }),
	list(problems.KindRefused, func(p *Profile) *[]RefKind { return &p.Content.RefusedKinds }),

	flag(problems.ReasoningRefused, func(p *Profile) *bool { return &p.Reasoning.Refused }),
	flag(problems.SignatureRefused, func(p *Profile) *bool { return &p.Reasoning.NoSignature }),
	flag(problems.Unsigned, func(p *Profile) *bool { return &p.Reasoning.Signed }),
	one(problems.Foreign, func(p *Profile) *Alphabet { return &p.Reasoning.SignatureAlphabet }),
	one(problems.ReasoningAbsent, func(p *Profile) *Replay { return &p.Reasoning.Replay },
		ReplayOnCalls, ReplayFromCalls),
	one(problems.ReasoningBeside, func(p *Profile) *Replay { return &p.Reasoning.Replay },
		ReplayInText),

	permit(problems.MediaRole, func(p *Profile) *[]Role { return &p.Media.Roles }),
	mediaInResult,
	permit(problems.MediaInResult, func(p *Profile) *[]string { return &p.Media.ResultKinds }),
	flag(problems.MediaRefused, func(p *Profile) *bool { return &p.Media.TextOnly }),
	permit(problems.MediaRefused, func(p *Profile) *[]string { return &p.Media.Kinds }),
	permit(problems.MediaRefused, func(p *Profile) *[]string { return &p.Media.URLKinds }),
	permit(problems.MediaRefused, func(p *Profile) *[]string { return &p.Media.FileKinds }),
	one(problems.MediaRefused, func(p *Profile) *bool { return &p.Media.NoURLs }),
	one(problems.MediaRefused, func(p *Profile) *bool { return &p.Media.NoFiles }),
	flag(problems.MediaUnreadable, func(p *Profile) *bool { return &p.Media.Readable }),
	flag(problems.MediaUnreadable, func(p *Profile) *bool { return &p.Media.Decodable }),
	flag(problems.MediaType, func(p *Profile) *bool { return &p.Media.MatchType }),
	letters(problems.MediaName, func(p *Profile) *Pattern { return &p.Media.Title }),
	length(problems.MediaName, func(p *Profile) *Pattern { return &p.Media.Title }),
	flag(problems.MediaNameTwice, func(p *Profile) *bool { return &p.Media.UniqueTitles }),
	list(problems.MediaLimit, func(p *Profile) *[]MediaLimit { return &p.Media.Limits }),
	flag(problems.DocumentAlone, func(p *Profile) *bool { return &p.Media.DocumentNeedsText }),
	flag(problems.FileName, func(p *Profile) *bool { return &p.Media.FileNeedsName }),
	one(problems.FileName, func(p *Profile) *bool { return &p.Media.DocumentNeedsTitle }),

	itemIDs(problems.ItemID), itemIDs(problems.ItemIDPrefix), itemIDs(problems.ItemIDLength),
	list(problems.ItemAlone, func(p *Profile) *[]string { return &p.Items.NeedReasoning }),

	one(problems.CacheLimit, func(p *Profile) *int { return &p.Cache.Limit }),
	flag(problems.CacheReasoning, func(p *Profile) *bool { return &p.Cache.NoReasoning }),
	flag(problems.CacheDocument, func(p *Profile) *bool { return &p.Cache.NoDocument }),
	flag(problems.CacheOrder, func(p *Profile) *bool { return &p.Cache.LongFirst }),
}

// knownRoles is the setting of the spellings of roles.
var knownRoles = setting{
	problem: problems.RoleUnknown,
	take: func(p, donor *Profile) {
		both := slices.Clone(donor.Roles)
		if len(p.Roles) > 0 {
			both = slices.DeleteFunc(both, func(r Role) bool { return !slices.Contains(p.Roles, r) })
		}
		p.Roles, p.AnyRole = both, p.AnyRole && donor.AnyRole
	},
	free: func(p *Profile) {
		p.AnyRole = true
		for _, r := range []Role{"developer", "function"} {
			if !slices.Contains(p.Roles, r) {
				p.Roles = append(slices.Clone(p.Roles), r)
			}
		}
	},
	holds: func(p *Profile) bool { return !p.AnyRole },
}

// firstTurn is the setting of whose turn is first.
var firstTurn = setting{
	problem: problems.FirstRole,
	on:      func(p *Profile) { p.Turns.UserFirst = true },
	free:    func(p *Profile) { p.Turns.UserFirst, p.Turns.CallsAfterUser = false, false },
	holds:   func(p *Profile) bool { return p.Turns.UserFirst || p.Turns.CallsAfterUser },
}

// neighbours is the setting of consecutive messages of one role. Where a format reads them as one
// turn, it does so still when they are accepted.
var neighbours = setting{
	problem: problems.Alternation,
	on:      func(p *Profile) { p.Turns.Neighbours = NeighboursMerged },
	free: func(p *Profile) {
		if p.Turns.Neighbours != NeighboursMerged {
			return
		}
		p.Turns.Neighbours = NeighboursApart
		name := p.Format
		if name == "" {
			name = p.Provider
		}
		if format, ok := ByName(name, ""); ok && format.Turns.Neighbours != NeighboursMerged {
			p.Turns.Neighbours = format.Turns.Neighbours
		}
	},
	holds: func(p *Profile) bool { return p.Turns.Neighbours == NeighboursMerged },
}

// mediaInResult is the setting of media in results.
var mediaInResult = setting{
	problem: problems.MediaInResult,
	take:    func(p, donor *Profile) { p.Media.InResult = p.Media.InResult && donor.Media.InResult },
	free:    func(p *Profile) { p.Media.InResult = true },
	holds:   func(p *Profile) bool { return !p.Media.InResult },
}

// itemIDs is the setting of the ids of items.
func itemIDs(problem problems.Problem) setting {
	return setting{
		problem: problem,
		take:    func(p, donor *Profile) { p.Items.IDs = maps.Clone(donor.Items.IDs) },
		free:    func(p *Profile) { p.Items.IDs = freedIDs(p.Items.IDs, problem) },
		holds:   func(p *Profile) bool { return len(p.Items.IDs) > 0 },
	}
}

// freedIDs are the patterns of ids without what the problem is about.
func freedIDs(ids map[string]Pattern, problem problems.Problem) map[string]Pattern {
	out := maps.Clone(ids)
	for kind, pattern := range out {
		switch problem {
		case problems.ItemID:
			pattern.Alphabet, pattern.Min = AnyChars, 0
		case problems.ItemIDPrefix:
			pattern.Prefix = ""
		default:
			pattern.Max = 0
		}
		out[kind] = pattern
	}
	return out
}
