// Command simulate plays sessions of agents against the strict fake providers, with preflight and
// without it, and prints what became of them:
//
//	go run -C tools ./simulate [-sessions 2000] [-seed 1] [-provider P] [-v]
//
// A session runs tools, in parallel too, and has the accidents of real ones: the user aborts in the
// middle of a tool, results come late or twice, the window is trimmed in the wrong place, streams
// die, the process crashes and resumes from disk, the provider is switched. The agent stores what
// it got and sends all of it again, as agents do.
//
// With preflight the requests go through preflighthttp.Transport. What only the provider can see
// (thinking that is bound to a conversation which the agent then edited, ids it no longer holds)
// shows in a refusal: that is the column "resent", for the transport repairs such a request harder
// and sends it again, once. "refused" counts what the agent gets to see.
//
// Its exit status is 1 when with preflight a request was refused, a text or a completed result was
// lost, or a part of the conversation that had been sent and not edited was sent otherwise.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
	"github.com/go-preflight/preflight/preflighttest"
)

func main() {
	sessions := flag.Int("sessions", 2000, "sessions for each provider")
	seed := flag.Uint64("seed", 1, "which sessions")
	provider := flag.String("provider", "", "the provider to begin with; default all")
	verbose := flag.Bool("v", false, "show what went wrong with preflight")
	flag.Parse()
	ok, err := simulate(os.Stdout, *sessions, *seed, *provider, *verbose)
	if err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
	if !ok {
		os.Exit(1)
	}
}

// playable are the speakers to whose provider there is a fake.
func playable() []*speaker {
	return slices.DeleteFunc(slices.Clone(speakers),
		func(s *speaker) bool { return !slices.Contains(preflighttest.Providers(), s.provider) })
}

// simulate plays the sessions and writes the table. It reports whether nothing went wrong with
// preflight.
func simulate(w io.Writer, sessions int, seed uint64, only string, verbose bool) (bool, error) {
	fmt.Fprintf(w, "%-17s %-10s %9s %9s %8s %7s %6s %10s %13s %15s %14s\n", "", "",
		"sessions", "requests", "refused", "resent", "stuck", "texts lost", "results lost",
		"results removed", "prefix breaks")
	ok := true
	for k, s := range playable() {
		if only != "" && only != s.provider {
			continue
		}
		for _, guarded := range []bool{false, true} {
			sum, err := playAll(s, guarded, sessions, seed+uint64(k)<<32)
			if err != nil {
				return false, err
			}
			label, dash := "without", func(int) string { return "-" }
			if guarded {
				label, dash = "preflight", func(n int) string { return fmt.Sprint(n) }
				ok = ok && sum.refused+sum.textLost+sum.resultsLost+sum.prefixBreaks == 0
			}
			fmt.Fprintf(w, "%-17s %-10s %9d %9d %8d %7s %6d %10s %13s %15s %14s\n", s.provider,
				label, sum.sessions, sum.requests, sum.refused, dash(sum.resent), sum.stuck,
				dash(sum.textLost), dash(sum.resultsLost), dash(sum.resultsRemoved),
				dash(sum.prefixBreaks))
			if verbose && guarded {
				for _, e := range sum.examples {
					fmt.Fprintf(w, "\n%s\n\n", e)
				}
			}
		}
	}
	return ok, nil
}

// batch is how many sessions share a set of servers, which remember their requests.
const batch = 50

// playAll plays sessions, in batches side by side. What each does depends on its own number alone.
func playAll(first *speaker, guarded bool, sessions int, seed uint64) (figures, error) {
	starts := make(chan int)
	var lock sync.Mutex
	var sum figures
	var failure error
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for start := range starts {
				f, err := playBatch(first, guarded, start, min(sessions, start+batch), seed)
				lock.Lock()
				sum.add(f)
				if failure == nil {
					failure = err
				}
				lock.Unlock()
			}
		}()
	}
	for start := 0; start < sessions; start += batch {
		starts <- start
	}
	close(starts)
	workers.Wait()
	return sum, failure
}

func playBatch(first *speaker, guarded bool, from, to int, seed uint64) (sum figures, err error) {
	l := &lab{
		servers: map[string]*preflighttest.Server{},
		client:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4}},
	}
	defer l.client.CloseIdleConnections()
	var endpoints []preflighthttp.Endpoint
	for _, provider := range preflighttest.Providers() {
		server, err := preflighttest.Start(provider, &preflighttest.Options{
			Respond: func(preflighttest.Request) preflighttest.Reply { return *l.reply.Load() },
		})
		if err != nil {
			return sum, err
		}
		defer server.Close()
		l.servers[provider] = server
		endpoints = append(endpoints, preflighthttp.Endpoint{
			Host:     strings.TrimPrefix(server.URL, "http://"),
			Provider: provider,
		})
	}
	l.guarded = &http.Client{
		Transport: &preflighthttp.Transport{
			Base:      l.client.Transport,
			Endpoints: endpoints,
			Remedies:  remedy.All(),
			Report: func(_ context.Context, r *preflighthttp.Report) {
				if r.Refusal != nil {
					l.resent.Add(1)
				}
			},
		},
	}
	for number := from; number < to; number++ {
		rng := rand.New(rand.NewPCG(seed, uint64(number)))
		s := session{
			rng:     rng,
			lab:     l,
			guarded: guarded,
			speaker: first,
			model:   first.models[rng.IntN(len(first.models))],
			variant: rng.IntN(4),
			thinks:  true,
		}
		if err := s.play(); err != nil {
			return sum, fmt.Errorf("session %d of %s: %w", number, first.provider, err)
		}
		sum.add(s.figures)
	}
	return sum, nil
}
