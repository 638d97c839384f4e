package wire

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file writes the blocks in the content of OpenAI Responses items.

// inputBlock and assistantBlock write one part of a message's content.
func inputBlock(p preflight.Part) ([][]byte, error)     { return responsesBlock(p, "input_text") }
func assistantBlock(p preflight.Part) ([][]byte, error) { return responsesBlock(p, "output_text") }

func responsesBlock(p preflight.Part, textType string) ([][]byte, error) {
	switch p := p.(type) {
	case *preflight.Text:
		return responsesText(p, textType)
	case *preflight.Media:
		return responsesMedia(p)
	case *preflight.Other:
		o, block := openObject(p.Native, openAIResponses, `{}`)
		if p.Native.Format != openAIResponses || o.v.Get("type").Kind() != jsonscan.String {
			return nil, noFormOf(p.Kind)
		}
		block.drop("cache_control")
		return o.pieces()
	}
	return nil, noForm(preflight.PartKind(p))
}

func responsesText(t *preflight.Text, textType string) ([][]byte, error) {
	o, block := openObject(t.Native, openAIResponses, `{"type":"`+textType+`","text":""}`,
		"input_text", "output_text", "text")
	block.text("type", textType)
	o.words(block, t)
	if textType == "input_text" {
		block.drop("annotations", "logprobs")
	}
	block.drop("cache_control")
	return o.pieces()
}

func responsesMedia(m *preflight.Media) ([][]byte, error) {
	if mediaKind(m) == "image" {
		o, block := openObject(m.Native, openAIResponses, `{"type":"input_image"}`, "input_image")
		block.text("type", "input_image")
		if block.v.Get("image_url").Kind() == jsonscan.Object {
			block.o.SetMember("image_url", quoted(addressOf(m)))
		} else {
			block.optional("image_url", addressOf(m))
		}
		block.optional("file_id", m.FileID)
		block.drop("cache_control")
		return o.pieces()
	}
	o, block := openObject(m.Native, openAIResponses, `{"type":"input_file"}`, "input_file")
	block.text("type", "input_file")
	block.optional("filename", m.Name)
	data := m.Data
	if m.Native.Format != openAIResponses {
		data = inDataURL(m)
	}
	block.optional("file_data", data)
	block.optional("file_id", m.FileID)
	block.optional("file_url", m.URL)
	block.drop("cache_control")
	return o.pieces()
}
