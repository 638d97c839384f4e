package main

import (
	"fmt"
	"strings"
)

// This file makes the longer sessions: eleven shapes, each for hundreds of messages. They differ in
// how long tool outputs are, how many calls there are for a question, how much is said, and where
// the facts are.

// pattern is a way to write a long session.
type pattern struct {
	name    string
	tasks   int
	rounds  int      // tool calls for each task
	output  int      // lines of each output
	said    int      // sentences of each conclusion
	follows int      // exchanges without tools after each
	kinds   []string // of facts, in turns: wish, number, output
	asked   bool     // there is one user message, and the rest is the agent's
	line    func(w *writer, t topic, k int) string
}

var patterns = []pattern{
	{ // 60 tasks with 5 calls each, outputs of 30 lines of code
		name:  "long coding agent",
		tasks: 60, rounds: 5, output: 30, said: 2, kinds: []string{"number", "wish", "output"},
		line: func(w *writer, t topic, k int) string {
			return fmt.Sprintf("%4d  %s", k+1, pick(w, []string{
				"if err != nil {", "return nil, err", "for _, row := range rows {", "}",
				"count++", "defer mu.Unlock()", "// see above", "switch kind {", "default:",
			}))
		},
	},
	{ // 45 alerts with 3 calls each, outputs of 25 log lines
		name:  "long incident",
		tasks: 45, rounds: 3, output: 25, said: 2, follows: 1,
		kinds: []string{"number", "number", "wish"},
		line: func(w *writer, t topic, k int) string {
			return fmt.Sprintf("12:%02d:%02d %s %s %d ms", w.rand.IntN(60), w.rand.IntN(60),
				pick(w, []string{"INFO", "WARN", "ERROR"}), pick(w, t.things), w.rand.IntN(900))
		},
	},
	{ // one user message, then 350 calls in a row
		name:  "one order, many steps",
		tasks: 350, rounds: 1, output: 10, said: 1, kinds: []string{"number", "", "", "output"},
		asked: true,
		line: func(w *writer, t topic, k int) string {
			return fmt.Sprintf("ok   %s %d.%02ds", pick(w, t.things), k, w.rand.IntN(99))
		},
	},
	{ // 40 questions with 4 searches each, outputs of prose
		name:  "research",
		tasks: 40, rounds: 4, output: 8, said: 4, kinds: []string{"output", "wish", "number"},
		line: func(w *writer, t topic, _ int) string { return w.sentence(t) },
	},
	{ // 450 exchanges about eight topics, no tools
		name:  "long chat",
		tasks: 150, said: 2, follows: 2, kinds: []string{"wish", "number", "", ""},
	},
	{ // 130 questions with long answers, no tools
		name:  "tutor",
		tasks: 130, said: 9, follows: 1, kinds: []string{"wish", "", "number"},
	},
	{ // 160 customers, one short call each
		name:  "long support desk",
		tasks: 160, rounds: 1, output: 4, said: 2, follows: 1,
		kinds: []string{"number", "", "wish"},
		line: func(w *writer, _ topic, k int) string {
			return fmt.Sprintf("day %d: scanned in depot %d", k+1, w.rand.IntN(90))
		},
	},
	{ // 70 questions with 2 queries each, tables of 20 rows
		name:  "long data analysis",
		tasks: 70, rounds: 2, output: 20, said: 2, kinds: []string{"number", "wish"},
		line: func(w *writer, _ topic, k int) string {
			return fmt.Sprintf("%4d | %5d | %d.%02d", k+1, w.rand.IntN(9999), w.rand.IntN(90000),
				w.rand.IntN(100))
		},
	},
	{ // 90 files moved one after the other, the same output every time
		name:  "migration",
		tasks: 90, rounds: 2, output: 12, said: 1, kinds: []string{"number", "", "wish"},
		line: func(_ *writer, t topic, k int) string {
			return fmt.Sprintf("moved step %d of %s without a warning", k, t.name)
		},
	},
	{ // 200 checks with a call each, long outputs, rarely a word
		name:  "monitoring",
		tasks: 200, rounds: 1, output: 18, said: 0, kinds: []string{"", "number", "", ""},
		line: func(w *writer, t topic, k int) string {
			return fmt.Sprintf("%s-%d cpu=%d%% mem=%d%%", t.name, k, w.rand.IntN(100),
				w.rand.IntN(100))
		},
	},
	{ // 100 decisions of several people, prepared with a call each
		name:  "planning",
		tasks: 100, rounds: 1, output: 6, said: 5, follows: 2, kinds: []string{"wish", "number"},
		line: func(w *writer, t topic, _ int) string { return w.sentence(t) },
	},
}

// write writes the session of a pattern.
func (s pattern) write(seed uint64) session {
	w := newWriter(s.name, 100+seed)
	for task := range s.tasks {
		t := topics[task*5%len(topics)]
		w.topic = t.name
		kind := s.kinds[task%len(s.kinds)]
		subject := fmt.Sprintf("%s %d", t.things[task%len(t.things)], task)
		if !s.asked || task == 0 {
			w.user("%s", s.order(w, t, kind, subject))
		}
		for k := range s.rounds {
			output := lines(s.output, func(k int) string { return s.line(w, t, k) })
			if kind == "output" && k == s.rounds/2 {
				id := w.code("E")
				w.hard(fmt.Sprintf("Which error did the %s of %s report?", subject, t.name), id)
				at := len(output) / 2
				at += strings.IndexByte(output[at:]+"\n", '\n')
				output = output[:at] + fmt.Sprintf("\nthe %s reported error %s here", subject, id) +
					output[at:]
			}
			w.tool(fmt.Sprintf("I will see to the %s.", subject), "run", subject, output)
		}
		if s.asked && kind != "number" {
			continue
		}
		w.assistant("%s", s.conclusion(w, t, kind, subject))
		for range s.follows {
			w.user("%s", pick(w, fillers))
			w.assistant("%s %s", pick(w, fillers), w.sentence(t))
		}
	}
	return tail(w)
}

// order returns what the user asks for.
func (s pattern) order(w *writer, t topic, kind, subject string) string {
	text := fmt.Sprintf("Now the %s, please. %s", subject, w.sentence(t))
	if kind != "wish" {
		return text
	}
	place := pick(w, []string{"north hall", "blue folder", "second shelf", "old mill", "side yard"})
	person := pick(w, []string{"Ada", "Bela", "Cato", "Dora", "Egon", "Fritzi", "Gerda", "Hugo"})
	wish := fmt.Sprintf("hand the %s over to %s in the %s", subject, person, place)
	w.soft(fmt.Sprintf("What is to be done with the %s in the end?", subject),
		fmt.Sprintf("over to %s in the %s", person, place))
	return text + " And " + wish + "."
}

// conclusion returns what the assistant says at the end of a task.
func (s pattern) conclusion(w *writer, t topic, kind, subject string) string {
	said := []string{fmt.Sprintf("The %s is done.", subject)}
	for range s.said {
		said = append(said, w.sentence(t))
	}
	if kind == "number" {
		id := w.code("REF")
		w.hard(fmt.Sprintf("Under which reference is the %s of %s filed?", subject, t.name), id)
		said[0] = fmt.Sprintf("The %s is done and filed as %s.", subject, id)
	}
	return strings.Join(said, " ")
}

// longSessions returns the sessions of all patterns.
func longSessions() []session {
	var out []session
	for k, s := range patterns {
		out = append(out, s.write(uint64(k)))
	}
	return out
}
