package preflighttest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/rule"
)

// Violation is one thing for which a provider refuses a request.
type Violation struct {
	// Rule is the id of the rule in the catalogue of package rule, such as
	// "anthropic/tool-result-orphan". It is empty for what only the schema of
	// the request forbids: a field of the wrong type, a body that is no JSON.
	Rule string

	// Path says where in the body, as in "messages[3].content[1]". It is empty
	// for the request as a whole.
	Path string

	// Message is the provider's own text about this occurrence.
	Message string

	// Status is the HTTP status of the refusal.
	Status int

	code  string // the machine-readable code, where the provider has one
	param string // the provider's own notation of Path, where it has one
}

// Error returns the rule and the provider's words.
func (v Violation) Error() string {
	if v.Rule == "" {
		return v.Message
	}
	return v.Rule + ": " + v.Message
}

// Violations judges a request body as the fake server of the provider does,
// with the zero [Options]. See [Options.Violations].
func Violations(provider string, body []byte) ([]Violation, error) {
	return (&Options{}).Violations(provider, body)
}

// Violations returns everything for which the fake server of the provider
// would refuse the body, in the order in which the provider looks for it: the
// first is the one that the server answers with. It returns nil for a body
// that is accepted. The body is not retained.
//
// The error concerns the provider's name alone. See [Providers].
func (o *Options) Violations(provider string, body []byte) ([]Violation, error) {
	f, err := formatOf(provider)
	if err != nil {
		return nil, err
	}
	req, found := f.read(body, &request{model: o.Model, lenient: o.Lenient})
	if found != nil {
		return found, nil
	}
	return f.judge(req), nil
}

// Providers returns the names of the providers that can be faked, in a fresh slice. New, Start and
// Violations also accept the hosts of OpenAI's formats that have rules of their own, such as
// "deepseek" and "deepseek-responses".
func Providers() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

func formatOf(provider string) (*format, error) {
	known := slices.Concat(formats, hosts)
	i := slices.IndexFunc(known, func(f *format) bool { return f.name == provider })
	if i < 0 {
		return nil, fmt.Errorf("preflighttest: there is no fake of provider %q; there is one of %s",
			provider, strings.Join(Providers(), ", "))
	}
	return known[i], nil
}

// A check looks for what breaks one rule.
type check struct {
	// rule is the id in the catalogue, or empty for the schema of the request.
	rule string

	// text is the provider's text, where the catalogue has none or the real
	// one depends on the case. It is empty for the text of the catalogue.
	text string

	// code is the provider's machine-readable code, if any.
	code string

	// find calls found for each occurrence.
	find func(r *request, found found)
}

// found reports one occurrence: where it is, and what replaces the
// specimens of the text, as pairs of old and new.
type found func(path string, fill ...string)

// inOwnWords, as the specimen of the only pair of fill, says that the other is
// the whole text. It is also the text of checks that always do so.
const inOwnWords = "\x00"

// judge runs the checks over the request.
func (f *format) judge(r *request) []Violation {
	var all []Violation
	for _, c := range f.checks {
		known, _ := rule.ByID(c.rule)
		if r.lenient && known.Severity == rule.Varies {
			continue
		}
		text, status := known.Error, known.Status
		if c.text != "" {
			text = c.text
		}
		if c.rule == "" {
			status = f.schema
		}
		if status == 0 {
			status = http.StatusBadRequest
		}
		c.find(r, func(path string, fill ...string) {
			v := Violation{
				Rule:    c.rule,
				Path:    path,
				Message: strings.NewReplacer(fill...).Replace(text),
				Status:  status,
				code:    c.code,
			}
			if len(fill) == 2 && fill[0] == inOwnWords {
				v.Message = fill[1]
			}
			if f.param != nil {
				v.param = f.param(path)
			}
			all = append(all, v)
		})
	}
	return all
}
