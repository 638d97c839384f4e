package session

import (
	"cmp"
	"slices"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// pi is the coding agent pi, which OpenClaw is built on, measured with versions 0.73.1 and 1.6.0. A
// session is a tree of records with id and parentId; the client follows it from the last record of
// the file.
//
// On resume it answers calls without a result, and skips lines that are no JSON. A record whose
// parent is lost is where the conversation begins, so that all before it is forgotten. A result
// that comes after other messages is sent there, beside the one that the client makes up. A session
// names the version of its format, and not that of the program.
var pi = client{
	name:     "pi",
	title:    "pi",
	programs: []string{"pi", "openclaw", "pi-coding-agent"},
	places:   []Place{{"PI_CODING_AGENT_DIR", ".pi/agent", "sessions"}},
	format:   "anthropic",
	starts:   []string{`{"type":"`},
	habits:   []habits{{from: "0.73.1", to: "1.6.0", dropsDoubles: true}},
	knows: func(l *line) bool {
		if l.str("type") == "session" {
			return l.at("cwd").Exists() && l.at("version").Exists() && l.at("timestamp").Exists()
		}
		return l.at(piParent).Exists() && l.at("id").Exists() && l.at("timestamp").Exists() &&
			!l.at("data").Exists()
	},
	says:     []string{"message"},
	id:       "id",
	compacts: func(l *line) bool { return l.str("type") == "compaction" },
	hooked: func(l *line) bool {
		return l.str("type") == piCustom || l.at("fromHook").Kind() == jsonscan.True
	},
	emptied: emptyAt("message", "content"),
	links: func(l *log) *tree {
		t := piTreeOf(l)
		return &tree{id: "id", parent: piParent, records: t.records, around: t.keepAround}
	},
	model: func(l *line) string {
		return cmp.Or(l.str("message", "model"), l.str("modelId"))
	},
	thinks: func(l *log) (asked, known bool) {
		for _, record := range piTreeOf(l).chain() {
			if level := record.str("thinkingLevel"); level != "" {
				asked, known = level != "off", true
			}
		}
		return asked, known
	},
	repair:   repairPi,
	read:     readPi,
	formatOf: piFormat,
	textBlock: func(text string) []byte {
		return object("type", "text", "text", text)
	},
}

const piParent = "parentId"

// piTree is the records of a log, in order, by their id.
type piTree struct {
	records []*line
	known   map[string]*line
}

func piTreeOf(l *log) *piTree {
	t := &piTree{known: map[string]*line{}}
	for _, record := range l.objects() {
		if record.str("type") == "session" || !record.at(piParent).Exists() {
			continue
		}
		t.records = append(t.records, record)
		t.known[record.str("id")] = record // the last one of an id counts
	}
	return t
}

// chain returns the records that the client follows, the first first.
func (t *piTree) chain() []*line {
	if len(t.records) == 0 {
		return nil
	}
	return chainTo(t.records[len(t.records)-1], t.known, piParent)
}

// piTail is the member of a compaction with the messages that it kept, in newer versions.
const piTail = "retainedTail"

// piKept is the member of a compaction that names the first of the records before it that it kept.
// Where no record has that id, the client sends none of them.
const piKept = "firstKeptEntryId"

// kept returns the last compaction of the chain and the records before it from the first one that
// it kept on, none where no record has that id.
func (t *piTree) kept() (compaction *line, records []*line) {
	chain := t.chain()
	for k := len(chain) - 1; k >= 0; k-- {
		if chain[k].str("type") != "compaction" {
			continue
		}
		for from, record := range chain[:k] {
			if record.str("id") == chain[k].str(piKept) {
				return chain[k], chain[from:k]
			}
		}
		return chain[k], nil
	}
	return nil, nil
}

// keepAround makes the compaction name the first kept record that stays, where the one that it
// names is dropped.
func (t *piTree) keepAround() {
	compaction, kept := t.kept()
	if len(kept) == 0 || !kept[0].dropped {
		return
	}
	for _, record := range kept {
		if !record.dropped {
			compaction.set(quote(record.str("id")), piKept)
			return
		}
	}
}

// keepAfterLost makes the compaction name the record after the one that it names, where that is
// lost. after has the records whose parent was missing, by the id of the parent.
func (t *piTree) keepAfterLost(r *Report, after map[string][]*line) {
	compaction, kept := t.kept()
	if compaction == nil || kept != nil {
		return
	}
	chain := t.chain()
	chain = chain[:slices.Index(chain, compaction)]
	k := slices.IndexFunc(after[compaction.str(piKept)], func(record *line) bool {
		return slices.Contains(chain, record)
	})
	if k < 0 {
		return
	}
	compaction.set(quote(after[compaction.str(piKept)][k].str("id")), piKept)
	r.add(Finding{
		Code: CodeBrokenChain, Lines: numbered(compaction),
		Problem: "the first record that the compaction kept is missing, so the client " +
			r.does("forget") + " all that it kept",
		Fix: "keep the records after it",
	})
}

// sent returns the records of the chain that are sent: those after the last compaction, and those
// that it kept.
func (t *piTree) sent() []*line {
	chain := t.chain()
	for k := len(chain) - 1; k >= 0; k-- {
		if chain[k].str("type") != "compaction" {
			continue
		}
		if chain[k].at(piTail).Kind() == jsonscan.Array {
			return chain[k:]
		}
		kept := slices.IndexFunc(chain[:k], func(record *line) bool {
			return record.str("id") == chain[k].str(piKept)
		})
		if kept < 0 {
			kept = k
		}
		return slices.Concat(chain[k:k+1], chain[kept:k], chain[k+1:])
	}
	return chain
}

// repairPi drops second copies, puts records after their parents, links records whose parent is
// lost, and moves late results.
func repairPi(l *log, r *Report) {
	ids := map[string]*line{}
	copies := piTreeOf(l).records
	for k, record := range copies {
		if first := ids[record.str("id")]; first != nil && string(first.raw) == string(record.raw) {
			if k == len(copies)-1 {
				record = first // the client continues from the last record
			}
			record.dropped = true
			r.add(Finding{
				Code: CodeDoubledLine, Lines: numbered(record),
				Problem: "the record is in the file twice",
				Fix:     "remove the second one",
			})
			continue
		}
		ids[record.str("id")] = record
	}
	records := piTreeOf(l).records
	order, looped := inOrder(records, "id", piParent)
	sortChain(l, r, records, order)
	t := &tree{id: "id", parent: piParent, results: piResults, calls: piCalls}
	t.records, t.looped = order, looped
	after := map[string][]*line{}
	known := byMember(order, "id")
	for _, record := range order {
		if id := record.str(piParent); id != "" && known[id] == nil {
			after[id] = append(after[id], record)
		}
	}
	t.relink(l, r)
	piTreeOf(l).keepAfterLost(r, after)
	movePiResults(l, r)
	dropPiOrphans(l, r)
}

// dropPiOrphans drops results whose call is not sent, which the client sends all the same, and
// links around them.
func dropPiOrphans(l *log, r *Report) {
	t := piTreeOf(l)
	calls, sent := map[string]bool{}, t.sent()
	edits := piEdits(sent)
	for _, record := range sent {
		edit, edited := edits[record.str("id")]
		if edited && edit.at(piReplacement).Kind() != jsonscan.Object {
			continue // it is not sent
		}
		if !piSkips(record.at("message")) {
			ids := piCalls(record)
			if edited && ids != nil {
				ids = piCallsIn(edit.at(piReplacement, "content"))
			}
			for _, id := range ids {
				calls[id] = true
			}
		}
		if id := record.str("message", "toolCallId"); id != "" && !calls[id] {
			record.dropped = true
			r.add(Finding{
				Code: CodeOrphanResult, Lines: numbered(record),
				Problem: "the result's tool call is not in the file, or not sent",
				Fix:     "remove the result, and link the next record to the one before",
			})
		}
	}
	t.keepAround()
	linkAround(t.records, t.known, "id", piParent)
}

// piResults returns the id of the call that a record is the result of.
func piResults(record *line) []string {
	if id := record.str("message", "toolCallId"); id != "" {
		return []string{id}
	}
	return nil
}

// piCalls returns the ids of the calls that a record makes.
func piCalls(record *line) []string {
	ids := piCallsOf(record.at("message"))
	for _, kept := range elements(record.at(piTail)) {
		ids = append(ids, piCallsOf(kept)...)
	}
	return ids
}

func piCallsOf(m jsonscan.Value) (ids []string) { return piCallsIn(m.Get("content")) }

func piCallsIn(content jsonscan.Value) (ids []string) {
	for _, block := range elements(content) {
		if id := block.Get("id").Str(); block.Get("type").Str() == "toolCall" && id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// movePiResults links results that come after other messages to the end of their call's results.
func movePiResults(l *log, r *Report) {
	chain := piTreeOf(l).chain()
	called := map[string]*line{}
	var message *line // the last one that is no result
	var late []*line
	for _, record := range chain {
		if kind := record.str("type"); kind != "message" && kind != piCustom &&
			!record.at(piTail).Exists() {
			continue
		}
		if record.str("message", "role") != "toolResult" {
			message = record
			for _, id := range piCalls(record) {
				called[id] = record
			}
			continue
		}
		if call := called[record.str("message", "toolCallId")]; call != nil && call != message {
			late = append(late, record)
		}
	}
	if late == nil {
		return
	}
	after := map[*line][]*line{}
	moved := map[*line]bool{}
	for _, record := range late {
		call := called[record.str("message", "toolCallId")]
		after[call] = append(after[call], record)
		moved[record] = true
		r.add(Finding{
			Code: CodeOutOfOrder, Lines: numbered(record),
			Problem: "the result comes after other messages than its call",
			Fix:     "move the result after its call",
		})
	}
	var order []*line
	for _, record := range chain {
		if !moved[record] {
			order = append(append(order, record), after[record]...)
		}
	}
	for k := 1; k < len(order); k++ {
		if id := order[k-1].str("id"); order[k].str(piParent) != id {
			order[k].set(quote(id), piParent)
		}
	}
	l.reorder(chain, order)
}
