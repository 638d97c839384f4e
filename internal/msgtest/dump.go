package msgtest

import (
	"fmt"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// This file prints histories for the messages of failed properties.

// Dump writes a history down for a failing test.
func Dump(h []preflight.Message) string {
	var b strings.Builder
	for i, m := range h {
		fmt.Fprintf(&b, "  %d %q", i, m.Role)
		if m.Name != "" {
			fmt.Fprintf(&b, " name %q", m.Name)
		}
		for _, p := range m.Parts {
			b.WriteString("  " + Describe(p, 40))
			if c := preflight.CarriedBy(p); c != nil && c.Cache != nil {
				b.WriteString(" cache" + string(c.Cache))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Describe writes a part down, tag first, without its cache breakpoint; strings are cut to most
// bytes.
func Describe(p preflight.Part, most int) string {
	clip := func(s string) string {
		if len(s) > most {
			return s[:most] + "…"
		}
		return s
	}
	head := histgen.Tag(p) + ":"
	switch p := p.(type) {
	case *preflight.Text:
		if p != nil {
			return head + fmt.Sprintf("text(%q)", clip(p.Text))
		}
	case *preflight.Reasoning:
		if p != nil {
			return head + fmt.Sprintf("reasoning(%q sig %q opaque %q)", clip(p.Text), p.Signature,
				p.Opaque)
		}
	case *preflight.ToolCall:
		if p != nil {
			return head + fmt.Sprintf("call(%q %q %s server=%v awaiting=%q %s)", clip(p.ID),
				clip(p.Name), clip(string(p.Input)), p.ProviderExecuted, p.Awaiting, p.Variant)
		}
	case *preflight.ToolResult:
		if p != nil {
			content := ""
			for _, c := range p.Content {
				content += " " + Describe(c, most)
			}
			return head + fmt.Sprintf("result(%q name=%q output=%s error=%v server=%v %s[%s])",
				clip(p.CallID), clip(p.Name), clip(string(p.Output)), p.IsError, p.ProviderExecuted,
				p.Variant, content)
		}
	case *preflight.Media:
		if p != nil {
			return head + fmt.Sprintf("media(%s %s %q)", p.Kind, p.MediaType, p.Name)
		}
	case *preflight.Other:
		if p != nil {
			return head + fmt.Sprintf("other(%q)", p.Kind)
		}
	}
	return fmt.Sprintf("%T(nil)", p)
}

func List(warnings []preflight.Warning) string {
	var b strings.Builder
	for _, w := range warnings {
		fmt.Fprintf(
			&b,
			"\n  %s %s %q: %s -%+v +%+v",
			w.At,
			w.Code,
			w.ToolCallID,
			w.Detail,
			w.Removed,
			w.Added,
		)
	}
	return b.String()
}
