package compact

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/contain"
	"github.com/go-preflight/preflight/compact/internal/cut"
)

// This file gives long outputs of tools to the caller, who can read them again by a handle.

// offloadBytes is the size from which on an output that is shortened is given to the caller, and
// offloadEdge how many bytes of its beginning, and of its end, stay.
const offloadBytes, offloadEdge = resultBytes, 400

// offloads gives results to the caller, each once. Nil gives none.
type offloads struct {
	ctx     context.Context
	offload func(context.Context, *preflight.ToolResult) (string, error)
	handles map[*preflight.ToolResult]string
}

func (l Limits) offloads(ctx context.Context) *offloads {
	if l.Offload == nil {
		return nil
	}
	return &offloads{ctx, l.Offload, make(map[*preflight.ToolResult]string)}
}

// mark returns a line with the handle of a result that is long enough, or "".
func (o *offloads) mark(r *preflight.ToolResult) string {
	if o == nil || r.ProviderExecuted {
		return ""
	}
	size := len(contentText(r))
	if size <= offloadBytes {
		return ""
	}
	handle, known := o.handles[r]
	if !known {
		defer contain.Guard("function Limits.Offload")
		var err error
		if handle, err = o.offload(o.ctx, r); err != nil {
			handle = ""
		}
		handle = strings.ReplaceAll(inLines(handle), "\n", " ")
		o.handles[r] = handle
	}
	if handle == "" {
		return ""
	}
	return fmt.Sprintf("%s%d bytes%s%s]", storedHead, size, storedAs, handle)
}

// What the line with a handle begins with, and what is before the handle.
const storedHead, storedAs = "[output of ", ", stored as "

// storedMark returns the line with a handle in a text, or "".
func storedMark(text string) string {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, storedHead) && strings.Contains(line, storedAs) {
			return line
		}
	}
	return ""
}

// distilled returns a result that keeps so many bytes of its beginning and of its end, in whole
// lines where there are some, and a mark between.
func distilled(r *preflight.ToolResult, mark string, edge int) *preflight.ToolResult {
	text := contentText(r)
	head, tail := text, ""
	if len(text) > 2*edge {
		head, tail = text[:cut.Point(text, edge)], text[cut.Tail(text, edge):]
		if end := strings.LastIndexByte(head, '\n'); end > 0 {
			head = head[:end]
		}
		if at := strings.IndexByte(tail, '\n'); at >= 0 && at+1 < len(tail) {
			tail = tail[at+1:]
		}
	}
	c := *r
	c.Output = nil
	c.Content = []preflight.Part{&preflight.Text{Text: head + "\n" + mark + "\n" + tail}}
	return &c
}

// recorded returns messages as a record is made of them: with handles in place of the middle of
// long outputs, of which a record has no more than resultBytes anyway.
func (o *offloads) recorded(messages []preflight.Message) []preflight.Message {
	if o == nil {
		return messages
	}
	out := slices.Clone(messages)
	for i, m := range out {
		for j, p := range m.Parts {
			r, ok := p.(*preflight.ToolResult)
			if !ok || r == nil {
				continue
			}
			if mark := o.mark(r); mark != "" {
				out[i].Parts = slices.Clone(out[i].Parts)
				out[i].Parts[j] = distilled(r, mark, (resultBytes-len(mark))/2-2)
			}
		}
	}
	return out
}
