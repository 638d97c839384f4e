package main

import (
	"fmt"
	"strings"
)

// This file makes the sessions of the second evaluation: agents at work, who come back to what they
// saw, whose users change their minds and answer questions. All of the text is ours.

// trade is a kind of work.
type trade struct {
	name   string
	tasks  int
	steps  int // calls for each task
	output int // lines of an output
	places []string
	things []string
}

var trades = []trade{
	{ // files searched, read, edited and tested; long outputs
		name:  "repairing code",
		tasks: 26, steps: 6, output: 24,
		places: []string{"billing", "parser", "gateway", "search", "mailer", "auth"},
		things: []string{"Cursor", "Header", "Invoice", "Token", "Batch", "Mapping", "Route"},
	},
	{ // alerts, logs and states; outputs of middle length
		name:  "running servers",
		tasks: 34, steps: 3, output: 12,
		places: []string{"north", "south", "edge", "core", "lab"},
		things: []string{"Proxy", "Volume", "Queue", "Certificate", "Replica", "Lease"},
	},
	{ // questions, answers and plans; short outputs
		name:  "planning a fair",
		tasks: 44, steps: 1, output: 5,
		places: []string{"hall", "garden", "cellar", "stage", "yard"},
		things: []string{"Lantern", "Bench", "Banner", "Oven", "Speaker", "Ticket", "Tent"},
	},
}

var deeds = []string{"load", "check", "move", "close", "merge", "print", "count", "split", "renew"}

// revision is a setting that the user sets again and again, and its value in the end.
type revision struct{ key, value string }

// exchange is a question of the agent's and the user's answer, and what of the answer has to be shown.
type exchange struct{ question, answer, shown string }

// working is a session under the second evaluation.
type working struct {
	session
	revised  []revision
	answered []exchange
}

// worker writes a working session.
type worker struct {
	*writer
	trade
	known    []string // identifiers, in the order they were last used
	revised  []revision
	answered []exchange
	form     *form // of the answers; nil is short ones
}

// work writes the session of a trade.
func work(t trade, seed uint64) working { return workWith(t, seed, nil) }

// workWith writes the session of a trade in which the user answers in a form.
func workWith(t trade, seed uint64, f *form) working {
	x := &worker{writer: newWriter(t.name, 9000+seed), trade: t, form: f}
	x.say("system", "You are a careful assistant. Say what you do before you do it.")
	for k := range 6 {
		x.revised = append(x.revised, revision{key: fmt.Sprintf("%s limit of the %s",
			[]string{"retry", "size", "age"}[k%3], t.places[k%len(t.places)])})
	}
	for k := range t.tasks {
		x.task(k)
	}
	return working{tail(x.writer), x.revised, x.answered}
}

// fresh returns a new identifier: of a file, a function or a run.
func (x *worker) fresh() string {
	thing, place := pick(x.writer, x.things), pick(x.writer, x.places)
	n := x.rand.IntN(900) + 100
	id := fmt.Sprintf("%s%s%d", pick(x.writer, deeds), thing, n)
	switch x.rand.IntN(3) {
	case 0:
		id = fmt.Sprintf("%s/%s_%d.go", place, strings.ToLower(thing), n)
	case 1:
		id = fmt.Sprintf("%s-%s-%d", place, strings.ToLower(thing), n)
	}
	return id
}

// use returns an identifier that the agent uses next: mostly one it used lately, often one of the
// last output, and at times one of long ago.
func (x *worker) use(output []string) string {
	if n := len(output); n > 0 && x.rand.IntN(100) < 35 {
		return output[x.rand.IntN(n)]
	}
	n := len(x.known)
	if n == 0 {
		return x.fresh()
	}
	back := x.rand.IntN(min(n, 8))
	if x.rand.IntN(100) < 40 {
		back = x.rand.IntN(min(n, 60))
	}
	return x.known[n-1-back]
}

// remember makes an identifier the last that was used.
func (x *worker) remember(id string) {
	for k, have := range x.known {
		if have == id {
			x.known = append(x.known[:k], x.known[k+1:]...)
			break
		}
	}
	x.known = append(x.known, id)
}

