package wire

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/rule"
)

// This file reads blocks of other formats, which agents leave in a history when they switch providers or copy content from one
// message list into another. The tables of package rule say whose a type of block is. What maps onto the neutral parts is read
// as such, and written in the body's format by its encoder; the rest becomes text that says what it was. A type that no table
// lists may be new, and stays.

// blockRules are the rules that a block of another format breaks, by the body's format.
var blockRules = map[string]string{
	"anthropic":     "anthropic/output-only-blocks",
	openAIChat:      "openai-chat/part-type",
	openAIResponses: rulePartType,
	gemini:          ruleGeminiExtra,
	mistralName:     ruleChatContent,
	cohereName:      ruleChatContent,
	ollamaName:      ruleOllamaContent,
}

// kindKey is a type of block. Types, and members that stand for one, are told apart.
type kindKey struct {
	kind string
	bare bool
}

// knownKind is what the tables say about a type of block.
type knownKind struct {
	formats map[string]bool // those that have it: true where it is an element of the list of messages
	spoken  bool            // only a model says it
}

// knownKinds are the types of blocks in the tables.
var knownKinds = sync.OnceValue(func() map[kindKey]*knownKind {
	known := make(map[kindKey]*knownKind)
	for _, b := range rule.BlockTypes() {
		names := []string{b.Kind}
		if b.Bare {
			names = append(names, snake(b.Kind)) // Gemini takes both
		}
		for _, name := range names {
			key := kindKey{name, b.Bare}
			if known[key] == nil {
				known[key] = &knownKind{formats: make(map[string]bool), spoken: true}
			}
			known[key].formats[b.Format] = b.Places[0] == rule.InList
			known[key].spoken = known[key].spoken && isSpoken(&b)
		}
	}
	return known
})

