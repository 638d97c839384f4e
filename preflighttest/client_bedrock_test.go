package preflighttest_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

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
