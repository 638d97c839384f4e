package remedy

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

// This file is the remedies for single members of items and messages: null members, content that is
// null, texts that have to be one, and what the Responses API compacted.

// itemsFormat is the format whose messages are items.
const itemsFormat = "openai-responses"

// dropNulls takes the members that are null off an item.
func dropNulls(m preflight.Message) preflight.Message {
	item, ok := withoutNulls(m.Native)
	if !ok {
		return m
	}
	for _, p := range m.Parts {
		if native := nativeOf(p); native != nil && bytes.Equal(native.JSON, m.Native.JSON) {
			*native = item
		}
	}
	m.Native = item
	return m
}

// withoutNulls returns the JSON of an object without the members that are null; ok is false where
// it has none.
func withoutNulls(native preflight.Native) (without preflight.Native, ok bool) {
	doc, err := jsonscan.Parse(native.JSON)
	if err != nil || doc.Root().Kind() != jsonscan.Object {
		return native, false
	}
	object := jsonscan.EditObject(doc.Root())
	for v := doc.Root().First(); v.Exists(); v = v.Next() {
		if v.Kind() == jsonscan.Null {
			object.DeleteMember(v.Key().Str())
		}
	}
	native.JSON = object.Bytes()
	return native, object.Changed()
}

// withoutSignatures returns the JSON of a part without the signatures in it, and without the
// members whose objects hold nothing else: Gemini hangs signatures on texts as well.
func withoutSignatures(native preflight.Native) preflight.Native {
	doc, err := jsonscan.Parse(native.JSON)
	if err != nil {
		return native
	}
	var edits jsonscan.Edits
	dropSignatures(&edits, doc.Root(), false)
	if edited, err := edits.Apply(native.JSON); err == nil {
		native.JSON = edited
	}
	return native
}

// withoutExtraSignatures returns the JSON of a call without the signatures that Gemini hangs beside
// its function in OpenAI's Chat format.
func withoutExtraSignatures(native preflight.Native) preflight.Native {
	const extra = "extra_content"
	doc, err := jsonscan.Parse(native.JSON)
	if err != nil || !doc.Root().Get(extra).Exists() {
		return native
	}
	var edits jsonscan.Edits
	if dropSignatures(&edits, doc.Root().Get(extra), true) {
		object := jsonscan.EditObject(doc.Root())
		object.DeleteMember(extra)
		object.AppendTo(&edits)
	}
	if edited, err := edits.Apply(native.JSON); err == nil {
		native.JSON = edited
	}
	return native
}

// dropSignatures adds to edits what takes the signatures out of v. For the value of a member, it
// adds nothing and returns true if nothing else would be left.
func dropSignatures(edits *jsonscan.Edits, v jsonscan.Value, member bool) (alone bool) {
	switch v.Kind() {
	case jsonscan.Array:
		for one := v.First(); one.Exists(); one = one.Next() {
			dropSignatures(edits, one, false)
		}
	case jsonscan.Object:
		object, dropped := jsonscan.EditObject(v), 0
		for one := v.First(); one.Exists(); one = one.Next() {
			name := one.Key().Str()
			if strings.HasSuffix(plain(name), "signature") || dropSignatures(edits, one, true) {
				object.DeleteMember(name)
				dropped++
			}
		}
		if member && dropped > 0 && dropped == v.Len() {
			return true
		}
		object.AppendTo(edits)
	}
	return false
}

// nativeOf returns where a part has its JSON, nil where it has none.
func nativeOf(p preflight.Part) *preflight.Native {
	switch p := p.(type) {
	case *preflight.ToolCall:
		return &p.Native
	case *preflight.ToolResult:
		return &p.Native
	case *preflight.Reasoning:
		return &p.Native
	case *preflight.Other:
		return &p.Native
	}
	return nil
}

// typeItem gives an item without a type that of messages.
func typeItem(m preflight.Message) preflight.Message {
	doc, err := jsonscan.Parse(m.Native.JSON)
	if err == nil && m.Native.Format == itemsFormat && doc.Root().Kind() == jsonscan.Object &&
		!doc.Root().Has("type") {
		object := jsonscan.EditObject(doc.Root())
		object.SetMember("type", []byte(`"message"`))
		m.Native.JSON = object.Bytes()
	}
	return m
}

