// Command measure says how often chat templates raise on request bodies, before and after repair.
// It is for contributors: the templates are in a folder of theirs, from wherever they have them.
//
//	go run ./internal/chattemplate/measure --names names.json FOLDER
//
// names.json is an object of the models' names by the names of the files. The bodies are those of
// the catalogue's rules in OpenAI's Chat format, and Mistral's. The output is a table in Markdown.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
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
	names := flag.String("names", "", "JSON `FILE` with the models' names by the files' names")
	flag.Parse()
	if err := run(*names, flag.Arg(0)); err != nil {
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

func (f figures) print(name string) {
	percent := func(n int) string {
		return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(f.bodies, 1)))
	}
	fmt.Printf("| %s | %d | %s | %s | %s | %d | %d |\n", name, f.bodies, percent(f.before),
		percent(f.rows), percent(f.measured), f.lostRows, f.lostMeasured)
}

func run(namesFile, folder string) error {
	var names map[string]string
	data, err := os.ReadFile(namesFile)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, &names); err != nil {
		return err
	}
	bodies, err := chatBodies()
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return err
	}
	byModel, unusable := map[string]*figures{}, 0
	for _, file := range files {
		name := names[filepath.Base(file)]
		template, err := chattemplate.Load(file)
		if name == "" || err != nil {
			unusable++
			continue
		}
		got, err := measure(template, name, bodies)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if byModel[name] == nil {
			byModel[name] = new(figures)
		}
		byModel[name].add(got)
	}
	fmt.Println("| model | renderings | raise as they are | repaired by the name | repaired by a " +
		"measured profile | texts lost by the name | and by the profile |\n" +
		"|---|---|---|---|---|---|---|")
	var all figures
	var order []string
	for name, f := range byModel {
		order = append(order, name)
		all.add(*f)
	}
	slices.Sort(order)
	for _, name := range order {
		byModel[name].print(name)
	}
	all.print("all")
	fmt.Printf("\n%d of %d templates were used.\n", len(files)-unusable, len(files))
	return nil
}

// chatBodies are the bodies in OpenAI's Chat format.
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
		if (m.Role == "user" || m.Role == "tool") && !strings.Contains(prompt, strings.TrimSpace(text)) {
			*lost++
			return
		}
	}
}
