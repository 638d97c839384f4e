# What a contributor runs. Every tool but Go is optional: a target says so if its tool is missing.

GO       ?= go
FUZZTIME ?= 20s
PKGS     := ./...

# The modules of this repository that need no other library, but for the SQLite driver of session.
OWN := compact session cmd/preflight

.PHONY: all change-tasks test pure platforms race work soak agree fuzz bench bench-report bench-peers bench-growth \
	bench-compare lint fmt cover drift docs compaction growth templates pictures simulate clients load \
	mutants api apidiff examples modules \
	fantasy workspace release clean

all: lint test race examples

test: pure
	$(GO) test $(PKGS)
	@set -e; for module in $(OWN); do echo $$module; $(GO) test -C $$module ./...; done

# The packages that have assembly, without it.
pure:
	$(GO) test -tags purego ./internal/jsonscan ./internal/validtext

# Builds for every system, and tests on 32 bits, without assembly and, where qemu-user is installed,
# on a big-endian machine.
platforms:
	.ci/platforms

# -short: fewer histories and smaller sizes, because the detector slows everything down tenfold.
race:
	$(GO) test -race -short $(PKGS)
	@set -e; for module in $(OWN); do echo $$module; $(GO) test -C $$module -race -short ./...; done

# Counts the steps of random bodies, of pumped bodies, and of compaction, in each function and each
# turn of a loop (see internal/work/everywhere), and fails if they are not linear in the size of the
# input. Of pumped bodies, one stretch of PUMP is tried, of sessions all; all of them take some
# minutes, and more for compaction, which tries fewer.
PUMP ?= 1
work:
	@set -e; dir=$$(mktemp -d); trap 'rm -rf $$dir' EXIT; \
	overlay=$$($(GO) run ./internal/work/everywhere $$dir . compact session); \
	counted() { in=$$1; run=$$2; shift 2; \
	  $(GO) test -C $$in -tags workcount -overlay $$overlay -run "$$run" "$$@"; }; \
	pumped() { counted $$1 TestPumpedWork . -args -pump.share $$2 -pump $$3; }; \
	for module in wire rule/explain preflighthttp/remedy; do pumped $$module $(PUMP) 40; done; \
	pumped session 1 20; \
	pumped compact $$((40 * $(PUMP))) 40; \
	counted . Work ./internal/spec; \
	counted . Work -skip Pumped ./wire -args -rapid.checks=1500 -rapid.nofailfile; \
	counted compact Work -skip Pumped .; \
	counted session Work -skip Pumped ./...
	$(GO) test -tags workcount ./internal/work/...

# The property tests with random seeds, many more histories and full sizes: 100,000 messages, strings
# of 64 MB, a fault at every byte of the samples, every two providers converted. It takes hours. go
# test alone uses one seed, smaller sizes and a sample of the rest, to be done in a minute.
soak: agree
	PREFLIGHT_SEED=0 $(GO) test . ./internal/spec ./wire ./internal/jsonscan -timeout 240m \
	  -args -rapid.checks=2000
	PREFLIGHT_SEED=0 $(GO) test -C compact . ./unionfind -timeout 240m -args -rapid.checks=2000
	PREFLIGHT_SEED=0 $(GO) test ./preflighthttp/...
	PREFLIGHT_SEED=0 $(GO) test ./preflighttest ./preflighttest/conformance -timeout 240m \
	  -args -rapid.checks=500

# Compares Check and the strict fakes on more than a million random bodies: 8 providers, 3 kinds of
# bodies.
BODIES ?= 45000
agree:
	PREFLIGHT_SEED=0 $(GO) test ./preflighttest -run TestAgreement -timeout 60m \
	  -args -rapid.checks=$(BODIES) -rapid.nofailfile

# Runs every fuzz target of every package for FUZZTIME each. Without a limit, minimizing new inputs
# would take most of that time.
fuzz:
	@set -e; for module in . $(OWN); do for pkg in $$($(GO) list -C $$module ./...); do \
	  for target in $$($(GO) test -C $$module -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "fuzz $$pkg $$target"; \
	    $(GO) test -C $$module -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) \
	      -fuzzminimizetime 50x $$pkg; \
	  done; \
	done; done

# Ready for benchstat: make bench > old.txt; …; make bench > new.txt; benchstat old.txt new.txt
bench:
	$(GO) test -run '^$$' -bench . -benchmem -count 6 $(PKGS)

