package session

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/wire"
)

// DefaultInterruptedText is the text of a result that a repair adds to a call without one.
const DefaultInterruptedText = pairing.DanglingText

// Options are the caller's choices. The zero value is the recommended one.
type Options struct {
	// InterruptedText is the text of added results; default DefaultInterruptedText.
	InterruptedText string
	// Running is the time after which calls without a result are left alone, since their tools may
	// still run; the zero time leaves none alone.
	Running time.Time
	// Causes also says of each finding which step made it, as far as the session shows it.
	Causes bool
}

// Code says what a finding is about. Codes are stable and part of the API.
type Code string

// The findings.
const (
	CodeUnreadableLine Code = "unreadable-line" // a line that is cut off or no JSON
	// a line written after another without a line break
	CodeGluedLines    Code = "glued-lines"
	CodeByteOrderMark Code = "byte-order-mark" // a mark that some editors write before the first line
	CodeNoLineBreak   Code = "no-line-break"   // the last line does not end
	CodeDanglingCall  Code = "dangling-call"   // a tool call without its result
	CodeOrphanResult  Code = "orphan-result"   // a result whose call is not in the file
	CodeDoubledResult Code = "doubled-result"  // a result that would be sent twice
	CodeDoubledLine   Code = "doubled-line"    // a record that is in the file twice
	CodeBrokenChain   Code = "broken-chain"    // a record whose parent is not in the file
	CodeOutOfOrder    Code = "out-of-order"    // records that come before those that they follow
	CodeDoubledNumber Code = "doubled-number"  // a record with the number of another, or none
	CodeReasoningLast Code = "reasoning-last"  // reasoning without the answer it led to
	CodeBlankText     Code = "blank-text"      // a text without anything to read
	CodeHalfWritten   Code = "half-written"    // a document, or a row of a database, of which a part was written
	CodeLateResult    Code = "late-result"     // a result that came after one that a repair added
)

// Finding is one thing that is wrong with a stored session.
type Finding struct {
	// Code says what it is about.
	Code Code `json:"code"`
	// Lines are the lines that it is about, from 1, in the file as it was.
	Lines []int `json:"lines,omitempty"`
	// Rows are the rows that it is about, in a database: a table and an id.
	Rows []string `json:"rows,omitempty"`
	// Count is how often it was found, if that is more often than there are lines or rows.
	Count int `json:"count,omitempty"`
	// Rule is the id of the rule for which the provider refuses it; "" where none says so.
	Rule string `json:"rule,omitempty"`
	// Causes says for each line or row which step made it, with Options.Causes.
	Causes []Cause `json:"causes,omitempty"`
	// Problem says in words what is wrong.
	Problem string `json:"problem"`
	// Fix says in words what a repair does about it ("remove the line"); "" if it does nothing.
	Fix string `json:"fix,omitempty"`
}

// Report is what Repair found and did. It holds no content of the session.
type Report struct {
	// Client is the program that wrote the session.
	Client string `json:"client"`
	// Version is the version of the client, "" if the session does not name it.
	Version string `json:"version,omitempty"`
	// NewerThan is the newest version that was measured, where that of the client is newer.
	NewerThan string `json:"newer_than,omitempty"`
	// Unsure reports that Lost, LostMessages, LosesStart and Refused are what the client may do and
	// not what it does: they were found out with other versions of it.
	Unsure bool `json:"unsure,omitempty"`
	// Findings lists what is wrong, in the order of the file.
	Findings []Finding `json:"findings,omitempty"`
	// Lost lists the lines with messages that the client would leave out of its next request
	// silently, if the session stayed as it was.
	Lost []int `json:"lost,omitempty"`
	// LostMessages counts the messages that would be left out, or sent without a part of them.
	LostMessages int `json:"lost_messages,omitempty"`
	// LosesStart reports whether the conversation's first message is among those in Lost.
	LosesStart bool `json:"loses_start,omitempty"`
	// Refused lists the ids of the rules for which the provider would refuse every request of the
	// session if it stayed as it was.
	Refused []string `json:"refused,omitempty"`
	// Left lists what the provider would still refuse in the repaired session's messages; its paths
	// are those of the request, and LeftLines has the lines that they come from.
	Left []wire.Violation `json:"left,omitempty"`
	// LeftLines gives the lines, in the repaired file, of the violations in Left.
	LeftLines [][]int `json:"left_lines,omitempty"`
	// LeftRows gives the rows of the violations in Left, in a database.
	LeftRows [][]string `json:"left_rows,omitempty"`
	// Failure says why Left could not be found; "" when it was.
	Failure string `json:"failure,omitempty"`
	// Changed reports whether the repaired session differs from the input.
	Changed bool `json:"changed"`

	text     string    // of added results
	running  time.Time // Options.Running
	called   time.Time // when the last call without a result was made, zero if it is not known
	measured bool      // what the client's version does is known
}

