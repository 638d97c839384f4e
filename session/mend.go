package session

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/wire"
)

// This file mends the content of messages: what a repair of the request does to a block is done to
// the record that the block is from.

// origin is where the block of a message is from.
type origin struct {
	record *line
	path   []any // member names and indexes, from the record's object to a list or a text
	index  int   // of the block in the list; asText for a text
	inner  []any // the list with the parts of a result, where that is somewhere else than in content
}

const asText = -1

// blocksOf returns the origins of the elements of a list.
func blocksOf(record *line, n int, path ...any) []origin {
	var all []origin
	for k := range n {
		all = append(all, origin{record: record, path: path, index: k})
	}
	return all
}

// mending is what is done about a fault of content, by the code of the warning that a repair of the
// request gives.
var mending = map[codes.Code]struct {
	do  func(m *mender, at wire.Warning, message int) bool
	fix string
}{
	codes.TextRepaired: {
		(*mender).respell, "put U+FFFD in place of what is not valid Unicode",
	},
	codes.EmptyRemoved:     {(*mender).removeOrRewrite, "remove the text"},
	codes.MessageRemoved:   {(*mender).remove, "remove the message"},
	codes.ReasoningRemoved: {(*mender).remove, "remove the reasoning"},
	codes.OrphanRemoved:    {(*mender).remove, "remove the result"},
	codes.DanglingRemoved:  {(*mender).remove, "remove the call"},
	codes.DuplicateRemoved: {(*mender).removeAgain, "remove the second one"},
	codes.ReasoningMoved:   {(*mender).front, "move the reasoning to the front of its turn"},
	codes.PartRemoved:      {(*mender).remove, "remove the block"},
	codes.MediaDescribed:   {(*mender).describeOrRewrite, "put a text in its place"},
	codes.MediaRemoved:     {(*mender).removeOrRewrite, "remove the picture or file"},
	codes.MediaRepaired:    {(*mender).rewrite, "write the type that the data has"},
	codes.ArgumentsRepaired: {
		(*mender).rewrite, "put the arguments into an object",
	},
	codes.IDRewritten:   {(*mender).renameIDs, "write an id that the provider takes"},
	codes.ResultFilled:  {(*mender).rewrite, "write that the error has no text"},
	codes.NameRepaired:  {(*mender).renameTools, "write a name that the provider takes"},
	codes.ShapeRepaired: {(*mender).rewrite, "write it in the form that the provider takes"},
}

// mender gathers the edits of a log.
type mender struct {
	client   *client
	log      *log
	messages []message
	ids      map[string]string // new ones of calls, by the old ones
	newIDs   map[string]string // what a repair of the request makes of all ids; see gatherIDs
	pairs    map[[2]string]int
	first    int // messages that the client sends before them
	repaired []wire.Element
	lists    []*listEdit
	at       map[listKey]*listEdit
	lines    []*line // those that the last edit was of

	apart  map[*line]map[string]string // new ids in one record, see renameApart
	counts map[*line]map[string]int    // ids in a record, see gatherIDs
	sentOf map[*line]int               // what is left of a record, see removeAgain
	merged map[string]bool             // the calls whose results a repair of the request makes one

	// Indexes: what repaired has of a message, the ids of records, and the messages whose ids and
	// names are written already.
	made       map[int][]wire.Element
	owned      map[string]bool
	renumbered map[int]bool // and whether any was
	named      map[int]bool

	looked reading
}

// A reading is what was read of the message that the last warning was about. The next is mostly
// about the same one.
type reading struct {
	message    int
	sent, made jsonscan.Value // its blocks, and what a repair makes of them
	elements   map[jsonscan.Value][]jsonscan.Value

	// how many of both are the same from the first one on, and from the last one; see isDropped
	compared      bool
	before, after int
}

// listKey names a list by its record and its path.
type listKey struct {
	record *line
	path   string
}

// listEdit is what is done to a list in a record, or to a text.
type listEdit struct {
	record  *line
	path    []any
	nested  bool // in a block
	removed map[int]bool
	instead map[int][]byte
	cleared bool           // the text
	front   [][]byte       // elements that are put before the others
	like    jsonscan.Value // an object like the one that the list is in, where that is missing
}

