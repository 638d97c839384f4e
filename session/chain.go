package session

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file is what Claude Code, Qwen Code and pi have in common: records that name the record
// before them. A client starts at the end and follows the names, so that one lost record hides all
// before it:
//
//	{"uuid":"u1","parentUuid":null}
//	{"uuid":"u3","parentUuid":"u2"}    u2 is lost: u1 is forgotten, until u3 is linked to u1

// uuid and parent are the members by which records form a chain.
const (
	uuid   = "uuid"
	parent = "parentUuid"
)

// chained reports whether a record is part of a chain.
func (l *line) chained() bool { return l.str(uuid) != "" && l.at(parent).Exists() }

// chainedOf returns the records that are part of a chain, in order.
func chainedOf(records []*line) []*line {
	var chained []*line
	for _, record := range records {
		if record.chained() {
			chained = append(chained, record)
		}
	}
	return chained
}

// byUUID returns the records by their uuid; of several with one uuid the first.
func byUUID(records []*line) map[string]*line { return byMember(records, uuid) }

func byMember(records []*line, member string) map[string]*line {
	known := make(map[string]*line, len(records))
	for _, l := range records {
		if id := l.str(member); id != "" && known[id] == nil {
			known[id] = l
		}
	}
	return known
}

// lastCopies returns records without those that are copies of a later one: where a client continues
// is where the last copy is. id is the member with their ids.
func lastCopies(records []*line, id string) []*line {
	last := make(map[string]*line, len(records))
	for _, record := range records {
		last[record.str(id)] = record
	}
	if len(last) == len(records) {
		return records
	}
	var kept []*line
	for _, record := range records {
		if other := last[record.str(id)]; other == record || !bytes.Equal(other.raw, record.raw) {
			kept = append(kept, record)
		}
	}
	return kept
}

// parentsFirst returns chained records in an order in which each comes after its parent: their own
// order, where it has that property. looped holds the records whose parent comes after them in any
// order, because they are among its ancestors.
func parentsFirst(records []*line) (order []*line, looped map[*line]bool) {
	return inOrder(records, uuid, parent)
}

// inOrder does the same where the members have other names.
func inOrder(records []*line, id, parent string) (order []*line, looped map[*line]bool) {
	known := byMember(records, id)
	order = make([]*line, 0, len(records))
	looped = map[*line]bool{}
	const entered, done = 1, 2
	state := make(map[*line]int, len(records))
	for _, record := range records {
		var path []*line // record and those of its ancestors that are not in order yet
		for l := record; l != nil && state[l] != done; l = known[l.str(parent)] {
			if state[l] == entered {
				looped[path[len(path)-1]] = true
				break
			}
			state[l] = entered
			path = append(path, l)
		}
		for k := len(path) - 1; k >= 0; k-- {
			state[path[k]] = done
			order = append(order, path[k])
		}
	}
	return order, looped
}

// sortChain puts records that come before their parent after it, for clients that start at the last
// line of the file. order has the records with their parents first.
func sortChain(l *log, r *Report, records, order []*line) {
	if slices.Equal(order, records) {
		return
	}
	r.add(Finding{
		Code: CodeOutOfOrder, Lines: numbered(l.reorder(records, order)...),
		Problem: "records come before those that they follow, so the client " + r.does("forget") +
			" a part of the session",
		Fix: "put the records in the order of the conversation",
	})
}

// tree is the records of a client that name the one before them, and what shows where a record
// belongs whose parent is lost.
type tree struct {
	id, parent string  // the members with the ids
	records    []*line // parents first
	looped     map[*line]bool
	old        map[*line]bool             // records that are left alone
	results    func(*line) []string       // the ids of the calls that a record has results of
	calls      func(*line) []string       // the ids of the calls that a record makes
	cut        map[string]*head           // lines that are cut off after their id
	callers    map[string]*line           // the record of each call, nil where several have its id
	answers    map[*line]*line            // the last result that is placed, by the record of its call
	copies     map[*line]bool             // records that are in the file a second time
	children   map[string]map[string]bool // see followed, by thread
	branched   map[string]bool            // the threads of which a second message follows one record
	around     func()                     // mends what else names records that were dropped; or nil
}

// linksByUUID returns the records that form a chain by their uuid.
func linksByUUID(l *log) *tree {
	return &tree{id: uuid, parent: parent, records: chainedOf(l.objects())}
}

