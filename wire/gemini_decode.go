package wire

import (
	"cmp"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file reads the Gemini generateContent format.

func decodeGemini(d *decoder, v jsonscan.Value) preflight.Message {
	d.continues = false
	d.refusedNames(v, &geminiContentExtras, ruleGeminiExtra)
	m := preflight.Message{Native: d.native(v), Parts: d.contentParts(v)}
	switch role := v.Get("role"); {
	case role.StrIs("model") && !d.r.format.roleRequired && holdsOnlyResponses(m.Parts):
		m.Role = preflight.RoleUser // the Gemini API takes them in either role
	case role.StrIs("model"):
		m.Role = preflight.RoleAssistant
		if !v.Has("parts") && !v.Has("content") && !d.r.format.roleRequired {
			m.Parts = d.single(&preflight.Text{}) // the API's own answer at the limit of output
		}
		d.keepServed(m.Parts)
	case role.StrIs("assistant"):
		m.Role = preflight.RoleAssistant
		d.note(v, "role",
			finding{code: codes.RoleMapped, problem: problems.RoleUnknown, rule: ruleGeminiRole,
				wrong: "the provider does not know the role \"assistant\"",
				done:  "changed a message's role to one the provider accepts"})
	case role.Kind() == jsonscan.String && !role.StrIs(""):
		m.Role = preflight.Role(role.Str())
	default:
		m.Role = roleOfParts(m.Parts)
		absent := !hasValue(role) || role.StrIs("")
		id := ruleGeminiRole
		if absent && !d.r.format.roleRequired {
			id = ruleShape // the API takes the model's words for the user's
		}
		if d.r.format.roleRequired || !absent || m.Role != preflight.RoleUser {
			d.repaired(v, "role", id, "the role is missing", "added the missing role to a message")
		}
	}
	return m
}

// holdsOnlyResponses reports whether a content holds function responses and nothing else.
func holdsOnlyResponses(parts []preflight.Part) bool {
	for _, p := range parts {
		if r, ok := p.(*preflight.ToolResult); !ok || r.ProviderExecuted {
			return false
		}
	}
	return len(parts) > 0
}

func decodeGeminiSystem(d *decoder, v jsonscan.Value) preflight.Message {
	d.value = v
	m := preflight.Message{Role: preflight.RoleSystem, Native: d.native(v)}
	switch v.Kind() {
	case jsonscan.Object:
		d.refusedNames(v, &geminiContentExtras, ruleGeminiExtra)
		m.Parts = d.contentParts(v)
	case jsonscan.Array:
		d.shape(v, "",
			"the system instruction is not a content object",
			"wrote the system instruction as a content object")
		m.Parts = d.partList(v)
	default:
		d.shape(v, "",
			"the system instruction is not a content object",
			"wrote the system instruction as a content object")
		m.Parts = d.single(d.valueAsText(v))
	}
	return m
}

// contentParts reads the parts of a content. The provider takes a single part for a list of one.
func (d *decoder) contentParts(v jsonscan.Value) []preflight.Part {
	list, content := v.Get("parts"), v.Get("content")
	if hasValue(content) && hasValue(list) {
		d.refused(v, "content", ruleGeminiExtra)
	} else if hasValue(content) {
		d.repaired(v, "content", ruleGeminiExtra,
			"the content has no parts, but a field that the provider does not know",
			"turned a field that the provider does not know into parts")
		if list = content; list.Kind() == jsonscan.String {
			return d.single(d.valueAsText(list))
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
	d.shape(list, "", "the parts are no list", "wrote the parts as a list")
	return d.single(d.valueAsText(list))
}

func (d *decoder) partList(v jsonscan.Value) []preflight.Part {
	parts := d.lists.take(v.Len())[:0]
	d.eachElement(v, func(e jsonscan.Value) {
		switch {
		case e.Kind() == jsonscan.Object:
			parts = d.dataParts(parts, e)
		case e.Kind() == jsonscan.Null:
			d.shape(e, "", "the part is null", "removed a part that is null")
		case e.Kind() == jsonscan.Array && e.First().Kind() == jsonscan.Object:
			parts = append(parts,
				d.others.one(preflight.Other{Carried: d.nativeOnly(e), Kind: listKind}))
		default:
			d.shape(e, "", "the part is not an object", "wrote a value that is not a part as text")
			parts = append(parts, d.valueAsText(e))
		}
	})
	return parts
}

// dataSlot is one member of a part that holds data.
type dataSlot struct {
	kind int // index in geminiData
	v    jsonscan.Value
}

// slotsOf lists the members of a part that hold data, in the order of geminiData. Of two spellings
// the first counts, and of two members with one key the last.
// It uses room, which has to be empty, for the list.
func slotsOf(v jsonscan.Value, room []dataSlot) []dataSlot {
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
	slots := room
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

// isEmpty reports whether a data member holds nothing.
func (s dataSlot) isEmpty() bool {
	if s.isElsewhere() {
		return false
	}
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

// isElsewhere reports whether media has its data in a member that is not known.
func (s dataSlot) isElsewhere() bool {
	switch geminiData[s.kind].key {
	case "inlineData", "fileData":
		return !hasAny(s.v, []string{"data", "fileUri", "file_uri"}) && holdsOther(s.v)
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

// dataParts appends what a part holds: one part for each member with data. There should be one.
func (d *decoder) dataParts(parts []preflight.Part, v jsonscan.Value) []preflight.Part {
	var room [4]dataSlot
	slots := slotsOf(v, room[:0])
	if len(slots) == 0 || slotsOnlyText(slots) && strings.HasSuffix(v.Get("type").Str(), "_text") {
		if p, ok := d.foreign(v); ok {
			if p != nil {
				parts = append(parts, p)
			}
			return parts
		}
	}
	if unknownData(v, slots) == "" { // of other kinds it is not known what belongs to them
		d.refusedNames(v, &geminiPartExtras, ruleGeminiExtra)
	}
	if len(slots) > 1 {
		d.repaired(v, "", ruleGeminiEmpty,
			"the part holds several kinds of data", "split a part with several kinds of data")
		var kept []dataSlot
		for _, s := range slots {
			if !s.isEmpty() {
				kept = append(kept, s)
			}
		}
		if len(kept) > 0 {
			slots = kept
		} else {
			slots = slots[len(slots)-1:]
		}
	}
	c := d.nativeOnly(v)
	if len(slots) == 0 || slots[0].isEmpty() {
		if p := d.emptyPart(v, slots, c); p != nil {
			parts = append(parts, p)
		}
		return parts
	}
	last := len(slots) - 1
	// text comes before calls
	if last > 0 && geminiData[slots[last].kind].key == "text" {
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

// slotPart reads one data member of a part. Without native JSON in c it becomes a new part.
func (d *decoder) slotPart(s dataSlot, part jsonscan.Value, c preflight.Carried) preflight.Part {
	data := geminiData[s.kind]
	if data.read == nil || s.isElsewhere() {
		if len(c.Native.JSON) == 0 {
			c.Native = oneSlot(data.key, s.v)
		} else {
			d.signature(part)
		}
		return d.others.one(preflight.Other{Carried: c, Kind: data.key})
	}
	if data.key != "text" && s.v.Kind() != jsonscan.Object {
		d.shape(s.v, "", "the part's data is not an object", "wrote a value that is not a part as text")
		return &preflight.Text{Text: textOf(s.v)}
	}
	if len(c.Native.JSON) == 0 {
		part = jsonscan.Value{} // the other members belong to another part
		if data.key == "functionCall" || data.key == "functionResponse" {
			c.Native = oneSlot(data.key, s.v)
		}
	}
	return data.read(d, s.v, part, c)
}

// oneSlot returns a part that holds these data only.
func oneSlot(key string, v jsonscan.Value) preflight.Native {
	return preflight.Native{Format: gemini, JSON: wrapped(key, v.Raw())}
}

// emptyPart reads a part without data: only a signature, metadata such as videoMetadata, which the
// Gemini API was recorded to accept alone, data of an unknown kind, or nothing.
func (d *decoder) emptyPart(
	v jsonscan.Value, slots []dataSlot, c preflight.Carried,
) preflight.Part {
	text := len(slots) > 0 && geminiData[slots[0].kind].key == "text"
	signed := d.signature(v) != ""
	if unknown := unknownData(v, slots); unknown != "" {
		return d.others.one(preflight.Other{Carried: c, Kind: unknown})
	}
	if signed {
		if len(slots) > 0 && !text {
			d.repaired(v, "", ruleGeminiEmpty,
				"the part holds empty data beside its signature",
				"removed empty data from a part")
		}
		return d.others.one(preflight.Other{Carried: c, Kind: signatureKind})
	}
	if text {
		return d.texts.one(preflight.Text{Carried: c})
	}
	d.repaired(v, "", ruleGeminiEmpty, "the part holds no data", "removed a part without data")
	return nil
}

// unknownData returns the key of a part's data of an unknown kind, "" if it has none, or data of a
// kind that is known.
func unknownData(v jsonscan.Value, slots []dataSlot) string {
	if len(slots) > 0 {
		return ""
	}
	for m := v.First(); m.Exists(); m = m.Next() {
		_, known := dataSlots[m.Key().Str()]
		known = known || geminiThoughts.Has(m.Key()) || geminiPartExtras.Has(m.Key())
		if !known && m.Kind() != jsonscan.Null {
			return m.Key().Str()
		}
	}
	return ""
}

// signature returns the thought signature of a part. One that is not base64 is invalid, and the
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
	d.note(part, key, finding{
		code: codes.FieldRemoved, rule: ruleGeminiSignature,
		wrong: "the thought signature is not base64",
		done:  "removed a thought signature that is not base64",
	})
	return ""
}

func geminiText(d *decoder, v, part jsonscan.Value, c preflight.Carried) preflight.Part {
	if v.Kind() != jsonscan.String {
		d.shape(v, "", "the value is not a string", "wrote a value as a string")
	}
	signature := d.signature(part)
	text := ""
	if v.Kind() == jsonscan.String && part.Exists() {
		text = d.prose(v, part)
	} else {
		text = textOf(v)
	}
	if thought, _ := part.Get("thought").Bool(); thought {
		return d.thoughts.one(preflight.Reasoning{Carried: c, Text: text, Signature: signature})
	}
	return d.texts.one(preflight.Text{Carried: c, Text: text})
}

// geminiCall reads a call. A streamed call may come in fragments: only the first has a name, and
// each but the last says that it will continue. The fragments after the first stay as they are,
// because it is not known what the provider makes of them in a history.
func geminiCall(d *decoder, v, part jsonscan.Value, c preflight.Carried) preflight.Part {
	fragment := d.continues || v.Get("partialArgs").Exists() || v.Get("partial_args").Exists()
	d.continues, _ = spelledEither(v, "willContinue", "will_continue").Bool()
	if fragment && v.Get("name").Str() == "" && len(c.Native.JSON) > 0 {
		d.signature(part)
		return d.others.one(preflight.Other{Carried: c, Kind: fragmentKind})
	}
	call := d.calls.one(preflight.ToolCall{
		Carried: c, ID: d.text(v, "id"), Name: d.text(v, "name"), Input: noArguments,
		Signature: d.signature(part),
	})
	if args := v.Get("args"); hasValue(args) {
		call.Input = args.Raw()
	}
	// it belongs beside the call
	for _, key := range []string{"thoughtSignature", "thought_signature"} {
		if inner := v.Get(key); inner.Exists() {
			d.repaired(v, key, ruleGeminiExtra,
				"the thought signature is inside the function call",
				"moved a thought signature beside its function call")
			if call.Signature == "" && isSignature(inner) {
				call.Signature = inner.Str()
			}
		}
	}
	return call
}

// geminiMediaType returns the media type of a blob or file.
func (d *decoder) geminiMediaType(v jsonscan.Value) string {
	key := keyOf(v, "mimeType", "mime_type")
	mediaType := v.Get(key).Str()
	if whole, ok := geminiTypes[strings.ToLower(mediaType)]; ok {
		d.repaired(v, key, ruleGeminiMediaType,
			"the media type is only the second half of one",
			"expanded an abbreviated media type")
		return whole
	}
	return mediaType
}

func geminiInline(d *decoder, v, part jsonscan.Value, c preflight.Carried) preflight.Part {
	d.signature(part)
	m := d.media.one(preflight.Media{Carried: c})
	m.MediaType, m.Data = d.bareData(v, "data")
	m.MediaType = cmp.Or(d.geminiMediaType(v), m.MediaType)
	m.Kind = mediaKind(m)
	return m
}

func geminiFile(d *decoder, v, part jsonscan.Value, c preflight.Carried) preflight.Part {
	d.signature(part)
	m := d.media.one(preflight.Media{Carried: c, MediaType: d.geminiMediaType(v)})
	m.Kind = mediaKind(m)
	d.address(m, v, keyOf(v, "fileUri", "file_uri"))
	if m.Data != "" && part.Exists() { // what is beside the file stays
		blob := jsonscan.EditObject(part)
		blob.DeleteMember(v.Key().Str())
		blob.SetMember("inlineData", []byte(`{"mimeType":"","data":""}`))
		m.Native.JSON = blob.Bytes()
	}
	m.URL, m.FileID = googleSource(m.URL)
	m.Kind = mediaKind(m)
	return m
}
