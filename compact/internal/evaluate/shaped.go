package main

import (
	"fmt"
	"strings"
)

// This file makes the sessions that are shaped like real ones: agent loops in which tool outputs
// are most of the bytes, with the few sentences that matter in between. The proportions are those
// of coding and operations agents: a user message, then rounds of calls whose outputs are tens of
// lines, then a conclusion. All of the text is ours.

// lines is n lines made by line.
func lines(n int, line func(k int) string) string {
	out := make([]string, n)
	for k := range out {
		out[k] = line(k)
	}
	return strings.Join(out, "\n")
}

var packages = []string{
	"parser", "storage", "billing", "gateway", "scheduler", "render", "auth", "metrics", "queue",
	"export", "search", "mailer",
}

// coding returns a coding agent that repairs one package after the other.
func coding() session {
	w := newWriter("coding agent", 11)
	wishes := []string{
		"keep the public names as they are",
		"write comments in plain English",
		"never touch the generated files",
		"prefer early returns",
		"do not add dependencies",
		"leave the old flag working",
	}
	for i, p := range packages {
		w.topic = p
		ticket := w.code("BUG")
		w.user("The tests of package %s fail since yesterday, see %s. Please repair it, and %s.", p,
			ticket, wishes[i%len(wishes)])
		w.hard(fmt.Sprintf("Which ticket is about package %s?", p), ticket)
		if i < len(wishes) {
			w.soft(fmt.Sprintf("What should I mind when repairing package %s?", p), wishes[i])
		}
		line := 100 + w.rand.IntN(800)
		w.tool(fmt.Sprintf("I will run the tests of %s first.", p), "run", "go test ./"+p,
			lines(24, func(k int) string {
				if k == 17 {
					return fmt.Sprintf("    %s_test.go:%d: want 3 rows, got 2", p, line)
				}
				return fmt.Sprintf(
					"=== RUN   Test%s/case_%02d\n--- PASS: Test%s/case_%02d (0.%02ds)", p, k, p, k,
					w.rand.IntN(99))
			}))
		w.hard(fmt.Sprintf("Which line of the test failed in package %s?", p),
			fmt.Sprintf("%s_test.go:%d", p, line))
		for f := range 3 {
			name := fmt.Sprintf("%s/%s_%d.go", p,
				pick(w, []string{"read", "write", "index", "cursor", "flush"}), f)
			w.tool(fmt.Sprintf("Now the code of %s.", name), "read_file", name, lines(40,
				func(k int) string {
					return fmt.Sprintf("%3d  %s", k+1,
						pick(w, []string{
							"func (s *store) next() (row, error) {",
							"\tif err != nil {",
							"\t\treturn nil, err",
							"\tfor i := range s.rows {",
							"\t\ts.count++",
							"}",
							"\t// the caller holds the lock",
							"\treturn s.rows[i], nil",
						}))
				}))
		}
		constant := w.code("limit")
		w.tool("I found it and will change the bound.", "edit", p+"/cursor.go", "1 hunk applied")
		w.tool("The tests again.", "run", "go test ./"+p, lines(12, func(k int) string {
			return fmt.Sprintf("ok   example.com/app/%s/sub%d  0.%02ds", p, k, w.rand.IntN(99))
		}))
		w.assistant("Done. The loop in %s stopped one row early; the constant is called %s now "+
			"and the tests pass.", p, constant)
		w.hard(fmt.Sprintf("What is the constant in package %s called now?", p), constant)
		w.user("%s",
			pick(w, []string{"Great, next one.", "Thanks. On we go.", "Looks good, continue."}))
		w.assistant("On to the next package.")
	}
	return tail(w)
}

// incident returns an operations agent that works through services during an outage.
func incident() session {
	w := newWriter("incident", 12)
	services := packages[:10]
	orders := []string{
		"restart nothing without asking the duty officer",
		"tell support before anything user facing",
		"leave the broken node as evidence",
		"page the vendor only in the morning",
		"keep the status page short",
	}
	for i, s := range services {
		w.topic = s
		w.user("Service %s throws errors now. What is going on?", s)
		bad := w.code("pod-" + s)
		w.tool("I will list the pods.", "kubectl", "get pods -l app="+s, lines(20,
			func(k int) string {
				if k == 11 {
					return bad + "   0/1   CrashLoopBackOff   17   42m"
				}
				return fmt.Sprintf("pod-%s-%05d   1/1   Running   0   %dd", s, w.rand.IntN(99999),
					k)
			}))
		w.hard(fmt.Sprintf("Which pod of service %s crashed?", s), bad)
		trace := w.code("trace")
		w.tool("And its log.", "kubectl", "logs "+bad, lines(45, func(k int) string {
			if k == 30 {
				return fmt.Sprintf("12:%02d:07 ERROR dial upstream: connection refused trace=%s", k,
					trace)
			}
			return fmt.Sprintf("12:%02d:%02d INFO  handled request path=/v1/%s status=200 ms=%d", k,
				w.rand.IntN(60), s, w.rand.IntN(400))
		}))
		w.hard(fmt.Sprintf("Under which trace did %s lose its upstream?", s), trace)
		w.tool("The graphs of the last hour.", "metrics", s+" p99", lines(30, func(k int) string {
			return fmt.Sprintf("%02d:%02d  p99=%dms  rps=%d", 11+k/60, k, 80+w.rand.IntN(900),
				w.rand.IntN(5000))
		}))
		w.assistant("The upstream of %s refuses connections since 12:30. I would drain the pod.", s)
		if i < len(orders) {
			w.user("Agreed. From now on: %s.", orders[i])
			w.soft(fmt.Sprintf("Which order was given during the trouble with %s?", s), orders[i])
		} else {
			w.user("Agreed, go ahead.")
		}
		change := w.code("CHG")
		w.assistant("Drained under change %s, errors of %s are back to normal.", change, s)
		w.hard(fmt.Sprintf("Which change drained %s?", s), change)
	}
	return tail(w)
}

