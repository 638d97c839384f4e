package msgtest

import (
	"encoding/json"
	"strings"

	"github.com/go-preflight/preflight"
)

// Planted are histories with faults that package histgen does not draw, each new in every call.
var Planted = []func() []preflight.Message{
	func() []preflight.Message {
		return []preflight.Message{
			{Role: "user", Parts: []preflight.Part{&preflight.Text{Text: "a\x01b"}}},
			{Role: "assistant", Parts: []preflight.Part{&preflight.Text{
				Text: "<|channel|>analysis<|message|>hm<|end|><|channel|>final<|message|>so",
			}}},
			{Role: "user", Parts: []preflight.Part{&preflight.Text{Text: "n"}}},
		}
	},
	func() []preflight.Message { // a foreign signature, a name that is kept, a result without one
		return []preflight.Message{
			{Role: "user", Parts: []preflight.Part{&preflight.Text{Text: "q"}}},
			{Role: "assistant", Parts: []preflight.Part{
				&preflight.Reasoning{Text: "hm", Signature: "ü!"},
				&preflight.ToolCall{ID: "call_9", Name: "search", Input: json.RawMessage(`{}`)},
			}},
			{Role: "tool", Parts: []preflight.Part{&preflight.ToolResult{
				CallID: "call_9", Content: []preflight.Part{&preflight.Text{Text: "r"}},
			}}},
			{Role: "user", Parts: []preflight.Part{&preflight.Text{Text: "q"}}},
			{Role: "assistant", Parts: []preflight.Part{
				&preflight.ToolCall{Name: "f", Input: json.RawMessage(`{}`)},
			}},
			{Role: "tool", Parts: []preflight.Part{&preflight.ToolResult{
				Content: []preflight.Part{&preflight.Text{Text: "r"}},
			}}},
		}
	},
	func() []preflight.Message { // media: too many, of one name, without one, nothing to decode
		m := preflight.Message{Role: "user", Parts: []preflight.Part{&preflight.Text{Text: "see"}}}
		for range 25 {
			m.Parts = append(m.Parts, &preflight.Media{Kind: "image", MediaType: "image/png",
				Data: "iVBORw0KGgo="})
		}
		for _, name := range []string{"a", "a", ""} {
			m.Parts = append(m.Parts, &preflight.Media{Kind: "document",
				MediaType: "application/pdf", Data: "JVBERi0xLjQKJSVFT0YK", Name: name})
		}
		return []preflight.Message{m}
	},
	func() []preflight.Message { // a search whose result was emptied
		return []preflight.Message{
			{Role: "user", Parts: []preflight.Part{&preflight.Text{Text: "q"}}},
			{Role: "assistant", Parts: []preflight.Part{
				Searches("srvtoolu_1"),
				Finds("srvtoolu_1", `[{"type":"web_search_result","encrypted_content":""}]`),
				&preflight.Text{Text: "so"},
			}},
			{Role: "user", Parts: []preflight.Part{&preflight.Text{Text: "n"}}},
		}
	},
	func() []preflight.Message { // items
		item := func(id string, part preflight.Part) preflight.Message {
			return preflight.Message{Role: "assistant", ID: id, Parts: []preflight.Part{part}}
		}
		long := "rs_" + strings.Repeat("a", 70)
		return []preflight.Message{
			{Role: "user", Parts: []preflight.Part{&preflight.Text{Text: "q"}}},
			item("rs_1", &preflight.Reasoning{Text: "hm"}),
			item("rs_1", &preflight.Reasoning{Text: "hm"}),
			item(long, &preflight.Reasoning{Text: "hm", Opaque: "QUJD"}),
			item("item 2", &preflight.Reasoning{Text: "hm", Opaque: "QUJD"}),
			item("", &preflight.Text{Text: "so"}),
			item("", &preflight.Reasoning{Text: "hm"}),
			item("call_7", &preflight.ToolCall{ID: "c", Name: "f", Input: json.RawMessage(`{}`)}),
			{Role: "tool", Parts: []preflight.Part{&preflight.ToolResult{
				CallID: "c", Content: []preflight.Part{&preflight.Text{Text: "r"}},
			}}},
			item("rs_4", &preflight.Reasoning{Text: "hm", Opaque: "QUJD"}),
			{Role: "user", Parts: []preflight.Part{&preflight.Text{Text: "n"}}},
		}
	},
}
