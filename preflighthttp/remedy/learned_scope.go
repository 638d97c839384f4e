package remedy

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-preflight/preflight/internal/headers"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file says whose a lesson is: what a request has to share with the one that was refused.

// scope is all that may have caused a refusal, except the history. A lesson holds where it is
// equal. Its members are in the file of lessons, so none of them is a credential or content.
type scope struct {
	Host     string `json:"host"`
	Path     string `json:"path,omitempty"`
	Provider string `json:"provider"`
	Model    string `json:"model,omitempty"`
	// Version is that of the API, as headers and the query name it.
	Version string `json:"api_version,omitempty"`
	// Betas are the beta features that the request asked for.
	Betas string `json:"betas,omitempty"`
	// Credential is a keyed hash of those that the request had, and of its tenant.
	Credential string `json:"credential,omitempty"`
	// Mode names the members of the body that may choose an upstream or a mode, and has a keyed
	// hash of their values.
	Mode string `json:"mode,omitempty"`
}

// versionHeaders and versionQuery name the version of an API.
var (
	versionHeaders = []string{"Anthropic-Version", "Api-Version", "X-Api-Version", "Openai-Version"}
	versionQuery   = []string{"api-version", "apiversion", "version", "v", "alt", "beta"}
	betaHeaders    = []string{headers.Beta, "Openai-Beta", "X-Beta"}
	betaMembers    = []string{"anthropic_beta", "betas"}
)

// free are the members of a body that neither choose an upstream nor a mode, and its history. Those
// that are not known may do so.
var free = func() map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(`messages input contents system instructions systeminstruction
		model stream streamoptions maxtokens maxcompletiontokens maxoutputtokens temperature topp topk
		seed stop stopsequences n candidatecount presencepenalty frequencypenalty logitbias logprobs
		toplogprobs user metadata promptcachekey safetyidentifier sessionid traceid requestid userid
		anthropicbeta betas`) {
		set[name] = true
	}
	return set
}()

// present are members whose presence counts, and not their value: it is another one each time.
var present = map[string]bool{
	"tools": true, "previousresponseid": true, "conversation": true, "container": true,
	"cachedcontent": true,
}

// nested are members that hold free ones and others.
var nested = map[string]bool{"generationconfig": true, "inferenceconfig": true, "options": true}

// scopeOf returns what lessons about a request are filed under.
func (l *Learned) scopeOf(r *Request) scope {
	s := scope{
		Host: r.Host, Path: l.shownPath(r.Path), Provider: r.First.Provider, Model: r.First.Model,
	}
	var version, secret []string
	for _, name := range versionHeaders {
		version = append(version, headers.Values(r.Header, name)...)
	}
	query, _ := url.ParseQuery(r.Query) // what cannot be read names nothing
	for name, all := range query {
		switch value := name + "=" + strings.Join(all, ","); {
		case headers.IsSecret(name):
			secret = append(secret, value)
		case slices.Contains(versionQuery, plain(name)):
			version = append(version, value)
		default: // some proxies take a key as code, or sig
			version = append(version, "~"+l.hash([]string{value}))
		}
	}
	for name, all := range r.Header {
		if headers.IsSecret(name) {
			secret = append(secret, strings.ToLower(name)+": "+strings.Join(all, ","))
		}
	}
	slices.Sort(version)
	slices.Sort(secret)
	s.Version = l.shown(strings.Join(version, "&"))
	if r.Tenant != "" {
		secret = append(secret, "tenant "+r.Tenant)
	}
	if len(secret) > 0 && !l.AcrossCredentials {
		s.Credential = l.hash(secret)
	}
	doc, err := jsonscan.Parse(r.Body)
	if err != nil {
		return s
	}
	s.Betas = betasOf(r.Header, doc.Root())
	if names, values := modeOf(doc.Root(), ""); len(names) > 0 {
		s.Mode = strings.Join(names, ",") + ":" + l.hash(values)
	}
	return s
}

// shownPath returns a path with a hash in place of each segment that is no word of APIs: it may be
// a key of any form.
func (l *Learned) shownPath(path string) string {
	segments := strings.Split(path, "/")
	for k, segment := range segments {
		if segment != "" && !apiWord().MatchString(segment) {
			segments[k] = "~" + l.hash([]string{segment})
		}
	}
	return strings.Join(segments, "/")
}

// apiWord matches the segments that the paths of APIs have in common.
var apiWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:v[0-9]{1,2}(?:alpha|beta)?[0-9]?|api|openai|anthropic|chat|` +
		`completions|messages|responses|conversations|interactions|models?|deployments|` +
		`converse|converse-stream|invoke|projects|locations|publishers|google)$`)
})

// shown returns what names a version, with a hash in place of each value that may be a key.
func (l *Learned) shown(text string) string {
	return shorten.Keys(text, func(word string) string { return "~" + l.hash([]string{word}) })
}

func betasOf(header http.Header, root jsonscan.Value) string {
	var all []string
	add := func(text string) {
		for one := range strings.SplitSeq(text, ",") {
			if one = strings.TrimSpace(one); one != "" {
				all = append(all, one)
			}
		}
	}
	for _, name := range betaHeaders {
		for _, value := range headers.Values(header, name) {
			add(value)
		}
	}
	for _, name := range betaMembers {
		if list := root.Get(name); list.Kind() == jsonscan.Array {
			for v := list.First(); v.Exists(); v = v.Next() {
				add(v.Str())
			}
		}
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ",")
}

// modeOf returns the members of an object that may choose an upstream or a mode, in order: their
// names, and names with values.
func modeOf(object jsonscan.Value, prefix string) (names, values []string) {
	if object.Kind() != jsonscan.Object {
		return nil, nil
	}
	for v := object.First(); v.Exists(); v = v.Next() {
		key := v.Key().Str()
		name := plain(key)
		switch {
		case free[name]:
		case nested[name] && prefix == "":
			n, all := modeOf(v, key+".")
			names, values = append(names, n...), append(values, all...)
		case !allPlain([]string{key}) || len(names) >= maxSteps:
			values = append(values, prefix+key+"="+string(bytes.TrimSpace(v.Raw())))
		case present[name]:
			names, values = append(names, prefix+key), append(values, prefix+key)
		default:
			names = append(names, prefix+key)
			values = append(values, prefix+key+"="+string(bytes.TrimSpace(v.Raw())))
		}
	}
	if len(values) > 0 && len(names) == 0 {
		names = []string{prefix + "others"}
	}
	slices.Sort(names)
	slices.Sort(values)
	return names, values
}

// hash returns a keyed hash of texts. With another key it is another one.
func (l *Learned) hash(texts []string) string {
	h := hmac.New(sha256.New, l.key())
	for _, text := range texts {
		h.Write([]byte(text))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
