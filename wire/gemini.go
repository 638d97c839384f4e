package wire

import (
	"encoding/json"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file reads the Gemini generateContent format. A part there has no type: it is an object with
// one member of data, whose name says what it is, and a few members beside it. Names come in
// camelCase and in snake_case, and stay as they are.

const gemini = "gemini"

func geminiFormat() *format {
	return &format{
		name:         gemini,
		profile:      provider.Gemini,
		list:         "contents",
		wrapper:      "generateContentRequest",
		system:       "systemInstruction",
		systemAlias:  "system_instruction",
		systemParts:  "parts",
		systemRule:   "gemini/system-in-contents",
		decode:       decodeGemini,
		encode:       encodeGemini,
		decodeSystem: decodeGeminiSystem,
		encodeSystem: encodeGeminiSystem,
		prepare:      prepareGemini,
		sealed:       sealedThought,
		signs: signs{
			members: []string{"systemInstruction", "system_instruction", "generationConfig", "generation_config", "safetySettings", "safety_settings",
				"cachedContent", "cached_content"},
			fields:  []string{"parts"},
			strange: []string{"assistant"},
			tools:   []string{"functionDeclarations", "function_declarations"},
		},
	}
}

// The rules about the shape of contents and parts.
const (
	ruleGeminiRole      = "gemini/role-invalid"
	ruleGeminiEmpty     = "gemini/empty-part-data"
	ruleGeminiExtra     = "gemini/extra-field"
	ruleGeminiResponse  = "gemini/function-response-object"
	ruleGeminiSignature = "gemini/thought-signature-corrupt"
	ruleGeminiMediaType = "gemini/mime-type"
	ruleGeminiToolFlag  = "gemini/server-side-tool-flag"
)

// The members that the provider is known not to know: what a stored response or a framework leaves
// behind.
var (
	geminiContentExtras = newKeys("id", "type", "name", "model", "timestamp", "createTime", "created_at", "metadata", "finishReason", "usageMetadata",
		"tokenCount", "index", "cache_control")
	geminiPartExtras = newKeys("type", "id", "index", "cache_control", "providerMetadata", "providerOptions")
)

// geminiBeside are the members of a part that stand beside its data.
var geminiBeside = newKeys("thought", "thoughtSignature", "thought_signature", "videoMetadata", "video_metadata", "partMetadata", "part_metadata",
	"mediaResolution", "media_resolution", "mediaProcessing", "media_processing", "audioTranscription", "audio_transcription",
	"speechMetadata", "speech_metadata")

// geminiData are the members of a part that hold its data, and how each is read; nil for those that
// are not looked into. Of several in one part the first is the one that the rest of the part
// belongs to.
var geminiData = []struct {
	key, alias string
	read       func(d *decoder, v, part jsonscan.Value, c preflight.Carried) preflight.Part
}{
	{"functionCall", "function_call", geminiCall},
	{"functionResponse", "function_response", geminiResult},
	{"inlineData", "inline_data", geminiInline},
	{"fileData", "file_data", geminiFile},
	{"executableCode", "executable_code", nil},
	{"codeExecutionResult", "code_execution_result", nil},
	{"toolCall", "tool_call", nil},
	{"toolResponse", "tool_response", nil},
	{"text", "text", geminiText},
}

// dataSlots says which of geminiData a key names.
var dataSlots = func() map[string]int {
	slots := make(map[string]int)
	for k, data := range geminiData {
		slots[data.key], slots[data.alias] = k, k
	}
	return slots
}()

// sealedThought lists the signatures, and the text of a thought that has one.
func sealedThought(part jsonscan.Value) []string {
	sealed := []string{"thoughtSignature", "thought_signature"}
	thought, _ := part.Get("thought").Bool()
	signature := spelledEither(part, "thoughtSignature", "thought_signature")
	if thought && isSignature(signature) && !signature.StrIs("") {
		sealed = append(sealed, "text")
	}
	return sealed
}

// keyOf is the one of two spellings of a key that v has a value for, the first when it has both or
// neither.
func keyOf(v jsonscan.Value, key, alias string) string {
	if !hasValue(v.Get(key)) && hasValue(v.Get(alias)) {
		return alias
	}
	return key
}

// spelledEither is the member of v that goes by one of two spellings of a key.
func spelledEither(v jsonscan.Value, key, alias string) jsonscan.Value {
	return v.Get(keyOf(v, key, alias))
}

// hasValue reports whether a member is there and not null.
func hasValue(v jsonscan.Value) bool { return v.Exists() && v.Kind() != jsonscan.Null }

// unknownNames records the members of v that the provider does not know.
func (d *decoder) unknownNames(v jsonscan.Value, names keys) {
	k := 0
	for m := v.First(); m.Exists(); m = m.Next() {
		if names.has(m.Key()) {
			d.refusedMember(v, m, k, ruleGeminiExtra)
		}
		k++
	}
}

// vertexGeminiFormat is the format as Vertex AI reads it: a content without a role is not the
// user's there, but refused.
func vertexGeminiFormat() *format {
	f := geminiFormat()
	f.statesRole = true
	return f
}

func decodeGemini(d *decoder, v jsonscan.Value) preflight.Message {
	d.unknownNames(v, geminiContentExtras)
	m := preflight.Message{Native: d.native(v), Parts: d.contentParts(v)}
	switch role := v.Get("role"); {
	case role.StrIs("model"):
		m.Role = preflight.RoleAssistant
	case role.StrIs("assistant"):
		m.Role = preflight.RoleAssistant
		d.note(v, "role", finding{code: codes.RoleMapped, problem: rule.RoleUnknown, rule: ruleGeminiRole,
			wrong: "the provider does not know the role \"assistant\"", done: "gave a message a role the provider knows"})
	case role.Kind() == jsonscan.String && !role.StrIs(""):
		m.Role = preflight.Role(role.Str())
	default:
		m.Role = roleOfParts(m.Parts)
		absent := !hasValue(role) || role.StrIs("")
		if d.r.format.statesRole || !absent || m.Role != preflight.RoleUser {
			d.mended(v, "role", ruleGeminiRole, "the role is missing", "gave a message its role")
		}
	}
	return m
}

func decodeGeminiSystem(d *decoder, v jsonscan.Value) preflight.Message {
	d.value = v
	m := preflight.Message{Role: preflight.RoleSystem, Native: d.native(v)}
	switch v.Kind() {
	case jsonscan.Object:
		d.unknownNames(v, geminiContentExtras)
		m.Parts = d.contentParts(v)
	case jsonscan.Array:
		d.shape(v, "", "the system instruction is no content", "made a content of the system instruction")
		m.Parts = d.partList(v)
	default:
		d.shape(v, "", "the system instruction is no content", "made a content of the system instruction")
		m.Parts = d.single(d.strayText(v))
	}
	return m
}

// contentParts reads the parts of a content. The provider takes a single part for a list of one.
func (d *decoder) contentParts(v jsonscan.Value) []preflight.Part {
	list, content := v.Get("parts"), v.Get("content")
	if hasValue(content) && hasValue(list) {
		d.refused(v, "content", ruleGeminiExtra)
	} else if hasValue(content) {
		d.mended(v, "content", ruleGeminiExtra, "the content has no parts, but a field that the provider does not know", "made parts of a field that the provider does not know")
		if list = content; list.Kind() == jsonscan.String {
			return d.single(d.strayText(list))
		}
	}
	switch list.Kind() {
	case jsonscan.Absent, jsonscan.Null:
		return nil
	case jsonscan.Array:
		return d.partList(list)
	case jsonscan.Object:
		return d.dataParts(nil, list)
	}
	d.shape(list, "", "the parts are no list", "made a list of the parts")
	return d.single(d.strayText(list))
}

func (d *decoder) partList(v jsonscan.Value) []preflight.Part {
	parts := d.lists.take(v.Len())[:0]
	d.each(v, func(e jsonscan.Value) {
		switch e.Kind() {
		case jsonscan.Object:
			parts = d.dataParts(parts, e)
		case jsonscan.Null:
			d.shape(e, "", "the part is null", "removed a part that is null")
		default:
			d.shape(e, "", "the part is no object", "wrote what is no part as text")
			parts = append(parts, d.strayText(e))
		}
	})
	return parts
}

// strayText is a value that is no part, as text.
func (d *decoder) strayText(v jsonscan.Value) preflight.Part {
	t := &preflight.Text{Text: textOf(v)}
	if v.Kind() == jsonscan.String {
		t.Native = d.native(v)
	}
	return t
}

// dataSlot is one member of a part that holds data.
type dataSlot struct {
	kind int // index in geminiData
	v    jsonscan.Value
}

// slotsOf lists the members of a part that hold data, in the order of geminiData. Of two spellings
// the first counts, and of two members with one key the last.
func slotsOf(v jsonscan.Value) []dataSlot {
	var values, aliased [16]jsonscan.Value
	for m := v.First(); m.Exists(); m = m.Next() {
		key := m.Key().Str()
		switch k, ok := dataSlots[key]; {
		case !ok:
		case key == geminiData[k].key:
			values[k] = m
		default:
			aliased[k] = m
		}
	}
	var slots []dataSlot
	for k := range geminiData {
		if !hasValue(values[k]) {
			values[k] = aliased[k]
		}
		if hasValue(values[k]) {
			slots = append(slots, dataSlot{k, values[k]})
		}
	}
	return slots
}

// slotsOnlyText reports whether text is all that a part holds.
func slotsOnlyText(slots []dataSlot) bool {
	return len(slots) == 1 && geminiData[slots[0].kind].key == "text"
}

// hollow reports whether a member of data holds nothing.
func (s dataSlot) hollow() bool {
	switch geminiData[s.kind].key {
	case "text":
		return s.v.StrIs("")
	case "inlineData":
		return emptyBlob(s.v)
	case "fileData":
		return emptyFile(s.v)
	}
	return false
}

// emptyBlob reports whether inline data has no bytes.
func emptyBlob(v jsonscan.Value) bool {
	data := v.Get("data")
	return v.Kind() == jsonscan.Object && (data.Kind() != jsonscan.String || data.StrIs(""))
}

// emptyFile reports whether a file has no address.
func emptyFile(v jsonscan.Value) bool {
	uri := spelledEither(v, "fileUri", "file_uri")
	return v.Kind() == jsonscan.Object && (uri.Kind() != jsonscan.String || uri.StrIs(""))
}

// dataParts appends what a part holds: one part for each member of data, of which there should be
// one.
func (d *decoder) dataParts(parts []preflight.Part, v jsonscan.Value) []preflight.Part {
	slots := slotsOf(v)
	if len(slots) == 0 || slotsOnlyText(slots) && strings.HasSuffix(v.Get("type").Str(), "_text") {
		if p, ok := d.foreign(v); ok {
			if p != nil {
				parts = append(parts, p)
			}
			return parts
		}
	}
	d.unknownNames(v, geminiPartExtras)
	if len(slots) > 1 {
		d.mended(v, "", ruleGeminiEmpty, "the part holds several kinds of data", "made a part of each kind of data")
		var kept []dataSlot
		for _, s := range slots {
			if !s.hollow() {
				kept = append(kept, s)
			}
		}
		if len(kept) > 0 {
			slots = kept
		} else {
			slots = slots[len(slots)-1:]
		}
	}
	c := preflight.Carried{Native: d.native(v)}
	if len(slots) == 0 || slots[0].hollow() {
		if p := d.emptyPart(v, slots, c); p != nil {
			parts = append(parts, p)
		}
		return parts
	}
	last := len(slots) - 1
	if last > 0 && geminiData[slots[last].kind].key == "text" { // what was said stands before what was called
		parts = append(parts, d.slotPart(slots[last], v, preflight.Carried{}))
		slots = slots[:last]
	}
	for k, s := range slots {
		if k > 0 {
			c = preflight.Carried{}
		}
		parts = append(parts, d.slotPart(s, v, c))
	}
	return parts
}

// slotPart reads one member of data of a part. Without native JSON in c it becomes a part of its
// own.
func (d *decoder) slotPart(s dataSlot, part jsonscan.Value, c preflight.Carried) preflight.Part {
	data := geminiData[s.kind]
	if data.read == nil {
		if len(c.Native.JSON) == 0 {
			c.Native = preflight.Native{Format: gemini, JSON: json.RawMessage(`{"` + data.key + `":` + string(s.v.Raw()) + `}`)}
		} else {
			d.signature(part)
		}
		return &preflight.Other{Carried: c, Kind: data.key}
	}
	if data.key != "text" && s.v.Kind() != jsonscan.Object {
		d.shape(s.v, "", "the part's data is no object", "wrote what is no part as text")
		return &preflight.Text{Text: textOf(s.v)}
	}
	if len(c.Native.JSON) == 0 {
		part = jsonscan.Value{} // what stands beside the data belongs to another part
	}
	return data.read(d, s.v, part, c)
}

// signatureKind is the kind of a part that holds nothing but a signature.
const signatureKind = "thoughtSignature"

// emptyPart reads a part without data: a signature, something of a kind that nobody knows yet, or
// nothing.
func (d *decoder) emptyPart(v jsonscan.Value, slots []dataSlot, c preflight.Carried) preflight.Part {
	text := len(slots) > 0 && geminiData[slots[0].kind].key == "text"
	if d.signature(v) != "" {
		if len(slots) > 0 && !text {
			d.mended(v, "", ruleGeminiEmpty, "the part holds empty data beside its signature", "took the empty data out of a part")
		}
		return &preflight.Other{Carried: c, Kind: signatureKind}
	}
	if text {
		return d.texts.one(preflight.Text{Carried: c})
	}
	if len(slots) == 0 {
		for m := v.First(); m.Exists(); m = m.Next() {
			if _, data := dataSlots[m.Key().Str()]; !data && m.Kind() != jsonscan.Null && !geminiBeside.has(m.Key()) && !geminiPartExtras.has(m.Key()) {
				return &preflight.Other{Carried: c, Kind: m.Key().Str()}
			}
		}
	}
	d.mended(v, "", ruleGeminiEmpty, "the part holds no data", "removed a part without data")
	return nil
}

// signature is the thought signature on a part. One that is not base64 cannot be anybody's, and the
// encoder leaves it out.
func (d *decoder) signature(part jsonscan.Value) string {
	key := keyOf(part, "thoughtSignature", "thought_signature")
	v := part.Get(key)
	switch {
	case !hasValue(v) || v.StrIs(""):
		return ""
	case isSignature(v):
		return v.Str()
	}
	d.note(part, key, finding{code: CodeFieldRemoved, rule: ruleGeminiSignature, wrong: "the thought signature is not base64", done: "removed a thought signature that is not base64"})
	return ""
}

// isSignature reports whether v is base64, in either alphabet.
func isSignature(v jsonscan.Value) bool {
	if v.Kind() != jsonscan.String {
		return false
	}
	s := v.Str()
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("+/-_=", c) >= 0) {
			return false
		}
	}
	return true
}

