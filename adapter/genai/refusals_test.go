package preflightgenai_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"google.golang.org/genai"

	preflightgenai "github.com/go-preflight/preflight/adapter/genai"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// TestRefusals: a request of the SDK's client with a signature that the model does not know is
// refused once, and answered without it, whole and streamed; one that is refused for another reason
// is not sent again.
func TestRefusals(t *testing.T) {
	const answer = `{"candidates":[{"content":{"role":"model","parts":[{"text":"done"}]}}]}`
	history := []*genai.Content{
		genai.NewContentFromText("q", genai.RoleUser),
		genai.NewContentFromParts([]*genai.Part{
			{Text: "a", ThoughtSignature: []byte("of another model")},
		}, genai.RoleModel),
		genai.NewContentFromText("again", genai.RoleUser),
	}
	for words, requests := range map[string]int{
		"Invalid thought signature.": 2, "Corrupted thought signature.": 2,
		"API key not valid. Please pass a valid API key.": 1,
	} {
		for _, stream := range []bool{false, true} {
			var got []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				data, _ := io.ReadAll(r.Body)
				got = append(got, string(data))
				switch {
				case strings.Contains(string(data), "thoughtSignature"):
					w.WriteHeader(http.StatusBadRequest)
					_, _ = io.WriteString(w, `{"error":{"code":400,"message":"`+words+
						`","status":"INVALID_ARGUMENT"}}`)
				case stream:
					_, _ = io.WriteString(w, "data: "+answer+"\n\n")
				default:
					_, _ = io.WriteString(w, answer)
				}
			}))
			client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
				Backend: genai.BackendGeminiAPI, APIKey: "none",
				HTTPClient: preflightgenai.HTTPClient(nil, &preflighthttp.Transport{
					Remedies: remedy.All(),
				}),
				HTTPOptions: genai.HTTPOptions{BaseURL: server.URL},
			})
			if err != nil {
				t.Fatal(err)
			}
			text, err := ask(client, history, stream)
			server.Close()
			if len(got) != requests || (err == nil) != (requests == 2) ||
				requests == 2 && text != "done" {
				t.Fatalf("%s: %q, %v: %q", words, text, err, got)
			}
		}
	}
}

func ask(client *genai.Client, history []*genai.Content, stream bool) (text string, err error) {
	ctx := context.Background()
	if !stream {
		answer, err := client.Models.GenerateContent(ctx, plain, history, nil)
		if err != nil {
			return "", err
		}
		return answer.Text(), nil
	}
	for chunk, err := range client.Models.GenerateContentStream(ctx, plain, history, nil) {
		if err != nil {
			return "", err
		}
		text += chunk.Text()
	}
	return text, nil
}
