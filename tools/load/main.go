// Command load measures what preflight serve adds to streaming requests: many clients on this
// machine talk to an upstream on this machine, directly and through the gateway, in one run.
//
//	make load
//
// It builds the command, runs it as a process of its own, and prints a table: the time to the first
// byte, how late events arrive after the upstream sent them, errors, and the gateway's peak memory.
// Then it measures the memory that many streams take, and whether eight connections keep others
// out, compares every byte of thousands of streams, and kills preflight fix in the middle of its
// work.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"time"
)

// plan is what is measured.
type plan struct {
	clients  int
	duration time.Duration
	messages int
	events   int
	interval time.Duration
}

// phase is one part of a run.
type phase struct {
	name    string
	through bool // the gateway
	broken  int  // one body in so many has a call without a result; 0 for none
}

var phases = []phase{
	{"direct", false, 0},
	{"through serve, all valid", true, 0},
	{"through serve, one in four repaired", true, 4},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("load: ")
	var p plan
	flag.IntVar(&p.clients, "clients", 200, "how many clients there are")
	flag.DurationVar(&p.duration, "duration", 20*time.Second, "how long each phase takes")
	flag.IntVar(&p.messages, "messages", 100, "how many messages a history has")
	flag.IntVar(&p.events, "events", 20, "how many events a stream has")
	flag.DurationVar(&p.interval, "interval", 50*time.Millisecond, "the time between events")
	only := flag.String("only", "", "do this alone: streams, memory, shut-out, whole or killed")
	flag.Parse()
	failed := 0
	for _, part := range []struct {
		name string
		run  func() (int, error)
	}{
		{"streams", func() (int, error) { return 0, run(p) }}, {"memory", memory},
		{"shut-out", shutOut}, {"whole", whole}, {"killed", killed},
	} {
		if *only != "" && *only != part.name {
			continue
		}
		bad, err := part.run()
		if err != nil {
			log.Fatal(err)
		}
		failed += bad
	}
	if failed > 0 {
		log.Fatalf("%d rows are not as they should be", failed)
	}
}

func run(p plan) error {
	upstream := startUpstream(p)
	defer upstream.Close()
	serve, err := startServe(upstream.URL, 512<<20)
	if err != nil {
		return err
	}
	defer serve.stop()
	bodies := makeBodies(p.messages)
	fmt.Printf("%d clients, %v each, histories of %d messages (%d kB), streams of %d events, "+
		"one each %v\n\n", p.clients, p.duration, p.messages, len(bodies.valid)/1000, p.events,
		p.interval)
	fmt.Println("| | requests | first byte p50 | p99 | event lag p50 | p99 | refused | errors |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	failed := 0
	for _, ph := range phases {
		base := upstream.URL
		if ph.through {
			base = serve.base + "/load"
		}
		r := attack(p, base, bodies, ph.broken)
		fmt.Printf("| %s | %d | %v | %v | %v | %v | %d | %d |\n", ph.name, len(r.first),
			at(r.first, 50), at(r.first, 99), at(r.lag, 50), at(r.lag, 99), r.refused, r.errors)
		failed += r.refused + r.errors
	}
	peak, err := serve.memory("VmHWM:")
	if err != nil {
		return err
	}
	fmt.Printf("\npeak memory of serve: %d MB\n", peak>>20)
	if failed > 0 {
		return fmt.Errorf("%d requests failed", failed)
	}
	return nil
}

// at is a percentile.
func at(all []time.Duration, percent int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(len(all)-1, len(all)*percent/100)].Round(10 * time.Microsecond)
}

func init() {
	if _, err := os.Stat("go.mod"); err != nil {
		log.Fatal("run it by make load, or in the directory tools")
	}
}
