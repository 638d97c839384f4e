package preflightextproc_test

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"

	preflightextproc "github.com/go-preflight/preflight/adapter/extproc"
	"github.com/go-preflight/preflight/preflighthttp"
)

// This file has a small Envoy: it sends a request in each of the modes, as Envoy's documentation
// describes them, and puts together what the upstream gets.

// envoy is how it is configured.
type envoy struct {
	mode     filterv3.ProcessingMode_BodySendMode
	response filterv3.ProcessingMode_BodySendMode
	silent   bool // does not say its modes, as Envoy before 1.34
	override bool // allow_mode_override
	trailers bool // the request has trailers, which are sent
	limit    int  // of its buffer; 0 means none
}

// upstream is what the upstream gets.
type upstream struct {
	body    string
	length  string // content-length, "" for none
	ended   bool
	refused int // the status of an immediate response
}

// send sends a request whose body comes in pieces.
func (e envoy) send(
	t *testing.T, stream extprocv3.ExternalProcessor_ProcessClient, pieces []string,
) (up upstream) {
	t.Helper()
	up.length = strconv.Itoa(len(strings.Join(pieces, "")))
	first := headers("api.anthropic.com", "/v1/messages")
	if !e.silent {
		first.ProtocolConfig = &extprocv3.ProtocolConfiguration{
			RequestBodyMode: e.mode, ResponseBodyMode: e.response,
		}
	}
	answer := ask(t, stream, first)
	mode := e.mode
	if o := answer.GetModeOverride(); o != nil && e.override && mode != duplexMode {
		mode = o.GetRequestBodyMode()
	}
	if mode != filterv3.ProcessingMode_BUFFERED {
		up.length = ""
	}
	switch mode {
	case filterv3.ProcessingMode_NONE:
		up.body, up.ended = strings.Join(pieces, ""), true
		return up
	case filterv3.ProcessingMode_BUFFERED:
		pieces = []string{strings.Join(pieces, "")}
	case filterv3.ProcessingMode_BUFFERED_PARTIAL:
		whole := strings.Join(pieces, "")
		if e.limit > 0 && len(whole) > e.limit {
			up.apply(ask(t, stream, body(whole[:e.limit], false)), whole[:e.limit], false)
			up.body += whole[e.limit:] // which the processor does not see
			up.ended = true
			return up
		}
		pieces = []string{whole}
	case duplexMode:
		e.duplex(t, stream, pieces, &up)
		return up
	}
	for k, piece := range pieces {
		last := k == len(pieces)-1 && !e.trailers
		up.apply(ask(t, stream, body(piece, last)), piece, last)
	}
	if e.trailers {
		up.trailers(ask(t, stream, trailers()))
	}
	return up
}

const duplexMode = filterv3.ProcessingMode_FULL_DUPLEX_STREAMED

// duplex sends pieces without waiting for answers, and passes on only what comes back.
func (e envoy) duplex(
	t *testing.T, stream extprocv3.ExternalProcessor_ProcessClient, pieces []string, up *upstream,
) {
	for k, piece := range pieces {
		if err := stream.Send(body(piece, k == len(pieces)-1 && !e.trailers)); err != nil {
			t.Fatal(err)
		}
	}
	if e.trailers {
		if err := stream.Send(trailers()); err != nil {
			t.Fatal(err)
		}
	}
	for !up.ended && up.refused == 0 {
		answer, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if answer.GetRequestTrailers() != nil || answer.GetImmediateResponse() != nil {
			up.trailers(answer)
			continue
		}
		part := answer.GetRequestBody().GetResponse().GetBodyMutation().GetStreamedResponse()
		if part == nil || len(part.GetBody()) > 64<<10 {
			t.Fatalf("Envoy takes no such piece: %d bytes", len(part.GetBody()))
		}
		up.body += string(part.GetBody())
		up.ended = part.GetEndOfStream()
	}
}

// apply passes on a piece with the mutation of its answer.
func (up *upstream) apply(answer *extprocv3.ProcessingResponse, piece string, last bool) {
	if immediate := answer.GetImmediateResponse(); immediate != nil {
		up.refused = int(immediate.GetStatus().GetCode())
		return
	}
	common := answer.GetRequestBody().GetResponse()
	for _, h := range common.GetHeaderMutation().GetSetHeaders() {
		if h.GetHeader().GetKey() == "content-length" && up.length != "" {
			up.length = string(h.GetHeader().GetRawValue())
		}
	}
	for _, name := range common.GetHeaderMutation().GetRemoveHeaders() {
		if name == "content-length" {
			up.length = ""
		}
	}
	switch m := common.GetBodyMutation(); {
	case m.GetStreamedResponse() != nil:
		panic("a streamed response in another mode")
	case m.GetClearBody():
		piece = ""
	case m != nil:
		piece = string(m.GetBody())
	}
	up.body += piece
	up.ended = last
}

