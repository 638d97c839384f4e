// Command preflight-extproc runs the external processor for Envoy that package preflightextproc is.
//
//	preflight-extproc --listen 127.0.0.1:9002 --host llm.internal=api.anthropic.com
//
// It is a program of its own, so that the command preflight needs no gRPC; preflight extproc starts
// it.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"time"

	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"

	preflightextproc "github.com/go-preflight/preflight/adapter/extproc"
	"github.com/go-preflight/preflight/preflighthttp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// settings are the flags.
type settings struct {
	listen     string
	hosts      map[string]string
	mode       string
	maxBody    int64
	maxHeld    int64
	unfixable  string
	busy       string
	dryRun     bool
	log        bool
	drainDelay time.Duration
	drain      time.Duration
}

func (s *settings) register(set *flag.FlagSet) {
	s.hosts = map[string]string{}
	set.StringVar(&s.listen, "listen", "127.0.0.1:9002",
		"listen on `ADDRESS`: host:port, or unix:PATH")
	set.Func("host", "`NAME=HOST`: requests to the authority NAME are for the provider at HOST; "+
		"may be repeated, and * is every other name", func(text string) error {
		name, host, ok := strings.Cut(text, "=")
		if !ok || name == "" || host == "" {
			return errors.New("it has the form NAME=HOST")
		}
		s.hosts[strings.ToLower(name)] = host
		return nil
	})
	set.StringVar(&s.mode, "mode", "",
		"Envoy's request_body_mode, for an Envoy before 1.34, which does not say it: "+
			"STREAMED or FULL_DUPLEX_STREAMED")
	set.Int64Var(&s.maxBody, "max-body", preflighthttp.DefaultMaxBody,
		"leave bodies of more than `BYTES` alone")
	set.Int64Var(&s.maxHeld, "max-held", 512<<20,
		"hold at most `BYTES` of bodies at once")
	set.StringVar(&s.unfixable, "unfixable", "send",
		"a history that cannot be repaired: send it as it is, or refuse it")
	set.StringVar(&s.busy, "busy", "refuse", "requests beyond --max-held: refuse, or pass unchanged")
	set.BoolVar(&s.dryRun, "dry-run", false, "change nothing, and report what would be done")
	set.BoolVar(&s.log, "log", false,
		"write a line of JSON about each request to standard error, without content")
	set.DurationVar(&s.drainDelay, "drain-delay", 0,
		"after SIGTERM, how long to report not serving before new streams are refused")
	set.DurationVar(&s.drain, "drain", 30*time.Second,
		"after that, how long open streams may take to end")
}

// processor makes the service.
func (s *settings) processor(log *slog.Logger) (*preflightextproc.Processor, error) {
	t := &preflighthttp.Transport{
		MaxBody: s.maxBody, Budget: preflighthttp.NewBudget(s.maxHeld), DryRun: s.dryRun,
		Log: slog.New(slog.DiscardHandler), // unknown hosts are reported
	}
	switch {
	case s.maxBody <= 0 || s.maxHeld < s.maxBody:
		return nil, errors.New("--max-body is a number of bytes, and at most --max-held")
	case s.unfixable == "refuse":
		t.Unfixable = preflighthttp.Refuse
	case s.unfixable != "send":
		return nil, fmt.Errorf("--unfixable is send or refuse, not %q", s.unfixable)
	}
	switch s.busy {
	case "refuse":
		t.Busy = preflighthttp.Refuse
	case "pass":
		t.Busy = preflighthttp.SendUnchanged
	default:
		return nil, fmt.Errorf("--busy is refuse or pass, not %q", s.busy)
	}
	if s.log {
		t.Report = func(ctx context.Context, r *preflighthttp.Report) {
			level := slog.LevelInfo
			if r.Err != nil {
				level = slog.LevelWarn
			}
			log.LogAttrs(ctx, level, "request", slog.Any("preflight", r))
		}
	}
	p := &preflightextproc.Processor{Transport: t}
	switch s.mode {
	case "":
	case "STREAMED", "FULL_DUPLEX_STREAMED":
		p.Mode = filterv3.ProcessingMode_BodySendMode(
			filterv3.ProcessingMode_BodySendMode_value[s.mode])
	default:
		return nil, fmt.Errorf("--mode is STREAMED or FULL_DUPLEX_STREAMED, not %q", s.mode)
	}
	if len(s.hosts) > 0 {
		p.Host = s.host
	}
	return p, nil
}

