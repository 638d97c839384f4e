package session

import (
	"bytes"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// DefaultInterruptedText is the text of a result that a repair adds to a call without one.
const DefaultInterruptedText = preflight.DefaultDanglingText

// Options are the caller's choices. The zero value is the recommended one.
type Options struct {
	// InterruptedText is the text of added results; default DefaultInterruptedText.
	InterruptedText string
}

// Code says what a finding is about. Codes are stable and part of the API.
type Code string

// The findings.
const (
	CodeUnreadableLine Code = "unreadable-line" // a line that is cut off or no JSON
	// a line written after another without a line break
	CodeGluedLines    Code = "glued-lines"
	CodeNoLineBreak   Code = "no-line-break"  // the last line does not end
	CodeDanglingCall  Code = "dangling-call"  // a tool call without its result
	CodeOrphanResult  Code = "orphan-result"  // a result whose call is not in the file
	CodeDoubledResult Code = "doubled-result" // a result that would be sent twice
	CodeDoubledLine   Code = "doubled-line"   // a record that is in the file twice
	CodeBrokenChain   Code = "broken-chain"   // a record whose parent is not in the file
	CodeOutOfOrder    Code = "out-of-order"   // records that come before those that they follow
	CodeReasoningLast Code = "reasoning-last" // reasoning without the answer it led to
)

// Finding is one thing that is wrong with a stored session.
type Finding struct {
	// Code says what it is about.
	Code Code `json:"code"`
	// Lines are the lines that it is about, from 1, in the file as it was.
	Lines []int `json:"lines,omitempty"`
	// Problem says in words what is wrong.
	Problem string `json:"problem"`
	// Done says in words what Repair did about it; "" where it did nothing.
	Done string `json:"done,omitempty"`
}

// Report is what Repair found and did. It holds no content of the session.
type Report struct {
	// Client is the program that wrote the session.
	Client string `json:"client"`
	// Findings lists what is wrong, in the order of the file.
	Findings []Finding `json:"findings,omitempty"`
	// Lost lists the lines with messages that the client would leave out of its next request
	// without a word, if the session stayed as it was.
	Lost []int `json:"lost,omitempty"`
	// LostMessages counts the messages that would be left out, or sent without a part of them.
	LostMessages int `json:"lost_messages,omitempty"`
	// LosesStart reports whether the conversation's first message is among those in Lost.
	LosesStart bool `json:"loses_start,omitempty"`
	// Left lists what the provider would still refuse in the repaired session's messages; its paths
	// are those of the request, and LeftLines has the lines that they come from.
	Left []wire.Violation `json:"left,omitempty"`
	// LeftLines gives the lines, in the repaired file, of the violations in Left.
	LeftLines [][]int `json:"left_lines,omitempty"`
	// Changed reports whether the repaired session differs from the input.
	Changed bool `json:"changed"`

	text string // of added results
}

func (r *Report) add(f Finding) { r.Findings = append(r.Findings, f) }

// Repair repairs a stored session. data is the whole file; it is not modified, and it comes back
// itself when nothing has to change. The error wraps ErrUnknown. Nil options mean the zero
// value. The cost is linear in data.
func Repair(data []byte, options *Options) ([]byte, *Report, error) {
	c, err := detect(data)
	if err != nil {
		return data, nil, err
	}
	r := &Report{Client: c.name, text: DefaultInterruptedText}
	if options != nil && options.InterruptedText != "" {
		r.text = options.InterruptedText
	}
	asItWas, _ := parseLog(data, nil)
	before, lost := c.read(asItWas)
	l, glued := parseLog(data, c.starts)
	r.Findings = glued
	l.dropBroken(r)
	c.repair(l, r)
	after, _ := c.read(l)
	r.setLost(before, after, lost)
	slices.SortStableFunc(r.Findings,
		func(a, b Finding) int { return slices.Compare(a.Lines, b.Lines) })
	repaired := l.bytes()
	if bytes.Equal(repaired, data) {
		repaired = data
	}
	r.Changed = !bytes.Equal(repaired, data)
	return repaired, r, c.judge(repaired, r)
}

// setLost compares what the client would send before and after the repair. lost are lines that it
// leaves out of what it sends before.
func (r *Report) setLost(before, after []message, lost []int) {
	sent := map[int]bool{}
	for _, m := range before {
		for _, n := range m.lines {
			sent[n] = true
		}
	}
	missing := map[int]bool{}
	for _, n := range lost {
		missing[n] = true
	}
	counted := map[int]bool{}
	for k, m := range after {
		partly := false
		for _, n := range m.lines {
			if !sent[n] {
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
// prompt follows it.
func (c *client) judge(data []byte, r *Report) error {
	l, _ := parseLog(data, nil)
	messages, _ := c.read(l)
	var request []message
	if c.opens != "" {
		request = append(request, message{json: []byte(c.opens)})
	}
	request = append(append(request, messages...), message{json: []byte(c.prompt)})
	s := c.session(request)
	found, err := wire.Check(s.Body, &wire.Options{Provider: c.format})
	if err != nil {
		return err
	}
	for _, v := range found.Violations {
		if v.Path == "tools" {
			continue // a session does not keep the tools that the client declares
		}
		r.Left = append(r.Left, v)
		r.LeftLines = append(r.LeftLines, s.linesOf(v.Path))
	}
	return nil
}

// linesOf returns the lines of the message that a path of Body is in.
func (s *Session) linesOf(path string) []int {
	open, shut := bytes.IndexByte([]byte(path), '['), bytes.IndexByte([]byte(path), ']')
	if open < 0 || shut < open {
		return nil
	}
	n := 0
	for _, c := range path[open+1 : shut] {
		if c < '0' || c > '9' || n > len(s.Lines) {
			return nil
		}
		n = 10*n + int(c-'0')
	}
	if n >= len(s.Lines) {
		return nil
	}
	return s.Lines[n]
}
