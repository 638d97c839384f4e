package preflight

import (
	"bytes"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file deals with provider-executed results whose encrypted payload somebody emptied: the provider refuses them, and
// nothing can bring the payload back.

// FlattenEmptied turns a provider-executed result with an emptied encrypted payload, and its call, into text that says
// what was found: titles and addresses.
var FlattenEmptied = Fixer{
	Name:   "flatten-emptied",
	Doc:    "turns provider-executed results whose encrypted payload was emptied into text, with their calls",
	repair: flattenEmptied,
}

// emptiedPayload reports whether a result holds an encrypted_content that is empty.
func emptiedPayload(r *ToolResult) bool {
	if !bytes.HasPrefix(bytes.TrimLeft(r.Output, " \t\r\n"), []byte("[")) {
		return false // no array; output of 200 KB is not parsed to learn that
	}
	doc := docs.Get().(*jsonscan.Doc)
	defer docs.Put(doc)
	defer doc.Release()
	if doc.Parse(r.Output) != nil {
		return false
	}
	for v := doc.Root().First(); v.Exists(); v = v.Next() {
		c := v.Get("encrypted_content")
		if c.StrIs("") || v.Get("type").StrIs("web_search_result") && c.Kind() != jsonscan.String {
			return true
		}
	}
	return false
}

func flattenEmptied(d *draft) {
	if !d.profile.EncryptedPayloads || !d.anyEmptied() {
		return
	}
	p := &d.pairs
	p.ofDraft(d)
	defer p.release()
	p.survey(serverSide)
	p.assign()
	for k := range p.results {
		r := &p.results[k]
		if !emptiedPayload(r.result) {
			continue
		}
		d.replace(r.node, r.part, &Text{Text: sourcesText(r.result)}, note{code: CodeOrphanToText, problem: ProblemOpaqueEmpty, id: r.result.CallID,
			detail: "turned a provider-executed result with an emptied payload into text"})
		if r.call == none || r.further || !p.inPlace(k) {
			continue
		}
		c := &p.calls[r.call]
		d.drop(c.node, c.part, note{code: CodeDanglingRemoved, problem: ProblemOpaqueEmpty, id: c.call.ID,
			detail: "removed the call of a result that became text"})
	}
	d.commit()
}

// anyEmptied reports whether there is a provider-executed result with an emptied payload.
func (d *draft) anyEmptied() bool {
	for i := range d.nodes {
		for _, part := range d.nodes[i].Parts {
			if r := serverResult(part); r != nil && emptiedPayload(r) {
				return true
			}
		}
	}
	return false
}

// sourcesText lists the titles and addresses of a search result.
func sourcesText(r *ToolResult) string {
	var text strings.Builder
	text.WriteString("Search results:")
	doc, err := jsonscan.Parse(r.Output)
	if err != nil {
		return text.String()
	}
	for v := doc.Root().First(); v.Exists(); v = v.Next() {
		title, url := v.Get("title").Str(), v.Get("url").Str()
		switch {
		case title != "" && url != "":
			text.WriteString("\n" + title + " (" + url + ")")
		case title != "" || url != "":
			text.WriteString("\n" + title + url)
		}
	}
	return text.String()
}
