package wire

import (
	"encoding/json"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file has prompt-cache breakpoints of the Anthropic and Bedrock formats.

// longLived reports whether a breakpoint lives an hour.
func longLived(marker []byte) bool { return lifetime(marker) == "1h" }

// shortLived reports whether a breakpoint has the short lifetime, which is the default. An unknown
// lifetime is neither long nor short.
func shortLived(marker []byte) bool {
	ttl := lifetime(marker)
	return ttl == "" || ttl == "5m"
}

var shortMarker = json.RawMessage(`{"type":"ephemeral"}`)

func breakpointRemoved(path string) finding {
	return finding{
		code: codes.CacheRemoved, problem: problems.CacheLimit, rule: "anthropic/cache-control-max4",
		path: path, at: nowhere,
		wrong: "there are more cache breakpoints than the provider takes",
		done:  "removed an early cache breakpoint, since there are more than the provider takes",
	}
}

// lifetime returns how long a breakpoint lives, "" if it does not say.
func lifetime(marker []byte) string {
	v := valueOf(marker)
	if ttl := v.Get("ttl"); ttl.Exists() {
		return ttl.Str()
	}
	return v.Get("cachePoint").Get("ttl").Str()
}

func breakpointShortened(path string) finding {
	return finding{
		code: codes.CacheChanged, problem: problems.CacheOrder,
		rule: "anthropic/cache-control-ttl-order", path: path, at: nowhere,
		wrong: "a long-lived cache breakpoint comes after a short-lived one",
		done:  "shortened a long-lived cache breakpoint after a short-lived one",
	}
}