// mend does to the records what a repair does to the request that the client sends, as far as it
// concerns the content of messages. found is what is wrong with that. It reports whether it did
// anything.
func (c *client) mend(l *log, r *Report, found []wire.Violation) (done bool) {
	first := 0
	if c.opens != "" {
		first = 1
	}
	l.whole = map[int]bool{}
	for _, v := range found {
		l.whole[messageOf(v.Path)-first] = true
	}
	messages, _ := c.read(l)
	l.whole = nil
	asked := c.sessionOf(l, messages)
	body, betas := asked.request(c.opens), asked.betas
	l.forget()
	result, err := wire.Sanitize(context.Background(), body, &wire.Options{
		Provider: c.format, Betas: betas,
		Options: preflight.Options{Trailing: preflight.TrailingKeep},
	})
	if err != nil {
		return false
	}
	what := map[string]string{}
	for _, v := range found {
		what[v.Path+" "+v.Rule] = v.Detail
	}
	m := &mender{
		client: c, log: l, messages: messages, first: first, repaired: result.Elements,
		at: map[listKey]*listEdit{}, ids: map[string]string{}, apart: map[*line]map[string]string{},
		renumbered: map[int]bool{}, named: map[int]bool{}, looked: reading{message: -1},
		merged: map[string]bool{},
	}
	for _, w := range result.Warnings {
		if w.Code == codes.DuplicatesMerged && w.ToolCallID != "" {
			m.merged[w.ToolCallID] = true
		}
	}
	var links *tree
	if c.links != nil {
		links = c.links(l)
	}
	for _, w := range result.Warnings {
		how, known := mending[w.Code]
		k := messageOf(w.Path) - first
		if !known || w.Rule == "" || k < 0 || k >= len(messages) ||
			!strings.HasPrefix(w.Path, listMember(c.format)) {
			continue
		}
		m.lines = nil
		m.look(k)
		if !how.do(m, w, k) {
			continue
		}
		done = true
		problem := what[w.Path+" "+w.Rule]
		if problem == "" {
			problem = "the message breaks the rule " + w.Rule
		}
		r.add(Finding{
			Code: Code(w.Code), Rule: w.Rule, Lines: numbered(m.lines...),
			Problem: problem, Fix: how.fix,
		})
	}
	m.apply()
	for _, record := range l.objects() {
		rename(record, m.ids, isID)
		rename(record, m.apart[record], isID)
	}
	if links != nil {
		if links.around != nil {
			links.around()
		}
		linkAround(links.records, byMember(links.records, links.id), links.id, links.parent)
	}
	return done
}

// look forgets what was read of another message.
func (m *mender) look(k int) {
	if m.looked.message != k {
		m.looked = reading{message: k, elements: map[jsonscan.Value][]jsonscan.Value{}}
	}
}

// sent returns the blocks of the message that is looked at, as they are sent.
func (m *mender) sent() jsonscan.Value {
	if l := &m.looked; !l.sent.Exists() {
		l.sent = valueOf(m.messages[l.message].json).Get(contentMember(m.client.format))
	}
	return m.looked.sent
}

// repairedBlocks returns what a repair makes of the blocks of the message that is looked at.
func (m *mender) repairedBlocks() jsonscan.Value {
	if l := &m.looked; !l.made.Exists() {
		for _, element := range m.madeOf(l.message) {
			if element.JSON != nil {
				l.made = valueOf(element.JSON).Get(contentMember(m.client.format))
			}
		}
	}
	return m.looked.made
}

// element returns an element of a list in the message that is looked at, Absent where there is
// none.
func (m *mender) element(list jsonscan.Value, k int) jsonscan.Value {
	all := m.elements(list)
	if k < 0 || k >= len(all) {
		return jsonscan.Value{}
	}
	return all[k]
}

// elements returns the elements of a list in the message that is looked at.
func (m *mender) elements(list jsonscan.Value) []jsonscan.Value {
	all, known := m.looked.elements[list]
	if !known {
		all = elements(list)
		m.looked.elements[list] = all
	}
	return all
}

