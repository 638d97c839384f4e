package preflighttest_test

import "testing"

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
