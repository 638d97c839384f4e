package wire

import (
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file finds members of messages that would be lost when a message is converted to another
// format or joined to another message, so that there is a warning for each.

// vocabularies are the members of each format that the decoders read, by kind of object. Members
// marked with a star are searched too. The kind of an object is the member that holds it, with a
// dot before it; where the table has no such kind, the object's type. An element of the list is
// "@", and "@tool" if it is a tool's result. Objects of other kinds are reasoning,
// provider-executed parts or parts of unknown kind: package preflight warns of those.
var vocabularies = map[string]map[string]string{
	"anthropic": {
		"@":           "role *content output_config",
		"text":        "type text cache_control",
		"image":       "type *source cache_control",
		"document":    "type *source title cache_control",
		".source":     "type media_type data url file_id content",
		"tool_use":    "type id name input cache_control",
		"tool_result": "type tool_use_id *content is_error cache_control",
	},
	openAIChat: chatVocabulary(nil),
	"openai-responses": {
		"@":                       "type id status role *content",
		"message":                 "type id status role *content",
		"input_text":              "type text",
		"output_text":             "type text",
		"text":                    "type text",
		"input_image":             "type image_url file_id",
		"input_file":              "type filename file_data file_id file_url",
		"function_call":           "type id status call_id name arguments",
		"function_call_output":    "type id status call_id *output",
		"custom_tool_call":        "type id status call_id name input",
		"custom_tool_call_output": "type id status call_id *output",
	},
	gemini: {
		"@": "role *parts content",
		".parts": "text thought *functionCall *function_call *functionResponse " +
			"*function_response *inlineData *inline_data *fileData *file_data " + geminiUnread,
		".functionCall":      "id name args",
		".function_call":     "id name args",
		".functionResponse":  "id name response *parts",
		".function_response": "id name response *parts",
		".inlineData":        "mimeType mime_type data",
		".inline_data":       "mimeType mime_type data",
		".fileData":          "mimeType mime_type fileUri file_uri",
		".file_data":         "mimeType mime_type fileUri file_uri",
	},
	interactions: {
		"@":               "role *content",
		"user_input":      "type *content",
		"model_output":    "type *content",
		"text":            "type text",
		"image":           "type data uri mime_type",
		"audio":           "type data uri mime_type",
		"video":           "type data uri mime_type name",
		"document":        "type data uri mime_type",
		"function_call":   "type id name arguments",
		"function_result": "type call_id name is_error *result",
	},
	"bedrock": {
		"@": "role *content",
		".content": "text json cachePoint reasoningContent searchResult *guardContent " +
			"*citationsContent *toolUse *toolResult *image *document *video *audio",
		".guardContent":     "*text",
		".text":             "text",
		".citationsContent": "content",
		".toolUse":          "toolUseId name input type",
		".toolResult":       "toolUseId *content status type",
		".image":            "format *source",
		".document":         "format name *source",
		".video":            "format *source",
		".audio":            "format *source",
		".source":           "bytes s3Location text content",
	},
	mistralName: chatVocabulary(map[string]string{
		"document_url": "type document_url document_name",
	}),
	cohereName: chatVocabulary(map[string]string{"@": chatMembers + " tool_plan"}),
	ollamaName: chatVocabulary(map[string]string{
		"@":           "role *content *tool_calls thinking images",
		"@tool":       "role *content tool_call_id tool_name images",
		".tool_calls": "id type *function",
		".function":   "name arguments index",
	}),
}

const (
	chatMembers = "role *content *tool_calls reasoning_content reasoning reasoning_details " +
		"refusal audio function_call"
	geminiUnread = "executableCode executable_code codeExecutionResult code_execution_result " +
		"toolCall tool_call toolResponse tool_response"
)

// chatVocabulary returns the vocabulary of the Chat format with the given changes.
func chatVocabulary(own map[string]string) map[string]string {
	words := map[string]string{
		"@":            chatMembers,
		"@tool":        "role *content tool_call_id name",
		"text":         "type text cache_control",
		"image_url":    "type *image_url cache_control",
		".image_url":   "url",
		"input_audio":  "type *input_audio cache_control",
		".input_audio": "data format",
		"file":         "type *file cache_control",
		".file":        "filename file_data file_id",
		".tool_calls":  "id type *function *custom cache_control",
		".function":    "name arguments",
		".custom":      "name input",
	}
	for kind, members := range own {
		words[kind] = members
	}
	return words
}

// fieldFinder finds members that would be lost.
type fieldFinder struct {
	words  map[string]string
	names  bool // the participant's name is carried
	nested bool // inside a tool result, where a cache breakpoint is no part's
	lose   func(path string)
}

// lostFields lists the members of messages that have no place in the target's format, except what
// was refused already.
func (r *Request) lostFields(target *format) []finding {
	var out []finding
	refused := r.refusedPaths()
	for i := range r.sources {
		at := preflight.At(i)
		c := fieldFinder{
			words: vocabularies[r.format.name], names: target.participantNames,
			lose: func(path string) {
				if !refused[path] {
					out = append(out, finding{
						code: codes.NotCarried, path: path, at: at,
						wrong: "the other format has no such field",
						done:  "left out a field that is not carried over",
					})
				}
			},
		}
		c.message(r.sources[i].value, r.requestPath(at))
	}
	return out
}

// lostInJoin lists the members of message i that are lost because it was joined to another message,
// except the name of a participant and what was refused already: the paths in refused.
func (r *Request) lostInJoin(i int, refused map[string]bool) []finding {
	var out []finding
	at := preflight.At(i)
	v := r.sources[i].value
	if v.Kind() != jsonscan.Object || r.Messages[i].Native.Format == foreignFormat {
		return nil
	}
	c := fieldFinder{words: vocabularies[r.format.name], names: true}
	known := c.words[c.kindOf(v)]
	for k, m := range v.All() {
		if c.reads(known, m.Key().Str()) || !hasMeaning(m) {
			continue
		}
		if path := r.requestPath(at) + step(m, k); !refused[path] {
			out = append(out, finding{
				code: codes.FieldRemoved, path: path, at: at,
				wrong: "the message is joined to another",
				done:  "left out a field of a message that was joined to another",
			})
		}
	}
	return out
}

// message visits an element of the list, or the system member.
func (c *fieldFinder) message(v jsonscan.Value, path string) {
	if v.Kind() == jsonscan.Object {
		c.members(v, path, c.kindOf(v))
		return
	}
	c.inside(v, path, "content")
}

// kindOf returns the kind of an element of the list.
func (c *fieldFinder) kindOf(v jsonscan.Value) string {
	if t := v.Get("type"); t.Kind() == jsonscan.String && c.words["@tool"] == "" {
		return t.Str()
	}
	if c.words["@tool"] != "" && v.Get("role").StrIs("tool") {
		return "@tool"
	}
	return "@"
}

// inside visits the value of member key: a list of objects, or one object.
func (c *fieldFinder) inside(v jsonscan.Value, path, key string) {
	switch v.Kind() {
	case jsonscan.Array:
		for k, e := range v.All() {
			c.inside(e, indexed(path, k), key)
		}
	case jsonscan.Object:
		kind := "." + key
		if c.words[kind] == "" {
			kind = v.Get("type").Str()
		}
		c.members(v, path, kind)
	}
}

// members visits an object of a kind.
func (c *fieldFinder) members(v jsonscan.Value, path, kind string) {
	words, ok := c.words[kind]
	if thought, _ := v.Get("thought").Bool(); !ok || thought {
		return
	}
	for k, m := range v.All() {
		key := m.Key().Str()
		switch _, searched := hasWord(words, key); {
		case searched:
			inner := *c
			inner.nested = c.nested || key == "content" && kind != "@" || key == "output"
			inner.inside(m, path+step(m, k), key)
		case hasMeaning(m) && (!c.reads(words, key) || c.nested && key == "cache_control"):
			c.lose(path + step(m, k))
		}
	}
}

// reads reports whether the decoder reads a member.
func (c *fieldFinder) reads(words, key string) bool {
	found, _ := hasWord(words, key)
	return found || c.names && key == "name"
}

// hasWord reports whether word is one of the words, which single spaces separate, and whether it
// has a star there.
func hasWord(words, word string) (found, star bool) {
	for words != "" {
		var w string
		w, words, _ = strings.Cut(words, " ")
		if w, star = strings.CutPrefix(w, "*"); w == word {
			return true, star
		}
	}
	return false, false
}

// hasMeaning reports whether a member has a meaning: it is not null, empty, false or the default.
func hasMeaning(v jsonscan.Value) bool {
	switch v.Kind() {
	case jsonscan.Null, jsonscan.False:
		return false
	case jsonscan.String:
		return !v.StrIs("") && !v.StrIs("auto")
	case jsonscan.Array, jsonscan.Object:
		return v.Len() > 0
	}
	return true
}
