package wire

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file has prompt-cache breakpoints of the Anthropic and Bedrock formats.

// leaveBreakpoints lets the messages hold n breakpoints.
func (r *Request) leaveBreakpoints(n int) {
	if r.Profile.Cache.Limit = n; n <= 0 {
		r.Profile.Cache.Limit = provider.NoCache
	}
}

func breakpointRemoved(path string) finding {
	return finding{
		code: codes.CacheRemoved, problem: problems.CacheLimit, rule: "anthropic/cache-control-max4",
		path:  path,
		wrong: "there are more cache breakpoints than the provider takes",
		done:  "removed an early cache breakpoint, since there are more than the provider takes",
	}
}

func breakpointShortened(path string) finding {
	return finding{
		code: codes.CacheChanged, problem: problems.CacheOrder,
		rule: "anthropic/cache-control-ttl-order", path: path,
		wrong: "a long-lived cache breakpoint comes after a short-lived one",
		done:  "shortened a long-lived cache breakpoint after a short-lived one",
	}
}