// waits reports whether a call without a result, made at a time, is left alone, and adds the
// finding then. The zero time is that of a call that does not tell.
func (r *Report) waits(made time.Time, f Finding) bool {
	if made.After(r.called) {
		r.called = made
	}
	if r.running.IsZero() || !made.After(r.running) {
		return false
	}
	f.Problem, f.Fix = "the tool call has no result yet, and its tool may still run", ""
	r.add(f)
	return true
}

// does returns what the client does: for sure only where its version was measured.
func (r *Report) does(what string) string {
	if r.measured {
		return what + "s"
	}
	return "may " + what
}

// twice says of a record or result that is in the file again what the client does with it.
func (r *Report) twice(what string, l *log) string {
	what += " is in the file twice"
	if l.habits.dropsDoubles {
		return what
	}
	return what + ", and the client " + r.does("send") + " it twice"
}

// orphan adds the finding of a result whose call is lost, and which the client leaves out.
func (r *Report) orphan(record *line) {
	r.add(Finding{
		Code: CodeOrphanResult, Lines: numbered(record),
		Problem: "the result's tool call is not in the file, so the client " + r.does("drop") +
			" the result",
	})
}

// hole says of a record whose parent is missing what becomes of the session.
func (r *Report) hole(l *log) string {
	const what = "the record before this one is missing, so the client "
	if r.measured && !l.habits.unsureOfHoles {
		return what + "forgets what is before it"
	}
	return what + "may forget a part of the session"
}

// Sound reports whether nothing is wrong with the session.
func (r *Report) Sound() bool {
	return r == nil || len(r.Findings) == 0 && len(r.Left) == 0 && r.Failure == ""
}

func (r *Report) add(f Finding) { r.Findings = append(r.Findings, f) }

func (r *Report) found(code Code) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Code == code })
}

// joinFindings makes findings of the same kind one, with the lines and rows of all.
func (r *Report) joinFindings() {
	type kind struct {
		code                Code
		rule, problem, done string
	}
	first := map[kind]int{}
	var joined []Finding
	for _, f := range r.Findings {
		k, again := first[kind{f.Code, f.Rule, f.Problem, f.Fix}]
		if !again {
			first[kind{f.Code, f.Rule, f.Problem, f.Fix}] = len(joined)
			f.Lines, f.Rows = slices.Clone(f.Lines), slices.Clone(f.Rows)
			f.Count = f.times()
			joined = append(joined, f)
			continue
		}
		to := &joined[k]
		to.Count += f.times()
		to.Lines, to.Rows = append(to.Lines, f.Lines...), append(to.Rows, f.Rows...)
	}
	for k := range joined {
		f := &joined[k]
		slices.Sort(f.Lines)
		f.Lines = slices.Compact(f.Lines)
		if f.Count <= max(1, len(f.Lines), len(f.Rows)) {
			f.Count = 0
		}
	}
	r.Findings = joined
}

// times returns how often a finding was found.
func (f *Finding) times() int { return max(f.Count, 1, len(f.Lines), len(f.Rows)) }

// maxRounds limits how often the repairs of a client run on one session.
const maxRounds = 8

// Repair repairs a stored session. data is the whole file; it is not modified, and it comes back
// itself when nothing has to change, and with an error. The error is, or wraps, ErrUnknown or
// ErrDamaged. Nil options mean the zero value. The cost is linear in data.
func Repair(data []byte, options *Options) ([]byte, *Report, error) {
	repaired, r, err := repair(data, options)
	if repaired == nil {
		return data, r, err
	}
	return repaired.bytes(), r, err
}

// repaired is a session after its repair, which is not in memory a second time until it is asked
// for.
type repaired struct {
	data []byte
	log  *log // nil if it is data
}

func (r *repaired) bytes() []byte {
	if r.log == nil {
		return r.data
	}
	return r.log.bytes()
}

// writeTo writes what bytes returns.
func (r *repaired) writeTo(w io.Writer) error {
	if r.log == nil {
		_, err := w.Write(r.data)
		return err
	}
	return r.log.writeTo(w)
}

