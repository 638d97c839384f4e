package spec

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/stored"
	"github.com/go-preflight/preflight/wire"
)

// secret is what callbacks see and panic with, and what must not come out.
const secret = "alice@example.org"

// faulty are options of which each calls its function through fault, which may not return.
var faulty = map[string]func(fault func()) preflight.Options{
	"OpenCall": func(fault func()) preflight.Options {
		return preflight.Options{
			OpenCall: func(*preflight.ToolCall) preflight.Part { fault(); return nil },
		}
	},
	"Boundary": func(fault func()) preflight.Options {
		truncate := fixer.Truncate{
			MaxString: 60, Boundary: func(s string, n int) int { fault(); return n },
		}
		return preflight.Options{Fixers: []preflight.Fixer{truncate.Fixer()}}
	},
	"Older.Boundary": func(fault func()) preflight.Options {
		older := stored.Older{
			Keep: 1, MaxText: 60, Boundary: func(s string, n int) int { fault(); return n },
		}
		return preflight.Options{Fixers: []preflight.Fixer{older.Fixer()}}
	},
	"Message": func(fault func()) preflight.Options {
		return preflight.Options{
			Hooks: []preflight.Hook{
				messageHook("h", func(m *preflight.Message) {
					fault()
				}),
			},
		}
	},
	"HookFunc": func(fault func()) preflight.Options {
		return preflight.Options{Hooks: []preflight.Hook{
			preflight.HookFunc("h", func(m preflight.Message) preflight.Message {
				fault()
				return m
			}),
		}}
	},
	"History": func(fault func()) preflight.Options {
		return preflight.Options{
			Hooks: []preflight.Hook{
				historyHook("h", func(h messages) messages {
					fault()
					return h
				}),
			},
		}
	},
}

// brokenHistory needs every function of faulty.
func brokenHistory() []preflight.Message {
	long := strings.Repeat("word ", 100)
	call := func(id string) preflight.Part {
		return &preflight.ToolCall{ID: id, Name: "f", Input: []byte(`{}`)}
	}
	return []preflight.Message{
		{Role: "user", Parts: []preflight.Part{says(secret + long)}},
		{Role: "assistant", Parts: []preflight.Part{
			&preflight.ToolCall{
				ID: "s", Name: "code_execution", Input: []byte(`{}`), ProviderExecuted: true,
			},
			&preflight.ToolResult{
				CallID: "s", ProviderExecuted: true, Output: []byte(`{"stdout":"` + long + `"}`),
			},
			call("a"), call("b"), call("c"),
		}},
		{
			Role: "user",
			Parts: []preflight.Part{
				&preflight.ToolResult{
					CallID: "b", Name: "f", Content: []preflight.Part{says(secret + long)},
				},
			},
		},
		{Role: "user", Parts: []preflight.Part{says("go on")}},
	}
}

// TestFaultyFunctions: at whichever of its calls a function panics or ends its goroutine, what
// follows on the same pools is as if nothing had been; a panic is a typed error that quotes
// nothing, and the input comes back.
func TestFaultyFunctions(t *testing.T) {
	profile := provider.Anthropic("")
	options := &preflight.Options{Dangling: preflight.DanglingAnswer}
	want, err := preflight.Sanitize(context.Background(), brokenHistory(), profile, options)
	require.NoError(t, err)
	body := []byte(`{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"` + secret +
		strings.Repeat(" word", 100) +
		`"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f",` +
		`"input":{}},{"type":"tool_use","id":"b",` +
		`"name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result",` +
		`"tool_use_id":"b","content":"r"}]},` +
		`{"role":"user","content":"go on"}],"tools":[{"name":"f",` +
		`"input_schema":{"type":"object"}}]}`)
	wantBody, err := wire.Sanitize(context.Background(), body, &wire.Options{Options: *options})
	require.NoError(t, err)
	entries := map[string]func(o preflight.Options) error{
		"Sanitize": func(o preflight.Options) error {
			in := brokenHistory()
			res, err := preflight.Sanitize(context.Background(), in, profile, &o)
			if err != nil {
				require.Empty(t, cmp.Diff(brokenHistory(), res.Messages))
			}
			return err
		},
		"RepairInterrupted": func(o preflight.Options) error {
			_, err := stored.RepairInterrupted(context.Background(), brokenHistory(), &o)
			return err
		},
		"Persist": func(o preflight.Options) error {
			_, err := stored.Persist(context.Background(), brokenHistory(),
				stored.Options{Options: o})
			return err
		},
		"wire.Sanitize": func(o preflight.Options) error {
			res, err := wire.Sanitize(context.Background(), body, &wire.Options{Options: o})
			if err != nil {
				require.Equal(t, body, res.Body)
			}
			return err
		},
		"wire.Check": func(o preflight.Options) error {
			_, err := wire.Check(body, &wire.Options{Options: o})
			return err
		},
	}
	faults := map[string]func(){
		"panic":  func() { panic(fmt.Errorf("the text is %s", secret)) },
		"goexit": runtime.Goexit,
	}
	called := make(map[string]bool)
	for name, with := range faulty {
		for entry, run := range entries {
			for kind, fault := range faults {
				for nth := 1; ; nth++ {
					calls := 0
					o := with(func() {
						if calls++; calls == nth {
							fault()
						}
					})
					var err error
					ended := make(chan struct{})
					go func() { // a goroutine of its own, which the function may end
						defer close(ended)
						err = run(o)
					}()
					<-ended
					if calls < nth {
						require.NoError(t, err)
						break
					}
					called[name] = true
					if kind == "panic" {
						require.ErrorIs(t, err, preflight.ErrHook, "%s, %s, call %d", name, entry,
							nth)
						require.NotContains(t, err.Error(), secret)
						var of *preflight.Error
						require.True(t, errors.As(err, &of))
					}
					got, err := preflight.Sanitize(context.Background(), brokenHistory(), profile,
						options)
					require.NoError(t, err, "after %s, %s, %s at call %d", name, entry, kind, nth)
					require.Empty(t, cmp.Diff(want, got))
					gotBody, err := wire.Sanitize(context.Background(), body,
						&wire.Options{Options: *options})
					require.NoError(t, err)
					require.Equal(t, string(wantBody.Body), string(gotBody.Body))
				}
			}
		}
	}
	require.Len(t, called, len(faulty), "every function was called")
}

// TestEndsWithItsContext: a context that is done ends the repair between two fixers.
func TestEndsWithItsContext(t *testing.T) {
	profile := provider.Anthropic("")
	ctx, cancel := context.WithCancel(context.Background())
	o := preflight.Options{
		OpenCall: func(*preflight.ToolCall) preflight.Part { cancel(); return nil },
	}
	in := brokenHistory()
	res, err := preflight.Sanitize(ctx, in, profile, &o)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, cmp.Diff(brokenHistory(), res.Messages))
	require.Nil(t, res.Warnings)
}