func geminiText(d *decoder, v, part jsonscan.Value, c preflight.Carried) preflight.Part {
	text := v.Str()
	if v.Kind() != jsonscan.String {
		d.shape(v, "", "the value is no string", "wrote a value as a string")
		text = textOf(v)
	}
	signature := d.signature(part)
	if thought, _ := part.Get("thought").Bool(); thought {
		return &preflight.Reasoning{Carried: c, Text: text, Signature: signature}
	}
	return d.texts.one(preflight.Text{Carried: c, Text: text})
}

// noArguments are those of a call that has none: they may be left out.
var noArguments = json.RawMessage(`{}`)

func geminiCall(d *decoder, v, part jsonscan.Value, c preflight.Carried) preflight.Part {
	call := d.calls.one(preflight.ToolCall{Carried: c, ID: d.text(v, "id"), Name: d.text(v, "name"), Input: noArguments, Signature: d.signature(part)})
	if args := v.Get("args"); hasValue(args) {
		call.Input = args.Raw()
	}
	for _, key := range []string{"thoughtSignature", "thought_signature"} { // it belongs beside the call
		if inner := v.Get(key); inner.Exists() {
			d.mended(v, key, ruleGeminiExtra, "the thought signature stands inside the function call", "moved a thought signature beside its function call")
			if call.Signature == "" && isSignature(inner) {
				call.Signature = inner.Str()
			}
		}
	}
	return call
}

