//go:build unix

package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // the driver
)

// This file breaks stored sessions.

// fault is one way to break a session.
type fault struct {
	name string
	// apply changes a session file. It reports false when there is nothing in it to break so.
	apply func(file string) (bool, error)
}

// faultsOf returns the faults for a form of session files.
func faultsOf(form string) []fault {
	switch form {
	case "rows":
		return rowFaults()
	case "messages":
		return messageFaults()
	}
	return lineFaults()
}

// edits of one line, at an index.
var edits = []struct {
	name string
	do   func(lines [][]byte, k int) [][]byte
}{
	{"lost", func(lines [][]byte, k int) [][]byte { return slices.Delete(lines, k, k+1) }},
	{"cut off", func(lines [][]byte, k int) [][]byte {
		lines[k] = lines[k][:len(lines[k])/2]
		return lines
	}},
	{"there twice", func(lines [][]byte, k int) [][]byte {
		return slices.Insert(lines, k, lines[k])
	}},
}

// broken are the parts of the conversation whose line is broken.
var broken = []struct{ name, marker string }{
	{"the prompt", "PROMPT-ONE"},
	{"a call", "TEXT-ONE"},
	{"a result", "RES-one"},
	{"a parallel result", "RES-two"},
	{"the answer", "TEXT-THREE"},
}

func lineFaults() []fault {
	whole := func(do func(data []byte) []byte) func(string) (bool, error) {
		return func(file string) (bool, error) {
			data, err := os.ReadFile(file)
			if err != nil {
				return false, err
			}
			return true, os.WriteFile(file, do(bytes.Clone(data)), 0o600)
		}
	}
	all := []fault{{"none", whole(func(data []byte) []byte { return data })}}
	for _, part := range broken {
		for _, e := range edits {
			all = append(all, fault{part.name + " " + e.name, onLine(part.marker, false, e.do)})
		}
	}
	for _, e := range edits { // where a client writes a call again when it has its result
		all = append(all, fault{"the last copy of a call " + e.name, onLine("TEXT-ONE", true, e.do)})
	}
	for _, e := range edits { // where a client has a line for the call alone
		all = append(all, fault{"a call without its text " + e.name,
			onLine(callMark("RES-one"), false, func(lines [][]byte, k int) [][]byte {
				if len(missing([]string{"TEXT-ONE", "RES-one"}, lines[k])) < 2 {
					return nil
				}
				return e.do(lines, k)
			})})
	}
	all = append(all, contentFaults()...)
	for _, beside := range []bool{false, true} {
		name := map[bool]string{false: "a picture between results", true: "a picture beside a result"}
		all = append(all, fault{name[beside], onLine("RES-two", false, func(l [][]byte, k int) [][]byte {
			return withPicture(l, k, beside)
		})})
	}
	for seed := range randomFaults {
		all = append(all, fault{fmt.Sprintf("random records lost (%d)", seed), whole(
			func(data []byte) []byte { return withoutRandom(data, uint64(seed)) })})
	}
	return append(all,
		fault{"the end cut off", whole(func(data []byte) []byte { return data[:len(data)-30] })},
		fault{"the file twice", whole(func(data []byte) []byte { return append(data, data...) })},
		fault{"the first line twice", whole(func(data []byte) []byte {
			first, _, _ := bytes.Cut(data, []byte("\n"))
			return append(append(data, first...), '\n')
		})},
		fault{"a result after the answer", whole(func(data []byte) []byte {
			lines := bytes.SplitAfter(data, []byte("\n"))
			k, n := markerLine(lines, "RES-two"), markerLine(lines, "TEXT-THREE")
			if k < 0 || n < k {
				return data
			}
			late := lines[k]
			lines = slices.Delete(lines, k, k+1)
			return bytes.Join(slices.Insert(lines, n, late), nil)
		})},
	)
}

// randomFaults is how often random records are lost.
const randomFaults = 8

// withoutRandom returns lines without one to three of them, and not without the first, by which a
// session is known.
func withoutRandom(data []byte, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	lines := bytes.SplitAfter(data, []byte("\n"))
	for range min(1+r.IntN(3), len(lines)-2) {
		k := 1 + r.IntN(len(lines)-2)
		lines = slices.Delete(lines, k, k+1)
	}
	return bytes.Join(lines, nil)
}