// repair does the same as Repair. It returns nil for a session that stays as it is.
func repair(data []byte, options *Options) (*repaired, *Report, error) {
	if rest, marked := bytes.CutPrefix(data, []byte(byteOrderMark)); marked {
		return repairMarked(rest, options)
	}
	r := &Report{text: DefaultInterruptedText}
	if options != nil {
		r.text, r.running = cmp.Or(options.InterruptedText, r.text), options.Running
	}
	c, err := detect(data)
	if errors.Is(err, ErrUnknown) {
		if document, cut := documentOf(data); document != nil {
			if cut {
				r.addCut(data, document)
			}
			made, err := r.repairDocument(document, cut)
			if err != nil {
				return nil, nil, err
			}
			if options != nil && options.Causes {
				r.setRowCauses()
			}
			return &repaired{data: made}, r, nil
		}
	}
	if err != nil {
		return nil, nil, err
	}
	r.Client = c.name
	l, glued := parseLog(data, c.starts)
	asItWas := l
	if len(glued) > 0 {
		asItWas, _ = parseLog(data, nil)
	}
	c.setHabits(asItWas)
	c = c.speaking(asItWas)
	l.habits, l.heals = asItWas.habits, asItWas.heals
	messages, lost := c.read(asItWas)
	sent := slices.Concat(linesOf(messages)...)
	asked := c.sessionOf(asItWas, messages)
	r.Version = c.versionOf(asItWas)
	_, r.measured = habitsOf(c.habits, r.Version)
	r.NewerThan = newerThan(c.habits, r.Version)
	r.Findings = glued
	l.dropBroken(r)
	c.settle(l, r) // the lines are parsed, and most sessions need no more than to be read
	l.forget()
	refusal, failed := asked.check(c.opens)
	taken := false // the provider takes what the client sends now
	for range maxRounds {
		now, err := refusal, failed
		if !l.is(data) {
			now, err = c.asked(l).check(c.opens)
		}
		if taken = err == nil && len(now) == 0; taken || err != nil || !c.mend(l, r, now) {
			break
		}
		c.settle(l, r)
	}
	r.Changed = !l.is(data)
	if r.Changed || len(lost) > 0 {
		messages, _ = c.read(l)
		sends := linesOf(messages)
		l.forget()
		r.setLost(sent, sends, lost, firstCopies(data))
	}
	slices.SortStableFunc(r.Findings,
		func(a, b Finding) int { return slices.Compare(a.Lines, b.Lines) })
	if left := l.client(); left == nil || left.name != c.name {
		return nil, nil, ErrDamaged
	}
	r.joinFindings()
	if options != nil && options.Causes {
		r.setCauses(c, c.parse(data))
	}
	if r.Changed {
		if failed != nil {
			return nil, nil, failed
		}
		r.Refused = rulesOf(c.format, refusal)
	}
	r.Unsure = !r.measured || l.habits.unsureOfHoles && r.found(CodeBrokenChain)
	habits, heals := l.habits, l.heals
	l.renumber()
	if r.Changed {
		c.setHabits(l)
	}
	if !taken || l.habits != habits || l.heals != heals { // or that is known already
		err = c.asked(l).judge(r, c.opens)
	}
	r.refusedAsLeft()
	if !r.Changed {
		return nil, r, err
	}
	l.forget()
	return &repaired{log: l}, r, err
}

// refusedAsLeft says for a session that stays as it is that it is refused for what is left.
func (r *Report) refusedAsLeft() {
	if r.Changed {
		return
	}
	for _, v := range r.Left {
		if !slices.Contains(r.Refused, v.Rule) {
			r.Refused = append(r.Refused, v.Rule)
		}
	}
}

// asked returns what the client sends, and forgets the values of the log.
func (c *client) asked(l *log) *Session {
	messages, _ := c.read(l)
	s := c.sessionOf(l, messages)
	l.forget()
	return s
}

// linesOf returns the lines that each message is from.
func linesOf(messages []message) [][]int {
	lines := make([][]int, len(messages))
	for k, m := range messages {
		lines[k] = m.lines
	}
	return lines
}

// byteOrderMark is what some editors write at the beginning of a file, which is no JSON.
const byteOrderMark = "\uFEFF"

// repairMarked repairs a file without the byte order mark at its beginning.
func repairMarked(rest []byte, options *Options) (*repaired, *Report, error) {
	made, r, err := repair(rest, options)
	if err != nil {
		return nil, nil, err
	}
	if made == nil {
		made = &repaired{data: rest}
	}
	r.Changed = true
	r.Findings = slices.Insert(r.Findings, 0, Finding{
		Code: CodeByteOrderMark, Lines: []int{1},
		Problem: "the file begins with a byte order mark, so the client may not read the first line",
		Fix:     "remove the mark",
	})
	return made, r, nil
}

// settle runs the repairs of a client until they find nothing more to do: a record that one round
// drops may have kept it from another repair.
func (c *client) settle(l *log, r *Report) {
	for range maxRounds {
		nothing := func(f Finding) bool { return f.Fix == "" } // was done: it is found again
		r.Findings = slices.DeleteFunc(r.Findings, nothing)
		done := len(r.Findings)
		if c.repair(l, r); !slices.ContainsFunc(r.Findings[done:],
			func(f Finding) bool { return f.Fix != "" }) {
			break
		}
	}
}