func geminiResult(d *decoder, v, part jsonscan.Value, c preflight.Carried) preflight.Part {
	d.signature(part)
	r := d.results.one(preflight.ToolResult{Carried: c, CallID: d.text(v, "id"), Name: d.text(v, "name")})
	response, media := v.Get("response"), v.Get("parts")
	listed := media.Kind() == jsonscan.Array && media.Len() > 0
	switch key, text := loneText(response); {
	case !hasValue(response):
		d.mended(v, "response", ruleGeminiResponse, "the function response is missing", "gave a function response an empty object")
		r.Output = noArguments
	case response.Kind() == jsonscan.String && !response.StrIs(""):
		d.mended(v, "response", ruleGeminiResponse, "the function response is no object", "wrote a function response as an object")
		r.Content = d.single(d.strayText(response))
	case response.Kind() != jsonscan.Object:
		d.mended(v, "response", ruleGeminiResponse, "the function response is no object", "wrote a function response as an object")
		r.Output = wrapped("output", response.Raw())
	case key != "":
		r.Content = d.single(d.texts.one(preflight.Text{Text: text.Str(), Carried: preflight.Carried{Native: d.native(text)}}))
		r.IsError = key == "error"
	default:
		r.Output, r.IsError = response.Raw(), isErrorResponse(response)
	}
	if !listed {
		return r
	}
	if len(r.Output) > 0 && response.Len() > 0 { // beside media, what was returned is text to everybody else
		r.Content, r.Output = d.single(&preflight.Text{Text: string(r.Output), Carried: preflight.Carried{Native: d.native(response)}}), nil
	} else {
		r.Output = nil
	}
	d.each(media, func(e jsonscan.Value) {
		if p := d.responsePart(e); p != nil {
			r.Content = append(r.Content, p)
		}
	})
	return r
}

