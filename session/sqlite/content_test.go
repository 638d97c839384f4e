package sqlite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// onePixel is a PNG file.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA" +
	"AABJRU5ErkJggg=="

// otherPixel is another one.
const otherPixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGMQUDAAAACkAGE0Zn1yAAAA" +
	"AElFTkSuQmCC"

func opencodePicture(kind, data string) string {
	return `{"type":"file","mime":"` + kind + `","filename":"a","url":"data:` + kind + `;base64,` +
		data + `"}`
}

// TestOpencodeContent: what the provider refuses in a part is mended in the client's own form, and
// what it takes, or what is unknown, stays.
func TestOpencodeContent(t *testing.T) {
	const tool = `{"type":"tool","tool":"see","callID":"toolu_2","state":{"status":"completed",` +
		`"input":{"n":1.0},"output":"%s","attachments":[%s]}}`
	const gone = "the row is removed"
	failed := func(text, more string) string {
		return `{"type":"tool","tool":"see","callID":"toolu_2","state":{"status":"error",` +
			`"input":{"n":1.0},"error":"` + text + `"` + more + `}}`
	}
	const omitted = `[image omitted: its data cannot be read]`
	for _, test := range []struct{ name, owner, was, is string }{
		{"a sound picture", "msg_1", opencodePicture("image/png", onePixel), ""},
		{"an empty one, which the client describes", "msg_1", opencodePicture("image/png", ""), ""},
		{"a picture at an address", "msg_1",
			`{"type":"file","mime":"image/png","url":"https://example.org/a.png"}`, ""},
		{"a file of another kind", "msg_1", opencodePicture("text/plain", "AAAA"), ""},
		{"the model's, which is not sent", "msg_2", opencodePicture("image/png", "AAAA"), ""},
		{"an id that the client writes otherwise", "msg_2", strings.Replace(fmt.Sprintf(tool, "two", ""),
			"toolu_2", "call:2|fc 2", 1), ""},
		{"arguments that are a text", "msg_2", strings.Replace(fmt.Sprintf(tool, "two", ""), `{"n":1.0}`,
			`"{\"n\":1.0}"`, 1), fmt.Sprintf(tool, "two", "")},
		{"a call without a name", "msg_2", strings.Replace(fmt.Sprintf(tool, "two", ""), `"see"`, `""`, 1),
			strings.Replace(fmt.Sprintf(tool, "two", ""), `"see"`, `"unknown_tool"`, 1)},
		{"an id that the call before has", "msg_2", strings.Replace(fmt.Sprintf(tool, "two", ""),
			"toolu_2", "toolu_1", 1), strings.Replace(fmt.Sprintf(tool, "two", ""), "toolu_2", "prt_5", 1)},
		{"an error without a text", "msg_2", failed("", ""), failed("(no error text)", "")},
		{"an interrupted command without output", "msg_2", failed("",
			`,"metadata":{"interrupted":true,"output":""}`), ""},
		{"a blank text of the user's", "msg_1", `{"type":"text","text":" "}`, gone},
		{"a call of an unknown status", "msg_2", strings.Replace(strings.Replace(
			fmt.Sprintf(tool, "two", ""), "completed", "queued", 1), "toolu_2", "toolu_1", 1), ""},
		{"a call of the provider's tool", "msg_2", strings.Replace(fmt.Sprintf(tool, "two", ""),
			`"tool":"see"`, `"metadata":{"providerExecuted":true},"tool":""`, 1), ""},
		{"a call of the user's, which is not sent", "msg_1", strings.Replace(
			fmt.Sprintf(tool, "two", ""), `"see"`, `""`, 1), ""},
		{"an unknown part", "msg_1", `{"type":"future","text":"a \ud83d","url":"data:image/png;` +
			`base64,AAAA"}`, ""},
		{"an unknown member", "msg_1", `{"type":"text","text":"a","future":"\ud83d"}`, ""},
		{"an output that the client has cleared", "msg_2", strings.Replace(fmt.Sprintf(tool, "two",
			opencodePicture("image/png", "AAAA")), `"output"`, `"time":{"compacted":7},"output"`, 1), ""},
		{"an undecodable picture", "msg_1", opencodePicture("image/png", "AAAA"),
			`{"type":"text","text":"` + omitted + `","synthetic":true}`},
		{"a picture of another type", "msg_1", opencodePicture("image/jpeg", onePixel),
			opencodePicture("image/png", onePixel)},
		{"a result with an undecodable picture", "msg_2",
			fmt.Sprintf(tool, "two", opencodePicture("image/png", "AAAA")),
			fmt.Sprintf(tool, `two\n`+omitted, "")},
		{"a result with two pictures, one of them sound", "msg_2", fmt.Sprintf(tool, "",
			opencodePicture("image/png", "AAAA")+","+opencodePicture("image/png", onePixel)),
			fmt.Sprintf(tool, omitted, opencodePicture("image/png", onePixel))},
		{"a result with a picture of another type", "msg_2",
			fmt.Sprintf(tool, "two", opencodePicture("image/gif", onePixel)),
			fmt.Sprintf(tool, "two", opencodePicture("image/png", onePixel))},
		{"a lone surrogate, which the client replaces", "msg_1",
			`{"type":"text","text":"a \ud83d","n":1.0}`, ""},
		{"one in a result", "msg_2", fmt.Sprintf(tool, `two \ud83d`, ""), ""},
		{"one in arguments", "msg_2", strings.Replace(fmt.Sprintf(tool, "two", ""), `1.0`,
			`["\ud83d"]`, 1), ""},
		{"an empty text without reasoning, which the client leaves out", "msg_3",
			`{"type":"text","text":""}`, ""},
		{"a text with NUL", "msg_1", `{"type":"text","text":"a\u0000b","n":1.0}`,
			`{"type":"text","text":"ab","n":1.0}`},
		{"arguments with NUL", "msg_2", strings.Replace(fmt.Sprintf(tool, "two", ""), `1.0`,
			`["a\u0000"]`, 1), strings.Replace(fmt.Sprintf(tool, "two", ""), `1.0`, `["a"]`, 1)},
	} {
		for _, model := range []string{"claude-sonnet-4-5", "gpt-5"} {
			t.Run(test.name+" "+model, func(t *testing.T) {
				rows := opencodeSchema + "INSERT INTO part VALUES ('prt_5', '" + test.owner +
					"', 'ses_1', 5, '" + test.was + "');"
				file := create(t, strings.ReplaceAll(rows, "claude-sonnet-4-5", model), false)
				was := dump(t, file, all)
				done := repair(t, file, all)
				onlyClaude := strings.Contains(test.name, "of another type") || slices.Contains([]string{
					"arguments that are a text", "an error without a text", "a blank text of the user's",
				}, test.name)
				if test.is == "" || model == "gpt-5" && onlyClaude {
					require.Empty(t, done.Broken)
					require.Equal(t, was, dump(t, file, all))
					return
				}
				is := strings.Replace(was, test.was, test.is, 1)
				if test.is == gone {
					is = strings.Replace(was, "prt_5"+test.was+"\n", "", 1)
				}
				require.Equal(t, is, dump(t, file, all))
				require.Len(t, done.Broken, 1)
				report := done.Broken[0].Report
				require.Len(t, report.Findings, 1)
				require.Equal(t, []string{"part prt_5"}, report.Findings[0].Rows)
				if test.is != gone { // it is a fault of the row
					require.NotEmpty(t, report.Findings[0].Rule)
				}
				require.NotEmpty(t, report.Refused)
				require.Empty(t, report.Left)
			})
		}
	}
}

