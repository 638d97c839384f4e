package histgen

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight"
)

// Shape is a history of about n parts that makes careless code slow.
type Shape struct {
	Name string
	Make func(n int) []preflight.Message
}

// Shapes returns the hostile sizes, for messages whose results have a role of their own or not.
func Shapes(results preflight.Role) []Shape {
	user := func(parts ...preflight.Part) preflight.Message {
		return preflight.Message{Role: preflight.RoleUser, Parts: parts}
	}
	assistant := func(parts ...preflight.Part) preflight.Message {
		return preflight.Message{Role: preflight.RoleAssistant, Parts: parts}
	}
	tool := func(parts ...preflight.Part) preflight.Message {
		return preflight.Message{Role: results, Parts: parts}
	}
	text := func(s string) preflight.Part { return &preflight.Text{Text: s} }
	call := func(id string) preflight.Part {
		return &preflight.ToolCall{ID: id, Name: "f", Input: json.RawMessage("{}")}
	}
	result := func(id string) preflight.Part {
		return &preflight.ToolResult{CallID: id, Content: []preflight.Part{text("r" + id)}}
	}
	serverCall := func(id string) preflight.Part {
		return &preflight.ToolCall{
			ID:               id,
			Name:             "bash",
			Input:            json.RawMessage("{}"),
			ProviderExecuted: true,
		}
	}
	serverResult := func(id string) preflight.Part {
		return &preflight.ToolResult{
			CallID:           id,
			Output:           json.RawMessage("{}"),
			ProviderExecuted: true,
		}
	}
	number := func(k int) string { return "call_" + strconv.Itoa(k) }
	build := func(name string, make func(n int, add func(...preflight.Message))) Shape {
		return Shape{
			name,
			func(n int) []preflight.Message {
				var h []preflight.Message
				make(n, func(m ...preflight.Message) { h = append(h, m...) })
				return h
			},
		}
	}
	parallel := func(n int, part func(string) preflight.Part) []preflight.Part {
		parts := make([]preflight.Part, n)
		for k := range parts {
			parts[k] = part(number(k))
		}
		return parts
	}
	reversed := func(parts []preflight.Part) []preflight.Part {
		out := make([]preflight.Part, len(parts))
		for k := range parts {
			out[len(parts)-1-k] = parts[k]
		}
		return out
	}
	return []Shape{
		build("one run of equal roles", func(n int, add func(...preflight.Message)) {
			for range n {
				add(user(text("hello")))
			}
		}),
		build("one run of the assistant's", func(n int, add func(...preflight.Message)) {
			for range n {
				add(assistant(text("hello")))
			}
		}),
		build("parallel calls", func(n int, add func(...preflight.Message)) {
			add(user(text("q")), assistant(parallel(n/2, call)...), tool(parallel(n/2, result)...))
		}),
		build("parallel calls, results in reverse", func(n int, add func(...preflight.Message)) {
			add(user(text("q")), assistant(parallel(n/2, call)...),
				tool(reversed(parallel(n/2, result))...))
		}),
		build("parallel calls, results much later in reverse",
			func(n int, add func(...preflight.Message)) {
				add(user(text("q")), assistant(parallel(n/2, call)...), user(text("wait")),
					assistant(text("waiting")), tool(reversed(parallel(n/2, result))...))
			}),
		build("parallel dangling calls", func(n int, add func(...preflight.Message)) {
			add(user(text("q")), assistant(parallel(n, call)...), user(text("next")))
		}),
		build("parallel calls of one id", func(n int, add func(...preflight.Message)) {
			one := func(string) preflight.Part { return call("x") }
			answer := func(string) preflight.Part { return result("x") }
			add(user(text("q")), assistant(parallel(n/2, one)...), tool(parallel(n/2, answer)...))
		}),
		build("parallel calls of one refused id", func(n int, add func(...preflight.Message)) {
			one := func(string) preflight.Part { return call("x.y") }
			answer := func(string) preflight.Part { return result("x.y") }
			add(user(text("q")), assistant(parallel(n/2, one)...), tool(parallel(n/2, answer)...))
		}),
		build("results with other ids", func(n int, add func(...preflight.Message)) {
			add(user(text("q")), assistant(parallel(n/2, call)...),
				tool(parallel(n/2,
					func(id string) preflight.Part { return result("wrong_" + id) })...))
		}),
		build("results with blank ids", func(n int, add func(...preflight.Message)) {
			add(user(text("q")), assistant(parallel(n/2, call)...),
				tool(parallel(n/2, func(string) preflight.Part { return result(" ") })...))
		}),
		build("duplicates of one result", func(n int, add func(...preflight.Message)) {
			add(user(text("q")), assistant(call("x")))
			for range n {
				add(tool(result("x")))
			}
		}),
		build("different results of one call", func(n int, add func(...preflight.Message)) {
			add(user(text("q")), assistant(call("x")))
			for k := range n {
				add(tool(&preflight.ToolResult{
					CallID:  "x",
					Content: []preflight.Part{text(number(k))},
				}))
			}
		}),
		build("one id in every turn", func(n int, add func(...preflight.Message)) {
			for range n / 3 {
				add(user(text("q")), assistant(call("x")), tool(result("x")))
			}
		}),
		build("one server id in every turn", func(n int, add func(...preflight.Message)) {
			for range n / 3 {
				add(user(text("q")),
					assistant(serverCall("srvtoolu_x"), serverResult("srvtoolu_x"), text("a")))
			}
			add(user(text("q")))
		}),
		build("server results in reverse at the end", func(n int, add func(...preflight.Message)) {
			pairs := append(parallel(n/2, serverCall), reversed(parallel(n/2, serverResult))...)
			add(user(text("q")), assistant(pairs...))
		}),
		build("open server calls in every turn", func(n int, add func(...preflight.Message)) {
			for k := range n / 2 {
				add(user(text("q")), assistant(serverCall(number(k))))
			}
		}),
		build("server results a turn late", func(n int, add func(...preflight.Message)) {
			for k := range n / 2 {
				add(user(text("q")), assistant(serverResult(number(k)), serverCall(number(k+1))))
			}
		}),
		build("late results", func(n int, add func(...preflight.Message)) {
			for k := range n / 3 {
				add(user(text("q")), assistant(call(number(k))))
			}
			for k := range n / 3 {
				add(tool(result(number(k))))
			}
		}),
		build("late results in reverse", func(n int, add func(...preflight.Message)) {
			for k := range n / 3 {
				add(user(text("q")), assistant(call(number(k))))
			}
			for k := range n / 3 {
				add(tool(result(number(n/3 - 1 - k))))
			}
		}),
		build("placeholders, then late results of one id",
			func(n int, add func(...preflight.Message)) {
				for range n / 3 {
					add(assistant(call("x")),
						tool(&preflight.ToolResult{
							CallID:  "x",
							Content: []preflight.Part{text("aborted")},
						}))
				}
				for k := range n / 3 {
					add(tool(&preflight.ToolResult{
						CallID:  "x",
						Content: []preflight.Part{text(number(k))},
					}))
				}
			}),
		build("orphans between text", func(n int, add func(...preflight.Message)) {
			for k := range n / 2 {
				add(user(text("q"), result(number(k))))
			}
		}),
		build("parts in wrong roles", func(n int, add func(...preflight.Message)) {
			parts := make([]preflight.Part, 0, n)
			for k := range n / 4 {
				parts = append(parts, call(number(k)), result(number(k)), text("x"),
					&preflight.Reasoning{Text: "r"})
			}
			add(user(parts...))
		}),
		build("system messages midway", func(n int, add func(...preflight.Message)) {
			for range n / 2 {
				add(preflight.Message{
					Role:  preflight.RoleSystem,
					Parts: []preflight.Part{text("s")},
				}, assistant(text("a")))
			}
		}),
		build("empty messages and nil parts", func(n int, add func(...preflight.Message)) {
			for range n {
				add(user(nil, (*preflight.Text)(nil), text(" ")))
			}
			add(user(text("q")))
		}),
		build("cache breakpoints on reasoning", func(n int, add func(...preflight.Message)) {
			parts := make([]preflight.Part, n)
			for k := range parts {
				parts[k] = &preflight.Reasoning{
					Text:      "r",
					Signature: "c2ln",
					Carried:   preflight.Carried{Cache: json.RawMessage(`{"type":"ephemeral"}`)},
				}
			}
			add(user(text("q")), assistant(parts...), user(text("q")))
		}),
		build("cache breakpoints on empty text", func(n int, add func(...preflight.Message)) {
			parts := make([]preflight.Part, n)
			for k := range parts {
				parts[k] = &preflight.Text{
					Carried: preflight.Carried{Cache: json.RawMessage(`{"type":"ephemeral"}`)},
				}
			}
			add(user(parts...), assistant(text("a")), user(text("q")))
		}),
		build("cache breakpoints inside one result", func(n int, add func(...preflight.Message)) {
			content := make([]preflight.Part, n)
			for k := range content {
				content[k] = &preflight.Text{
					Text:    "x",
					Carried: preflight.Carried{Cache: json.RawMessage(`{"type":"ephemeral"}`)},
				}
			}
			add(user(text("q")), assistant(call("x")),
				tool(&preflight.ToolResult{CallID: "x", Content: content}))
		}),
		build("emptied payloads", func(n int, add func(...preflight.Message)) {
			parts := make([]preflight.Part, 0, n)
			for k := range n / 2 {
				parts = append(parts, serverCall(number(k)), &preflight.ToolResult{
					CallID:           number(k),
					ProviderExecuted: true,
					Output:           json.RawMessage(`[{"encrypted_content":""}]`),
				})
			}
			add(user(text("q")), assistant(parts...), user(text("q")))
		}),
		build("one search result of many", func(n int, add func(...preflight.Message)) {
			output := "[" + strings.Repeat(`{"title":"T","url":"u","encrypted_content":""},`, n) +
				`1]`
			add(user(text("q")),
				assistant(serverCall("srvtoolu_x"), &preflight.ToolResult{
					CallID:           "srvtoolu_x",
					ProviderExecuted: true,
					Output:           json.RawMessage(output),
				}), user(text("q")))
		}),
		build("deep arguments", func(n int, add func(...preflight.Message)) {
			deep := &preflight.ToolCall{
				ID:    "x",
				Name:  "f",
				Input: json.RawMessage(strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)),
			}
			add(user(text("q")), assistant(deep), tool(result("x")))
		}),
		build("nested results", func(n int, add func(...preflight.Message)) {
			var inner preflight.Part = text("bottom")
			for range n {
				inner = &preflight.ToolResult{CallID: "x", Content: []preflight.Part{inner}}
			}
			add(user(text("q")), assistant(call("x")), tool(inner))
		}),
		build("long broken text", func(n int, add func(...preflight.Message)) {
			add(user(text(strings.Repeat("\xed\xa0\x80\x00", n))))
		}),
		build("media in results", func(n int, add func(...preflight.Message)) {
			for k := range n / 3 {
				add(user(text("q")), assistant(call(number(k))),
					tool(&preflight.ToolResult{
						CallID:  number(k),
						Content: []preflight.Part{&preflight.Media{Kind: "image", URL: "u"}},
					}))
			}
		}),
	}
}
