// Package adapter puts preflight in front of message types that it does not know: those of an SDK,
// or your own.
//
// A Format says how a message of type T becomes a provider's JSON and how changed JSON becomes a
// message again. Its Messages method is then []T → []T:
//
//	var chat = adapter.Format[Turn]{Provider: "openai-chat", Unmarshal: adapter.Exactly[Turn]}
//
//	turns, warnings, err := chat.Messages(ctx, turns, nil)
//
// Messages that need no repair come back as the caller's own values. The others are read and
// written through their JSON, never through fields that this package would have to know, so that
// nothing in them is lost on the way.
//
// A Neutral does the same for a type that is in no provider's format, as frameworks have it that
// talk to many.
//
// The modules below this directory (adapter/anthropic, adapter/openai…) have a Format or Neutral
// for the types of each SDK, with the few lines that are peculiar to it. They are modules of their
// own, so that this one needs the standard library alone.
package adapter

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-preflight/preflight/internal/contain"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/wire"
)

// Format ties a message type to a provider's wire format. Its methods are safe for concurrent use
// if its functions are.
type Format[T any] struct {
	// Provider is the wire format of the JSON that Marshal writes, one of wire.Providers; options
	// may name a dialect instead.
	Provider string
	// List is the member of a whole request that holds the messages ("messages", "contents"…); only
	// Request needs it.
	List string
	// Marshal writes one message as one JSON value; nil is json.Marshal. It has to write all that
	// is sent.
	Marshal func(T) ([]byte, error)
	// Unmarshal makes the message for which Marshal writes raw. from is the caller's message that
	// it was made of, nil for an inserted one; it may not be changed. raw may be kept.
	Unmarshal func(raw []byte, from *T) (T, error)
}

// ErrMessage: a message could not be turned into JSON, or back. The error is a *MessageError.
var ErrMessage = errors.New("the message cannot be converted")

// MessageError is the error for a message that could not be converted.
type MessageError struct {
	Message int // its index in the caller's list, -1 for an inserted message
	// true if the message could not be read from JSON, such as its repaired one, false if it could
	// not be written
	Reading bool
	Err     error
}

// Error names message, direction and cause.
func (e *MessageError) Error() string {
	if e.Message < 0 {
		return fmt.Sprintf(
			"%v: the type of the messages cannot hold one that has to be inserted: %v", ErrMessage,
			e.Err)
	}
	if e.Reading {
		return fmt.Sprintf("%v: messages[%d] cannot be read from its JSON: %v", ErrMessage,
			e.Message, e.Err)
	}
	return fmt.Sprintf("%v: messages[%d] cannot be written as JSON: %v", ErrMessage, e.Message,
		e.Err)
}

// Is makes errors.Is(err, ErrMessage) true.
func (e *MessageError) Is(target error) bool { return target == ErrMessage }

// Unwrap returns the cause.
func (e *MessageError) Unwrap() error { return e.Err }

// Messages repairs a history. Messages that did not change are the caller's own values, and when
// none did, so is the slice (clipped, so that an append cannot reach the caller's array). Paths in
// the warnings count in messages. options may be nil.
//
// The error is a *MessageError, or one of wire.Sanitize; messages then come back as they are. The
// cost is linear in the JSON of the history.
func (f *Format[T]) Messages(
	ctx context.Context,
	messages []T,
	options *wire.Options,
) ([]T, []wire.Warning, error) {
	body, err := f.marshal(messages)
	if err != nil {
		return messages, nil, err
	}
	result, err := wire.Sanitize(ctx, body, f.options(options))
	if err != nil {
		return messages, nil, err
	}
	if result.Changed {
		err = f.checkCount(body, messages)
	}
	if err != nil {
		return messages, nil, err
	}
	repaired, err := f.rebuild(messages, result.Elements)
	if err != nil {
		return messages, nil, err
	}
	return repaired, result.Warnings, nil
}

// errOneValue is the error for a Marshal that wrote something else.
var errOneValue = errors.New("what was written for it is not one JSON value")

// checkCount reports an error if body has not one value for each message.
func (f *Format[T]) checkCount(body []byte, messages []T) error {
	if f.Marshal == nil {
		return nil
	}
	if doc, err := jsonscan.Parse(body); err != nil || doc.Root().Len() == len(messages) {
		return err
	}
	for i, m := range messages {
		raw, err := f.write(m)
		if err == nil {
			_, err = jsonscan.Parse(raw)
		}
		if err != nil {
			return &MessageError{Message: i, Err: errOneValue}
		}
	}
	return &MessageError{Err: errOneValue} // they are others now
}

