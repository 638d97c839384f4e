package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
)

// This file measures the long sessions of a coding agent.

// programSeeds are the seeds of the sessions in the table, and heldProgramSeeds those of sessions in
// which users answer in the held forms. Nothing was chosen on either.
var programSeeds, heldProgramSeeds = []uint64{811, 812, 813}, []uint64{991, 992, 993}

// kept is what the requests of a way hold of a program.
type kept struct {
	answers, orders, said, told score
	paid                        float64
	over, invalid               int
}

// add adds what was kept of another session.
func (x *kept) add(y kept) {
	for k, s := range []*score{&x.answers, &x.orders, &x.said, &x.told} {
		t := []score{y.answers, y.orders, y.said, y.told}[k]
		*s = score{s.hit + t.hit, s.of + t.of}
	}
	x.paid, x.over, x.invalid = x.paid+y.paid, x.over+y.over, x.invalid+y.invalid
}

// keeps lets a program grow and looks into its requests. Of a way that works anew each time, there
// is only the last.
func (p *program) keeps(percent int, w way) (kept, error) {
	var out kept
	last := ""
	x, err := needTo(&p.working, percent, w, func(n int, sent []preflight.Message) {
		if n%10 > 1 && n < len(p.history) {
			return // looking into all of them takes long
		}
		last = everything(sent)
		for _, o := range p.orders {
			if n > o.said {
				if out.orders.of++; strings.Contains(last, o.text) {
					out.orders.hit++
				}
			}
		}
	})
	if err != nil {
		return out, err
	}
	out.paid, out.over, out.invalid = x.paid, x.over, x.invalid
	count := func(s *score, hit bool) {
		if s.of++; hit {
			s.hit++
		}
	}
	for _, e := range p.answered {
		count(&out.answers, e.follows(last))
	}
	for _, f := range p.facts {
		count(&out.said, strings.Contains(last, f.answer))
	}
	for _, f := range p.told {
		count(&out.told, strings.Contains(last, f.answer))
	}
	return out, nil
}

// keptOf returns what each way keeps of programs at each budget: by way, then by budget.
func keptOf(programs []program, ways []way) ([]kept, error) {
	per := len(ways) * len(needBudgets)
	all, err := inParallel(len(programs)*per, func(k int) (kept, error) {
		i := k % per
		return programs[k/per].keeps(needBudgets[i%len(needBudgets)], ways[i/len(needBudgets)])
	})
	if err != nil {
		return nil, err
	}
	out := make([]kept, per)
	for k, x := range all {
		out[k%per].add(x)
	}
	return out, nil
}

// programWays returns the ways that are compared over programs.
func programWays() []way {
	return append(rivals()[:3],
		way{name: "masking, anew", rarely: true, start: anew(compact.Masking{Keep: keep})},
		way{name: "flat, anew", rarely: true, start: anew(compact.Flat{Keep: keep})})
}

// writePrograms writes what is kept of long coding sessions, with answers in the forms that are known
// and in those that are held.
func writePrograms(w io.Writer) error {
	code, err := readSources()
	if err != nil {
		return err
	}
	ways := programWays()
	fmt.Fprint(w, `### Long coding sessions

Some 1330 messages each, at 20 / 35 / 50 %, with the code of two modules as the output of the tools.
Answers come in the forms of "Answers, by form" in the first table, and in the held forms in the
second. Orders: of those that hold for the whole session and were given so far, the share that is in
a request. Said: what only users said. Told: what only tools did, at the beginning, the end or between.
Cost: of all requests at the prices of a cache (1.25 for a token that is written, 0.1 for one that is
read), in percent of what a sliding window costs.

`)
	for _, x := range []struct {
		forms []form
		seeds []uint64
	}{{forms, programSeeds}, {heldForms, heldProgramSeeds}} {
		var programs []program
		for _, seed := range x.seeds {
			programs = append(programs, programmed(code, seed, x.forms))
		}
		all, err := keptOf(programs, ways)
		if err != nil {
			return err
		}
		programTable(all, ways).writeTo(w)
	}
	return nil
}

// programTable returns the table of what keptOf returns.
func programTable(all []kept, ways []way) *table {
	t := &table{head: []string{
		"way", "answers", "orders", "said", "told", "cost", "over budget", "broken rules",
	}}
	for i, x := range ways {
		cells := make([][]string, len(t.head)-1)
		for j := range needBudgets {
			k, window := all[i*len(needBudgets)+j], all[len(needBudgets)+j]
			price := "–"
			if k.paid > 0 {
				price = fmt.Sprintf("%.0f", 100*k.paid/window.paid)
			}
			for c, cell := range []string{
				k.answers.String(), k.orders.String(), k.said.String(), k.told.String(), price,
				fmt.Sprint(k.over), fmt.Sprint(k.invalid),
			} {
				cells[c] = append(cells[c], strings.TrimSuffix(cell, " %"))
			}
		}
		row := []string{x.name}
		for _, c := range cells {
			row = append(row, strings.Join(c, " / "))
		}
		t.add(row...)
	}
	return t
}
