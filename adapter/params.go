package adapter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-preflight/preflight/internal/contain"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/wire"
)

// This file repairs the struct that an SDK sends as a whole request.

// Params ties an SDK's request struct P, which holds messages of type M, to a wire format. P is
// sent as json.Marshal writes it. The first two fields are needed, and all of them where *P has the
// methods of the SDKs that Stainless generates: Overrides, which reports whether JSON is sent in
// place of the fields, and ExtraFields and SetExtraFields, for members that are sent beside those
// of the fields, or in place of them.
type Params[M, P any] struct {
	Format *Format[M]
	// Messages is the field that holds the messages.
	Messages func(*P) *[]M
	// SetRaw sets the JSON that is sent in place of the fields.
	SetRaw func(params *P, body []byte)
	// Omit is the value of an extra member that is not sent.
	Omit any
}

// generated are the methods of a request struct that Stainless generates. A map that is given to
// SetExtraFields is a new one, and its values are json.RawMessage, Omit, or what ExtraFields said.
type generated interface {
	Overrides() (any, bool)
	ExtraFields() map[string]any
	SetExtraFields(map[string]any)
}

// Sanitize repairs a whole request: the history, as Format.Messages does, but by what the rest of
// the request asks of it; and the few other members that can make a request fail with its history.
// params and what it refers to are not written to. A changed member that its field cannot hold
// exactly becomes an extra member; if there is no such thing the error satisfies errors.Is with
// ErrInexact. Other errors and the cost are those of Format.Messages; params then come back as they
// are.
func (s *Params[M, P]) Sanitize(
	ctx context.Context,
	params P,
	options *wire.Options,
) (P, []wire.Warning, error) {
	body, err := marshalParams(params)
	if err != nil {
		return params, nil, s.blame(params, err)
	}
	repaired := params
	field, err := s.field(&repaired)
	if err != nil {
		return params, nil, err
	}
	raw, extra, err := s.instead(&repaired)
	if err != nil {
		return params, nil, err
	}
	messages := *field
	if _, listed := extra[s.Format.List]; raw || listed {
		messages = nil // the field is not what is sent
	}
	r, err := s.Format.Request(ctx, body, messages, options)
	switch {
	case err != nil || len(r.Warnings) == 0:
		return params, nil, err
	case raw:
		err = call("Params.SetRaw", func() { s.SetRaw(&repaired, r.Body) })
	default:
		if messages != nil {
			*field = r.Messages
		}
		rest := setMembers(&repaired, r.Members)
		if extra = s.extras(extra, r.Members, rest); len(extra) > 0 {
			err = setExtra(&repaired, extra)
		} else if len(rest) > 0 {
			err = fmt.Errorf("%w: %T cannot hold what had to be changed beside the messages",
				ErrInexact, params)
		}
	}
	if err != nil {
		return params, nil, err
	}
	return repaired, r.Warnings, nil
}

// FromJSON reads a request body, such as one that wire.Convert has made of another provider's, into
// params, which then send the same JSON. What fields cannot hold exactly becomes an extra member;
// if there is no such thing the error satisfies errors.Is with ErrInexact. The error is otherwise a
// *MessageError, or one about the JSON. The cost is linear.
func (s *Params[M, P]) FromJSON(body []byte) (P, error) {
	var params P
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return params, err
	}
	var raw []json.RawMessage
	if json.Unmarshal(members[s.Format.List], &raw) == nil {
		delete(members, s.Format.List)
	}
	messages := make([]M, len(raw))
	for i := range raw {
		var err error
		if messages[i], err = s.Format.read(raw[i], nil); err != nil {
			return params, &MessageError{Message: i, Reading: true, Err: err}
		}
	}
	field, err := s.field(&params)
	if err != nil {
		return params, err
	}
	*field = messages
	setMembers(&params, members)
	rest, err := s.unsent(params, body)
	if err != nil || len(rest) == 0 {
		return params, err
	}
	extra := s.extras(nil, rest, rest)
	if extra == nil {
		return params, fmt.Errorf("%w: %T has no place for %q", ErrInexact, params, named(rest))
	}
	return params, setExtra(&params, extra)
}

// named returns the names of members as errors may print them: those that could be any text are "".
func named(members map[string]json.RawMessage) []string {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, shorten.ID(name))
	}
	slices.Sort(names)
	return names
}

// unsent returns the members of body that params do not send as they are, such as null and what is
// empty, and those that they send in addition, which are nil.
func (s *Params[M, P]) unsent(params P, body []byte) (map[string]json.RawMessage, error) {
	sent, err := marshalParams(params)
	if err != nil {
		return nil, err
	}
	before, err := jsonscan.Parse(sent)
	if err != nil {
		return nil, err
	}
	after, err := jsonscan.Parse(body)
	if err != nil {
		return nil, err
	}
	changed := changedMembers(before.Root(), after.Root())
	for key, raw := range changed {
		if was := before.Root().Get(key); raw != nil && was.Exists() && Equal(was.Raw(), raw) {
			delete(changed, key)
		}
	}
	return changed, nil
}

// blame names the message that is the reason why params cannot be written as JSON, if it is one.
func (s *Params[M, P]) blame(params P, err error) error {
	field, e := s.field(&params)
	if e != nil {
		return err
	}
	if _, e := s.Format.marshal(*field); e != nil {
		return e
	}
	return err
}

// marshalParams writes params as the SDK does, whose types may have functions for it.
func marshalParams[P any](params P) (body []byte, err error) {
	defer contain.Panic("MarshalJSON", &err)
	return json.Marshal(params)
}

// errNoField is the error of a Params.Messages that returns nil.
var errNoField = errors.New("adapter: Params.Messages returned no field")

// field returns the field of params that holds the messages.
func (s *Params[M, P]) field(params *P) (messages *[]M, err error) {
	err = call("Params.Messages", func() { messages = s.Messages(params) })
	if err == nil && messages == nil {
		err = errNoField
	}
	return messages, err
}

// instead returns what the SDK sends in place of the fields of params.
func (s *Params[M, P]) instead(params *P) (raw bool, extra map[string]any, err error) {
	if p, ok := any(params).(generated); ok {
		err = call("Overrides and ExtraFields", func() {
			_, raw = p.Overrides()
			extra = p.ExtraFields()
		})
	}
	return raw, extra, err
}

// extras returns the extra members of repaired params: the old ones, brought up to date, and rest,
// which no field can hold. It returns nil if there is no place for them.
func (s *Params[M, P]) extras(
	old map[string]any,
	changed, rest map[string]json.RawMessage,
) map[string]any {
	if _, ok := any((*P)(nil)).(generated); !ok {
		return nil
	}
	out := make(map[string]any, len(old)+len(rest))
	maps.Copy(out, old)
	for key, value := range changed {
		_, was := old[key]
		_, left := rest[key]
		switch {
		case !was && !left:
		case value == nil:
			out[key] = s.Omit
		default:
			out[key] = value
		}
	}
	return out
}

// setExtra sets the extra members of params that have some.
func setExtra[P any](params *P, extra map[string]any) error {
	return call("SetExtraFields", func() { any(params).(generated).SetExtraFields(extra) })
}
