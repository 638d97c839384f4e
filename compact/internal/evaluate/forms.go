package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/go-preflight/preflight"
)

// This file asks for answers of every form: short and long, repeated and not, in several languages,
// to a question in the middle of a message, and to a tool.

// form is how the agent asks and the user answers. Its sessions are those of the second evaluation.
type form struct {
	name    string
	answers []string // one is drawn; %s is a name that no other answer has
	asks    string   // for %s, the deed; "" is "May I %s?"
	after   string   // what the agent says after the question
	pause   []string // what the user and the agent say before the answer, in turns
	tool    bool     // a tool asks
	called  string   // the tool; "" is ask_user
	input   string   // of the call, JSON for %s, the question; "" is {"input":"%s"}
	result  string   // for %s, the answer; "" is the answer
	ends    bool     // what counts is the last sentence of the answer, not the first
}

var forms = []form{
	{name: "one word", answers: []string{"Yes.", "No."}},
	{name: "six or seven words", answers: []string{"Yes, go ahead with that one.",
		"No, leave it as it is, please.", "Only if nobody needs it today."}},
	{name: "with a reason", answers: []string{
		"No, %s still needs it for the report that is due at the end of the quarter.",
		"Yes, because %s has a copy of it and nobody has looked at it since the spring.",
	}},
	{name: "several sentences", answers: []string{
		"Yes. But make a copy of it first, and put that where %s finds it. Then tell the others, since " +
			"some of them look at it in the morning, and they should not be surprised.",
		"No. The last time somebody did that, %s had to work for two days to bring it back. Leave it, " +
			"and write down what you wanted to do with it, so that we can talk about it next week.",
	}},
	{name: "in German", answers: []string{"Nein, den brauchen wir noch.", "Ja, mach das bitte so."}},
	{name: "in Japanese", answers: []string{"いいえ、それは残しておいてください。", "はい、そうしてください。"}},
	{name: "a sentence after the question", answers: []string{"Yes.", "No, not that one."},
		after: " It can be undone until tomorrow."},
	{name: "to a tool", answers: []string{"Yes", "No, leave it as it is", "Only if %s agrees"},
		tool: true},
}

// ask writes a question about a deed and its answer.
func (f form) ask(w *writer, deed string) exchange {
	e := exchange{
		question: fmt.Sprintf(cmp.Or(f.asks, "May I %s?"), deed), answer: pick(w, f.answers),
	}
	if strings.Contains(e.answer, "%s") {
		e.answer = fmt.Sprintf(e.answer, w.code("Ada"))
	}
	e.shown, _, _ = strings.Cut(e.answer, ". ")
	if f.ends {
		e.shown = e.answer[strings.LastIndex(e.answer, ". ")+2:]
	}
	if f.tool {
		w.called("I have to ask.", cmp.Or(f.called, "ask_user"),
			fmt.Sprintf(cmp.Or(f.input, `{"input":"%s"}`), e.question),
			fmt.Sprintf(cmp.Or(f.result, "%s"), e.answer), false)
		return e
	}
	w.assistant("%s%s", e.question, f.after)
	for k, text := range f.pause {
		w.say([]preflight.Role{preflight.RoleUser, preflight.RoleAssistant}[k%2], text)
	}
	w.user("%s", e.answer)
	return e
}

// formSeeds are the seeds of its sessions. Nothing was chosen on them.
var formSeeds = []uint64{741, 742, 743}

// follows reports whether what decides an answer comes after its question in a text, before the next
// question that begins like it.
func (e exchange) follows(text string) bool {
	_, after, ok := strings.Cut(text, e.question)
	if begins := e.question[:min(len(e.question), 6)]; strings.Contains(after, begins) {
		after, _, _ = strings.Cut(after, begins)
	}
	return ok && strings.Contains(after[:min(len(after), 200+len(e.answer))], e.shown)
}

// formed returns the share of the questions in the last request of a session whose answers come
// next.
func formed(f form, seeds []uint64, w way, budget int) (score, error) {
	var out score
	for _, seed := range seeds {
		for _, t := range trades[1:] {
			s := workWith(t, seed, &f)
			last := ""
			if _, err := needTo(&s, budget, w, func(n int, sent []preflight.Message) {
				if n == len(s.history) {
					last = everything(sent)
				}
			}); err != nil {
				return out, err
			}
			for _, e := range s.answered {
				if out.of++; e.follows(last) {
					out.hit++
				}
			}
		}
	}
	return out, nil
}

// writeForms writes what is kept of answers, by form: of those that are known and of those that are
// held.
func writeForms(w io.Writer) error {
	fmt.Fprint(w, `### Answers, by form

The sessions and budgets of "What an agent needs", of two kinds and other seeds, in which the user
answers in one form. An answer counts if the sentence that decides comes after its question and
before the next. The forms of the second table were written apart from the package; after they were
first measured, it learned of answers after a pause (before: 9 / 13 / 16) and of decisions at the end
of an answer (7 / 13 / 14).

`)
	if err := formTable(w, forms, formSeeds); err != nil {
		return err
	}
	return formTable(w, heldForms, heldFormSeeds)
}

// formTable writes the table of some forms.
func formTable(w io.Writer, forms []form, seeds []uint64) error {
	ways := rivals()[:3]
	scores, err := inParallel(len(forms)*len(ways)*len(needBudgets), func(k int) (score, error) {
		per := len(ways) * len(needBudgets)
		w := ways[k/len(needBudgets)%len(ways)]
		return formed(forms[k/per], seeds, w, needBudgets[k%len(needBudgets)])
	})
	if err != nil {
		return err
	}
	t := table{head: []string{"form"}}
	for _, x := range ways {
		t.head = append(t.head, x.name)
	}
	for k, f := range forms {
		row := []string{f.name}
		for i := range ways {
			var cells []string
			for j := range needBudgets {
				s := scores[(k*len(ways)+i)*len(needBudgets)+j]
				cells = append(cells, strings.TrimSuffix(s.String(), " %"))
			}
			row = append(row, strings.Join(cells, " / "))
		}
		t.add(row...)
	}
	t.writeTo(w)
	return nil
}
