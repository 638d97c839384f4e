package adapter

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/wire"
)

// This file writes what a client repaired by itself back into the caller's history.

// Keep returns a context for requests through a preflighthttp.Transport. When the transport repairs
// a request that holds the messages of *history, perhaps after others such as a system prompt, it
// writes the repaired messages to *history before it sends the request, so that the next request
// needs no repair. Messages that did not change stay the caller's own values.
//
// *history is read and written on the goroutine of the request. A request with other messages does
// not change it, nor does a repair that T cannot hold. The context is for one history: if ctx was
// made by Keep, that history is no longer written to. With a nil history, nothing is kept.
//
// Where results can arrive late, let the transport answer open calls (preflight.DanglingAnswer): a
// removed call leaves the history too, and a result that comes later has no call.
func (f *Format[T]) Keep(ctx context.Context, history *[]T) context.Context {
	if history == nil {
		return ctx
	}
	k := &keeper[T]{format: f, history: history}
	return preflighthttp.WithRepaired(ctx, k.repaired)
}

// keeper keeps one history.
type keeper[T any] struct {
	format  *Format[T]
	history *[]T
	// What was sent last, and what was made of it. An SDK that tries again sends the former, though
	// the history is the latter by then.
	given, made []T
}

func (k *keeper[T]) repaired(r *preflighthttp.Repaired) {
	messages := *k.history
	if len(k.made) > 0 && len(messages) == len(k.made) && &messages[0] == &k.made[0] {
		messages = k.given
	}
	before, ok := k.format.sent(r.Body, messages)
	if !ok {
		return
	}
	elements, ok := without(before, r.Result.Elements)
	if !ok {
		return
	}
	made, err := k.format.rebuild(messages, elements)
	if err != nil {
		return
	}
	k.given, k.made = messages, made
	*k.history = made[:len(made):len(made)]
}

// sent reports whether messages are those of a request, and how many the request has before them,
// such as a system prompt. SDKs write a message of a request in other ways than a message alone
// (members in another order, numbers as float64), so that what is compared is what they mean to
// encoding/json.
func (f *Format[T]) sent(body []byte, messages []T) (before int, ok bool) {
	doc, err := jsonscan.Parse(body)
	if err != nil {
		return 0, false
	}
	list := doc.Root().Get(f.List)
	before = list.Len() - len(messages)
	if list.Kind() != jsonscan.Array || before < 0 || len(messages) == 0 {
		return 0, false
	}
	own, err := f.marshal(messages)
	if err != nil {
		return 0, false
	}
	last := []byte{'['}
	for i, m := 0, list.First(); m.Exists(); i, m = i+1, m.Next() {
		if i > before {
			last = append(last, ',')
		}
		if i >= before {
			last = append(last, m.Raw()...)
		}
	}
	was := canonical(append(last, ']'))
	return before, was != nil && bytes.Equal(was, canonical(own))
}

// without takes the first n messages out of elements. It fails when one of them changed, or none.
func without(n int, elements []wire.Element) ([]wire.Element, bool) {
	if len(elements) <= n {
		return nil, false
	}
	out := make([]wire.Element, 0, len(elements)-n)
	for i, e := range elements {
		switch {
		case i < n && (e.From != i || e.JSON != nil), i >= n && e.From >= 0 && e.From < n:
			return nil, false
		case i < n:
			continue
		case e.From >= 0:
			e.From -= n
		}
		out = append(out, e)
	}
	return out, true
}

// Keep returns a context with which Messages writes the repaired history to *history, if *history
// is the slice that it was given. It is for code that calls a model which calls Messages. The
// context is for one history, as with Format.Keep.
func (n *Neutral[T]) Keep(ctx context.Context, history *[]T) context.Context {
	if history == nil {
		return ctx
	}
	return context.WithValue(ctx, keepKey[T]{}, history)
}

type keepKey[T any] struct{}

// keep writes repaired messages to the history of ctx, if that is what was given.
func keep[T any](ctx context.Context, given, made []T) {
	history, ok := ctx.Value(keepKey[T]{}).(*[]T)
	if ok && len(given) > 0 && len(*history) == len(given) && &(*history)[0] == &given[0] {
		*history = made
	}
}

// canonical returns JSON in the one form that encoding/json gives to what it read; nil for what it
// cannot read.
func canonical(raw []byte) []byte {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	out, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return out
}