// isSpoken reports whether only a model says blocks of a type.
func isSpoken(b *rule.BlockType) bool {
	for _, p := range b.Places {
		switch p {
		case rule.InAssistant, rule.InCalls, rule.InReasoning:
		case rule.InList:
			if !strings.HasSuffix(b.Kind, "_call") && b.Kind != "reasoning" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// snake is a name in camelCase as the same in snake_case, which Gemini takes too.
func snake(name string) string {
	var b strings.Builder
	for _, c := range name {
		if 'A' <= c && c <= 'Z' {
			b.WriteByte('_')
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

// kindOf is the type of a block, or the first of its members that stands for one.
func kindOf(v jsonscan.Value) (key kindKey, data jsonscan.Value) {
	if t := v.Get("type"); t.Kind() == jsonscan.String && !t.StrIs("") {
		return kindKey{t.Str(), false}, v
	}
	for m := v.First(); m.Exists(); m = m.Next() {
		key := kindKey{m.Key().Str(), true}
		if key.kind != "text" && knownKinds()[key] != nil && (m.Kind() == jsonscan.Object || m.Kind() == jsonscan.Array) {
			return key, m
		}
	}
	return kindKey{"text", true}, v.Get("text")
}

// isForeign reports whether blocks of a type belong to other formats alone.
func (f *format) isForeign(key kindKey) bool {
	known := knownKinds()[key]
	if known == nil {
		return false
	}
	_, own := known.formats[f.name]
	_, host := known.formats[f.dialect]
	return !own && !host
}

// foreign reads a block that the body's format does not have, and another one does; ok is false for any other. The part is nil
// when there is nothing in the block that anybody else can read.
func (d *decoder) foreign(v jsonscan.Value) (p preflight.Part, ok bool) {
	key, data := kindOf(v)
	if !d.r.format.isForeign(key) {
		return nil, false
	}
	return d.convert(v, key, data, &foreignBlock)
}

// other reads a block that the reader of the body's format does not know: one of another format, or of a kind that is kept as
// it is.
func (d *decoder) other(v jsonscan.Value, c preflight.Carried, kind string) preflight.Part {
	if p, ok := d.foreign(v); ok {
		return p
	}
	return &preflight.Other{Carried: c, Kind: kind}
}

// lifted reads an item of the list that stands inside a message.
func (d *decoder) lifted(v jsonscan.Value) (p preflight.Part, ok bool) {
	key, data := kindOf(v)
	if known := knownKinds()[key]; known == nil || !known.formats[d.r.format.name] || key.kind == "message" {
		return nil, false
	}
	return d.convert(v, key, data, &liftedItem)
}

// misfit is how a block is not what its place wants, and what is done where it can be.
type misfit struct{ wrong, done string }

var (
	foreignBlock = misfit{"the block is of a type that this provider does not have", "wrote a block of another provider in this one's form"}
	liftedItem   = misfit{"the content holds what is an item of the list", "took an item out of the content of a message"}
	strayBlock   = misfit{"the list of messages holds a block", "made a message of a block among the messages"}
)

// convert reads a block of a known type, and records that.
func (d *decoder) convert(v jsonscan.Value, key kindKey, data jsonscan.Value, how *misfit) (preflight.Part, bool) {
	read := blockReaders[key]
	if read == nil {
		read = readAsText
	}
	p, ok := read(v, data)
	if !ok && (key.kind == "text" || d.r.format.name == openAIChat) { // of whose hosts some have more types
		return nil, false
	}
	if !ok {
		p, _ = readAsText(v, data)
	}
	done := how.done
	if t, text := p.(*preflight.Text); text && strings.HasPrefix(t.Text, foreignLabel) {
		done = "wrote a block that this provider does not have as text"
	}
	if p == nil {
		done = "removed a block that only another provider can read"
	} else {
		d.adopt(p, v)
	}
	d.note(v, "", finding{code: CodeBlockConverted, rule: d.blockRule(), wrong: how.wrong, done: done})
	return p, true
}

// blockRule is the rule that a block of another format breaks.
func (d *decoder) blockRule() string {
	if id := blockRules[d.r.format.name]; id != "" {
		return id
	}
	return ruleShape
}

// adopt gives a part that was read from v what it carries: its JSON, which the encoders of this format do not use, and a cache
// breakpoint where both formats spell it alike.
func (d *decoder) adopt(p preflight.Part, v jsonscan.Value) {
	c := preflight.Carried{Native: preflight.Native{Format: foreignFormat, JSON: v.Raw()}}
	if d.r.format.name == "anthropic" || d.r.format.name == openAIChat {
		c.Cache = cacheMarker(v)
	}
	switch p := p.(type) {
	case *preflight.Text:
		p.Carried = c
	case *preflight.Reasoning:
		c.Cache = nil
		p.Carried = c
	case *preflight.ToolCall:
		p.Carried = c
	case *preflight.ToolResult:
		p.Carried = c
	case *preflight.Media:
		p.Carried = c
	}
}

// foreignFormat is the format of JSON that is of no use to any encoder.
const foreignFormat = "foreign"

// foreignMessage reads an element of the list that is a block or an item of another format, as a message of its own.
func (d *decoder) foreignMessage(v jsonscan.Value) (m preflight.Message, ok bool) {
	if v.Has("content") && !v.Has("type") || v.Has("parts") {
		return m, false
	}
	key, data := kindOf(v)
	known := knownKinds()[key]
	if key.kind == "text" && key.bare || known == nil || known.formats[d.r.format.name] || key.kind == "message" {
		return m, false
	}
	p, ok := d.convert(v, key, data, &strayBlock)
	if !ok {
		return m, false
	}
	m.Native = preflight.Native{Format: foreignFormat, JSON: v.Raw()}
	if p == nil {
		m.Role = preflight.RoleAssistant
		return m, true
	}
	m.Parts = d.single(p)
	m.Role = roleOfParts(m.Parts)
	if known.spoken {
		m.Role = preflight.RoleAssistant
	}
	return m, true
}

// chatMessage reads a message in the form of OpenAI's Chat format, in a list of another one: a result of a tool, or one whose
// calls stand beside its content. Its reader would take the calls for a member to leave out, and the result for a user's words.
func (d *decoder) chatMessage(v jsonscan.Value) (m preflight.Message, ok bool) {
	switch d.r.format.name {
	case "anthropic", "bedrock", gemini, openAIResponses:
	default:
		return m, false
	}
	calls := v.Get("tool_calls")
	switch {
	case v.Get("role").StrIs("tool") && v.Get("tool_call_id").Kind() == jsonscan.String:
		m.Role = preflight.RoleTool
		result, _ := readResult("tool_call_id", "content")(v, v)
		m.Parts = d.single(result)
	case calls.Kind() == jsonscan.Array && calls.First().Kind() == jsonscan.Object:
		m.Role = preflight.RoleAssistant
		m.Parts = partsWithCalls(v, calls)
	default:
		return m, false
	}
	m.Native = preflight.Native{Format: foreignFormat, JSON: v.Raw()}
	d.note(v, "", finding{code: CodeBlockConverted, rule: d.blockRule(), wrong: "the message is in the form of another provider",
		done: "wrote a message of another provider in this one's form"})
	return m, true
}

// partsWithCalls are the parts of a Chat message that calls tools. Calls that are blocks of the content as well count once.
func partsWithCalls(v, calls jsonscan.Value) []preflight.Part {
	var parts []preflight.Part
	if content := v.Get("content"); content.Kind() == jsonscan.Array {
		for e := content.First(); e.Exists(); e = e.Next() {
			parts = append(parts, readAny(e)...)
		}
	} else {
		parts = textParts(content.Str())
	}
	seen := make(map[string]bool)
	for _, p := range parts {
		if c, ok := p.(*preflight.ToolCall); ok {
			seen[c.ID] = true
		}
	}
	for e := calls.First(); e.Exists(); e = e.Next() {
		p, ok := readChatCall(e, e)
		if custom := e.Get("custom"); !ok && custom.Kind() == jsonscan.Object {
			p = &preflight.ToolCall{ID: e.Get("id").Str(), Name: custom.Get("name").Str(), Input: wrapped("input", quoted(custom.Get("input").Str()))}
		}
		if !seen[p.(*preflight.ToolCall).ID] {
			parts = append(parts, p)
		}
	}
	return parts
}

// readAny reads a block of any format, as text where no neutral part stands for it.
func readAny(v jsonscan.Value) []preflight.Part {
	if v.Kind() != jsonscan.Object {
		return textParts(textOf(v))
	}
	key, data := kindOf(v)
	if read := blockReaders[key]; read != nil {
		if p, ok := read(v, data); ok && p != nil {
			return []preflight.Part{p}
		} else if ok {
			return nil
		}
	}
	if t := v.Get("text"); t.Kind() == jsonscan.String {
		return textParts(t.Str())
	}
	p, _ := readAsText(v, data)
	return []preflight.Part{p}
}

// A blockReader reads a block of one type; data is the member that holds what is in it, where blocks have no type. The part is
// nil when nobody else can read the block. ok is false for what is of that type only by name.
type blockReader func(v, data jsonscan.Value) (p preflight.Part, ok bool)

// blockReaders are the readers of the types that a neutral part stands for.
var blockReaders map[kindKey]blockReader

func init() { // it refers to itself: results hold blocks
	blockReaders = map[kindKey]blockReader{
		{"text", false}:            readText("text"),
		{"input_text", false}:      readText("text"),
		{"output_text", false}:     readText("text"),
		{"refusal", false}:         readText("refusal"),
		{"text", true}:             readBareText,
		{"citationsContent", true}: readCitations,

		{"thinking", false}:          readThinking,
		{"reasoning_text", false}:    readThought("text"),
		{"summary_text", false}:      readThought("text"),
		{"reasoning", false}:         readReasoning,
		{"redacted_thinking", false}: readNothing,
		{"reasoningContent", true}:   readReasoningContent,
		{"cachePoint", true}:         readNothing,

		{"tool_use", false}:         readCall("id", "name", "input"),
		{"function_call", false}:    readCall("call_id", "name", "arguments"),
		{"custom_tool_call", false}: readCustomCall,
		{"function", false}:         readChatCall,
		{"functionCall", true}:      readCall("id", "name", "args"),
		{"function_call", true}:     readCall("id", "name", "args"),
		{"toolUse", true}:           readCall("toolUseId", "name", "input"),

		{"tool_result", false}:             readResult("tool_use_id", "content"),
		{"function_call_output", false}:    readResult("call_id", "output"),
		{"custom_tool_call_output", false}: readResult("call_id", "output"),
		{"functionResponse", true}:         readResponse,
		{"function_response", true}:        readResponse,
		{"toolResult", true}:               readResult("toolUseId", "content"),

		{"image", false}:        readSource("image"),
		{"document", false}:     readSource("document"),
		{"image_url", false}:    readAddress("image", "image_url"),
		{"document_url", false}: readAddress("document", "document_url"),
		{"input_image", false}:  readInputImage,
		{"input_audio", false}:  readInputAudio,
		{"file", false}:         readFile,
		{"input_file", false}:   readInputFile,
		{"inlineData", true}:    readBlob,
		{"inline_data", true}:   readBlob,
		{"fileData", true}:      readBlob,
		{"file_data", true}:     readBlob,
		{"image", true}:         readBytes("image"),
		{"document", true}:      readBytes("document"),
		{"video", true}:         readBytes("video"),
		{"audio", true}:         readBytes("audio"),
	}
	for k := range itemCalls[2:] {
		call := &itemCalls[k+2]
		blockReaders[kindKey{call.kind, false}] = readShell(call)
		blockReaders[kindKey{call.output, false}] = readResult("call_id", "output")
	}
}

func readText(member string) blockReader {
	return func(v, _ jsonscan.Value) (preflight.Part, bool) {
		t := v.Get(member)
		return &preflight.Text{Text: t.Str()}, t.Kind() == jsonscan.String
	}
}

// readBareText reads a block that is known by its text alone, which may be a thought.
func readBareText(v, data jsonscan.Value) (preflight.Part, bool) {
	if thought, _ := v.Get("thought").Bool(); thought {
		return &preflight.Reasoning{Text: data.Str()}, data.Kind() == jsonscan.String
	}
	return nil, false // everybody has text
}

func readCitations(_, data jsonscan.Value) (preflight.Part, bool) {
	var texts []string
	for e := data.Get("content").First(); e.Exists(); e = e.Next() {
		texts = append(texts, e.Get("text").Str())
	}
	return &preflight.Text{Text: strings.Join(texts, "")}, data.Get("content").Len() > 0
}

// thoughtOf is reasoning that others can read, nil when there is no text in it: what it is signed with is worth nothing here.
func thoughtOf(text string) preflight.Part {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return &preflight.Reasoning{Text: text}
}

func readThought(member string) blockReader {
	return func(v, _ jsonscan.Value) (preflight.Part, bool) {
		return thoughtOf(v.Get(member).Str()), v.Get(member).Kind() == jsonscan.String
	}
}

func readThinking(v, _ jsonscan.Value) (preflight.Part, bool) {
	value := v.Get("thinking")
	if value.Kind() == jsonscan.Array {
		return thoughtOf(thinkingText(value)), true
	}
	return thoughtOf(value.Str()), value.Kind() == jsonscan.String
}

func readReasoning(v, _ jsonscan.Value) (preflight.Part, bool) {
	return thoughtOf(summaryText(v)), v.Has("summary") || v.Has("encrypted_content")
}

func readReasoningContent(_, data jsonscan.Value) (preflight.Part, bool) {
	return thoughtOf(data.Get("reasoningText").Get("text").Str()), true
}

func readNothing(_, _ jsonscan.Value) (preflight.Part, bool) { return nil, true }

// readCall reads a call whose parts are in members of the block, or of what it holds.
func readCall(id, name, input string) blockReader {
	return func(_, data jsonscan.Value) (preflight.Part, bool) {
		c := &preflight.ToolCall{ID: data.Get(id).Str(), Name: data.Get(name).Str(), Input: argumentsOf(data.Get(input))}
		return c, data.Get(name).Kind() == jsonscan.String
	}
}

// argumentsOf are the arguments of a call: JSON, or a string that holds it.
func argumentsOf(v jsonscan.Value) json.RawMessage {
	switch v.Kind() {
	case jsonscan.Absent, jsonscan.Null:
		return noArguments
	case jsonscan.String:
		return textBytes(v)
	}
	return v.Raw()
}

func readChatCall(v, _ jsonscan.Value) (preflight.Part, bool) {
	function := v.Get("function")
	c := &preflight.ToolCall{ID: v.Get("id").Str(), Name: function.Get("name").Str(), Input: argumentsOf(function.Get("arguments"))}
	return c, function.Get("name").Kind() == jsonscan.String
}

// readCustomCall reads a call whose input is free text: a member of the arguments everywhere else.
func readCustomCall(v, _ jsonscan.Value) (preflight.Part, bool) {
	input := wrapped("input", quoted(v.Get("input").Str()))
	return &preflight.ToolCall{ID: v.Get("call_id").Str(), Name: v.Get("name").Str(), Input: input}, v.Get("name").Kind() == jsonscan.String
}

// readShell reads a call of a tool that one provider declares by itself.
func readShell(kind *itemCall) blockReader {
	return func(v, _ jsonscan.Value) (preflight.Part, bool) {
		c := &preflight.ToolCall{ID: v.Get("call_id").Str(), Name: kind.name, Input: argumentsOf(v.Get(kind.payload))}
		return c, v.Has("call_id")
	}
}

// readResult reads a result that names its call in the member id, and says in the member content what came of it.
func readResult(id, content string) blockReader {
	return func(_, data jsonscan.Value) (preflight.Part, bool) {
		r := &preflight.ToolResult{CallID: data.Get(id).Str()}
		r.IsError, _ = data.Get("is_error").Bool()
		r.IsError = r.IsError || data.Get("status").StrIs("error") || data.Get("status").StrIs("failed")
		switch v := data.Get(content); v.Kind() {
		case jsonscan.Absent, jsonscan.Null:
		case jsonscan.String:
			r.Content = textParts(v.Str())
		case jsonscan.Array:
			for e := v.First(); e.Exists(); e = e.Next() {
				if p := readNested(e); p != nil {
					r.Content = append(r.Content, p)
				}
			}
		default:
			r.Output = v.Raw()
		}
		return r, data.Get(id).Kind() == jsonscan.String
	}
}

func textParts(text string) []preflight.Part {
	if text == "" {
		return nil
	}
	return []preflight.Part{&preflight.Text{Text: text}}
}

// readNested reads what a result holds: text and media, and anything else as text.
func readNested(v jsonscan.Value) preflight.Part {
	if v.Kind() != jsonscan.Object {
		return &preflight.Text{Text: textOf(v)}
	}
	if t := v.Get("text"); t.Kind() == jsonscan.String {
		return &preflight.Text{Text: t.Str()}
	}
	if j := v.Get("json"); j.Exists() && !v.Has("type") {
		return &preflight.Text{Text: string(j.Raw())}
	}
	key, data := kindOf(v)
	if read := blockReaders[key]; read != nil {
		if m, ok := read(v, data); ok {
			if media, ok := m.(*preflight.Media); ok {
				return media
			}
		}
	}
	return &preflight.Text{Text: string(v.Raw())}
}

func readResponse(_, data jsonscan.Value) (preflight.Part, bool) {
	r := &preflight.ToolResult{CallID: data.Get("id").Str(), Name: data.Get("name").Str()}
	response := data.Get("response")
	switch key, text := loneText(response); {
	case key != "":
		r.Content, r.IsError = textParts(text.Str()), key == "error"
	case response.Kind() == jsonscan.String:
		r.Content = textParts(response.Str())
	case hasValue(response):
		r.Output, r.IsError = response.Raw(), isErrorResponse(response)
	}
	for e := data.Get("parts").First(); e.Exists(); e = e.Next() {
		r.Content = append(r.Content, readNested(e))
	}
	return r, data.Get("name").Kind() == jsonscan.String
}

// readSource reads an image or document whose source is an object with a type.
func readSource(kind string) blockReader {
	return func(v, _ jsonscan.Value) (preflight.Part, bool) {
		m := &preflight.Media{Kind: kind, Name: v.Get("title").Str()}
		switch source := v.Get("source"); {
		case source.Get("type").StrIs("base64"):
			m.MediaType, m.Data = source.Get("media_type").Str(), source.Get("data").Str()
		case source.Get("type").StrIs("url"):
			m.URL = source.Get("url").Str()
		case source.Get("type").StrIs("text"):
			return &preflight.Text{Text: source.Get("data").Str()}, true
		case source.Kind() == jsonscan.Object:
			return readAsText(v, v)
		default:
			return nil, false // of the same name, and nobody's that is known
		}
		return m, true
	}
}

// readAddress reads media that is an address, or an object with one.
func readAddress(kind, member string) blockReader {
	return func(v, _ jsonscan.Value) (preflight.Part, bool) {
		address := v.Get(member)
		if address.Kind() == jsonscan.Object {
			address = address.Get("url")
		}
		return addressed(&preflight.Media{Kind: kind, Name: v.Get("document_name").Str()}, address), address.Kind() == jsonscan.String
	}
}

// addressed gives media its address, which may hold its data.
func addressed(m *preflight.Media, address jsonscan.Value) *preflight.Media {
	m.URL = address.Str()
	if mediaType, data := inlineData(m); data != "" {
		m.URL, m.MediaType, m.Data = "", mediaType, data
	}
	return m
}

func readInputImage(v, data jsonscan.Value) (preflight.Part, bool) {
	if !hasValue(v.Get("image_url")) {
		return readAsText(v, data)
	}
	return readAddress("image", "image_url")(v, data)
}

func readInputAudio(v, _ jsonscan.Value) (preflight.Part, bool) {
	audio := v.Get("input_audio")
	m := &preflight.Media{Kind: "audio", MediaType: prefixed("audio/", audio.Get("format").Str()), Data: audio.Get("data").Str()}
	return m, audio.Kind() == jsonscan.Object
}

func readFile(v, data jsonscan.Value) (preflight.Part, bool) {
	file := v.Get("file")
	if file.Kind() != jsonscan.Object {
		return nil, false
	}
	return documentOf(v, file, "file_data")
}

func readInputFile(v, data jsonscan.Value) (preflight.Part, bool) {
	return documentOf(v, v, "file_data")
}

// documentOf reads a document in the members of file; one that only its provider holds is text.
func documentOf(v, file jsonscan.Value, content string) (preflight.Part, bool) {
	m := &preflight.Media{Kind: "document", Name: file.Get("filename").Str()}
	switch {
	case file.Get(content).Str() != "":
		return addressed(m, file.Get(content)), true
	case file.Get("file_url").Str() != "":
		return addressed(m, file.Get("file_url")), true
	}
	return readAsText(v, v)
}

// readBlob reads inline data, or the address of a file.
func readBlob(_, data jsonscan.Value) (preflight.Part, bool) {
	m := &preflight.Media{MediaType: spelledEither(data, "mimeType", "mime_type").Str(), Data: data.Get("data").Str(), URL: spelledEither(data, "fileUri", "file_uri").Str()}
	m.Kind = mediaKind(m.MediaType)
	return m, m.Data != "" || m.URL != ""
}

// readBytes reads media with a format and a source.
func readBytes(kind string) blockReader {
	return func(v, data jsonscan.Value) (preflight.Part, bool) {
		source := data.Get("source")
		m := &preflight.Media{Kind: kind, MediaType: mediaTypeOf(kind, data.Get("format").Str()), Data: source.Get("bytes").Str(), Name: data.Get("name").Str()}
		if m.Data == "" {
			return readAsText(v, data)
		}
		return m, true
	}
}

// foreignLabel begins text that stands for a block of another provider: nobody shall take it for the user's words.
const foreignLabel = "[Content of type "

// readAsText reads a block that no neutral part stands for as text that names its type.
func readAsText(v, data jsonscan.Value) (preflight.Part, bool) {
	key, _ := kindOf(v)
	lines := []string{foreignLabel + key.kind + "]"}
	gatherWords(data, &lines, 0)
	return &preflight.Text{Text: strings.Join(lines, "\n")}, true
}

// gatherWords collects the strings of a value that are meant to be read: no types, no ids, nothing sealed.
func gatherWords(v jsonscan.Value, lines *[]string, depth int) {
	const deepest = 32 // what is deeper was not meant for reading
	if depth > deepest {
		return
	}
	for c := v.First(); c.Exists(); c = c.Next() {
		key := c.Key().Str()
		if isSealedMember(key) || key == "type" || key == "status" || key == "cache_control" || key == "id" || strings.HasSuffix(key, "_id") || strings.HasSuffix(key, "Id") {
			continue
		}
		switch c.Kind() {
		case jsonscan.String:
			if s := c.Str(); strings.TrimSpace(s) != "" && !isEncoded(s) {
				*lines = append(*lines, s)
			}
		case jsonscan.Array, jsonscan.Object:
			gatherWords(c, lines, depth+1)
		}
	}
}

// isSealedMember reports whether a member holds what only its provider can read.
func isSealedMember(key string) bool {
	k := strings.ToLower(key)
	return strings.Contains(k, "encrypted") || strings.Contains(k, "signature") || strings.Contains(k, "fingerprint") || k == "data" || k == "bytes"
}

// isEncoded reports whether a string is too long a word to be one: an image, or a signature.
func isEncoded(s string) bool { return len(s) > 512 && !strings.ContainsAny(s, " \n") }
