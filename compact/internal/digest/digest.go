// Package digest tells the messages of one session from those of another.
package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash"
	"unicode/utf8"

	"github.com/go-preflight/preflight"
)

// Digest stands for messages in their order: what a provider is sent of them, not the bytes they
// were read from, so that a store may write them as it likes.
type Digest [sha256.Size]byte

// Add adds a message.
func (d *Digest) Add(m preflight.Message) {
	h := digester{sha256.New()}
	h.Write(d[:])
	h.strings(string(m.Role), m.ID, m.Name)
	h.parts(m.Parts)
	h.Sum(d[:0])
}

// String returns the digest in hexadecimal digits.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// digester writes what a Digest is of.
type digester struct{ hash.Hash }

func (h digester) strings(list ...string) {
	for _, s := range list {
		if !utf8.ValidString(s) {
			s = string([]rune(s)) // what JSON makes of it
		}
		h.Write(binary.AppendUvarint(nil, uint64(len(s))))
		h.Write([]byte(s))
	}
}

func (h digester) parts(list []preflight.Part) {
	for _, p := range list {
		switch p := p.(type) {
		case *preflight.Text:
			if p != nil {
				h.strings("text", p.Text)
			}
		case *preflight.Reasoning:
			if p != nil {
				h.strings("reasoning", p.Text, p.Signature, p.Opaque)
			}
		case *preflight.ToolCall:
			if p != nil {
				h.strings("call", p.ID, p.Name, canonical(p.Input))
			}
		case *preflight.ToolResult:
			if p != nil {
				h.strings("result", p.CallID, p.Name, canonical(p.Output))
				h.parts(p.Content)
				h.strings("end")
			}
		case *preflight.Media:
			if p != nil {
				h.strings("media", p.Kind, p.MediaType, p.Data, p.URL, p.FileID, p.Name)
			}
		case *preflight.Other:
			if p != nil {
				h.strings("other", p.Kind, canonical(p.Native.JSON))
			}
		}
	}
}

// canonical returns JSON with its keys in order and without white space; what is not JSON stays.
func canonical(raw []byte) string {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return string(raw)
	}
	out, err := json.Marshal(value)
	if err != nil {
		return string(raw)
	}
	return string(out)
}

// Sum returns a hash of a snapshot: of its JSON without the hash, whatever its spelling.
func Sum(snapshot []byte) (string, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(snapshot, &fields); err != nil {
		return "", err
	}
	delete(fields, "sum")
	rest, err := json.Marshal(fields)
	if err != nil {
		return "", err
	}
	of := sha256.Sum256([]byte(canonical(rest)))
	return hex.EncodeToString(of[:]), nil
}
