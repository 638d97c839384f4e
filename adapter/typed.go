package adapter

import "encoding/json"

// This file reads messages of SDKs whose types can hold raw JSON in place of their fields.

// Typed reads messages that are a role and a list of blocks, for the field Unmarshal of a Format.
type Typed[M, B any] struct {
	// Message makes a message of blocks. It may return the zero M for a role of which the SDK has
	// no such message. A panic in it passes to the caller of Unmarshal; a Format contains it.
	Message func(role string, content []B) M
	// RawMessage makes a message that is sent as the given JSON. A panic in it passes too.
	RawMessage func(raw json.RawMessage) M
	// RawBlock makes a block that is sent as the given JSON. A panic in it passes too.
	RawBlock func(raw json.RawMessage) B
}

// Unmarshal reads a message: in the SDK's fields if they can hold all of it, each block for itself,
// and else as raw JSON. from is the caller's own value, if it was made from one.
func (t *Typed[M, B]) Unmarshal(raw []byte, from *M) (M, error) {
	if m, err := Exactly(raw, from); err == nil {
		return m, nil
	}
	var parts struct {
		Role    string
		Content []json.RawMessage
	}
	if json.Unmarshal(raw, &parts) == nil {
		m := t.Message(parts.Role, t.blocks(parts.Content))
		if written, err := json.Marshal(m); err == nil && Equal(raw, written) {
			return m, nil
		}
	}
	return t.RawMessage(raw), nil
}

// blocks are content blocks: each typed when its type can hold all of it, and else as raw JSON.
func (t *Typed[M, B]) blocks(content []json.RawMessage) []B {
	out := make([]B, len(content))
	for i, raw := range content {
		var err error
		if out[i], err = Exactly[B](raw, nil); err != nil {
			out[i] = t.RawBlock(raw)
		}
	}
	return out
}
