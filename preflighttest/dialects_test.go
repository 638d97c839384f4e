package preflighttest_test

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// The clients of the other fakes.

// Gemini.

func geminiStart(text string) object {
	tool := func(name string) object {
		return object{"name": name, "parameters": object{"type": "OBJECT"}}
	}
	return object{
		"tools":    array{object{"functionDeclarations": array{tool("f"), tool("g")}}},
		"contents": array{object{"role": "user", "parts": array{object{"text": text}}}},
	}
}

func geminiSay(body object, text string) {
	add(body, "contents", object{"role": "user", "parts": array{object{"text": text}}})
}

func geminiKeep(body, answer object) (s said) {
	content := obj(obj(arr(answer["candidates"])[0])["content"])
	add(body, "contents", content)
	for _, p := range arr(content["parts"]) {
		p := obj(p)
		switch call := obj(p["functionCall"]); {
		case call != nil:
			s.Calls = append(s.Calls, str(call["name"])+compact(call["args"]))
			s.ids = append(s.ids, str(call["name"]))
		case p["thought"] == true:
			s.Reasoning += str(p["text"])
		default:
			s.Text += str(p["text"])
		}
	}
	return s
}

// geminiResult takes the name of the function for the id.
func geminiResult(body object, id, text string) {
	part := object{"functionResponse": object{"name": id, "response": object{"output": text}}}
	contents := arr(body["contents"])
	if last := obj(contents[len(contents)-1]); last["role"] == "user" {
		add(last, "parts", part)
		return
	}
	add(body, "contents", object{"role": "user", "parts": array{part}})
}

func geminiGather(t *testing.T, events []sent) object {
	var parts array
	var stop any
	for _, e := range events {
		require.Empty(t, e.name)
		require.Nil(t, stop, "a chunk follows the last")
		candidate := obj(arr(e.json["candidates"])[0])
		parts = append(parts, arr(obj(candidate["content"])["parts"])...)
		stop = candidate["finishReason"]
	}
	require.NotNil(t, stop)
	return object{
		"candidates": array{
			object{"content": object{"role": "model", "parts": parts}, "finishReason": stop},
		},
	}
}

// Bedrock Converse.

func bedrockStart(text string) object {
	tool := func(name string) object {
		return object{
			"toolSpec": object{
				"name":        name,
				"inputSchema": object{"json": object{"type": "object"}},
			},
		}
	}
	return object{
		"additionalModelRequestFields": object{
			"thinking": object{"type": "enabled", "budget_tokens": 1024},
		},
		"toolConfig": object{"tools": array{tool("f"), tool("g")}},
		"messages":   array{object{"role": "user", "content": array{object{"text": text}}}},
	}
}

func bedrockSay(body object, text string) {
	add(body, "messages", object{"role": "user", "content": array{object{"text": text}}})
}

func bedrockKeep(body, answer object) (s said) {
	message := obj(obj(answer["output"])["message"])
	add(body, "messages", message)
	for _, b := range arr(message["content"]) {
		b := obj(b)
		if use := obj(b["toolUse"]); use != nil {
			s.Calls = append(s.Calls, str(use["name"])+compact(use["input"]))
			s.ids = append(s.ids, str(use["toolUseId"]))
		}
		s.Text += str(b["text"])
		s.Reasoning += str(obj(obj(b["reasoningContent"])["reasoningText"])["text"])
	}
	return s
}

func bedrockResult(body object, id, text string) {
	block := object{"toolResult": object{"toolUseId": id, "content": array{object{"text": text}}}}
	messages := arr(body["messages"])
	if last := obj(messages[len(messages)-1]); last["role"] == "user" {
		add(last, "content", block)
		return
	}
	add(body, "messages", object{"role": "user", "content": array{block}})
}