// contentFaults break what is said, and not the records.
func contentFaults() (all []fault) {
	for _, f := range []struct{ name, marker, was, is string }{
		{"a lone surrogate in the prompt", "PROMPT-ONE", "PROMPT-ONE", `PROMPT-ONE \ud83d`},
		{"a lone surrogate in a result", "RES-two", "RES-two", `RES-two \ud83d`},
		{"a blank answer", "TEXT-THREE", `"TEXT-THREE Both are done."`, `" "`},
		{"an empty answer", "TEXT-THREE", `"TEXT-THREE Both are done."`, `""`},
	} {
		all = append(all, fault{f.name, onLine(f.marker, false, func(lines [][]byte, k int) [][]byte {
			if !bytes.Contains(lines[k], []byte(f.was)) {
				return nil
			}
			lines[k] = bytes.ReplaceAll(lines[k], []byte(f.was), []byte(f.is))
			return lines
		})})
	}
	return append(all, fault{"reasoning without its signature",
		onLine("One command first.", false, func(lines [][]byte, k int) [][]byte {
			unsigned := signature.ReplaceAll(lines[k], []byte(`$1""`))
			if bytes.Equal(unsigned, lines[k]) {
				return nil
			}
			lines[k] = unsigned
			return lines
		})})
}

// withPicture puts a picture after a result of Claude Code: into its record, or into one of its own
// that the next result follows.
func withPicture(lines [][]byte, k int, beside bool) [][]byte {
	var record, next map[string]any
	if k+1 == len(lines) || json.Unmarshal(lines[k], &record) != nil ||
		json.Unmarshal(lines[k+1], &next) != nil || record["sourceToolAssistantUUID"] == nil {
		return nil
	}
	message, _ := record["message"].(map[string]any)
	content, _ := message["content"].([]any)
	picture := map[string]any{"type": "image", "source": map[string]any{
		"type": "base64", "media_type": "image/png", "data": onePixel,
	}}
	if beside {
		message["content"] = append(content, picture)
		lines[k], _ = json.Marshal(record)
		return lines
	}
	const id = "5c86a6b1-0000-4000-8000-000000000000"
	record["parentUuid"], record["uuid"], record["isMeta"] = record["uuid"], id, true
	delete(record, "sourceToolAssistantUUID")
	delete(record, "toolUseResult")
	message["content"] = []any{picture}
	next["parentUuid"] = id
	lines[k+1], _ = json.Marshal(next)
	added, _ := json.Marshal(record)
	return slices.Insert(lines, k+1, added)
}

var signature = regexp.MustCompile(`("(?:thinkingSignature|signature)":)"[^"]*"`)

// onLine edits the first line of the conversation that has a marker, or the second one.
func onLine(
	marker string, second bool, do func([][]byte, int) [][]byte,
) func(string) (bool, error) {
	return func(file string) (bool, error) {
		data, err := os.ReadFile(file)
		if err != nil {
			return false, err
		}
		lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
		k := markerLine(lines, marker)
		if second && k >= 0 {
			first := k
			k = slices.IndexFunc(lines[first+1:], func(line []byte) bool {
				return markerLine([][]byte{line}, marker) == 0 &&
					!bytes.Contains(line, []byte(`"$set"`))
			})
			if k >= 0 {
				k += first + 1
			}
		}
		if k < 0 {
			return false, nil
		}
		if lines = do(lines, k); lines == nil {
			return false, nil
		}
		return true, os.WriteFile(file, append(bytes.Join(lines, []byte("\n")), '\n'), 0o600)
	}
}

// besides are what lines have that hold a text of the conversation for another purpose.
var besides = []string{
	`"event_msg"`, `"queue-operation"`, `"last-prompt"`, `"api-request`, `"system"`,
	`"ai-title"`, `"attachment"`,
	`"query": "printf`, // a result that quotes its call
}

