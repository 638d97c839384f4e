package fake

import (
	"net/http"
	"strings"

	"github.com/go-preflight/preflight/rule"
)

// Violation is one thing for which a provider refuses a request. Its fields are
// those of preflighttest.Violation, and two more for the error that is sent.
type Violation struct {
	Rule    string
	Path    string
	Message string
	Status  int

	Code  string // the machine-readable code, where the provider has one
	Param string // the provider's own notation of Path, where it has one
}

// Check looks for what breaks one rule.
type Check struct {
	// Rule is the id in the catalogue, or empty for the schema of the request.
	Rule string

	// Text is the provider's text, where the catalogue has none or the real
	// one depends on the case. It is empty for the text of the catalogue.
	Text string

	// Code is the provider's machine-readable code, if any.
	Code string

	// Find calls found for each occurrence.
	Find func(r *Request, found Found)
}

// Found reports one occurrence: where it is, and what replaces the
// specimens of the text, as pairs of old and new.
type Found func(path string, fill ...string)

// Says reports one occurrence, with a text that is not made from the rule's.
func (f Found) Says(path, text string) { f(path, OwnWords, text) }

// OwnWords, as the old of the only pair, says that the new is the whole text.
const OwnWords = "\x00"

// Judge runs the checks over the request.
func (f *Format) Judge(r *Request) []Violation {
	var all []Violation
	for _, c := range f.Checks {
		known, _ := rule.ByID(c.Rule)
		if r.Lenient && known.Severity == rule.Varies {
			continue
		}
		text, status := known.Error, known.Status
		if c.Text != "" {
			text = c.Text
		}
		if c.Rule == "" {
			status = f.SchemaStatus
		}
		if status == 0 {
			status = http.StatusBadRequest
		}
		c.Find(r, func(path string, fill ...string) {
			v := Violation{
				Rule:    c.Rule,
				Path:    path,
				Message: strings.NewReplacer(fill...).Replace(text),
				Status:  status,
				Code:    c.Code,
			}
			if len(fill) == 2 && fill[0] == OwnWords {
				v.Message = fill[1]
			}
			if f.Param != nil {
				v.Param = f.Param(path)
			}
			all = append(all, v)
		})
	}
	return all
}
