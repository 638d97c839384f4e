package probe

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-preflight/preflight/rule/explain"
)

// This file sends bodies, at a rate, and keeps the answers, so that an interrupted probe goes on
// where it was.

// answer is what a server made of a body.
type answer struct {
	Status int    `json:"status"`          // 0 without an answer
	Text   string `json:"text,omitempty"`  // of a refusal
	Fault  string `json:"fault,omitempty"` // why it is no decision; "" for one
	Said   string `json:"said,omitempty"`  // what the model says, with Options.Planted
}

func (a answer) accepted() bool { return a.Fault == "" && a.Status/100 == 2 && a.Text == "" }
func (a answer) refused() bool  { return a.Fault == "" && !a.accepted() }

// StopError is an answer that makes further requests pointless, such as a wrong key.
type StopError struct {
	Status int
	Text   string
}

// Error has the status and the server's text.
func (e *StopError) Error() string {
	return fmt.Sprintf("the server answered %d: %s", e.Status, e.Text)
}

// The bounds of asking.
const (
	attempts   = 4
	longest    = 60 * time.Second // of waiting before another attempt
	mostAnswer = 4 << 20          // bytes
	mostText   = 600              // of a refusal that are kept, in bytes
)

// asker sends bodies to a server.
type asker struct {
	options *Options
	known   map[string]answer
	log     io.Writer // where answers are kept; nil for nowhere
	last    time.Time
	sent    int // requests
	tell    func(sent int)
}

// open reads the answers of a run that was interrupted.
func (a *asker) open(file string) (done func() error, err error) {
	a.known = map[string]answer{}
	if file == "" {
		return func() error { return nil }, nil
	}
	if data, err := os.ReadFile(file); err == nil {
		for line := range strings.Lines(string(data)) {
			var kept struct {
				Body string `json:"body"`
				answer
			}
			if json.Unmarshal([]byte(line), &kept) == nil { // the last line may be cut off
				a.known[kept.Body] = kept.answer
			}
		}
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	a.log = f
	return f.Close, nil
}

func (a *asker) key(body []byte) string {
	sum := sha256.Sum256(append([]byte(a.options.URL+"\n"), body...))
	return hex.EncodeToString(sum[:16])
}

// ask sends a body until there is a decision, or no more patience. The error ends the probe.
func (a *asker) ask(ctx context.Context, body []byte) (answer, error) {
	key := a.key(body)
	if got, ok := a.known[key]; ok {
		return got, nil
	}
	if see := a.options.Prompt; see != nil {
		_, refusal, err := see(body)
		if refusal != "" {
			return answer{Status: http.StatusBadRequest, Text: refusal}, err
		}
		return answer{Status: http.StatusOK}, err
	}
	var got answer
	for k := range attempts {
		if err := a.pause(ctx); err != nil {
			return got, err
		}
		var wait time.Duration
		var err error
		if got, wait, err = a.once(ctx, body); err != nil {
			return got, err
		}
		if got.Fault == "" {
			break
		}
		if k < attempts-1 {
			if wait == 0 {
				wait = time.Second << k
			}
			if err := a.options.sleep(ctx, min(wait, longest)); err != nil {
				return got, err
			}
		}
	}
	if got.Fault == "" { // what is not decided is asked again the next time
		a.known[key] = got
		if a.log != nil {
			line, _ := json.Marshal(struct {
				Body string `json:"body"`
				answer
			}{key, got})
			if _, err := a.log.Write(append(line, '\n')); err != nil {
				return got, err
			}
		}
	}
	return got, nil
}

// pause keeps the rate.
func (a *asker) pause(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if a.options.Rate > 0 {
		gap := time.Duration(float64(time.Second) / a.options.Rate)
		if left := gap - time.Since(a.last); !a.last.IsZero() && left > 0 {
			if err := a.options.sleep(ctx, left); err != nil {
				return err
			}
		}
	}
	a.last = time.Now()
	return nil
}

// once sends a body once. wait is how long the server asks to wait.
func (a *asker) once(ctx context.Context, body []byte) (got answer, wait time.Duration, err error) {
	resp, data, err := a.post(ctx, a.options.URL, body)
	switch {
	case err != nil && ctx.Err() != nil:
		return got, 0, ctx.Err()
	case resp == nil:
		return answer{Fault: plainError(err)}, 0, nil
	case err != nil:
		return answer{Status: resp.StatusCode, Fault: "the answer broke off"}, 0, nil
	}
	got, err = a.read(resp.StatusCode, data)
	if seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After")); seconds > 0 {
		wait = time.Duration(seconds) * time.Second
	}
	return got, wait, err
}

