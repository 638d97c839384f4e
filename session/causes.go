package session

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file says which step made a fault, as far as the file shows it.

// Step is what made a fault. Steps are stable and part of the API, and new ones may be added.
type Step string

// The steps.
const (
	// A process ended while it wrote, or while a tool ran.
	StepKilled Step = "killed-process"
	// A compaction left one half of a pair out, or the record that another one follows.
	StepCompaction Step = "compaction"
	// A hook or an extension wrote a record in between.
	StepHook Step = "hook"
	// Two processes wrote one session at the same time.
	StepTwoProcesses Step = "two-processes"
	// A program that is not the client copied or edited the file.
	StepOtherProgram Step = "other-program"
	// An earlier repair.
	StepRepair Step = "earlier-repair"
	// The client stored it so.
	StepClient Step = "client"
	// A record is gone, and the file does not show why.
	StepUnknown Step = "unknown"
)

// Cause is where one fault of a session is from, as far as the file shows it.
type Cause struct {
	// Step is what made the fault.
	Step Step `json:"step"`
	// Shows says in words what in the file shows that.
	Shows string `json:"shows"`
	// Line is the line that the fault is in, from 1; 0 for a row of a database.
	Line int `json:"line,omitempty"`
	// Record is the client's own id or number of the record, "" if it has none or it cannot be
	// read.
	Record string `json:"record,omitempty"`
	// Version is the version of the client that wrote the record, as the records up to it name it.
	Version string `json:"version,omitempty"`
	// Time is when the record was written, zero if it does not say so.
	Time time.Time `json:"time,omitzero"`
}

// causes looks for what made faults.
type causes struct {
	client  *client
	lines   []*line
	at      map[int]int     // indexes of lines, by number
	version []string        // by index
	cut     map[string]bool // ids of records that are there in part
}

// setCauses gives each finding its causes. l is the log as it was.
func (r *Report) setCauses(c *client, l *log) {
	s := &causes{
		client: c, lines: l.lines, at: map[int]int{}, version: make([]string, len(l.lines)),
		cut: map[string]bool{},
	}
	version := ""
	for k, line := range l.lines {
		s.at[int(line.number)] = k
		if c.version != nil && line.object {
			if named := c.version(line); named != "" {
				version = named
			}
		}
		s.version[k] = version
		if line.broken {
			s.cut[s.id(line)] = true
		}
	}
	for k := range r.Findings {
		f := &r.Findings[k]
		for _, n := range f.Lines {
			if at, known := s.at[n]; known {
				f.Causes = append(f.Causes, s.of(f, at))
			}
		}
	}
}

// setRowCauses does what setCauses does for rows, of which only the finding is known.
func (r *Report) setRowCauses() {
	for k := range r.Findings {
		f := &r.Findings[k]
		step, shows := usualStep(f.Code)
		for _, row := range f.Rows {
			f.Causes = append(f.Causes, Cause{
				Step: step, Shows: shows, Record: row, Version: r.Version,
			})
		}
	}
}

// of returns the cause of a finding in a line.
func (s *causes) of(f *Finding, at int) Cause {
	record := s.lines[at]
	c := Cause{
		Line: int(record.number), Record: s.id(record), Version: s.version[at], Time: record.stamp(),
	}
	c.Step, c.Shows = s.step(f, at)
	return c
}

// id returns the client's own id of a record, or what is left of it.
func (s *causes) id(record *line) string {
	name := s.client.id
	v := record.at(name)
	if v.Kind() == jsonscan.String {
		return v.Str()
	}
	if record.broken && name != "" {
		return headOf(record.raw, name, "").id
	}
	return string(v.Raw())
}

// usualStep returns what makes a fault where nothing else shows it.
func usualStep(code Code) (Step, string) {
	switch code {
	case CodeUnreadableLine, CodeHalfWritten:
		return StepKilled, "it was not written to its end"
	case CodeGluedLines, CodeNoLineBreak:
		return StepKilled, "a run ended before it had written the line break"
	case CodeReasoningLast:
		return StepKilled, "the answer ended after its reasoning"
	case CodeBlankText:
		return StepKilled, "the answer ended before it had a text"
	case CodeByteOrderMark:
		return StepOtherProgram, "an editor writes such a mark, and the client does not"
	case CodeDoubledLine:
		return StepOtherProgram, "the record is there again, byte for byte"
	case CodeDoubledNumber:
		return StepTwoProcesses, "two processes counted on from the same number"
	case CodeLateResult:
		return StepRepair, "the added result has the id that a repair gives"
	case Code(codes.ReasoningMoved):
		return StepUnknown, "what was between two answers is gone, or was never written"
	case CodeDanglingCall, CodeOrphanResult, CodeBrokenChain:
		return StepUnknown, "a record is gone that was there, and the client only appends"
	}
	return StepClient, "the client stored it so"
}