// loneText is the text that is all a response says, and the member it stands in: output, or error.
func loneText(response jsonscan.Value) (key string, text jsonscan.Value) {
	if response.Kind() != jsonscan.Object || response.Len() != 1 {
		return "", text
	}
	for _, key := range []string{"output", "error"} {
		if text := response.Get(key); text.Kind() == jsonscan.String && !text.StrIs("") {
			return key, text
		}
	}
	return "", text
}

// isErrorResponse reports whether a response tells of an error.
func isErrorResponse(response jsonscan.Value) bool {
	e := response.Get("error")
	return hasValue(e) && e.Kind() != jsonscan.False && !e.StrIs("") && !response.Has("output")
}

// wrapped is an object with one member.
func wrapped(key string, value []byte) json.RawMessage {
	return json.RawMessage(`{"` + key + `":` + string(value) + `}`)
}

// responsePart reads one part of a function response, which is media; nil for null.
func (d *decoder) responsePart(v jsonscan.Value) preflight.Part {
	c := preflight.Carried{Native: d.native(v)}
	switch {
	case v.Kind() == jsonscan.Null:
		d.shape(v, "", "the part is null", "removed a part that is null")
		return nil
	case v.Kind() != jsonscan.Object:
		d.shape(v, "", "the part is no object", "wrote what is no part as text")
		return &preflight.Text{Text: textOf(v)}
	}
	blob, file := spelledEither(v, "inlineData", "inline_data"), spelledEither(v, "fileData", "file_data")
	switch {
	case emptyBlob(blob) && file.Kind() == jsonscan.Object && !emptyFile(file):
		d.mended(v, "", ruleGeminiEmpty, "the part holds several kinds of data", "took the empty data out of a part")
		return geminiFile(d, file, v, c)
	case emptyBlob(blob), !hasValue(blob) && emptyFile(file):
		d.mended(v, "", ruleGeminiEmpty, "the part holds no data", "removed a part without data")
		return nil
	case blob.Kind() == jsonscan.Object:
		return geminiInline(d, blob, v, c)
	case file.Kind() == jsonscan.Object:
		return geminiFile(d, file, v, c)
	}
	return &preflight.Other{Carried: c, Kind: "part"}
}

