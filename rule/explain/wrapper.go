package explain

import (
	"regexp"
	"strings"
	"sync"
)

// SDKs, logs and terminals put words of their own before a provider's message. This file recognizes
// those words, so that a short message counts as if it were the whole text.

// maxWrapper is how many bytes before a message can be words of a wrapper.
const maxWrapper = 400

// wrapperWords are the words of status lines, log levels and the sentences of SDKs.
var wrapperWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields("api http https status code error errors failed failure " +
		"request response reason message provider upstream model llm call bad stream body " +
		"warn warning info debug fatal an occurred when calling the operation with from " +
		"status_code statuscode " +
		"returned got unexpected client invalid_request_error invalid_argument no") {
		words[w] = true
	}
	return words
})

var (
	// a status of a refused request, or the name of an error that SDKs have for one
	refusalWord = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:(?:http/?)?4[0-9][0-9]|invalid_argument|` +
			`validationexception|` +
			`[a-z_.:]*(?:badrequest|apistatus|client|apicall|invalidrequest|` +
			`response|unprocessableentity|http|api)(?:error|exception))$`)
	})
	// the name of an error, an operation or a provider's exception, a date, a time, a file
	wrapperName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[A-Za-z_.:]*(?:Error|Exception)|` +
			`(?:Converse|ConverseStream|InvokeModel|InvokeModelWithResponseStream)|` +
			`[0-9][0-9TZ:.,+/-]*|[a-z_/.-]+\.[a-z]{2,4}(?::[0-9]+)*)$`)
	})
)

// wrapperOnly reports whether before holds nothing but what a wrapper says of a refused request.
func wrapperOnly(before string) bool {
	if before == "" || len(before) > maxWrapper {
		return false
	}
	refusal := false
	for _, word := range strings.FieldsFunc(before, func(r rune) bool {
		return r == ' ' || strings.ContainsRune("()[]{}<>|\"'`*+>#,;=", r)
	}) {
		word = strings.Trim(word, ":.-!")
		switch {
		case word == "":
		case refusalWord().MatchString(word):
			refusal = true
		case !wrapperWords()[strings.ToLower(word)] && !wrapperName().MatchString(word):
			return false
		}
	}
	return refusal
}
