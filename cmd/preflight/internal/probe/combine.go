package probe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// This file joins the bodies of several rules into one, so that a server that accepts it has shown
// that it enforces none of them.

// mostJoined is how many bodies are joined: a long history is more likely to break a limit.
const mostJoined = 16

// group is bodies that are sent as one.
type group struct {
	members []*probed
	body    []byte
}

// groups joins what can be joined. Bodies that cannot are groups of their own.
func groups(f *format, of string, all []*probed) []*group {
	var out []*group
next:
	for _, p := range all {
		if p.joins && p.alone {
			for _, g := range out {
				if len(g.members) >= mostJoined || !g.members[0].joins || !g.members[0].alone {
					continue
				}
				members := append(slices.Clone(g.members), p)
				if body := join(f, of, members); body != nil {
					g.members, g.body = members, body
					continue next
				}
			}
		}
		out = append(out, &group{[]*probed{p}, p.body})
	}
	return out
}

// join makes one body of several; nil where they do not go together, or where one of them no longer
// breaks its rule, or breaks another.
func join(f *format, of string, all []*probed) []byte {
	if len(all) == 1 {
		return all[0].body
	}
	var list []json.RawMessage
	var rest members
	for k, p := range all {
		m, err := readMembers(renamed(p.body, k))
		if err != nil {
			return nil
		}
		var messages []json.RawMessage
		if json.Unmarshal(m.get(f.list), &messages) != nil {
			return nil
		}
		list = append(list, f.between(list, messages)...)
		list = append(list, messages...)
		for _, one := range m {
			switch have := rest.get(one.name); {
			case one.name == f.list:
			case have == nil:
				rest.set(one.name, string(one.value))
			case !bytes.Equal(have, one.value):
				return nil
			}
		}
	}
	if len(list) > 0 && roleOf(list[len(list)-1]) != "user" {
		list = append(list, f.between(list, []json.RawMessage{json.RawMessage(f.next)})...)
		list = append(list, json.RawMessage(f.next))
	}
	rest.set(f.list, string(rawList(list)))
	body := rest.bytes()
	if !showsAll(body, of, all) {
		return nil
	}
	return body
}

// rawList returns a list of values as they are spelled.
func rawList(list []json.RawMessage) []byte {
	var b bytes.Buffer
	b.WriteByte('[')
	for k, v := range list {
		if k > 0 {
			b.WriteByte(',')
		}
		b.Write(v)
	}
	b.WriteByte(']')
	return b.Bytes()
}

// between returns the messages by which one history can follow another, with turns that alternate.
func (f *format) between(before, after []json.RawMessage) []json.RawMessage {
	if len(before) == 0 || len(after) == 0 {
		return nil
	}
	var out []json.RawMessage
	last := roleOf(before[len(before)-1])
	if last != "assistant" && last != "model" {
		out = append(out, json.RawMessage(f.answer))
	}
	if first := roleOf(after[0]); first == "assistant" || first == "model" {
		out = append(out, json.RawMessage(f.next))
	}
	return out
}

func roleOf(message json.RawMessage) string {
	var m struct{ Role string }
	_ = json.Unmarshal(message, &m)
	return m.Role
}

// shortID are the ids of calls that may be renamed: what they are about is not the id.
var shortID = regexp.MustCompile(`"(call_1|call_2|call_a|call_b|toolu_1|toolu_2|tooluse_1|fc_1)"`)

// renamed gives the ids of calls another ending, so that they differ from those of other bodies.
func renamed(body []byte, k int) []byte {
	if k == 0 {
		return body
	}
	return shortID.ReplaceAll(body, []byte(fmt.Sprintf(`"${1}x%d"`, k)))
}

// showsAll reports whether a check finds the rules of all bodies broken, and no other.
func showsAll(body []byte, of string, all []*probed) bool {
	o := &wire.Options{Provider: of, Measured: &provider.Measured{
		Version: provider.MeasuredVersion, Provider: of,
	}}
	for _, p := range all {
		if provider.CheckSwitch(p.rule.ID) == nil {
			o.Measured.Enforced = append(o.Measured.Enforced, p.rule.ID)
		}
	}
	found, err := wire.Check(body, o)
	if err != nil {
		return false
	}
	seen := map[string]bool{}
	for _, v := range found.Violations {
		seen[v.Rule] = true
	}
	for _, p := range all {
		if !seen[p.rule.ID] && (p.rule.SeenAs == "" || !seen[p.rule.SeenAs]) {
			return false
		}
		delete(seen, p.rule.SeenAs)
	}
	for _, p := range all {
		delete(seen, p.rule.ID)
	}
	return len(seen) == 0
}
