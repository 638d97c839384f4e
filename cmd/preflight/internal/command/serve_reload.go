package command

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
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
			tell(g, std, slog.LevelWarn, "there is no configuration to read again")
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
		tell(g, std, slog.LevelError, "the configuration is kept as it was: "+err.Error())
		return
	}
	tell(g, std, slog.LevelInfo,
		fmt.Sprintf("the configuration was read again: %d routes", len(g.Routes())))
}

// tell writes what is about no request: a line of the log, where there is one, so that whoever
// collects that has it, or a line of text.
func tell(g *gateway.Gateway, std stdio, level slog.Level, text string) {
	if g.Log != nil {
		g.Log.Log(context.Background(), level, text)
		return
	}
	fmt.Fprintln(std.err, "preflight serve: "+text)
}
