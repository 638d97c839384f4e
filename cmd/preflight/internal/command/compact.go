package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/tokens"
	"github.com/go-preflight/preflight/compact/unionfind"
	"github.com/go-preflight/preflight/internal/builtin"
	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/wire"
)

// compactFlags are the flags of compact.
type compactFlags struct {
	options  wire.Options
	report   string
	budget   int
	strategy string
	keep     int
}

// compactStrategies are the strategies by the name of the flag.
var compactStrategies = map[string]func(keep int) compact.Strategy{
	"flat":       func(keep int) compact.Strategy { return compact.Flat{Keep: keep} },
	"masking":    func(keep int) compact.Strategy { return compact.Masking{Keep: keep} },
	"union-find": func(keep int) compact.Strategy { return unionfind.Strategy{Keep: keep} },
}

func runCompact(args []string, std stdio) int {
	var f compactFlags
	set := flags("compact")
	set.StringVar(&f.options.Provider, "provider", "", providerHelp)
	profileFlag(set, &f.options.Measured)
	set.StringVar(&f.options.Model, "model", "",
		"model whose rules apply (default: the one the body names)")
	set.IntVar(&f.budget, "budget", 0,
		"most tokens the messages may cost, at four bytes a token; what is outside of the "+
			"messages is not counted")
	set.StringVar(&f.strategy, "strategy", "flat",
		"what becomes of old messages: flat, masking or union-find")
	set.IntVar(&f.keep, "keep", 0,
		"messages at the end that stay as they are, if the budget allows (default 30)")
	set.StringVar(&f.report, "report", "",
		"write a JSON report of what became of each message to `FILE` (-: standard error)")
	names, code, done := parse(set, args, std, 1)
	if done {
		return code
	}
	strategy, err := f.check()
	if err != nil {
		return std.fail("compact", err, exitUsage)
	}
	boundMemory(12)
	return withReport("compact", f.report, names, std, exitWrong,
		func(reports io.Writer) (int, error) {
			return f.compactBody(strategy(f.keep), names, std, reports)
		})
}

// check returns the strategy of the flags, or what is wrong with them.
func (f *compactFlags) check() (func(keep int) compact.Strategy, error) {
	strategy, ok := compactStrategies[f.strategy]
	switch {
	case !ok:
		return nil, fmt.Errorf("--strategy is flat, masking or union-find, not %q", f.strategy)
	case f.budget <= 0:
		return nil, errors.New("--budget N is needed: the most tokens the messages may cost")
	case f.keep < 0:
		return nil, fmt.Errorf("--keep is a number of messages, not %d", f.keep)
	}
	return strategy, nil
}

// compactBody compacts the one body in a file or on standard input. Nothing is written to standard
// output unless it fits the budget.
func (f *compactFlags) compactBody(
	strategy compact.Strategy,
	names []string,
	std stdio,
	reports io.Writer,
) (int, error) {
	body, err := readBody(std, names...)
	if err != nil {
		return exitUsage, err
	}
	decode := builtin.DecodeShared.(func([]byte, *wire.Options) (*wire.Request, error))
	request, err := decode(body, &f.options)
	if err != nil {
		return exitCode(err), storedHint(err, body)
	}
	limits := compact.Limits{
		Budget:  f.budget,
		Profile: &request.Profile,
		Options: &preflight.Options{
			Request: request.State,
		},
	}
	result, err := strategy.Compact(context.Background(), request.Messages, limits)
	if err != nil {
		return exitWrong, err
	}
	out, err := request.Encode(result.Messages)
	if err != nil {
		return exitWrong, err
	}
	if _, err := std.out.Write(out); err != nil {
		return exitWrong, err
	}
	return exitOK, f.writeReport(reports, request, &result)
}

// compaction is the report of one body. It names positions and codes, and quotes nothing.
type compaction struct {
	Provider     string           `json:"provider"`
	Model        string           `json:"model,omitempty"`
	Strategy     string           `json:"strategy"`
	Budget       int              `json:"budget"`
	TokensBefore int              `json:"tokens_before"`
	Tokens       int              `json:"tokens"`
	Changed      bool             `json:"changed"`
	Messages     []compactedTo    `json:"messages"` // of the input, in order
	Warnings     []compactWarning `json:"warnings"`
}

// compactedTo says where a message went: to messages of the output, into the summary of a cluster,
// or nowhere.
type compactedTo struct {
	Path     string `json:"path"`
	Became   string `json:"became"` // kept, summarized, omitted or removed
	Messages []int  `json:"messages,omitempty"`
	Cluster  *int   `json:"cluster,omitempty"`
}

type compactWarning struct {
	Code       codes.Code `json:"code"`
	Path       string     `json:"path"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
	Detail     string     `json:"detail"`
}

func (f *compactFlags) writeReport(w io.Writer, r *wire.Request, result *compact.Result) error {
	report := compaction{
		Provider: r.Provider, Model: shorten.Name(r.Model), Strategy: f.strategy, Budget: f.budget,
		Tokens: result.Tokens, Changed: result.Changed,
		Messages: placesOf(len(r.Messages), result), Warnings: []compactWarning{},
	}
	for _, m := range r.Messages {
		report.TokensBefore += tokens.Estimate(m)
	}
	for _, x := range result.Warnings {
		report.Warnings = append(report.Warnings,
			compactWarning{x.Code, x.At.String(), shorten.ID(x.ToolCallID), x.Detail})
	}
	return printJSON(w, report, "")
}

// placesOf says of each of n messages where it went.
func placesOf(n int, result *compact.Result) []compactedTo {
	out := make([]compactedTo, n)
	for i := range out {
		out[i] = compactedTo{Path: fmt.Sprintf("messages[%d]", i), Became: "removed"}
	}
	for k := range result.Clusters {
		c := &result.Clusters[k]
		for _, i := range c.Sources {
			out[i].Became, out[i].Cluster = "omitted", &k
			if c.Summary != "" {
				out[i].Became = "summarized"
			}
		}
	}
	for k, sources := range result.Sources {
		for _, i := range slices.Compact(slices.Clone(sources)) {
			out[i].Became, out[i].Cluster = "kept", nil
			out[i].Messages = append(out[i].Messages, k)
		}
	}
	return out
}
