package command

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
)

// This file takes another configuration while serve runs.

// reloadOn reads the configuration again for each signal and, with --watch, when its file has
// changed, as Kubernetes changes that of a ConfigMap. A wrong one is reported, and the gateway goes
// on with the one it has.
func (f *serveFlags) reloadOn(
	ctx context.Context, hangup <-chan os.Signal, g *gateway.Gateway, std stdio,
) {
	var look <-chan time.Time
	if f.watch > 0 && f.config != "" {
		ticker := time.NewTicker(f.watch)
		defer ticker.Stop()
		look = ticker.C
	}
	last, _ := os.ReadFile(f.config) // it was read before
	for {
		select {
		case <-ctx.Done():
			return
		case <-look:
			now, err := os.ReadFile(f.config)
			if err != nil || bytes.Equal(now, last) {
				continue // it is being replaced, or is the same
			}
		case <-hangup:
		}
		if f.config == "" {
			fmt.Fprintln(std.err, "preflight serve: there is no configuration to read again")
			continue
		}
		last, _ = os.ReadFile(f.config)
		f.reload(g, std)
	}
}

func (f *serveFlags) reload(g *gateway.Gateway, std stdio) {
	config, err := readConfig(f.config)
	if err == nil {
		err = g.Reload(*config)
	}
	g.CountReload(err)
	if err != nil {
		fmt.Fprintf(std.err, "preflight serve: the configuration is kept as it was: %v\n", err)
		return
	}
	fmt.Fprintf(std.err, "preflight serve: the configuration was read again: %d routes\n",
		len(g.Routes()))
}
