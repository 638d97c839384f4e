package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/go-preflight/preflight/cmd/preflight/internal/chattemplate"
	"github.com/go-preflight/preflight/cmd/preflight/internal/probe"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/provider"
)

// probeFlags are the flags of probe.
type probeFlags struct {
	options  probe.Options
	keyEnv   string
	headers  []string
	rules    string
	template string
	out      string
	diff     string
	json     bool
	yes      bool
}

// runProbe asks a server, or a chat template, which rules it enforces. Exit 0: it was measured, and
// with --diff nothing changed. 1: it could not be measured, or something changed. 2: usage.
func runProbe(args []string, std stdio) int {
	set := flags("probe")
	f := probeFlags{options: probe.Options{Header: http.Header{}}}
	set.StringVar(&f.options.URL, "url", "", "send requests to `URL`, with the path of the API")
	set.StringVar(&f.options.Model, "model", "", "ask the model with this `NAME`")
	set.StringVar(&f.options.Provider, "provider", "",
		"the base of the profile (default: by the host and the path of the URL)")
	set.StringVar(&f.keyEnv, "key-env", "",
		"send the key that the environment `VARIABLE` holds; it is never printed")
	set.Func("header", "send `\"NAME: VALUE\"` with each request; may be given more than once",
		func(s string) error { f.headers = append(f.headers, s); return nil })
	set.StringVar(&f.rules, "rules", "",
		"ask only about these: ids, providers, or prefixes with *, separated by commas")
	set.Float64Var(&f.options.Rate, "rate", 2, "send at most `N` requests in a second")
	set.BoolVar(&f.options.Planted, "planted", false, "if the server does not show its prompts, ask "+
		"the model for words in the requests, to find what it does not see; up to 1,024 tokens each")
	set.StringVar(&f.template, "template", "",
		"render the chat template in `FILE` (.jinja, tokenizer_config.json, .gguf); send nothing")
	set.StringVar(&f.out, "out", "", "write the measured profile to `FILE`")
	set.StringVar(&f.diff, "diff", "",
		"compare with the measured profile in `FILE`; exit with 1 on a difference")
	set.BoolVar(&f.json, "json", false, "print the report as JSON")
	set.BoolVar(&f.yes, "yes", false, "do not ask before sending")
	if _, code, done := parse(set, args, std, 0); done {
		return code
	}
	before, err := f.check()
	if err != nil {
		return std.fail("probe", err, exitUsage)
	}
	result, err := f.measure(std)
	if result != nil {
		err = errors.Join(err, f.report(std.out, result))
	}
	if err == nil && f.out != "" {
		err = writeProfile(f.out, f.template, &result.Profile, std)
		if err == nil && f.options.State != "" {
			os.Remove(f.options.State) // it is done
		}
	}
	if err != nil {
		return std.fail("probe", err, exitWrong)
	}
	if before != nil {
		return printChanged(std.out, before, &result.Profile)
	}
	return exitOK
}

// check completes the flags, and reads the profile to compare with.
func (f *probeFlags) check() (before *provider.Measured, err error) {
	for _, h := range f.headers {
		name, value, ok := strings.Cut(h, ":")
		if !ok {
			return nil, errors.New("--header is NAME: VALUE")
		}
		f.options.Header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	if f.rules != "" {
		f.options.Rules = strings.Split(f.rules, ",")
	}
	if f.diff != "" {
		if before, err = readProfile(f.diff); err != nil {
			return nil, err
		}
	}
	if f.template != "" {
		return before, f.checkTemplate()
	}
	u, err := url.Parse(f.options.URL)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, errors.New("--url is an http or https address, or --template names a file")
	case f.options.Model == "":
		return nil, errors.New("--model names the model to ask")
	case f.options.Rate < 0:
		return nil, errors.New("--rate is a number of requests")
	}
	if f.options.Provider == "" {
		t := &preflighthttp.Transport{Unknown: preflighthttp.RepairUnknown}
		f.options.Provider = t.Judge(http.MethodPost, u, nil).Provider
	}
	if f.options.Provider == "" {
		return nil, errors.New("the path of the URL is that of no API that is known; name its " +
			"format with --provider")
	}
	if f.keyEnv != "" {
		key := os.Getenv(f.keyEnv)
		if key == "" {
			return nil, fmt.Errorf("the environment variable %s is empty", f.keyEnv)
		}
		for name, value := range keyHeaders(f.options.Provider, key) {
			f.options.Header.Set(name, value)
		}
	}
	if f.options.Provider == "anthropic" && f.options.Header.Get("Anthropic-Version") == "" {
		f.options.Header.Set("Anthropic-Version", "2023-06-01")
	}
	if f.out != "" {
		f.options.State = f.out + ".part"
	}
	return before, nil
}