func markerLine(lines [][]byte, marker string) int {
	return slices.IndexFunc(lines, func(line []byte) bool {
		return bytes.Contains(line, []byte(marker)) &&
			!slices.ContainsFunc(besides, func(s string) bool {
				return bytes.Contains(line, []byte(s))
			})
	})
}

// messageFaults are those of a JSON document with a list of messages.
func messageFaults() []fault {
	all := []fault{{"none", func(string) (bool, error) { return true, nil }}}
	onList := func(name string, do func(list []json.RawMessage) []json.RawMessage) {
		all = append(all, fault{name, func(file string) (bool, error) {
			return editMessages(file, do)
		}})
	}
	at := func(list []json.RawMessage, marker string) int {
		return slices.IndexFunc(list, func(m json.RawMessage) bool {
			return bytes.Contains(m, []byte(marker))
		})
	}
	for _, part := range broken {
		onList(part.name+" lost", func(list []json.RawMessage) []json.RawMessage {
			if k := at(list, part.marker); k >= 0 {
				return slices.Delete(list, k, k+1)
			}
			return nil
		})
		onList(part.name+" there twice", func(list []json.RawMessage) []json.RawMessage {
			if k := at(list, part.marker); k >= 0 {
				return slices.Insert(list, k, list[k])
			}
			return nil
		})
	}
	onList("a result after the answer", func(list []json.RawMessage) []json.RawMessage {
		k, n := at(list, "RES-two"), at(list, "TEXT-THREE")
		if k < 0 || n < k {
			return nil
		}
		late := list[k]
		return slices.Insert(slices.Delete(list, k, k+1), n, late)
	})
	for _, f := range []struct{ name, marker, is string }{
		{"a lone surrogate in the prompt", "PROMPT-ONE", `PROMPT-ONE \ud83d`},
		{"a lone surrogate in a result", "RES-two", `RES-two \ud83d`},
		{"a blank answer", "TEXT-THREE Both are done.", " "},
	} {
		onList(f.name, func(list []json.RawMessage) []json.RawMessage {
			k := at(list, f.marker)
			if k < 0 {
				return nil
			}
			list[k] = bytes.ReplaceAll(list[k], []byte(f.marker), []byte(f.is))
			return list
		})
	}
	onBlock := func(name, marker string, do func(block, message map[string]any)) {
		onList(name, func(list []json.RawMessage) []json.RawMessage {
			return withBlock(list, marker, do)
		})
	}
	for _, p := range []struct{ name, kind, data string }{
		{"a picture that cannot be decoded", "image/png", "AAAA"},
		{"a picture without data", "image/png", ""},
		{"a picture of another type", "image/jpeg", onePixel},
		{"a sound picture", "image/png", onePixel},
	} {
		picture := map[string]any{"type": "image", "data": p.data, "mediaType": p.kind}
		onBlock(p.name, "PROMPT-ONE", func(_, message map[string]any) {
			message["content"] = append(message["content"].([]any), picture)
		})
		onBlock(p.name+" in a result", "RES-two", func(block, _ map[string]any) {
			block["content"] = []any{map[string]any{"type": "text", "text": "RES-two"}, picture}
		})
	}
	onList("an id with other characters", func(list []json.RawMessage) []json.RawMessage {
		var id string
		withBlock(list, "RES-two", func(block, _ map[string]any) {
			id, _ = block["tool_use_id"].(string)
		})
		if id == "" {
			return nil
		}
		for k := range list {
			list[k] = bytes.ReplaceAll(list[k], fmt.Appendf(nil, "%q", id), []byte(`"call:2|fc.2"`))
		}
		return list
	})
	onBlock("a tool name with other characters", callMark("RES-two"),
		func(block, _ map[string]any) { block["name"] = "a tool" })
	onBlock("arguments that are a text", callMark("RES-three"),
		func(block, _ map[string]any) { block["input"] = `{"commands":["printf '` + callMark("RES-three") })
	onBlock("a message without content", "TEXT-THREE", func(_, message map[string]any) {
		message["content"] = []any{}
	})
	onList("the messages twice", func(list []json.RawMessage) []json.RawMessage {
		return append(list, list...)
	})
	return append(all, fault{"the end cut off", func(file string) (bool, error) {
		data, err := os.ReadFile(file)
		if err != nil {
			return false, err
		}
		end := bytes.Index(data, []byte("TEXT-THREE"))
		return end > 0, os.WriteFile(file, data[:max(end, 0)], 0o600)
	}})
}

