package command

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/wire"
)

// This file chooses the provider by the URL that a body is sent to, as the transport does.

const urlHelp = "the `URL` that the body is sent to: the provider, and the model where it is named " +
	"there, as the HTTP transport chooses them"

// chooseByURL sets the provider of the options, and the model if none is set, by the URL that the
// body is sent to. It does nothing without one. A host that is not known gets what is known of the
// format that its path shows.
func chooseByURL(options *wire.Options, to string) error {
	if to == "" {
		return nil
	}
	if options.Provider != "" {
		return errors.New("--url chooses the provider; use it without --provider")
	}
	u, err := url.Parse(to)
	if err != nil || u.Host == "" {
		return fmt.Errorf("--url is an address such as https://api.openai.com/v1/chat/completions, "+
			"not %q", to)
	}
	transport := preflighthttp.Transport{Unknown: preflighthttp.RepairUnknown}
	decision := transport.Judge(http.MethodPost, u, nil)
	if !decision.Sanitize {
		return fmt.Errorf("--url %s: this is not the address of an API that is known", to)
	}
	options.Provider = decision.Provider
	if options.Model == "" {
		options.Model = decision.Model
	}
	return nil
}
