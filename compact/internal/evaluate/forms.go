package main

import (
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
	after   string   // what the agent says after the question
	tool    bool     // a tool asks
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

// ask writes a question and its answer.
func (f form) ask(x *worker, question string) {
	answer := pick(x.writer, f.answers)
	if strings.Contains(answer, "%s") {
		answer = fmt.Sprintf(answer, x.code("Ada"))
	}
	if f.tool {
		x.tool("I have to ask.", "ask_user", question, answer)
	} else {
		x.assistant("%s%s", question, f.after)
		x.user("%s", answer)
	}
	x.answered = append(x.answered, exchange{question, answer})
}

// formSeeds are the seeds of its sessions. Nothing was chosen on them.
var formSeeds = []uint64{741, 742, 743}

// follows reports whether the answer to a question comes next in a text, or at least its first
// sentence.
func (e exchange) follows(text string) bool {
	_, after, ok := strings.Cut(text, e.question)
	if next := strings.Index(after, "May I "); next >= 0 {
		after = after[:next]
	}
	first, _, _ := strings.Cut(e.answer, ". ")
	return ok && strings.Contains(after[:min(len(after), 200)], first)
}

// formed is the share of the questions in the last request of a session whose answers come next.
func formed(f form, w way, budget int) (score, error) {
	var out score
	for _, seed := range formSeeds {
		for _, t := range trades[1:] {
			s := workWith(t, seed, &f)
			last := ""
			if _, err := needTo(&s, budget, w, func(sent []preflight.Message) {
				last = everything(sent)
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

// writeForms writes what is kept of answers, by form.
func writeForms(w io.Writer) error {
	ways := rivals()[:3]
	scores, err := inParallel(len(forms)*len(ways)*len(needBudgets), func(k int) (score, error) {
		per := len(ways) * len(needBudgets)
		return formed(forms[k/per], ways[k/len(needBudgets)%len(ways)], needBudgets[k%len(needBudgets)])
	})
	if err != nil {
		return err
	}
	fmt.Fprint(w, `### Answers, by form

The sessions and budgets of "What an agent needs", of two kinds and other seeds, in which the user
answers in one form. An answer counts if its first sentence comes next after its question.

`)
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