// value is origin.value for the message that is looked at.
func (m *mender) value(from origin) jsonscan.Value {
	switch list := follow(from.record.root(), from.path); {
	case from.index == asText:
		return list
	default:
		return m.element(list, from.index)
	}
}

// known reports whether it is known where a block is.
func (m *mender) known(from origin) bool { return from.record != nil && m.value(from).Exists() }

// respell replaces what is no valid Unicode in the records of a message.
func (m *mender) respell(_ wire.Warning, k int) bool {
	for _, record := range m.messages[k].records {
		says := m.client.says
		if !record.at(says...).Exists() {
			says = nil
		}
		value := record.at(says...)
		if value.SubtreeFlags()&jsonscan.NeedsRepair == 0 {
			continue
		}
		record.set(jsonscan.Repair(nil, value), says...)
		m.lines = append(m.lines, record)
	}
	return len(m.lines) > 0
}

// remove removes the blocks that a warning is about.
func (m *mender) remove(w wire.Warning, k int) bool {
	of := &m.messages[k]
	block, part, whole := placeOf(w.Path)
	if whole {
		for _, from := range of.blocks {
			if !m.known(from) {
				return false
			}
		}
		for _, from := range of.blocks {
			m.edit(from.record, from.path, false).drop(from.index)
			m.lines = append(m.lines, from.record)
		}
		if of.blocks == nil && m.client.format == codexFormat && len(of.records) == 1 {
			of.records[0].dropped = true // an item is a record
			m.lines = of.records
		}
		m.lines = slices.Compact(m.lines)
		return len(m.lines) > 0
	}
	if part >= 0 || block >= len(of.blocks) {
		return false
	}
	from := of.blocks[block]
	if !m.known(from) || oneOf(m.value(from).Get("type"), "tool_use", "tool_result") {
		return false // pairs are repaired by their records
	}
	m.edit(from.record, from.path, false).drop(from.index)
	m.lines = []*line{from.record}
	return true
}

// removeAgain drops the record of a result that another record has, too, if all that is sent of the
// record is such results.
func (m *mender) removeAgain(w wire.Warning, k int) bool {
	of := &m.messages[k]
	block, part, whole := placeOf(w.Path)
	var record *line
	gone := 1
	switch {
	case part >= 0 || !whole && block >= len(of.blocks):
	case !whole:
		record = of.blocks[block].record
	case len(of.records) == 1:
		record, gone = of.records[0], max(gone, len(of.blocks))
	}
	if record == nil {
		return false
	}
	if m.sentOf == nil {
		m.sentOf = sentOf(m.messages)
	}
	if m.sentOf[record] -= gone; m.sentOf[record] > 0 {
		return false
	}
	record.dropped, m.lines = true, []*line{record}
	return true
}

// sentOf counts what is sent of each record: blocks, or messages where those have none.
func sentOf(messages []message) map[*line]int {
	count := map[*line]int{}
	for _, of := range messages {
		for _, from := range of.blocks {
			count[from.record]++
		}
		if of.blocks == nil {
			for _, record := range of.records {
				count[record]++
			}
		}
	}
	return count
}

// describe puts a text in the place of a block whose data cannot be read.
func (m *mender) describe(w wire.Warning, k int) bool {
	of := &m.messages[k]
	block, part, whole := placeOf(w.Path)
	if whole || block >= len(of.blocks) {
		return false
	}
	from := of.blocks[block]
	path, index := from.path, from.index
	if part >= 0 {
		path, index = slices.Concat(path, []any{index, "content"}), part
		if from.inner != nil {
			path = from.inner
		}
	}
	if index == asText || from.record == nil ||
		follow(from.record.root(), path).Kind() != jsonscan.Array {
		return false
	}
	sent := m.element(m.sent(), block)
	if part >= 0 {
		sent = m.element(sent.Get("content"), part)
	}
	text := m.client.alone(sent)
	if text == nil {
		return false
	}
	m.edit(from.record, path, part >= 0).instead[index] = text
	m.lines = []*line{from.record}
	return true
}

