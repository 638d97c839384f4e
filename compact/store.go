package compact

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/contain"
)

// Store keeps the messages of a Session. The session makes one call at a time, and waits for it;
// an error is returned by the method of the session that needed it.
type Store interface {
	// Len returns how many messages it has. The session asks before it appends: a store that has
	// more or fewer messages than the session is ErrStore, and nothing is appended to it.
	Len(ctx context.Context) (int, error)
	// Append adds messages after those it has. On an error it has added none.
	Append(ctx context.Context, messages []preflight.Message) error
	// Load returns the messages with these indices, in this order, as they were appended. A session
	// loads a message once when it is compacted, and when Expand asks for it.
	Load(ctx context.Context, indices []int) ([]preflight.Message, error)
}

// ErrStore is wrapped by the errors of Session.Append and RestoreSession for a Store whose messages
// are not those that the session appended, such as the store of an earlier session.
var ErrStore = errors.New("compact: the store does not hold the messages of this session")

// memory is the Store of a session that is given none.
type memory struct{ messages []preflight.Message }

func (m *memory) Len(context.Context) (int, error) { return len(m.messages), nil }

func (m *memory) Append(_ context.Context, messages []preflight.Message) error {
	m.messages = append(m.messages, messages...)
	return nil
}

func (m *memory) Load(_ context.Context, indices []int) ([]preflight.Message, error) {
	out := make([]preflight.Message, len(indices))
	for k, i := range indices {
		if i < 0 || i >= len(m.messages) {
			return nil, fmt.Errorf("compact: there is no message %d", i)
		}
		out[k] = m.messages[i]
	}
	return out, nil
}

func loaded(ctx context.Context, s Store, indices []int) ([]preflight.Message, error) {
	defer contain.Guard("store")
	return s.Load(ctx, slices.Clone(indices))
}

// storeLen returns how many messages a store has.
func storeLen(ctx context.Context, s Store) (int, error) {
	defer contain.Guard("store")
	return s.Len(ctx)
}

// stored appends messages to a store that has n messages.
func stored(ctx context.Context, s Store, n int, messages []preflight.Message) error {
	defer contain.Guard("store")
	has, err := s.Len(ctx)
	if err != nil {
		return err
	}
	if has != n {
		return fmt.Errorf("%w: it has %d messages, and the session has %d", ErrStore, has, n)
	}
	return s.Append(ctx, slices.Clip(messages))
}

// load loads messages and makes sure that the store returned as many as were asked for.
func load(ctx context.Context, s Store, indices []int) ([]preflight.Message, error) {
	if len(indices) == 0 {
		return nil, nil
	}
	messages, err := loaded(ctx, s, indices)
	if err != nil {
		return nil, fmt.Errorf("compact: loading %d messages: %w", len(indices), err)
	}
	if len(messages) != len(indices) {
		return nil, fmt.Errorf("compact: the store returned %d messages of %d", len(messages),
			len(indices))
	}
	return messages, nil
}
