package wire

import (
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file reads Gemini's function responses.

func geminiResult(d *decoder, v, part jsonscan.Value, c preflight.Carried) preflight.Part {
	d.signature(part)
	r := d.results.one(preflight.ToolResult{
		Carried: c, CallID: d.text(v, "id"), Name: d.text(v, "name"),
	})
	response, media := v.Get("response"), v.Get("parts")
	listed := media.Kind() == jsonscan.Array && media.Len() > 0
	switch key, text := onlyText(response); {
	case !hasValue(response):
		r.Output = noArguments // recorded without one
	case response.Kind() == jsonscan.String && !response.StrIs(""):
		d.repaired(v, "response", ruleGeminiResponse,
			"the function response is not an object", "wrote a function response as an object")
		r.Content = d.single(d.valueAsText(response))
	case response.Kind() != jsonscan.Object:
		d.repaired(v, "response", ruleGeminiResponse,
			"the function response is not an object", "wrote a function response as an object")
		r.Output = wrapped("output", response.Raw())
	case key != "":
		r.Content = d.oneProse(text)
		r.IsError = key == "error"
	default:
		r.Output, r.IsError = response.Raw(), isErrorResponse(response)
	}
	if !listed {
		return r
	}
	// other formats have no output beside media: it becomes text
	if len(r.Output) > 0 && response.Len() > 0 {
		r.Content, r.Output = d.single(&preflight.Text{
			Text: string(r.Output), Carried: d.nativeOnly(response),
		}), nil
	} else {
		r.Output = nil
	}
	d.eachElement(media, func(e jsonscan.Value) {
		if p := d.responsePart(e); p != nil {
			r.Content = append(r.Content, p)
		}
	})
	return r
}

// onlyText returns the text of a response that holds nothing else, and its member: output, or
// error.
func onlyText(response jsonscan.Value) (key string, text jsonscan.Value) {
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

// isErrorResponse reports whether a response is an error.
func isErrorResponse(response jsonscan.Value) bool {
	e := response.Get("error")
	return hasValue(e) && e.Kind() != jsonscan.False && !e.StrIs("") && !response.Has("output")
}

// responsePart reads one part of a function response, which is media; nil for null.
func (d *decoder) responsePart(v jsonscan.Value) preflight.Part {
	c := d.nativeOnly(v)
	switch {
	case v.Kind() == jsonscan.Null:
		d.shape(v, "", "the part is null", "removed a part that is null")
		return nil
	case v.Kind() != jsonscan.Object:
		d.shape(v, "", "the part is not an object", "wrote a value that is not a part as text")
		return &preflight.Text{Text: textOf(v)}
	}
	blob, file := spelledEither(v, "inlineData",
		"inline_data"), spelledEither(v, "fileData", "file_data")
	switch {
	case emptyBlob(blob) && file.Kind() == jsonscan.Object && !emptyFile(file):
		d.repaired(v, "", ruleGeminiEmpty,
			"the part holds several kinds of data", "removed empty data from a part")
		return geminiFile(d, file, v, c)
	case emptyBlob(blob), !hasValue(blob) && emptyFile(file):
		d.repaired(v, "", ruleGeminiEmpty, "the part holds no data", "removed a part without data")
		return nil
	case blob.Kind() == jsonscan.Object:
		return geminiInline(d, blob, v, c)
	case file.Kind() == jsonscan.Object:
		return geminiFile(d, file, v, c)
	}
	d.signature(v)
	return d.others.one(preflight.Other{Carried: c, Kind: "part"})
}

// keepServed turns the calls that the model's own content answers into parts of unknown kind, and
// their responses, too. The API runs such calls itself, and was recorded to accept them as they
// are: Chats_Tests_sendMessage_multiple_messages_with_server_side_MCP_tools of
// https://github.com/googleapis/js-genai/tree/main/test/system/recordings
func (d *decoder) keepServed(parts []preflight.Part) {
	if !slices.ContainsFunc(parts, isResult) {
		return
	}
	type key struct{ id, name string }
	var open map[key][]int // the calls without a response so far
	unknown := false       // a part of an unknown kind, which may be a call
	for j, p := range parts {
		switch p := p.(type) {
		case *preflight.ToolCall:
			if open == nil {
				open = make(map[key][]int)
			}
			k := key{p.ID, p.Name}
			open[k] = append(open[k], j)
		case *preflight.ToolResult:
			k := key{p.CallID, p.Name}
			if len(open[k]) == 0 {
				if unknown {
					parts[j] = d.others.one(
						preflight.Other{Carried: p.Carried, Kind: "functionResponse"})
				}
				continue
			}
			call := parts[open[k][0]].(*preflight.ToolCall)
			parts[open[k][0]] = d.others.one(
				preflight.Other{Carried: call.Carried, Kind: "functionCall"})
			parts[j] = d.others.one(preflight.Other{Carried: p.Carried, Kind: "functionResponse"})
			open[k] = open[k][1:]
		case *preflight.Other:
			unknown = unknown || p.Kind != signatureKind
		}
	}
}
