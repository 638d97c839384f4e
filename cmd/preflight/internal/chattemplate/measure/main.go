// Command measure says how often chat templates raise on request bodies, before and after repair,
// and writes the table of README.md. It is for contributors: make templates.
//
// It brings the templates of sources.json from where they are published, each at a commit, and
// keeps them; nothing of them is in this repository. The bodies are those of the catalogue's rules
// in OpenAI's Chat format, and Mistral's.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/cmd/preflight/internal/chattemplate"
	"github.com/go-preflight/preflight/cmd/preflight/internal/probe"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/testdata/rules"
	"github.com/go-preflight/preflight/wire"
)

func main() {
	var o options
	flag.StringVar(&o.cache, "cache", filepath.Join(os.TempDir(), "chat-templates"),
		"keep the templates in `FOLDER`")
	flag.StringVar(&o.from, "from", "https://raw.githubusercontent.com",
		"bring them from `URL`/REPOSITORY/COMMIT/PATH")
	flag.StringVar(&o.page, "write", "", "write the table into `FILE`, between its marks")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// figures are what was counted for a model.
type figures struct {
	bodies, before, rows, measured int // renderings, and those that raise
	lostRows, lostMeasured         int // that lack a text of the user or a tool
}

func (f *figures) add(g figures) {
	f.bodies, f.before = f.bodies+g.bodies, f.before+g.before
	f.rows, f.measured = f.rows+g.rows, f.measured+g.measured
	f.lostRows, f.lostMeasured = f.lostRows+g.lostRows, f.lostMeasured+g.lostMeasured
}

func (f figures) print(w io.Writer, name string) {
	percent := func(n int) string {
		return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(f.bodies, 1)))
	}
	fmt.Fprintf(w, "| %s | %d | %s | %s | %s | %d | %d |\n", name, f.bodies, percent(f.before),
		percent(f.rows), percent(f.measured), f.lostRows, f.lostMeasured)
}

func run(o options) error {
	sources, err := readSources()
	if err != nil {
		return err
	}
	bodies, err := chatBodies()
	if err != nil {
		return err
	}
	byModel, used, all := map[string]*figures{}, 0, 0
	for _, s := range sources {
		for _, file := range slices.Sorted(maps.Keys(s.Models)) {
			all++
			name, err := s.bring(&o, file)
			if err != nil {
				return err
			}
			template, err := chattemplate.Load(name)
			if err != nil {
				fmt.Fprintf(os.Stderr, "%s/%s is left out: %v\n", s.Repository, file, err)
				continue
			}
			model := s.Models[file]
			got, err := measure(template, model, bodies)
			if err != nil { // the engine cannot render a plain request
				fmt.Fprintf(os.Stderr, "%s/%s is left out: %v\n", s.Repository, file, err)
				continue
			}
			used++
			if byModel[model] == nil {
				byModel[model] = new(figures)
			}
			byModel[model].add(got)
		}
	}
	return replace(o.page, table(byModel)+fmt.Sprintf("\n%d of %d templates were used.\n", used, all))
}

// table returns the figures in Markdown.
func table(byModel map[string]*figures) string {
	var b strings.Builder
	b.WriteString("| model | renderings | raise as they are | repaired by the name | repaired by a " +
		"measured profile | texts lost by the name | and by the profile |\n" +
		"|---|---|---|---|---|---|---|\n")
	var all figures
	var quiet []string // models with nothing to tell
	for _, name := range slices.Sorted(maps.Keys(byModel)) {
		f := byModel[name]
		all.add(*f)
		if *f == (figures{bodies: f.bodies}) {
			quiet = append(quiet, name)
			continue
		}
		f.print(&b, name)
	}
	all.print(&b, "all, with those below")
	if len(quiet) > 0 {
		b.WriteString("\nNothing raises and nothing is lost, before and after: " +
			strings.Join(quiet, ", ") + ".\n")
	}
	return b.String()
}

// chatBodies returns the bodies in OpenAI's Chat format.
func chatBodies() ([][]byte, error) {
	var all []struct {
		Provider string
		Request  json.RawMessage
	}
	if err := json.Unmarshal(rules.Failing, &all); err != nil {
		return nil, err
	}
	var out [][]byte
	for _, b := range all {
		p, ok := provider.ByName(b.Provider, "")
		var members map[string]json.RawMessage
		_ = json.Unmarshal(b.Request, &members)
		if ok && members["messages"] != nil && (p.Format == "openai-chat" ||
			b.Provider == "openai-chat" || b.Provider == "mistral") {
			out = append(out, b.Request)
		}
	}
	return out, nil
}

// measure renders all bodies with a template.
func measure(t *chattemplate.Template, name string, bodies [][]byte) (f figures, err error) {
	o := &probe.Options{
		Model: name, Provider: "chat-template", Against: name,
		Prompt: func(body []byte) (prompt, refusal string, err error) {
			prompt, err = t.Render(body)
			var raised *chattemplate.RaisedError
			if errors.As(err, &raised) {
				return "", raised.Text, nil
			}
			return prompt, "", err
		},
	}
	plan, err := probe.NewPlan(o)
	if err != nil {
		return f, err
	}
	result, err := plan.Run(context.Background())
	if err != nil {
		return f, err
	}
	for _, body := range bodies {
		byName, err := wire.Sanitize(context.Background(), body,
			&wire.Options{Provider: "chat-template", Model: name})
		if err != nil {
			continue // there is no repair, and nothing is sent
		}
		measured, err := wire.Sanitize(context.Background(), body,
			&wire.Options{Measured: &result.Profile, Model: name})
		if err != nil {
			continue
		}
		f.bodies++
		if _, err := t.Render(body); err != nil {
			f.before++
		}
		count(t, byName.Body, &f.rows, &f.lostRows)
		count(t, measured.Body, &f.measured, &f.lostMeasured)
	}
	return f, nil
}

// count renders a body, and looks for its texts in the prompt.
func count(t *chattemplate.Template, body []byte, raised, lost *int) {
	prompt, err := t.Render(body)
	if err != nil {
		*raised++
		if os.Getenv("MEASURE_SHOW") != "" {
			fmt.Fprintf(os.Stderr, "%v\n  %s\n", err, body)
		}
		return
	}
	var request struct {
		Messages []struct {
			Role    string
			Content any
		}
	}
	_ = json.Unmarshal(body, &request)
	for _, m := range request.Messages {
		text, _ := m.Content.(string)
		if (m.Role == "user" || m.Role == "tool") &&
			!strings.Contains(prompt, strings.TrimSpace(text)) {
			*lost++
			return
		}
	}
}