// withBlock edits the first block of a list of messages that has a marker, and its message.
func withBlock(
	list []json.RawMessage, marker string, do func(block, message map[string]any),
) []json.RawMessage {
	for k, raw := range list {
		var message map[string]any
		if json.Unmarshal(raw, &message) != nil {
			return nil
		}
		blocks, _ := message["content"].([]any)
		for _, element := range blocks {
			block, _ := element.(map[string]any)
			said, err := json.Marshal(block)
			if err != nil || !bytes.Contains(said, []byte(marker)) {
				continue
			}
			do(block, message)
			if list[k], err = json.Marshal(message); err != nil {
				return nil
			}
			return list
		}
	}
	return nil
}

// editMessages changes the list of messages of a document. do returns nil when there is nothing in
// it to break so.
func editMessages(file string, do func([]json.RawMessage) []json.RawMessage) (bool, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	var document struct {
		Messages json.RawMessage `json:"messages"`
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &document); err != nil {
		return false, err
	}
	if err := json.Unmarshal(document.Messages, &list); err != nil {
		return false, err
	}
	edited := do(list)
	if edited == nil {
		return false, nil
	}
	raw, err := json.MarshalIndent(edited, "", "  ") // as the client does: see readable
	if err != nil {
		return false, err
	}
	return true, os.WriteFile(file, bytes.Replace(data, document.Messages, raw, 1), 0o600)
}

// rowFaults are those of a database with the tables message and part.
func rowFaults() []fault {
	all := []fault{{"none", func(string) (bool, error) { return true, nil }}}
	add := func(name, table, marker, statement string) {
		all = append(all, rowFault(name, table, marker, statement))
	}
	const cut = "UPDATE %s SET data = substr(data, 1, length(data) * 6 / 10) WHERE id = ?"
	for _, part := range broken[:4] {
		add(part.name+" lost", "part", part.marker, "DELETE FROM %s WHERE id = ?")
		add(part.name+" cut off", "part", part.marker, cut)
		add(part.name+" there twice", "part", part.marker, "INSERT INTO %s "+
			"SELECT id || '0', message_id, session_id, time_created, time_updated, data "+
			"FROM part WHERE id = ?")
	}
	add("a result without its output", "part", "RES-one",
		"UPDATE %s SET data = json_remove(data, '$.state.output') WHERE id = ?")
	add("a message cut off", "message", `"assistant"`, cut)
	add("the prompt's message cut off", "message", `"user"`, cut)
	add("a message lost", "message", `"assistant"`, "DELETE FROM %s WHERE id = ?")
	return append(all, rowContentFaults()...)
}

// rowFault runs a statement on the first row that has a marker.
func rowFault(name, table, marker, statement string) fault {
	return fault{name, func(file string) (bool, error) {
		return onRow(file, table, marker, statement)
	}}
}