// Request is a repaired whole request.
type Request[T any] struct {
	// Messages is the repaired history, as by Format.Messages.
	Messages []T
	// Members are the other members of the request that changed, with their JSON; nil for one that
	// is gone. When the request holds other messages than the caller's list (its type was
	// overridden), its list is among them.
	Members map[string]json.RawMessage
	// Body is the whole repaired request: the one given when nothing had to change.
	Body     []byte
	Warnings []wire.Warning
}

// Request repairs a whole request, so that what its other members say counts (model, tools,
// thinking, system). body is the request as the SDK sends it, and messages the list that was
// marshalled into it. Errors and costs are those of Messages; the request is nil then.
func (f *Format[T]) Request(
	ctx context.Context,
	body []byte,
	messages []T,
	options *wire.Options,
) (*Request[T], error) {
	result, err := wire.Sanitize(ctx, body, f.options(options))
	if err != nil {
		return nil, err
	}
	out := &Request[T]{
		Messages: messages[:len(messages):len(messages)],
		Body:     result.Body,
		Warnings: result.Warnings,
	}
	if !result.Changed {
		return out, nil
	}
	before, err := jsonscan.Parse(body)
	if err != nil {
		return nil, err
	}
	after, err := jsonscan.Parse(result.Body)
	if err != nil {
		return nil, err
	}
	out.Members = changedMembers(before.Root(), after.Root())
	if list := before.Root().Get(f.List); list.Kind() == jsonscan.Array &&
		list.Len() == len(messages) {
		delete(out.Members, f.List)
		out.Messages, err = f.rebuild(messages, result.Elements)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// changedMembers returns the members of two versions of a request that differ.
func changedMembers(before, after jsonscan.Value) map[string]json.RawMessage {
	changed := make(map[string]json.RawMessage)
	was := make(map[string][]byte, before.Len())
	for m := before.First(); m.Exists(); m = m.Next() {
		was[m.Key().Str()] = m.Raw()
		changed[m.Key().Str()] = nil
	}
	for m := after.First(); m.Exists(); m = m.Next() {
		key := m.Key().Str()
		if raw, ok := was[key]; ok && bytes.Equal(raw, m.Raw()) {
			delete(changed, key)
		} else {
			changed[key] = m.Raw()
		}
	}
	return changed
}

// options returns the caller's, for the format's provider unless they name another.
func (f *Format[T]) options(options *wire.Options) *wire.Options {
	var own wire.Options
	if options != nil {
		own = *options
	}
	if own.Provider == "" {
		own.Provider = f.Provider
	}
	if dialect, ok := wire.Dialect(own.Provider, f.Provider); ok {
		own.Provider = dialect // the vendor's dialect of the messages' format
	}
	return &own
}

// marshal writes messages as a JSON array.
func (f *Format[T]) marshal(messages []T) ([]byte, error) {
	body := []byte{'['}
	for i, m := range messages {
		raw, err := f.write(m)
		if err != nil {
			return nil, &MessageError{Message: i, Err: err}
		}
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, raw...)
	}
	return append(body, ']'), nil
}

// write calls Marshal, or that of the message.
func (f *Format[T]) write(m T) (raw []byte, err error) {
	defer contain.Panic("Format.Marshal", &err)
	if f.Marshal == nil {
		return json.Marshal(&m) // as encoding/json writes an element of a []T
	}
	return f.Marshal(m)
}

// read calls Unmarshal.
func (f *Format[T]) read(raw []byte, from *T) (m T, err error) {
	defer contain.Panic("Format.Unmarshal", &err)
	return f.Unmarshal(raw, from)
}

// rebuild makes the repaired list: the caller's values where nothing changed.
func (f *Format[T]) rebuild(messages []T, elements []wire.Element) ([]T, error) {
	if elements == nil {
		return messages[:len(messages):len(messages)], nil
	}
	out := make([]T, 0, len(elements))
	for _, e := range elements {
		if e.JSON == nil {
			out = append(out, messages[e.From])
			continue
		}
		var from *T
		if e.From >= 0 {
			from = &messages[e.From]
		}
		m, err := f.read(e.JSON, from)
		if err != nil {
			return nil, &MessageError{Message: e.From, Reading: true, Err: err}
		}
		out = append(out, m)
	}
	return out, nil
}
