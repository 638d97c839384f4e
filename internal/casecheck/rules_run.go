package casecheck

import (
	"bytes"
	"slices"
	"strings"
)

// runRules are about the run and what the caller was told. They can hold when
// nothing came out.
var runRules = []rule{
	on(`no panic`, func(k *check, _ []string) string {
		return unlessf(!k.broken, "%s", k.breakage())
	}),
	on(`input not mutated`, func(k *check, _ []string) string {
		if k.broken {
			return k.breakage()
		}
		return unlessf(!k.o.Mutated, "the fix wrote into the body it was given")
	}),
	on(`idempotent`, idempotent),
	on(`two runs byte-identical`, func(k *check, _ []string) string {
		if k.broken {
			return k.breakage()
		}
		return unlessf(bytes.Equal(k.o.Twice, k.o.Body) && (k.o.Twice == nil) == k.o.Refused, "the second run gave %s", k.o.Twice)
	}),
	on(`(?:or )?(?:its |the )?(?:[a-z_ ]*loss|caller|cache breakpoint moved)? ?(?:is )?(?:of the thinking )?(?:warned|told)`, told),
	on(`reported by Validate|explicit warning.*`, told),
	on(`report names (.+)`, func(k *check, a []string) string {
		blob := strings.Join(append(k.warningStrings(), k.o.Err), "\n")
		for name := range strings.SplitSeq(a[0], " and ") {
			if !strings.Contains(blob, name) {
				return "neither warnings nor error name " + name
			}
		}
		return ""
	}),
	on(`prefill kept when the model supports it; otherwise ends with user and text '(.*)' not silently lost`, func(k *check, a []string) string {
		last := k.out.last()
		return k.unless(k.told || k.output && last != nil && last.role == "user" && k.textKept(a[0]))
	}),
	on(`foreign payload removed together with its call, or left and warned`, func(k *check, _ []string) string {
		left := len(k.out.typed("server_tool_use", "web_search_tool_result")) > 0
		return k.unless(k.told || k.output && !left)
	}),
}

// breakage says how the run broke.
func (k *check) breakage() string {
	if k.o.Panicked {
		return "the fix panicked: " + k.o.Err
	}
	return "what came out is not JSON"
}

func idempotent(k *check, _ []string) string {
	switch {
	case k.broken:
		return k.breakage()
	case k.o.Refused:
		return ""
	case !bytes.Equal(k.o.Again, k.o.Body):
		return "sanitized again it became " + string(k.o.Again)
	}
	return unlessf(k.o.AgainWarnings == 0, "sanitized again it gave %d warnings", k.o.AgainWarnings)
}

func told(k *check, _ []string) string {
	return unlessf(k.told, "no warning and no error")
}

// bodyRules are about what came out, in the order in which they are tried.
var bodyRules = slices.Concat(wholeRules, textRules, callRules, resultRules, idRules, shapeRules, opaqueRules)
