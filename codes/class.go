package codes

// This file sorts the codes by what they mean to the caller.

// Class says how much a change matters. The classes are ordered: an alarm is one comparison.
//
//	if w.Class() >= codes.Lossy { alert(w) }
type Class int

// The classes.
const (
	// Layout is content in another place or spelling: a part that moved, messages that were
	// joined, a role, a cache breakpoint.
	Layout Class = iota
	// Lossless is content that was added, rewritten in another form, or removed as a copy: a
	// placeholder, an id, a call that became text. Nothing that the history said is lost.
	Lossless
	// Lossy is content that was removed or shortened.
	Lossy
	// Rank is content that another author speaks now, because the provider has no other place for
	// it: a system message that became a user turn, a picture of a tool result in a user turn, a
	// tool result as text. preflight.Options.Strict refuses it.
	Rank
	// Ambiguous is a choice between several readings of a corrupt history; see
	// preflight.Options.Strict.
	Ambiguous
)

// String returns the class in lower case: "layout", "lossless", "lossy", "rank" or "ambiguous".
func (c Class) String() string {
	if c < Layout || c > Ambiguous {
		return "unknown"
	}
	return [...]string{"layout", "lossless", "lossy", "rank", "ambiguous"}[c]
}

// classes has the class of each code of preflight's.
var classes = map[Code]Class{
	// Moved, joined, spelled otherwise; empty things that are gone.
	NilRemoved: Layout, BindingCleared: Layout, RoleMapped: Layout,
	PartMoved: Layout, ReasoningMoved: Layout, ResultMoved: Layout,
	CallMoved:    Layout,
	EmptyRemoved: Layout, MessageRemoved: Layout, Merged: Layout, Reordered: Layout,
	CallsSplit: Layout, CacheMoved: Layout, CacheRemoved: Layout, CacheChanged: Layout,
	TrailingTrimmed: Layout, ItemIDRemoved: Layout, SignatureRemoved: Layout,
	PlaceholderReplaced: Layout,
	ShapeRepaired:       Layout, SystemHoisted: Layout, SystemMoved: Layout,

	// Added, or said in another way.
	NameRepaired: Lossless, IDRewritten: Lossless, PartToText: Lossless,
	PartChanged: Lossless, ReasoningAdded: Lossless, MediaRepaired: Lossless,
	CallRepeated: Lossless, DuplicateRemoved: Lossless, DanglingAnswered: Lossless,
	PartialAppended:   Lossless,
	ArgumentsRepaired: Lossless, CallSigned: Lossless, ResultFilled: Lossless,
	TextAdded: Lossless, ErrorToText: Lossless, TurnInserted: Lossless, Continued: Lossless,
	BlockConverted: Lossless, ToolsDeclared: Lossless, ToolAliased: Lossless,
	SettingAdded: Lossless,

	// Removed or shortened.
	// MetadataStripped is the encrypted reasoning that the metadata of a response may hold.
	MetadataStripped: Lossy, NestingRemoved: Lossy, TextRepaired: Lossy, Truncated: Lossy,
	TruncatedOlder: Lossy,
	CutToSize:      Lossy, SystemRemoved: Lossy, PartRemoved: Lossy, ReasoningRemoved: Lossy,
	MediaRemoved: Lossy, MediaDescribed: Lossy, OrphanRemoved: Lossy, ResultRemoved: Lossy,
	DanglingRemoved: Lossy, DanglingReplaced: Lossy, TrailingStripped: Lossy, Fallback: Lossy,
	FieldRemoved: Lossy, DuplicateFieldRemoved: Lossy, ToolRemoved: Lossy,
	ToolRenamed:      Lossy,
	ContainerRemoved: Lossy, NotCarried: Lossy, ThinkingDisabled: Lossy,

	// Said by another author now.
	SystemDemoted: Rank, MediaMoved: Rank, OrphanToText: Rank, ResultToText: Rank,
	PartLifted: Rank,

	// Chosen.
	ResultRebound: Ambiguous, DuplicatesMerged: Ambiguous,
}

// Class returns the class of changes with this code. ok is false for Hook and for codes that are
// not preflight's, whose class depends on the change: see Warning.Class.
func (c Code) Class() (class Class, ok bool) {
	class, ok = classes[c]
	return class, ok
}
