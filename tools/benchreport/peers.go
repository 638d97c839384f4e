package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// This file writes the tables of make bench-peers.

// comparison are the sanitizers that are compared, and how the page calls them.
var comparison = []struct{ name, title string }{
	{"preflight", "preflight, neutral messages"},
	{"preflight-wire", "preflight, request body"},
	{"preflight-eino", "preflight, messages of eino"},
	{"eino", "eino `patchtoolcalls` (Go)"},
	{"deepagents", "deepagents `patchToolCalls` (JS)"},
	{"pi-ai", "pi-ai `transformMessages` (JS)"},
}

// readings are what only reads a valid body, and how the page calls them.
var readings = []struct{ name, title string }{
	{"preflight", "preflight: wire.Sanitize"},
	{"json.Valid", "encoding/json: Valid"},
	{"sonic.Valid", "sonic: Valid"},
	{"sonic-ast", "sonic: ast, all values"},
	{"simdjson", "simdjson-go: Parse, memory reused"},
}

// readers writes how many times as fast as json.Valid a valid body is read.
func (r *results) readers(b *bytes.Buffer) {
	if !r.measured("Reader/json.Valid/1000") {
		return
	}
	table(b, "÷ json.Valid", "100 messages", "1,000", "10,000", "allocations, of 1,000")
	for _, p := range readings {
		if !r.measured("Reader/%s/1000", p.name) {
			continue
		}
		fmt.Fprintf(b, "| %s |", p.title)
		for _, n := range []int{100, 1000, 10_000} {
			fmt.Fprintf(b, " %.1f |",
				r.time("Reader/json.Valid/%d", n)/r.time("Reader/%s/%d", p.name, n))
		}
		fmt.Fprintf(b, " %.0f |\n", r.unit("allocs/op", "Reader/%s/1000", p.name))
	}
}

var peerShapes = []string{"clean", "dirty1", "dirty20"}

// peers writes the times of all peers for each message of a history, and how they grow.
func (r *results) peers(b *bytes.Buffer) {
	if !r.measured("Peer/preflight/clean/1000") {
		return
	}
	table(b, "ns per message, of 1,000", "valid", "one in 100 broken", "one in 5 broken",
		"one in 5 broken, of 10,000", "allocations, one in 5 of 1,000")
	for k, p := range comparison {
		if k == 1 {
			r.pairingAlone(b)
		}
		if !r.measured("Peer/%s/clean/1000", p.name) {
			continue
		}
		fmt.Fprintf(b, "| %s |", p.title)
		for _, shape := range peerShapes {
			fmt.Fprintf(b, " %.0f |", r.time("Peer/%s/%s/1000", p.name, shape)/1000)
		}
		fmt.Fprintf(b, " %.0f |", r.time("Peer/%s/dirty20/10000", p.name)/10_000)
		if allocations, ok := r.of["Peer/"+p.name+"/dirty20/1000"]["allocs/op"]; ok {
			fmt.Fprintf(b, " %.0f |\n", allocations)
		} else {
			b.WriteString(" |\n")
		}
	}
}

// pairingAlone writes the part of the time of preflight that is pairing, by the shares of the
// profiles.
func (r *results) pairingAlone(b *bytes.Buffer) {
	share := func(pass string) float64 {
		all := 0.0
		for _, time := range r.profiles[pass] {
			all += time
		}
		return r.profiles[pass]["pairing"] / all
	}
	if len(r.profiles["memory-clean"]) == 0 || len(r.profiles["memory-dirty20"]) == 0 {
		return
	}
	fmt.Fprintf(b, "| of that, pairing | %.0f | | %.0f | | |\n",
		share("memory-clean")*r.time("Peer/preflight/clean/1000")/1000,
		share("memory-dirty20")*r.time("Peer/preflight/dirty20/1000")/1000)
}

// repairs writes what each peer makes of each fault.
func (r *results) repairs(b *bytes.Buffer) {
	var faults []string
	for name := range r.of {
		if fault, ok := strings.CutPrefix(name, "Repair/preflight-wire/"); ok {
			faults = append(faults, fault)
		}
	}
	if len(faults) == 0 {
		return
	}
	slices.Sort(faults)
	judged := []struct{ name, title string }{
		{"preflight-wire", "preflight"}, {"eino", "eino"}, {"deepagents", "deepagents"},
		{"pi-ai", "pi-ai"},
	}
	b.WriteString("|")
	for _, p := range judged {
		fmt.Fprintf(b, " | %s", p.title)
	}
	b.WriteString(" |\n|---" + strings.Repeat("|---", len(judged)) + "|\n")
	for _, fault := range faults {
		fmt.Fprintf(b, "| %s |", strings.ReplaceAll(fault, "_", " "))
		for _, p := range judged {
			fmt.Fprintf(b, " %s |", r.verdict("Repair/"+p.name+"/"+fault))
		}
		b.WriteString("\n")
	}
}

func (r *results) verdict(name string) string {
	f, ok := r.of[name]
	switch {
	case !ok:
		return ""
	case f["accepted"] == 0:
		return "refused"
	case f["kept"] == 0:
		return "accepted, content lost"
	}
	return "repaired"
}
