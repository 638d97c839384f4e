package anthropic

import (
	"fmt"

	"github.com/go-preflight/preflight/preflighttest/internal/claude"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Cache breakpoints.

func cacheOnThinking(r *fake.Request, found fake.Found) {
	each(r, func(m message, b block) {
		if claude.Thinks(b.kind) && read.Has(b.object, "cache_control") {
			found(b.at()+".cache_control", b.fill(".thinking.", "."+b.kind+".")...)
		}
	})
}

func cacheMax(r *fake.Request, found fake.Found) {
	n := 0
	everywhere(r, func(role string, b block) {
		if read.Has(b.object, "cache_control") && !claude.Thinks(b.kind) {
			n++
		}
	})
	if n > 4 {
		found("", "Found 5", fmt.Sprintf("Found %d", n))
	}
}

func cacheOrder(r *fake.Request, found fake.Found) {
	short := false
	everywhere(r, func(role string, b block) {
		if !read.Has(b.object, "cache_control") {
			return
		}
		ttl := read.Object(b.object["cache_control"])["ttl"]
		if ttl == "1h" && short {
			found(b.at() + ".cache_control")
		}
		short = short || ttl == nil || ttl == "5m"
	})
}

func cacheOnEmpty(r *fake.Request, found fake.Found) {
	everywhere(r, func(role string, b block) {
		if s, ok := b.object["text"].(string); ok && b.kind == "text" && s == "" &&
			read.Has(b.object, "cache_control") {
			found(b.at(), "messages.0.content.1", b.path)
		}
	})
}
