package gateway

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
)

// This file says why an upstream gave no answer, and which one it gave.

// causes are the kinds of failure, what the client is told of them, and how they are known.
var causes = []struct {
	name, text string
	is         func(error) bool
}{
	{"exhausted", "the gateway has no more files or ports", says("too many open files",
		"cannot assign requested address")},
	{"proxy", "the proxy that the environment names failed", says("proxyconnect", "socks connect")},
	{"dns", "the upstream's name was not found", as[*net.DNSError]},
	{"refused", "the upstream refused the connection", says("refused")},
	{"tls", "the connection to the upstream could not be secured", func(err error) bool {
		return as[*tls.CertificateVerificationError](err) || as[tls.RecordHeaderError](err) ||
			as[tls.AlertError](err) || as[x509.UnknownAuthorityError](err) ||
			says("tls: ", "TLS handshake", "HTTP response to HTTPS client")(err)
	}},
	{"reset", "the upstream closed the connection without an answer", func(err error) bool {
		return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
			says("reset", "broken pipe", "forcibly closed", "connection lost")(err)
	}},
	{"garbage", "the upstream's answer is no HTTP", func(err error) bool {
		return strings.Contains(err.Error(), "malformed") || errors.Is(err, errHints)
	}},
	{"timeout", "the upstream did not answer in time", func(err error) bool {
		var late net.Error
		var dial *net.OpError // the network dropped it
		return errors.As(err, &late) && late.Timeout() &&
			!(errors.As(err, &dial) && dial.Op == "dial")
	}},
	{"unreachable", "the upstream could not be reached", func(error) bool { return true }},
}

// causeOf returns why a request got no answer, in a word and for the client.
func causeOf(err error) (name, text string) {
	for _, c := range causes {
		if c.is(err) {
			return c.name, c.text
		}
	}
	return "", ""
}

func as[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// says is for errors that each operating system has a type of its own for.
func says(words ...string) func(error) bool {
	return func(err error) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			return strings.Contains(err.Error(), w)
		})
	}
}

// requestIDOf returns the id that a provider gave a request, "" for none.
func requestIDOf(header http.Header) string {
	for _, name := range []string{
		"Request-Id", "X-Request-Id", "X-Amzn-Requestid", "Apim-Request-Id", "X-Goog-Request-Id",
		"Mistral-Correlation-Id",
	} {
		if id := header.Get(name); id != "" {
			return nameOf(id)
		}
	}
	return ""
}