// front moves reasoning to the front of its turn: to the first record of those that the model wrote
// in a row.
func (m *mender) front(w wire.Warning, k int) bool {
	block, part, whole := placeOf(w.Path)
	if whole || part >= 0 || block >= len(m.messages[k].blocks) {
		return false
	}
	role := valueOf(m.messages[k].json).Get("role").Str()
	first := k
	for first > 0 && valueOf(m.messages[first-1].json).Get("role").StrIs(role) {
		first--
	}
	from := m.messages[k].blocks[block]
	if from.index == asText || !m.known(from) || len(m.messages[first].records) == 0 {
		return false
	}
	to := m.messages[first].records[0]
	list, outer := follow(to.root(), from.path), from.path[:len(from.path)-1]
	if list.Exists() && list.Kind() != jsonscan.Array ||
		!list.Exists() && (len(outer) == 0 || follow(to.root(), outer).Exists()) {
		return false
	}
	m.edit(from.record, from.path, false).drop(from.index)
	e := m.edit(to, from.path, false)
	e.front, e.like = append(e.front, m.value(from).Raw()), follow(from.record.root(), outer)
	m.lines = slices.Compact([]*line{to, from.record})
	return true
}

// contentMember returns the member of a message with its blocks.
func contentMember(format string) string {
	if format == "gemini" {
		return "parts"
	}
	return "content"
}

// alone returns what a repair makes of a block, nil if that is no text.
func (c *client) alone(block jsonscan.Value) []byte {
	member := contentMember(c.format)
	message := object("role", "user", member, array(block.Raw()))
	result, err := wire.Sanitize(context.Background(),
		object(listMember(c.format), array(message)), &wire.Options{Provider: c.format})
	if err != nil {
		return nil
	}
	made := valueOf(result.Body).Get(listMember(c.format)).At(0).Get(member).At(0)
	if made.Get("text").Kind() != jsonscan.String || isShortened(made) {
		return nil
	}
	if c.textBlock != nil {
		return c.textBlock(made.Get("text").Str())
	}
	return made.Raw()
}

// removeOrRewrite removes the blocks that a warning is about, or what a repair removes in them.
func (m *mender) removeOrRewrite(w wire.Warning, k int) bool {
	return m.remove(w, k) || m.rewrite(w, k)
}

// describeOrRewrite puts a text in the place of a block, or of a part of a result.
func (m *mender) describeOrRewrite(w wire.Warning, k int) bool {
	return m.describe(w, k) || m.rewrite(w, k)
}

// rewrite puts what a repair makes of a block in its place. It knows that of blocks that are stored
// as they are sent, and of the parts of results. A member that the repair leaves out is emptied,
// since the client may look for it.
func (m *mender) rewrite(w wire.Warning, k int) bool {
	of := &m.messages[k]
	block, _, whole := placeOf(w.Path)
	if whole || block >= len(of.blocks) || of.blocks[block].record == nil {
		return false
	}
	from := of.blocks[block]
	sent, made := m.element(m.sent(), block), m.element(m.repairedBlocks(), block)
	if m.merged[resultID(sent)] {
		return false // the other result stays, and would be merged in again
	}
	if from.inner != nil {
		m.lines = []*line{from.record}
		return m.rewriteParts(from, sent, made)
	}
	stored := m.value(from)
	if from.index == asText || !stored.Exists() {
		return false
	}
	if !bytes.Equal(sent.Raw(), stored.Raw()) {
		retyped := partLike(stored, made)
		if len(m.elements(m.repairedBlocks())) != len(m.elements(m.sent())) || retyped == nil ||
			!sameBlock(made, sent) {
			return false
		}
		m.edit(from.record, from.path, false).instead[from.index] = retyped
		m.lines = []*line{from.record}
		return true
	}
	if m.isDropped(block) {
		m.edit(from.record, from.path, false).drop(from.index)
		m.lines = []*line{from.record}
		return true
	}
	if !sameBlock(made, stored) || bytes.Equal(made.Raw(), stored.Raw()) || isShortened(made) {
		return false
	}
	edited := jsonscan.EditObject(made)
	kept := map[string]bool{}
	for is := made.First(); is.Exists(); is = is.Next() {
		kept[is.Key().Str()] = true
	}
	for was := stored.First(); was.Exists(); was = was.Next() {
		if empty := emptyOf[was.Kind()]; !kept[was.Key().Str()] && empty != "" {
			edited.SetMember(was.Key().Str(), []byte(empty))
		}
	}
	m.edit(from.record, from.path, false).instead[from.index] = bytes.Clone(edited.Bytes())
	m.lines = []*line{from.record}
	return true
}

