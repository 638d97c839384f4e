package gateway

import (
	"encoding/json"
	"errors"
	"hash/fnv"
	"math"
)

// This file says for whom a route makes no repairs.

// Share is a part of all clients, from 0 to 1. In JSON it is a number, or true for all.
type Share float64

// UnmarshalJSON reads a share.
func (s *Share) UnmarshalJSON(data []byte) error {
	var all bool
	var part float64
	switch {
	case json.Unmarshal(data, &all) == nil && all:
		part = 1
	case json.Unmarshal(data, &all) == nil:
	case json.Unmarshal(data, &part) != nil || part < 0 || part > 1:
		return errors.New("a share is true, false or a number from 0 to 1")
	}
	*s = Share(part)
	return nil
}

// covers reports whether a client is in the share. It is always the same for one client, so that no
// session changes sides, and a larger share covers all that a smaller one does.
func (s Share) covers(client string) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(client))
	return float64(h.Sum32()) < float64(s)*math.MaxUint32 || s >= 1
}