# Writes the tables and the picture of docs/performance.md anew, in about six minutes. The figures
# are ratios within this one run.
BENCH   := $(GO) test -run '^$$' -benchmem -timeout 60m
PROFILE := $(BENCH) -benchtime 2s -o /dev/null -cpuprofile cpu.prof
TOP     := $(GO) tool pprof -top -nodefraction 0 -nodecount 100000 -ignore 'benchBody|benchdata.History'
bench-report: bench-peers
	$(BENCH) -bench 'Memory|Wire|Format' -benchtime 30ms -count 6 ./internal/spec ./wire > bench.out
	$(BENCH) -bench 'Session|Footprint' -benchtime 1x ./wire >> bench.out
	$(BENCH) -bench Gateway -benchtime 1s ./wire >> bench.out
	GODEBUG=gcstoptheworld=1 $(BENCH) -bench Peak -benchtime 1x ./wire >> bench.out
	@set -e; for pass in memory-clean=./internal/spec:Memory/clean \
	    memory-dirty20=./internal/spec:Memory/dirty20 \
	    wire-clean=./wire:Wire/anthropic/clean wire-dirty20=./wire:Wire/anthropic/dirty20; do \
	  name=$${pass%%=*} package=$${pass#*=} bench=$${pass#*:}; \
	  $(PROFILE) -bench "^Benchmark$${bench}/^1000$$/sanitize" $${package%%:*} > /dev/null; \
	  $(TOP) cpu.prof 2> /dev/null | sed "s/^/profile $$name: /" >> bench.out; \
	done; rm -f cpu.prof
	$(GO) run -C tools ./benchreport -write ../docs/performance.md,benchreport/figures.md \
		../bench.out ../peers.out

# Measures other sanitizers that can be had as packages on the same histories, in two minutes.
# Those in JavaScript need npm.
bench-peers:
	$(GO) run -C tools/peers . > peers.out
	$(GO) run -C tools ./benchreport ../peers.out

# Lists what takes more than ten times as long for ten times the input. It never fails.
bench-growth:
	$(GO) test -run '^$$' -bench '(Memory|Wire)/.*/(1000|10000)/sanitize' -short -benchtime 20ms \
	  -count 3 -timeout 30m ./internal/spec ./wire > bench.out
	$(GO) run -C tools ./benchreport -growth < bench.out

# Compares the benchmarks of the work tree with those of another commit: make bench-compare BASE=main
# The two run in turns, so that both meet the same machine.
BASE ?= HEAD
BENCHSTAT ?= golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da
bench-compare:
	@set -e; dir=$$(mktemp -d); trap 'git worktree remove --force $$dir/base; rm -rf $$dir' EXIT; \
	git worktree add -q --detach $$dir/base $(BASE); \
	(cd $$dir/base && $(GO) test -c -o $$dir/old.test ./internal/spec && $(GO) test -c -o $$dir/old-wire.test ./wire); \
	$(GO) test -c -o $$dir/new.test ./internal/spec && $(GO) test -c -o $$dir/new-wire.test ./wire; \
	for i in 1 2 3 4 5 6; do for side in old new; do \
	  args="-test.run ^$$ -test.short -test.benchmem -test.benchtime 20ms"; \
	  $$dir/$$side.test $$args -test.bench Memory >> $$dir/$$side.txt; \
	  (cd wire && $$dir/$$side-wire.test $$args -test.bench Wire) >> $$dir/$$side.txt; \
	done; done; \
	$(GO) run $(BENCHSTAT) $$dir/old.txt $$dir/new.txt

# golangci-lint has go vet in it, and needs the libraries of all adapters.
lint:
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
	$(GO) vet $(PKGS)
	@set -e; for module in $(OWN); do $(GO) vet -C $$module ./...; done
	@command -v golangci-lint > /dev/null || { echo "golangci-lint is not installed: skipped"; exit; }; \
	set -e; for module in . $$(git ls-files '*/go.mod' | xargs -n 1 dirname); do \
	  echo $$module; \
	  (cd $$module && GOWORK=off golangci-lint run); \
	done

fmt:
	gofmt -w .

cover:
	$(GO) test -coverprofile coverage.out -coverpkg ./... $(PKGS)
	$(GO) tool cover -func coverage.out | tail -n 1

# Compares the content types and members of the providers' SDKs, at the versions that
# internal/drift/go.mod pins, with those that preflight knows. Run go get -u there first for the newest SDKs.
drift:
	cd internal/drift && GOWORK=off $(GO) test ./...

# Rewrites the generated tables in docs/ and README.md; a test fails when they are stale.
docs:
	$(GO) test ./rule -run TestDocs -update

# Measures the strategies of compaction anew, in some minutes: the tables and the picture of
# docs/compaction.md, and those beside the tool. A test measures two of the sessions again.
compaction:
	$(GO) run -C compact ./internal/evaluate -write ../docs

# Grows damaged sessions message by message, and writes the tables of internal/growth/README.md about
# the steps that change what was sent before, in some minutes.
growth:
	$(GO) run ./internal/growth -write internal/growth/README.md
	$(GO) run ./internal/growth -bound -sessions 8 -write internal/growth/README.md

# Brings chat templates from public repositories, and measures how often they raise on repaired
# requests: the table in its README.md.
templates:
	$(GO) run -C cmd/preflight ./internal/chattemplate/measure -write $(CURDIR)/cmd/preflight/internal/chattemplate/measure/README.md

# Draws the pictures in the README, docs/serve.md and docs/repair.md anew, from real runs. The
# last two need Chromium.
pictures:
	@set -e; dir=$$(mktemp -d); trap 'rm -rf $$dir' EXIT; \
	$(GO) build -C cmd/preflight -o $$dir/preflight .; \
	cp examples/quickstart/bodies/3-late-result.anthropic.json $$dir/session.json; \
	$(GO) test -C cmd/preflight ./internal/command -run 'TestPageInBrowser|TestRepairPicture' \
	  -count 1 -update-screenshot; \
	PATH="$$dir:$$PATH" $(GO) run -C tools ./terminal -dir $$dir -out $(CURDIR)/docs/preflight.svg \
	  'preflight check session.json' 'preflight fix --diff session.json' \
	  'preflight fix session.json > fixed.json && preflight check fixed.json && echo clean'

# Sessions of agents against the strict fakes, with preflight and without: make simulate SESSIONS=100000
SESSIONS ?= 2000
simulate:
	$(GO) run -C tools ./simulate -sessions $(SESSIONS)

# Breaks, repairs and resumes sessions in the real agents, against fakes on this machine, and writes
# the table of tools/clients/README.md. Needs npm, and takes an hour: make clients ONLY=codex,pi
ONLY ?=
clients:
	$(GO) run -C tools/clients . -only "$(ONLY)" -write $(CURDIR)/tools/clients/README.md \
		-page $(CURDIR)/docs/repair.md

# What preflight serve adds to streaming requests: 200 clients on this machine, directly and through
# it; the memory of many streams; whether eight connections keep others out. Takes three minutes.
load:
	$(GO) run -C tools ./load

# Breaks a sample of MUTANTS places in the root package and wire, and lists those that no test
# noticed. It takes ten minutes on two cores; ROUNDS=3 runs all tests on the survivors, which takes
# hours. The verdicts are kept in mutants.txt, and a second run continues from there.
# tools/mutants/README.md says what may survive, and why.
MUTANTS ?= 300
ROUNDS  ?= 1
mutants:
	$(GO) build -C tools -o ../mutants.bin ./mutants
	./mutants.bin -n $(MUTANTS) -rounds $(ROUNDS) -results mutants.txt -notes tools/mutants/README.md . ./wire ./internal/spec

# Writes the snapshot of the exported API anew; TestAPI fails when it is stale.
api:
	$(GO) test ./internal/spec -run TestAPI -update-api

# Makes the changes that CONTRIBUTING.md describes in a copy of the tree, and counts the files they
# take, in some minutes.
change-tasks:
	$(GO) run -C tools ./changes

# Lists the changes of the exported API since BASE (a tag, a branch, a commit), and which of them are
# incompatible.
APIDIFF := golang.org/x/exp/cmd/apidiff@v0.0.0-20260908205506-85c1c2202aba
apidiff:
	@set -e; tmp=$$(mktemp -d); \
	trap 'git worktree remove --force '"$$tmp"'/base; rm -rf '"$$tmp" EXIT; \
	git worktree add -q --detach "$$tmp/base" $(BASE); \
	(cd "$$tmp/base" && $(GO) run $(APIDIFF) -m -w "$$tmp/old" github.com/go-preflight/preflight); \
	$(GO) run $(APIDIFF) -m -w "$$tmp/new" github.com/go-preflight/preflight; \
	$(GO) run $(APIDIFF) -m "$$tmp/old" "$$tmp/new"

examples:
	$(GO) run ./examples/quickstart
	$(GO) run -C examples/longsession .
	$(GO) run ./examples/loop

# Tests the nested modules; those of adapters download their SDKs.
modules:
	.ci/modules

# Tests adapter/fantasy with the newest Fantasy, which requires a newer Go than the module does. It
# takes ten minutes, since everything is compiled with that Go.
FANTASY   := v0.48.0
TOOLCHAIN := go1.27.3
fantasy:
	@set -e; dir=$$(mktemp -d); trap 'rm -rf '"$$dir" EXIT; cd adapter/fantasy; \
	cp go.mod $$dir/newest.mod; cp go.sum $$dir/newest.sum; \
	export GOWORK=off GOTOOLCHAIN=$(TOOLCHAIN) GOFLAGS="-mod=mod -modfile=$$dir/newest.mod"; \
	$(GO) get charm.land/fantasy@$(FANTASY); $(GO) vet ./...; $(GO) test ./...

# Writes a go.work with all modules, for an editor. It is not committed, because it requires the
# newest Go of all modules, and the root supports older ones.
workspace:
	rm -f go.work
	$(GO) work init . $$(git ls-files '*/go.mod' | xargs -n 1 dirname | grep -v 'genkit\|fantasy')

# Runs everything, gets every module from a proxy on disk as a user does, sets the requirements of
# the nested modules to the version, dates the changelog, and prints the tags to push in order:
# make release VERSION=v0.1.0
release:
	.ci/run
	$(GO) run -C tools ./release -version "$(VERSION)" -write

clean:
	rm -f bench.out coverage.out *.test
