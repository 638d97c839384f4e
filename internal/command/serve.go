package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-preflight/preflight/internal/gateway"
	"github.com/go-preflight/preflight/preflighthttp"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	config string
	listen string
	check  bool
	log    bool
	drain  time.Duration
}

// runServe runs the gateway until it is told to stop. Exit 0: stopped, or the configuration is
// right. 1: it could not listen. 2: usage, or a wrong configuration.
func runServe(args []string, std stdio) int {
	set := flags("serve")
	var f serveFlags
	set.StringVar(&f.config, "config", "",
		"read the routes from a JSON `FILE` (default: routes to the known providers)")
	set.StringVar(&f.listen, "listen", "127.0.0.1:4747", "listen on `ADDRESS`")
	set.BoolVar(&f.check, "check-config", false, "check the configuration and stop")
	set.BoolVar(&f.log, "log", false,
		"write a line of JSON about each request to standard error, without content")
	set.DurationVar(&f.drain, "drain", 30*time.Second,
		"how long open requests may take to end after SIGTERM")
	if _, code, done := parse(set, args, std, 0); done {
		return code
	}
	g, err := openGateway(f.config)
	if err != nil {
		fmt.Fprintln(std.err, "preflight serve:", err)
		return exitUsage
	}
	if f.check {
		fmt.Fprintf(std.out, "the configuration is right: %d routes\n", len(g.Routes()))
		return exitOK
	}
	if f.log {
		logger := slog.New(slog.NewJSONHandler(std.err, nil))
		g.Report = func(ctx context.Context, r *preflighthttp.Report) {
			logger.InfoContext(ctx, "request", "preflight", r)
		}
	}
	ignoreSIGPIPE()           // it serves on when nobody reads its log any more
	log.SetOutput(io.Discard) // net/http quotes there what an upstream sends after its answer
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	listener, err := net.Listen("tcp", f.listen)
	if err != nil {
		fmt.Fprintln(std.err, "preflight serve:", err)
		return exitWrong
	}
	g.Local = isLoopback(listener.Addr())
	greet(std.out, std.err, listener.Addr(), g)
	if err := serve(ctx, listener, g, f.drain); err != nil {
		fmt.Fprintln(std.err, "preflight serve:", err)
		return exitWrong
	}
	return exitOK
}

// openGateway makes the gateway of a configuration file, or the default one.
func openGateway(name string) (*gateway.Gateway, error) {
	if name == "" {
		return gateway.New(gateway.Config{})
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	config, err := gateway.ParseConfig(data)
	if err != nil {
		return nil, err
	}
	return gateway.New(*config)
}

// headerTime is how long the head of a request may take to arrive.
var headerTime = 30 * time.Second

// serve answers until ctx is done, and then lets open requests end for as long as drain.
func serve(
	ctx context.Context,
	listener net.Listener,
	g *gateway.Gateway,
	drain time.Duration,
) error {
	var draining atomic.Bool
	g.Ready = func() bool { return !draining.Load() }
	server := &http.Server{
		Handler:           g,
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          log.New(io.Discard, "", 0), // broken connections are counted
		Protocols:         new(http.Protocols),
	}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	draining.Store(true)
	limit, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	if err := server.Shutdown(limit); err != nil {
		return errors.Join(fmt.Errorf("not all requests ended within %v", drain), server.Close())
	}
	return nil
}

// bases are the variables by which common SDKs and agents are pointed at another address, by route.
var bases = map[string]string{
	"/anthropic": "ANTHROPIC_BASE_URL=%s/anthropic",
	"/openai":    "OPENAI_BASE_URL=%s/openai/v1",
	"/gemini":    "GOOGLE_GEMINI_BASE_URL=%s/gemini",
	"/mistral":   "MISTRAL_API_BASE=%s/mistral",
	"/ollama":    "OLLAMA_HOST=%s/ollama",
}

// greet prints where the gateway listens, and the lines to paste.
func greet(out, warn io.Writer, addr net.Addr, g *gateway.Gateway) {
	base := "http://" + addr.String()
	fmt.Fprintf(out, "preflight serve listens on %s; open it to see what it does.\n\n", base)
	routes := g.Routes()
	slices.SortFunc(routes, func(a, b gateway.Route) int { return cmp.Compare(a.Prefix, b.Prefix) })
	var others []gateway.Route
	for _, r := range routes {
		if variable, ok := bases[r.Prefix]; ok {
			fmt.Fprintln(out, "  export "+fmt.Sprintf(variable, base))
		} else {
			others = append(others, r)
		}
	}
	if len(others) > 0 {
		fmt.Fprintln(out, "\nOther base URLs, in place of the provider's:")
		fmt.Fprintln(out)
	}
	for _, r := range others {
		fmt.Fprintf(out, "  %-40s for %s\n", base+r.Prefix, r.Upstream)
	}
	if !isLoopback(addr) {
		fmt.Fprintln(warn, "\nwarning: others on the network can reach this address, "+
			"and send requests through it with their own keys.")
	}
}

// isLoopback reports whether an address can be reached from this machine alone.
func isLoopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