// task is one order of the user's, and what the agent does about it.
func (x *worker) task(k int) {
	place := pick(x.writer, x.places)
	x.topic = place
	ticket := x.code(strings.ToUpper(place[:2]))
	text := fmt.Sprintf("Next is %s: the %s does not work.", ticket, pick(x.writer, x.things))
	if k < x.tasks-4 {
		x.hard(fmt.Sprintf("Which ticket was number %d?", k), ticket)
	}
	if x.rand.IntN(2) == 0 { // a setting is set or changed
		r := &x.revised[x.rand.IntN(len(x.revised))]
		value := fmt.Sprintf("%d", 1000+x.rand.IntN(9000))
		if r.value == "" {
			text += fmt.Sprintf(" The %s is %s.", r.key, value)
		} else {
			text += pick(x.writer, []string{
				fmt.Sprintf(" Change of plan: the %s is %s now.", r.key, value),
				fmt.Sprintf(" Sorry, I was wrong before, the %s is %s.", r.key, value),
				fmt.Sprintf(" By the way, the %s is now %s.", r.key, value),
			})
		}
		r.value = value
	}
	if k%5 == 2 && k < x.tasks-4 {
		wish := fmt.Sprintf("%s %ss first", pick(x.writer, []string{"paint the", "label the",
			"never touch the", "ask Ada about the"}), strings.ToLower(pick(x.writer, x.things)))
		text += " And " + wish + "."
		x.soft(fmt.Sprintf("What else was wanted in task %d?", k), wish)
	}
	x.user("%s", text)
	var output []string
	for range x.steps {
		output = x.step(output)
	}
	if k%2 == 0 && k < x.tasks-4 {
		id := x.use(output)
		deed := fmt.Sprintf("%s %s for %s", pick(x.writer, deeds), id, ticket)
		x.remember(id)
		f := form{answers: []string{"Yes.", "No.", "Yes, but only once.", "No, never.",
			"Not today.", "Go ahead."}}
		if x.form != nil {
			f = *x.form
		}
		x.answered = append(x.answered, f.ask(x.writer, deed))
	}
	done := x.code("REV")
	x.assistant("%s is done, see %s. The cause was in %s.", ticket, done, x.use(output))
	if k < x.tasks-4 {
		x.hard(fmt.Sprintf("Where is what was done about %s?", ticket), done)
	}
	x.user("%s", pick(x.writer, []string{"Thanks.", "Good.", "Thank you, go on.", "All right."}))
}

// step returns one call with its output, and the identifiers that the output adds.
func (x *worker) step(before []string) []string {
	id := x.use(before)
	if x.rand.IntN(100) < 20 {
		id = x.fresh()
	}
	x.remember(id)
	tool := pick(x.writer, []string{"search", "read", "run", "state"})
	var found []string
	text := lines(x.output, func(k int) string {
		switch {
		case k%9 == 4, tool == "search", tool == "read" && k%3 == 1:
			other := x.fresh()
			found = append(found, other)
			return fmt.Sprintf("%3d: see %s, called from %s", k, other, id)
		case tool == "state":
			return fmt.Sprintf("%s  %s  %d ms", pick(x.writer, x.places),
				pick(x.writer, []string{"ready", "busy", "waiting"}), x.rand.IntN(900))
		case tool == "run":
			return fmt.Sprintf("ok   step %d of %s  0.%02ds", k, pick(x.writer, x.places),
				x.rand.IntN(99))
		}
		return fmt.Sprintf("%3d: %s", k, pick(x.writer, []string{"if err != nil {", "return nil",
			"}", "the caller holds the lock", "for each row of the table", "defer close()"}))
	})
	x.tool(fmt.Sprintf("%s %s next.", pick(x.writer, []string{"I look at", "Let me see",
		"I will open"}), id), tool, id, text)
	if len(found) > 0 && x.rand.IntN(2) == 0 {
		x.remember(pick(x.writer, found))
	}
	return found
}