// resultID returns the id of the call that a block is the result of, "" for other blocks.
func resultID(block jsonscan.Value) string {
	return cmp.Or(block.Get("tool_use_id").Str(), block.Get("functionResponse").Get("id").Str())
}

// rewriteParts does to the parts of a stored result what was done to those of the one that is sent.
// A result that is a text is emptied.
func (m *mender) rewriteParts(from origin, sent, made jsonscan.Value) bool {
	if follow(from.record.root(), from.inner).Kind() == jsonscan.String {
		content := made.Get("content")
		switch {
		case !sameBlock(made, sent) || isShortened(made):
			return false
		case isEmpty(content):
			m.edit(from.record, from.inner, true).drop(asText)
		case content.Kind() == jsonscan.String:
			m.edit(from.record, from.inner, true).instead[asText] = bytes.Clone(content.Raw())
		default:
			return false
		}
		return true
	}
	stored := elements(follow(from.record.root(), from.inner))
	was, is := elements(sent.Get("content")), elements(made.Get("content"))
	if !sameBlock(made, sent) || len(stored) != len(was) {
		return false
	}
	last := map[string]int{} // where a part is
	for k, part := range was {
		last[string(part.Raw())] = k
	}
	removed, instead := map[int]bool{}, map[int][]byte{}
	for k, part := range was {
		switch {
		case len(is) > 0 && bytes.Equal(part.Raw(), is[0].Raw()):
		case len(is) == 0 || last[string(is[0].Raw())] > k:
			removed[k] = true
			continue
		default:
			if instead[k] = partLike(stored[k], is[0]); instead[k] == nil {
				return false
			}
		}
		is = is[1:]
	}
	if len(is) > 0 || len(removed)+len(instead) == 0 {
		return false
	}
	e := m.edit(from.record, from.inner, true)
	for k := range removed {
		e.drop(k)
	}
	for k, part := range instead {
		e.instead[k] = part
	}
	return true
}

// partLike writes a part as the client stores such parts: a text, a call with other arguments, or a
// picture of another type. Nil for anything else.
func partLike(stored, made jsonscan.Value) []byte {
	kind := made.Get("source").Get("media_type")
	switch {
	case isShortened(made):
	case made.Get("text").Kind() == jsonscan.String:
		return made.Raw()
	case stored.Has("arguments") && made.Get("input").Kind() == jsonscan.Object:
		return setMember(stored, made.Get("input").Raw(), "arguments")
	case stored.Has("mimeType") && kind.Exists():
		return setMember(stored, kind.Raw(), "mimeType")
	}
	return nil
}

// isDropped reports whether a repair makes of the blocks of the message that is looked at the same
// blocks without one of them.
func (m *mender) isDropped(block int) bool {
	was, is, l := m.elements(m.sent()), m.elements(m.repairedBlocks()), &m.looked
	if len(is) != len(was)-1 {
		return false
	}
	if !l.compared {
		same := func(a, b jsonscan.Value) bool { return bytes.Equal(a.Raw(), b.Raw()) }
		for l.compared = true; l.before < len(is) && same(is[l.before], was[l.before]); {
			l.before++
		}
		for l.after < len(is) && same(is[len(is)-1-l.after], was[len(was)-1-l.after]) {
			l.after++
		}
	}
	return l.before >= block && l.after >= len(is)-block
}

// sameBlock reports whether two blocks are of one kind, and are the same call or result.
func sameBlock(a, b jsonscan.Value) bool {
	for _, name := range []string{"type", "id", "tool_use_id"} {
		if a.Get(name).Str() != b.Get(name).Str() {
			return false
		}
	}
	for _, name := range []string{"functionCall", "functionResponse"} {
		if a.Has(name) != b.Has(name) || a.Get(name).Get("id").Str() != b.Get(name).Get("id").Str() {
			return false
		}
	}
	return a.Kind() == jsonscan.Object
}