// relink gives each record whose parent is not in the file a parent again: that of the line of
// which only the beginning is left, or the record with its call, or else the record before it.
// Records that had the same parent get the same one. Where the session has branches, the record
// before may be of one that the user has left, and nothing is linked to it. Records in old are left
// alone, and so is one that nothing comes before.
func (t *tree) relink(l *log, r *Report) {
	t.prepare(l)
	known := byMember(t.records, t.id)
	placed := make(map[*line]bool, len(t.records))
	instead := map[string]*line{} // by the id of the parent that is missing
	last := map[string]*line{}    // by thread
	for _, record := range t.records {
		id, thread := record.str(t.parent), threadOf(record)
		missing := id != "" && known[id] == nil || t.looped[record]
		if missing && !t.old[record] {
			to, again := instead[id]
			from, begins := t.shown(record, known, instead)
			if begins || placed[from] {
				to, again = from, true
			}
			if !again && !t.branched[thread] && !t.followed(thread)[id] {
				to = last[thread]
			}
			if to != nil || begins || t.looped[record] {
				instead[id] = to
				for cut := t.cut[id]; cut != nil && cut.parent != ""; cut = t.cut[cut.parent] {
					if _, has := instead[cut.parent]; has || known[cut.parent] != nil {
						break
					}
					instead[cut.parent] = to
				}
				linkTo(l, r, record, to, t.id, t.parent)
			} else if last[thread] == nil {
				instead[id] = nil // what is lost is before the first record, for its other children too
			} else {
				r.add(Finding{
					Code: CodeBrokenChain, Lines: numbered(record),
					Problem: r.hole(l) + ", and the session has branches, " +
						"so it is not known which one the record continues",
				})
			}
		}
		placed[record] = true
		if !t.copies[record] {
			t.place(record, id)
			last[thread] = record
		}
	}
}

// threadOf names the conversation that a record is of: the one with the user, or one of a subagent.
func threadOf(record *line) string {
	if record.at("isSidechain").Kind() != jsonscan.True {
		return ""
	}
	return "side " + record.str("agentId")
}

// prepare gathers what shows where records belong.
func (t *tree) prepare(l *log) {
	t.children, t.branched = map[string]map[string]bool{}, map[string]bool{}
	t.callers, t.answers = map[string]*line{}, map[*line]*line{}
	t.copies = map[*line]bool{}
	known := byMember(t.records, t.id)
	for _, record := range t.records {
		if first := known[record.str(t.id)]; first != nil && first != record {
			t.copies[record] = true
			continue
		}
		for _, id := range t.calls(record) {
			if _, again := t.callers[id]; again {
				t.callers[id] = nil
			} else {
				t.callers[id] = record
			}
		}
	}
	t.cut = map[string]*head{}
	for _, line := range l.lines {
		if !line.broken {
			continue
		}
		cut := headOf(line.raw, t.id, t.parent)
		if cut.id != "" {
			t.cut[cut.id] = cut
		}
	}
}

// shown returns the record that a record whose parent is missing is shown to follow, nil for none,
// and whether the conversation is shown to begin with it. instead has the records that take the
// place of missing ones.
func (t *tree) shown(record *line, known, instead map[string]*line) (from *line, begins bool) {
	lost := t.cut[record.str(t.parent)]
	for range t.cut { // the parent of a lost record may be lost, too
		if lost == nil {
			break
		}
		if to := cmp.Or(known[lost.parent], instead[lost.parent]); to != nil || lost.first {
			return to, lost.first
		}
		lost = t.cut[lost.parent]
	}
	for _, id := range t.results(record) {
		call := t.callers[id]
		return cmp.Or(t.answers[call], call), false // the results of one record follow each other
	}
	return nil, false
}

// place notes that a record has its parent, and whether that or the one that it had before shows a
// branch. Results of parallel calls may be beside what follows their call.
func (t *tree) place(record *line, before string) {
	for _, id := range t.results(record) {
		if call := t.callers[id]; call != nil {
			t.answers[call] = record
		}
	}
	if record.str("type") == "branch_summary" {
		t.branched[threadOf(record)] = true // of the branch that the user has left
	}
	if t.old[record] || !record.at("message").Exists() || len(t.results(record)) > 0 {
		return
	}
	thread, id := threadOf(record), record.str(t.parent)
	followed := t.followed(thread)
	t.branched[thread] = t.branched[thread] || followed[id] || followed[before]
	followed[id], followed[before], followed[""] = true, true, true
}

