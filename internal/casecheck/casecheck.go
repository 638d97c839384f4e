package casecheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Case is one history and what a sanitizer must make of it.
type Case struct {
	File string `json:"-"` // the file it stands in, without the folder

	Name   string          `json:"name"`
	Source string          `json:"source"` // where the idea comes from
	Format string          `json:"format"` // the wire the input is written in
	Target string          `json:"target"` // whom the history goes to, when that matters
	Note   string          `json:"note"`   // why it is hard
	Input  json.RawMessage `json:"input"`  // the history, byte for byte
	Must   []string        `json:"must"`

	// Provider is the provider the fix is told; empty means Format. Lines that
	// hold for another provider only are evaluated when it is named here.
	Provider string `json:"-"`
}

// String names the case.
func (c Case) String() string { return c.File + ":" + c.Name }

func (c Case) provider() string {
	if c.Provider != "" {
		return c.Provider
	}
	return c.Format
}

// Load reads every .json file of dir, in the order of their names.
func Load(dir string) ([]Case, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []Case
	for _, path := range paths {
		cases, err := loadFile(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		all = append(all, cases...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no cases in %s", dir)
	}
	return all, nil
}

func loadFile(path string) ([]Case, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var cases []Case
	if err := d.Decode(&cases); err != nil {
		return nil, err
	}
	for i := range cases {
		cases[i].File = filepath.Base(path)
		if err := cases[i].validate(); err != nil {
			return nil, fmt.Errorf("case %d %q: %w", i, cases[i].Name, err)
		}
	}
	return cases, nil
}

func (c Case) validate() error {
	switch {
	case c.Name == "" || c.Source == "":
		return fmt.Errorf("a case needs a name and a source")
	case !slices.Contains(formats, c.Format):
		return fmt.Errorf("unknown format %q", c.Format)
	case len(c.Must) == 0:
		return fmt.Errorf("nothing it must do")
	}
	_, err := decode(c.Input)
	return err
}

var toolName = regexp.MustCompile(`\A[a-zA-Z0-9_-]{1,64}\z`)

// Body is the whole request the case stands for, with Input's bytes untouched in
// it. Tools are declared whenever the history holds tool blocks, so that only the
// rules about the history can be broken.
func (c Case) Body() []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, f := range c.leadingFields() {
		b.WriteString(f + `, `)
	}
	fmt.Fprintf(&b, "%q: %s", historyKey(c.Format), c.Input)
	for _, f := range c.trailingFields() {
		b.WriteString(`, ` + f)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func (c Case) thinking() bool {
	return c.Format == anthropic && strings.Contains(c.Target, "thinking enabled")
}

// leadingFields are the members before the history.
func (c Case) leadingFields() []string {
	model := func(name string) string { return fmt.Sprintf(`"model": %q`, name) }
	switch c.Format {
	case anthropic:
		name, limit := "claude-sonnet-4-5", 1024
		if c.Target == "claude-opus-4-6" {
			name = c.Target
		}
		if c.thinking() {
			limit = 4096
		}
		return []string{model(name), fmt.Sprintf(`"max_tokens": %d`, limit)}
	case chat:
		switch {
		case strings.Contains(c.Target, "deepseek"):
			return []string{model("deepseek-reasoner")}
		case c.Target == "mistral":
			return []string{model("mistral-large-latest")}
		}
		return []string{model("gpt-4o")}
	case responses:
		return []string{model("gpt-5")}
	case gemini:
		switch {
		case c.Target == "gemini-3":
			return []string{model("gemini-3-pro-preview")}
		case strings.HasPrefix(c.Target, "gemini-"):
			return []string{model(c.Target)}
		}
	}
	return nil
}

// trailingFields are the members behind the history.
func (c Case) trailingFields() []string {
	var fields []string
	if c.thinking() {
		fields = append(fields, `"thinking": {"type": "enabled", "budget_tokens": 2048}`)
	}
	names := c.toolNames()
	if len(names) == 0 {
		return fields
	}
	switch {
	case c.Format == anthropic:
		fields = append(fields, `"tools": [`+eachTool(names, `{"name": %q, "input_schema": {"type": "object", "properties": {}}}`)+`]`)
	case c.Format == bedrock && !strings.Contains(c.Target, "toolConfig") && !strings.Contains(c.Target, "without tools"):
		fields = append(fields, `"toolConfig": {"tools": [`+
			eachTool(names, `{"toolSpec": {"name": %q, "inputSchema": {"json": {"type": "object", "properties": {}}}}}`)+`]}`)
	}
	return fields
}

func eachTool(names []string, format string) string {
	tools := make([]string, len(names))
	for i, n := range names {
		tools[i] = fmt.Sprintf(format, n)
	}
	return strings.Join(tools, ", ")
}

// toolNames lists the tools to declare: those called by a legal name, a stand-in
// when there is none, nothing when the history holds no tool blocks.
func (c Case) toolNames() []string {
	input, err := decode(c.Input)
	if err != nil {
		return nil
	}
	key := historyKey(c.Format)
	v := newView(c.Format, &object{keys: []string{key}, values: map[string]any{key: input}})
	if len(v.calls)+len(v.results) == 0 {
		return nil
	}
	var names []string
	for _, call := range v.calls {
		if n := strings.TrimSpace(call.name.text); toolName.MatchString(n) && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		names = []string{"noop"}
	}
	return names
}

// FixFunc sanitizes one request body for a provider. It returns the body to send
// and the warnings of its report, or an error when it refuses.
type FixFunc func(provider string, body []byte) (out []byte, warnings []json.RawMessage, err error)

// Outcome is what a fix did with the body of a case.
type Outcome struct {
	Refused  bool              // an error: nothing came out
	Err      string            // the text of that error, or of the panic
	Body     []byte            // the repaired body, when not refused
	Warnings []json.RawMessage // what the report says was done

	Again         []byte // the result for Body, nil when that was refused
	AgainWarnings int    // and how many warnings came with it
	Twice         []byte // the result of a second run on the same input, nil when refused

	Panicked bool // in any of the runs
	Mutated  bool // the fix wrote into the body it was given
}

// Run drives fix over the case, a second time over the same input and once over
// its own output, and evaluates what happened. A panic is caught and recorded.
func Run(c Case, fix FixFunc) ([]Line, Outcome) {
	o := outcomeOf(c, fix)
	return Evaluate(c, o), o
}

func outcomeOf(c Case, fix FixFunc) Outcome {
	var o Outcome
	input := c.Body()
	body, warnings, err := o.call(fix, c.provider(), input)
	if err != nil {
		o.Refused, o.Err = !o.Panicked, err.Error()
	} else {
		o.Body, o.Warnings = body, warnings
	}
	if twice, _, err := o.call(fix, c.provider(), input); err == nil {
		o.Twice = twice
	}
	if o.Body != nil {
		if again, warnings, err := o.call(fix, c.provider(), o.Body); err == nil {
			o.Again, o.AgainWarnings = again, len(warnings)
		}
	}
	return o
}

// call runs fix once over a copy of body.
func (o *Outcome) call(fix FixFunc, provider string, body []byte) (out []byte, warnings []json.RawMessage, err error) {
	given := bytes.Clone(body)
	defer func() {
		if p := recover(); p != nil {
			o.Panicked = true
			o.Err = fmt.Sprintf("panic: %v", p)
			out, warnings, err = nil, nil, errors.New(o.Err)
		}
		o.Mutated = o.Mutated || !bytes.Equal(given, body)
		out = bytes.Clone(out)
	}()
	return fix(provider, given)
}