// TestCrushContent does the same for Crush.
func TestCrushContent(t *testing.T) {
	const attachment = `{"type":"binary","data":{"Path":"a.png","MIMEType":"%s","Data":"%s"}}`
	const result = `{"type":"tool_result","data":{"tool_call_id":"toolu_2","name":"see",` +
		`"content":"%s","data":"%s","mime_type":"%s","n":1.0}}`
	for _, test := range []struct{ name, was, is string }{
		{"a sound picture", fmt.Sprintf(attachment, "image/png", onePixel), ""},
		{"a text, which is sent as one", fmt.Sprintf(attachment, "text/plain", "AAAA"), ""},
		{"a lone surrogate, which the client replaces",
			`{"type":"text","data":{"text":"a \ud83d"}}`, ""},
		{"an unknown part", `{"type":"future","data":{"Data":"AAAA","MIMEType":"image/png"}}`, ""},
		{"an undecodable picture", fmt.Sprintf(attachment, "image/png", "AAAA"),
			fmt.Sprintf(attachment, "text/plain",
				"W2ltYWdlIG9taXR0ZWQ6IGl0cyBkYXRhIGNhbm5vdCBiZSByZWFkXQ==")},
		{"no base64, with which the client cannot open it", fmt.Sprintf(attachment, "image/png", "!!!"),
			fmt.Sprintf(attachment, "text/plain",
				"W2ltYWdlIG9taXR0ZWQ6IGl0cyBkYXRhIGNhbm5vdCBiZSByZWFkXQ==")},
		{"a picture of another type", fmt.Sprintf(attachment, "image/jpeg", onePixel),
			fmt.Sprintf(attachment, "image/png", onePixel)},
		{"an error without a text", strings.Replace(fmt.Sprintf(result, "", "", ""), `"n"`,
			`"is_error":true,"n"`, 1), strings.Replace(fmt.Sprintf(result, "(no error text)", "", ""),
			`"n"`, `"is_error":true,"n"`, 1)},
		{"a result without a text", fmt.Sprintf(result, "", "", ""), ""},
		{"a result with a sound picture", fmt.Sprintf(result, "", onePixel, "image/png"), ""},
		{"a result with an undecodable picture", fmt.Sprintf(result, "two", "AAAA", "image/png"),
			fmt.Sprintf(result, `two\n[image omitted: its data cannot be read]`, "", "")},
		{"a result with a picture of another type", fmt.Sprintf(result, "", onePixel, "image/jpeg"),
			fmt.Sprintf(result, "", onePixel, "image/png")},
	} {
		t.Run(test.name, func(t *testing.T) {
			first, second := crushSecond, test.was
			if strings.Contains(test.was, "tool_result") {
				first, second = test.was, `{"type":"text","data":{"text":"Go on."}}`
			}
			file := create(t, crushTables+crushMessage("m2", "assistant", "["+crushCalls+"]", "2")+
				crushMessage("m3", "tool", "["+crushFirst+","+first+"]", "3")+
				crushMessage("m4", "user", "["+second+"]", "4"), false)
			was := dump(t, file, crushAll)
			done := repair(t, file, crushAll)
			if test.is == "" {
				require.Empty(t, done.Broken)
				require.Equal(t, was, dump(t, file, crushAll))
				return
			}
			require.Equal(t, strings.Replace(was, test.was, test.is, 1), dump(t, file, crushAll))
			report := done.Broken[0].Report
			require.Len(t, report.Findings, 1)
			require.NotEmpty(t, report.Findings[0].Rule)
			require.Empty(t, report.Left)
			require.NotContains(t, session.Title(report.Client), "unknown")
		})
	}
}
