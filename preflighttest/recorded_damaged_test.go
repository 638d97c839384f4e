package preflighttest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/internal/recorded"
	"github.com/go-preflight/preflight/wire"
)

// This file holds the check against the fakes, and the repair against the long
// way, on requests that real providers accepted, after messages and blocks were
// removed, repeated and swapped in them.

// damagedLists are the lists in a history whose elements are removed, repeated
// and swapped.
func damagedLists(history []any) []spot {
	var lists []spot
	for _, m := range history {
		o, _ := m.(map[string]any)
		for _, name := range []string{"content", "parts", "tool_calls"} {
			if l, ok := o[name].([]any); ok && len(l) > 0 {
				lists = append(lists, spot{
					get: func() any { return o[name] },
					set: func(x any) { o[name] = x },
				})
			}
		}
	}
	return lists
}

// damage removes, repeats or swaps elements of a list.
func damage(r *rand.Rand, l []any) []any {
	l = slices.Clone(l)
	i, j := r.IntN(len(l)), r.IntN(len(l))
	switch r.IntN(3) {
	case 0:
		return slices.Delete(l, i, i+1)
	case 1:
		return slices.Insert(l, j, cloned(l[i]))
	}
	l[i], l[j] = l[j], l[i]
	return l
}

// damaged is a recorded body with one to three changes, nil if it has no list of messages.
func damaged(t *testing.T, r *rand.Rand, req recorded.Request) []byte {
	var root object
	require.NoError(t, json.Unmarshal(req.Body, &root))
	name := list(req.Provider)
	history, _ := root[name].([]any)
	if len(history) == 0 {
		return nil
	}
	for range 1 + r.IntN(3) {
		lists := damagedLists(history)
		if len(lists) == 0 || r.IntN(2) == 0 {
			if len(history) > 0 {
				history = damage(r, history)
			}
			continue
		}
		s := lists[r.IntN(len(lists))]
		l, _ := s.get().([]any)
		s.set(damage(r, l))
	}
	root[name] = history
	key := "model"
	if req.Provider == "bedrock" {
		key = "modelId"
	}
	if root[key] == nil && req.Model != "" {
		root[key] = req.Model
		if strings.Contains(req.Host, "aiplatform") {
			root[key] = "publishers/google/models/" + req.Model
		}
	}
	return []byte(compact(root))
}

// otherTheLongWay says how a body is repaired in another way if nothing in
// memory is used again: an OpenCall that decides nothing changes only that.
func otherTheLongWay(provider string, body []byte) string {
	short, err := wire.Sanitize(context.Background(), body, &wire.Options{Provider: provider})
	long, longErr := wire.Sanitize(context.Background(), body, &wire.Options{
		Provider: provider,
		Options: preflight.Options{
			OpenCall: func(*preflight.ToolCall) preflight.Part { return nil },
		},
	})
	if !reflect.DeepEqual(short, long) || fmt.Sprint(err) != fmt.Sprint(longErr) {
		return fmt.Sprintf("the long way %v: %s", longErr, cmp.Diff(short, long))
	}
	return ""
}

// TestDamagedRecordings: the check and the fake agree on damaged requests, the
// fake accepts what preflight makes of them, and the long way makes the same.
func TestDamagedRecordings(t *testing.T) {
	tried := map[string]int{}
	for _, req := range recorded.Load(t, "..", recorded.Accepted, recorded.FollowUp) {
		if req.Provider == "gemini" && strings.Contains(req.Host, "aiplatform") {
			req.Provider = "vertex-gemini"
		}
		if _, ours := subjects[req.Provider]; !ours || refusedElsewhere[req.ID] != "" {
			continue
		}
		seed := fnv.New64a()
		seed.Write([]byte(req.ID))
		r := rand.New(rand.NewPCG(seed.Sum64(), 1))
		for range rapidseed.Size(20, 2) {
			body := damaged(t, r, req)
			if body == nil {
				break
			}
			tried[req.Provider]++
			for _, d := range []string{
				disagreement(t, req.Provider, body), refusedAfter(t, req.Provider, body),
				otherTheLongWay(req.Provider, body),
			} {
				if d != "" {
					t.Errorf("%s %s: %s\nin %s", req.ID, req.Source, d, body)
				}
			}
		}
	}
	t.Log(tried)
	delete(tried, "glm") // has few recordings
	for provider, n := range tried {
		require.Greater(t, n, 50, provider)
	}
}