func (up *upstream) trailers(answer *extprocv3.ProcessingResponse) {
	if immediate := answer.GetImmediateResponse(); immediate != nil {
		up.refused = int(immediate.GetStatus().GetCode())
		return
	}
	up.ended = answer.GetRequestTrailers() != nil
}

func trailers() *extprocv3.ProcessingRequest {
	return &extprocv3.ProcessingRequest{Request: &extprocv3.ProcessingRequest_RequestTrailers{
		RequestTrailers: &extprocv3.HttpTrailers{},
	}}
}

var anthropic = &url.URL{Scheme: "https", Host: "api.anthropic.com", Path: "/v1/messages"}

// cut cuts a text into pieces.
func cut(text string, size int) (pieces []string) {
	for len(text) > size {
		pieces, text = append(pieces, text[:size]), text[size:]
	}
	return append(pieces, text)
}

// In every mode the upstream gets the whole body, repaired if it came whole or could be held, with
// its length or without one.
func TestModes(t *testing.T) {
	long := strings.Replace(dangling, `"a"`, `"`+strings.Repeat(`a\"{`, 100_000)+`"`, 1)
	const partial = filterv3.ProcessingMode_BUFFERED_PARTIAL
	const streamed = filterv3.ProcessingMode_STREAMED
	for _, e := range []struct {
		name string
		envoy
		size   int
		reason preflighthttp.Reason
	}{
		{"buffered", envoy{mode: filterv3.ProcessingMode_BUFFERED}, 40, ""},
		{"buffered, trailers", envoy{mode: filterv3.ProcessingMode_BUFFERED, trailers: true}, 40, ""},
		{"none, overridden", envoy{override: true}, 40, ""},
		{"none, overridden, trailers", envoy{override: true, trailers: true}, 40, ""},
		{"partial, whole", envoy{mode: partial, limit: 1 << 30}, 40, ""},
		{"partial, whole, trailers", envoy{mode: partial, trailers: true}, 40, ""},
		{"partial", envoy{mode: partial, limit: 50}, 40, preflighthttp.Partial},
		{"partial, not overridden", envoy{mode: partial, limit: 50, override: true}, 40,
			preflighthttp.Partial},
		{"streamed", envoy{mode: streamed}, 40, ""},
		{"streamed, by bytes", envoy{mode: streamed, override: true}, 1, ""},
		{"streamed, trailers", envoy{mode: streamed, trailers: true}, 40, ""},
		{"streamed, silent", envoy{mode: streamed, silent: true}, 40, preflighthttp.Partial},
		{"duplex", envoy{mode: duplexMode}, 40, ""},
		{"duplex, one piece", envoy{mode: duplexMode}, 1 << 30, ""},
		{"duplex, trailers", envoy{mode: duplexMode, trailers: true}, 40, ""},
	} {
		for _, text := range []string{valid, dangling, long, empty, `{"x":`, "x"} {
			t.Run(e.name+" "+text[:min(len(text), 30)]+strconv.Itoa(len(text)), func(t *testing.T) {
				var mu sync.Mutex
				var reports []*preflighthttp.Report
				budget := preflighthttp.NewBudget(1 << 30)
				processor := &preflightextproc.Processor{Transport: &preflighthttp.Transport{
					Budget: budget,
					Report: func(_ context.Context, r *preflighthttp.Report) {
						mu.Lock()
						defer mu.Unlock()
						reports = append(reports, r)
					},
				}}
				up := e.send(t, call(t, processor), cut(text, max(e.size, len(text)/3000)))
				mu.Lock()
				defer mu.Unlock()
				want := text
				if e.reason == "" && len(text) >= len(dangling) {
					want = preflightBody(t, text)
				}
				switch {
				case e.mode == streamed && !e.silent && e.trailers && len(text) < 10:
					if up.refused != 400 { // what was held cannot be sent any more
						t.Fatalf("%+v", up)
					}
				case up.body != want || !up.ended:
					t.Fatalf("the upstream got %.300q of %d bytes, ended %v", up.body,
						len(up.body), up.ended)
				case up.length != "" && up.length != strconv.Itoa(len(up.body)):
					t.Fatalf("length %s for %d bytes", up.length, len(up.body))
				}
				if len(reports) != 1 {
					t.Fatalf("%d reports", len(reports))
				}
				if e.reason != "" && len(text) > 90 && reports[0].Skipped != e.reason {
					t.Fatalf("skipped: %q", reports[0].Skipped)
				}
				if budget.Used() != 0 {
					t.Fatalf("%d bytes of the budget are not given back", budget.Used())
				}
			})
		}
	}
}

