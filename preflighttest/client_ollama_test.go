package preflighttest_test

import (
	"bufio"
	"encoding/json"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

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