// itemPrefixes are the beginnings of ids by the kinds of items.
var itemPrefixes = map[string]string{
	"code_interpreter_call": "ci", "computer_call": "cu", "file_search_call": "fs",
	"image_generation_call": "ig", "local_shell_call": "lsh", "mcp_call": "mcp",
	"mcp_list_tools": "mcpl", "mcp_approval_request": "mcpr", "web_search_call": "ws",
}

// nameItems gives ids to items that have none, of the kinds that have to have one:
// openai/codex#6934.
func nameItems(options *wire.Options, _ []byte, _ rule.Rule) bool {
	options.Options.Hooks = append(options.Options.Hooks, preflight.Hook{
		Name: "name-items",
		History: func(ctx context.Context, all []preflight.Message) ([]preflight.Message, error) {
			profile, _ := preflight.Target(ctx)
			taken := map[string]bool{}
			for k := range all {
				taken[all[k].ID] = true
			}
			for k := range all {
				kind := itemKind(all[k])
				prefix := itemPrefixes[kind]
				if all[k].ID != "" || prefix == "" || !slices.Contains(profile.Items.RequireID, kind) {
					continue
				}
				id := prefix + "_" + strconv.Itoa(k+1)
				for taken[id] {
					id += "0"
				}
				all[k].ID, taken[id] = id, true
			}
			return all, nil
		},
	})
	return true
}

// fillContent gives an assistant message that holds nothing but tool calls empty text. Where calls
// are items of their own, it removes a message without text.
func fillContent(m preflight.Message, profile *preflight.Profile) preflight.Message {
	if profile.Items.OnePartPerMessage {
		says := func(p preflight.Part) bool {
			t, ok := p.(*preflight.Text)
			return !ok || t.Text != ""
		}
		if m.Role == preflight.RoleAssistant && !slices.ContainsFunc(m.Parts, says) {
			return preflight.Message{}
		}
		return m
	}
	calls := false
	for _, p := range m.Parts {
		switch p.(type) {
		case *preflight.Text, *preflight.Media:
			return m
		case *preflight.ToolCall:
			calls = true
		}
	}
	if calls {
		m.Parts = append([]preflight.Part{&preflight.Text{}}, m.Parts...)
	}
	return m
}

// summaryOf returns what the user can read of a compaction item of the Responses API; ok is false
// for any other part.
func summaryOf(p preflight.Part) (text string, ok bool) {
	o, ok := p.(*preflight.Other)
	if !ok || o.Native.Format != itemsFormat ||
		o.Kind != "compaction" && o.Kind != "compaction_summary" {
		return "", false
	}
	var item struct {
		Summary json.RawMessage
	}
	if json.Unmarshal(o.Native.JSON, &item) != nil {
		return "", true
	}
	if json.Unmarshal(item.Summary, &text) == nil {
		return text, true
	}
	var parts []struct{ Text string }
	_ = json.Unmarshal(item.Summary, &parts) // what is neither has no text
	for _, p := range parts {
		text = strings.TrimSpace(text + "\n" + p.Text)
	}
	return text, true
}

// dropCompaction takes what the server compacted out of a message, but for a summary that can be
// read.
func dropCompaction(m preflight.Message) preflight.Message {
	for j, p := range m.Parts {
		text, ok := summaryOf(p)
		switch {
		case ok && text != "":
			return preflight.Message{
				Role:  preflight.RoleUser,
				Parts: []preflight.Part{&preflight.Text{Text: text}},
			}
		case ok:
			m.Parts = slices.Delete(m.Parts, j, j+1)
			return m
		}
	}
	return m
}

// joinTexts makes one text of those of a message that follow each other.
func joinTexts(m preflight.Message) preflight.Message {
	var parts []preflight.Part
	for _, p := range m.Parts {
		text, ok := p.(*preflight.Text)
		if ok && len(parts) > 0 {
			if last, ok := parts[len(parts)-1].(*preflight.Text); ok {
				parts[len(parts)-1] = &preflight.Text{Text: last.Text + "\n" + text.Text}
				continue
			}
		}
		parts = append(parts, p)
	}
	m.Parts = parts
	return m
}
