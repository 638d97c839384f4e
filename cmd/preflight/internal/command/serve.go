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
	"runtime/debug"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	config string
	listen string
	check  bool
	log    bool
	delay  time.Duration
	drain  time.Duration
	watch  time.Duration
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
	set.DurationVar(&f.watch, "watch", 0,
		"look so often whether the configuration has changed, and take it (default: on SIGHUP alone)")
	set.DurationVar(&f.delay, "drain-delay", 0,
		"after SIGTERM, how long to keep serving while /readyz says 503")
	set.DurationVar(&f.drain, "drain", 30*time.Second,
		"after --drain-delay, how long open requests and WebSockets may take to end")
	if _, code, done := parse(set, args, std, 0); done {
		return code
	}
	g, err := openGateway(f.config)
	if err != nil {
		return std.fail("serve", err, exitUsage)
	}
	g.Warn = func(text string) { tell(g, std, slog.LevelWarn, "warning: "+text) }
	if !f.check { // nothing waits for a reader of standard error from here on
		g.LogQueue = gateway.NewLogQueue(std.err)
		defer g.LogQueue.Close(logTime)
		std.err = g.LogQueue
		if f.log {
			g.Log = slog.New(slog.NewJSONHandler(g.LogQueue, nil))
		}
	}
	if err := g.LearnedErr(); err != nil {
		g.Warn("what was learned is not kept: " + err.Error())
	}
	if f.check {
		fmt.Fprintf(std.out, "the configuration is right: %d routes\n", len(g.Routes()))
		return exitOK
	}
	g.Version = versionOf()
	ignoreSIGPIPE()           // it serves on when nobody reads its log any more
	log.SetOutput(io.Discard) // net/http quotes there what an upstream sends after its answer
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	if err := f.listenAndServe(ctx, g, std); err != nil {
		return std.fail("serve", err, exitWrong)
	}
	return exitOK
}

// listenAndServe serves until ctx is done, and drains.
func (f *serveFlags) listenAndServe(ctx context.Context, g *gateway.Gateway, std stdio) error {
	listener, err := net.Listen("tcp", f.listen)
	if err != nil {
		return err
	}
	g.Local = isLoopback(listener.Addr())
	g.Public = !g.Local
	if err := g.CheckPublic(); err != nil {
		return errors.Join(err, listener.Close())
	}
	if address := g.Config().Admin.Listen; address != "" {
		admin, err := net.Listen("tcp", address)
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		server := &http.Server{
			Handler: g.Admin(), ReadHeaderTimeout: headerTime,
			ErrorLog: log.New(io.Discard, "", 0),
		}
		defer server.Close() // it answers until the drain has ended
		go func() { _ = server.Serve(admin) }()
		tell(g, std, slog.LevelInfo, "the page and the metrics are on http://"+admin.Addr().String())
	}
	boundMemory(50)
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	go f.reloadOn(ctx, hangup, g, std)
	greet(std.out, std.err, listener.Addr(), g)
	return serve(ctx, listener, g, f.delay, f.drain)
}

// boundMemory lets the garbage collector run when the heap has grown by so many percent, unless the
// environment says when: bodies are large and live shortly, and their bound is to be that of the
// memory. A limit of the memory would have it run all the time where many streams need more.
func boundMemory(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// readConfig reads a configuration file.
func readConfig(name string) (*gateway.Config, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return gateway.ParseConfig(data)
}

// openGateway makes the gateway of a configuration file, or the default one.
func openGateway(name string) (*gateway.Gateway, error) {
	if name == "" {
		return gateway.New(gateway.Config{})
	}
	config, err := readConfig(name)
	if err != nil {
		return nil, err
	}
	return gateway.New(*config)
}

// logTime is how long the last lines of the log may take to be written.
const logTime = 2 * time.Second

// headerTime is how long the head of a request may take to arrive.
var headerTime = 30 * time.Second

// serve answers until ctx is done. Then it says that it is not ready, answers for as long as delay,
// and lets open requests end for as long as drain.
func serve(
	ctx context.Context,
	listener net.Listener,
	g *gateway.Gateway,
	delay, drain time.Duration,
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
	select {
	case err := <-failed:
		return err
	case <-time.After(delay):
	}
	limit, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	if err := server.Shutdown(limit); err != nil || g.Drained(limit) != nil {
		g.Cut()
		closed := server.Close()
		logged, cancel := context.WithTimeout(context.Background(), logTime)
		defer cancel()
		_ = g.Drained(logged) // the requests that were cut off have their lines then
		return errors.Join(fmt.Errorf("not all requests ended within %v", drain), closed)
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
		fmt.Fprintf(out, "  %-40s for %s\n", base+r.Prefix, r.Shown())
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
