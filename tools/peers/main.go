// Command peers measures preflight beside other sanitizers of message histories that can be had as
// packages, on the same histories and in one run.
//
//	make bench-peers
//
// It writes lines in the form of go test -bench to standard output, for the command benchreport:
// BenchmarkPeer/NAME/SHAPE/MESSAGES with the time of a pass, and BenchmarkRepair/NAME/FAULT, which
// has a 1 at "accepted" if the strict fake of OpenAI's Chat Completions accepts what the peer made
// of the fault, and a 1 at "kept" if every real text and result is still there, once.
// BenchmarkReader/NAME/MESSAGES has the time of reading a valid body.
//
// With -compare it prints the tables of package preflighttest/compare instead, with their examples.
//
// The peers in JavaScript need node and npm, which installs them into a temporary directory. Where
// there are none, they are left out, and a line on standard error says so.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"testing"

	"github.com/go-preflight/preflight/internal/benchdata"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("peers: ")
	testing.Init() // testing.Benchmark reads its flags
	compared := flag.Bool("compare", false, "print the tables of package preflighttest/compare")
	flag.Parse()
	if err := flag.Set("test.benchtime", "50ms"); err != nil {
		log.Fatal(err)
	}
	do := run
	if *compared {
		do = comparePeers
	}
	if err := do(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// runs is how often each pass is measured; the least counts.
const runs = 3

// run measures all peers.
func run(ctx context.Context, out io.Writer) error {
	for _, p := range peers {
		for _, shape := range shapes {
			for _, n := range sizes {
				pass, err := p.prepare(ctx, history(shape, n))
				if err != nil {
					return fmt.Errorf("%s: %w", p.name, err)
				}
				for range runs {
					r := testing.Benchmark(func(b *testing.B) {
						benchdata.Measure(b, func() bool { return pass() == nil })
					})
					fmt.Fprintf(out, "BenchmarkPeer/%s/%s/%d %s %s\n",
						p.name, shape, n, r, r.MemString())
				}
			}
		}
		for _, f := range faults {
			repaired, err := p.repair(ctx, f.history)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", p.name, f.name, err)
			}
			if err := f.judge(out, p.name, repaired); err != nil {
				return err
			}
		}
	}
	if err := measureReaders(out); err != nil {
		return err
	}
	return node(ctx, out)
}
