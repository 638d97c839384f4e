package preflighttest

import (
	"fmt"
	"slices"
	"strings"
)

// This file checks calls, results and reasoning in Bedrock's requests.

// ids returns the ids of the calls of the caller's tools, and of the results
// for them. Tools that the provider executes are called and answered within
// one message.
func (m bedrockMessage) ids() (uses, results []string) {
	served := map[string]bool{}
	for _, b := range m.blocks {
		if use := b.use(); use["type"] == "server_tool_use" && m.role == "assistant" {
			served[text(use["toolUseId"])] = true
		} else if use != nil {
			uses = append(uses, text(use["toolUseId"]))
		}
		if result := b.result(); result != nil && !served[text(result["toolUseId"])] {
			results = append(results, text(result["toolUseId"]))
		}
	}
	return uses, results
}

// head returns the message without the results that come after other blocks.
func (m bedrockMessage) head() bedrockMessage {
	other := func(b bedrockBlock) bool {
		return b.result() == nil && !has(b.object, "cachePoint")
	}
	if n := slices.IndexFunc(m.blocks, other); n >= 0 {
		m.blocks = m.blocks[:n]
	}
	return m
}

// bedrockResultAlone checks the families that take results in a turn of their own
// (https://github.com/pydantic/pydantic-ai/pull/6098). The service joins user
// messages that follow each other.
func bedrockResultAlone(r *request, found found) {
	family := bedrockFamily(r.model)
	if !strings.Contains(r.model, "mistral.") && family != "llama" && family != "palmyra" {
		return
	}
	answers, role := false, ""
	for _, m := range bedrockOf(r).messages {
		if m.role != "user" || role != m.role {
			answers = false
		}
		role = m.role
		talks := false
		for _, b := range m.blocks {
			answers = answers || b.answer() != nil
			talks = talks || b.answer() == nil && !has(b.object, "cachePoint")
		}
		if m.role == "user" && talks && answers {
			found(bedrockMessagePath(m.index), "messages.4.content",
				fmt.Sprintf("messages.%d.content", m.index))
		}
	}
}

// bedrockRepeated returns the ids that occur more than once.
func bedrockRepeated(ids []string) (repeated []string) {
	count := map[string]int{}
	for _, id := range ids {
		if count[id]++; count[id] == 2 {
			repeated = append(repeated, id)
		}
	}
	return repeated
}

// bedrockDuplicate is known from https://github.com/BerriAI/litellm/issues/20048.
func bedrockDuplicate(r *request, found found) {
	for _, m := range bedrockOf(r).messages {
		report := func(name string, ids []string) {
			if ids = bedrockRepeated(ids); ids != nil {
				found(bedrockMessagePath(m.index), inOwnWords,
					fmt.Sprintf("The %s blocks at messages.%d.content contain duplicate Ids: %s",
						name, m.index, strings.Join(ids, ", ")))
			}
		}
		uses, results := m.ids()
		report("toolUse", uses)
		report("toolResult", results)
	}
}

// bedrockExceeds counts the caller's results of a message against the calls of
// the turn before it. A result for a call that the provider ran there itself is
// of no account: no refusal of one is on record.
func bedrockExceeds(r *request, found found) {
	calls, before := 0, ""
	var last bedrockMessage
	for _, m := range bedrockOf(r).messages {
		uses, results := m.ids()
		if m.role == "assistant" && before == m.role && bedrockFamily(r.model) == "claude" {
			calls += len(uses) // Claude reads neighbours as one turn
			last = m
			continue
		}
		before = m.role
		if m.role != "assistant" {
			results = slices.DeleteFunc(results, last.served)
		}
		if len(results) > calls {
			found(bedrockMessagePath(m.index), "messages.8.content",
				fmt.Sprintf("messages.%d.content", m.index))
		}
		if calls = 0; m.role == "assistant" { // a call that the user makes is no turn's
			calls = len(uses)
		}
		last = m
	}
}

// served reports whether an id is that of a call that the provider ran and
// answered itself in the message, and of none of the caller's there.
func (m bedrockMessage) served(id string) bool {
	ran, answered := false, false
	for _, b := range m.blocks {
		use, result := b.use(), b.result()
		switch {
		case use != nil && text(use["toolUseId"]) == id && use["type"] != "server_tool_use":
			return false
		case use != nil && text(use["toolUseId"]) == id:
			ran = true
		case result != nil && text(result["toolUseId"]) == id:
			answered = answered || ran
		}
	}
	return answered && m.role == "assistant"
}

func bedrockMissing(r *request, found found) {
	messages := bedrockOf(r).messages
	for i, m := range messages {
		uses, _ := m.ids()
		answered := map[string]bool{}
		at := i + 1
		joined := m.role == "assistant" && bedrockFamily(r.model) == "claude"
		for joined && at < len(messages) && messages[at].role == "assistant" {
			at++
		}
		if at < len(messages) {
			next := messages[at]
			if !r.lenient && bedrockFamily(r.model) != "claude" {
				next = next.head() // Claude words it itself; what the others take is on no record
			}
			_, results := next.ids()
			for _, id := range results {
				answered[id] = true
			}
		}
		missing := slices.DeleteFunc(uses, func(id string) bool { return answered[id] })
		if len(missing) > 0 {
			found(bedrockMessagePath(i), "messages.2.content",
				fmt.Sprintf("messages.%d.content", i+1), "tooluse_XXXX",
				strings.Join(missing, ", "))
		}
	}
}

// bedrockUnsigned checks the models that take no reasoning back: DeepSeek R1
// (https://github.com/langchain-ai/langchain-aws/issues/401), Nova where the
// request does not have it reason (https://github.com/can1357/oh-my-pi/pull/9086),
// and families that do not reason (badlogic/pi-mono bedrock-models.test.ts).
// Claude wants it signed, and words that itself; others take it as they made it.
func bedrockUnsigned(r *request, found found) {
	setting := object(object(r.root["additionalModelRequestFields"])["reasoningConfig"])
	thoughtless := []string{"deepseek.r1", "meta.llama3", "cohere.command", "google.gemma-3-"}
	refuses := bedrockFamily(r.model) == "nova" && setting["type"] != "enabled" ||
		slices.ContainsFunc(thoughtless,
			func(name string) bool { return strings.Contains(r.model, name) })
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		if has(b.object, "reasoningContent") && m.role != "user" && refuses {
			found(b.at(), inOwnWords,
				"User messages cannot contain reasoning content. Please remove the reasoning "+
					"content and try again.")
		}
	})
}

func bedrockUserReasoning(r *request, found found) {
	bedrockEach(r, func(m bedrockMessage, b bedrockBlock) {
		if has(b.object, "reasoningContent") && m.role == "user" {
			found(b.at(), inOwnWords,
				bedrockRelayed+b.path+": `thinking` blocks can only be in `assistant` messages")
		}
	})
}