func bedrockGather(t *testing.T, events []sent) object {
	var content array
	var input string
	var stop any
	for _, e := range events {
		switch delta := obj(e.json["delta"]); e.name {
		case "messageStart":
			require.Equal(t, "assistant", e.json["role"])
		case "contentBlockStart":
			require.EqualValues(t, len(content), e.json["contentBlockIndex"])
			content = append(content, object{"toolUse": obj(obj(e.json["start"])["toolUse"])})
		case "contentBlockDelta":
			if index := int(e.json["contentBlockIndex"].(float64)); index == len(content) {
				content = append(content, object{})
			}
			block := obj(content[len(content)-1])
			if use := obj(delta["toolUse"]); use != nil {
				input += str(use["input"])
			}
			if s, ok := delta["text"].(string); ok {
				block["text"] = str(block["text"]) + s
			}
			if reasoning := obj(delta["reasoningContent"]); reasoning != nil {
				if block["reasoningContent"] == nil {
					block["reasoningContent"] = object{"reasoningText": object{"text": ""}}
				}
				to := obj(obj(block["reasoningContent"])["reasoningText"])
				to["text"] = str(to["text"]) + str(reasoning["text"])
				if reasoning["signature"] != nil {
					to["signature"] = reasoning["signature"]
				}
			}
		case "contentBlockStop":
			if input != "" {
				obj(obj(content[len(content)-1])["toolUse"])["input"] = json.RawMessage(input)
			}
			input = ""
		case "messageStop":
			stop = e.json["stopReason"]
		}
	}
	require.NotEmpty(t, events)
	require.Equal(t, "metadata", events[len(events)-1].name)
	return decoded(object{
		"output":     object{"message": object{"role": "assistant", "content": content}},
		"stopReason": stop,
	})
}

// readMessages reads an AWS event stream, from the description of its format
// in the documentation of Amazon Transcribe.
func readMessages(r io.Reader) (events []sent, err error) {
	for {
		prelude := make([]byte, 12)
		if _, err := io.ReadFull(r, prelude); err == io.EOF {
			return events, nil
		} else if err != nil {
			return events, err
		}
		total, headers := binary.BigEndian.Uint32(prelude), binary.BigEndian.Uint32(prelude[4:])
		rest := make([]byte, total-12)
		if _, err := io.ReadFull(r, rest); err != nil {
			return events, err
		}
		body, sum := rest[:len(rest)-4], binary.BigEndian.Uint32(rest[len(rest)-4:])
		if crc32.ChecksumIEEE(prelude[:8]) != binary.BigEndian.Uint32(prelude[8:]) ||
			crc32.ChecksumIEEE(append(prelude, body...)) != sum {
			return events, fmt.Errorf("a checksum is wrong")
		}
		values := map[string]string{}
		for h := body[:headers]; len(h) > 0; {
			name := string(h[1 : 1+h[0]])
			h = h[1+len(name):]
			if h[0] != 7 {
				return events, fmt.Errorf("header %q is not a string", name)
			}
			n := binary.BigEndian.Uint16(h[1:])
			values[name], h = string(h[3:3+n]), h[3+n:]
		}
		e := sent{
			name: values[":event-type"] + values[":exception-type"],
			data: string(body[headers:]),
		}
		if err := json.Unmarshal(body[headers:], &e.json); err != nil {
			return events, err
		}
		events = append(events, e)
	}
}

// Mistral.

func mistralStart(text string) object {
	body := chatStart(text)
	body["model"] = "magistral-medium-latest"
	return body
}

func mistralKeep(body, answer object) (s said) {
	s = chatKeep(body, answer)
	message := obj(arr(body["messages"])[len(arr(body["messages"]))-1])
	if message["tool_calls"] == nil {
		delete(message, "tool_calls")
	}
	for _, c := range arr(message["content"]) {
		s.Text += str(obj(c)["text"])
		for _, p := range arr(obj(c)["thinking"]) {
			s.Reasoning += str(obj(p)["text"])
		}
	}
	return s
}