// geminiTypes are the media types that are sent without their first half, by the second.
var geminiTypes = map[string]string{
	"png": "image/png", "jpeg": "image/jpeg", "jpg": "image/jpeg", "webp": "image/webp", "heic": "image/heic", "heif": "image/heif",
	"gif": "image/gif", "pdf": "application/pdf", "mp3": "audio/mp3", "wav": "audio/wav", "mp4": "video/mp4",
}

// geminiMediaType is the media type of a blob or file.
func (d *decoder) geminiMediaType(v jsonscan.Value) string {
	key := keyOf(v, "mimeType", "mime_type")
	mediaType := v.Get(key).Str()
	if whole, ok := geminiTypes[strings.ToLower(mediaType)]; ok {
		d.mended(v, key, ruleGeminiMediaType, "the media type is only the second half of one", "gave media the whole name of its type")
		return whole
	}
	return mediaType
}

func geminiInline(d *decoder, v, part jsonscan.Value, c preflight.Carried) preflight.Part {
	d.signature(part)
	m := &preflight.Media{Carried: c, MediaType: d.geminiMediaType(v), Data: v.Get("data").Str()}
	m.Kind = mediaKind(m.MediaType)
	return m
}

func geminiFile(d *decoder, v, part jsonscan.Value, c preflight.Carried) preflight.Part {
	d.signature(part)
	m := &preflight.Media{Carried: c, MediaType: d.geminiMediaType(v), URL: spelledEither(v, "fileUri", "file_uri").Str()}
	m.Kind = mediaKind(m.MediaType)
	return m
}

