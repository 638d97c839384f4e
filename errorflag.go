package preflight

// This file puts into words that a tool result is an error, where the provider has no other way to say so.

// SayErrors takes the error mark off tool results where the model does not know it, and says the same in their text.
var SayErrors = Fixer{
	Name:   "say-errors",
	Doc:    "says in words that a tool result is an error, where it cannot be marked as one",
	repair: sayErrors,
}

// errorText stands before what a failed tool said.
const errorText = "The tool call failed:"

func sayErrors(d *draft) {
	if !d.profile.NoErrorFlag {
		return
	}
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			if r := clientResult(p); r != nil && r.IsError {
				d.replace(i, j, d.policy.errorSaid(r), note{code: CodeErrorSaid, problem: ProblemErrorFlag, id: r.CallID,
					detail: "said in the text of a tool result that it is an error, since the model knows no mark for it"})
			}
		}
	}
}

// errorSaid is r without its mark. A text that stands in for a result says what happened already.
func (o *Options) errorSaid(r *ToolResult) *ToolResult {
	return edited(r, func(x *ToolResult) {
		x.IsError = false
		if resultText(r) == "" || o.worthOf(r, nil) != worthPlaceholder {
			x.Content = append([]Part{&Text{Text: errorText}}, r.Content...)
		}
		if len(r.Content) == 0 && len(r.Output) > 0 { // text beside an output would hide it
			x.Content, x.Output = append(x.Content, &Text{Text: string(r.Output)}), nil
		}
	})
}
