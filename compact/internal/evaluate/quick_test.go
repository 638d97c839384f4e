package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestQuick(t *testing.T) {
	list := ways()[:1]
	ss := slices.Concat(sessions(), longSessions())
	var row []string
	tot, n := 0.0, 0.0
	res, err := inParallel(len(ss), func(k int) (growth, error) { return grow(&ss[k], 20, list[0]) })
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range res {
		x := g.recall[len(g.recall)-1]
		tot += float64(x.hit) / float64(x.of)
		n++
		row = append(row, fmt.Sprintf("%s %s", strings.ReplaceAll(g.session.name, "long ", "L"), x))
	}
	fmt.Printf("MEAN %.3f | %s\n", tot/n, strings.Join(row, "; "))
}