// step returns what made a fault, and what shows it.
func (s *causes) step(f *Finding, at int) (Step, string) {
	step, shows := usualStep(f.Code)
	record := s.lines[at]
	switch f.Code {
	case CodeUnreadableLine:
		if at < len(s.lines)-1 {
			return step, shows + ", and another run went on after it"
		}
		return step, shows + ", and is the last line"
	case CodeDanglingCall:
		return s.openCall(at)
	case CodeDoubledNumber:
		if !record.at(s.client.id).Exists() {
			return StepClient, "the client gave it no number"
		}
	case CodeOrphanResult, CodeBrokenChain:
		if f.Code == CodeBrokenChain && s.parentIsCut(record) {
			return StepKilled, "the record that it follows was not written to its end"
		}
		if compaction := s.before(at, s.client.compacts); compaction > 0 {
			return StepCompaction, fmt.Sprintf("it is the first one after the compaction in line %d",
				compaction)
		}
	case CodeOutOfOrder:
		if hook := s.before(at, s.client.hooked); hook > 0 {
			return StepHook, fmt.Sprintf("line %d before it is from a hook or an extension", hook)
		}
		if before := s.neighbour(at, -1); before >= 0 && !record.stamp().IsZero() &&
			s.lines[before].stamp().After(record.stamp()) {
			return StepTwoProcesses, "it is older than the record before it"
		}
	default:
		if s.client.hooked != nil && record.object && s.client.hooked(record) {
			return StepHook, "the record is from a hook or an extension"
		}
	}
	return step, shows
}

// openCall says why a call has no result.
func (s *causes) openCall(at int) (Step, string) {
	call := s.lines[at]
	for next := s.neighbour(at, 1); next >= 0; next = s.neighbour(next, 1) {
		record := s.lines[next]
		switch {
		case s.client.hooked != nil && s.client.hooked(record):
			return StepHook, fmt.Sprintf("line %d after the call is from a hook or an extension",
				record.number)
		case s.client.compacts != nil && s.client.compacts(record):
			return StepCompaction, fmt.Sprintf("the compaction in line %d came before its result",
				record.number)
		case s.client.isResult(record), !s.client.isMessage(record),
			messageID(record) != "" && messageID(record) == messageID(call):
			continue // of a parallel call
		case !s.client.isPrompt(record):
			return usualStep(CodeDanglingCall)
		}
		shows := "a new prompt follows the call"
		if from, to := call.stamp(), record.stamp(); !from.IsZero() && to.After(from) {
			shows += ", " + to.Sub(from).Round(time.Second).String() + " later"
		}
		return StepKilled, shows
	}
	return StepKilled, "the session ends with the call"
}

// parentIsCut reports whether the record before another one is there in part.
func (s *causes) parentIsCut(record *line) bool {
	name := parent
	if s.client.id == "id" {
		name = piParent
	}
	id := record.str(name)
	return id != "" && s.cut[id]
}

// neighbour returns the index of the next record that can be read, in a direction; -1 for none.
func (s *causes) neighbour(at, step int) int {
	for k := at + step; k >= 0 && k < len(s.lines); k += step {
		if s.lines[k].object {
			return k
		}
	}
	return -1
}

// before returns the number of the nearest record of a kind before a line, if no message is between
// them; 0 for none.
func (s *causes) before(at int, kind func(*line) bool) int {
	if kind == nil {
		return 0
	}
	for k := s.neighbour(at, -1); k >= 0; k = s.neighbour(k, -1) {
		if kind(s.lines[k]) {
			return int(s.lines[k].number)
		}
		if s.client.isMessage(s.lines[k]) {
			break
		}
	}
	return 0
}

// isMessage reports whether a record holds a message.
func (c *client) isMessage(l *line) bool {
	return l.at("message").Exists() || l.at("payload", "role").Exists() ||
		strings.HasSuffix(l.str("type"), ".message") || oneOf(l.at("type"), "user", "gemini")
}

// isResult reports whether a record holds nothing but results.
func (c *client) isResult(l *line) bool {
	if l.at("message", "toolCallId").Exists() || strings.HasSuffix(l.str("payload", "type"), "_output") ||
		l.str("type") == copilotResult {
		return true
	}
	for _, member := range []string{"content", "parts"} {
		for _, block := range elements(l.at("message", member)) {
			if block.Get("type").StrIs("tool_result") || block.Has("functionResponse") {
				return true
			}
		}
	}
	return false
}

// isPrompt reports whether a record holds a message of the user's that is no result.
func (c *client) isPrompt(l *line) bool {
	return c.isMessage(l) && !c.isResult(l) &&
		(l.str("message", "role") == "user" || l.str("payload", "role") == "user" ||
			oneOf(l.at("type"), "user.message", "user"))
}
