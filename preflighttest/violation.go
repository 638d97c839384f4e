package preflighttest

import "github.com/go-preflight/preflight/preflighttest/internal/fake"

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
	req, found := f.Read(body, &fake.Request{Model: o.Model, Lenient: o.Lenient})
	if found != nil {
		return reported(found), nil
	}
	return reported(f.Judge(req)), nil
}

// reported returns violations as the caller sees them.
func reported(found []fake.Violation) []Violation {
	if found == nil {
		return nil
	}
	all := make([]Violation, len(found))
	for i, v := range found {
		all[i] = Violation{Rule: v.Rule, Path: v.Path, Message: v.Message, Status: v.Status}
	}
	return all
}