// host returns the provider's host for an authority.
func (s *settings) host(authority string) string {
	name := strings.ToLower(authority)
	if host, ok := s.hosts[name]; ok {
		return host
	}
	if bare, _, err := net.SplitHostPort(name); err == nil {
		if host, ok := s.hosts[bare]; ok {
			return host
		}
	}
	if host, ok := s.hosts["*"]; ok {
		return host
	}
	return authority
}

// Package flag writes one hyphen before each name. These match the names in a list of flags and in
// an error.
var (
	listedFlag = regexp.MustCompile(`(?m)^  -(\w)`)
	toldFlag   = regexp.MustCompile(`(not defined: |an argument: |for flag )-(\w)`)
)

// help lists the flags.
func help(set *flag.FlagSet, out io.Writer) {
	var list bytes.Buffer
	set.SetOutput(&list)
	set.PrintDefaults()
	set.SetOutput(io.Discard)
	fmt.Fprintln(out, "preflight-extproc [--listen ADDRESS] [--host NAME=HOST]")
	_, _ = out.Write(listedFlag.ReplaceAll(list.Bytes(), []byte("  --$1")))
}

// run serves until ctx ends, and returns the exit code: 0 when it was stopped, 1 when it could not
// serve or streams were cut, 2 for wrong usage.
func run(ctx context.Context, args []string, out, err io.Writer) int {
	set := flag.NewFlagSet("preflight-extproc", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	var s settings
	s.register(set)
	switch e := set.Parse(args); {
	case errors.Is(e, flag.ErrHelp):
		help(set, out)
		return 0
	case e != nil:
		fmt.Fprintf(err, "preflight-extproc: %s; --help lists the flags\n",
			toldFlag.ReplaceAllString(e.Error(), "$1--$2"))
		return 2
	case set.NArg() > 0:
		fmt.Fprintf(err, "preflight-extproc: there is no argument %q\n", set.Arg(0))
		return 2
	}
	processor, e := s.processor(slog.New(slog.NewJSONHandler(err, nil)))
	if e != nil {
		fmt.Fprintln(err, "preflight-extproc:", e)
		return 2
	}
	network, address := "tcp", s.listen
	if path, ok := strings.CutPrefix(s.listen, "unix:"); ok {
		network, address = "unix", path
	}
	listener, e := net.Listen(network, address)
	if e != nil {
		fmt.Fprintln(err, "preflight-extproc:", e)
		return 1
	}
	fmt.Fprintf(out, "preflight-extproc listens on %s\n", listener.Addr())
	if e := s.serve(ctx, listener, processor); e != nil {
		fmt.Fprintln(err, "preflight-extproc:", e)
		return 1
	}
	return 0
}

// serve serves, and drains when ctx ends. gRPC's health service says whether it is serving.
func (s *settings) serve(
	ctx context.Context, listener net.Listener, processor *preflightextproc.Processor,
) error {
	server := grpc.NewServer(preflightextproc.Options(int(s.maxBody))...)
	extprocv3.RegisterExternalProcessorServer(server, processor)
	state := health.NewServer()
	grpc_health_v1.RegisterHealthServer(server, state)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	state.Shutdown() // not serving, from now on
	select {
	case err := <-failed:
		return err
	case <-time.After(s.drainDelay):
	}
	ended := make(chan struct{})
	go func() {
		server.GracefulStop()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-time.After(s.drain):
		server.Stop()
		return fmt.Errorf("not all streams ended within %v", s.drain)
	}
}