// mediaKind is the kind of media of a media type.
func mediaKind(mediaType string) string {
	kind, _, _ := strings.Cut(strings.ToLower(mediaType), "/")
	switch kind {
	case "image", "audio", "video":
		return kind
	}
	return "document"
}

// prepareGemini mends the names of declared functions; those in the history follow.
func prepareGemini(r *Request) {
	if !r.whole() {
		r.settleBareList()
		return
	}
	r.flagMixedTools()
	k := 0
	for t := r.root.Get("tools").First(); t.Exists(); t = t.Next() {
		key := keyOf(t, "functionDeclarations", "function_declarations")
		n := 0
		for f := t.Get(key).First(); f.Exists(); f = f.Next() {
			r.renameFunction(f.Get("name"), indexed(indexed("tools", k)+"."+key, n)+".name")
			n++
		}
		k++
	}
	config, path := r.root, ""
	for _, keys := range [][2]string{{"toolConfig", "tool_config"}, {"functionCallingConfig", "function_calling_config"}, {"allowedFunctionNames", "allowed_function_names"}} {
		key := keyOf(config, keys[0], keys[1])
		config, path = config.Get(key), within(path, key)
	}
	n := 0
	for name := config.First(); name.Exists(); name = name.Next() {
		r.renameFunction(name, indexed(path, n))
		n++
	}
}

// servedTools are the tools that the Gemini API runs itself and was seen to refuse beside
// functions. It was recorded to accept code execution beside them.
var servedTools = [][2]string{{"googleSearch", "google_search"}, {"urlContext", "url_context"}}

// flagMixedTools sets the flag that models of generation 3, those that sign their calls, want on
// the Gemini API where a request declares functions beside tools that the API runs itself. Vertex
// AI does not know the flag.
func (r *Request) flagMixedTools() {
	if r.format.statesRole || r.Profile.Tools.CallSignature == "" {
		return
	}
	functions, served := false, false
	for t := r.root.Get("tools").First(); t.Exists(); t = t.Next() {
		functions = functions || spelledEither(t, "functionDeclarations", "function_declarations").Len() > 0
		for _, names := range servedTools {
			served = served || spelledEither(t, names[0], names[1]).Kind() == jsonscan.Object
		}
	}
	const flag, alias = "includeServerSideToolInvocations", "include_server_side_tool_invocations"
	key := keyOf(r.root, "toolConfig", "tool_config")
	config := r.root.Get(key)
	if !functions || !served || hasValue(spelledEither(config, flag, alias)) || config.Kind() != jsonscan.Object && hasValue(config) {
		return
	}
	r.note(finding{code: CodeSettingAdded, rule: ruleGeminiToolFlag, path: key, at: nowhere,
		wrong: "functions stand beside tools that the provider runs, without the flag that they need",
		done:  "set the flag for functions beside tools that the provider runs"})
	r.changes = append(r.changes, func(e *jsonscan.Edits, top *jsonscan.ObjectEdit) {
		if config.Kind() != jsonscan.Object {
			top.SetMember(key, []byte(`{"`+flag+`":true}`))
			return
		}
		edit := jsonscan.ObjectEdit{}
		edit.Reset(config)
		edit.SetMember(flag, []byte("true"))
		edit.AppendTo(e)
	})
}

// renameFunction gives a declared or allowed function a name that the provider accepts.
func (r *Request) renameFunction(name jsonscan.Value, path string) {
	if name.Kind() != jsonscan.String || r.Profile.RepairToolName(name.Str()) == name.Str() {
		return
	}
	fixed := quoted(r.Profile.RepairToolName(name.Str()))
	r.changes = append(r.changes, func(e *jsonscan.Edits, _ *jsonscan.ObjectEdit) { e.Replace(name.Start(), name.End(), fixed) })
	r.note(toolRenamed(path, r.ruleOf(rule.ToolName)))
}