// preflightBody is a body as the transport sends it.
func preflightBody(t *testing.T, text string) string {
	t.Helper()
	d := new(preflighthttp.Transport).Judge("POST", anthropic, nil)
	sent, _, err := d.Body(context.Background(), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return string(sent)
}

// A body beyond a limit, and one that the budget has no room for in the middle of it, comes through
// whole all the same, or is refused.
func TestLimitsInPieces(t *testing.T) {
	for _, mode := range []filterv3.ProcessingMode_BodySendMode{
		filterv3.ProcessingMode_STREAMED, duplexMode,
	} {
		for _, c := range []struct {
			name      string
			transport preflighthttp.Transport
			refused   int
			reason    preflighthttp.Reason
		}{
			{"large", preflighthttp.Transport{MaxBody: 100}, 0, preflighthttp.TooLarge},
			{"busy", preflighthttp.Transport{Budget: preflighthttp.NewBudget(100)}, 0,
				preflighthttp.Busy},
			{"refused", preflighthttp.Transport{
				Budget: preflighthttp.NewBudget(100), Busy: preflighthttp.Refuse,
			}, 503, ""},
		} {
			t.Run(mode.String()+" "+c.name, func(t *testing.T) {
				reports := make(chan *preflighthttp.Report, 9)
				c.transport.Report = func(_ context.Context, r *preflighthttp.Report) {
					reports <- r
				}
				e := envoy{mode: mode}
				up := e.send(t, call(t, &preflightextproc.Processor{Transport: &c.transport}),
					cut(dangling, 30))
				if up.refused != c.refused || c.refused == 0 && up.body != dangling {
					t.Fatalf("%+v", up)
				}
				if r := <-reports; r.Skipped != c.reason {
					t.Fatalf("skipped: %q", r.Skipped)
				}
				if c.transport.Budget.Used() != 0 {
					t.Fatal("the budget is not given back")
				}
			})
		}
	}
}

// An Envoy that does not say its mode gets all of the body where the Processor knows it.
func TestModeByConfiguration(t *testing.T) {
	processor := &preflightextproc.Processor{Mode: duplexMode}
	up := envoy{mode: duplexMode, silent: true}.send(t, call(t, processor), cut(dangling, 20))
	if up.body != preflightBody(t, dangling) {
		t.Fatalf("%+v", up)
	}
}

// Other requests come through, too, whether Envoy allows the override or not.
func TestOthersInPieces(t *testing.T) {
	stream := call(t, new(preflightextproc.Processor))
	first := headers("shop.example", "/cart")
	first.ProtocolConfig = &extprocv3.ProtocolConfiguration{
		RequestBodyMode: duplexMode, ResponseBodyMode: duplexMode,
	}
	ask(t, stream, first)
	for k, piece := range []string{"a", "", "b"} {
		part := ask(t, stream, body(piece, k == 2)).GetRequestBody().GetResponse().
			GetBodyMutation().GetStreamedResponse()
		if part == nil || string(part.GetBody()) != piece || part.GetEndOfStream() != (k == 2) {
			t.Fatal(part)
		}
	}
	ask(t, stream, responseHeaders(":status", "200"))
	for k, piece := range []string{"a", "", "b"} {
		part := ask(t, stream, responseBody(piece, k == 2)).GetResponseBody().GetResponse().
			GetBodyMutation().GetStreamedResponse()
		if part == nil || string(part.GetBody()) != piece || part.GetEndOfStream() != (k == 2) {
			t.Fatal(part)
		}
	}
}

// The names of tools come back in FULL_DUPLEX_STREAMED, where Envoy sends responses.
func TestNamesInPieces(t *testing.T) {
	stream := call(t, new(preflightextproc.Processor))
	first := headers("api.anthropic.com", "/v1/messages", "accept-encoding: br, gzip")
	first.ProtocolConfig = &extprocv3.ProtocolConfiguration{
		RequestBodyMode: duplexMode, ResponseBodyMode: duplexMode,
	}
	set := ask(t, stream, first).GetRequestHeaders().GetResponse().GetHeaderMutation().
		GetSetHeaders()
	if len(set) != 1 || string(set[0].GetHeader().GetRawValue()) != "gzip" {
		t.Fatal(set)
	}
	sent := string(ask(t, stream, body(dotted, true)).GetRequestBody().GetResponse().
		GetBodyMutation().GetStreamedResponse().GetBody())
	_, name, _ := strings.Cut(sent, `"tools":[{"name":"`)
	name, _, _ = strings.Cut(name, `"`)
	if name == "" || name == "files.read" {
		t.Fatal(sent)
	}
	ask(t, stream, responseHeaders(":status", "200", "content-type", "application/json"))
	answer := `{"type":"message","role":"assistant","content":[` +
		`{"type":"tool_use","id":"toolu_1","name":"NAME","input":{}}]}`
	got := ""
	pieces := cut(strings.ReplaceAll(answer, "NAME", name), 9)
	for k, piece := range pieces {
		part := ask(t, stream, responseBody(piece, k == len(pieces)-1)).GetResponseBody().
			GetResponse().GetBodyMutation().GetStreamedResponse()
		got += string(part.GetBody())
		if part.GetEndOfStream() != (k == len(pieces)-1) {
			t.Fatal(part)
		}
	}
	if got != strings.ReplaceAll(answer, "NAME", "files.read") {
		t.Fatal(got)
	}
}