func mistralGather(t *testing.T, events []sent) object {
	var thinking array
	for _, e := range events {
		if e.json != nil {
			thinking = append(thinking,
				arr(obj(obj(arr(e.json["choices"])[0])["delta"])["content"])...)
		}
	}
	answer := chatGather(t, events)
	message := obj(obj(arr(answer["choices"])[0])["message"])
	if thinking != nil {
		message["content"] = append(thinking, object{"type": "text", "text": message["content"]})
	}
	return answer
}

// Cohere.

func cohereStart(text string) object {
	body := chatStart(text)
	body["model"] = "command-a-03-2025"
	return body
}

func cohereKeep(body, answer object) (s said) {
	message := obj(answer["message"])
	for _, c := range arr(message["content"]) {
		s.Text += str(obj(c)["text"])
		s.Reasoning += str(obj(c)["thinking"])
	}
	calls := chatKeep(body, object{"choices": array{object{"message": message}}})
	s.Calls, s.ids = calls.Calls, calls.ids
	return s
}

func cohereGather(t *testing.T, events []sent) object {
	var content, calls array
	var stop any
	for _, e := range events {
		if e.json == nil {
			require.Equal(t, "[DONE]", e.data)
			continue
		}
		require.Equal(t, e.name, e.json["type"])
		delta := obj(e.json["delta"])
		message := obj(delta["message"])
		switch e.name {
		case "content-start":
			require.EqualValues(t, len(content), e.json["index"])
			content = append(content, message["content"])
		case "content-delta":
			block := obj(content[len(content)-1])
			for name, value := range obj(message["content"]) {
				block[name] = str(block[name]) + str(value)
			}
		case "tool-call-start":
			require.EqualValues(t, len(calls), e.json["index"])
			calls = append(calls, message["tool_calls"])
		case "tool-call-delta":
			f := obj(obj(calls[len(calls)-1])["function"])
			f["arguments"] = str(f["arguments"]) +
				str(obj(obj(message["tool_calls"])["function"])["arguments"])
		case "message-end":
			stop = delta["finish_reason"]
		}
	}
	require.NotNil(t, stop)
	message := object{"role": "assistant", "content": content}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return object{"message": message, "finish_reason": stop}
}

// Ollama.

func ollamaStart(text string) object {
	body := chatStart(text)
	body["model"] = "qwen3"
	return body
}

func ollamaKeep(body, answer object) (s said) {
	message := obj(answer["message"])
	add(body, "messages", message)
	s.Text, s.Reasoning = str(message["content"]), str(message["thinking"])
	for _, c := range arr(message["tool_calls"]) {
		f := obj(obj(c)["function"])
		s.Calls = append(s.Calls, str(f["name"])+compact(f["arguments"]))
		s.ids = append(s.ids, str(obj(c)["id"]))
	}
	return s
}

func ollamaResult(body object, id, text string) {
	add(body, "messages", object{"role": "tool", "tool_call_id": id, "content": text})
}

// readLines reads newline-delimited JSON.
func readLines(r io.Reader) (events []sent, err error) {
	scanner := bufio.NewScanner(r)
	for scanner.Scan() {
		e := sent{data: scanner.Text()}
		if err := json.Unmarshal(scanner.Bytes(), &e.json); err != nil {
			return events, io.ErrUnexpectedEOF
		}
		events = append(events, e)
	}
	return events, scanner.Err()
}

func ollamaGather(t *testing.T, events []sent) object {
	message := object{"role": "assistant"}
	for i, e := range events {
		m := obj(e.json["message"])
		for _, name := range []string{"content", "thinking"} {
			if s := str(message[name]) + str(m[name]); s != "" || name == "content" {
				message[name] = s
			}
		}
		if m["tool_calls"] != nil {
			message["tool_calls"] = append(arr(message["tool_calls"]), arr(m["tool_calls"])...)
		}
		require.Equal(t, i == len(events)-1, e.json["done"])
	}
	require.NotEmpty(t, events)
	return object{"message": message}
}
