package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

func runConvert(args []string, std stdio) int {
	var options wire.Options
	set := flags("convert")
	from := set.String("from", "",
		"format of the body; preflight help providers lists them (default: detected)")
	set.StringVar(&options.Provider, "to", "",
		"format to write; preflight help providers lists them (default: that of --profile)")
	profileFlag(set, &options.Measured)
	set.StringVar(&options.Model, "model", "",
		"model of the new body; without it, a body in another format names none")
	reportFile := set.String("report", "",
		"write a JSON report of every change to `FILE` (-: standard error)")
	names, code, done := parse(set, args, std, 1)
	if done {
		return code
	}
	if options.Provider == "" && options.Measured == nil {
		return std.fail("convert", errors.New(
			"--to names the format to write; preflight help providers lists them"), exitUsage)
	}
	if m := options.Measured; m != nil && options.Model == "" && !strings.Contains(m.Model, "*") {
		options.Model = m.Model
	}
	return withReport("convert", *reportFile, names, std, exitWrong,
		func(reports io.Writer) (int, error) {
			return convertBody(*from, &options, names, std, reports)
		})
}

// convertBody rewrites the one body in a file or on standard input.
func convertBody(
	from string, options *wire.Options, names []string, std stdio, reports io.Writer,
) (int, error) {
	body, err := readBody(std, names...)
	if err != nil {
		return exitUsage, err
	}
	result, err := wire.Convert(context.Background(), body, from, options)
	if err != nil {
		return exitCode(err), errors.Join(storedHint(err, body), writeReport(reports, result, err))
	}
	missing := missing(result)
	if reports != std.err { // which is for JSON then
		sumUp(std, result, missing)
	}
	if _, err := std.out.Write(append(result.Body, '\n')); err != nil {
		return exitWrong, err
	}
	return exitOK, printJSON(reports, struct {
		wire.Outcome
		Needs []string `json:"needs,omitempty"` // what the new body lacks
	}{wire.OutcomeOf(result, nil), missing}, "")
}

// missing names the members that the other body did not have for the new one: the model, and at
// Anthropic the limit on output tokens. What a format asks for shows in a small request.
func missing(result *wire.Result) (names []string) {
	var have, want map[string]json.RawMessage
	if json.Unmarshal(result.Body, &have) != nil {
		return nil // a list of messages
	}
	history := []preflight.Message{preflight.UserText("q")}
	model := cmp.Or(result.Model, "claude-sonnet-4-5") // other models may not need a limit
	small, err := wire.Encode(result.Provider, model, history, nil)
	if err == nil && json.Unmarshal(small, &want) == nil && want["model"] != nil &&
		have["model"] == nil {
		names = append(names, "model")
	}
	_, err = wire.Prepare(context.Background(), result.Provider, model, history, nil)
	if errors.Is(err, wire.ErrNotARequest) && have["max_tokens"] == nil {
		names = append(names, "max_tokens")
	}
	return names
}

// sumUp says in one line what the new body lacks, and in another one on a terminal whether the
// conversion changed what the history says.
func sumUp(std stdio, result *wire.Result, missing []string) {
	if len(missing) > 0 {
		all := strings.Replace(strings.Join(missing, " and "), "model", "a model (--model)", 1)
		fmt.Fprintf(std.err, "preflight convert: the new body still needs %s\n", all)
	}
	if !isTerminal(std.err) {
		return
	}
	c := colorsFor(std.err)
	if len(result.Warnings) == 0 {
		fmt.Fprintf(std.err, "%s (%s)\n", c.green("nothing was left out or repaired"),
			result.Provider)
		return
	}
	fmt.Fprintf(std.err, "%s (%s); --report - lists them\n",
		c.green(countOf(len(result.Warnings), "warning")), result.Provider)
}