// rowContentFaults break what is said, and not the rows. What a row says does not depend on others.
func rowContentFaults() (all []fault) {
	add := func(name, table, marker, statement string) {
		all = append(all, rowFault(name, table, marker, statement))
	}
	replace := func(was, is string) string {
		return "UPDATE %s SET data = replace(data, '" + was + "', '" + is + "') WHERE id = ?"
	}
	beside := func(data string) string { // another part of the same message
		return "INSERT INTO %s SELECT id || '0', message_id, session_id, time_created, time_updated, " +
			"'" + data + "' FROM part WHERE id = ?"
	}
	picture := func(kind, data string) string {
		return `{"type":"file","mime":"` + kind + `","filename":"a.png","url":"data:` + kind +
			`;base64,` + data + `"}`
	}
	attached := func(data string) string {
		return "UPDATE %s SET data = json_set(data, '$.state.attachments', json('[" + data +
			"]')) WHERE id = ?"
	}
	add("a lone surrogate in the prompt", "part", "PROMPT-ONE", replace("PROMPT-ONE",
		`PROMPT-ONE \ud83d`))
	add("a lone surrogate in a result", "part", "RES-two", replace("RES-two", `RES-two \ud83d`))
	add("a blank answer", "part", "TEXT-THREE", replace("TEXT-THREE Both are done.", " "))
	add("an empty answer", "part", "TEXT-THREE", replace("TEXT-THREE Both are done.", ""))
	add("reasoning without its signature", "part", "One command first.",
		"UPDATE %s SET data = json_remove(data, '$.metadata.anthropic.signature') WHERE id = ?")
	add("a picture that cannot be decoded", "part", "PROMPT-ONE", beside(picture("image/png",
		"AAAA")))
	add("a picture without data", "part", "PROMPT-ONE", beside(picture("image/png", "")))
	add("a picture of another type", "part", "PROMPT-ONE", beside(picture("image/jpeg", onePixel)))
	add("a sound picture", "part", "PROMPT-ONE", beside(picture("image/png", onePixel)))
	add("an undecodable picture in a result", "part", "RES-two", attached(picture("image/png",
		"AAAA")))
	add("a picture of another type in a result", "part", "RES-two", attached(picture("image/jpeg",
		onePixel)))
	add("an id with other characters", "part", "RES-two",
		"UPDATE %s SET data = json_set(data, '$.callID', 'call:2|fc.2') WHERE id = ?")
	add("a tool name with other characters", "part", "RES-two",
		"UPDATE %s SET data = json_set(data, '$.tool', 'a tool') WHERE id = ?")
	add("an id of two calls", "part", "RES-two", "UPDATE %s SET data = json_set(data, '$.callID', "+
		"(SELECT json_extract(data, '$.callID') FROM part WHERE instr(data, 'RES-one'))) WHERE id = ?")
	add("a call without an id", "part", "RES-two",
		"UPDATE %s SET data = json_remove(data, '$.callID') WHERE id = ?")
	add("a call without a name", "part", "RES-two",
		"UPDATE %s SET data = json_set(data, '$.tool', '') WHERE id = ?")
	add("an error without a text", "part", "RES-two", "UPDATE %s SET data = json_set(json_remove(data, "+
		"'$.state.output', '$.state.metadata'), '$.state.status', 'error', '$.state.error', '') "+
		"WHERE id = ?")
	add("a blank text in the prompt", "part", "PROMPT-ONE", beside(`{"type":"text","text":" "}`))
	add("arguments that are a text", "part", "RES-three", "UPDATE %s SET data = json_set(data, "+
		"'$.state.input', substr(json_extract(data, '$.state.input'), 1, 40)) WHERE id = ?")
	return all
}

// onePixel is a PNG picture.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwAD" +
	"hgGAWjR9awAAAABJRU5ErkJggg=="

func onRow(file, table, marker, statement string) (bool, error) {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return false, err
	}
	defer db.Close()
	var id string
	err = db.QueryRow("SELECT id FROM "+table+" WHERE instr(data, ?) ORDER BY id LIMIT 1",
		marker).Scan(&id)
	if err == sql.ErrNoRows {
		return false, nil
	}
	if err == nil {
		_, err = db.Exec(fmt.Sprintf(statement, table), id)
	}
	if err == nil {
		_, err = db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	}
	return err == nil, err
}

// readable returns the markers that can still be read in a session.
func readable(form, file string, markers []string) ([]string, error) {
	var whole [][]byte
	if form == "rows" {
		db, err := sql.Open("sqlite", "file:"+file+"?mode=ro")
		if err != nil {
			return nil, err
		}
		defer db.Close()
		rows, err := db.Query("SELECT data FROM part WHERE json_valid(data)")
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		for rows.Next() {
			var data []byte
			if err := rows.Scan(&data); err != nil {
				return nil, err
			}
			whole = append(whole, data)
		}
	} else {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(data) {
			if json.Valid(line) || form == "messages" {
				whole = append(whole, line)
			}
		}
	}
	all := bytes.Join(whole, []byte("\n"))
	return slices.DeleteFunc(slices.Clone(markers), func(m string) bool {
		if form != "rows" {
			return markerLine(whole, m) < 0
		}
		return !strings.Contains(string(all), m)
	}), nil
}
