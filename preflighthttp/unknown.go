package preflighthttp

import (
	"context"
	"log/slog"
	"strings"
	"sync"

	"github.com/go-preflight/preflight/internal/contain"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file is about hosts that are not known, at paths that LLM requests have.

// Unknown says what becomes of requests to hosts that are not known, at a path of a known API.
type Unknown string

// SkipUnknown is the default because a path such as /v1/messages alone does not identify an LLM,
// and because a host may want what others refuse.
const (
	// SkipUnknown sends it as it was, and reports and logs it. If the options have hooks or
	// Untrusted, they cannot run on it: a body that is compressed, too large, or a request to a
	// model in any known format is treated as Transport.Unfixable says, and all others are sent.
	SkipUnknown Unknown = ""
	// RepairUnknown repairs it by the rules that all hosts of the path's format have: on the path
	// of OpenAI's Chat format those of the provider "openai-compatible".
	RepairUnknown Unknown = "repair"
)

// maxWarned is how many hosts are remembered, which limits the memory of a program that makes up
// hosts. Further ones are reported, and not logged.
const maxWarned = 1000

// warned are the hosts that a logger was told of. They are the process's, because programs make
// clients, and Transports, for single requests.
var warned = struct {
	sync.Mutex
	hosts map[warning]bool
}{hosts: map[warning]bool{}}

type warning struct {
	log  *slog.Logger // nil for the default
	host string       // or "provider " and a name, which no host is
}

// firstWarning reports whether a logger was not told of a host yet, and notes that it is now.
func firstWarning(w warning) bool {
	warned.Lock()
	defer warned.Unlock()
	if warned.hosts[w] || len(warned.hosts) >= maxWarned {
		return false
	}
	warned.hosts[w] = true
	return true
}

// warnOfHost logs that requests to a host are not repaired, once for each host.
func (t *Transport) warnOfHost(ctx context.Context, d *Decision) error {
	if !firstWarning(warning{t.Log, unrooted(d.host)}) {
		return nil
	}
	attrs := []slog.Attr{
		slog.String("host", shorten.Name(d.host)), slog.String("format", d.Provider),
	}
	if hint := t.nearMiss(d.host); hint != "" {
		attrs = append(attrs, slog.String("hint", hint))
	}
	return t.warn(ctx, "preflighthttp: requests to an unknown host are sent unrepaired; list it in "+
		"Transport.Endpoints, or set Transport.Unknown", attrs...)
}

// warnOfProvider logs, once for each name, that an endpoint names an unknown provider.
func (t *Transport) warnOfProvider(ctx context.Context, d *Decision) error {
	name := d.target.unknownProvider
	if name == "" || !firstWarning(warning{t.Log, "provider " + name}) {
		return nil
	}
	return t.warn(ctx, "preflighthttp: an endpoint names an unknown provider, so that its requests "+
		"are repaired by the format of their path alone, or not at all; wire.Providers and "+
		"wire.Vendors list the names", slog.String("provider", shorten.Name(name)))
}

func (t *Transport) warn(ctx context.Context, text string, attrs ...slog.Attr) (err error) {
	log := t.Log
	if log == nil {
		log = slog.Default()
	}
	defer contain.Panic("Transport.Log", &err)
	log.LogAttrs(ctx, slog.LevelWarn, text, attrs...)
	return nil
}

// nearMiss says why an endpoint of the caller's that seems to be meant for a host does not match.
func (t *Transport) nearMiss(host string) string {
	host = unrooted(host)
	for _, e := range t.Endpoints {
		_, own, isURL := strings.Cut(e.Host, "://")
		if !isURL {
			own = e.Host
		}
		own, _, hasPath := strings.Cut(own, "/")
		switch own = unrooted(own); {
		case own != host:
		case isURL, hasPath:
			return "Endpoint.Host is a host without scheme and path: " + host
		case e.Path != "":
			return "Endpoint.Path is how the path ends; without it all known paths match"
		}
	}
	return ""
}