// followed returns the ids of the records of a thread that a message follows, and "" where one
// begins the conversation.
func (t *tree) followed(thread string) map[string]bool {
	if t.children[thread] == nil {
		t.children[thread] = map[string]bool{}
	}
	return t.children[thread]
}

// head is what is left of a line that is cut off.
type head struct {
	id, parent string
	first      bool // it has no parent
}

// headOf reads the members of an object up to the place where it is cut off.
func headOf(raw []byte, id, parent string) *head {
	h := &head{}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return h
	}
	for decoder.More() {
		name, err := decoder.Token()
		var value json.RawMessage
		if err != nil || decoder.Decode(&value) != nil {
			break
		}
		switch name {
		case id:
			if h.id = valueOf(value).Str(); h.id == "" {
				h.id = string(valueOf(value).Raw()) // a number
			}
		case parent:
			h.parent, h.first = valueOf(value).Str(), string(value) == "null"
		}
	}
	return h
}

// linkTo links a record whose parent is missing or in a loop with it to another one; where that is
// nil, the conversation begins with the record.
func linkTo(l *log, r *Report, record, to *line, id, parent string) {
	link, fix := []byte("null"), "begin the conversation with it"
	if to != nil {
		link, fix = quote(to.str(id)), "link it to the record before it"
	}
	record.set(link, parent)
	r.add(Finding{
		Code: CodeBrokenChain, Lines: numbered(record), Problem: r.hole(l), Fix: fix,
	})
}

// setParent makes to the parent of a record.
func (l *line) setParent(to *line) { l.set(quote(to.str(uuid)), parent) }

// chainTo returns the records from the beginning of a chain to leaf, given those by their id and
// the member that names the one before.
func chainTo(leaf *line, known map[string]*line, parent string) []*line {
	seen := map[*line]bool{}
	var chain []*line
	for l := leaf; l != nil && !seen[l]; l = known[l.str(parent)] {
		seen[l] = true
		chain = append(chain, l)
	}
	slices.Reverse(chain)
	return chain
}

// numbered returns the numbers of lines, without those of added ones.
func numbered(lines ...*line) []int {
	var numbers []int
	for _, l := range lines {
		if l.number > 0 {
			numbers = append(numbers, int(l.number))
		}
	}
	return numbers
}

// elements returns the elements of an array.
func elements(list jsonscan.Value) []jsonscan.Value {
	var all []jsonscan.Value
	if list.Kind() != jsonscan.Array {
		return nil
	}
	for v := list.First(); v.Exists(); v = v.Next() {
		all = append(all, v)
	}
	return all
}

// undoAnswers drops results that an earlier repair added and that have a real one beside them by
// now. added has the call of each, by the uuid that the repair gave it; results are the ids of the
// calls that a record has results of. It reports whether it dropped any.
func undoAnswers(l *log, r *Report, added map[string]string, results func(*line) []string) bool {
	records := chainedOf(l.objects())
	real := map[string]bool{}
	var ours []*line
	for _, record := range records {
		if _, our := added[record.str(uuid)]; our {
			ours = append(ours, record)
			continue
		}
		for _, id := range results(record) {
			real[id] = true
		}
	}
	dropped := false
	for _, record := range ours {
		if !real[added[record.str(uuid)]] {
			continue
		}
		record.dropped, dropped = true, true
		found := lateResult
		found.Lines = numbered(record)
		r.add(found)
	}
	if dropped {
		linkAround(records, byUUID(records), uuid, parent)
	}
	return dropped
}

// linkAround links the records that followed a dropped one to what that one followed, given the
// records by their id and the members with the ids.
func linkAround(records []*line, known map[string]*line, id, parent string) {
	instead := map[*line]*line{} // of a dropped record, the one before it that stays; nil for none
	before := func(l *line) *line {
		var path []*line
		for l != nil && l.dropped {
			to, again := instead[l]
			if again {
				l = to
				break
			}
			instead[l] = nil // in a loop of dropped records, there is none
			path = append(path, l)
			l = known[l.str(parent)]
		}
		for _, dropped := range path {
			instead[dropped] = l
		}
		return l
	}
	for _, record := range records {
		to := known[record.str(parent)]
		if record.dropped || to == nil || !to.dropped {
			continue
		}
		link := []byte("null")
		if to = before(to); to != nil {
			link = quote(to.str(id))
		}
		record.set(link, parent)
	}
}