// keyHeaders returns the headers by which a provider takes a key.
func keyHeaders(name, key string) map[string]string {
	p, ok := provider.ByName(name, "")
	format := name
	if ok && p.Format != "" {
		format = p.Format
	}
	switch {
	case strings.HasPrefix(name, "azure"):
		return map[string]string{"Api-Key": key}
	case format == "anthropic":
		return map[string]string{"X-Api-Key": key}
	case format == "gemini":
		return map[string]string{"X-Goog-Api-Key": key}
	}
	return map[string]string{"Authorization": "Bearer " + key}
}

// checkTemplate prepares the rendering of a template.
func (f *probeFlags) checkTemplate() error {
	if f.options.URL != "" {
		return errors.New("--template sends nothing; leave --url out")
	}
	template, err := chattemplate.Load(f.template)
	if err != nil {
		return err
	}
	if f.options.Provider == "" {
		f.options.Provider = "chat-template"
	}
	if p, ok := provider.ByName(f.options.Provider, ""); !ok || p.Format != "openai-chat" {
		return errors.New("a chat template is measured on a base of OpenAI's Chat format")
	}
	f.options.Against, f.yes = filepath.Base(f.template), true
	f.options.Prompt = func(body []byte) (prompt, refusal string, err error) {
		prompt, err = template.Render(body)
		var raised *chattemplate.RaisedError
		if errors.As(err, &raised) {
			return "", raised.Text, nil
		}
		return prompt, "", err
	}
	return nil
}

var errDeclined = errors.New("nothing was sent")

// measure asks, after the user has agreed.
func (f *probeFlags) measure(std stdio) (*probe.Result, error) {
	plan, err := probe.NewPlan(&f.options)
	if err != nil {
		return nil, err
	}
	if f.template == "" {
		fmt.Fprintf(std.err, "%d rules of the format of %s: %d to %d small requests to %s, at most "+
			"%g in a second; a few output tokens each\n", plan.Rules, f.options.Provider, plan.Least,
			plan.Most, f.host(), f.options.Rate)
		if !f.yes && !agreed(std) {
			return nil, errDeclined
		}
		if isTerminal(std.err) {
			f.options.Progress = func(sent, most int) {
				fmt.Fprintf(std.err, "\r%d of at most %d requests", sent, most)
			}
			defer fmt.Fprintln(std.err)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	result, err := plan.Run(ctx)
	if errors.Is(err, context.Canceled) && f.options.State != "" {
		err = fmt.Errorf("interrupted; the same command goes on where it was (%s)", f.options.State)
	}
	return result, err
}

func (f *probeFlags) host() string {
	u, _ := url.Parse(f.options.URL)
	return u.Host
}

// agreed asks whether to send.
func agreed(std stdio) bool {
	fmt.Fprint(std.err, "send them? [y/N] ")
	line, _ := bufio.NewReader(std.in).ReadString('\n')
	line = strings.ToLower(strings.TrimSpace(line))
	return line == "y" || line == "yes"
}

// report prints what was found.
func (f *probeFlags) report(w io.Writer, result *probe.Result) error {
	if !f.json {
		result.Write(w)
		return nil
	}
	return printJSON(w, result, "  ")
}

// printChanged prints what changed since a measurement.
func printChanged(w io.Writer, before, after *provider.Measured) int {
	changed := probe.Diff(before, after)
	if len(changed) == 0 {
		fmt.Fprintf(w, "\nnothing changed since %s\n", before.Date)
		return exitOK
	}
	fmt.Fprintf(w, "\nchanged since %s:\n", before.Date)
	for _, d := range changed {
		fmt.Fprintf(w, "  %s: %s, and now %s\n", d.Rule, d.Before, d.After)
	}
	return exitWrong
}
