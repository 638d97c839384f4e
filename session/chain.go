package session

import "github.com/go-preflight/preflight/internal/jsonscan"

// This file is what Claude Code and Qwen Code have in common: records that name the record before
// them. A client starts at the end and follows the names, so that one lost record hides all before
// it.

// uuid and parent are the members by which records form a chain.
const (
	uuid   = "uuid"
	parent = "parentUuid"
)

// chained reports whether a record is part of a chain.
func (l *line) chained() bool { return l.str(uuid) != "" && l.at(parent).Exists() }

// byUUID returns the records by their uuid; of several with one uuid the first.
func byUUID(records []*line) map[string]*line {
	known := make(map[string]*line, len(records))
	for _, l := range records {
		if id := l.str(uuid); id != "" && known[id] == nil {
			known[id] = l
		}
	}
	return known
}

// relink gives each record whose parent is not in the file a parent again: the one that find
// returns, or else the record before it.
func relink(l *log, r *Report, from int, find func(*line) *line) {
	records := l.objects()
	known := byUUID(records)
	var before *line
	for _, record := range records {
		if !record.chained() {
			continue
		}
		id := record.str(parent)
		if record.number >= from && id != "" && known[id] == nil {
			to := find(record)
			if to == nil {
				to = before
			}
			record.setParent(to)
			r.add(Finding{
				Code: CodeBrokenChain, Lines: numbered(record),
				Problem: "the record before this one is missing, so the client loses what is before it",
				Done:    "linked it to the record before it",
			})
		}
		before = record
	}
}

// setParent makes to the parent of a record; nil makes the record a beginning.
func (l *line) setParent(to *line) {
	if to == nil {
		l.set([]byte("null"), parent)
		return
	}
	l.set(quote(to.str(uuid)), parent)
}

// ancestors returns the records from leaf to the beginning of its chain.
func ancestors(leaf *line, known map[string]*line) map[*line]bool {
	seen := map[*line]bool{}
	for l := leaf; l != nil && !seen[l]; l = known[l.str(parent)] {
		seen[l] = true
	}
	return seen
}

// numbered returns the numbers of lines, without those of added ones.
func numbered(lines ...*line) []int {
	var numbers []int
	for _, l := range lines {
		if l.number > 0 {
			numbers = append(numbers, l.number)
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
