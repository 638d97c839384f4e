package main

import (
	"fmt"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/provider"
	"os"
	"slices"
	"testing"
)

func TestShow(t *testing.T) {
	ss := slices.Concat(sessions(), longSessions())
	for i := range ss {
		s := &ss[i]
		if s.name != os.Getenv("S") {
			continue
		}
		limits := compact.Limits{Budget: cost(s.history) * 20 / 100, Profile: provider.OpenAIChat("")}
		g, _ := ways()[0].start(limits, nil)
		asked := s.requests()
		var res compact.Result
		for _, n := range asked {
			res, _ = g.request(s.history[:n])
		}
		fmt.Println(len(s.history), "budget", limits.Budget, "tokens", res.Tokens, "msgs", len(res.Messages), "lead", compact.EstimateTokens(res.Messages[0]))
		fmt.Println(everything(res.Messages))
	}
}