// analysis returns a data analyst's session: queries, tables, conclusions with numbers.
func analysis() session {
	w := newWriter("data analysis", 13)
	regions := []string{
		"Norway", "Chile", "Kenya", "Japan", "Poland", "Canada", "Ghana", "Italy", "Vietnam",
		"Peru", "Egypt", "Spain", "Nepal", "Cuba",
	}
	cares := []string{
		"leave the wholesale orders out",
		"count returns in the month of the sale",
		"round to whole thousands in slides",
		"compare with the year before last",
	}
	for i, r := range regions {
		w.topic = r
		if i < len(cares) {
			w.user("How did we do in %s? And please %s.", r, cares[i])
			w.soft(fmt.Sprintf("How did I want the numbers for %s treated?", r), cares[i])
		} else {
			w.user("And how did we do in %s?", r)
		}
		total := fmt.Sprintf("%d,%03d", 200+w.rand.IntN(700), w.rand.IntN(1000))
		w.tool(fmt.Sprintf("I will query the sales of %s by week.", r), "sql",
			"select week, sum(total) from sales where country = '"+r+"' group by 1",
			"week | units | total\n"+
				lines(35, func(k int) string {
					return fmt.Sprintf("%4d | %5d | %d.%02d", k+1, w.rand.IntN(9999),
						w.rand.IntN(90000), w.rand.IntN(100))
				}))
		w.tool("And the outliers.", "sql", "select * from outliers where country = '"+r+"'",
			lines(18, func(k int) string {
				return fmt.Sprintf("order %06d | %d.%02d | %s", w.rand.IntN(999999),
					w.rand.IntN(9000), w.rand.IntN(100), pick(w, []string{"web", "shop", "phone"}))
			}))
		w.assistant("Sales in %s came to %s for the year, mostly through the shops.", r, total)
		w.hard(fmt.Sprintf("What did sales in %s come to?", r), total)
		w.user("%s", pick(w, []string{"Interesting.", "As I thought.", "Less than I hoped."}))
		source := w.code("report")
		w.assistant("I saved the table as %s.csv so that we can return to %s later.", source, r)
		w.hard(fmt.Sprintf("Where is the table for %s saved?", r), source+".csv")
	}
	return tail(w)
}

// support returns a support desk: customers come back, and what they said before matters. Hardly
// any tool output.
func support() session {
	w := newWriter("support desk", 14)
	people := []string{
		"Ms Okafor", "Mr Lindqvist", "Dr Tanaka", "Mrs Alvarez", "Mr Novak", "Ms Dubois",
		"Mr Haddad", "Mrs Kim", "Mr Osei", "Ms Petrova", "Dr Rossi", "Mr Singh", "Mrs Berg",
		"Ms Costa", "Mr Weiss",
	}
	habits := []string{
		"wants to be called in the evening",
		"is allergic to perfume in parcels",
		"pays by cheque only",
		"prefers letters to mails",
		"moved abroad last month",
	}
	for round := range 3 {
		for i, p := range people {
			w.topic = p
			order := w.code("ORD")
			if round < 2 {
				w.user("%s writes about order %s: the parcel is late again and the tracking page says nothing.",
					p, order)
				w.hard(fmt.Sprintf("Which order did %s ask about in round %d?", p, round+1), order)
			} else {
				w.user("%s is back and asks whether anything has happened.", p)
			}
			w.assistant("I am sorry to hear that. I will look at the parcel of %s and write to the carrier.",
				p)
			if round == 0 && i < len(habits) {
				w.user("Also note that %s %s.", p, habits[i])
				w.soft(fmt.Sprintf("What should we remember about %s?", p), habits[i])
				w.assistant("Noted for next time.")
			}
			w.tool("Asking the carrier.", "carrier", p, lines(4, func(k int) string {
				return fmt.Sprintf("day %d: scanned in depot %d", k+1, w.rand.IntN(90))
			}))
			w.assistant("The carrier found it; it will be there in %d days.", 1+w.rand.IntN(5))
		}
	}
	return tail(w)
}

// thread returns a long discussion of a design by several people, as on an issue tracker: long
// messages, no tools.
func thread() session {
	w := newWriter("design thread", 15)
	planted := make(map[string]int)
	for i := range 160 {
		t := topics[(i/3*5)%6]
		w.topic = t.name
		var text []string
		for range 3 + w.rand.IntN(4) {
			text = append(text, w.sentence(t))
		}
		if i%4 == 1 && i < 125 {
			text = append(text[:2], append([]string{w.plant(t, planted[t.name])}, text[2:]...)...)
			planted[t.name]++
		}
		if i%2 == 0 {
			w.user("> %s\n\n%s", w.sentence(t), strings.Join(text, " "))
		} else {
			w.assistant("%s", strings.Join(text, " "))
		}
	}
	return tail(w)
}

// tail returns the session with an end in which nothing is planted, so that every fact is old when
// it is asked for.
func tail(w *writer) session {
	w.topic = ""
	for range 8 {
		w.user("%s", pick(w, fillers))
		w.assistant("%s", pick(w, fillers))
	}
	w.user("Let me think about what to ask next.")
	return w.session
}