// client follows no redirects: net/http would send the key to another host, unless it is in the
// header Authorization.
var client = &http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// post sends a body to an address, and reads the answer. resp is nil where there is none.
func (a *asker) post(
	ctx context.Context, to string, body []byte,
) (resp *http.Response, data []byte, err error) {
	limit, cancel := context.WithTimeout(ctx, a.options.timeout())
	defer cancel()
	req, err := http.NewRequestWithContext(limit, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	if a.options.Header != nil {
		req.Header = a.options.Header.Clone()
	}
	req.Header.Set("Content-Type", "application/json")
	a.sent++
	if a.tell != nil {
		a.tell(a.sent)
	}
	if resp, err = client.Do(req); err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	data, err = io.ReadAll(io.LimitReader(resp.Body, mostAnswer))
	return resp, data, err
}

// plainError returns an error of the client without the URL, which may hold a key.
func plainError(err error) string {
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) && timeout.Timeout() {
		return "there was no answer in time"
	}
	return "there was no answer"
}

// read decides what an answer is.
func (a *asker) read(status int, data []byte) (answer, error) {
	text := a.redact(string(data))
	got := answer{Status: status}
	switch {
	case status/100 == 2:
		if !json.Valid(data) {
			got.Fault = "the answer was cut off"
		} else if failed := errorIn(data); failed {
			got.Text = shortened(text)
		} else if a.options.Planted {
			got.Said = shortened(said(data))
		}
		return got, nil
	case status == http.StatusUnauthorized, status == http.StatusForbidden,
		status == http.StatusNotFound, status == http.StatusMethodNotAllowed,
		status == http.StatusPaymentRequired:
		return got, &StopError{status, shortened(text)}
	case status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status/100 == 3:
		got.Fault = fmt.Sprintf("the server answered %d", status)
		return got, nil
	case status/100 == 5:
		// some servers answer so when a chat template raises
		if e, ok := explain.Text(text); !ok || e.Class != explain.ClassHistory {
			got.Fault = fmt.Sprintf("the server answered %d", status)
			return got, nil
		}
	}
	got.Text = shortened(text)
	if got.Text == "" {
		got.Text = "(no text)"
	}
	return got, nil
}

// errorIn reports whether an answer with a status of success is an error in its body.
func errorIn(data []byte) bool {
	var body struct {
		Error json.RawMessage `json:"error"`
	}
	_ = json.Unmarshal(data, &body)
	return len(body.Error) > 0 && string(body.Error) != "null"
}

// said returns the text of an answer of OpenAI's Chat format, or Ollama's.
func said(data []byte) string {
	type message struct {
		Content string `json:"content"`
	}
	var body struct {
		Message message
		Choices []struct{ Message message }
	}
	_ = json.Unmarshal(data, &body)
	if len(body.Choices) > 0 {
		return body.Choices[0].Message.Content
	}
	return body.Message.Content
}

func shortened(text string) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, ""))
	if len(text) > mostText {
		text = strings.ToValidUTF8(text[:mostText], "") + "…"
	}
	return text
}

// redact removes what is secret from a text of the server's.
func (a *asker) redact(text string) string {
	for _, secret := range a.options.secrets() {
		text = strings.ReplaceAll(text, secret, "***")
	}
	return text
}
