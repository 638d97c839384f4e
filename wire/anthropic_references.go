package wire

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file repairs what tool searches found: references to tools. Anthropic refuses one to a tool
// that the request does not declare.

const (
	ruleToolReference  = "anthropic/tool-reference-undeclared"
	ruleReferenceAlone = "anthropic/tool-reference-alone"
	toolReference      = "tool_reference"
	toolSearchTool     = "tool_search_tool"
	toolSearchResult   = toolSearchTool + "_result"
	// The search by words was refused when it had found itself, and the one by patterns accepted.
	selfRefused  = toolSearchTool + "_bm25"
	toolAddition = "tool_addition"
)

// mendReferences removes references to tools that the request does not declare, and renames those
// to tools that are renamed.
func (r *Request) mendReferences() {
	var refs *references
	for i := range r.Messages {
		for j, p := range r.Messages[i].Parts {
			result, ok := p.(*preflight.ToolResult)
			if !ok || result.Variant != toolSearchResult &&
				!slices.ContainsFunc(result.Content, isReference) {
				continue
			}
			if refs == nil {
				if refs = r.references(); refs == nil {
					return
				}
			}
			refs.at = preflight.At(i, j)
			if result.Variant == toolSearchResult {
				refs.mendSearch(result)
			} else {
				refs.mendContent(result)
			}
		}
	}
}

func isReference(p preflight.Part) bool {
	other, ok := p.(*preflight.Other)
	return ok && other.Kind == toolReference
}

// references repairs references to tools.
type references struct {
	r    *Request
	sent map[string]string // declared tools, and the names that they are sent with
	at   preflight.Position
}

// references returns nil when not all tools are known that may be referred to: a set of tools does
// not list them, nor does an MCP server, and messages may define some.
func (r *Request) references() *references {
	if hasValue(r.root.Get("mcp_servers")) || slices.ContainsFunc(r.Messages, addsTools) {
		return nil
	}
	refs := &references{r: r, sent: make(map[string]string)}
	tools := r.root.Get("tools")
	if hasValue(tools) && tools.Kind() != jsonscan.Array {
		return nil
	}
	for t := tools.First(); t.Exists(); t = t.Next() {
		name := t.Get("name").Str()
		switch {
		case name == "":
			return nil
		case !strings.HasPrefix(t.Get("type").Str(), selfRefused):
			refs.sent[name] = name
		}
	}
	for sent, declared := range r.renamed {
		refs.sent[declared] = sent
	}
	return refs
}

func addsTools(m preflight.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p preflight.Part) bool {
		other, ok := p.(*preflight.Other)
		return ok && other.Kind == toolAddition
	})
}

// mend returns the JSON of a reference, renamed if its tool is, and nil if its tool is not
// declared. A reference that has no name is left alone. path is where it is.
func (refs *references) mend(v jsonscan.Value, path string) []byte {
	name := v.Get("tool_name")
	if v.Get("type").Str() != toolReference || name.Kind() != jsonscan.String {
		return v.Raw()
	}
	sent, declared := refs.sent[name.Str()]
	switch {
	case !declared:
		refs.r.noteMessage(refs.at.Message(), finding{
			code: codes.PartRemoved, rule: ruleToolReference, path: path,
			wrong: "a reference is to a tool that is not declared",
			done:  "removed a reference to a tool that is not declared",
		})
		return nil
	case sent != name.Str():
		refs.r.noteMessage(refs.at.Message(), toolRenamed(path+".tool_name", ruleDeclaredName))
		at := name.Start() - v.Start()
		return slices.Concat(v.Raw()[:at], quoted(sent), v.Raw()[at+len(name.Raw()):])
	}
	return v.Raw()
}

// mendSearch repairs the result of a search that the provider ran.
func (refs *references) mendSearch(result *preflight.ToolResult) {
	list := valueOf(result.Output).Get("tool_references")
	if list.Kind() != jsonscan.Array {
		return
	}
	var references listRepair
	path := refs.r.requestPath(refs.at) + ".content.tool_references"
	for k, v := range list.All() {
		switch raw := refs.mend(v, indexed(path, k)); {
		case raw == nil:
			references.remove(k)
		case sameJSON(raw, v.Raw()):
			references.keep(k)
		default:
			references.replace(k, onePiece(raw))
		}
	}
	if !references.changed {
		return
	}
	var edits jsonscan.Edits
	splice(&edits, list, result.Output, references.items)
	result.Output = edited(result.Output, &edits)
}

// apart returns the content of a result in which no reference is beside text: each such reference
// becomes a line of text that names the tool. The text is the tool's own, and can be nowhere else.
func (refs *references) apart(content []preflight.Part) []preflight.Part {
	if !slices.ContainsFunc(content, isReference) || !slices.ContainsFunc(content, isText) {
		return content
	}
	out := slices.Clone(content)
	for k, p := range out {
		if !isReference(p) {
			continue
		}
		other := p.(*preflight.Other)
		name := valueOf(other.Native.JSON).Get("tool_name").Str()
		refs.r.noteMessage(refs.at.Message(), finding{
			code: codes.PartToText, rule: ruleReferenceAlone, path: refs.r.requestPath(
				preflight.At(refs.at.Message(), refs.at.Part(), k)),
			wrong: "a reference to a tool is beside text",
			done:  "wrote a reference to a tool, which may not be beside text, as text",
		})
		out[k] = &preflight.Text{
			Carried: preflight.Carried{Cache: other.Cache}, Text: "[tool found: " + name + "]",
		}
	}
	return out
}

func isText(p preflight.Part) bool {
	_, ok := p.(*preflight.Text)
	return ok
}

// mendContent repairs the result of a search that the caller ran. If nothing is left, it says which
// tools were found.
func (refs *references) mendContent(result *preflight.ToolResult) {
	content := make([]preflight.Part, 0, len(result.Content))
	var removed []string
	var cache []byte
	for k, p := range result.Content {
		if !isReference(p) {
			content = append(content, p)
			continue
		}
		other := p.(*preflight.Other)
		v := valueOf(other.Native.JSON)
		if !v.Exists() {
			content = append(content, p)
			continue
		}
		refs.at = preflight.At(refs.at.Message(), refs.at.Part(), k)
		switch raw := refs.mend(v, refs.r.requestPath(refs.at)); {
		case raw == nil:
			removed = append(removed, v.Get("tool_name").Str())
			cache = other.Cache
		case !bytes.Equal(raw, other.Native.JSON):
			renamed := *other
			renamed.Native.JSON = raw
			content = append(content, &renamed)
		default:
			content = append(content, p)
		}
	}
	if removed == nil && len(content) == len(result.Content) {
		result.Content = refs.apart(content)
		return
	}
	content = refs.apart(content)
	if len(content) == 0 {
		content = append(content, &preflight.Text{
			Text: "[tools that are not available: " + strings.Join(removed, ", ") + "]",
		})
	}
	if last := cacheOf(content[len(content)-1]); cache != nil && *last == nil {
		*last = cache
	}
	result.Content = content
}