// repairDocument repairs a session that is a list of messages. cut reports that the file ends
// before the document does, and that data is what was written whole.
func (r *Report) repairDocument(data []byte, cut bool) ([]byte, error) {
	repaired, err := repairDocument(data, r)
	if err != nil {
		return data, err
	}
	r.joinFindings()
	r.Changed = cut || !bytes.Equal(repaired, data)
	before, err := readDocument(data, "")
	if err != nil {
		return data, err
	}
	after, err := readDocument(repaired, before.Format)
	if err != nil || after.Format == "" {
		return repaired, err // a history that is meant for no provider is not judged
	}
	if r.Changed && !cut { // one that is cut off is not sent
		if r.Refused, err = before.refused(""); err != nil {
			return data, err
		}
	}
	err = after.judge(r, "")
	r.refusedAsLeft()
	return repaired, err
}

// setLost compares what the client would send before and after the repair. before are the lines of
// what it sends before, after those of each message that it sends after it, lost those that it
// leaves out before, and first has the first copy of lines that are there again.
func (r *Report) setLost(before []int, after [][]int, lost []int, first map[int]int) {
	copyOf := func(n int) int { return cmp.Or(first[n], n) }
	sent := map[int]bool{}
	for _, n := range before {
		sent[copyOf(n)] = true
	}
	missing := map[int]bool{}
	for _, n := range lost {
		missing[n] = true
	}
	counted := map[int]bool{}
	for k, lines := range after {
		partly := false
		for _, n := range lines {
			if !sent[copyOf(n)] {
				missing[n] = true
			}
			partly = partly || missing[n]
			counted[n] = counted[n] || missing[n]
		}
		if partly {
			r.LostMessages++
			r.LosesStart = r.LosesStart || k == 0
		}
	}
	for n := range missing {
		r.Lost = append(r.Lost, n)
		if !counted[n] {
			r.LostMessages++
		}
	}
	slices.Sort(r.Lost)
}

// judge puts into the report what the provider would refuse in a session, when the user's next
// prompt follows it. opens is a message that the client sends first, or "".
func (s *Session) judge(r *Report, opens string) error {
	found, err := s.check(opens)
	if err != nil {
		return err
	}
	for _, v := range found {
		if !ofMessages(s.Format, v) {
			continue
		}
		r.Left = append(r.Left, v)
		k := messageOf(v.Path)
		if opens != "" {
			k--
		}
		if s.Rows == nil {
			r.LeftLines = append(r.LeftLines, at(s.Lines, k))
		} else {
			r.LeftRows = append(r.LeftRows, at(s.Rows, k))
		}
	}
	return nil
}

// refused returns the ids of the rules for which the provider refuses the next request, each once.
func (s *Session) refused(opens string) ([]string, error) {
	found, err := s.check(opens)
	return rulesOf(s.Format, found), err
}

// check returns what is wrong with the next request.
func (s *Session) check(opens string) ([]wire.Violation, error) {
	found, err := wire.Check(s.request(opens), &wire.Options{Provider: s.Format, Betas: s.betas})
	if err != nil {
		return nil, err
	}
	return found.Violations, nil
}

// rulesOf returns the ids of the rules that messages break, each once.
func rulesOf(format string, found []wire.Violation) []string {
	var rules []string
	for _, v := range found {
		if ofMessages(format, v) && !slices.Contains(rules, v.Rule) {
			rules = append(rules, v.Rule)
		}
	}
	return rules
}

// ofMessages reports whether a violation is in the messages: a session does not keep the settings
// and the tools of the client.
func ofMessages(format string, v wire.Violation) bool {
	return strings.HasPrefix(v.Path, listMember(format))
}

// request returns the body of the request that the client sends when the user continues. It is
// called once: it takes the messages that have no body yet, so that they are not in memory twice.
func (s *Session) request(opens string) []byte {
	start, list := `{"`+listMember(s.Format)+`":[`, s.messages
	if s.messages = nil; list == nil && s.Body != nil {
		list = [][]byte{s.Body[len(start) : len(s.Body)-len(`]}`)]}
	}
	settings := string(s.settings) + string(toolsOf(s.Format, list))
	list = slices.Concat([][]byte{[]byte(opens)}, list, [][]byte{[]byte(promptOf(s.Format))})
	list = slices.DeleteFunc(list, func(part []byte) bool { return len(part) == 0 })
	return listed(start, list, "]"+settings+"}")
}

// at returns an element of a list, nil where there is none.
func at[T any](list [][]T, k int) []T {
	if k < 0 || k >= len(list) {
		return nil
	}
	return list[k]
}

// messageOf returns the index of the message that a path of a request is in, -1 for none.
func messageOf(path string) int {
	_, index, found := strings.Cut(path, "[")
	index, _, closed := strings.Cut(index, "]")
	n, err := strconv.Atoi(index)
	if !found || !closed || err != nil {
		return -1
	}
	return n
}