// emptyOf are the empty values of kinds.
var emptyOf = map[jsonscan.Kind]string{jsonscan.String: `""`, jsonscan.Array: "[]"}

// known reports whether it is known where the block is.
func (o *origin) known() bool { return o.record != nil && o.value().Exists() }

// value returns the block, Absent where its path leads to no list.
func (o *origin) value() jsonscan.Value {
	v := follow(o.record.root(), o.path)
	switch {
	case o.index == asText:
		return v
	case v.Kind() != jsonscan.Array: // that an object has an element of an index is no place in it
		return jsonscan.Value{}
	}
	return v.At(o.index)
}

func follow(v jsonscan.Value, path []any) jsonscan.Value {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.Get(step)
		case int:
			v = v.At(step)
		}
	}
	return v
}

// edit returns the edit of a list.
func (m *mender) edit(record *line, path []any, nested bool) *listEdit {
	key := listKey{record, fmt.Sprint(path)}
	e := m.at[key]
	if e == nil {
		e = &listEdit{
			record: record, path: path, nested: nested,
			removed: map[int]bool{}, instead: map[int][]byte{},
		}
		m.at[key], m.lists = e, append(m.lists, e)
	}
	return e
}

func (e *listEdit) drop(index int) {
	if index == asText {
		e.cleared = true
	} else {
		e.removed[index] = true
	}
}

// apply makes the edits: those of lists in blocks before those of the blocks.
func (m *mender) apply() {
	slices.SortStableFunc(m.lists, func(a, b *listEdit) int { return len(b.path) - len(a.path) })
	for _, e := range m.lists {
		value, path, list := []byte(`""`), e.path, follow(e.record.root(), e.path)
		switch {
		case e.cleared:
		case e.instead[asText] != nil:
			value = e.instead[asText]
		case list.Exists():
			kept := withoutElements(list, e.removed, e.instead)
			value = array(append(e.front, inList(kept)...)...)
		default:
			last, _ := path[len(path)-1].(string)
			value, path = setMember(e.like, array(e.front...), last), path[:len(path)-1]
		}
		edited := newLine(e.record.number, replaced(e.record.root(), path, value))
		if m.client.emptied != nil && m.client.emptied(edited) {
			e.record.dropped = true
			continue
		}
		*e.record = *edited
	}
}

// inList returns what is in a list, nothing of an empty one.
func inList(list []byte) [][]byte {
	if string(list) == "[]" {
		return nil
	}
	return [][]byte{list[1 : len(list)-1]}
}

// replaced returns a value with another one in the place that a path leads to.
func replaced(v jsonscan.Value, path []any, value []byte) []byte {
	if len(path) == 0 {
		return value
	}
	switch step := path[0].(type) {
	case string:
		return setMember(v, replaced(v.Get(step), path[1:], value), step)
	case int:
		return withoutElements(v, nil, map[int][]byte{
			step: replaced(v.At(step), path[1:], value),
		})
	}
	return value
}

// placeOf returns which block of a message a path is about, and which part of that, -1 for the
// block itself. whole reports that it is about the message. What is beside the blocks, as the calls
// of Chat messages are, is the block noBlock.
func placeOf(path string) (block, part int, whole bool) {
	pieces := strings.Split(path, "[")[1:]
	var numbers []int
	for k, piece := range pieces {
		number, rest, _ := strings.Cut(piece, "]")
		n, err := strconv.Atoi(number)
		if err != nil {
			break
		}
		numbers = append(numbers, n)
		if k == 0 && rest != "" && rest != ".content" && rest != ".parts" {
			return noBlock, -1, false
		}
	}
	switch len(numbers) {
	case 0, 1:
		return 0, -1, true
	case 2:
		return numbers[1], -1, false
	}
	return numbers[1], numbers[2], false
}

// noBlock is after every block.
const noBlock = math.MaxInt
